package value

import (
	"encoding/binary"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// A Part is one method that compiled code looks for in values by a type assertion: io.Copy looks for WriteTo in a reader.
// Type is a struct type of a Box that has the method; Has reports whether a boxed value's type has it.
type Part struct {
	Type reflect.Type
	Name string
	Has  func(Box) bool
}

// Parts lists what compiled code looks for. The package of the symbol tables sets it.
var Parts = func() []Part { return nil }

// parts are the Parts by the method's name.
var parts = sync.OnceValue(func() map[string][]Part {
	m := map[string][]Part{}
	for _, p := range Parts() {
		m[p.Name] = append(m[p.Name], p)
	}
	return m
})

// Compose returns what a box is to compiled code: a value of the base's type, which is a struct that embeds the box, or of
// one like it that has further methods: those of the boxed value's type that compiled code may look for. So an assertion
// in compiled code finds in a value of a cell's type what it would find in Go.
func Compose(b Box, base any) any {
	from := reflect.TypeOf(base)
	found, ok := b.T.composed.Load(from)
	if !ok {
		found, _ = b.T.composed.LoadOrStore(from, composed(b, from))
	}
	typ := found.(unsafe.Pointer)
	if typ == nil {
		return base
	}
	var v any
	words := (*[2]unsafe.Pointer)(unsafe.Pointer(&v))
	words[1] = unsafe.Pointer(&struct{ Box }{b})
	words[0] = typ
	return v
}

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

// composed makes the type that a box of one type has on a base. It is nil where the base has all methods, unless that is
// the plain box, for the type has the name of the cell's.
//
// Package reflect makes struct types that have the methods of one embedded type. Of several such types, which have
// all the same fields, one is put together that has the methods of each: the words of a struct type are followed by the number
// of its methods and by the methods, sorted by name. References in them are of a table of package reflect's that keeps what
// it has once been given.
func composed(b Box, base reflect.Type) unsafe.Pointer {
	first := embedding(base)
	methods := methodsOf(first)
	n := len(methods)
	for _, m := range b.T.Methods {
		if _, has := base.MethodByName(m.Name); has {
			continue
		}
		for _, p := range parts()[m.Name] {
			if p.Has(b) {
				all := methodsOf(embedding(p.Type))
				methods = append(methods, all[slices.IndexFunc(all, func(x namedMethod) bool { return x.name == m.Name })])
				break
			}
		}
	}
	if len(methods) == n && base != reflect.TypeFor[plainBox]() {
		return nil
	}
	slices.SortFunc(methods, func(a, b namedMethod) int { return strings.Compare(a.name, b.name) })

	head := unsafe.Sizeof(abiStruct{}) + unsafe.Sizeof(abiUncommon{})
	mem := make([]byte, head+uintptr(len(methods))*unsafe.Sizeof(abiMethod{}))
	t := unsafe.Pointer(&mem[0])
	copy(mem, unsafe.Slice((*byte)(typePointer(first)), head)) // what it refers to lives as long as first, which reflect keeps
	u := (*abiUncommon)(unsafe.Add(t, unsafe.Sizeof(abiStruct{})))
	u.methods, u.exported = uint16(len(methods)), uint16(len(methods))
	for i, m := range methods {
		*(*abiMethod)(unsafe.Add(t, head+uintptr(i)*unsafe.Sizeof(abiMethod{}))) = m.abiMethod
	}
	(*abiTypeShape)(t).str = nameOffset(b.T.String)
	composedTypes.Lock()
	defer composedTypes.Unlock()
	composedTypes.list = append(composedTypes.list, mem)
	*(*uint32)(unsafe.Add(t, unsafe.Offsetof(abiTypeShape{}.hash))) += uint32(len(composedTypes.list))
	return t
}

// nameOffset is a type's text as types refer to it: flags, the length by sevens of bits, and the bytes, which the runtime
// keeps.
func nameOffset(text string) int32 {
	name := append(binary.AppendUvarint([]byte{0}, uint64(len(text))), text...)
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
	abiMethod   struct{ _, _, _, _ int32 } // name, type, function of an interface's call, function
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
