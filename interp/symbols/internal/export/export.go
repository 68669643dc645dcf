// Package export writes and reads the declarations of type-checked packages, so that a program can type-check code
// against hundreds of packages without their sources and without paying at start for those it does not use.
//
// The data of one package is a chunk of bytes. A chunk refers to objects of other packages by path and name only, so a
// chunk changes only when its own package does, and nothing is stored twice. Reading is lazy twice over: a chunk is
// opened when something of its package is asked for, and inside it only the objects that are reached are decoded.
// Positions are not kept.
//
// A chunk holds, in order:
//
//	strings   count, then each as length and bytes
//	packages  count, then each as string: the packages referred to; number 0 is the chunk's own
//	types     count, then each as length and bytes; a type refers to others by number
//	objects   count, then each as name (string), length and bytes, sorted by name
//
// All integers are varints.
package export

import "go/types"

// Tags of type entries.
const (
	tBasic = iota // index in predeclared
	tNamed        // package, name, type arguments: a defined type or an alias, perhaps instantiated
	tPointer
	tSlice
	tArray
	tMap
	tChan
	tFunc
	tStruct
	tInterface
	tUnion
	tParam
)

// Tags of object entries.
const (
	oConst = iota
	oVar
	oFunc
	oType
	oAlias
)

// Kinds of constant values.
const (
	cBool = iota
	cString
	cInt
	cFloat
	cComplex
	cUnknown
)

// predeclared lists the types that need no declaration, in an order that is part of the format.
var predeclared = func() []types.Type {
	list := make([]types.Type, 0, 32)
	for _, t := range types.Typ { // in the order of types.BasicKind
		list = append(list, t)
	}
	for _, name := range []string{"byte", "rune", "error", "comparable", "any"} {
		list = append(list, types.Universe.Lookup(name).Type())
	}
	list = append(list, types.Universe.Lookup("any").Type().Underlying())
	return list
}()
