package value

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

type (
	base struct {
		ID   int `json:"id"`
		Name string
	}
	extra struct {
		Name string
		Note string `json:"note,omitempty"`
	}
	tagged struct {
		A int     `json:"a"`
		b string  //nolint:unused // stays out
		C float64 `json:",omitempty"`
		D string  `json:"-"`
		//lint:ignore SA5008 a comma after it makes "-" the field's name
		E string         `json:"-,"`
		F int            `json:"f,string"`
		G *int           `json:"g,omitempty"`
		H map[string]any `json:"h,omitzero"`
		I any
		J []byte
		K bool   `json:"k,string"`
		L string `json:"l,string"`
	}
	nested struct {
		base
		*extra
		T    tagged
		List []tagged
		M    map[name]tagged
		P    *tagged
		When time.Time
		Dur  time.Duration
	}
	level1  int
	temper  struct{ Deg float64 }
	upper   string
	keyed   struct{ a, b int }
	byteBox []u8
	matrix3 [2][3]float32
	tree    struct {
		V    int     `json:"v"`
		Kids []*tree `json:"kids,omitempty"`
	}
	badJSON struct{ X int }
	ptrJSON struct{ X int }
	clash1  struct{ Z int }
	clash2  struct{ Z int }
	clash   struct {
		clash1
		clash2
		Y int
	}
)

func (l level1) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "level-%d", int(l)), nil }
func (l *level1) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "level-%d", (*int)(l))
	return err
}
func (t temper) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `{ "celsius" : %g, "html": "<&>" }`, t.Deg), nil
}
func (t *temper) UnmarshalJSON(b []byte) error {
	var x struct{ Celsius float64 }
	err := json.Unmarshal(b, &x)
	t.Deg = x.Celsius
	return err
}
func (keyed) MarshalJSON() ([]byte, error)    { return nil, errors.New("no key") }
func (k keyed) MarshalText() ([]byte, error)  { return fmt.Appendf(nil, "%d/%d", k.a, k.b), nil }
func (badJSON) MarshalJSON() ([]byte, error)  { return []byte(`{"x":`), nil }
func (*ptrJSON) MarshalJSON() ([]byte, error) { return []byte(`"by pointer"`), nil }

// newLowering describes types as a worker would, so that the pointer types to them are known.
func newLowering(t *testing.T, values ...any) *lowering {
	l := &lowering{map[reflect.Type]*Type{}}
	for _, v := range values {
		l.desc(reflect.TypeOf(v))
	}
	registry.Lock()
	old := registry.byID
	registry.byID = nil
	for _, d := range l.types {
		registry.byID = append(registry.byID, d)
	}
	registry.Unlock()
	t.Cleanup(func() {
		registry.Lock()
		registry.byID = old
		registry.Unlock()
	})
	return l
}

func jsonCases() []any {
	n := 5
	t := tagged{A: 1, b: "b", C: 0, D: "d", E: "e", F: 7, G: &n, I: tagged{A: 2}, J: []byte("bytes"), K: true, L: "q\"<"}
	return []any{
		base{1, "n"}, &base{2, "m"}, []base{{3, "<&>"}}, map[string]base{"z": {}, "a": {4, "x"}}, t, tagged{}, &t,
		nested{base{1, "outer"}, &extra{"hidden", "note"}, t, []tagged{t}, map[name]tagged{"k": t}, &t, time.Unix(0, 0).UTC(), time.Second},
		nested{}, level1(3), []level1{1, 2}, map[level1]int{3: 1, 1: 2}, temper{21.5}, &temper{3}, []temper{{1}}, map[string]temper{"t": {2}},
		struct{ T temper }{temper{4}}, struct{ T *temper }{}, any3{B: temper{5}}, []any{temper{6}, base{7, "in any"}, nil, 8, "s"},
		map[string]any{"b": base{9, "deep"}, "l": []any{level1(2)}}, upper("TEXT"), map[upper]upper{"k": "v"}, weekday(1), celsius(2.5),
		map[weekday]int{2: 1, 1: 1}, map[keyed]int{{1, 2}: 3}, keyed{1, 2}, byteBox{1, 2, 3}, blob("blob"), matrix3{{1, 2}, {3.5}}, []u8{1},
		tree{1, []*tree{{2, nil}, nil}}, badJSON{1}, ptrJSON{1}, &ptrJSON{2}, []ptrJSON{{3}}, struct{ P ptrJSON }{}, &struct{ P ptrJSON }{},
		clash{clash1{1}, clash2{2}, 3}, ch(nil), struct{ C ch }{}, struct{ F fn }{}, celsius(math.NaN()), cplx(1), struct{}{}, (*base)(nil), []base(nil),
		map[string]base(nil), flags{true}, holder{square{2}}, holder{}, names{"a", "<"}, any3{base{1, "un"}, base{2, "exported"}},
		struct {
			A any `json:"a,omitempty"`
			B weekday
			c int
		}{nil, 2, 3},
	}
}

func TestJSONMarshal(t *testing.T) {
	l := newLowering(t, jsonCases()...)
	for _, v := range jsonCases() {
		l.desc(reflect.TypeOf(v))
		b := l.box(v)
		want, wantErr := json.Marshal(v)
		got, err := JSONMarshal(b)
		if string(got) != string(want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Errorf("%T:\n got  %s %v\n want %s %v", v, got, err, want, wantErr)
		}
		if wantErr != nil {
			continue
		}
		want, _ = json.MarshalIndent(v, ">", "  ")
		if got, _ := JSONMarshalIndent(b, ">", "  "); string(got) != string(want) {
			t.Errorf("indented %T:\n got  %s\n want %s", v, got, want)
		}
		if bytes.Contains(want, []byte(`\\u003c`)) {
			continue
		}
		// Through compiled code: an encoder that does not escape HTML.
		var x, y bytes.Buffer
		ex, ey := json.NewEncoder(&x), json.NewEncoder(&y)
		ex.SetEscapeHTML(false)
		ey.SetEscapeHTML(false)
		ex.Encode(b)
		ey.Encode(v)
		if x.String() != y.String() {
			t.Errorf("encoder %T:\n got  %s\n want %s", v, x.String(), y.String())
		}
	}
}

