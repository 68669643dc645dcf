package worker

import (
	"reflect"
	"unsafe"

	"gaucho/interp/rt/value"
)

// sizeOf is about how much memory a variable and all that hangs on it take, in bytes, given a pointer to it. What is
// reached twice counts once. A value of very many parts is measured up to a point; rest says that there is more.
func sizeOf(pointer any, live bool) (n int64, rest bool) {
	v := bareValue(pointer)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return 0, false
	}
	s := sizer{seen: map[unsafe.Pointer]bool{}, budget: 20_000, live: live}
	n = int64(v.Type().Elem().Size())
	n += s.referred(v.Elem())
	return n, s.budget <= 0
}

type sizer struct {
	seen   map[unsafe.Pointer]bool
	budget int
	live   bool
}

var typeOfType = reflect.TypeFor[*value.Type]()

// referred is the memory that v refers to, without its own words.
func (s *sizer) referred(v reflect.Value) (n int64) {
	if s.budget--; s.budget <= 0 {
		return 0
	}
	switch v.Kind() {
	case reflect.String:
		return int64(v.Len())
	case reflect.Pointer:
		if v.IsNil() || v.Type() == typeOfType || s.known(v.UnsafePointer()) {
			return 0
		}
		return int64(v.Type().Elem().Size()) + s.referred(v.Elem())
	case reflect.Interface:
		if v.IsNil() {
			return 0
		}
		e := v.Elem()
		if e.Kind() != reflect.Pointer {
			n = int64(e.Type().Size())
		}
		return n + s.referred(e)
	case reflect.Slice:
		if v.IsNil() || s.known(v.UnsafePointer()) {
			return 0
		}
		n = int64(v.Cap()) * int64(v.Type().Elem().Size())
		return n + s.elements(v)
	case reflect.Array:
		return s.elements(v)
	case reflect.Struct:
		for i := range v.NumField() {
			n += s.referred(v.Field(i))
		}
	case reflect.Chan:
		if !v.IsNil() {
			n = int64(v.Cap()) * int64(v.Type().Elem().Size())
		}
	case reflect.Map:
		return s.entries(v)
	}
	return n
}

func (s *sizer) known(p unsafe.Pointer) bool {
	if s.seen[p] {
		return true
	}
	s.seen[p] = true
	return false
}

func (s *sizer) elements(v reflect.Value) (n int64) {
	if plain(v.Type().Elem()) {
		return 0
	}
	for i := 0; i < v.Len() && s.budget > 0; i++ {
		n += s.referred(v.Index(i))
	}
	return n
}

// entries estimates a map: its tables are 7/8 full at most, with a byte of control for each entry.
func (s *sizer) entries(v reflect.Value) (n int64) {
	if v.IsNil() || s.known(v.UnsafePointer()) {
		return 0
	}
	k, e := v.Type().Key(), v.Type().Elem()
	n = int64(v.Len())*int64(k.Size()+e.Size()+1)*8/7 + 48
	if s.live || plain(k) && plain(e) {
		return n
	}
	for it := v.MapRange(); it.Next() && s.budget > 0; {
		n += s.referred(it.Key()) + s.referred(it.Value())
	}
	return n
}

// plain reports whether values of a type refer to nothing.
func plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return plain(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !plain(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.String, reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return false
	}
	return true
}
