package interp

import "go/ast"

// shownPieces are the pieces whose values are the cell's result: the last, when it is an expression or a list of them
// and no semicolon was typed behind it.
func shownPieces(c *parsedCell) []*piece {
	n := len(c.pieces) - 1
	for n > 0 && (c.pieces[n].ours || c.pieces[n].call != nil && behind[c.pieces[n].call.builtin]) {
		n--
	}
	if n < 0 || c.pieces[n].silenced {
		return nil
	}
	p := c.pieces[n]
	if x, ok := p.stmt.(*ast.ExprStmt); ok && !printsOnly(x.X) || p.list != nil {
		return []*piece{p}
	}
	return nil
}

// behind are the builtins that stand behind a cell's code for a magic before it.
var behind = map[string]bool{"timed": true, "benched": true, "profiled": true, "captured": true}

// printsOnly reports whether an expression is a call of one of fmt's printing functions, whose count of bytes and nil
// error nobody wants to see.
func printsOnly(e ast.Expr) bool {
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
