package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"runtime"
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
		f.printf("%s:", t.name)
	}
}

// oneThread says that nothing happens while a cell runs unless it lets go of the only thread, so that its checks poll.
const oneThread = runtime.GOOS == "js"

// checkStop emits the check whether the cell must stop, with its place for profiles.
func (f *fn) checkStop() {
	if oneThread {
		f.printf("rt_polls--")
		f.printf("if rt_polls < 0 { rt_polls = 255; rt.Poll() }")
	}
	if cell, line, ok := f.cellLine(); ok {
		f.printf("if *rt_stop { rt.StoppedAt(%d, %d) }", cell, line)
		return
	}
	f.printf("if *rt_stop { rt.Stopped() }")
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
			f.printf("{")
			f.stmt(s.Init)
		}
	}
	post, postOK := "", true
	if s.Post != nil {
		post, postOK = f.simpleStmt(s.Post)
	}
	other := !postOK || f.read(s.Cond).astray
	if init != "" && (other || s.Cond == nil && post == "") { // yaegi runs an init that is all of the head in every round
		f.printf("{")
		f.printf("%s", init)
		init, braces = "", true
	}
	if other {
		f.forPost(s, t)
	} else {
		f.startLabel(t, s.Body)
		switch {
		case init == "" && post == "" && s.Cond == nil:
			f.printf("for {")
		case init == "" && post == "":
			f.printf("for %s {", f.cond(s.Cond))
		default:
			f.printf("for %s; %s; %s {", init, f.cond(s.Cond), post)
		}
		f.checkStop()
		f.block(s.Body.List)
		f.printf("}")
	}
	if braces {
		f.printf("}")
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

// forPost emits a loop whose post statement takes several: they come first in every round but the first.
func (f *fn) forPost(s *ast.ForStmt, t *target) {
	first := f.temp("first")
	f.printf("%s := true", first)
	f.startLabel(t, s.Body)
	f.printf("for {")
	f.checkStop()
	f.printf("if %s { %s = false } else {", first, first)
	if s.Post != nil {
		f.stmt(s.Post)
	}
	f.printf("}")
	f.breakUnless(s.Cond)
	f.block(s.Body.List)
	f.printf("}")
}

// breakUnless emits a loop's condition as a statement.
func (f *fn) breakUnless(cond ast.Expr) {
	if cond == nil {
		return
	}
	defer f.order(f.rootOperands(cond)...)()
	f.printf("if !%s { break }", f.expr(cond))
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
	f.printf("{")
	f.stmt(s.Init)
	var last []string
	for _, v := range vars {
		n := f.temp("last")
		last = append(last, n)
		f.printf("%s := &%s", n, f.name(v))
	}
	first := f.temp("first")
	f.printf("%s := true", first)
	f.startLabel(t, s.Body)
	f.printf("for {")
	f.checkStop()
	for i, v := range vars {
		old := f.name(v)
		n := f.temp(v.Name())
		f.names[v] = n
		f.printf("%s := *%s", n, last[i])
		f.printf("%s = &%s", last[i], n)
		_ = old
	}
	f.printf("if %s { %s = false } else {", first, first)
	if s.Post != nil {
		f.stmt(s.Post)
	}
	f.printf("}")
	f.breakUnless(s.Cond)
	f.block(s.Body.List)
	f.printf("}")
	f.printf("}")
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
			t := f.closed(obj.Type())
			if f.d.oldLoops && f.escapes[obj] {
				f.printf("var %s %s", f.name(obj), f.typ(t))
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
	f.printf("{")
	defer f.order(f.rootOperands(s.X)...)()
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
			f.printf("%s := %s", x, f.expr(s.X))
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
	f.printf("}")
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
		f.printf("%s := %s", limit, f.to(s.X, nt))
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
	f.printf("for %s := %s; %s < %s; %s++ {", i, zero, i, limit, i)
	f.checkStop()
	if copied {
		f.setRange(k, i, nt)
	}
	f.block(s.Body.List)
	f.printf("}")
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
	f.printf("for %s := 0; %s < %d; %s++ {", i, i, n, i)
	f.checkStop()
	if copied {
		f.setRange(k, i, types.Typ[types.Int])
	}
	f.block(s.Body.List)
	f.printf("}")
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
		f.printf("for %s, %s := range %s {", kn, vn, x)
	case kn != "_":
		f.printf("for %s := range %s {", kn, x)
	default:
		f.printf("for range %s {", x)
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
	f.printf("}")
}

func isChan(t types.Type) bool {
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// rangeByIndex is a range over a list or map of channels: yaegi would receive from the value.
func (f *fn) rangeByIndex(s *ast.RangeStmt, t *target, k, v rangeVar, x string, kt, elem types.Type) {
	xn, i := f.temp("x"), f.temp("i")
	f.printf("%s := %s", xn, x)
	f.startLabel(t, s.Body)
	f.printf("for %s := range %s {", i, xn)
	f.checkStop()
	f.setBoth(k, i, kt, v, xn+"["+i+"]", elem)
	f.block(s.Body.List)
	f.printf("}")
}

func (f *fn) rangeArrayPointer(s *ast.RangeStmt, t *target, k, v rangeVar, a *types.Array) {
	if !v.on {
		f.rangeCount(s, t, k, int(a.Len()), s.X)
		return
	}
	p := f.temp("x")
	f.printf("%s := %s", p, f.expr(s.X))
	i := f.temp("i")
	f.startLabel(t, s.Body)
	f.printf("for %s := 0; %s < %d; %s++ {", i, i, a.Len(), i)
	f.checkStop()
	f.setBoth(k, i, types.Typ[types.Int], v, "(*"+p+")["+i+"]", a.Elem())
	f.block(s.Body.List)
	f.printf("}")
}

// rangeString decodes the whole string first: yaegi's own range counts invalid bytes as Go does not.
func (f *fn) rangeString(s *ast.RangeStmt, t *target, k, v rangeVar) {
	is, rs, j := f.temp("is"), f.temp("rs"), f.temp("j")
	f.printf("%s, %s := rt.Runes(%s)", is, rs, f.expr(s.X))
	f.startLabel(t, s.Body)
	f.printf("for %s := range %s {", j, rs)
	f.checkStop()
	f.setBoth(k, is+"["+j+"]", types.Typ[types.Int], v, rs+"["+j+"]", types.Typ[types.Int32])
	if !k.on && !v.on {
		f.printf("_ = %s", j)
	}
	f.block(s.Body.List)
	f.printf("}")
}

func (f *fn) rangeChan(s *ast.RangeStmt, t *target, k rangeVar, ch *types.Chan) {
	c, v, ok := f.temp("c"), f.temp("v"), f.temp("ok")
	f.printf("%s := %s", c, f.expr(s.X))
	f.startLabel(t, s.Body)
	f.printf("for {")
	f.checkStop()
	f.printf("%s, %s := %s(%s)", v, ok, f.e.receiver(ch, true), c)
	f.printf("if !%s { break }", ok)
	if k.on {
		f.setRange(k, v, ch.Elem())
	} else {
		f.printf("_ = %s", v)
	}
	f.block(s.Body.List)
	f.printf("}")
}
