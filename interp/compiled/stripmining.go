package compiled

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// Strip mining: a check in a tight loop costs up to half of its time. Loops that count, and whose bodies take a moment, run in strips: an
// outer loop checks, an inner one runs some thousand iterations without. Where it is known that there are no more, there is
// one check before the loop.

// strip is the number of iterations without a check.
const strip = 4096

// A counter is what a for statement counts with.
type counter struct {
	v     *types.Var
	op    token.Token // of the condition: v op bound
	bound ast.Expr
	step  ast.Expr // nil for 1
	up    bool
}

// forStmt is the text of a for statement.
func (e *emitter) forStmt(s *ast.ForStmt) string {
	label := e.takeLabel()
	if c := e.counts(s); c != nil && tight(s.Body) && e.cheap(s.Body) && !continues(s.Body, label) {
		if label == "" && e.short(s, c) {
			return e.checkAt(s) + e.plainFor(s, "")
		}
		return e.strips(s, c, label)
	}
	return e.plainFor(s, e.checkAt(s))
}

func (e *emitter) plainFor(s *ast.ForStmt, check string) string {
	head := "for " + e.simple(s.Init) + "; " + e.optional(s.Cond) + "; " + e.simple(s.Post)
	return head + " { " + check + e.body(s.Body, "") + "}"
}

// rangeStmt is the text of a range statement over anything but a channel.
func (e *emitter) rangeStmt(s *ast.RangeStmt) string {
	label := e.takeLabel()
	head := "for "
	if s.Key != nil {
		head += e.expr(s.Key)
		if s.Value != nil {
			head += ", " + e.expr(s.Value)
		}
		head += " " + s.Tok.String() + " "
	}
	head += "range " + e.expr(s.X) + " { "
	_, overFunc := core(e.info.TypeOf(s.X)).(*types.Signature)
	if overFunc || !e.cheap(s.Body) {
		return head + e.checkAt(s) + e.body(s.Body, "") + "}"
	}
	if label == "" && e.fewElements(s.X) {
		return e.checkAt(s) + head + e.body(s.Body, "") + "}"
	}
	if e.countsRange(s) && tight(s.Body) && !continues(s.Body, label) {
		return e.rangeStrips(s, label)
	}
	return head + e.checkAt(s) + e.body(s.Body, "") + "}"
}

// body is the text of a loop's statements. A break of this loop goes to the label, if there is one.
func (e *emitter) body(b *ast.BlockStmt, label string) string {
	outer := e.breakTo
	e.breakTo = label
	text := e.stmts(b.List)
	e.breakTo = outer
	return text
}

// takeLabel is the label of the statement that is being written.
func (e *emitter) takeLabel() string {
	label := e.label
	e.label = ""
	return label
}

// tight reports whether a check may be a good part of a loop's time. It is not where each iteration runs a loop, and there
// it would only take registers from that one.
func tight(b *ast.BlockStmt) bool {
	leaves := false
	for _, s := range b.List {
		switch s.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return leaves
		}
		ast.Inspect(s, func(n ast.Node) bool {
			if _, ok := n.(*ast.BranchStmt); ok {
				leaves = true
			}
			return !leaves
		})
	}
	return true
}

// continues reports whether statements continue the loop with a label.
func continues(b *ast.BlockStmt, label string) bool {
	found := false
	ast.Inspect(b, func(n ast.Node) bool {
		if s, ok := n.(*ast.BranchStmt); ok && s.Tok == token.CONTINUE && s.Label != nil && s.Label.Name == label {
			found = true
		}
		return !found
	})
	return found
}

// ownBranch reports whether a loop's statements break or continue that loop, without naming a label.
func ownBranch(b *ast.BlockStmt, tok token.Token) bool {
	found := false
	var visit func(n ast.Node, inner bool)
	visit = func(n ast.Node, inner bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
				return false
			case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				if m != n {
					visit(m, true)
					return false
				}
			case *ast.BranchStmt:
				found = found || m.Tok == tok && m.Label == nil && (tok == token.CONTINUE || !inner)
			}
			return !found
		})
	}
	visit(b, false)
	return found
}

// counts returns what a for statement counts with, nil when it does not count from one number to another, by steps that stay
// the same, with a variable that nothing else changes.
func (e *emitter) counts(s *ast.ForStmt) *counter {
	cond, ok := s.Cond.(*ast.BinaryExpr)
	if !ok || e.root == nil {
		return nil
	}
	id, ok := ast.Unparen(cond.X).(*ast.Ident)
	init, ok2 := s.Init.(*ast.AssignStmt)
	if !ok || !ok2 || init.Tok != token.DEFINE {
		return nil
	}
	c := &counter{op: cond.Op, bound: cond.Y, up: cond.Op == token.LSS || cond.Op == token.LEQ}
	if !c.up && cond.Op != token.GTR && cond.Op != token.GEQ {
		return nil
	}
	for _, x := range init.Lhs {
		if v, ok := e.info.Defs[x.(*ast.Ident)].(*types.Var); ok && v == e.info.Uses[id] && v.Type() == types.Typ[types.Int] {
			c.v = v
		}
	}
	if c.v == nil || !e.stepsBy(c, s.Post) || e.assigns(s.Body, c.v) || e.shared(c.v) {
		return nil
	}
	if !e.fixed(c.bound, s) || c.step != nil && !e.fixed(c.step, s) {
		return nil
	}
	if v := e.stepValue(c); v < 0 || v == 0 && ownBranch(s.Body, token.CONTINUE) {
		return nil
	}
	return c
}

