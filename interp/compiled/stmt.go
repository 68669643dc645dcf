package compiled

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"gaucho/interp/engine"
)

// check is the text that ends a goroutine whose cell has been interrupted.
func (e *emitter) check() string {
	c := e.cell()
	return "if " + c + ".Up != 0 { " + c + ".Stop() }; "
}

// checkAt is the same with the line of a statement, whose text may have more lines than the statement.
func (e *emitter) checkAt(s ast.Stmt) string { return e.lineDirective(s.Pos()) + e.check() }

// entered is the text of a function's statements, with a check that each call passes which may come back to the function.
// What the function does before it calls anything precedes the check: the end of a recursion needs none.
func (e *emitter) entered(body *ast.BlockStmt, check string) string {
	i := 0
	for i < len(body.List) && !e.calls(body.List[i]) {
		i++
	}
	if i == 0 || i == len(body.List) {
		return check + e.stmts(body.List)
	}
	return e.stmts(body.List[:i]) + e.lineDirective(body.Lbrace) + check + e.stmts(body.List[i:])
}

// calls reports whether a statement calls anything that may call functions of the session.
func (e *emitter) calls(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = found || !quick(n, e.info)
		case *ast.RangeStmt:
			_, overFunc := core(e.info.TypeOf(n.X)).(*types.Signature)
			found = found || overFunc
		}
		return !found
	})
	return found
}

// entryCheck is the check at the start of a function literal: it has one when it calls what may call it again.
func (e *emitter) entryCheck(body *ast.BlockStmt) string {
	calls := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
				if _, ok := e.object(id).(*types.Var); ok {
					calls = true
				}
			}
		}
		return !calls
	})
	if calls {
		return e.check()
	}
	return ""
}

func (e *emitter) stmts(list []ast.Stmt) string {
	var b strings.Builder
	for _, s := range list {
		localOnly := len(e.copies) > 0 && e.localOnly(s)
		if localOnly {
			e.held++
		} else {
			b.WriteString(e.pendingText())
		}
		b.WriteString(e.lineDirective(s.Pos()))
		b.WriteString(e.stmt(s))
		b.WriteByte('\n')
		e.wait(s)
		if localOnly {
			e.held--
		}
	}
	if e.held == 0 {
		b.WriteString(e.pendingText())
	}
	return b.String()
}

func (e *emitter) block(s *ast.BlockStmt) string { return "{" + e.stmts(s.List) + "}" }

// stmt is the text of a statement.
func (e *emitter) stmt(s ast.Stmt) string {
	switch s := s.(type) {
	case nil:
		return ""
	case *ast.EmptyStmt:
		return ";"
	case *ast.ExprStmt:
		return e.exprStmt(s)
	case *ast.SendStmt:
		return e.send(s)
	case *ast.IncDecStmt:
		return e.expr(s.X) + s.Tok.String()
	case *ast.AssignStmt:
		return e.assign(s)
	case *ast.GoStmt:
		return e.goStmt(s)
	case *ast.DeferStmt:
		if e.atTop() {
			return e.deferTop(s)
		}
		return "defer " + e.deferred(s.Call)
	case *ast.ReturnStmt:
		return "return " + e.list(s.Results)
	case *ast.BranchStmt:
		if s.Label != nil {
			return s.Tok.String() + " " + s.Label.Name
		}
		if s.Tok == token.BREAK && e.breakTo != "" {
			return "break " + e.breakTo
		}
		return s.Tok.String()
	case *ast.BlockStmt:
		return e.block(s)
	case *ast.IfStmt:
		text := "if " + e.init(s.Init) + e.expr(s.Cond) + " " + e.block(s.Body)
		if s.Else != nil {
			text += " else " + e.stmt(s.Else)
		}
		return text
	case *ast.ForStmt:
		return e.loop(s, func() string { return e.forStmt(s) })
	case *ast.RangeStmt:
		if elem := e.element(s.X); elem != "" {
			e.takeLabel()
			return e.rangeChan(s, elem)
		}
		return e.loop(s, func() string { return e.rangeStmt(s) })
	case *ast.SwitchStmt:
		return "switch " + e.init(s.Init) + e.optional(s.Tag) + " " + e.clauses(s.Body)
	case *ast.TypeSwitchStmt:
		what := e.simple(s.Assign)
		if x, ok := s.Assign.(*ast.ExprStmt); ok {
			what = e.expr(x.X)
		}
		return "switch " + e.init(s.Init) + what + " " + e.clauses(s.Body)
	case *ast.SelectStmt:
		return e.selectStmt(s)
	case *ast.LabeledStmt:
		return e.labelled(s)
	case *ast.DeclStmt:
		return e.localDecl(s.Decl.(*ast.GenDecl))
	}
	panic(fmt.Sprintf("compiled: statement %T", s))
}

