package compiled

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"gaucho/interp/engine"
)

// A variable of the session that only statements at the top level can see is private to the statement that runs, as long as
// nothing orders that statement with those of a cell that runs at the same time. A loop at the top level that does not
// synchronise works on a local copy of the variable, which can be in a register; what it assigns it writes back, so that the
// variable is right also when a panic or an interrupt ends the loop.

// expose notes which variables functions and function literals of the part can see, or whose address the part takes.
func (e *emitter) expose() {
	for _, d := range e.part.Funcs {
		e.exposeIn(d, true)
	}
	for _, c := range e.part.Body {
		if c.Stmt != nil {
			e.exposeIn(c.Stmt, false)
			continue
		}
		for _, v := range c.Var.Values {
			e.exposeIn(v, false)
		}
	}
}

// exposeIn does it for one node: all variables in a function, those inside function literals or with an address
// elsewhere.
func (e *emitter) exposeIn(n ast.Node, all bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.FuncLit:
			if !all {
				e.exposeIn(x.Body, true)
				return false
			}
		case *ast.Ident:
			if all {
				e.seen(x)
			}
		case *ast.UnaryExpr:
			if x.Op == token.AND {
				e.seen(x.X)
			}
		case *ast.SliceExpr:
			if _, ok := e.part.Info.TypeOf(x.X).Underlying().(*types.Array); ok {
				e.seen(x.X)
			}
		case *ast.SelectorExpr:
			if sel := e.part.Info.Selections[x]; sel != nil && sel.Kind() == types.MethodVal && takesAddress(sel) {
				e.seen(x.X)
			}
		}
		return true
	})
}

// takesAddress reports whether a method that is selected has a pointer to the operand, or to a part of it, as receiver.
func takesAddress(sel *types.Selection) bool {
	if _, ok := sel.Recv().Underlying().(*types.Pointer); ok || types.IsInterface(sel.Recv()) {
		return false
	}
	m, ok := sel.Obj().(*types.Func)
	if !ok || m.Signature().Recv() == nil {
		return true
	}
	_, pointer := types.Unalias(m.Signature().Recv().Type()).(*types.Pointer)
	return pointer
}

// seen marks the variable that an expression is, or is a part of, if it is one of the session's.
func (e *emitter) seen(x ast.Expr) {
	for {
		switch y := ast.Unparen(x).(type) {
		case *ast.SelectorExpr:
			if sel := e.part.Info.Selections[y]; sel == nil || sel.Indirect() {
				return
			}
			x = y.X
		case *ast.IndexExpr:
			if _, ok := e.part.Info.TypeOf(y.X).Underlying().(*types.Array); !ok {
				return
			}
			x = y.X
		case *ast.Ident:
			if v, ok := e.part.Info.Uses[y].(*types.Var); ok {
				if h := e.s.vars[v]; h != nil && !e.s.exposed[h] {
					engine.Set(&e.s.Undo, e.s.exposed, h, true)
				}
			}
			return
		default:
			return
		}
	}
}

// topStmt is the text of a statement at the top level.
func (e *emitter) topStmt(s ast.Stmt) string {
	e.root = s
	defer func() { e.root = nil }()
	if !hasLoop(s) {
		return e.stmt(s)
	}
	return e.onCopies(s, func() string { return e.stmt(s) })
}

// loop is the text of a loop. One in a statement that cannot have copies may have its own.
func (e *emitter) loop(s ast.Stmt, text func() string) string {
	if e.label != "" { // which stays at the loop
		return text()
	}
	return e.onCopies(s, text)
}

// onCopies is the text of a statement at the top level that works on copies of private variables, if it may.
func (e *emitter) onCopies(s ast.Stmt, text func() string) string {
	if e.copies != nil || !e.atTop() || e.synchronises(s, e.info, map[*function]bool{}) {
		return text()
	}
	defer func() { e.copies = nil }()
	e.copies, e.pending = e.privates(s), map[*home]bool{}
	if len(e.copies) == 0 {
		return text()
	}
	var head strings.Builder
	homes := slices.SortedFunc(maps.Keys(e.copies), func(a, b *home) int { return strings.Compare(e.copies[a].name, e.copies[b].name) })
	for _, h := range homes {
		c := e.copies[h]
		fmt.Fprintf(&head, "%s := %s\n_ = %s\n", c.name, c.of, c.name)
	}
	return "{\n" + head.String() + text() + "\n}"
}

