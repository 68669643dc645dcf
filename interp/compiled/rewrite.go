package compiled

import "go/types"

// rewrite is a type in which each type that is a part of it, and it itself, is replaced by what f returns for it, where that is not nil.
// Type arguments are parts of a named type; what it stands for is not.
func rewrite(t types.Type, f func(types.Type) types.Type) types.Type {
	t = types.Unalias(t)
	if now := f(t); now != nil {
		return now
	}
	part := func(t types.Type) types.Type { return rewrite(t, f) }
	switch t := t.(type) {
	case *types.Named:
		if t.TypeArgs().Len() == 0 {
			return t
		}
		var args []types.Type
		for a := range t.TypeArgs().Types() {
			args = append(args, part(a))
		}
		now, err := types.Instantiate(nil, t.Origin(), args, false)
		if err != nil {
			return t
		}
		return now
	case *types.Pointer:
		return types.NewPointer(part(t.Elem()))
	case *types.Slice:
		return types.NewSlice(part(t.Elem()))
	case *types.Array:
		return types.NewArray(part(t.Elem()), t.Len())
	case *types.Chan:
		return types.NewChan(t.Dir(), part(t.Elem()))
	case *types.Map:
		return types.NewMap(part(t.Key()), part(t.Elem()))
	case *types.Tuple:
		return rewriteTuple(t, f)
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, rewriteTuple(t.Params(), f), rewriteTuple(t.Results(), f), t.Variadic())
	case *types.Struct:
		var fields []*types.Var
		var tags []string
		for i := range t.NumFields() {
			v := t.Field(i)
			fields = append(fields, types.NewField(v.Pos(), v.Pkg(), v.Name(), part(v.Type()), v.Embedded()))
			tags = append(tags, t.Tag(i))
		}
		return types.NewStruct(fields, tags)
	case *types.Interface:
		var methods []*types.Func
		for m := range t.ExplicitMethods() {
			methods = append(methods, types.NewFunc(m.Pos(), m.Pkg(), m.Name(), part(m.Signature()).(*types.Signature)))
		}
		var embedded []types.Type
		for x := range t.EmbeddedTypes() {
			embedded = append(embedded, part(x))
		}
		return types.NewInterfaceType(methods, embedded).Complete()
	case *types.Union:
		var terms []*types.Term
		for term := range t.Terms() {
			terms = append(terms, types.NewTerm(term.Tilde(), part(term.Type())))
		}
		return types.NewUnion(terms)
	}
	return t
}

func rewriteTuple(t *types.Tuple, f func(types.Type) types.Type) *types.Tuple {
	var vars []*types.Var
	for v := range t.Variables() {
		vars = append(vars, types.NewParam(v.Pos(), v.Pkg(), v.Name(), rewrite(v.Type(), f)))
	}
	return types.NewTuple(vars...)
}
