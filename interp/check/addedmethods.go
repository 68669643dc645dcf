package check

import (
	"fmt"
	"go/ast"
	"go/types"

	"gaucho/interp/cell"
)

// Methods of types that earlier cells declared are checked as functions with the receiver as first parameter, after
// the type has been given the method's signature. The signature comes from a first pass over declarations without
// bodies; the types which that pass declares are the real ones, so in the second pass every method is late.

// runTwice checks a stage that has late methods.
func (s *Stage) runTwice(declared map[string]bool) []types.Error {
	first := s.typeDecls()
	plain := map[*ast.FuncDecl]*ast.FuncDecl{}
	for _, d := range s.Added {
		plain[d] = s.plainForm(d)
		first = append(first, plain[d])
	}
	for _, d := range s.Methods {
		first = append(first, d)
	}
	s.seed(declared)
	if errs := s.typeCheck(first, true); len(errs) > 0 {
		return errs
	}
	methods := map[*ast.FuncDecl]*types.Func{}
	for _, d := range s.Added {
		f, ok := s.Info.Defs[plain[d].Name].(*types.Func)
		if !ok {
			continue
		}
		m, errs := s.attach(d, f)
		if errs != nil {
			return errs
		}
		methods[plain[d]] = m
	}
	var second []ast.Decl
	for _, d := range s.Added {
		s.PieceOf[plain[d]] = s.PieceOf[d]
		second = append(second, plain[d])
	}
	for _, d := range s.Methods {
		p := s.plainForm(d)
		methods[p], _ = s.Info.Defs[d.Name].(*types.Func)
		s.PieceOf[p] = s.PieceOf[d]
		second = append(second, p)
	}
	for _, d := range s.Funcs {
		second = append(second, d)
	}
	fresh := s.Pkg.Scope()
	seeds := map[string]types.Object{}
	for _, t := range s.Types {
		seeds[t.Spec.Name.Name] = fresh.Lookup(t.Spec.Name.Name)
	}
	for _, c := range s.Consts {
		for _, n := range (&cell.Piece{Decl: c}).Declares() {
			seeds[n] = fresh.Lookup(n)
		}
	}
	s.seed(declared)
	for _, obj := range seeds {
		s.Pkg.Scope().Insert(obj)
	}
	s.Plain = methods
	return s.typeCheck(append(second, s.bodyDecls()...), false)
}

// plainForm is a method as a function: func (p *P) M(x int) becomes func PǃM(p *P, x int).
func (s *Stage) plainForm(d *ast.FuncDecl) *ast.FuncDecl {
	base, _ := ReceiverBase(d)
	typeParams := s.typeParams(d) // names those that the receiver leaves blank
	if own := d.Type.TypeParams; own != nil && typeParams != nil {
		typeParams.List = append(typeParams.List, own.List...)
	} else if own != nil {
		typeParams = own
	}
	recv := *d.Recv.List[0]
	if len(recv.Names) == 0 {
		recv.Names = []*ast.Ident{{Name: "_", NamePos: recv.Pos()}}
	}
	params := &ast.FieldList{Opening: d.Type.Params.Opening, Closing: d.Type.Params.Closing}
	params.List = append(params.List, &recv)
	for _, f := range d.Type.Params.List {
		if len(f.Names) == 0 { // parameters have names all or none
			g := *f
			g.Names = []*ast.Ident{{Name: "_", NamePos: f.Pos()}}
			f = &g
		}
		params.List = append(params.List, f)
	}
	return &ast.FuncDecl{
		Doc:  d.Doc,
		Name: &ast.Ident{Name: base + cell.Mark + d.Name.Name, NamePos: d.Name.NamePos},
		Type: &ast.FuncType{Func: d.Type.Func, TypeParams: typeParams, Params: params, Results: d.Type.Results},
		Body: d.Body,
	}
}

// attach gives the receiver's type the method that the plain function implements. A method of the same signature
// stays the same object with a new body.
func (s *Stage) attach(d *ast.FuncDecl, f *types.Func) (*types.Func, []types.Error) {
	sig := f.Signature()
	recv := sig.Params().At(0)
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() != s.Pkg {
		return nil, []types.Error{{Fset: s.Fset, Pos: d.Recv.Pos(), Msg: "cannot define new methods on non-local type " + types.TypeString(t, nil)}}
	}
	if named.TypeArgs().Len() > 0 || d.Type.TypeParams != nil {
		m := s.attachGeneric(named, f, d.Name.Name)
		if m == nil {
			msg := fmt.Sprintf("the method %s of %s has another signature than before: declare the type again with it", d.Name.Name, named.Obj().Name())
			return nil, []types.Error{{Fset: s.Fset, Pos: d.Name.Pos(), Msg: msg}}
		}
		return m, nil
	}
	if err := s.clash(named, d); err != "" {
		return nil, []types.Error{{Fset: s.Fset, Pos: d.Name.Pos(), Msg: err}}
	}
	var params []*types.Var
	for i := 1; i < sig.Params().Len(); i++ {
		params = append(params, sig.Params().At(i))
	}
	r := types.NewVar(recv.Pos(), s.Pkg, recv.Name(), recv.Type())
	msig := types.NewSignatureType(r, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic())
	if old := methodNamed(named, d.Name.Name); old != nil &&
		types.Identical(old.Signature(), msig) && types.Identical(old.Signature().Recv().Type(), recv.Type()) {
		return old, nil
	}
	m := types.NewFunc(d.Name.Pos(), s.Pkg, d.Name.Name, msig)
	s.Out.methods = append(s.Out.methods, attached{named, m})
	s.Out.Attach()
	return m, nil
}

// clash says why a type cannot have a method of this name, in Go's words.
func (s *Stage) clash(named *types.Named, d *ast.FuncDecl) string {
	st, ok := named.Underlying().(*types.Struct)
	if !ok || d.Name.Name == "_" {
		return ""
	}
	for f := range st.Fields() {
		if f.Name() == d.Name.Name {
			return "field and method with the same name " + d.Name.Name
		}
	}
	return ""
}
