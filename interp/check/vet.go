package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/analysis/passes/printf"
	"golang.org/x/tools/go/ast/inspector"
)

// A vetted is what go vet says of a place.
type vetted struct {
	pos  token.Pos
	text string
}

// vet runs go vet's check of formats. What it finds out about the functions of a session, that they forward their arguments to
// fmt.Printf, it knows in later cells.
func (s *Stage) vet(decls []ast.Decl) (out []vetted) {
	if len(decls) == 0 {
		return nil
	}
	defer func() {
		if recover() != nil { // what vet cannot take is no matter of the cell's
			out = nil
		}
	}()
	file := &ast.File{Name: ast.NewIdent("main"), Decls: decls, Package: decls[0].Pos(), FileStart: decls[0].Pos(), FileEnd: decls[0].End()}
	pass := &analysis.Pass{
		Analyzer: printf.Analyzer, Fset: s.Fset, Files: []*ast.File{file}, Pkg: s.Pkg, TypesInfo: s.Info, TypesSizes: Sizes,
		ResultOf: map[*analysis.Analyzer]any{inspect.Analyzer: inspector.New([]*ast.File{file})},
		Module:   &analysis.Module{GoVersion: GoVersion},
		Report:   func(d analysis.Diagnostic) { out = append(out, vetted{d.Pos, d.Message}) },
		ExportObjectFact: func(obj types.Object, fact analysis.Fact) {
			s.facts[obj] = fact
		},
		ImportObjectFact: func(obj types.Object, fact analysis.Fact) bool {
			known := s.facts[obj]
			if known == nil {
				return false
			}
			reflect.ValueOf(fact).Elem().Set(reflect.ValueOf(known).Elem())
			return true
		},
	}
	printf.Analyzer.Run(pass)
	return out
}