// stepsBy takes the step from a loop's last part, and reports whether it is one in the direction of the condition.
func (e *emitter) stepsBy(c *counter, post ast.Stmt) bool {
	var x ast.Expr
	up := false
	switch post := post.(type) {
	case *ast.IncDecStmt:
		x, up = post.X, post.Tok == token.INC
	case *ast.AssignStmt:
		if post.Tok != token.ADD_ASSIGN && post.Tok != token.SUB_ASSIGN {
			return false
		}
		x, up, c.step = post.Lhs[0], post.Tok == token.ADD_ASSIGN, post.Rhs[0]
	default:
		return false
	}
	id, ok := ast.Unparen(x).(*ast.Ident)
	return ok && e.info.Uses[id] == c.v && up == c.up
}

// stepValue is the step where it is a constant, 0 where it is known only when the loop runs, and negative for a constant
// that is not a sensible step.
func (e *emitter) stepValue(c *counter) int64 {
	if c.step == nil {
		return 1
	}
	v := e.info.Types[c.step].Value
	if v == nil {
		return 0
	}
	if n, ok := constant.Int64Val(constant.ToInt(v)); ok && 0 < n && n <= 1<<16 {
		return n
	}
	return -1
}

// fixed reports whether a whole number is the same, and has no effects, whenever a loop evaluates it.
func (e *emitter) fixed(x ast.Expr, loop ast.Stmt) bool {
	tv := e.info.Types[x]
	if tv.Value != nil {
		return true
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return e.fixedVar(x, loop)
	case *ast.BinaryExpr:
		switch x.Op {
		case token.ADD, token.SUB, token.MUL:
			return e.fixed(x.X, loop) && e.fixed(x.Y, loop)
		case token.QUO, token.REM: // by a constant, which the type checker knows is not zero
			return e.fixed(x.X, loop) && e.info.Types[x.Y].Value != nil
		}
	case *ast.CallExpr:
		if e.info.Types[x.Fun].IsType() {
			b, ok := e.info.TypeOf(x.Args[0]).Underlying().(*types.Basic)
			return ok && b.Info()&types.IsNumeric != 0 && e.fixed(x.Args[0], loop)
		}
		fun, ok := ast.Unparen(x.Fun).(*ast.Ident)
		if !ok || !e.info.Types[fun].IsBuiltin() || fun.Name != "len" && fun.Name != "cap" {
			return false
		}
		id, ok := ast.Unparen(x.Args[0]).(*ast.Ident)
		if !ok {
			return false
		}
		switch t := e.info.TypeOf(id).Underlying().(type) {
		case *types.Slice, *types.Array:
			return e.fixedVar(id, loop)
		case *types.Basic:
			return t.Info()&types.IsString != 0 && e.fixedVar(id, loop)
		}
	}
	return false
}

// fixedVar reports whether only what is being written can see a variable, and a loop in it does not assign it.
func (e *emitter) fixedVar(id *ast.Ident, loop ast.Stmt) bool {
	v, ok := e.info.Uses[id].(*types.Var)
	if !ok || e.assigns(loop, v) {
		return false
	}
	if h := e.s.vars[v]; h != nil || isGlobal(v) {
		_, private := e.copies[h]
		return private && e.literal == 0
	}
	return e.root.Pos() <= v.Pos() && v.Pos() < e.root.End() && !e.shared(v)
}

// shared reports whether a function literal mentions a variable of what is being written, or something has its address.
func (e *emitter) shared(v *types.Var) bool {
	found := false
	mentions := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && e.info.Uses[id] == v {
				found = true
			}
			return !found
		})
	}
	ast.Inspect(e.root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if n != e.root {
				mentions(n)
				return false
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				mentions(n.X)
			}
		case *ast.SelectorExpr:
			if sel := e.info.Selections[n]; sel != nil && sel.Kind() == types.MethodVal && takesAddress(sel) {
				mentions(n.X)
			}
		}
		return !found
	})
	return found
}

// assigns reports whether a statement assigns a variable.
func (e *emitter) assigns(s ast.Stmt, v *types.Var) bool {
	found := false
	look := func(s ast.Stmt) {
		for _, id := range assigned(s) {
			found = found || e.info.Uses[id] == v
		}
	}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt, *ast.IncDecStmt:
			look(n.(ast.Stmt))
		case *ast.RangeStmt:
			look(&ast.AssignStmt{Lhs: []ast.Expr{n.Key, n.Value}})
		}
		return !found
	})
	return found
}

