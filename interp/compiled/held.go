package compiled

import (
	"fmt"
	"go/types"
)

// noteHeld says of a method that a type of an earlier cell gets that values in interfaces do not get it, if a variable of
// the session may hold one: an interface keeps the form of the type that the value had.
func (e *emitter) noteHeld(t *types.Named, m *types.Func) {
	for v, h := range e.s.vars {
		if h.pkg != e.pkg && holds(v.Type(), t, m, false, map[types.Type]bool{}) {
			e.notes = append(e.notes, fmt.Sprintf("values of %s that are already in interfaces do not get the method %s; store them there again", t.Obj().Name(), m.Name()))
			return
		}
	}
}

// hold notes that what is being written keeps a function, outside of the functions that are made again with it.
func (e *emitter) hold(f *function) {
	if !f.line.held && !e.forwards(f) {
		e.s.Note(func() { f.line.held = false })
		f.line.held = true
	}
}

// noteKept says of a generic function, or a method of a generic type, that has a new form which values may keep from being
// reached: there is no variable for all its instances that could lead there.
func (e *emitter) noteKept(f *function) {
	kept := f.line.held
	if t := receiver(f.obj); t != nil {
		for v, h := range e.s.vars {
			kept = kept || h.pkg != e.pkg && holds(v.Type(), t, f.obj, true, map[types.Type]bool{})
		}
	}
	if kept && len(f.older) > 0 && !e.forwards(f) {
		e.notes = append(e.notes, fmt.Sprintf("closures, function values and interfaces made before keep the earlier %s; make them again", f.obj.Name()))
	}
}

// holds reports whether a value of type in may hold one of type t in an interface that has method m, or that lacks it.
func holds(in types.Type, t *types.Named, m *types.Func, has bool, seen map[types.Type]bool) bool {
	if seen[in] {
		return false
	}
	seen[in] = true
	switch u := in.Underlying().(type) {
	case *types.Interface:
		found, _, _ := types.LookupFieldOrMethod(u, false, m.Pkg(), m.Name())
		return (found != nil) == has && (types.Implements(t, u) || types.Implements(types.NewPointer(t), u))
	case *types.Map:
		return holds(u.Key(), t, m, has, seen) || holds(u.Elem(), t, m, has, seen)
	case interface{ Elem() types.Type }:
		return holds(u.Elem(), t, m, has, seen)
	case *types.Struct:
		for f := range u.Fields() {
			if holds(f.Type(), t, m, has, seen) {
				return true
			}
		}
	}
	return false
}
