package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"gaucho/interp/cell"
)

// An UnreadError is a variable of type error that a statement of the top level sets to what a call returned, and that nothing
// after it in the cell mentions.
type UnreadError struct {
	Name string
	Line int
}

// UnreadErrors finds them in a cell whose names mean what the scope says. A function of the cell that mentions the name may
// read it whenever it is called.
func UnreadErrors(fset *token.FileSet, parsed *cell.Cell, sc *Scope) []UnreadError {
	var out []UnreadError
	for i, p := range parsed.Pieces {
		if p.Kind != cell.VarChunk || p.Ours {
			continue
		}
		specs, _ := cell.ValueSpecs(p.Decl)
		for _, spec := range specs {
			for j, id := range spec.Names {
				e := sc.Names[id.Name]
				if e == nil || e.Cell != parsed.ID || !IsErrorVar(e.Obj) || p.Text != e.Text || mentioned(parsed.Pieces, i, id.Name) || !fails(spec, j) {
					continue
				}
				out = append(out, UnreadError{id.Name, fset.Position(id.Pos()).Line})
			}
		}
	}
	return out
}

// fails reports whether a declaration sets one of its variables to what a call found out. An error that is there to be compared
// with is none: one that the declaration makes, or that is named as such ones are.
func fails(spec *ast.ValueSpec, i int) bool {
	if len(spec.Values) == 0 || strings.HasPrefix(spec.Names[i].Name, "Err") {
		return false
	}
	if len(spec.Values) == len(spec.Names) {
		call, ok := ast.Unparen(spec.Values[i]).(*ast.CallExpr)
		return ok && !slices.Contains([]string{"errors.New", "fmt.Errorf", "errors.Join"}, types.ExprString(call.Fun))
	}
	return true
}

// IsErrorVar reports whether an object is a variable of type error.
func IsErrorVar(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && types.Identical(v.Type(), types.Universe.Lookup("error").Type())
}

// mentioned reports whether a piece after the one with the index at, or a function before it, mentions a name.
func mentioned(pieces []*cell.Piece, at int, name string) bool {
	for i, p := range pieces {
		if i != at && (i > at || p.Kind == cell.FuncChunk) && p.Names.Used[name] {
			return true
		}
		for _, n := range p.Declares() {
			if i > at && n == name {
				return true // it is another variable by then
			}
		}
	}
	return false
}
