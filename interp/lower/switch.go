package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// switchStmt emits a switch whose cases are conditions: comparisons of the kind that the tag needs.
func (f *fn) switchStmt(s *ast.SwitchStmt, label *types.Label) {
	t := &target{label: label, breaks: true}
	defer f.push(t)()
	f.printf("{")
	if s.Init != nil {
		f.stmt(s.Init)
	}
	var tag *ast.Ident
	var tt types.Type
	if s.Tag != nil {
		tt = f.typeOf(s.Tag)
		p := temps{f: f}
		defer p.remove()
		var name string
		tag, name = p.ident("tag", s.Tag.Pos(), tt)
		f.lineDirective(s.Tag.Pos())
		done := f.order(f.rootOperands(s.Tag)...)
		f.declare(name, tt, f.to(s.Tag, tt))
		done()
	}
	if numbered(s.Body) {
		f.numberedSwitch(s, t, tag)
		f.printf("}")
		return
	}
	f.startLabel(t, s.Body)
	f.printf("switch {")
	for _, cc := range defaultLast(s.Body) {
		f.lineDirective(cc.Pos())
		if cc.List == nil {
			f.printf("default:")
		} else {
			f.printf("case %s:", f.caseText(cc, tag))
		}
		f.caseBody(cc.Body)
	}
	f.printf("}")
	f.printf("}")
}

// defaultLast are the clauses of a switch in which none falls through. yaegi exchanges a default clause with the last one, which
// would be tried too early.
func defaultLast(body *ast.BlockStmt) []*ast.CaseClause {
	var list, last []*ast.CaseClause
	for _, c := range body.List {
		if cc := c.(*ast.CaseClause); cc.List == nil {
			last = append(last, cc)
		} else {
			list = append(list, cc)
		}
	}
	return append(list, last...)
}

// numbered reports whether a default clause that is not the last falls through, or is fallen into: yaegi goes wrong
// there.
func numbered(body *ast.BlockStmt) bool {
	before, through := false, false
	for i, c := range body.List {
		cc := c.(*ast.CaseClause)
		before = before || cc.List == nil && i < len(body.List)-1
		if n := len(cc.Body); n > 0 {
			b, ok := cc.Body[n-1].(*ast.BranchStmt)
			through = through || ok && b.Tok == token.FALLTHROUGH
		}
	}
	return before && through
}

// numberedSwitch first finds the number of the clause, and then goes there.
func (f *fn) numberedSwitch(s *ast.SwitchStmt, t *target, tag *ast.Ident) {
	which := f.temp("which")
	f.printf("%s := -1", which)
	f.printf("switch {")
	for i, c := range s.Body.List {
		cc := c.(*ast.CaseClause)
		if cc.List != nil {
			f.printf("case %s:", f.caseText(cc, tag))
			f.printf("%s = %d", which, i)
		}
	}
	f.printf("default:")
	for i, c := range s.Body.List {
		if c.(*ast.CaseClause).List == nil {
			f.printf("%s = %d", which, i)
		}
	}
	f.printf("}")
	f.startLabel(t, s.Body)
	f.printf("switch %s {", which)
	for i, c := range s.Body.List {
		f.lineDirective(c.Pos())
		f.printf("case %d:", i)
		f.caseBody(c.(*ast.CaseClause).Body)
	}
	f.printf("}")
}

// caseBody emits the statements of a case. yaegi finds a label only in a block of its own, and falls through only to a statement.
func (f *fn) caseBody(list []ast.Stmt) {
	if !slices.ContainsFunc(list, runs) {
		f.printf("_ = 0")
	}
	if !hasLabel(list) {
		f.block(list)
		return
	}
	n := len(list) - 1
	through, ok := list[n].(*ast.BranchStmt)
	ok = ok && through.Tok == token.FALLTHROUGH
	if ok {
		list = list[:n]
	}
	f.printf("{")
	f.block(list)
	f.printf("}")
	if ok {
		f.branch(through)
	}
}

// runs reports whether a statement does something.
func runs(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.DeclStmt, *ast.EmptyStmt:
		return false
	}
	return true
}

// caseText is the condition of a case.
func (f *fn) caseText(cc *ast.CaseClause, tag *ast.Ident) string {
	var list []string
	for i, x := range cc.List {
		c := f.child(nil)
		c.recovers, c.tokenVar = f.recovers, f.tokenVar
		done := c.order(f.rootOperands(x)...)
		text := c.caseCondition(x, tag)
		done()
		if first := c.b.String(); first != "" || i == 0 && len(cc.List) > 1 && f.hasEntries(x) {
			text = "func() bool {\n" + first + "return " + text + "\n}()"
		}
		list = append(list, text)
	}
	return strings.Join(list, " || ")
}

func (f *fn) caseCondition(x ast.Expr, tag *ast.Ident) string {
	switch {
	case tag == nil && isInterface(f.typeOf(x)):
		return "rt.Equal(true, " + f.to(x, anyType) + ")"
	case tag == nil:
		return f.expr(x)
	case f.info.Types[x].IsNil():
		return "(" + f.expr(tag) + " == nil)"
	}
	return f.equalText(tag, x, false)
}

