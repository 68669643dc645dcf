package check

import (
	"go/ast"
	"go/types"
	"slices"

	"gaucho/interp/cell"
)

// Go's checker wants what is named init or main in package main to be a function. Such variables of a cell, which are legal where
// statements are, have other names while it looks.

// hideReserved gives the stage's variables of these names others, until restore is called.
func (s *Stage) hideReserved() (restore func()) {
	hidden := map[string]string{} // by the name while it is checked
	for _, c := range s.chunks {
		for _, id := range declaredBy(c.Spec) {
			if id.Name == "init" || id.Name == "main" {
				hidden[id.Name+cell.Mark+cell.Mark] = id.Name // with one mark it is the name of an earlier self
			}
		}
	}
	if len(hidden) == 0 {
		return func() {}
	}
	decls := append(s.allDecls(), addedDecls(s.Added)...)
	ours := func(decl any) bool {
		return slices.ContainsFunc(s.chunks, func(c BodyChunk) bool { return c.Spec != nil && decl == any(c.Spec) })
	}
	for alias, name := range hidden {
		for _, d := range decls {
			cell.RenameIn(d, name, alias, ours)
		}
		for _, c := range s.chunks {
			for _, id := range declaredBy(c.Spec) {
				if id.Name == name {
					id.Name = alias
				}
			}
		}
	}
	return func() {
		for _, d := range decls {
			ast.Inspect(d, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && hidden[id.Name] != "" {
					id.Name = hidden[id.Name]
				}
				return true
			})
		}
		s.renameVars(hidden)
	}
}

// declaredBy are the names that a declaration of variables declares; none for no declaration.
func declaredBy(spec *ast.ValueSpec) []*ast.Ident {
	if spec == nil {
		return nil
	}
	return spec.Names
}

// renameVars puts variables of other names in the place of some.
func (s *Stage) renameVars(names map[string]string) {
	for alias, name := range names {
		old, ok := s.Pkg.Scope().Lookup(alias).(*types.Var)
		if !ok {
			continue
		}
		v := types.NewVar(old.Pos(), old.Pkg(), name, old.Type())
		s.Pkg.Scope().Insert(v)
		for _, m := range []map[*ast.Ident]types.Object{s.Info.Defs, s.Info.Uses} {
			for id, obj := range m {
				if obj == old {
					m[id] = v
				}
			}
		}
		for _, init := range s.Info.InitOrder {
			for i := range init.Lhs {
				if init.Lhs[i] == old {
					init.Lhs[i] = v
				}
			}
		}
	}
}
