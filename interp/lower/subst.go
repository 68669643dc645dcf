package lower

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"gaucho/interp/engine"
)

// An env maps the type parameters of the function whose body is being emitted to type arguments that mention no type
// parameters.
type env struct {
	params []*types.TypeParam
	args   []types.Type
	outer  *env
	key    string // identifies the instance, for types declared in its body
	lo, hi token.Pos
}

func (v *env) lookup(p *types.TypeParam) types.Type {
	for ; v != nil; v = v.outer {
		for i, q := range v.params {
			if p == q {
				return v.args[i]
			}
		}
	}
	return nil
}

// subst replaces type parameters by their arguments, and types of packages that were checked from source by those that
// the rest of the session knows.
func (e *emitter) subst(t types.Type, v *env, src bool) types.Type {
	if t == nil || v == nil && !src {
		if t == nil {
			return nil
		}
		return types.Unalias(t)
	}
	s := &substituter{e: e, env: v}
	return s.typ(t)
}

type substituter struct {
	e   *emitter
	env *env
}

func (s *substituter) typ(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.Alias:
		return s.typ(types.Unalias(t))
	case *types.TypeParam:
		if a := s.env.lookup(t); a != nil {
			return a
		}
		return t
	case *types.Named:
		return s.named(t)
	case *types.Pointer:
		if el := s.typ(t.Elem()); el != t.Elem() {
			return types.NewPointer(el)
		}
	case *types.Slice:
		if el := s.typ(t.Elem()); el != t.Elem() {
			return types.NewSlice(el)
		}
	case *types.Array:
		if el := s.typ(t.Elem()); el != t.Elem() {
			return types.NewArray(el, t.Len())
		}
	case *types.Chan:
		if el := s.typ(t.Elem()); el != t.Elem() {
			return types.NewChan(t.Dir(), el)
		}
	case *types.Map:
		k, el := s.typ(t.Key()), s.typ(t.Elem())
		if k != t.Key() || el != t.Elem() {
			return types.NewMap(k, el)
		}
	case *types.Tuple:
		return s.tuple(t)
	case *types.Signature:
		p, r := s.tuple(t.Params()), s.tuple(t.Results())
		if p != t.Params() || r != t.Results() {
			return types.NewSignatureType(nil, nil, nil, p, r, t.Variadic())
		}
	case *types.Struct:
		return s.structure(t)
	case *types.Interface:
		return s.iface(t)
	}
	return t
}

func (s *substituter) tuple(t *types.Tuple) *types.Tuple {
	var out []*types.Var
	for i := range t.Len() {
		v := t.At(i)
		if nt := s.typ(v.Type()); nt != v.Type() && out == nil {
			out = make([]*types.Var, t.Len())
			for j := range t.Len() {
				out[j] = t.At(j)
			}
		}
		if out != nil {
			out[i] = types.NewVar(v.Pos(), v.Pkg(), v.Name(), s.typ(v.Type()))
		}
	}
	if out == nil {
		return t
	}
	return types.NewTuple(out...)
}

func (s *substituter) structure(t *types.Struct) types.Type {
	changed := false
	var fields []*types.Var
	var tags []string
	for i := range t.NumFields() {
		f := t.Field(i)
		nt := s.typ(f.Type())
		changed = changed || nt != f.Type()
		fields = append(fields, types.NewField(f.Pos(), f.Pkg(), f.Name(), nt, f.Embedded()))
		tags = append(tags, t.Tag(i))
	}
	if !changed {
		return t
	}
	return types.NewStruct(fields, tags)
}

func (s *substituter) iface(t *types.Interface) types.Type {
	changed := false
	var methods []*types.Func
	for m := range t.Methods() {
		sig := m.Signature()
		ns := s.typ(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())).(*types.Signature)
		if ns.Params() != sig.Params() || ns.Results() != sig.Results() {
			changed = true
		}
		methods = append(methods, types.NewFunc(m.Pos(), m.Pkg(), m.Name(), ns))
	}
	if !changed {
		return t
	}
	return types.NewInterfaceType(methods, nil).Complete()
}

func (s *substituter) named(t *types.Named) types.Type {
	obj := t.Obj()
	if obj.Pkg() == nil {
		return t
	}
	if s.env != nil && obj.Parent() != nil && obj.Parent() != obj.Pkg().Scope() && s.env.lo <= obj.Pos() && obj.Pos() < s.env.hi {
		return s.local(t)
	}
	origin := s.e.exported(t.Origin())
	args := t.TypeArgs()
	if args.Len() == 0 {
		return origin
	}
	list := make([]types.Type, args.Len())
	changed := origin != t.Origin()
	for i := range list {
		list[i] = s.typ(args.At(i))
		changed = changed || list[i] != args.At(i)
	}
	if !changed {
		return t
	}
	inst, err := types.Instantiate(s.e.s.tctx, origin, list, false)
	if err != nil {
		return t
	}
	return inst
}

// local is a type declared in the body of a generic function: every instance has its own.
func (s *substituter) local(t *types.Named) types.Type {
	key := fmt.Sprintf("%p %s", t.Origin().Obj(), s.env.path())
	var outer, own []string // as the runtime writes them: T[outer;own]
	for _, a := range s.env.args {
		outer = append(outer, s.e.pathString(a))
	}
	for a := range t.TypeArgs().Types() {
		a = s.typ(a)
		key += fmt.Sprintf(" %d", s.e.info(a).id)
		own = append(own, s.e.pathString(a))
	}
	args := strings.Join(outer, ",")
	if own != nil {
		args += ";" + strings.Join(own, ",")
	}
	name := t.Obj().Name() + "[" + args + "]"
	if n := s.e.s.locals[key]; n != nil {
		return n
	}
	obj := types.NewTypeName(t.Obj().Pos(), t.Obj().Pkg(), name, nil)
	n := types.NewNamed(obj, nil, nil)
	engine.Set(&s.e.s.Undo, s.e.s.locals, key, n)
	n.SetUnderlying(s.typ(t.Underlying()).Underlying())
	return n
}

func (v *env) path() string {
	var keys []string
	for ; v != nil; v = v.outer {
		keys = append(keys, v.key)
	}
	return strings.Join(keys, ";")
}
