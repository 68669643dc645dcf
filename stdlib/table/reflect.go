package table

import (
	"encoding"
	"reflect"
	"time"

	"gaucho/stdlib/display"
)

// A value of a type that an interpreted session declared is stored with other names than its author wrote. So a value goes
// with its type, which says the names; see [display.Reflected].

// reflectOf returns the type and value that are in an interface. The type is nil if there is none.
func reflectOf(v any) (reflect.Type, reflect.Value) {
	if v, ok := v.(display.Reflected); ok {
		return v.Reflect()
	}
	return reflect.TypeOf(v), reflect.ValueOf(v)
}

// inside returns what an interface holds, and other values as they are. Of a nil interface or pointer it returns a value that
// is not valid.
func inside(t reflect.Type, v reflect.Value) (reflect.Type, reflect.Value) {
	if v.Kind() == reflect.Interface {
		t, v = reflectOf(v.Interface())
	}
	if v.Kind() == reflect.Pointer && v.IsNil() {
		v = reflect.Value{}
	}
	return t, v
}

// structOf returns the struct type that t is or points to, or nil. A time is not a struct here.
func structOf(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t == reflect.TypeFor[time.Time]() {
		return nil
	}
	return t
}

// isTime reports whether t is a time or a pointer to one.
func isTime(t reflect.Type) bool {
	return t == reflect.TypeFor[time.Time]() || t == reflect.TypeFor[*time.Time]()
}

// unmarshalText returns what calls the method UnmarshalText of a value's address, or nil where there is none. Times are read
// and written by this package.
func unmarshalText(t reflect.Type) func(v reflect.Value, text []byte) error {
	if t, ok := t.(display.TextType); ok {
		return t.TextUnmarshaler()
	}
	if isTime(t) || !reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return nil
	}
	return func(v reflect.Value, text []byte) error {
		return v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText(text)
	}
}

// marshalText returns the method MarshalText of a value or, as encoding/json does, of its address, or nil where there is none.
func marshalText(t reflect.Type, v reflect.Value) func() ([]byte, error) {
	if t, ok := t.(display.TextType); ok {
		return t.TextMarshaler(v)
	}
	if isTime(t) {
		return nil
	}
	if m, ok := v.Interface().(encoding.TextMarshaler); ok {
		return m.MarshalText
	}
	if v.CanAddr() {
		if m, ok := v.Addr().Interface().(encoding.TextMarshaler); ok {
			return m.MarshalText
		}
	}
	return nil
}
