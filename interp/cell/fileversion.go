package cell

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/token"
	"go/version"
)

// olderLoops refuses a program that a line //go:build, such as //go:build go1.21, makes a file of a language before Go 1.22, if it may
// see that a loop has one variable for all of its rounds there: a function literal or an address is in a loop.
func olderLoops(fset *token.FileSet, f *ast.File) []Problem {
	if f.GoVersion == "" || version.Compare(f.GoVersion, "go1.22") >= 0 || !loopsKeep(f) {
		return nil
	}
	pos := f.Package
	for _, group := range f.Comments {
		for _, c := range group.List {
			if constraint.IsGoBuild(c.Text) && c.Pos() < f.Package {
				pos = c.Pos()
			}
		}
	}
	return []Problem{{Pos: fset.Position(pos), Msg: fmt.Sprintf("the line makes this a file of the language of %s, where a loop has one variable for all of its rounds; "+
		"gaucho run has newer loops: remove it, or use go run", f.GoVersion)}}
}

// loopsKeep reports whether a loop that declares variables has a function literal or takes an address.
func loopsKeep(f *ast.File) bool {
	found := false
	keeps := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND
		}
		return !found
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			if init, ok := n.Init.(*ast.AssignStmt); ok && init.Tok == token.DEFINE {
				ast.Inspect(n.Body, keeps)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				ast.Inspect(n.Body, keeps)
			}
		}
		return !found
	})
	return found
}