// short reports whether a counting loop is known to have no more iterations than a strip.
func (e *emitter) short(s *ast.ForStmt, c *counter) bool {
	init, bound := s.Init.(*ast.AssignStmt), e.info.Types[c.bound].Value
	if len(init.Lhs) != 1 || bound == nil {
		return false
	}
	start := e.info.Types[init.Rhs[0]].Value
	step := e.stepValue(c)
	if start == nil || step == 0 {
		return false
	}
	length := constant.BinaryOp(bound, token.SUB, start)
	if !c.up {
		length = constant.UnaryOp(token.SUB, length, 0)
	}
	return constant.Compare(length, token.LSS, constant.MakeInt64(strip*step))
}

// fewElements reports whether what is ranged over is known to have no more elements than a strip has iterations.
func (e *emitter) fewElements(x ast.Expr) bool {
	if v := e.info.Types[x].Value; v != nil && v.Kind() == constant.Int {
		return constant.Compare(v, token.LEQ, constant.MakeInt64(strip))
	}
	t := e.info.TypeOf(x).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	a, ok := t.(*types.Array)
	return ok && a.Len() <= strip
}

// countsRange reports whether a range statement counts integers, with a variable of its own that its body does not assign.
func (e *emitter) countsRange(s *ast.RangeStmt) bool {
	if t := e.info.TypeOf(s.X); !types.Identical(types.Default(t), types.Typ[types.Int]) || s.Value != nil {
		return false
	}
	if s.Key == nil {
		return true
	}
	key, ok := s.Key.(*ast.Ident)
	if !ok || s.Tok != token.DEFINE {
		return false
	}
	v, _ := e.info.Defs[key].(*types.Var)
	return v == nil || !e.assigns(s.Body, v)
}

// breakLabel is the label that a loop in strips needs for the breaks in its body, and the text that sets it.
func (e *emitter) breakLabel(b *ast.BlockStmt, label string) (name, text string) {
	if label != "" || !ownBranch(b, token.BREAK) {
		return label, ""
	}
	name = "L" + e.temp()
	return name, name + ":\n"
}

// strips is the text of a for statement that counts.
func (e *emitter) strips(s *ast.ForStmt, c *counter, label string) string {
	label, labelled := e.breakLabel(s.Body, label)
	i, end := c.v.Name(), e.temp()
	var reach string
	first, last, extreme := i, end, "-1 << 63"
	if !c.up {
		first, last, extreme = end, i, "1<<63 - 1"
	}
	integer, unsigned := e.predeclared("int"), e.predeclared("uint")
	sign := map[bool]string{true: "+", false: "-"}[c.up]
	if step := e.stepValue(c); step > 0 {
		reach = fmt.Sprintf("if %s(%s-%s) > %d { %s = %s %s %d }", unsigned, last, first, strip*step, end, i, sign, strip*step)
	} else {
		n := e.temp() // without progress every iteration ends a strip
		reach = fmt.Sprintf("if %[1]s := %[10]s(%[2]s); %[1]s <= 0 { %[3]s = %[4]s } else if %[11]s(%[5]s-%[6]s)/%[7]d > %[11]s(%[1]s) { %[3]s = %[8]s %[9]s %[7]d*%[1]s }",
			n, e.expr(c.step), end, extreme, last, first, strip, i, sign, integer, unsigned)
	}
	head := fmt.Sprintf("%sfor %s; %s; { %s%s := %s(%s); %s\n", labelled, e.simple(s.Init), e.expr(s.Cond), e.checkAt(s), end, integer, e.expr(c.bound), reach)
	again := fmt.Sprintf("%s %s %s", i, c.op, end)
	late := e.late(s.Body)
	body, post := e.body(s.Body, label), e.simple(s.Post)
	after := e.afterStrip(late)
	if ownBranch(s.Body, token.CONTINUE) {
		return head + "for ; " + again + "; " + post + " {" + body + "}\n" + after + "}"
	}
	return head + "for { {" + body + "}\n" + post + "\nif !(" + again + ") { break }\n}\n" + after + "}"
}

// rangeStrips is the text of a range statement that counts.
func (e *emitter) rangeStrips(s *ast.RangeStmt, label string) string {
	label, labelled := e.breakLabel(s.Body, label)
	low, high, n, i := e.temp(), e.temp(), e.temp(), ""
	if key, ok := s.Key.(*ast.Ident); ok && key.Name != "_" {
		i = key.Name
	} else {
		i = e.temp()
	}
	head := fmt.Sprintf("%[1]sfor %[2]s, %[4]s := 0, %[9]s(%[6]s); %[2]s < %[4]s; { %[7]s%[3]s := %[4]s; if %[4]s-%[2]s > %[8]d { %[3]s = %[2]s + %[8]d }\n"+
		"for %[5]s := %[2]s; %[5]s < %[3]s; %[5]s++ {", labelled, low, high, n, i, e.expr(s.X), e.checkAt(s), strip, e.predeclared("int"))
	late := e.late(s.Body)
	body := e.body(s.Body, label)
	return head + body + "}\n" + e.afterStrip(late) + low + " = " + high + "\n}"
}
