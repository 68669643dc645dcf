package check

import (
	"go/types"
	"reflect"
	"slices"
	"unsafe"
)

// Go's type checker can add a method to a type that an earlier cell declared, but neither replace nor remove one. A
// session needs both: a method may come again with another signature, and a cell that does not compile must leave no
// trace. So the list of methods is set directly.

var methodsField = func() reflect.StructField {
	f, ok := reflect.TypeFor[types.Named]().FieldByName("methods")
	if !ok || f.Type != reflect.TypeFor[[]*types.Func]() {
		panic("interp: go/types.Named keeps its methods elsewhere in this version of Go")
	}
	return f
}()

func methodList(n *types.Named) *[]*types.Func {
	n.NumMethods() // completes a type that is loaded lazily
	return (*[]*types.Func)(unsafe.Add(unsafe.Pointer(n), methodsField.Offset))
}

// setMethod gives n the method m, in place of one of that name. The function returned undoes it.
func setMethod(n *types.Named, m *types.Func) (undo func()) {
	list := methodList(n)
	before := *list
	after := slices.Clone(before)
	if i := slices.IndexFunc(after, func(f *types.Func) bool { return f.Name() == m.Name() }); i >= 0 {
		after[i] = m
	} else {
		after = append(after, m)
	}
	*list = after
	return func() { *list = before }
}

// methodNamed returns the method that n itself has, nil if none.
func methodNamed(n *types.Named, name string) *types.Func {
	for m := range n.Methods() {
		if m.Name() == name {
			return m
		}
	}
	return nil
}