func (e *emitter) simple(s ast.Stmt) string {
	if s == nil {
		return ""
	}
	return e.stmt(s)
}

func (e *emitter) init(s ast.Stmt) string {
	if s == nil {
		return ""
	}
	return e.stmt(s) + "; "
}

// exprStmt is the text of an expression as a statement. One that Go would not take as such is evaluated.
func (e *emitter) exprStmt(s *ast.ExprStmt) string {
	x := ast.Unparen(s.X)
	switch c := x.(type) {
	case *ast.CallExpr:
		tv := e.info.Types[c.Fun]
		if !tv.IsType() {
			if !tv.IsBuiltin() || statementBuiltin(c) {
				return e.expr(x)
			}
		}
	case *ast.UnaryExpr:
		if c.Op == token.ARROW {
			return e.receive(c)
		}
	}
	return "_ = " + e.expr(x)
}

func statementBuiltin(c *ast.CallExpr) bool {
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	switch id.Name {
	case "clear", "close", "copy", "delete", "panic", "print", "println", "recover":
		return true
	}
	return false
}

func (e *emitter) assign(s *ast.AssignStmt) string {
	var lhs []string
	for _, x := range s.Lhs {
		lhs = append(lhs, e.expr(x))
	}
	return strings.Join(lhs, ", ") + " " + s.Tok.String() + " " + e.list(s.Rhs)
}

func (e *emitter) clauses(body *ast.BlockStmt) string {
	var b strings.Builder
	b.WriteString("{")
	outer := e.breakTo
	e.breakTo = ""
	defer func() { e.breakTo = outer }()
	for _, s := range body.List {
		b.WriteString(e.lineDirective(s.Pos()))
		switch c := s.(type) {
		case *ast.CaseClause:
			if c.List == nil {
				b.WriteString("default:")
			} else {
				b.WriteString("case " + e.list(c.List) + ":")
			}
			b.WriteString(e.stmts(c.Body))
		case *ast.CommClause:
			if c.Comm == nil {
				b.WriteString("default:")
			} else {
				b.WriteString("case " + e.communication(c.Comm) + ":")
			}
			b.WriteString(e.stmts(c.Body))
		}
	}
	b.WriteString("}")
	return b.String()
}

// labelled is the text of a statement with a label. Behind one that goto may come back to, there is a check.
func (e *emitter) labelled(s *ast.LabeledStmt) string {
	text := s.Label.Name + ":\n"
	switch s.Stmt.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		e.label = s.Label.Name
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.BlockStmt:
	default:
		text += e.check()
	}
	return text + e.stmt(s.Stmt)
}

// localDecl is the text of a declaration inside a function.
func (e *emitter) localDecl(d *ast.GenDecl) string {
	var b strings.Builder
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			b.WriteString(e.localValue(d.Tok, spec))
		case *ast.TypeSpec:
			if spec.Assign.IsValid() { // only embedded fields need it: elsewhere aliases are resolved
				if spec.TypeParams == nil {
					b.WriteString("type " + spec.Name.Name + " = " + e.typ(e.info.TypeOf(spec.Type), spec.Pos()) + "\n")
				}
				continue
			}
			obj := e.info.Defs[spec.Name].(*types.TypeName)
			delete(e.locals, obj) // its own text has its own name
			params := ""
			if n, ok := obj.Type().(*types.Named); ok {
				params = e.typeParams(listed(n.TypeParams()), spec.Pos())
			}
			t := e.info.TypeOf(spec.Type)
			text := ""
			if st, ok := t.(*types.Struct); ok {
				text = e.structText(st, spec.Pos())
			} else {
				text = e.typ(t, spec.Pos())
			}
			b.WriteString("type " + spec.Name.Name + params + " " + text + "\n")
			if spec.Name.Name != "_" && params == "" { // an alias could not stand for one with type parameters
				e.locals[obj] = e.temp()
				b.WriteString("type " + e.locals[obj] + " = " + spec.Name.Name + "\n")
			}
		}
	}
	return b.String()
}

