package compiled

import (
	"fmt"
	"go/types"
)

// noteHeld says of a method that a type of an earlier cell gets that values in interfaces do not get it, if a variable of
// the session may hold one: an interface keeps the form of the type that the value had.
func (e *emitter) noteHeld(t *types.Named, m *types.Func) {
	for v, h := range e.s.vars {
		if h.pkg != e.pkg && holds(v.Type(), t, m, map[types.Type]bool{}) {
			e.notes = append(e.notes, fmt.Sprintf("values of %s that are already in interfaces do not get the method %s; store them there again", t.Obj().Name(), m.Name()))
			return
		}
	}
}

// holds reports whether a value of type in may hold one of type t in an interface that lacks method m.
func holds(in types.Type, t *types.Named, m *types.Func, seen map[types.Type]bool) bool {
	if seen[in] {
		return false
	}
	seen[in] = true
	switch u := in.Underlying().(type) {
	case *types.Interface:
		found, _, _ := types.LookupFieldOrMethod(u, false, m.Pkg(), m.Name())
		return found == nil && (types.Implements(t, u) || types.Implements(types.NewPointer(t), u))
	case *types.Map:
		return holds(u.Key(), t, m, seen) || holds(u.Elem(), t, m, seen)
	case interface{ Elem() types.Type }:
		return holds(u.Elem(), t, m, seen)
	case *types.Struct:
		for f := range u.Fields() {
			if holds(f.Type(), t, m, seen) {
				return true
			}
		}
	}
	return false
}
