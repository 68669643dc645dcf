package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// push enters a statement that break or continue can name; the returned function leaves it.
func (f *fn) push(t *target) func() {
	if t.label != nil && t.name == "" {
		t.name = f.temp("label")
	}
	f.targets = append(f.targets, t)
	return func() { f.targets = f.targets[:len(f.targets)-1] }
}

// startLabel writes the label of a statement, if a break or continue names it.
func (f *fn) startLabel(t *target, body ast.Node) {
	if t.label == nil {
		return
	}
	used := false
	ast.Inspect(body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Label != nil && b.Tok != token.GOTO && f.info.Uses[b.Label] == t.label {
			used = true
		}
		return !used
	})
	if used {
		f.p("%s:", t.name)
	}
}

// checkStop emits the check whether the cell must stop, with its place for profiles.
func (f *fn) checkStop() {
	if cell, line, ok := f.cellLine(); ok {
		f.p("if *rt_stop { rt.StoppedAt(%d, %d) }", cell, line)
		return
	}
	f.p("if *rt_stop { rt.Stopped() }")
}

// cellLine is the line of a cell of what is being emitted. A module's source is in no cell.
func (f *fn) cellLine() (cell, line int, ok bool) {
	at := f.d.fset.Position(f.e.pos())
	n, err := fmt.Sscanf(at.Filename, "c%d", &cell)
	return cell, at.Line, n == 1 && err == nil
}

func (f *fn) forStmt(s *ast.ForStmt, label *types.Label) {
	t := &target{label: label, loop: true, breaks: true}
	defer f.push(t)()
	vars := f.iterationVars(s)
	if len(vars) > 0 {
		f.forCopies(s, t, vars)
		return
	}
	braces := false
	init := ""
	if s.Init != nil {
		if text, ok := f.simpleStmt(s.Init); ok {
			init = text
		} else {
			braces = true
			f.p("{")
			f.stmt(s.Init)
		}
	}
	post, postOK := "", true
	if s.Post != nil {
		post, postOK = f.simpleStmt(s.Post)
	}
	if !postOK {
		if init != "" {
			f.p("{")
			f.p("%s", init)
			braces = true
		}
		f.forPost(s, t)
	} else {
		f.startLabel(t, s.Body)
		switch {
		case init == "" && post == "" && s.Cond == nil:
			f.p("for {")
		case init == "" && post == "":
			f.p("for %s {", f.cond(s.Cond))
		default:
			f.p("for %s; %s; %s {", init, f.cond(s.Cond), post)
		}
		f.checkStop()
		f.block(s.Body.List)
		f.p("}")
	}
	if braces {
		f.p("}")
	}
}

// simpleStmt emits a statement as one piece of text, if it is one.
func (f *fn) simpleStmt(s ast.Stmt) (string, bool) {
	if hasLiteral(s) { // whose brace the parser would take for the statement's
		return "", false
	}
	c := *f
	c.b = &strings.Builder{}
	switch s := s.(type) {
	case *ast.AssignStmt:
		c.assignStmt(s)
	case *ast.IncDecStmt:
		c.incDec(s)
	case *ast.ExprStmt:
		c.exprStmt(s.X)
	case *ast.SendStmt:
		c.send(s)
	default:
		return "", false
	}
	text := strings.TrimSuffix(c.b.String(), "\n")
	if strings.Contains(text, "\n") || strings.HasPrefix(text, "var ") {
		return "", false
	}
	return text, true
}

func hasLiteral(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		_, ok := n.(*ast.CompositeLit)
		found = found || ok
		return !found
	})
	return found
}

// forPost emits a loop whose post statement takes several: it stands at the head of all rounds but the first.
func (f *fn) forPost(s *ast.ForStmt, t *target) {
	first := f.temp("first")
	f.p("%s := true", first)
	f.startLabel(t, s.Body)
	f.p("for {")
	f.checkStop()
	f.p("if %s { %s = false } else {", first, first)
	f.stmt(s.Post)
	f.p("}")
	if s.Cond != nil {
		f.p("if !%s { break }", f.expr(s.Cond))
	}
	f.block(s.Body.List)
	f.p("}")
}

