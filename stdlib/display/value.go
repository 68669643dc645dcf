package display

import (
	"reflect"
	"unsafe"
)

// A Value is a look at a Go value from outside, for those who render it: its type's name as the author wrote it, its
// fields, elements and methods. [ValueOf] makes one by reflection. A value of a type that was declared in a cell has no
// Go type that reflection could see, so the host makes its views itself.
//
// As with package reflect, a method panics when the value's kind does not have what it asks for.
type Value interface {
	// TypeName returns the type as %T prints it: "main.Point", "[]float64".
	TypeName() string
	// Kind returns the kind of the underlying type; reflect.Invalid for a nil interface.
	Kind() reflect.Kind
	// IsNil reports whether a chan, func, interface, map, pointer or slice is nil. It is false for other kinds.
	IsNil() bool
	// Basic returns a value of a basic kind as bool, int64, uint64, float64, complex128 or string, and nil for any
	// other kind.
	Basic() any
	// Len returns the number of elements of an array, chan, map or slice, and of bytes of a string.
	Len() int
	// Index returns element i of an array or slice.
	Index(i int) Value
	// NumField returns the number of fields of a struct.
	NumField() int
	// Field returns field i of a struct, unexported ones included.
	Field(i int) Field
	// Elem returns what a pointer points to or what an interface holds.
	Elem() Value
	// Keys returns the keys of a map in any order.
	Keys() []Value
	// MapIndex returns the element of a map at a key that Keys returned.
	MapIndex(key Value) Value
	// Method returns the exported method of that name bound to the value, as a Go function value such as
	// func() string, or nil when the method set of the value's type has none.
	Method(name string) any
	// Interface returns a value for which package fmt prints what it would print for the original one, or nil where
	// that cannot be had: for what was reached through an unexported field.
	Interface() any
}

// A Field is one field of a struct.
type Field struct {
	Name     string
	Tag      reflect.StructTag
	Exported bool
	Embedded bool
	Value    Value
}

// Viewable is what a host's own representation of values implements to be seen as what it stands for.
type Viewable interface {
	// DisplayValue returns a view of the value that the receiver stands for.
	DisplayValue() Value
}

// Callable is what a host's own representation of functions implements to be called, where values of its own are among
// the results.
type Callable interface {
	// Func returns the function, of kind Func, and what turns its result i into what stands for it in an interface. The
	// function is not of kind Func when the receiver stands for something else.
	Func() (f reflect.Value, result func(i int, v any) any)
}

// Reflected is what a host's own representation of values implements for those who read and write what it stands for by
// package reflect.
type Reflected interface {
	// Reflect returns the type with the names that its author wrote, and the value as it is stored. The types of that have the
	// same kinds, and the fields of structs are at the same indices.
	Reflect() (reflect.Type, reflect.Value)
}

// TextType is what a type that [Reflected] returns, or that is a part of one, implements if it has methods of its own.
type TextType interface {
	reflect.Type
	// TextUnmarshaler returns what calls the method UnmarshalText of the address of a value, nil if there is none.
	TextUnmarshaler() func(v reflect.Value, text []byte) error
	// TextMarshaler returns the method MarshalText of a value, nil if there is none.
	TextMarshaler(v reflect.Value) func() ([]byte, error)
}

// ValueOf returns a view of v: v itself if it is a view, the one that it offers if it is [Viewable], and otherwise one by
// reflection.
func ValueOf(v any) Value {
	switch v := v.(type) {
	case Value:
		return v
	case Viewable:
		return v.DisplayValue()
	}
	return reflected{reflect.ValueOf(v)}
}

// reflected is the view of an ordinary Go value. What it reaches through interfaces may be views of other sorts.
type reflected struct{ v reflect.Value }

var viewableType = reflect.TypeFor[Viewable]()

// view returns the view of a part of a value.
func view(v reflect.Value) Value {
	if v.IsValid() && v.CanInterface() && v.Kind() != reflect.Interface && v.Type().Implements(viewableType) &&
		!(v.Kind() == reflect.Pointer && v.IsNil()) {
		return v.Interface().(Viewable).DisplayValue()
	}
	return reflected{v}
}

func (r reflected) TypeName() string {
	if !r.v.IsValid() {
		return "<nil>"
	}
	name := r.v.Type().String()
	if s, ok := CurrentSink().(interface{ TypeName(string) string }); ok { // which knows what the author wrote
		return s.TypeName(name)
	}
	return name
}

func (r reflected) Kind() reflect.Kind { return r.v.Kind() }

func (r reflected) IsNil() bool {
	switch r.v.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Slice, reflect.UnsafePointer:
		return r.v.IsNil()
	}
	return false
}

func (r reflected) Basic() any {
	switch r.v.Kind() {
	case reflect.Bool:
		return r.v.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return r.v.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return r.v.Uint()
	case reflect.Float32, reflect.Float64:
		return r.v.Float()
	case reflect.Complex64, reflect.Complex128:
		return r.v.Complex()
	case reflect.String:
		return r.v.String()
	}
	return nil
}

// Stored returns the value that the view shows.
func (r reflected) Stored() reflect.Value { return r.v }

func (r reflected) Len() int          { return r.v.Len() }
func (r reflected) Index(i int) Value { return view(r.v.Index(i)) }
func (r reflected) NumField() int     { return r.v.NumField() }
func (r reflected) Elem() Value       { return view(r.v.Elem()) }

func (r reflected) Field(i int) Field {
	f := r.v.Type().Field(i)
	return Field{Name: f.Name, Tag: f.Tag, Exported: f.IsExported(), Embedded: f.Anonymous, Value: view(r.v.Field(i))}
}

// mapKey keeps a key's own reflection with its view, so that MapIndex can look it up again. A key that differs from itself, as NaN
// does, is found nowhere, so its element is kept too.
type mapKey struct {
	Value
	key, elem reflect.Value
}

func (r reflected) Keys() []Value {
	views := make([]Value, 0, r.v.Len())
	for m := r.v.MapRange(); m.Next(); {
		k := mapKey{Value: view(m.Key()), key: m.Key()}
		if !k.key.Equal(k.key) {
			k.elem = m.Value()
		}
		views = append(views, k)
	}
	return views
}

func (r reflected) MapIndex(key Value) Value {
	k := key.(mapKey)
	if k.elem.IsValid() {
		return view(k.elem)
	}
	return view(r.v.MapIndex(k.key))
}

func (r reflected) Method(name string) any {
	if !r.v.IsValid() || !r.v.CanInterface() || r.v.Kind() == reflect.Interface && r.v.IsNil() {
		return nil
	}
	m := r.v.MethodByName(name)
	if !m.IsValid() {
		return nil
	}
	return m.Interface()
}

// Pointer returns where a pointer, map, slice or channel leads, and a function's code.
func (r reflected) Pointer() uintptr { return r.v.Pointer() }

// Bytes returns the memory of a slice of numbers or bools, and whether it is one.
func (r reflected) Bytes() ([]byte, bool) { return Memory(r.v) }

// Memory returns the memory of a slice of numbers or bools, and whether v is one. Nothing is copied.
func Memory(v reflect.Value) ([]byte, bool) {
	if v.Kind() != reflect.Slice || v.Type().Elem().Kind() < reflect.Bool || v.Type().Elem().Kind() > reflect.Complex128 {
		return nil, false
	}
	return unsafe.Slice((*byte)(v.UnsafePointer()), v.Len()*int(v.Type().Elem().Size())), true
}

func (r reflected) Interface() any {
	if !r.v.IsValid() || !r.v.CanInterface() {
		return nil
	}
	return r.v.Interface()
}