func TestJSONUnmarshal(t *testing.T) {
	var jsonTypes = []any{base{}, tagged{}, nested{}, []base{}, map[string]base{}, map[name]int{}, map[weekday]string{}, map[level1]int{}, level1(0),
		temper{}, []temper{}, struct{ T temper }{}, struct{ T *temper }{}, any3{}, upper(""), weekday(0), celsius(0), byteBox{}, blob{}, matrix3{}, tree{},
		names{}, flags{}, u8(0), holder{}, clash{}, map[string][]tree{}, [2]base{}}
	var pointers []any
	for _, v := range jsonTypes {
		pointers = append(pointers, reflect.New(reflect.TypeOf(v)).Interface())
	}
	pointers = append(pointers, new(temper), new(level1), new(tree), new(base), new(extra), new(tagged))
	l := newLowering(t, pointers...)
	texts := []string{
		`{"id":1,"Name":"n"}`, `{"ID":2,"NAME":"case"}`, `{"id":"no","Name":"goes on"}`, `{"id":1.5}`, `{"a":1,"f":"7","g":3,"h":{"x":[1,null]},"I":{"k":[1]},"J":"Ynl0ZXM=","k":"true","l":"\"q\"","-":"dash","b":"no","D":"no"}`,
		`{"f":7}`, `{"f":"x"}`, `{"k":"maybe"}`, `{"J":"!"}`, `{"id":3,"Name":"out","note":"emb","T":{"a":1},"List":[{"a":2},{"f":"3"}],"M":{"q":{"a":4}},"P":{"a":5},"When":"1970-01-01T00:00:00Z","Dur":5}`,
		`{"T":{"a":"wrong"},"List":[{"a":true}]}`, `[]`, `[{"id":1},{"id":2}]`, `{"x":{"id":4}}`, `{"a":1,"b":2}`, `{"1":"one","2":"two"}`, `{"level-3":1,"level-1":2}`,
		`"level-4"`, `"nothing"`, `{"celsius":12.5}`, `[{"celsius":1},{"celsius":2}]`, `{"T":{"celsius":3}}`, `{"T":null}`, `null`, `1`, `1.5`, `-1`, `300`, `true`, `"text"`, `"AQID"`,
		`[[1,2,3],[4,5,6],[7]]`, `[[1]]`, `{"v":1,"kids":[{"v":2,"kids":null},null]}`, `{"k":[{"v":1}]}`, `["a","b"]`, `[true,false,true,true]`, `{"S":null}`, `{"S":{"s":1}}`, `{"B":{"x":1}}`,
		`{"Y":3,"Z":4}`, `{`, `{"id":}`, ` {"id" : 5 } `, `{"a":1,"unknown":{"deep":[1,2,{"x":3}]}}`, `"a" x`, ``,
	}
	for _, v := range jsonTypes {
		typ := reflect.TypeOf(v)
		for _, text := range texts {
			want := reflect.New(typ)
			wantErr := json.Unmarshal([]byte(text), want.Interface())
			pd := l.desc(reflect.PointerTo(typ))
			got := reflect.New(pd.Elem.Lowered)
			err := JSONUnmarshal([]byte(text), Box{pd, got.Interface()})
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("%s into %v: error\n got  %v\n want %v", text, typ, err, wantErr)
			}
			if g, w := Sprintf("%+v", Box{pd.Elem, got.Elem().Interface()}), fmt.Sprintf("%+v", want.Elem().Interface()); g != w && !sameButAddress(g, w) {
				t.Errorf("%s into %v:\n got  %s\n want %s", text, typ, g, w)
			}
			// Through a decoder.
			got = reflect.New(pd.Elem.Lowered)
			target := Target(Box{pd, got.Interface()})
			want = reflect.New(typ)
			err, wantErr = json.NewDecoder(strings.NewReader(text)).Decode(target), json.NewDecoder(strings.NewReader(text)).Decode(want.Interface())
			if (err == nil) != (wantErr == nil) {
				t.Errorf("decoder, %s into %v: %v, want %v", text, typ, err, wantErr)
			}
		}
	}
	if err := JSONUnmarshal([]byte("{}"), Box{l.desc(reflect.TypeOf(base{})), nil}); err == nil || err.Error() != "json: Unmarshal(non-pointer value.base)" {
		t.Errorf("a value: %v", err)
	}
}

// Decoding into what exists keeps what the text does not mention.
func TestJSONMerge(t *testing.T) {
	l := newLowering(t, &nested{}, &tree{})
	v := nested{base: base{1, "keep"}, M: map[name]tagged{"old": {A: 1}}, P: &tagged{A: 3, C: 4}, List: []tagged{{A: 1}, {A: 2}, {A: 3}}}
	b := l.box(&v).(Box)
	text := []byte(`{"id":9,"M":{"new":{"a":2}},"P":{"a":5},"List":[{"C":1}]}`)
	if err := JSONUnmarshal(text, b); err != nil {
		t.Fatal(err)
	}
	json.Unmarshal(text, &v)
	got, _ := JSONMarshal(b)
	want, _ := json.Marshal(v)
	if string(got) != string(want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
