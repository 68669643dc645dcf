package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"

	"gaucho/interp/cell"
)

// sortDecls separates new declarations from repetitions and from methods of types of earlier cells.
func (s *Stage) sortDecls() {
	var specs []*typeDecl
	for _, p := range s.stage.Decls {
		switch d := p.Decl.(type) {
		case *ast.GenDecl:
			if d.Tok == token.CONST {
				s.Consts = append(s.Consts, d)
			}
			for _, sp := range d.Specs {
				if t, ok := sp.(*ast.TypeSpec); ok {
					specs = append(specs, &typeDecl{t, p})
				}
			}
			s.PieceOf[d] = p
		case *ast.FuncDecl:
			s.PieceOf[d] = p
		}
	}
	s.mayAttach()
	s.keepIdentical(specs)
	declared := map[string]bool{}
	for _, t := range s.Types {
		declared[t.Spec.Name.Name] = true
	}
	here := map[string]bool{} // Methods declared in this cell: "P.M"
	for _, p := range s.stage.Decls {
		d, ok := p.Decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		base, _ := ReceiverBase(d)
		here[base+"."+d.Name.Name] = true
		switch {
		case d.Recv == nil:
			s.Funcs = append(s.Funcs, d)
		case declared[base] || !s.scope.Live(base):
			s.Methods = append(s.Methods, d)
		case s.anew[base] != "":
			s.redeclareGeneric(base, s.anew[base])
			s.Methods = append(s.Methods, d)
			declared[base] = true
		default:
			s.Added = append(s.Added, d)
		}
	}
	for _, t := range s.Types {
		s.carryMethods(t.Spec.Name.Name, here)
	}
}

// redeclareGeneric declares a type of an earlier cell again that is generic, or whose method is, because go/types cannot give it
// the method later.
func (s *Stage) redeclareGeneric(base, method string) {
	old := s.scope.Names[base]
	p := &cell.Piece{Text: old.Text, Kind: cell.TypeChunk}
	if err := p.Parse(s.Fset, cell.LineDirective(old.Cell, 1, 1), "", false); err == nil {
		p.Names = cell.NamesOf(p)
		s.Types = append(s.Types, &typeDecl{p.Decl.(*ast.GenDecl).Specs[0].(*ast.TypeSpec), p})
		if s.hasValue(old.Obj) {
			s.Out.Notes = append(s.Out.Notes, fmt.Sprintf(
				"%s is declared anew with the method %s; values made before keep the old type", base, method))
		}
	}
}

// carryMethods has the methods that other cells gave to the type checked again for its new declaration.
func (s *Stage) carryMethods(name string, here map[string]bool) {
	old := s.scope.Names[name]
	if old == nil {
		return
	}
	for _, m := range slices.Sorted(maps.Keys(old.Methods)) {
		if here[name+"."+m] {
			continue
		}
		src := old.Methods[m]
		p := &cell.Piece{Text: src.Text, Kind: cell.FuncChunk, Line: src.Line}
		if p.Parse(s.Fset, cell.LineDirective(old.Cell, src.Line, 1), "", false) != nil {
			continue
		}
		p.Names = cell.NamesOf(p)
		d := p.Decl.(*ast.FuncDecl)
		s.PieceOf[d] = p
		s.Carried[d] = p
		s.Methods = append(s.Methods, d)
	}
}

// ReceiverBase is the name of a method's receiver type, and whether it has type parameters.
func ReceiverBase(d *ast.FuncDecl) (name string, generic bool) {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return "", false
	}
	t := ast.Unparen(d.Recv.List[0].Type)
	if star, ok := t.(*ast.StarExpr); ok {
		t = ast.Unparen(star.X)
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t, generic = x.X, true
	case *ast.IndexListExpr:
		t, generic = x.X, true
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name, generic
	}
	return "", generic
}
