package rt

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
)

// A type of cells that compiled and interpreted cells share exists twice: as the compiler knows it, and as the lowered
// type that reflection made of its descriptor. Both have the same memory layout, so values pass from one side to the
// other as they are. Only what stands in an interface tells which of the two it is: the compiled side has the compiled
// type there, the interpreted side a box. Each side puts it into its own form where it looks into an interface.

// twins are the compiled types, by descriptor and the other way round.
var twins struct {
	sync.RWMutex
	compiled map[*Type]reflect.Type
	types    map[reflect.Type]*Type
}

// haveTwins says that there are any.
var haveTwins atomic.Bool

// AddTwin makes known that a compiled type is the form that a descriptor's type has in compiled cells.
func AddTwin(compiled reflect.Type, id int) error {
	registry.RLock()
	t := typeByID(id)
	registry.RUnlock()
	if t == nil || t.Lowered == nil {
		return fmt.Errorf("type %d has no descriptor", id)
	}
	if !sameLayout(compiled, t.Lowered, nil) {
		return fmt.Errorf("the compiled %s and the interpreted one have different layouts", t.String)
	}
	twins.Lock()
	defer twins.Unlock()
	if twins.compiled == nil {
		twins.compiled, twins.types = map[*Type]reflect.Type{}, map[reflect.Type]*Type{}
	}
	twins.compiled[t], twins.types[compiled] = compiled, t
	haveTwins.Store(true)
	return nil
}

// Reshape returns a compiled function as one of a descriptor's lowered type.
func Reshape(f any, id int) (reflect.Value, error) {
	registry.RLock()
	t := typeByID(id)
	registry.RUnlock()
	v := reflect.ValueOf(f)
	if t == nil || t.Lowered == nil || !v.IsValid() || !sameLayout(v.Type(), t.Lowered, nil) {
		return reflect.Value{}, fmt.Errorf("a compiled function of type %T has another form for interpreted cells", f)
	}
	return reshape(v, t.Lowered), nil
}

// reshape is a value as one of another type with the same layout.
func reshape(v reflect.Value, t reflect.Type) reflect.Value {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return reflect.NewAt(t, p.UnsafePointer()).Elem()
}

// typePair is two types that are being compared, or were.
type typePair struct{ a, b reflect.Type }

// sameLayout reports whether values of one type can be taken for values of another: where one has a field, pointer,
// interface or part of another sort, so has the other.
func sameLayout(a, b reflect.Type, seen map[typePair]bool) bool {
	if a == b || seen[typePair{a, b}] {
		return true
	}
	if a.Kind() != b.Kind() || a.Size() != b.Size() || a.Align() != b.Align() {
		return false
	}
	if seen == nil {
		seen = map[typePair]bool{}
	}
	seen[typePair{a, b}] = true
	switch a.Kind() {
	case reflect.Array:
		return a.Len() == b.Len() && sameLayout(a.Elem(), b.Elem(), seen)
	case reflect.Chan:
		return a.ChanDir() == b.ChanDir() && sameLayout(a.Elem(), b.Elem(), seen)
	case reflect.Map:
		return sameLayout(a.Key(), b.Key(), seen) && sameLayout(a.Elem(), b.Elem(), seen)
	case reflect.Pointer, reflect.Slice:
		return sameLayout(a.Elem(), b.Elem(), seen)
	case reflect.Interface:
		return a.NumMethod() == 0 && b.NumMethod() == 0
	case reflect.Struct:
		if a.NumField() != b.NumField() {
			return false
		}
		for i := range a.NumField() {
			if x, y := a.Field(i), b.Field(i); x.Offset != y.Offset || !sameLayout(x.Type, y.Type, seen) {
				return false
			}
		}
	case reflect.Func:
		if a.NumIn() != b.NumIn() || a.NumOut() != b.NumOut() || a.IsVariadic() != b.IsVariadic() {
			return false
		}
		for i := range a.NumIn() {
			if !sameLayout(a.In(i), b.In(i), seen) {
				return false
			}
		}
		for i := range a.NumOut() {
			if !sameLayout(a.Out(i), b.Out(i), seen) {
				return false
			}
		}
	}
	return true
}

// twinBox is a value that compiled cells made of a type that interpreted cells have too, or of a pointer to one, in the
// form of the interpreted side.
func twinBox(v any) (b Box, ok bool) {
	if !haveTwins.Load() || v == nil {
		return b, false
	}
	compiled := reflect.TypeOf(v)
	twins.RLock()
	t := twins.types[compiled]
	var elem *Type
	if t == nil && compiled.Kind() == reflect.Pointer {
		elem = twins.types[compiled.Elem()]
	}
	twins.RUnlock()
	if elem != nil {
		t = pointerTo(elem)
	}
	if t == nil || t.Lowered == nil {
		return b, false
	}
	return Box{T: t, V: reshape(reflect.ValueOf(v), t.Lowered).Interface()}, true
}

// Native is a value from an interface in the form that compiled cells have it in: what is no box, or a box of a type that
// they do not know, is as it was.
func Native(v any) any {
	if !haveTwins.Load() {
		return v
	}
	b, ok := Unwrap(v).(Box)
	if !ok {
		return v
	}
	twins.RLock()
	t := twins.compiled[b.T]
	if t == nil && b.T.Kind == reflect.Pointer && b.T.Elem != nil {
		if elem := twins.compiled[b.T.Elem]; elem != nil {
			t = reflect.PointerTo(elem)
		}
	}
	twins.RUnlock()
	if t == nil {
		return v
	}
	return reshape(reflect.ValueOf(b.V), t).Interface()
}

// nativeAs is errors.As for an error of a cell's type that a compiled cell asks about.
func nativeAs(err error, target any) bool {
	if !haveTwins.Load() {
		return false
	}
	v := reflect.ValueOf(Native(err))
	to := reflect.ValueOf(target)
	if _, boxed := v.Interface().(Boxed); boxed || to.Kind() != reflect.Pointer || to.IsNil() || !v.Type().AssignableTo(to.Type().Elem()) {
		return false
	}
	to.Elem().Set(v)
	return true
}
