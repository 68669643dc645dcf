package tables

import (
	"reflect"
	"slices"
	"unsafe"

	"gaucho/interp/rt/value"
)

// A wrapper is what compiled code that asks for an interface gets for a value of a cell's type: value.Wrap makes it. Wrappers of
// equal boxes for the same interface are equal, so identity, map keys and comparisons are those of the boxed values; a wrapper
// has value.Box's own methods, so it prints and encodes as the box does, and value.Unwrap finds the box.

func init() {
	value.Asserted = slices.Concat(assertedMethods, newerAssertedMethods)
	value.Wrapped = slices.Concat(wrappedMethods, platformMethods, extraWrappedMethods)
}

// wrapping is a function that turns a box into a value of an interface type with methods.
func wrapping(iface reflect.Type) reflect.Value {
	f := func(b value.Box) value.Boxed { return value.Wrap(b, iface) } // calls of all such functions are the same
	typ := reflect.FuncOf([]reflect.Type{reflect.TypeFor[value.Box]()}, []reflect.Type{iface}, false)
	return reflect.ValueOf(reflect.NewAt(typ, unsafe.Pointer(&f)).Elem().Interface())
}