// mentioned is text that uses the variables of functions in expressions of which the text holds only the values: Go's compiler
// does not take a variable that is not used.
func (e *emitter) mentioned(list []ast.Expr) string {
	var b strings.Builder
	for _, x := range list {
		ast.Inspect(x, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := e.info.Uses[id].(*types.Var); ok && !v.IsField() && e.s.vars[v] == nil && v.Pkg() == e.s.pkg && !isGlobal(v) {
					b.WriteString("_ = " + id.Name + "\n")
				}
			}
			return true
		})
	}
	return b.String()
}

func (e *emitter) localValue(tok token.Token, spec *ast.ValueSpec) string {
	if tok == token.CONST {
		var b strings.Builder
		b.WriteString(e.mentioned(spec.Values))
		for _, n := range spec.Names {
			c, ok := e.info.Defs[n].(*types.Const)
			if !ok || n.Name == "_" {
				continue
			}
			typ := ""
			if basic, ok := c.Type().(*types.Basic); !ok || basic.Info()&types.IsUntyped == 0 {
				typ = " " + e.typ(c.Type(), n.Pos())
			}
			fmt.Fprintf(&b, "const %s%s = %s\n", n.Name, typ, literal(c.Val(), c.Type()))
		}
		return b.String()
	}
	var names []string
	for _, n := range spec.Names {
		names = append(names, n.Name)
	}
	text := "var " + strings.Join(names, ", ")
	if spec.Type != nil {
		text += " " + e.typ(e.info.TypeOf(spec.Type), spec.Pos())
	}
	if len(spec.Values) > 0 {
		text += " = " + e.list(spec.Values)
	}
	return text + "\n"
}

// deferred is the text of a call that is deferred.
func (e *emitter) deferred(c *ast.CallExpr) string {
	if e.info.Types[c.Fun].IsBuiltin() {
		if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok && id.Name == "recover" {
			return "recover()"
		}
	}
	if e.info.Types[c.Fun].IsType() {
		return "func(" + e.predeclared("any") + ") {}(" + e.expr(c) + ")"
	}
	return e.call(c)
}

// goStmt is the text of a go statement: the call's operands are evaluated, then the runtime starts a goroutine that
// reports a panic into the cell.
func (e *emitter) goStmt(s *ast.GoStmt) string {
	c := s.Call
	if lit, ok := ast.Unparen(c.Fun).(*ast.FuncLit); ok && len(c.Args) == 0 {
		if sig := e.info.TypeOf(lit).(*types.Signature); sig.Results().Len() == 0 {
			return e.cell() + ".Go(" + e.expr(lit) + ")"
		}
	}
	tv := e.info.Types[c.Fun]
	if tv.IsBuiltin() || tv.IsType() {
		return e.cell() + ".Go(func() { " + e.exprStmt(&ast.ExprStmt{X: c}) + " })"
	}
	e.literal++ // what runs later reaches later forms
	before, call := e.evaluated(c)
	e.literal--
	return "{\n" + before + e.cell() + ".Go(func() { " + call + " })\n}"
}

// evaluated is the text that evaluates the operands of a call that is made later, and that of the call.
func (e *emitter) evaluated(c *ast.CallExpr) (before, call string) {
	fun, args := e.callee(c)
	sig, _ := core(e.info.TypeOf(c.Fun)).(*types.Signature)
	var b strings.Builder
	var names, set, values []string
	if len(c.Args) == 1 && len(args) == 1 {
		if tuple, ok := e.info.TypeOf(c.Args[0]).(*types.Tuple); ok {
			for range tuple.Len() {
				names = append(names, e.temp())
			}
			fmt.Fprintf(&b, "%s := %s\n", strings.Join(names, ", "), args[0])
			args = nil
		}
	}
	extra := len(args) - len(c.Args)
	for i, a := range args {
		if i >= extra {
			a = "(" + e.paramType(sig, i-extra, c) + ")(" + a + ")"
		}
		n := e.temp()
		names, set, values = append(names, n), append(set, n), append(values, a)
	}
	if !e.static(c) {
		f := e.temp()
		set, values = append(set, f), append(values, fun)
		fun = f
	}
	if len(set) > 0 { // in one statement, so that the compiler chooses the order
		fmt.Fprintf(&b, "%s := %s\n", strings.Join(set, ", "), strings.Join(values, ", "))
	}
	return b.String(), fmt.Sprintf("%s(%s%s)", fun, strings.Join(names, ", "), e.ellipsis(c))
}