// iterationVars are the variables of a loop of which every iteration needs its own.
func (f *fn) iterationVars(s *ast.ForStmt) []*types.Var {
	def, ok := s.Init.(*ast.AssignStmt)
	if !ok || def.Tok != token.DEFINE || f.d.oldLoops {
		return nil
	}
	var list []*types.Var
	for _, x := range def.Lhs {
		if id, ok := x.(*ast.Ident); ok {
			if v, ok := f.def(id).(*types.Var); ok && f.escapes[v] {
				list = append(list, v)
			}
		}
	}
	return list
}

// forCopies emits a loop of which every iteration has its own variables. A pointer leads to those of the last one.
func (f *fn) forCopies(s *ast.ForStmt, t *target, vars []*types.Var) {
	f.p("{")
	f.stmt(s.Init)
	var last []string
	for _, v := range vars {
		n := f.temp("last")
		last = append(last, n)
		f.p("%s := &%s", n, f.name(v))
	}
	first := f.temp("first")
	f.p("%s := true", first)
	f.startLabel(t, s.Body)
	f.p("for {")
	f.checkStop()
	for i, v := range vars {
		old := f.name(v)
		n := f.temp(v.Name())
		f.names[v] = n
		f.p("%s := *%s", n, last[i])
		f.p("%s = &%s", last[i], n)
		_ = old
	}
	f.p("if %s { %s = false } else {", first, first)
	if s.Post != nil {
		f.stmt(s.Post)
	}
	f.p("}")
	if s.Cond != nil {
		f.p("if !%s { break }", f.expr(s.Cond))
	}
	f.block(s.Body.List)
	f.p("}")
	f.p("}")
}

// assigned reports whether a body assigns to a variable or lets it escape.
func (f *fn) assigned(v types.Object, body ast.Node) bool {
	if f.escapes[v] {
		return true
	}
	found := false
	is := func(x ast.Expr) {
		for {
			switch y := x.(type) {
			case *ast.ParenExpr:
				x = y.X
				continue
			case *ast.SelectorExpr:
				x = y.X
				continue
			case *ast.IndexExpr:
				x = y.X
				continue
			case *ast.Ident:
				if f.info.Uses[y] == v {
					found = true
				}
			}
			return
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				is(x)
			}
		case *ast.IncDecStmt:
			is(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				is(n.Key)
				is(n.Value)
			}
		}
		return !found
	})
	return found
}

// A rangeVar is the key or value variable of a range.
type rangeVar struct {
	expr ast.Expr
	obj  types.Object // that comes into being for each iteration
	typ  types.Type
	on   bool // there is one
}

func (f *fn) rangeVar(x ast.Expr, def bool) rangeVar {
	if x == nil {
		return rangeVar{}
	}
	if id, ok := x.(*ast.Ident); ok {
		if id.Name == "_" {
			return rangeVar{}
		}
		if def {
			obj := f.def(id)
			t := f.sub(obj.Type())
			if f.d.oldLoops && f.escapes[obj] {
				f.p("var %s %s", f.name(obj), f.typ(t))
				return rangeVar{x, nil, t, true}
			}
			return rangeVar{x, obj, t, true}
		}
	}
	return rangeVar{x, nil, f.typeOf(x), true}
}

// setBoth gives key and value of an iteration their values. Places that are assigned to are found before.
func (f *fn) setBoth(k rangeVar, ktext string, kt types.Type, v rangeVar, vtext string, vt types.Type) {
	if k.on && k.obj == nil && v.on && v.obj == nil {
		kp, vp := f.pinned(k.expr), f.pinned(v.expr)
		f.assign(kp, f.e.convert(ktext, kt, k.typ))
		f.assign(vp, f.e.convert(vtext, vt, v.typ))
		return
	}
	f.setRange(k, ktext, kt)
	f.setRange(v, vtext, vt)
}

// setRange gives the variable of an iteration its value, of type t.
func (f *fn) setRange(v rangeVar, text string, t types.Type) {
	if !v.on {
		return
	}
	text = f.e.convert(text, t, v.typ)
	if v.obj != nil {
		f.declare(f.name(v.obj), v.typ, text)
		return
	}
	f.assign(f.place(v.expr), text)
}

