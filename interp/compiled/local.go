package compiled

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// What is assigned to a copy of a private variable must be in the variable itself before something can end the statement
// or look: a panic, a check, a call. Until then it waits, which keeps branches out of loops: the Go compiler makes of
// "if x { n++ }" no branch as long as nothing is stored in it.

// pendingText is the text that writes what waits, after which nothing does.
func (e *emitter) pendingText() string {
	var lines []string
	for _, h := range slices.Collect(maps.Keys(e.pending)) {
		c := e.copies[h]
		lines = append(lines, fmt.Sprintf("%s = %s\n", c.of, c.name))
	}
	slices.Sort(lines)
	clear(e.pending)
	return strings.Join(lines, "")
}

// wait notes what a statement has assigned to copies.
func (e *emitter) wait(s ast.Stmt) {
	for _, id := range assigned(s) {
		if v, ok := e.info.Uses[id].(*types.Var); ok {
			if h := e.s.vars[v]; h != nil && e.copies[h].name != "" {
				e.pending[h] = true
			}
		}
	}
}

// late begins the body of a loop in strips; where nothing in it can end the statement or look, all waits until the end of a
// strip.
func (e *emitter) late(b *ast.BlockStmt) bool {
	late := len(e.copies) > 0 && e.localOnly(b)
	if late {
		e.held++
	}
	return late
}

// afterStrip ends what late began.
func (e *emitter) afterStrip(late bool) string {
	if !late {
		return ""
	}
	e.held--
	return e.pendingText()
}

// localOnly reports whether a statement cannot panic, branch or block and has effects only on private variables, so that stores
// may be moved past it.
func (e *emitter) localOnly(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.EmptyStmt:
		return true
	case *ast.IncDecStmt:
		return e.pure(s.X) && isVariable(s.X)
	case *ast.AssignStmt:
		ok := s.Tok != token.SHL_ASSIGN && s.Tok != token.SHR_ASSIGN
		for _, x := range s.Lhs {
			ok = ok && isVariable(x)
		}
		for _, x := range s.Rhs {
			ok = ok && e.pure(x)
		}
		if s.Tok == token.QUO_ASSIGN || s.Tok == token.REM_ASSIGN {
			ok = ok && e.divides(s.Rhs[0], e.info.TypeOf(s.Lhs[0]))
		}
		return ok
	case *ast.BlockStmt:
		return !slices.ContainsFunc(s.List, func(s ast.Stmt) bool { return !e.localOnly(s) })
	case *ast.IfStmt:
		return (s.Init == nil || e.localOnly(s.Init)) && e.pure(s.Cond) && e.localOnly(s.Body) && (s.Else == nil || e.localOnly(s.Else))
	}
	return false
}

// isVariable reports whether an expression is a name.
func isVariable(x ast.Expr) bool {
	_, ok := ast.Unparen(x).(*ast.Ident)
	return ok
}

// pure reports whether an expression cannot panic and calls nothing but functions of package math.
func (e *emitter) pure(x ast.Expr) bool {
	if tv := e.info.Types[x]; tv.Value != nil || tv.IsType() {
		return true
	}
	switch x := x.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return e.pure(x.X)
	case *ast.UnaryExpr:
		return x.Op != token.ARROW && x.Op != token.AND && e.pure(x.X)
	case *ast.BinaryExpr:
		if !e.pure(x.X) || !e.pure(x.Y) {
			return false
		}
		switch x.Op {
		case token.QUO, token.REM:
			return e.divides(x.Y, e.info.TypeOf(x))
		case token.SHL, token.SHR:
			return e.info.Types[x.Y].Value != nil || isKind(e.info.TypeOf(x.Y), types.IsUnsigned)
		case token.EQL, token.NEQ: // interfaces may hold what cannot be compared
			return isKind(e.info.TypeOf(x.X), types.IsConstType) && isKind(e.info.TypeOf(x.Y), types.IsConstType)
		}
		return true
	case *ast.CallExpr:
		if slices.ContainsFunc(x.Args, func(a ast.Expr) bool { return !e.pure(a) }) {
			return false
		}
		tv := e.info.Types[x.Fun]
		switch {
		case tv.IsType():
			return isKind(tv.Type, types.IsNumeric) && isKind(e.info.TypeOf(x.Args[0]), types.IsNumeric)
		case tv.IsBuiltin():
			id, _ := ast.Unparen(x.Fun).(*ast.Ident)
			return id != nil && slices.Contains([]string{"len", "cap", "min", "max", "real", "imag", "complex"}, id.Name)
		}
		f := called(x, e.info)
		return f != nil && f.Pkg() != nil && f.Pkg().Path() == "math"
	}
	return false
}

// divides reports whether numbers of a type can be divided by a divisor without a panic.
func (e *emitter) divides(by ast.Expr, t types.Type) bool {
	return e.info.Types[by].Value != nil || isKind(t, types.IsFloat|types.IsComplex)
}

// isKind reports whether a type's values are basic ones of a kind.
func isKind(t types.Type, kind types.BasicInfo) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&kind != 0
}