// synchronises reports whether code may be ordered with what runs at the same time: by a channel, or by a call of anything
// that is not known to have no lock, channel or atomic operation. known are functions that need no look.
func (e *emitter) synchronises(n ast.Node, info *types.Info, known map[*function]bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt, *ast.FuncLit: // function literals call later forms
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.RangeStmt:
			switch core(info.TypeOf(n.X)).(type) {
			case *types.Signature, *types.Chan, *types.Interface:
				found = true
			}
		case *ast.CallExpr:
			found = found || e.callSynchronises(n, info, known)
		}
		return !found
	})
	return found
}

// callSynchronises does it for a call without its operands.
func (e *emitter) callSynchronises(c *ast.CallExpr, info *types.Info, known map[*function]bool) bool {
	tv := info.Types[c.Fun]
	if tv.IsBuiltin() {
		id, _ := ast.Unparen(c.Fun).(*ast.Ident)
		return id != nil && id.Name == "close"
	}
	if tv.IsType() || quick(c, info) {
		return false
	}
	f := e.s.function(called(c, info))
	if f == nil {
		return true
	}
	if known[f] {
		return false
	}
	known[f] = true
	return e.synchronises(f.decl.Body, f.info, known)
}

// A copied is a local copy of a private variable.
type copied struct{ name, of string }

func hasLoop(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			found = true
		}
		return !found
	})
	return found
}

// privates are the private variables that a statement mentions and that it can keep in registers.
func (e *emitter) privates(s ast.Stmt) map[*home]copied {
	found := map[*home]copied{}
	ast.Inspect(s, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := e.info.Uses[id].(*types.Var)
		if !ok {
			return true
		}
		h := e.s.vars[v]
		if h == nil || e.s.exposed[h] || !small(v.Type()) {
			return true
		}
		if _, ok := found[h]; !ok {
			found[h] = copied{name: "l" + mark + id.Name, of: e.variable(v, h, id.Pos())}
		}
		return true
	})
	names := map[string]bool{}
	for h, c := range found {
		if names[c.name] { // two variables of one name: an older one lives on
			delete(found, h)
		}
		names[c.name] = true
	}
	for id := range headAssigned(s) {
		if v, ok := e.info.Uses[id].(*types.Var); ok {
			delete(found, e.s.vars[v])
		}
	}
	return found
}

// small reports whether values of a type fit into a few registers.
func small(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return false
	}
	return true
}

// headAssigned are the identifiers that a statement assigns where no second assignment can follow: in the heads of
// loops, conditions and cases.
func headAssigned(s ast.Stmt) map[*ast.Ident]bool {
	out := map[*ast.Ident]bool{}
	take := func(list ...ast.Stmt) {
		for _, s := range list {
			for _, id := range assigned(s) {
				out[id] = true
			}
		}
	}
	ast.Inspect(s, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.ForStmt:
			take(x.Init, x.Post)
		case *ast.RangeStmt:
			if x.Tok == token.ASSIGN {
				take(&ast.AssignStmt{Lhs: []ast.Expr{x.Key, x.Value}})
			}
		case *ast.IfStmt:
			take(x.Init)
		case *ast.SwitchStmt:
			take(x.Init)
		case *ast.TypeSwitchStmt:
			take(x.Init)
		case *ast.CommClause:
			take(x.Comm)
		case *ast.LabeledStmt:
			take(x.Stmt)
		}
		return true
	})
	return out
}

// assigned are the identifiers that a statement itself assigns.
func assigned(s ast.Stmt) []*ast.Ident {
	var lhs []ast.Expr
	switch s := s.(type) {
	case *ast.AssignStmt:
		lhs = s.Lhs
	case *ast.IncDecStmt:
		lhs = []ast.Expr{s.X}
	}
	var out []*ast.Ident
	for _, x := range lhs {
		if x == nil {
			continue
		}
		if id, ok := ast.Unparen(x).(*ast.Ident); ok {
			out = append(out, id)
		}
	}
	return out
}