func (f *fn) rangeStmt(s *ast.RangeStmt, label *types.Label) {
	t := &target{label: label, loop: true, breaks: true}
	def := s.Tok == token.DEFINE
	k, v := f.rangeVar(s.Key, def), f.rangeVar(s.Value, def)
	xt := f.typeOf(s.X)
	under := f.e.under(xt)
	if sig, ok := under.(*types.Signature); ok {
		f.rangeOverFunc(s, t, sig, k, v)
		return
	}
	defer f.push(t)()
	f.p("{")
	switch u := under.(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			f.rangeString(s, t, k, v)
		} else {
			f.rangeInt(s, t, k)
		}
	case *types.Slice:
		f.rangePairs(s, t, k, v, f.expr(s.X), types.Typ[types.Int], u.Elem())
	case *types.Array:
		x := ""
		if v.on {
			x = f.temp("x")
			f.p("%s := %s", x, f.expr(s.X))
		} else {
			f.rangeCount(s, t, k, int(u.Len()), s.X)
			break
		}
		f.rangePairs(s, t, k, v, x, types.Typ[types.Int], u.Elem())
	case *types.Pointer:
		a := u.Elem().Underlying().(*types.Array)
		f.rangeArrayPointer(s, t, k, v, a)
	case *types.Map:
		f.rangePairs(s, t, k, v, f.expr(s.X), u.Key(), u.Elem())
	case *types.Chan:
		f.rangeChan(s, t, k, u)
	default:
		f.e.refuse(s.Pos(), "internal: range over %v", xt)
	}
	f.p("}")
}

func (f *fn) rangeInt(s *ast.RangeStmt, t *target, k rangeVar) {
	nt := f.typeOf(s.X)
	if k.on {
		nt = k.typ
	}
	limit := ""
	if v := f.info.Types[s.X].Value; v != nil {
		limit = f.e.constText(v, nt)
	} else {
		limit = f.temp("n")
		f.p("%s := %s", limit, f.to(s.X, nt))
	}
	i := f.temp("i")
	copied := k.on && (k.obj == nil || f.assigned(k.obj, s.Body))
	if k.on && !copied {
		i = f.name(k.obj)
	}
	zero := "0"
	if b := nt.Underlying().(*types.Basic); b.Kind() != types.Int || f.e.native(nt) && isNamed(types.Unalias(nt)) {
		zero = f.typ(nt) + "(0)"
	}
	f.startLabel(t, s.Body)
	f.p("for %s := %s; %s < %s; %s++ {", i, zero, i, limit, i)
	f.checkStop()
	if copied {
		f.setRange(k, i, nt)
	}
	f.block(s.Body.List)
	f.p("}")
}

// rangeCount is a range over an array of which only the index is wanted.
func (f *fn) rangeCount(s *ast.RangeStmt, t *target, k rangeVar, n int, x ast.Expr) {
	if f.evaluates(x) {
		f.defineOne(dest{blank: true}, x)
	}
	i := f.temp("i")
	copied := k.on && (k.obj == nil || f.assigned(k.obj, s.Body))
	if k.on && !copied {
		i = f.name(k.obj)
	}
	f.startLabel(t, s.Body)
	f.p("for %s := 0; %s < %d; %s++ {", i, i, n, i)
	f.checkStop()
	if copied {
		f.setRange(k, i, types.Typ[types.Int])
	}
	f.block(s.Body.List)
	f.p("}")
}

