package tables

import (
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"gaucho/interp/rt/value"
)

// A wrapper is a struct that embeds a value.Box, at the first or second level, and has the methods of an interface. Each
// method calls the function that the method table of the box's type has for it. Wrappers of equal boxes for the same
// interface are equal, so identity, map keys and comparisons are those of the boxed values; value.Box's own methods are
// promoted, so a wrapper prints and encodes as the box does, and value.Unwrap finds the box. value.Compose adds to it what else
// compiled code may look for.

// method returns the function for a method that the type is known to have.
func method(b value.Box, name string) any { return value.MethodOf(b.T, name) }

// bound is the function as one of type F.
func bound[F any](b value.Box, name string) F {
	f := method(b, name)
	if g, ok := f.(F); ok {
		return g
	}
	// Types that has takes for the same have the same layout, and so have calls.
	return *(*F)(unsafe.Pointer(&(*[2]unsafe.Pointer)(unsafe.Pointer(&f))[1]))
}

// has reports whether the type has the method, with a function of that signature.
func has[F any](b value.Box, name string) bool {
	list := b.T.Methods
	i, ok := slices.BinarySearchFunc(list, name, func(m *value.Method, name string) int { return strings.Compare(m.Name, name) })
	return ok && list[i].Func != nil && alike(reflect.TypeOf(list[i].Func), reflect.TypeFor[F]())
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
