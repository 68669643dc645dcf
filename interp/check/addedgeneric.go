package check

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"

	"gaucho/interp/cell"
)

// A method of a generic type that an earlier cell declared can get a new body, but go/types can neither give the type
// another method nor give the method another signature: instances have their own lists of methods. Then the type is
// declared anew. The plain form of a method of a generic type is a generic function:
// func (p Pair[K, V]) M() becomes func PairǃM[K comparable, V any](p Pair[K, V]).

// sameSignature reports whether a method of a generic type of an earlier cell comes again with the text of its signature.
func (s *Stage) sameSignature(base string, d *ast.FuncDecl) bool {
	old := s.scope.Names[base].Methods[d.Name.Name]
	if old == nil {
		return false
	}
	before, ok := old.Decl.(*ast.FuncDecl)
	return ok && signatureText(before) == signatureText(d)
}

// signatureText is the text of a method's signature without the names that mean nothing to others: those of its receiver, of its
// parameters and results, and of its receiver's type parameters, which have numbers instead.
func signatureText(d *ast.FuncDecl) string {
	number := map[string]string{}
	for i, id := range receiverArgs(d) {
		number[id.Name] = fmt.Sprintf("T%s%d", cell.Mark, i)
	}
	var b bytes.Buffer
	write := func(list *ast.FieldList) {
		b.WriteByte('(')
		for _, f := range list.List {
			for range max(1, len(f.Names)) {
				writeRenamed(&b, f.Type, number)
				b.WriteByte(',')
			}
		}
		b.WriteByte(')')
	}
	write(d.Recv)
	b.WriteString(d.Name.Name)
	if d.Type.TypeParams != nil {
		writeRenamed(&b, &ast.FuncType{TypeParams: d.Type.TypeParams, Params: &ast.FieldList{}}, number)
	}
	write(d.Type.Params)
	if d.Type.Results != nil {
		write(d.Type.Results)
	}
	return b.String()
}

// writeRenamed writes a type with other names in place of some.
func writeRenamed(b *bytes.Buffer, x ast.Expr, names map[string]string) {
	renamed := map[*ast.Ident]string{}
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && names[id.Name] != "" {
			renamed[id] = id.Name
			id.Name = names[id.Name]
		}
		_, qualified := n.(*ast.SelectorExpr)
		return !qualified
	})
	printer.Fprint(b, token.NewFileSet(), x)
	for id, name := range renamed {
		id.Name = name
	}
}

// mayAttach decides before anything is checked whether methods of a generic type of an earlier cell, or methods with type
// parameters, can be new bodies. One that cannot has the type declared anew, with all of them.
func (s *Stage) mayAttach() {
	for _, p := range s.stage.Decls {
		d, ok := p.Decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if base, generic := ReceiverBase(d); (generic || d.Type.TypeParams != nil) && s.scope.Live(base) && s.anew[base] == "" && !s.sameSignature(base, d) {
			s.anew[base] = d.Name.Name
		}
	}
}

// typeParams are type parameters for the plain form of a method, under the names that its receiver gives them.
func (s *Stage) typeParams(d *ast.FuncDecl) *ast.FieldList {
	base, generic := ReceiverBase(d)
	if !generic {
		return nil
	}
	spec := s.specs[base]
	if spec == nil || spec.TypeParams == nil {
		return nil
	}
	args := receiverArgs(d)
	out := &ast.FieldList{Opening: spec.TypeParams.Opening, Closing: spec.TypeParams.Closing}
	rename := map[string]string{}
	for _, f := range spec.TypeParams.List {
		for _, id := range f.Names {
			if len(out.List) == len(args) {
				return nil
			}
			arg := args[len(out.List)]
			if arg.Name == "_" {
				arg.Name = id.Name + cell.Mark
			}
			rename[id.Name] = arg.Name
			out.List = append(out.List, &ast.Field{Names: []*ast.Ident{{Name: arg.Name, NamePos: arg.NamePos}}, Type: f.Type})
		}
	}
	for _, f := range spec.TypeParams.List {
		ast.Inspect(f.Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && rename[id.Name] != "" {
				id.Name = rename[id.Name]
			}
			return true
		})
	}
	delete(s.specs, base) // renamed
	s.parseSpec(base)
	return out
}

