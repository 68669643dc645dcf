package value

import (
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// A jsonField is a field of a struct type as encoding/json sees it: perhaps of an embedded struct, under the name in its
// tag.
type jsonField struct {
	name      string
	tagged    bool
	path      []int    // field indices from the outer struct
	outer     []string // names of the embedded structs on the way
	sealed    []string // for each of them its type, if it is a pointer that encoding/json cannot set, else empty
	typ       *Type
	native    reflect.Type // in place of typ for fields of embedded ordinary Go structs
	omitEmpty bool
	omitZero  bool
	quoted    bool
}

var jsonFieldCache sync.Map // *Type to []jsonField

// jsonFields returns the fields of a struct type that encoding/json shows, by its rules for embedded structs: of several
// with one name that in the least depth wins, among those the only one with a tag, and else none.
func jsonFields(t *Type) []jsonField {
	if f, ok := jsonFieldCache.Load(t); ok {
		return f.([]jsonField)
	}
	list := collectFields(t)
	byName := map[string][]jsonField{}
	for _, f := range list {
		byName[f.name] = append(byName[f.name], f)
	}
	out := []jsonField{}
	for _, group := range byName {
		slices.SortStableFunc(group, func(a, b jsonField) int {
			return cmp.Or(cmp.Compare(len(a.path), len(b.path)), -cmp.Compare(btoi(a.tagged), btoi(b.tagged)))
		})
		if len(group) > 1 && len(group[0].path) == len(group[1].path) && group[0].tagged == group[1].tagged {
			continue
		}
		out = append(out, group[0])
	}
	slices.SortFunc(out, func(a, b jsonField) int { return slices.Compare(a.path, b.path) })
	jsonFieldCache.Store(t, out)
	return out
}

// level is a struct whose fields are to be collected, and where it is.
type level struct {
	t    *Type
	rt   reflect.Type // in place of t for an ordinary Go struct
	path []int

	outer, sealed []string
}

func collectFields(t *Type) (list []jsonField) {
	seen := map[any]bool{}
	for next := []level{{t: t}}; len(next) > 0; {
		now := next
		next = nil
		visited := map[any]bool{}
		for _, l := range now {
			var id any = l.t
			if l.t == nil {
				id = l.rt
			}
			if seen[id] {
				continue
			}
			visited[id] = true
			n := 0
			if l.t != nil {
				n = len(l.t.Fields)
			} else {
				n = l.rt.NumField()
			}
			for i := range n {
				f, inner := l.field(i)
				if inner != nil {
					next = append(next, *inner)
				} else if f != nil {
					list = append(list, *f)
				}
			}
		}
		for id := range visited {
			seen[id] = true
		}
	}
	return list
}

// field returns a field of a level, or the level of an embedded struct, or neither.
func (l level) field(i int) (*jsonField, *level) {
	var f Field
	var rt reflect.Type
	if l.t != nil {
		f = l.t.Fields[i]
	} else {
		sf := l.rt.Field(i)
		f, rt = Field{Name: sf.Name, Tag: sf.Tag, Embedded: sf.Anonymous, Exported: sf.IsExported()}, sf.Type
	}
	if f.Type != nil && f.Type.Native && f.Type.Lowered != nil {
		rt = f.Type.Lowered
	}
	st, srt := f.Type, rt
	switch {
	case rt != nil:
		if rt.Name() == "" && rt.Kind() == reflect.Pointer {
			srt = rt.Elem()
		}
		st = nil
	case f.Type.Name == "" && f.Type.Kind == reflect.Pointer:
		st = f.Type.Elem
		if st.Native {
			st, srt = nil, st.Lowered
		}
	}
	isStruct := st != nil && st.Kind == reflect.Struct || srt != nil && srt.Kind() == reflect.Struct
	if f.Embedded && !f.Exported && !isStruct || !f.Embedded && !f.Exported {
		return nil, nil
	}
	tag := f.Tag.Get("json")
	if tag == "-" {
		return nil, nil
	}
	name, options, _ := strings.Cut(tag, ",")
	if !validName(name) {
		name = ""
	}
	path := append(slices.Clone(l.path), i)
	if f.Embedded && name == "" && isStruct {
		seal := ""
		if !f.Exported && (rt != nil && rt.Kind() == reflect.Pointer || rt == nil && f.Type.Kind == reflect.Pointer) {
			seal = typeText(st, srt)
		}
		return nil, &level{st, srt, path, append(slices.Clone(l.outer), f.Name), append(slices.Clone(l.sealed), seal)}
	}
	out := &jsonField{name: name, tagged: name != "", path: path, outer: l.outer, sealed: l.sealed, typ: f.Type, native: rt}
	if rt != nil {
		out.typ = nil
	}
	if name == "" {
		out.name = f.Name
	}
	for o := range strings.SplitSeq(options, ",") {
		switch o {
		case "omitempty":
			out.omitEmpty = true
		case "omitzero":
			out.omitZero = true
		case "string":
			out.quoted = canQuote(st, srt)
		}
	}
	return out, nil
}

func typeText(t *Type, rt reflect.Type) string {
	if t != nil {
		return t.String
	}
	return rt.String()
}

// canQuote reports whether the option string means something for a type.
func canQuote(t *Type, rt reflect.Type) bool {
	k := reflect.Invalid
	if t != nil {
		k = t.Kind
	} else if rt != nil {
		k = rt.Kind()
	}
	return k >= reflect.Bool && k <= reflect.Float64 || k == reflect.String
}

func validName(s string) bool {
	for _, c := range s {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return s != ""
}

// pointerTo returns the descriptor of the pointer type to t, nil if there is none.
func pointerTo(t *Type) *Type {
	if p, ok := pointerCache.Load(t); ok {
		return p.(*Type)
	}
	registry.RLock()
	defer registry.RUnlock()
	for _, p := range registry.byID {
		if p != nil && p.Kind == reflect.Pointer && p.Name == "" && p.Elem == t {
			pointerCache.Store(t, p)
			return p
		}
	}
	return nil
}

var pointerCache sync.Map // *Type to *Type

// JSONMarshal is json.Marshal.
func JSONMarshal(v any) ([]byte, error) {
	if b, ok := v.(Boxed); ok {
		text, err := b.Unboxed().MarshalJSON()
		if err != nil {
			return nil, err
		}
		return json.Marshal(json.RawMessage(text))
	}
	text, err := json.Marshal(v)
	return text, bareError(err)
}

// bareError is an error of encoding/json without the news that it came from the method of a box.
func bareError(err error) error {
	var m *json.MarshalerError
	if !errors.As(err, &m) {
		return err
	}
	if _, cell := m.Type.(cellType); !cell && m.Type.Implements(reflect.TypeFor[Boxed]()) {
		return bareError(m.Err)
	}
	return err
}

// JSONMarshalIndent is json.MarshalIndent.
func JSONMarshalIndent(v any, prefix, indent string) ([]byte, error) {
	if b, ok := v.(Boxed); ok {
		text, err := b.Unboxed().MarshalJSON()
		if err != nil {
			return nil, err
		}
		return json.MarshalIndent(json.RawMessage(text), prefix, indent)
	}
	text, err := json.MarshalIndent(v, prefix, indent)
	return text, bareError(err)
}

// EncodeJSON is the method Encode of a json.Encoder.
func EncodeJSON(enc *json.Encoder, v any) error { return bareError(enc.Encode(v)) }

// JSONUnmarshal is json.Unmarshal.
func JSONUnmarshal(data []byte, v any) error {
	if b, ok := v.(Boxed); ok {
		box := b.Unboxed()
		return (&box).UnmarshalJSON(data)
	}
	return json.Unmarshal(data, Target(v))
}

// Target makes a box that holds a pointer into something that a json.Decoder decodes into what the pointer points to.
// Other values it returns as they are.
func Target(v any) any {
	if b, ok := v.(Boxed); ok {
		if box := b.Unboxed(); box.T.Kind == reflect.Pointer {
			return &box
		}
	}
	switch p := v.(type) {
	case *any:
		if p != nil && boxedPointer(*p) {
			return &jsonPointer{reflect.ValueOf(p).Elem()}
		}
	case *[]any:
		if p != nil && slices.ContainsFunc(*p, boxedPointer) {
			return &jsonPointer{reflect.ValueOf(p).Elem()}
		}
	}
	return v
}

// boxedPointer reports whether a value is a pointer of a cell's type.
func boxedPointer(v any) bool {
	b, ok := v.(Boxed)
	return ok && b.Unboxed().T.Kind == reflect.Pointer
}