// evaluates reports whether an array's expression is evaluated where only its length counts: it calls a function or
// receives.
func (f *fn) evaluates(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = found || !f.info.Types[n.Fun].IsType() && f.info.Types[n].Value == nil
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

func hasCall(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// rangePairs is a range over a slice, the copy of an array, or a map, with keys and elements of the given types.
func (f *fn) rangePairs(s *ast.RangeStmt, t *target, k, v rangeVar, x string, key, elem types.Type) {
	copyK := k.on && (k.obj == nil || f.assigned(k.obj, s.Body))
	copyV := v.on && (v.obj == nil || f.assigned(v.obj, s.Body))
	if isChan(elem) && v.on {
		f.rangeByIndex(s, t, k, v, x, key, elem)
		return
	}
	kn, vn := "_", ""
	switch {
	case copyK:
		kn = f.temp("k")
	case k.on:
		kn = f.name(k.obj)
	}
	switch {
	case copyV:
		vn = f.temp("v")
	case v.on:
		vn = f.name(v.obj)
	}
	f.startLabel(t, s.Body)
	switch {
	case vn != "":
		f.p("for %s, %s := range %s {", kn, vn, x)
	case kn != "_":
		f.p("for %s := range %s {", kn, x)
	default:
		f.p("for range %s {", x)
	}
	f.checkStop()
	if !copyK {
		k.on = false
	}
	if !copyV {
		v.on = false
	}
	f.setBoth(k, kn, key, v, vn, elem)
	f.block(s.Body.List)
	f.p("}")
}

func isChan(t types.Type) bool {
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// rangeByIndex is a range over a list or map of channels: yaegi would receive from the value.
func (f *fn) rangeByIndex(s *ast.RangeStmt, t *target, k, v rangeVar, x string, kt, elem types.Type) {
	xn, i := f.temp("x"), f.temp("i")
	f.p("%s := %s", xn, x)
	f.startLabel(t, s.Body)
	f.p("for %s := range %s {", i, xn)
	f.checkStop()
	f.setBoth(k, i, kt, v, xn+"["+i+"]", elem)
	f.block(s.Body.List)
	f.p("}")
}

func (f *fn) rangeArrayPointer(s *ast.RangeStmt, t *target, k, v rangeVar, a *types.Array) {
	if !v.on {
		f.rangeCount(s, t, k, int(a.Len()), s.X)
		return
	}
	p := f.temp("x")
	f.p("%s := %s", p, f.expr(s.X))
	i := f.temp("i")
	f.startLabel(t, s.Body)
	f.p("for %s := 0; %s < %d; %s++ {", i, i, a.Len(), i)
	f.checkStop()
	f.setBoth(k, i, types.Typ[types.Int], v, "(*"+p+")["+i+"]", a.Elem())
	f.block(s.Body.List)
	f.p("}")
}

// rangeString decodes the whole string first: yaegi's own range counts invalid bytes as Go does not.
func (f *fn) rangeString(s *ast.RangeStmt, t *target, k, v rangeVar) {
	is, rs, j := f.temp("is"), f.temp("rs"), f.temp("j")
	f.p("%s, %s := rt.Runes(%s)", is, rs, f.expr(s.X))
	f.startLabel(t, s.Body)
	f.p("for %s := range %s {", j, rs)
	f.checkStop()
	f.setBoth(k, is+"["+j+"]", types.Typ[types.Int], v, rs+"["+j+"]", types.Typ[types.Int32])
	if !k.on && !v.on {
		f.p("_ = %s", j)
	}
	f.block(s.Body.List)
	f.p("}")
}

func (f *fn) rangeChan(s *ast.RangeStmt, t *target, k rangeVar, ch *types.Chan) {
	c, v, ok := f.temp("c"), f.temp("v"), f.temp("ok")
	f.p("%s := %s", c, f.expr(s.X))
	f.startLabel(t, s.Body)
	f.p("for {")
	f.checkStop()
	f.p("%s, %s := %s(%s)", v, ok, f.e.receiver(ch, true), c)
	f.p("if !%s { break }", ok)
	if k.on {
		f.setRange(k, v, ch.Elem())
	} else {
		f.p("_ = %s", v)
	}
	f.block(s.Body.List)
	f.p("}")
}

// switchStmt emits a switch whose cases are conditions: comparisons of the kind that the tag needs.
func (f *fn) switchStmt(s *ast.SwitchStmt, label *types.Label) {
	t := &target{label: label, breaks: true}
	defer f.push(t)()
	f.p("{")
	if s.Init != nil {
		f.stmt(s.Init)
	}
	var tag *ast.Ident
	var tt types.Type
	if s.Tag != nil {
		tt = f.typeOf(s.Tag)
		tag = &ast.Ident{NamePos: s.Tag.Pos(), Name: "tag"}
		v := types.NewVar(s.Tag.Pos(), f.d.pkg, "tag", tt)
		f.info.Uses[tag] = v
		f.info.Types[tag] = types.TypeAndValue{Type: tt}
		defer func() { delete(f.info.Uses, tag); delete(f.info.Types, tag) }()
		f.mark(s.Tag.Pos())
		f.declare(f.name(v), tt, f.to(s.Tag, tt))
	}
	if numbered(s.Body) {
		f.numberedSwitch(s, t, tag)
		f.p("}")
		return
	}
	f.startLabel(t, s.Body)
	f.p("switch {")
	for _, c := range s.Body.List {
		cc := c.(*ast.CaseClause)
		f.mark(cc.Pos())
		if cc.List == nil {
			f.p("default:")
		} else {
			f.p("case %s:", f.caseText(cc, tag))
		}
		f.caseBody(cc.Body)
	}
	f.p("}")
	f.p("}")
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
	f.p("%s := -1", which)
	f.p("switch {")
	for i, c := range s.Body.List {
		cc := c.(*ast.CaseClause)
		if cc.List != nil {
			f.p("case %s:", f.caseText(cc, tag))
			f.p("%s = %d", which, i)
		}
	}
	f.p("default:")
	for i, c := range s.Body.List {
		if c.(*ast.CaseClause).List == nil {
			f.p("%s = %d", which, i)
		}
	}
	f.p("}")
	f.startLabel(t, s.Body)
	f.p("switch %s {", which)
	for i, c := range s.Body.List {
		f.mark(c.Pos())
		f.p("case %d:", i)
		f.caseBody(c.(*ast.CaseClause).Body)
	}
	f.p("}")
}

// caseBody emits the statements of a case. yaegi finds a label only in a block of its own.
func (f *fn) caseBody(list []ast.Stmt) {
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
	f.p("{")
	f.block(list)
	f.p("}")
	if ok {
		f.branch(through)
	}
}

// caseText is the condition of a case.
func (f *fn) caseText(cc *ast.CaseClause, tag *ast.Ident) string {
	var list []string
	for _, x := range cc.List {
		switch {
		case tag == nil && isInterface(f.typeOf(x)):
			list = append(list, "rt.Equal(true, "+f.to(x, anyType)+")")
		case tag == nil:
			list = append(list, f.expr(x))
		case f.info.Types[x].IsNil():
			list = append(list, "("+f.expr(tag)+" == nil)")
		default:
			list = append(list, f.equalText(tag, x, false))
		}
	}
	return strings.Join(list, " || ")
}

func (f *fn) typeSwitch(s *ast.TypeSwitchStmt, label *types.Label) {
	e := f.e
	t := &target{label: label, breaks: true}
	defer f.push(t)()
	f.p("{")
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
	v, id := f.temp("x"), f.temp("id")
	orig := ""
	if bound != nil && e.compiledInterface(xt) {
		orig = f.temp("x")
		f.declare(orig, xt, f.to(x, xt))
		f.declare(v, anyType, e.convert(orig, xt, anyType))
	} else {
		f.declare(v, anyType, f.to(x, anyType))
	}
	f.p("%s := rt.TypeID(%s)", id, v)
	f.startLabel(t, s.Body)
	f.p("switch {")
	for _, c := range s.Body.List {
		cc := c.(*ast.CaseClause)
		f.mark(cc.Pos())
		var only types.Type
		if cc.List == nil {
			f.p("default:")
		} else {
			var list []string
			for _, ct := range cc.List {
				if f.info.Types[ct].IsNil() {
					list = append(list, v+" == nil")
					continue
				}
				ty := f.sub(f.info.Types[ct].Type)
				if len(cc.List) == 1 {
					only = ty
				}
				if isInterface(ty) {
					list = append(list, fmt.Sprintf("(%s != nil && rt.Implements(%s, %s))", v, v, e.desc(ty)))
				} else {
					list = append(list, fmt.Sprintf("%s == %d", id, e.describe(ty)))
				}
			}
			f.p("case %s:", strings.Join(list, " || "))
		}
		if obj := f.info.Implicits[cc]; obj != nil && bound != nil {
			name := f.name(obj)
			switch {
			case only == nil && orig != "":
				f.p("%s := %s", name, orig)
			case only == nil:
				f.p("var %s any = %s", name, v)
			case e.compiledInterface(only):
				f.p("var %s %s = %s(%s)", name, e.typ(only), e.helperInto(only), v)
			case isInterface(only):
				f.p("var %s any = %s", name, v)
			case e.native(only):
				f.p("%s := %s", name, e.cast(v, only))
			default:
				f.p("%s := %s", name, e.cast(v+".(rt.Box).V", only))
			}
		}
		f.caseBody(cc.Body)
	}
	f.p("}")
	f.p("}")
}

// selectStmt emits a select through package rt, where it ends when the cell is interrupted.
func (f *fn) selectStmt(s *ast.SelectStmt, label *types.Label) {
	e := f.e
	t := &target{label: label, breaks: true}
	defer f.push(t)()
	f.p("{")
	var ops []string
	hasDefault := false
	for _, c := range s.Body.List {
		cc := c.(*ast.CommClause)
		switch st := cc.Comm.(type) {
		case nil:
			hasDefault = true
		case *ast.SendStmt:
			ch := e.under(f.typeOf(st.Chan)).(*types.Chan)
			cn, vn := f.temp("c"), f.temp("v")
			f.p("%s := %s", cn, f.expr(st.Chan))
			f.declare(vn, ch.Elem(), f.to(st.Value, ch.Elem()))
			ops = append(ops, "rt.SendCase("+cn+", "+vn+")")
		default:
			cn := f.temp("c")
			f.p("%s := %s", cn, f.expr(f.received(st)))
			ops = append(ops, "rt.RecvCase("+cn+")")
		}
	}
	which, got, ok := f.temp("which"), f.temp("got"), f.temp("ok")
	list := append([]string{fmt.Sprint(hasDefault)}, ops...)
	f.p("%s, %s, %s := rt.Select(%s)", which, got, ok, strings.Join(list, ", "))
	f.p("_ = %s", got)
	f.p("_ = %s", ok)
	f.startLabel(t, s.Body)
	f.p("switch {")
	n := 0
	for _, c := range s.Body.List {
		cc := c.(*ast.CommClause)
		f.mark(cc.Pos())
		if cc.Comm == nil {
			f.p("default:")
		} else {
			f.p("case %s == %d:", which, n)
			n++
		}
		if as, isAssign := cc.Comm.(*ast.AssignStmt); isAssign {
			ch := e.under(f.typeOf(f.received(as))).(*types.Chan)
			def := as.Tok == token.DEFINE
			ds := f.dests(as.Lhs, def)
			val := f.temp("v")
			tt := e.typ(ch.Elem())
			if tt == "any" {
				f.p("var %s any = %s", val, got)
			} else {
				f.p("var %s %s", val, tt)
				f.p("if %s != nil { %s = %s }", got, val, e.cast(got, ch.Elem()))
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
	f.p("}")
	f.p("}")
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

func (f *fn) branch(s *ast.BranchStmt) {
	switch s.Tok {
	case token.FALLTHROUGH:
		f.p("fallthrough")
	case token.GOTO:
		obj := f.info.Uses[s.Label].(*types.Label)
		if rf := f.innermostRange(nil); rf != nil && !rf.contains(obj) {
			f.jump(jump{kind: jumpGoto, label: obj}, rf)
			return
		}
		f.p("goto G%s", f.name(obj))
	case token.BREAK, token.CONTINUE:
		var label *types.Label
		if s.Label != nil {
			label = f.info.Uses[s.Label].(*types.Label)
		}
		f.leaveLoop(s.Tok, label)
	}
}

// leaveLoop emits break or continue of the named target, or of the innermost.
func (f *fn) leaveLoop(tok token.Token, label *types.Label) {
	kind := jumpBreak
	if tok == token.CONTINUE {
		kind = jumpContinue
	}
	goal := f.goal(tok, label)
	if goal == nil {
		f.e.refuse(f.e.pos(), "internal: no target of %s", tok)
	}
	rf := f.innermostRange(goal)
	if rf == nil {
		if goal.rng != nil {
			rf = goal.rng
		} else {
			if label != nil {
				f.p("%s %s", tok, goal.name)
			} else {
				f.p("%s", tok)
			}
			return
		}
	}
	f.jump(jump{kind: kind, target: goal, labelled: label != nil}, rf)
}

func (f *fn) goal(tok token.Token, label *types.Label) *target {
	for i := len(f.targets) - 1; i >= 0; i-- {
		t := f.targets[i]
		switch {
		case label != nil:
			if t.label == label {
				return t
			}
		case tok == token.CONTINUE && t.loop, tok == token.BREAK && t.breaks:
			return t
		}
	}
	return nil
}
