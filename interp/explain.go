package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
)

// explainUndefined adds to a problem with an undefined name what is known of the place: the names that the cell declares
// around it, and that the name is assigned to, where := would declare it.
func (s *stageCheck) explainUndefined(p *problem, pos token.Pos, name string) {
	for n := range s.declaredNames() {
		p.own = append(p.own, n)
	}
	for _, d := range append(s.allDecls(), lateDecls(s.late)...) {
		if pos < d.Pos() || pos > d.End() {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if v, ok := s.info.Defs[n].(*types.Var); ok && !v.IsField() && n.Pos() < pos {
					p.own = append(p.own, n.Name)
				}
			case *ast.SelectorExpr:
				p.pkg = p.pkg || n.X.Pos() == pos
			case *ast.AssignStmt:
				if n.Tok == token.ASSIGN && len(n.Lhs) == 1 && n.Lhs[0].Pos() == pos {
					if id, ok := n.Lhs[0].(*ast.Ident); ok && nearest(name, p.own) == "" {
						p.hint = fmt.Sprintf("%s := declares a variable and gives it its first value.", id.Name)
					}
				}
			}
			return true
		})
	}
}

var (
	manyValues = regexp.MustCompile(`^multiple-value .* \(value of type (\(.*\))\) in single-value context$`)
	mixedText  = regexp.MustCompile(`\(mismatched types (?:untyped )?string and .*\)$|\(mismatched types .* and (?:untyped )?string\)$|^cannot convert ".*" \(untyped string constant.*\) to type `)
	runeText   = regexp.MustCompile(`^cannot use '.*' \(untyped rune constant .*\) as string value`)
)

// explain puts a problem into the words of Go's compiler where the way a cell is checked gives others, and adds a hint.
func (s *stageCheck) explain(p *problem, pos token.Pos) {
	switch {
	case manyValues.MatchString(p.msg):
		s.explainMany(p, pos)
	case mixedText.MatchString(p.msg):
		if x := s.binaryAt(pos); x != nil && x.Op == token.ADD {
			p.hint = fmt.Sprintf("fmt.Sprint(%s, %s) makes one string of both.", types.ExprString(x.X), types.ExprString(x.Y))
		}
	case runeText.MatchString(p.msg):
		p.hint = "A string has double quotes; what has single ones is one character, a number."
	}
}

// explainMany says in Go's words that a variable is declared with a call that has several results.
func (s *stageCheck) explainMany(p *problem, pos token.Pos) {
	for _, c := range s.chunks {
		if c.spec == nil || len(c.spec.Values) != 1 || c.spec.Values[0].Pos() != pos {
			continue
		}
		call, ok := ast.Unparen(c.spec.Values[0]).(*ast.CallExpr)
		if !ok {
			return
		}
		results, ok := s.info.TypeOf(call).(*types.Tuple)
		if !ok {
			return
		}
		n := results.Len()
		p.msg = fmt.Sprintf("assignment mismatch: %s but %s returns %d values", count(len(c.spec.Names), "variable"), types.ExprString(call.Fun), n)
		if last := results.At(n - 1); isErrorVar(last) && n == 2 && isMust(s.scope, "must") {
			p.hint = fmt.Sprintf("%[1]s, err := takes both; %[1]s := must(%[2]s) fails the cell if there is an error.", c.spec.Names[0].Name, types.ExprString(call))
		}
		return
	}
}

// binaryAt is the operation whose first or second operand, or operator, a problem is at.
func (s *stageCheck) binaryAt(pos token.Pos) *ast.BinaryExpr {
	var found *ast.BinaryExpr
	for _, d := range append(s.allDecls(), lateDecls(s.late)...) {
		ast.Inspect(d, func(n ast.Node) bool {
			if x, ok := n.(*ast.BinaryExpr); ok && (x.Pos() == pos || x.OpPos == pos || x.Y.Pos() == pos) {
				found = x
			}
			return true
		})
	}
	return found
}
