package value

import (
	"encoding/xml"
	"reflect"
	"slices"

	"gaucho/stdlib/display"
)

// Refused is the error with which a cell ends where the interpreter would give a wrong result.
type Refused struct{ What, Why string }

func (r Refused) Error() string {
	if r.Why != "" {
		return r.What + " cannot be interpreted: " + r.Why + " (the native engine runs it)"
	}
	return r.What + " cannot be interpreted (the native engine runs it)"
}

// ValueOf is reflect.ValueOf. The reflect.Value of a cell's value would show its lowered form, so it is refused.
func ValueOf(v any) reflect.Value {
	if b, ok := v.(Boxed); ok {
		panic(Thrown{Refused{What: "reflect.ValueOf of a value of the cell's type " + b.Unboxed().T.String}})
	}
	return reflect.ValueOf(v)
}

// TypeOf is reflect.TypeOf. The type of a cell's value has the cell's names.
func TypeOf(v any) reflect.Type {
	if b, ok := v.(Boxed); ok {
		return cellType{b.Unboxed().T.Lowered, b.Unboxed().T}
	}
	return reflect.TypeOf(v)
}

// A cellType is the reflect.Type of a descriptor: the lowered type with the names of the cell's.
type cellType struct {
	reflect.Type
	t *Type
}

func typeOf(t *Type) reflect.Type {
	if t == nil {
		return nil
	}
	if t.Native {
		return t.Lowered
	}
	return cellType{t.Lowered, t}
}

func (c cellType) String() string { return c.t.String }

func (c cellType) Name() string { return c.t.Name }

func (c cellType) PkgPath() string { return c.t.Path }

func (c cellType) Kind() reflect.Kind { return c.t.Kind }

func (c cellType) Elem() reflect.Type {
	if c.t.Elem == nil {
		return c.Type.Elem() // panics as it must
	}
	return typeOf(c.t.Elem)
}

func (c cellType) Key() reflect.Type {
	if c.t.Key == nil {
		return c.Type.Key()
	}
	return typeOf(c.t.Key)
}

func (c cellType) In(i int) reflect.Type { return typeOf(c.t.Params[i]) }

func (c cellType) Out(i int) reflect.Type { return typeOf(c.t.Results[i]) }

func (c cellType) Field(i int) reflect.StructField {
	f := c.Type.Field(i)
	d := c.t.Fields[i]
	f.Name, f.Tag, f.Type, f.Anonymous = d.Name, d.Tag, typeOf(d.Type), d.Embedded
	if !d.Exported {
		f.PkgPath = "main"
	}
	return f
}

// FieldByName finds a field, or one that is promoted from embedded structs: the only one of its name at the least depth.
func (c cellType) FieldByName(name string) (found reflect.StructField, ok bool) {
	type level struct {
		t     reflect.Type
		index []int
	}
	seen := map[any]bool{}
	for now := []level{{c, nil}}; len(now) > 0 && !ok; {
		var next []level
		count := 0
		for _, l := range now {
			for i := range l.t.NumField() {
				f := l.t.Field(i)
				f.Index = append(slices.Clone(l.index), i)
				if f.Name == name {
					found, count = f, count+1
				}
				t := f.Type
				if t.Kind() == reflect.Pointer {
					t = t.Elem()
				}
				if f.Anonymous && t.Kind() == reflect.Struct && !seen[t] {
					seen[t] = true
					next = append(next, level{t, f.Index})
				}
			}
		}
		if count > 1 {
			break
		}
		now, ok = next, count == 1
	}
	if !ok {
		found = reflect.StructField{}
	}
	return found, ok
}

func (c cellType) NumMethod() int {
	n := 0
	for _, m := range c.t.Methods {
		if m.Name[0] >= 'A' && m.Name[0] <= 'Z' {
			n++
		}
	}
	return n
}

func (c cellType) Method(int) reflect.Method {
	panic(Thrown{Refused{What: "reflect.Type.Method of the cell's type " + c.t.String}})
}

func (c cellType) MethodByName(name string) (reflect.Method, bool) {
	if c.t.method(name) == nil {
		return reflect.Method{}, false
	}
	return c.Method(0), true
}

func (c cellType) Comparable() bool { return c.t.comparable() }

func (c cellType) Implements(u reflect.Type) bool {
	panic(Thrown{Refused{What: "reflect.Type.Implements of the cell's type " + c.t.String}})
}

func (c cellType) AssignableTo(u reflect.Type) bool {
	return reflect.Type(c) == u || u.Kind() == reflect.Interface && u.NumMethod() == 0
}

func (c cellType) ConvertibleTo(u reflect.Type) bool {
	if d, ok := u.(cellType); ok {
		return c.Type.ConvertibleTo(d.Type)
	}
	return c.Type.ConvertibleTo(u)
}

// Reflect returns the type of the value that the box stands for, and the value as it is stored.
func (b Box) Reflect() (reflect.Type, reflect.Value) { return typeOf(b.T), reflect.ValueOf(b.V) }

// TextUnmarshaler returns what calls the method UnmarshalText of the address of a value, nil if there is none.
func (c cellType) TextUnmarshaler() func(v reflect.Value, text []byte) error {
	p := pointerTo(c.t)
	if p == nil {
		return nil
	}
	f, ok := p.FuncOf("UnmarshalText").(func(any, []byte) error)
	if !ok {
		return nil
	}
	return func(v reflect.Value, text []byte) error { return f(v.Addr().Interface(), text) }
}

// TextMarshaler returns the method MarshalText of a value or of its address, nil if there is none.
func (c cellType) TextMarshaler(v reflect.Value) func() ([]byte, error) {
	f, ok := c.t.FuncOf("MarshalText").(func(any) ([]byte, error))
	if p := pointerTo(c.t); !ok && p != nil && v.CanAddr() {
		f, ok = p.FuncOf("MarshalText").(func(any) ([]byte, error))
		v = v.Addr()
	}
	if !ok {
		return nil
	}
	return func() ([]byte, error) { return f(bare(c.t, v)) }
}

var (
	_ display.Reflected = Box{}
	_ display.TextType  = cellType{}
)

// MarshalXML refuses what a box holds: package xml would see its lowered fields.
func (b Box) MarshalXML(*xml.Encoder, xml.StartElement) error {
	return Refused{What: "encoding/xml with the cell's type " + b.T.String}
}
