package check

import (
	"go/types"

	"gaucho/interp/cell"
)

// An UnreadError is a variable of type error that a statement of the top level sets, and that nothing after it in the cell
// mentions.
type UnreadError struct {
	Name string
	Line int
}

// UnreadErrors finds them in a cell whose names mean what the scope says. A function of the cell that mentions the name may
// read it whenever it is called.
func UnreadErrors(parsed *cell.Cell, sc *Scope) []UnreadError {
	var out []UnreadError
	for i, p := range parsed.Pieces {
		if p.Kind != cell.VarChunk || p.Ours {
			continue
		}
		for _, name := range p.Declares() {
			e := sc.Names[name]
			if e == nil || e.Cell != parsed.ID || !IsErrorVar(e.Obj) || p.Text != e.Text || mentioned(parsed.Pieces, i, name) {
				continue
			}
			out = append(out, UnreadError{name, p.Line})
		}
	}
	return out
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
