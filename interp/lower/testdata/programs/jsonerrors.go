package main

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

type Color int

type P struct {
	A  int
	B  Color
	C  []Color
	M  map[string]Color
	N  map[int]P
	F  float64
	Q  *P
	S  string `json:"s"`
	I8 int8
	In struct{ X, Y int }
	An any
	St fmt.Stringer
	E
}
type E struct{ Z bool }

type Lvl int

func (l *Lvl) UnmarshalText(b []byte) error {
	if string(b) == "low" {
		*l = 1
		return nil
	}
	return errors.New("bad level " + string(b))
}
func (l Lvl) MarshalText() ([]byte, error) {
	if l == 7 {
		return nil, errors.New("seven")
	}
	return []byte("low"), nil
}

type Own struct{ A int }

func (o Own) MarshalJSON() ([]byte, error) { return nil, errors.New("own error") }

type BadOwn struct{ A int }

func (o BadOwn) MarshalJSON() ([]byte, error) { return []byte("{bad"), nil }

var _ encoding.TextMarshaler = Lvl(1)

func try(s string, v any) {
	err := json.Unmarshal([]byte(s), v)
	fmt.Printf("%s: %v %T\n", s, err, err)
	var te *json.UnmarshalTypeError
	if errors.As(err, &te) {
		fmt.Println("  type error", te.Value, te.Type, te.Offset, te.Struct, te.Field)
	}
	var se *json.SyntaxError
	if errors.As(err, &se) {
		fmt.Println("  syntax error", se.Offset)
	}
	var ie *json.InvalidUnmarshalError
	if errors.As(err, &ie) {
		fmt.Println("  invalid", ie.Type)
	}
}

func enc(v any) {
	b, err := json.Marshal(v)
	fmt.Printf("%s %v %T\n", b, err, err)
	var ut *json.UnsupportedTypeError
	if errors.As(err, &ut) {
		fmt.Println("  unsupported", ut.Type)
	}
	var me *json.MarshalerError
	if errors.As(err, &me) {
		fmt.Println("  marshaler", me.Type, me.Err)
	}
	var uv *json.UnsupportedValueError
	if errors.As(err, &uv) {
		fmt.Println("  value", uv.Str)
	}
}

type Ch struct{ C chan int }
type Fn struct {
	F func() `json:",omitempty"`
	G func() `json:"-"`
}
type Fk map[float64]int
type Nan struct{ X float64 }

func main() {
	for _, s := range []string{
		`{"A":"x"}`, `{"A":1.5}`, `{"A":99999999999999999999}`, `{"B":"x"}`, `{"B":true}`, `{"B":{}}`, `{"B":[]}`, `{"C":3}`, `{"C":[1,"x"]}`,
		`{"M":{"a":"b"}}`, `{"M":[1]}`, `{"N":{"x":{}}}`, `{"N":{"1":{"A":"s"}}}`, `{"F":"x"}`, `{"Q":{"Q":{"A":[]}}}`, `{"s":1}`, `{"I8":300}`,
		`{"In":{"X":"a"}}`, `{"In":3}`, `{"St":1}`, `{"Z":1}`, `[1]`, `3`, `"x"`, `null`, `{"A":1,`, `{"A":1}}`, ``, `{"A" 1}`, `{"C":[1,2,3],"A":"x","B":"y"}`,
		`{"A":tru}`, `{"Q":null,"In":{"X":1,"y":2}}`,
	} {
		try(s, &P{})
	}
	var c Color
	try(`"x"`, &c)
	try(`1.5`, &c)
	var cs []Color
	try(`[1,"x",3]`, &cs)
	try(`{"a":1}`, &cs)
	var ar [2]Color
	try(`[1,2,"x"]`, &ar)
	var m map[Color]P
	try(`{"1":{"A":true}}`, &m)
	try(`{"x":{}}`, &m)
	var l Lvl
	try(`"low"`, &l)
	try(`"hi"`, &l)
	try(`3`, &l)
	var ml map[Lvl]int
	try(`{"low":1}`, &ml)
	try(`{"hi":1}`, &ml)
	try(`{}`, P{})
	try(`{}`, (*P)(nil))
	try(`{}`, nil)
	var pp *P
	try(`{"A":"q"}`, &pp)
	enc(Own{})
	enc(&Own{})
	enc([]Own{{}})
	enc(map[string]any{"a": Own{}})
	enc(BadOwn{})
	enc(Lvl(7))
	enc(map[Lvl]int{7: 1})
	enc(map[Lvl]int{1: 1})
	enc(Ch{})
	enc(Fn{})
	enc(Fk{})
	enc(Fk(nil))
	enc([]Fk{nil})
	enc(struct{ F Fk }{})
	enc(Nan{})
	n := Nan{}
	n.X /= n.X
	enc(n)
	enc([]Ch{})
	enc([]Ch{{}})
	d := json.NewDecoder(strings.NewReader(`{"A":1,"X":3} {"A":"x"} {"A":`))
	d.DisallowUnknownFields()
	dec := d.Decode
	for range 4 {
		var p P
		err := dec(&p)
		fmt.Printf("%v %T %v\n", err, err, p.A)
	}
	f := json.NewDecoder(strings.NewReader(`{"A":5}`)).Decode
	var p P
	fmt.Println(f(&p), p.A)
	g := (*json.Decoder).Decode
	fmt.Println(g(json.NewDecoder(strings.NewReader(`{"A":6}`)), &p), p.A)
	h := json.Unmarshal
	fmt.Println(h([]byte(`{"A":7}`), &p), p.A)
	k := json.NewEncoder(&strings.Builder{}).Encode
	fmt.Println(k(Own{}))
	if err := json.NewEncoder(&strings.Builder{}).Encode(Ch{}); err != nil {
		fmt.Printf("%v %T\n", err, err)
	}
	keys()
}

type list []int

// keys are of types that have no hash: the error names them as they were declared.
func keys() {
	for _, f := range []func(){
		func() { map[any]int{}[[]int{1}] = 1 },
		func() { map[any]int{}[list{1}] = 1 },
		func() { fmt.Println(map[any]int{1: 1}[map[string]int{}]) },
		func() { delete(map[any]int{}, any([]string{})) },
		func() { fmt.Println(map[any]int{1: 1, [1][]int{}: 2}) },
	} {
		func() {
			defer func() { fmt.Println(recover()) }()
			f()
		}()
	}
}
