package cell

import "go/ast"

// ShownPieces are the pieces whose values are the cell's result: the last, when it is an expression or a list of them
// and no semicolon was typed after it.
func ShownPieces(c *Cell) []*Piece {
	n := len(c.Pieces) - 1
	for n > 0 && (c.Pieces[n].Ours || c.Pieces[n].Call != nil && closers[c.Pieces[n].Call.Builtin]) {
		n--
	}
	if n < 0 || c.Pieces[n].Silenced {
		return nil
	}
	p := c.Pieces[n]
	if x, ok := p.Stmt.(*ast.ExprStmt); ok && !PrintsOnly(x.X) || p.List != nil {
		return []*Piece{p}
	}
	return nil
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
