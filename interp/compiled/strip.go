package compiled

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// A check in a tight loop costs up to a third of its time. Loops that count, and whose bodies are plain, run in strips: an
// outer loop checks, an inner one runs some thousand iterations without.

// strip is the number of iterations without a check.
const strip = 4096

// countsTightly reports whether a range statement counts integers and has a body that takes a moment only and does not
// leave the loop by a jump.
func (e *emitter) countsTightly(s *ast.RangeStmt) bool {
	if t := e.info.TypeOf(s.X); t == nil || !types.Identical(types.Default(t), types.Typ[types.Int]) || s.Value != nil {
		return false
	}
	key, _ := s.Key.(*ast.Ident)
	if s.Key != nil && (key == nil || s.Tok != token.DEFINE) {
		return false
	}
	var counter types.Object
	if key != nil {
		counter = e.info.Defs[key]
	}
	plain := true
	ast.Inspect(s.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt, *ast.SelectStmt, *ast.SendStmt, *ast.LabeledStmt, *ast.DeclStmt:
			plain = false
		case *ast.BranchStmt:
			plain = plain && n.Tok == token.CONTINUE && n.Label == nil
		case *ast.UnaryExpr:
			plain = plain && n.Op != token.ARROW && n.Op != token.AND
		case *ast.CallExpr:
			plain = plain && e.takesNoTime(n)
		case *ast.AssignStmt, *ast.IncDecStmt:
			for _, id := range assigned(n.(ast.Stmt)) {
				plain = plain && (counter == nil || e.info.Uses[id] != counter)
			}
		case *ast.SelectorExpr:
			if sel := e.info.Selections[n]; sel != nil && sel.Kind() != types.FieldVal {
				plain = false
			}
		}
		return plain
	})
	return plain
}

// takesNoTime reports whether a call is a conversion, of a built-in function, or of one of package math.
func (e *emitter) takesNoTime(c *ast.CallExpr) bool {
	tv := e.info.Types[c.Fun]
	if tv.IsType() || tv.IsBuiltin() {
		return true
	}
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	obj := e.info.Uses[sel.Sel]
	return obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == "math" && e.info.Selections[sel] == nil
}

// strips is the text of such a statement.
func (e *emitter) strips(s *ast.RangeStmt) string {
	low, high, n, i := e.temp(), e.temp(), e.temp(), ""
	if key, ok := s.Key.(*ast.Ident); ok && key.Name != "_" {
		i = key.Name
	} else {
		i = e.temp()
	}
	return fmt.Sprintf("for %[1]s, %[3]s := 0, int(%[5]s); %[1]s < %[3]s; {\n%[6]s%[2]s := %[3]s\nif %[3]s-%[1]s > %[7]d { %[2]s = %[1]s + %[7]d }\n"+
		"for %[4]s := %[1]s; %[4]s < %[2]s; %[4]s++ {%[8]s}\n%[1]s = %[2]s\n}",
		low, high, n, i, e.expr(s.X), e.check(), strip, e.stmts(s.Body.List))
}