// static reports whether a call names a function, so that there is nothing to evaluate before.
func (e *emitter) static(c *ast.CallExpr) bool {
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		_, ok := e.object(f).(*types.Func)
		return ok
	case *ast.SelectorExpr:
		_, ok := e.object(f.Sel).(*types.Func)
		return ok && e.info.Selections[f] == nil
	case *ast.IndexExpr, *ast.IndexListExpr:
		return true
	}
	return false
}

func (e *emitter) temp() string {
	e.temps++
	return fmt.Sprintf("t%s%d", mark, e.temps)
}

// paramType is the type of the parameter that takes argument i.
func (e *emitter) paramType(sig *types.Signature, i int, c *ast.CallExpr) string {
	n := sig.Params().Len()
	if sig.Variadic() && i >= n-1 && !c.Ellipsis.IsValid() {
		return e.typ(sig.Params().At(n-1).Type().Underlying().(*types.Slice).Elem(), c.Pos())
	}
	return e.typ(sig.Params().At(i).Type(), c.Pos())
}

// statements writes the function that runs the statements of the part.
func (e *emitter) statements() {
	e.info, e.fset, e.fn, e.local = e.part.Info, e.part.Fset, nil, true
	body := e.part.Body
	var b strings.Builder
	for i, c := range body {
		if i >= len(body)-e.part.Show {
			break
		}
		if c.Var != nil {
			e.varDecls(c.Var)
			b.WriteString(e.lineDirective(c.Var.Pos()))
			b.WriteString(e.initialise(c.Var))
			b.WriteString(e.zeroHidden(c.Var.Names))
		} else {
			b.WriteString(e.lineDirective(c.Stmt.Pos()))
			b.WriteString(e.topStmt(c.Stmt))
		}
		b.WriteByte('\n')
		if len(body) > 1 && !e.part.Program {
			fmt.Fprintf(&b, "%s.Step(%d)\n", e.cell(), i+1)
		}
	}
	if e.part.Show > 0 {
		b.WriteString(e.show(body[len(body)-e.part.Show:]))
	}
	e.entry.WriteString(b.String())
}

// initialise is the text that gives the variables of a declaration their values.
func (e *emitter) initialise(spec *ast.ValueSpec) string {
	var lhs []string
	for _, id := range spec.Names {
		v, ok := e.info.Defs[id].(*types.Var)
		if !ok || id.Name == "_" {
			lhs = append(lhs, "_")
			continue
		}
		lhs = append(lhs, e.variable(v, e.s.vars[v], id.Pos()))
	}
	if len(spec.Values) == 0 {
		var b strings.Builder
		for i, id := range spec.Names {
			if lhs[i] != "_" {
				n := e.temp()
				fmt.Fprintf(&b, "var %s %s\n%s = %s\n", n, e.typ(e.info.Defs[id].Type(), id.Pos()), lhs[i], n)
			}
		}
		return b.String()
	}
	if len(spec.Values) == 1 && spec.Type != nil && lhs[0] == "_" { // var _ T = x
		return "var _ " + e.typ(e.info.TypeOf(spec.Type), spec.Pos()) + " = " + e.expr(spec.Values[0])
	}
	return strings.Join(lhs, ", ") + " = " + e.list(spec.Values)
}

// show is the text that reports the values of the last expressions.
func (e *emitter) show(chunks []engine.Chunk) string {
	var b strings.Builder
	var values []string
	for _, c := range chunks {
		x := ast.Unparen(c.Stmt.(*ast.ExprStmt).X)
		b.WriteString(e.lineDirective(x.Pos()))
		tv := e.info.Types[x]
		if tuple, ok := tv.Type.(*types.Tuple); ok && tuple.Len() > 0 {
			var names []string
			for range tuple.Len() {
				names = append(names, e.temp())
			}
			fmt.Fprintf(&b, "%s := %s\n", strings.Join(names, ", "), e.expr(x))
			values = append(values, names...)
			continue
		} else if ok || tv.IsVoid() {
			b.WriteString(e.exprStmt(&ast.ExprStmt{X: x}) + "\n")
			continue
		}
		n := e.temp()
		if tv.IsNil() {
			fmt.Fprintf(&b, "var %s %s\n", n, e.predeclared("any"))
		} else {
			fmt.Fprintf(&b, "var %s %s = %s\n", n, e.predeclared("any"), e.expr(x))
		}
		values = append(values, n)
	}
	if len(values) > 0 {
		fmt.Fprintf(&b, "%s.Result(%s)\n", e.cell(), strings.Join(values, ", "))
	}
	return b.String()
}
