package cell

import "go/ast"

// Result is the piece whose values are the cell's result: the last, when it is an expression or a list of them and no semicolon was
// typed after it. It is nil for none.
func Result(c *Cell) *Piece {
	n := len(c.Pieces) - 1
	for n > 0 && (c.Pieces[n].Ours || c.Pieces[n].Call != nil && closers[c.Pieces[n].Call.Builtin]) {
		n--
	}
	if n < 0 || !c.Pieces[n].hasValues() {
		return nil
	}
	return c.Pieces[n]
}

// ShownPieces are the pieces whose values the worker gets: the cell's result, and what a magic before it measures.
func ShownPieces(c *Cell) (shown []*Piece) {
	result := Result(c)
	for i, p := range c.Pieces {
		measured := i+1 < len(c.Pieces) && c.Pieces[i+1].Call != nil && closers[c.Pieces[i+1].Call.Builtin]
		if p == result || measured && p.hasValues() {
			shown = append(shown, p)
		}
	}
	return shown
}

// hasValues reports whether a piece is an expression or a list of them whose values somebody wants to see.
func (p *Piece) hasValues() bool {
	x, ok := p.Stmt.(*ast.ExprStmt)
	return !p.Silenced && (ok && !PrintsOnly(x.X) || p.List != nil)
}

// closers are the builtins that follow a cell's code for a magic before it.
var closers = map[string]bool{"timed": true, "benched": true, "timedit": true, "profiled": true, "captured": true}

// PrintsOnly reports whether an expression is a call of one of fmt's printing functions, whose count of bytes and nil
// error nobody wants to see.
func PrintsOnly(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	if !ok || pkg.Name != "fmt" {
		return false
	}
	switch sel.Sel.Name {
	case "Print", "Println", "Printf", "Fprint", "Fprintln", "Fprintf":
		return true
	}
	return false
}
