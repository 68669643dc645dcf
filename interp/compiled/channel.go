package compiled

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// A goroutine that is blocked in a communication of a cell's own ends at once when the cell must end: sends and receives
// are functions of package cell, and a select statement has a case more.

// element is the text of the type of a channel's elements; empty for what is no channel, and where the text cannot name
// the type.
func (e *emitter) element(x ast.Expr) string {
	t := types.Unalias(e.info.TypeOf(x))
	if t == nil || types.IsInterface(t) {
		return "" // a type parameter's constraint may allow several types
	}
	c, ok := t.Underlying().(*types.Chan)
	if !ok || !e.nameable(c.Elem(), map[types.Type]bool{}) {
		return ""
	}
	return e.typ(c.Elem(), x.Pos())
}

// nameable reports whether the text can name a type: libraries have some that they do not export.
func (e *emitter) nameable(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return true
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if !e.nameable(a, seen) {
				return false
			}
		}
		return t.Obj().Pkg() == nil || e.inSession(t.Obj()) || t.Obj().Exported()
	case *types.Map:
		return e.nameable(t.Key(), seen) && e.nameable(t.Elem(), seen)
	case *types.TypeParam:
		return true
	case interface{ Elem() types.Type }:
		return e.nameable(t.Elem(), seen)
	case *types.Struct:
		for f := range t.Fields() {
			if !e.nameable(f.Type(), seen) {
				return false
			}
		}
	case *types.Signature:
		for _, list := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range list.Variables() {
				if !e.nameable(v.Type(), seen) {
					return false
				}
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			if !e.nameable(m.Signature(), seen) {
				return false
			}
		}
	}
	return true
}

// receive is the text of <-c, also where a second value says whether there was one.
func (e *emitter) receive(x *ast.UnaryExpr) string {
	elem := e.element(x.X)
	name := ".Recv["
	if pair, ok := e.info.TypeOf(x).(*types.Tuple); ok {
		name = ".Receive["
		if !types.Identical(types.Default(pair.At(1).Type()), types.Typ[types.Bool]) {
			elem = "" // a bool of another type
		}
	}
	if elem == "" {
		return "(<-" + e.expr(x.X) + ")"
	}
	return e.cell() + name + elem + "](" + e.expr(x.X) + ")"
}

func (e *emitter) send(s *ast.SendStmt) string {
	elem := e.element(s.Chan)
	if elem == "" {
		return e.expr(s.Chan) + " <- " + e.expr(s.Value)
	}
	return e.cell() + ".Send[" + elem + "](" + e.expr(s.Chan) + ", " + e.expr(s.Value) + ")"
}

// rangeChan is the text of a range over a channel.
func (e *emitter) rangeChan(s *ast.RangeStmt, elem string) string {
	c, v, ok := e.temp(), e.temp(), e.temp()
	text := fmt.Sprintf("for %s := %s; ; {\n%s%s, %s := %s.Receive[%s](%s)\nif !%s { break }\n", c, e.expr(s.X), e.checkAt(s), v, ok, e.cell(), elem, c, ok)
	id, _ := s.Key.(*ast.Ident)
	if s.Key == nil || id != nil && id.Name == "_" {
		text += "_ = " + v + "\n"
	} else {
		text += e.expr(s.Key) + " " + s.Tok.String() + " " + v + "\n"
	}
	return text + e.body(s.Body, "") + "}"
}

// selectStmt is the text of a select statement. One that can wait has a case for the cell's end.
func (e *emitter) selectStmt(s *ast.SelectStmt) string {
	text := e.clauses(s.Body)
	for _, c := range s.Body.List {
		if c.(*ast.CommClause).Comm == nil {
			return "select " + text
		}
	}
	end := "case <-" + e.cell() + ".Done():\n" + e.lineDirective(s.Pos()) + e.cell() + ".Ended()\nselect {}\n"
	return "select " + strings.TrimSuffix(text, "}") + "\n" + end + "}"
}

// communication is the text of what a case of a select statement waits for.
func (e *emitter) communication(s ast.Stmt) string {
	receive := func(x ast.Expr) string { return "<-" + e.expr(ast.Unparen(x).(*ast.UnaryExpr).X) }
	switch s := s.(type) {
	case *ast.SendStmt:
		return e.expr(s.Chan) + " <- " + e.expr(s.Value)
	case *ast.ExprStmt:
		return receive(s.X)
	case *ast.AssignStmt:
		var lhs []string
		for _, x := range s.Lhs {
			lhs = append(lhs, e.expr(x))
		}
		return strings.Join(lhs, ", ") + " " + s.Tok.String() + " " + receive(s.Rhs[0])
	}
	return e.stmt(s)
}

// atTop reports whether what is being written is a statement of the cell itself, not of a function in it.
func (e *emitter) atTop() bool { return e.fn == nil && e.literal == 0 && !e.part.Program }

// deferTop is the text of a defer statement at the top level: the call is made when the cell ends.
func (e *emitter) deferTop(s *ast.DeferStmt) string {
	c := s.Call
	tv := e.info.Types[c.Fun]
	after := e.temp()
	lit, isLit := ast.Unparen(c.Fun).(*ast.FuncLit)
	before, call := "", ""
	switch {
	case isLit && len(c.Args) == 0:
		call = "(" + e.expr(lit) + ")()"
	case tv.IsBuiltin() || tv.IsType():
		call = e.deferred(c)
	default:
		before, call = e.evaluated(c)
	}
	return fmt.Sprintf("{\n%s%s.Defer(func(%s func()) {\ndefer %s\n%s()\n})\n}", before, e.cell(), after, call, after)
}

// zeroHidden is the text that gives variables which new ones have hidden, and which nothing else can reach, their zero
// values. Functions and pointers that know them keep the others.
func (e *emitter) zeroHidden(names []*ast.Ident) string {
	var b strings.Builder
	for _, id := range names {
		v, _ := e.info.Defs[id].(*types.Var)
		old := e.part.Hides[v]
		if v == nil || old == nil {
			continue
		}
		if h := e.s.vars[old]; h != nil && !e.s.exposed[h] && h != e.s.vars[v] {
			fmt.Fprintf(&b, "\n%s.Zero(&%s)", e.cell(), e.ref(h, h.name))
		}
	}
	return b.String()
}
