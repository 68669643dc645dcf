package value

import (
	"reflect"
	"slices"
	"unsafe"
)

// wrappedMethod is the method of an interface that Wrap knows.
func wrappedMethod(m reflect.Method) namedMethod {
	same := func(a, b reflect.Type) bool { return a == b }
	for _, list := range [][]any{Asserted, Wrapped} {
		if found, ok := findMethod(list, m.Name, m.Type, same); ok {
			return found
		}
	}
	panic("rt: no wrapper has the method " + m.Name + " " + m.Type.String())
}

// findMethod looks in Asserted or Wrapped for a method with a signature like the one given, which has no receiver.
func findMethod(list []any, name string, sig reflect.Type, like func(a, b reflect.Type) bool) (namedMethod, bool) {
	for _, p := range list {
		m, ok := reflect.TypeOf(p).MethodByName(name)
		if !ok {
			continue
		}
		if own := withoutReceiver(m.Type); like(sig, own) {
			const exported = 1
			// A call through an interface passes the pointer to the value, which here is the receiver.
			return namedMethod{name, abiMethod{
				name: nameOffset(name, exported),
				typ:  addReflectOff(typePointer(own)),
				ifn:  addReflectOff(m.Func.UnsafePointer()),
				tfn:  addReflectOff(reflect.ValueOf(notCalled).UnsafePointer()),
			}}, true
		}
	}
	return namedMethod{}, false
}

// notCalled is in the place of the function that takes the receiver as a value.
func notCalled() { panic(Thrown{Refused{What: "reflect.Method.Func of a cell's type"}}) }

// withoutReceiver is a function's type without its first parameter.
func withoutReceiver(f reflect.Type) reflect.Type {
	return reflect.FuncOf(slices.Collect(f.Ins())[1:], slices.Collect(f.Outs()), f.IsVariadic())
}

// alike reports whether two types are the same but for names of empty interfaces: to interpreted code, a driver.Value is an
// any.
func alike(a, b reflect.Type) bool {
	if a == b {
		return true
	}
	if a.Kind() != b.Kind() || a.Name() != b.Name() && a.Kind() != reflect.Interface {
		return false
	}
	switch a.Kind() {
	case reflect.Interface:
		return a.NumMethod() == 0 && b.NumMethod() == 0
	case reflect.Slice, reflect.Pointer:
		return a.Name() == "" && alike(a.Elem(), b.Elem())
	case reflect.Func:
		if a.NumIn() != b.NumIn() || a.NumOut() != b.NumOut() || a.IsVariadic() != b.IsVariadic() {
			return false
		}
		for i := range a.NumIn() {
			if !alike(a.In(i), b.In(i)) {
				return false
			}
		}
		for i := range a.NumOut() {
			if !alike(a.Out(i), b.Out(i)) {
				return false
			}
		}
		return true
	}
	return false
}

// FuncAt is where the method table of a type has the function for a method that the type is known to have, whose first parameter
// is the receiver: a pointer to a variable of that type of function. The function's own type may have other names of empty
// interfaces; calls are the same.
func FuncAt(t *Type, name string) unsafe.Pointer {
	f := &noString
	if t != nil {
		m := t.method(name)
		if m == nil || m.Func == nil {
			MethodOf(t, name) // panics
		}
		f = &m.Func
	}
	return unsafe.Pointer(&(*[2]unsafe.Pointer)(unsafe.Pointer(f))[1])
}

// noString is the method String of a wrapper that package flag has made.
var noString any = func(any) string { return "" }