// hasValue reports whether the type of a variable of the session mentions a type.
func (s *Stage) hasValue(of types.Object) bool {
	for _, e := range s.scope.Names {
		if v, ok := e.Obj.(*types.Var); ok && mentions(v.Type(), of, map[types.Type]bool{}) {
			return true
		}
	}
	return false
}

// mentions reports whether a type is, or is made of, the declared type obj. An interface without methods may hold it.
func mentions(t types.Type, obj types.Object, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return false
	}
	seen[t] = true
	if n, ok := t.(*types.Named); ok {
		for a := range n.TypeArgs().Types() {
			if mentions(a, obj, seen) {
				return true
			}
		}
		return n.Origin().Obj() == obj || mentions(n.Underlying(), obj, seen)
	}
	switch t := t.(type) {
	case *types.Interface:
		return t.NumMethods() == 0
	case *types.Map:
		return mentions(t.Key(), obj, seen) || mentions(t.Elem(), obj, seen)
	case interface{ Elem() types.Type }:
		return mentions(t.Elem(), obj, seen)
	case *types.Struct:
		for f := range t.Fields() {
			if mentions(f.Type(), obj, seen) {
				return true
			}
		}
	case *types.Signature: // its closure may
		return t.Results().Len() > 0 && mentions(t.Results(), obj, seen)
	case *types.Tuple:
		for v := range t.Variables() {
			if mentions(v.Type(), obj, seen) {
				return true
			}
		}
	}
	return false
}

// receiverArgs are the type arguments of a method's receiver, which are names.
func receiverArgs(d *ast.FuncDecl) []*ast.Ident {
	t := ast.Unparen(d.Recv.List[0].Type)
	if star, ok := t.(*ast.StarExpr); ok {
		t = ast.Unparen(star.X)
	}
	var list []ast.Expr
	switch x := t.(type) {
	case *ast.IndexExpr:
		list = []ast.Expr{x.Index}
	case *ast.IndexListExpr:
		list = x.Indices
	}
	var out []*ast.Ident
	for _, x := range list {
		if id, ok := x.(*ast.Ident); ok {
			out = append(out, id)
		}
	}
	return out
}

// parseSpec parses the declaration of a generic type again, for a copy that may be changed, and returns the names in it.
func (s *Stage) parseSpec(base string) cell.Names {
	text, number := "", s.Cell
	for _, t := range s.Types {
		if t.Spec.Name.Name == base {
			text = s.typeText(t.Spec)
		}
	}
	if e := s.scope.Names[base]; e != nil && text == "" {
		text, number = e.Text, e.Cell
	}
	p := &cell.Piece{Text: text, Kind: cell.TypeChunk}
	if text == "" || p.Parse(s.Fset, cell.LineDirective(number, 1, 1), "", false) != nil {
		return cell.Names{}
	}
	if d, ok := p.Decl.(*ast.GenDecl); ok && len(d.Specs) == 1 {
		if spec, ok := d.Specs[0].(*ast.TypeSpec); ok {
			s.specs[base] = spec
		}
	}
	return cell.NamesOf(p)
}

// attachGeneric finds the method, of a generic type or with type parameters, for which a plain function is a new body. It
// returns nil if the signature means something else than it did.
func (s *Stage) attachGeneric(named *types.Named, f *types.Func, name string) *types.Func {
	old := methodNamed(named.Origin(), name)
	if old == nil {
		return nil
	}
	sig := old.Signature()
	var args []types.Type
	for _, params := range []*types.TypeParamList{sig.RecvTypeParams(), sig.TypeParams()} {
		for p := range params.TypeParams() {
			args = append(args, p)
		}
	}
	inst, err := types.Instantiate(s.context, f.Signature(), args, false)
	if err != nil {
		return nil
	}
	now := inst.(*types.Signature)
	var params []*types.Var
	for i := 1; i < now.Params().Len(); i++ {
		params = append(params, now.Params().At(i))
	}
	bare := types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), now.Results(), now.Variadic())
	was := types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	if !types.Identical(bare, was) || !types.Identical(now.Params().At(0).Type(), sig.Recv().Type()) {
		return nil
	}
	return old
}
