// Package value holds what cells' values need at run time where their types are erased: boxes that carry the type of a
// value where Go would carry it in an interface, and with it printing, JSON, reflection, comparison and run-time errors. It
// is compiled, and knows no go/types: types of cells arrive as descriptors. It knows no goroutines of cells and none of
// their streams; those are in package run, which imports this one.
package value

import (
	"reflect"
	"sync"
)

// A Type describes one Go type as the cell's author wrote it. There is one *Type for each distinct type in a worker, so
// identity of types is equality of pointers. A type that mentions no type declared in a cell, and no struct type
// written in one, is Native: its values are ordinary Go values, and reflection says the truth about them.
type Type struct {
	ID     int          // number on the wire, dense from 1
	String string       // as %T prints it: "main.P", "[]main.P", "map[string]*main.Stack[int]"
	Kind   reflect.Kind // of the underlying type
	Native bool
	Name   string // of a declared type: "P", "Stack[int]"; empty for an unnamed one
	// Version tells apart types of equal name that were declared one after the other.
	Version int
	Path    string       // import path of the package that declares a named type
	Lowered reflect.Type // of the bare values
	// Recursive is set for a type that contains itself without a struct type in between.
	Recursive bool

	Elem, Key       *Type // array, chan, map, pointer, slice
	Len             int   // array
	Dir             reflect.ChanDir
	Fields          []Field // struct
	Params, Results []*Type // func
	Variadic        bool
	Methods         []*Method // of the method set of this type, promoted ones included, sorted by name
	Iface           []Sig     // interface: the methods asked for, sorted by name

	composed sync.Map // base type to the type that Compose makes of it
}

// A Field is one field of a struct type. Fields are in order; the lowered struct has the same fields at the same
// indices, under exported names, none of them embedded.
type Field struct {
	Name     string
	Type     *Type
	Tag      reflect.StructTag
	Embedded bool
	Exported bool
}

// A Sig is a method's name and its signature as text with full type identities, so that equal keys mean identical
// types.
type Sig struct {
	Name string
	Key  string
}

// A Method is one entry of a type's method table. Func is set when the lowered text registers it: a function whose
// first parameter, of type any, is the bare (unboxed) receiver, followed by the method's own lowered parameters.
type Method struct {
	Sig
	Func any
}

// A Box is a value of a cell's type inside an interface: what Go's interface words would hold. V is the bare lowered
// value. Boxes compare with == as interfaces do.
type Box struct {
	T *Type
	V any
}
