package value

import (
	"encoding/binary"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// Asserted and Wrapped have the methods that boxes have for compiled code. Each element is a nil pointer to a struct type that
// has nothing but a Box; a method calls the one of that name that the boxed value's type has. For those of Asserted compiled
// code looks in values by a type assertion, as io.Copy looks for WriteTo in a reader; those of Wrapped are the other methods of
// the interfaces that Wrap knows. A name with several signatures is in as many types. The package of the symbol tables sets both.
var Asserted, Wrapped []any

// Compose returns what a box is to compiled code: a value of the base's type, which is a struct that embeds the box, or of
// one like it that has further methods: those of the boxed value's type that compiled code may look for. So an assertion
// in compiled code finds in a value of a cell's type what it would find in Go.
func Compose(b Box, base any) any {
	c := composed(b.T, reflect.TypeOf(base), nil)
	if c.typ == nil {
		return base
	}
	return *(*any)(boxOf(c.typ, b))
}

// Wrap returns what a box is to compiled code that asks for an interface type, which has methods: the words of a value of that
// type, so that the caller must take it for one. The boxed value's type has the methods. Boxes that are equal give
// values that are.
func Wrap(b Box, iface reflect.Type) Boxed {
	return *(*Boxed)(boxOf(composed(b.T, reflect.TypeFor[plainBox](), iface).itab, b))
}

// boxOf is where the words of an interface with a box are. (A method of Box would be one of all composed types.)
func boxOf(typ unsafe.Pointer, b Box) unsafe.Pointer {
	return unsafe.Pointer(&[2]unsafe.Pointer{typ, unsafe.Pointer(&struct{ Box }{b})})
}

// A composition is a type that was composed, or nil, and what stands for it in values of the interface that it was composed for.
type composition struct{ typ, itab unsafe.Pointer }

// plainBox is the base for what a box is as an any.
type plainBox struct{ Box }

// Reveal returns what a value of type any is to compiled code that looks for methods in it, or shows its type.
func Reveal(v any) any {
	b, ok := v.(Box)
	if !ok {
		return v
	}
	return Compose(b, plainBox{b})
}

// RevealAll reveals each value of a list, in a list of its own.
func RevealAll(list []any, reveal func(any) any) []any {
	out := slices.Clone(list)
	for i, v := range out {
		out[i] = reveal(v)
	}
	return out
}

// composed is the type that boxes of a type have on a base, with the methods of an interface unless that is nil.
func composed(t *Type, base, iface reflect.Type) composition {
	key := base
	if iface != nil {
		key = iface
	}
	found, ok := t.composed.Load(key)
	if !ok {
		c := composition{typ: compose(t, base, iface)}
		if iface != nil {
			v := reflect.New(iface)
			v.Elem().Set(reflect.ValueOf(*(*any)(boxOf(c.typ, Box{}))))
			c.itab = *(*unsafe.Pointer)(v.UnsafePointer())
		}
		found, _ = t.composed.LoadOrStore(key, c)
	}
	return found.(composition)
}

// compose makes a composed type. It is nil where the base has all methods, unless that is the plain box, for the type has the
// name of the cell's.
//
// Package reflect makes struct types that have the methods of one embedded type. A type with more is put together from such a
// one, as all have the same fields: the words of a struct type are followed by the number of its methods and by the methods,
// sorted by name.
func compose(t *Type, base, iface reflect.Type) unsafe.Pointer {
	first := embedding(base)
	methods := methodsOf(first)
	n := len(methods)
	if iface != nil {
		for m := range iface.Methods() {
			methods = slices.DeleteFunc(methods, func(x namedMethod) bool { return x.name == m.Name })
			methods = append(methods, wrappedMethod(m))
		}
	}
	for _, m := range t.Methods {
		if m.Func == nil || slices.ContainsFunc(methods, func(x namedMethod) bool { return x.name == m.Name }) {
			continue
		}
		if found, ok := findMethod(Asserted, m.Name, withoutReceiver(reflect.TypeOf(m.Func)), alike); ok {
			methods = append(methods, found)
		}
	}
	if len(methods) == n && base != reflect.TypeFor[plainBox]() {
		return nil
	}
	slices.SortFunc(methods, func(a, b namedMethod) int { return strings.Compare(a.name, b.name) })

	head := unsafe.Sizeof(abiStruct{}) + unsafe.Sizeof(abiUncommon{})
	mem := make([]byte, head+uintptr(len(methods))*unsafe.Sizeof(abiMethod{}))
	p := unsafe.Pointer(&mem[0])
	copy(mem, unsafe.Slice((*byte)(typePointer(first)), head)) // what it refers to lives as long as first, which reflect keeps
	u := (*abiUncommon)(unsafe.Add(p, unsafe.Sizeof(abiStruct{})))
	u.methods, u.exported = uint16(len(methods)), uint16(len(methods))
	for i, m := range methods {
		*(*abiMethod)(unsafe.Add(p, head+uintptr(i)*unsafe.Sizeof(abiMethod{}))) = m.abiMethod
	}
	(*abiTypeShape)(p).str = nameOffset(t.String, 0)
	composedTypes.Lock()
	defer composedTypes.Unlock()
	composedTypes.list = append(composedTypes.list, mem)
	*(*uint32)(unsafe.Add(p, unsafe.Offsetof(abiTypeShape{}.hash))) += uint32(len(composedTypes.list))
	return p
}

// nameOffset is a text as types refer to it: flags, the length by sevens of bits, and the bytes. The runtime keeps them in a table, as
// all that addReflectOff is given.
func nameOffset(text string, flags byte) int32 {
	name := append(binary.AppendUvarint([]byte{flags}, uint64(len(text))), text...)
	return addReflectOff(unsafe.Pointer(&name[0]))
}

//go:linkname addReflectOff reflect.addReflectOff
func addReflectOff(unsafe.Pointer) int32

// composedTypes keeps the types that composed has made.
var composedTypes struct {
	sync.Mutex
	list [][]byte
}

// embedding is the struct type that has nothing but a type embedded, and so its methods.
func embedding(t reflect.Type) reflect.Type {
	return reflect.StructOf([]reflect.StructField{{Name: "Box", Type: t, Anonymous: true}})
}

// The layout in the runtime of what follows a struct type that has methods, checked when the package starts.
type (
	abiUncommon struct {
		_                 int32 // pkgPath
		methods, exported uint16
		offset, _         uint32 // of the methods, from here
	}
	abiMethod   struct{ name, typ, ifn, tfn int32 } // ifn is what a call through an interface calls
	namedMethod struct {
		name string
		abiMethod
	}
)

// methodsOf returns the methods of a struct type that reflect has made, sorted by name.
func methodsOf(t reflect.Type) []namedMethod {
	u := (*abiUncommon)(unsafe.Add(typePointer(t), unsafe.Sizeof(abiStruct{})))
	if int(u.methods) != t.NumMethod() || u.exported != u.methods || uintptr(u.offset) != unsafe.Sizeof(*u) {
		panic("rt: the runtime's methods have another layout than this Go version's")
	}
	list := unsafe.Slice((*abiMethod)(unsafe.Add(unsafe.Pointer(u), u.offset)), u.methods)
	out := make([]namedMethod, len(list))
	for i, m := range list {
		out[i] = namedMethod{t.Method(i).Name, m}
	}
	return out
}

func init() { methodsOf(embedding(reflect.TypeFor[plainBox]())) }
