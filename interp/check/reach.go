package check

import (
	"go/constant"
	"go/token"
	"go/types"
)

// A Reach is what a function is made of: the declarations of the session that it reaches.
type Reach struct {
	Names map[string]*Entity
	Older map[string]types.Object // what is no longer what its name means
	// Anything says that a variable that is reached may hold values of any type with methods, or functions: then all types of
	// the session with methods, and the functions that it may hold, are reached too.
	Anything bool
}

// ReachOf follows what a study's function uses through what names mean: those of the stage, and then those of the scope. ctx is
// the session's.
func ReachOf(sc *Scope, stage map[string]*Entity, f *StudyFunc, ctx *types.Var) *Reach {
	r := &Reach{Names: map[string]*Entity{}, Older: map[string]types.Object{}}
	live := func(name string) *Entity {
		if e := stage[name]; e != nil {
			return e
		}
		return sc.Names[name]
	}
	var held []types.Type
	var follow func(map[types.Object]bool)
	add := func(name string, e *Entity) {
		if r.Names[name] != nil {
			return
		}
		r.Names[name] = e
		if v, ok := e.Obj.(*types.Var); ok {
			held = append(held, v.Type())
		}
		follow(e.Uses)
		for _, m := range e.MethodUses {
			follow(m)
		}
	}
	follow = func(uses map[types.Object]bool) {
		for obj := range uses {
			if ctx != nil && obj == types.Object(ctx) {
				continue
			}
			if e := live(obj.Name()); e != nil && sameMeaning(e.Obj, obj) {
				add(obj.Name(), e)
			} else if c, ok := obj.(*types.Const); !ok || e != nil && e.Obj != obj {
				r.Older[types.ObjectString(obj, nil)] = obj
			} else {
				r.Older["const "+c.Name()+" = "+c.Val().ExactString()] = obj
			}
		}
	}
	for _, v := range f.Around {
		held = append(held, v.Type())
	}
	follow(f.Uses)
	for n := 0; n < len(held); { // what is reached may hold more
		h := &holding{seen: map[types.Type]bool{}}
		for ; n < len(held); n++ {
			h.see(held[n])
		}
		for _, names := range []map[string]*Entity{sc.Names, stage} {
			for name := range names {
				if e := live(name); h.mayHold(e) {
					r.Anything = true
					add(name, e)
				}
			}
		}
	}
	return r
}

// sameMeaning reports whether a use of the old object now means the live one.
func sameMeaning(live, old types.Object) bool {
	if live == old {
		return true
	}
	switch l := live.(type) {
	case *types.Const:
		o, ok := old.(*types.Const)
		return ok && types.Identical(l.Type(), o.Type()) && constant.Compare(l.Val(), token.EQL, o.Val())
	case *types.Func:
		_, ok := old.(*types.Func)
		return ok && types.Identical(live.Type(), old.Type())
	case *types.Var:
		_, ok := old.(*types.Var)
		return ok && types.Identical(live.Type(), old.Type())
	}
	return false
}

// A holding is what types of variables may hold besides what they name.
type holding struct {
	seen       map[types.Type]bool
	any        bool // values behind interfaces
	signatures []*types.Signature
}

func (h *holding) see(t types.Type) {
	if h.seen[t] {
		return
	}
	h.seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Interface:
		h.any = true
	case *types.Signature:
		h.signatures = append(h.signatures, u)
	case *types.Pointer:
		h.see(u.Elem())
	case *types.Slice:
		h.see(u.Elem())
	case *types.Array:
		h.see(u.Elem())
	case *types.Map:
		h.see(u.Key())
		h.see(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			h.see(f.Type())
		}
	}
}

// mayHold reports whether a value may bring a declaration along.
func (h *holding) mayHold(e *Entity) bool {
	switch obj := e.Obj.(type) {
	case *types.TypeName:
		return h.any && len(e.Methods) > 0
	case *types.Func:
		for _, s := range h.signatures {
			if types.Identical(s, obj.Type()) {
				return true
			}
		}
	}
	return false
}
