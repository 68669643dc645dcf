package value

import (
	"reflect"

	"gaucho/stdlib/display"
)

// DisplayValue returns the view of a box that package plotting renders: with the names of types and fields that the
// cell's author wrote, and with the cell's methods.
func (b Box) DisplayValue() display.Value { return viewOf(b.T, reflect.ValueOf(b.V), true) }

// Func returns the function that a box holds. Its results are boxed as their types ask for.
func (b Box) Func() (f reflect.Value, result func(i int, v any) any) {
	return reflect.ValueOf(b.V), func(i int, v any) any {
		if t := b.T.Results[i]; t != nil && !t.Native && t.Kind != reflect.Interface {
			return Box{t, v}
		}
		return v
	}
}

var (
	_ display.Viewable = Box{}
	_ display.Callable = Box{}
)

// A view is a value of a cell's type seen from outside. access is false for what was reached through an unexported
// field.
type view struct {
	t      *Type
	v      reflect.Value
	access bool
}

// viewOf returns a view of a value as it is in memory. What is an ordinary Go value gets an ordinary view.
func viewOf(t *Type, v reflect.Value, access bool) display.Value {
	t, v = open(t, v)
	switch {
	case t != nil:
		return view{t, v, access}
	case v.IsValid() && v.CanInterface() && access:
		if v.Kind() == reflect.Interface {
			return viewOf(nil, v.Elem(), access)
		}
		return display.ValueOf(v.Interface())
	}
	return view{nativeType(v), v, access}
}

// nativeType is a passing descriptor for an ordinary Go value that was reached through an unexported field.
func nativeType(v reflect.Value) *Type {
	if !v.IsValid() {
		return &Type{String: "<nil>", Native: true}
	}
	return &Type{String: v.Type().String(), Kind: v.Kind(), Native: true, Lowered: v.Type()}
}

// Stored returns the value that the view shows, as it is in memory.
func (w view) Stored() reflect.Value { return w.v }

func (w view) TypeName() string   { return w.t.String }
func (w view) Kind() reflect.Kind { return w.t.Kind }

func (w view) IsNil() bool {
	switch w.t.Kind {
	case reflect.Invalid:
		return true
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Slice, reflect.UnsafePointer:
		return !w.v.IsValid() || w.v.IsNil()
	}
	return false
}

func (w view) Basic() any {
	switch k := w.t.Kind; {
	case k == reflect.Bool:
		return w.v.Bool()
	case k >= reflect.Int && k <= reflect.Int64:
		return w.v.Int()
	case k >= reflect.Uint && k <= reflect.Uintptr:
		return w.v.Uint()
	case k == reflect.Float32 || k == reflect.Float64:
		return w.v.Float()
	case k == reflect.Complex64 || k == reflect.Complex128:
		return w.v.Complex()
	case k == reflect.String:
		return w.v.String()
	}
	return nil
}

func (w view) Len() int {
	if w.IsNil() {
		return 0
	}
	return w.v.Len()
}

func (w view) Index(i int) display.Value { return viewOf(elem(w.t), w.v.Index(i), w.access) }
func (w view) Elem() display.Value       { return viewOf(elem(w.t), w.v.Elem(), w.access) }
func (w view) NumField() int             { return w.v.NumField() }

func (w view) Field(i int) display.Field {
	var f Field
	if len(w.t.Fields) > i {
		f = w.t.Fields[i]
	} else {
		f = fieldOf(nil, w.v, i)
	}
	return display.Field{Name: f.Name, Tag: f.Tag, Exported: f.Exported, Embedded: f.Embedded,
		Value: viewOf(f.Type, w.v.Field(i), w.access && f.Exported)}
}

// viewKey keeps a key as it is in the map with its view.
type viewKey struct {
	display.Value
	key reflect.Value
}

func (w view) Keys() []display.Value {
	if w.IsNil() {
		return nil
	}
	keys := w.v.MapKeys()
	out := make([]display.Value, len(keys))
	for i, k := range keys {
		out[i] = viewKey{viewOf(key(w.t), k, w.access), k}
	}
	return out
}

func (w view) MapIndex(key display.Value) display.Value {
	return viewOf(elem(w.t), w.v.MapIndex(key.(viewKey).key), w.access)
}

// Pointer returns where a pointer, map, slice or channel leads, and a function's code.
func (w view) Pointer() uintptr { return w.v.Pointer() }

// Method binds a method of the cell's type to the value.
func (w view) Method(name string) any {
	if !w.access {
		return nil
	}
	f := reflect.ValueOf(w.t.FuncOf(name))
	if !f.IsValid() {
		return nil
	}
	in := make([]reflect.Type, f.Type().NumIn()-1)
	for i := range in {
		in[i] = f.Type().In(i + 1)
	}
	out := make([]reflect.Type, f.Type().NumOut())
	for i := range out {
		out[i] = f.Type().Out(i)
	}
	receiver := reflect.New(f.Type().In(0)).Elem()
	if v := bare(w.t, w.v); v != nil {
		receiver.Set(reflect.ValueOf(v))
	}
	bound := func(args []reflect.Value) []reflect.Value {
		args = append([]reflect.Value{receiver}, args...)
		if f.Type().IsVariadic() {
			return f.CallSlice(args)
		}
		return f.Call(args)
	}
	return reflect.MakeFunc(reflect.FuncOf(in, out, f.Type().IsVariadic()), bound).Interface()
}

func (w view) Interface() any {
	switch {
	case !w.access || !w.v.IsValid():
		return nil
	case w.t.Native:
		return w.v.Interface()
	}
	return Box{w.t, bare(w.t, w.v)}
}