func (f *fn) typeSwitch(s *ast.TypeSwitchStmt, label *types.Label) {
	e := f.e
	t := &target{label: label, breaks: true}
	defer f.push(t)()
	f.printf("{")
	if s.Init != nil {
		f.stmt(s.Init)
	}
	var x ast.Expr
	var bound *ast.Ident
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		x = ast.Unparen(a.X).(*ast.TypeAssertExpr).X
	case *ast.AssignStmt:
		x = ast.Unparen(a.Rhs[0]).(*ast.TypeAssertExpr).X
		bound = a.Lhs[0].(*ast.Ident)
	}
	xt := f.typeOf(x)
	done := f.order(f.rootOperands(x)...)
	v, id := f.temp("x"), f.temp("id")
	orig := ""
	if bound != nil && e.compiledInterface(xt) {
		orig = f.temp("x")
		f.declare(orig, xt, f.to(x, xt))
		f.declare(v, anyType, e.convert(orig, xt, anyType))
	} else {
		f.declare(v, anyType, f.to(x, anyType))
	}
	done()
	f.printf("%s := rt.TypeID(%s)", id, v)
	f.startLabel(t, s.Body)
	f.printf("switch {")
	for _, cc := range defaultLast(s.Body) {
		f.lineDirective(cc.Pos())
		var only types.Type
		if cc.List == nil {
			f.printf("default:")
		} else {
			var list []string
			for _, ct := range cc.List {
				if f.info.Types[ct].IsNil() {
					list = append(list, v+" == nil")
					continue
				}
				ty := f.closed(f.info.Types[ct].Type)
				if len(cc.List) == 1 {
					only = ty
				}
				if isInterface(ty) {
					list = append(list, fmt.Sprintf("(%s != nil && rt.Implements(%s, %s))", v, v, e.desc(ty)))
				} else {
					list = append(list, fmt.Sprintf("%s == %d", id, e.describe(ty)))
				}
			}
			f.printf("case %s:", strings.Join(list, " || "))
		}
		if obj := f.info.Implicits[cc]; obj != nil && bound != nil {
			name := f.name(obj)
			switch {
			case only == nil && orig != "":
				f.printf("%s := %s", name, orig)
			case only == nil:
				f.printf("var %s any = %s", name, v)
			case e.compiledInterface(only):
				f.printf("var %s %s = %s(%s)", name, e.typ(only), e.helperInto(only), v)
			case isInterface(only):
				f.printf("var %s any = %s", name, v)
			case e.native(only):
				f.printf("%s := %s", name, e.cast(v, only))
			default:
				f.printf("%s := %s", name, e.cast("rt.Unwrap("+v+").(rt.Box).V", only))
			}
		}
		f.caseBody(cc.Body)
	}
	f.printf("}")
	f.printf("}")
}

// selectStmt emits a select through package rt, where it ends when the cell is interrupted.
func (f *fn) selectStmt(s *ast.SelectStmt, label *types.Label) {
	e := f.e
	t := &target{label: label, breaks: true}
	defer f.push(t)()
	f.printf("{")
	var ops []string
	hasDefault := false
	for _, c := range s.Body.List {
		cc := c.(*ast.CommClause)
		switch st := cc.Comm.(type) {
		case nil:
			hasDefault = true
		case *ast.SendStmt:
			ch := e.under(f.typeOf(st.Chan)).(*types.Chan)
			done := f.order(operand{x: st.Chan}, operand{st.Value, ch.Elem()})
			cn, vn := f.temp("c"), f.temp("v")
			f.printf("%s := %s", cn, f.expr(st.Chan))
			f.declare(vn, ch.Elem(), f.to(st.Value, ch.Elem()))
			done()
			ops = append(ops, "rt.SendCase("+cn+", "+vn+")")
		default:
			done := f.order(f.rootOperands(f.received(st))...)
			cn := f.temp("c")
			f.printf("%s := %s", cn, f.expr(f.received(st)))
			done()
			ops = append(ops, "rt.RecvCase("+cn+")")
		}
	}
	which, got, ok := f.temp("which"), f.temp("got"), f.temp("ok")
	list := append([]string{fmt.Sprint(hasDefault)}, ops...)
	f.printf("%s, %s, %s := rt.Select(%s)", which, got, ok, strings.Join(list, ", "))
	f.printf("_ = %s", got)
	f.printf("_ = %s", ok)
	f.startLabel(t, s.Body)
	f.printf("switch {")
	n := 0
	for _, c := range s.Body.List {
		cc := c.(*ast.CommClause)
		f.lineDirective(cc.Pos())
		if cc.Comm == nil {
			f.printf("default:")
		} else {
			f.printf("case %s == %d:", which, n)
			n++
		}
		if as, isAssign := cc.Comm.(*ast.AssignStmt); isAssign {
			ch := e.under(f.typeOf(f.received(as))).(*types.Chan)
			def := as.Tok == token.DEFINE
			ds := f.dests(as.Lhs, def)
			val := f.temp("v")
			tt := e.typ(ch.Elem())
			if tt == "any" {
				f.printf("var %s any = %s", val, got)
			} else {
				f.printf("var %s %s", val, tt)
				f.printf("if %s != nil { %s = %s }", got, val, e.cast(got, ch.Elem()))
			}
			vals := []string{val, ok}
			ts := []types.Type{ch.Elem(), types.Typ[types.Bool]}
			for i, d := range ds {
				if d.blank {
					continue
				}
				text := e.convert(vals[i], ts[i], d.typ)
				if d.obj != nil {
					f.declare(d.text, d.typ, text)
				} else {
					f.assign(d.text, text)
				}
			}
		}
		f.caseBody(cc.Body)
	}
	f.printf("}")
	f.printf("}")
}

// received is the channel expression of a receive statement.
func (f *fn) received(s ast.Stmt) ast.Expr {
	var x ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		x = s.X
	case *ast.AssignStmt:
		x = s.Rhs[0]
	}
	return ast.Unparen(x).(*ast.UnaryExpr).X
}
