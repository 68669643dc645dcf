package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// A target is a statement that break or continue can name.
type target struct {
	label  *types.Label
	name   string // label in the emitted text
	loop   bool
	breaks bool // an unlabelled break means it
	rng    *rangeFunc
}

func (f *fn) block(list []ast.Stmt) {
	f.level++
	defer func() { f.level-- }()
	for i, s := range list {
		if f.d.module && f.level > 1 && !hasLabel(list[i+1:]) {
			if !f.stmtOrRefusal(s) {
				return
			}
			continue
		}
		f.stmt(s)
	}
}

func (f *fn) stmt(s ast.Stmt) { f.labelled(s, nil) }

// labelled emits a statement; label is the one that stands before it.
func (f *fn) labelled(s ast.Stmt, label *types.Label) {
	switch s := s.(type) {
	case *ast.EmptyStmt:
		return
	case *ast.BlockStmt:
		f.p("{")
		f.block(s.List)
		f.p("}")
		return
	case *ast.LabeledStmt:
		f.label(s)
		return
	}
	f.mark(s.Pos())
	switch s := s.(type) {
	case *ast.ExprStmt:
		f.exprStmt(s.X)
	case *ast.DeclStmt:
		f.declStmt(s.Decl.(*ast.GenDecl))
	case *ast.AssignStmt:
		f.assignStmt(s)
	case *ast.IncDecStmt:
		f.incDec(s)
	case *ast.IfStmt:
		f.ifStmt(s)
	case *ast.ForStmt:
		f.forStmt(s, label)
	case *ast.RangeStmt:
		f.rangeStmt(s, label)
	case *ast.SwitchStmt:
		f.switchStmt(s, label)
	case *ast.TypeSwitchStmt:
		f.typeSwitch(s, label)
	case *ast.SelectStmt:
		f.selectStmt(s, label)
	case *ast.ReturnStmt:
		f.returnStmt(s)
	case *ast.BranchStmt:
		f.branch(s)
	case *ast.GoStmt:
		f.goStmt(s.Call)
	case *ast.DeferStmt:
		f.deferStmt(s.Call)
	case *ast.SendStmt:
		f.send(s)
	default:
		f.e.refuse(s.Pos(), "internal: statement %T", s)
	}
}

func (f *fn) exprStmt(x ast.Expr) {
	x = ast.Unparen(x)
	if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.ARROW {
		f.p("%s", f.expr(x))
		return
	}
	call, ok := x.(*ast.CallExpr)
	if !ok {
		f.p("_ = %s", f.expr(x))
		return
	}
	f.p("%s", f.expr(call))
}

func (f *fn) declStmt(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		s := spec.(*ast.ValueSpec)
		if len(s.Values) == 0 {
			for _, id := range s.Names {
				if id.Name == "_" {
					continue
				}
				obj := f.def(id)
				f.p("var %s %s", f.name(obj), f.typ(f.sub(obj.Type())))
			}
			continue
		}
		var lhs []ast.Expr
		for _, id := range s.Names {
			lhs = append(lhs, id)
		}
		f.define(lhs, s.Values)
	}
}

// dest is one destination of an assignment.
type dest struct {
	obj   types.Object // of a variable that comes into being; nil for all others
	text  string       // the emitted destination; empty for blank
	typ   types.Type   // nil for blank
	blank bool
}

// dests prepares the destinations of an assignment or definition.
func (f *fn) dests(lhs []ast.Expr, def bool) []dest {
	var list []dest
	for _, x := range lhs {
		id, isIdent := ast.Unparen(x).(*ast.Ident)
		switch {
		case isIdent && id.Name == "_":
			list = append(list, dest{blank: true})
		case isIdent && def && f.def(id) != nil:
			obj := f.def(id)
			list = append(list, dest{obj: obj, text: f.name(obj), typ: f.sub(obj.Type())})
		default:
			list = append(list, dest{text: f.place(x), typ: f.typeOf(x)})
		}
	}
	return list
}

// pinnedDests prepares the destinations of an assignment whose operands must be evaluated before the values.
func (f *fn) pinnedDests(lhs []ast.Expr) []dest {
	ds := f.dests(lhs, false)
	for i, x := range lhs {
		if _, isIdent := ast.Unparen(x).(*ast.Ident); !isIdent {
			ds[i].text = f.pinned(x)
		}
	}
	return ds
}

// place emits an expression on the left side of an assignment.
func (f *fn) place(x ast.Expr) string {
	switch x := ast.Unparen(x).(type) {
	case *ast.StarExpr:
		return "*" + f.expr(x.X)
	case *ast.IndexExpr:
		if m, ok := f.mapElement(x); ok {
			return f.expr(x.X) + "[" + f.mapKey(x.Index, m.Key(), "") + "]"
		}
	}
	return f.expr(x)
}

// define emits the declaration of variables with values.
func (f *fn) define(lhs, rhs []ast.Expr) {
	ds := f.dests(lhs, true)
	if len(rhs) == 1 && len(lhs) > 1 {
		f.assignMulti(ds, rhs[0])
		return
	}
	if len(ds) == 1 {
		f.defineOne(ds[0], rhs[0])
		return
	}
	// All values are computed before any variable changes.
	var temps []string
	for i, x := range rhs {
		t := f.destType(ds[i], x)
		if ds[i].obj != nil {
			temps = append(temps, "")
			f.declare(ds[i].text, t, f.fresh(x, t))
			continue
		}
		n := f.temp("t")
		f.declare(n, t, f.fresh(x, t))
		temps = append(temps, n)
	}
	for i, d := range ds {
		if d.obj == nil && !d.blank {
			f.assign(d.text, temps[i])
		}
	}
}

func (f *fn) destType(d dest, x ast.Expr) types.Type {
	if d.typ != nil {
		return d.typ
	}
	return f.typeOf(x)
}

// declare emits a new variable with a value of exactly its type.
func (f *fn) declare(name string, t types.Type, text string) {
	if isInterface(t) {
		text = f.settle(text)
	}
	if isInterface(t) || strings.HasPrefix(text, "rt.") {
		f.p("var %s %s = %s", name, f.typ(t), text)
		return
	}
	f.p("%s := %s", name, text)
}

// plainText is the text of a name, or of an element or field of one, or of what a pointer leads to.
var plainText = regexp.MustCompile(`^(\(\*|[\w.\[\])])+$`)

// structLit is the start of the text of a struct literal.
var structLit = regexp.MustCompile(`^\(*(rt\.(Err)?Box|[a-z]_[A-Za-z0-9_]*\.[A-Za-z0-9_]+)\{`)

// settle keeps a struct literal in a variable first: yaegi gives the literal's own storage to a variable that it is
// assigned to, so that pointers to the variable lead nowhere and an interface variable is none any more.
func (f *fn) settle(text string) string {
	if !structLit.MatchString(text) {
		return text
	}
	n := f.temp("t")
	f.p("%s := %s", n, text)
	return n
}

// assign emits an assignment.
func (f *fn) assign(dst, text string) { f.p("%s = %s", dst, f.settle(text)) }

func (f *fn) defineOne(d dest, x ast.Expr) {
	if d.blank {
		if star, ok := ast.Unparen(x).(*ast.StarExpr); ok {
			f.p("if %s == nil { rt.NilDereference() }", f.expr(star.X))
			return
		}
		if f.info.Types[x].IsNil() {
			return
		}
		f.p("_ = %s", f.to(x, f.typeOf(x)))
		return
	}
	if d.obj == nil {
		text := f.fresh(x, d.typ)
		_, isStar := ast.Unparen(x).(*ast.StarExpr)
		if strings.HasSuffix(d.text, "]") && (isStar || f.info.Types[x].Value != nil) {
			// yaegi would delete a map's element when the pointer is nil, and look for the element before it stores a constant.
			n := f.temp("t")
			f.declare(n, d.typ, text)
			text = n
		}
		f.assign(d.text, text)
		return
	}
	// A literal may name the variable only when it is declared outside; Go's scope begins after the statement.
	f.declare(d.text, d.typ, f.fresh(x, d.typ))
}

func (f *fn) assignStmt(s *ast.AssignStmt) {
	switch s.Tok {
	case token.DEFINE:
		f.define(s.Lhs, s.Rhs)
		return
	case token.ASSIGN:
	default:
		f.opAssign(s.Lhs[0], s.Tok, s.Rhs[0])
		return
	}
	if len(s.Rhs) == 1 && len(s.Lhs) > 1 {
		f.assignMulti(f.pinnedDests(s.Lhs), s.Rhs[0])
		return
	}
	ds := f.dests(s.Lhs, false)
	if len(ds) == 1 {
		f.defineOne(ds[0], s.Rhs[0])
		return
	}
	f.assignParallel(s, ds)
}

// assignParallel emits a, b = x, y.
func (f *fn) assignParallel(s *ast.AssignStmt, ds []dest) {
	var ls, rs []string
	simple := true
	for i, x := range s.Rhs {
		t := f.destType(ds[i], x)
		rs = append(rs, f.fresh(x, t))
		if ds[i].blank {
			ls = append(ls, "_")
			simple = false
		} else {
			ls = append(ls, ds[i].text)
		}
		if isInterface(t) || !f.plain(x) || !f.plain(s.Lhs[i]) {
			simple = false
		}
		if _, ok := t.Underlying().(*types.Basic); !ok {
			simple = false
		}
	}
	if simple {
		f.p("%s = %s", strings.Join(ls, ", "), strings.Join(rs, ", "))
		return
	}
	// Operands of the left side are evaluated first, then the values, then the assignments are made from left to right.
	places := make([]string, len(ds))
	for i, x := range s.Lhs {
		if !ds[i].blank {
			places[i] = f.pinned(x)
		}
	}
	temps := make([]string, len(ds))
	for i := range ds {
		t := f.destType(ds[i], s.Rhs[i])
		temps[i] = f.temp("t")
		f.declare(temps[i], t, rs[i])
	}
	for i := range ds {
		if !ds[i].blank {
			f.p("%s = %s", places[i], temps[i])
		}
	}
}

// plain reports whether an operand is a variable, a constant, or an element or field of one with plain indices.
func (f *fn) plain(x ast.Expr) bool {
	if f.info.Types[x].Value != nil {
		return true
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return x.Name != "_" && !f.info.Types[x].IsNil()
	case *ast.IndexExpr:
		if _, ok := f.e.under(f.typeOf(x.X)).(*types.Map); ok {
			return false
		}
		return f.plain(x.X) && f.plain(x.Index)
	case *ast.BinaryExpr:
		return f.plain(x.X) && f.plain(x.Y) && x.Op != token.LAND && x.Op != token.LOR
	}
	return false
}

// pinned emits a destination whose operands are kept in temporaries, where later assignments could change them.
func (f *fn) pinned(x ast.Expr) string {
	switch x := ast.Unparen(x).(type) {
	case *ast.IndexExpr:
		t := f.typeOf(x.X)
		base := ""
		if _, isArray := t.Underlying().(*types.Array); isArray {
			base = operandOf(f.pinned(x.X))
		} else {
			n := f.temp("t")
			f.p("%s := %s", n, f.operand(x.X))
			base = n
			if _, isPointer := t.Underlying().(*types.Pointer); isPointer {
				base = "(*" + n + ")"
			}
		}
		if f.info.Types[x.Index].Value != nil {
			if m, ok := t.Underlying().(*types.Map); ok {
				return base + "[" + f.mapKey(x.Index, m.Key(), "") + "]"
			}
			return base + "[" + f.indexValue(x.Index) + "]"
		}
		n := f.temp("t")
		if m, ok := t.Underlying().(*types.Map); ok {
			f.declare(n, m.Key(), f.mapKey(x.Index, m.Key(), ""))
		} else {
			f.p("%s := %s", n, f.indexValue(x.Index))
		}
		return base + "[" + n + "]"
	case *ast.StarExpr:
		n := f.temp("t")
		f.p("%s := %s", n, f.expr(x.X))
		return "*" + n
	case *ast.SelectorExpr:
		if f.info.Selections[x] == nil {
			return f.expr(x)
		}
		t := f.typeOf(x.X)
		_, index := f.lookup(t, x.Sel.Name)
		base := ""
		if _, ok := t.Underlying().(*types.Pointer); ok {
			base = f.temp("t")
			f.p("%s := %s", base, f.expr(x.X))
		} else {
			base = operandOf(f.pinned(x.X))
		}
		text, _ := f.e.path(base, t, index)
		return text
	}
	return f.place(x)
}

// operandOf is a place as the operand of a selector or an index.
func operandOf(place string) string {
	if strings.HasPrefix(place, "*") {
		return "(" + place + ")"
	}
	return place
}

// opAssign emits x op= y.
func (f *fn) opAssign(x ast.Expr, tok token.Token, y ast.Expr) {
	op := strings.TrimSuffix(tok.String(), "=")
	t := f.typeOf(x)
	dst := ""
	if hasCall(y) {
		dst = f.pinnedUnlessVar(x)
		f.p("%s = %s", dst, f.opText(dst, op, tok, t, y))
		return
	}
	dst = f.place(x)
	if _, isMap := f.mapElement(x); isMap || tok == token.AND_NOT_ASSIGN {
		dst = f.pinnedUnlessPlain(x)
	}
	if tok == token.SHL_ASSIGN || tok == token.SHR_ASSIGN {
		dst = f.pinnedUnlessPlain(x)
		f.p("%s = %s", dst, f.shiftText(dst, op, t, y))
		return
	}
	if _, isMap := f.mapElement(x); isMap || tok == token.AND_NOT_ASSIGN {
		f.p("%s = %s %s %s", dst, dst, op, f.to(y, t))
		return
	}
	f.p("%s %s %s", dst, tok, f.to(y, t))
}

// opText is the value of x op y, x being the text of a place.
func (f *fn) opText(dst, op string, tok token.Token, t types.Type, y ast.Expr) string {
	if tok == token.SHL_ASSIGN || tok == token.SHR_ASSIGN {
		return f.shiftText(dst, op, t, y)
	}
	return dst + " " + op + " " + f.to(y, t)
}

func (f *fn) pinnedUnlessVar(x ast.Expr) string {
	if _, ok := ast.Unparen(x).(*ast.Ident); ok {
		return f.place(x)
	}
	return f.pinned(x)
}

func (f *fn) pinnedUnlessPlain(x ast.Expr) string {
	if ix, ok := ast.Unparen(x).(*ast.IndexExpr); ok && f.plain(ix.X) && f.plain(ix.Index) {
		return f.place(x)
	}
	if f.plain(x) {
		return f.place(x)
	}
	return f.pinned(x)
}

func (f *fn) mapElement(x ast.Expr) (*types.Map, bool) {
	ix, ok := ast.Unparen(x).(*ast.IndexExpr)
	if !ok {
		return nil, false
	}
	m, ok := f.typeOf(ix.X).Underlying().(*types.Map)
	return m, ok
}

func (f *fn) incDec(s *ast.IncDecStmt) {
	t := f.typeOf(s.X)
	if _, isMap := f.mapElement(s.X); isMap {
		dst := f.pinnedUnlessPlain(s.X)
		one := f.e.typ(t) + "(1)"
		f.p("%s = %s %s %s", dst, dst, s.Tok.String()[:1], one)
		return
	}
	if b := t.Underlying().(*types.Basic); b.Info()&types.IsInteger == 0 {
		f.p("%s %s= %s(1)", f.place(s.X), s.Tok.String()[:1], f.e.typ(t))
		return
	}
	f.p("%s%s", f.place(s.X), s.Tok)
}

// assignMulti emits the assignment of several values of one expression.
func (f *fn) assignMulti(ds []dest, x ast.Expr) {
	text, ts := f.multi(x)
	if _, isIndex := ast.Unparen(x).(*ast.IndexExpr); isIndex && ds[0].blank && ds[1].blank {
		f.p("_ = %s", text) // yaegi would not look into the map
		return
	}
	direct := true
	for i, d := range ds {
		if d.blank {
			continue
		}
		if d.obj == nil {
			direct = false
		}
		if !types.Identical(d.typ, ts[i]) {
			direct = false
		}
	}
	if direct {
		var ls []string
		named := false
		for _, d := range ds {
			if d.blank {
				ls = append(ls, "_")
			} else {
				ls = append(ls, d.text)
				named = true
			}
		}
		op := ":="
		if !named {
			op = "="
		}
		f.p("%s %s %s", strings.Join(ls, ", "), op, text)
		return
	}
	var temps []string
	for _, d := range ds {
		if d.blank {
			temps = append(temps, "_")
		} else {
			temps = append(temps, f.temp("t"))
		}
	}
	f.p("%s := %s", strings.Join(temps, ", "), text)
	for i, d := range ds {
		if d.blank {
			continue
		}
		v := f.e.convert(temps[i], ts[i], d.typ)
		if d.obj != nil {
			f.declare(d.text, d.typ, v)
		} else {
			f.assign(d.text, v)
		}
	}
}

// multi emits an expression with several values, and gives their types.
func (f *fn) multi(x ast.Expr) (string, []types.Type) {
	x = ast.Unparen(x)
	boolean := types.Typ[types.Bool]
	switch y := x.(type) {
	case *ast.CallExpr:
		tup := f.typeOf(y).(*types.Tuple)
		var ts []types.Type
		for v := range tup.Variables() {
			ts = append(ts, v.Type())
		}
		return f.call(y), ts
	case *ast.IndexExpr:
		m := f.typeOf(y.X).Underlying().(*types.Map)
		return f.expr(y), []types.Type{m.Elem(), boolean}
	case *ast.TypeAssertExpr:
		from, t := f.typeOf(y.X), f.sub(f.info.Types[y.Type].Type)
		return f.e.asserter(from, t, true) + "(" + f.expr(y.X) + ")", []types.Type{t, boolean}
	case *ast.UnaryExpr:
		ch := f.e.under(f.typeOf(y.X)).(*types.Chan)
		return f.e.receiver(ch, true) + "(" + f.expr(y.X) + ")", []types.Type{ch.Elem(), boolean}
	}
	f.e.refuse(x.Pos(), "internal: several values of %T", x)
	return "", nil
}

func (f *fn) ifStmt(s *ast.IfStmt) {
	if s.Init != nil {
		f.p("{")
		f.stmt(s.Init)
		f.mark(s.Cond.Pos())
	}
	f.p("if %s {", f.cond(s.Cond))
	f.block(s.Body.List)
	switch el := s.Else.(type) {
	case nil:
		f.p("}")
	case *ast.BlockStmt:
		f.p("} else {")
		f.block(el.List)
		f.p("}")
	default:
		f.p("} else {")
		f.stmt(el)
		f.p("}")
	}
	if s.Init != nil {
		f.p("}")
	}
}

// cond emits a condition without the parentheses of a binary expression.
func (f *fn) cond(x ast.Expr) string {
	if x == nil {
		return ""
	}
	if v := f.info.Types[x].Value; v != nil && !f.d.src {
		// yaegi leaves out what a constant makes unreachable, and then goes wrong with labels and returns in it.
		return "rt_" + v.String()
	}
	return f.expr(x)
}

func (f *fn) returnStmt(s *ast.ReturnStmt) {
	n := f.sig.Results().Len()
	if len(s.Results) == 0 {
		f.leave(nil, true)
		return
	}
	if len(s.Results) == 1 && n > 1 {
		text, ts := f.multi(s.Results[0])
		same := true
		for i, t := range ts {
			same = same && types.Identical(t, f.sig.Results().At(i).Type())
		}
		if same && f.results == nil {
			f.p("return %s", text)
			return
		}
		var temps []string
		for range ts {
			temps = append(temps, f.temp("t"))
		}
		f.p("%s := %s", strings.Join(temps, ", "), text)
		var vs []string
		for i, t := range ts {
			vs = append(vs, f.settle(f.e.convert(temps[i], t, f.sig.Results().At(i).Type())))
		}
		f.leave(vs, false)
		return
	}
	var vs []string
	for i, x := range s.Results {
		t := f.sig.Results().At(i).Type()
		v := f.fresh(x, t)
		switch {
		case n > 1 && !plainText.MatchString(v) && f.info.Types[x].Value == nil:
			// Among several results yaegi takes each for the first: it puts what a call gives into its place.
			tmp := f.temp("t")
			f.declare(tmp, t, v)
			v = tmp
		case isInterface(t):
			v = f.settle(v)
		}
		vs = append(vs, v)
	}
	f.leave(vs, false)
}

// leave emits a return with values, or with those that the named results have.
func (f *fn) leave(vs []string, bare bool) {
	rf := f.innermostRange(nil)
	if !f.stored && rf == nil {
		if bare {
			vs = f.results
		}
		f.p("return %s", strings.Join(vs, ", "))
		return
	}
	if !bare {
		switch len(vs) {
		case 0:
		case 1:
			f.assign(f.results[0], vs[0])
		default:
			var temps []string
			for i, v := range vs {
				n := f.temp("t")
				temps = append(temps, n)
				f.declare(n, f.sig.Results().At(i).Type(), v)
			}
			for i, n := range temps {
				f.p("%s = %s", f.results[i], n)
			}
		}
	}
	if rf != nil {
		f.jump(jump{kind: jumpReturn}, rf)
		return
	}
	f.p("return")
}

func (f *fn) goStmt(call *ast.CallExpr) {
	g := f.delayed(call, "go")
	if cell, line, ok := f.cellLine(); ok {
		f.p("rt.GoAt(%d, %d, %s)", cell, line, g)
		return
	}
	f.p("rt.Go(%s)", g)
}

func (f *fn) deferStmt(call *ast.CallExpr) {
	fun := "rt.Defer"
	if f.mayRecover(call) {
		fun = "rt.DeferAny"
	}
	g := f.delayed(call, "defer")
	f.p("%s(%s, %s)", fun, f.defers, g)
}

// mayRecover reports whether a deferred call may be of a function that calls recover by itself and was not written
// here.
func (f *fn) mayRecover(call *ast.CallExpr) bool {
	fun := ast.Unparen(call.Fun)
	if _, ok := fun.(*ast.FuncLit); ok {
		return false
	}
	if f.info.Types[fun].IsBuiltin() {
		return false
	}
	if fo, _ := f.staticFunc(fun); fo != nil {
		if d := f.e.s.bodyOf(fo.Origin()); d != nil {
			return callsRecover(d.decl.Body, d.info)
		}
		return false
	}
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		if s := f.info.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
			if m, ok := s.Obj().(*types.Func); ok {
				if d := f.e.s.bodyOf(m.Origin()); d != nil {
					return callsRecover(d.decl.Body, d.info)
				}
				if n := recvNamed(s.Recv()); n != nil && f.e.binary(n) {
					return false
				}
			}
		}
	}
	return true
}

// callsRecover reports whether a body calls recover itself.
func callsRecover(body ast.Node, info *types.Info) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
				if b, ok := info.Uses[id].(*types.Builtin); ok && b.Name() == "recover" {
					found = true
				}
			}
		}
		return !found
	})
	return found
}

// delayed emits the operands of a call that is made later, and returns the name of a func() that makes it.
func (f *fn) delayed(call *ast.CallExpr, why string) string {
	e := f.e
	fun := ast.Unparen(call.Fun)
	g := f.temp(why)
	if lit, ok := fun.(*ast.FuncLit); ok && len(call.Args) == 0 && f.sigOf(lit).Results().Len() == 0 {
		c := f.child(f.sigOf(lit))
		if why == "defer" {
			c.recovers = f.defers
		} else {
			c.recovers = ""
		}
		c.mark(lit.Pos())
		c.p("%s", startHere)
		c.body(lit.Type, lit.Body)
		f.p("%s := %s", g, closure("()", c.b.String()))
		return g
	}
	// Operands are evaluated now: each becomes a variable, and the call is emitted with identifiers in their place.
	x := &ast.CallExpr{Fun: call.Fun, Lparen: call.Lparen, Ellipsis: call.Ellipsis, Rparen: call.Rparen}
	f.info.Types[x] = f.info.Types[call]
	defer delete(f.info.Types, x)
	var synth []*ast.Ident
	pin := func(arg ast.Expr, t types.Type) ast.Expr {
		if tv := f.info.Types[arg]; tv.Value != nil || tv.IsNil() || tv.IsType() {
			return arg
		}
		id := &ast.Ident{NamePos: arg.Pos(), Name: "arg"}
		v := types.NewVar(arg.Pos(), f.d.pkg, "arg", t)
		f.info.Uses[id] = v
		f.info.Types[id] = types.TypeAndValue{Type: t}
		synth = append(synth, id)
		f.declare(f.name(v), t, f.fresh(arg, t))
		return id
	}
	defer func() {
		for _, id := range synth {
			delete(f.info.Uses, id)
			delete(f.info.Types, id)
		}
	}()
	switch y := fun.(type) {
	case *ast.FuncLit:
		x.Fun = pin(y, f.typeOf(y))
		if why == "defer" && callsRecover(y.Body, f.info) {
			// The literal recovers for the function that defers it.
			name := f.name(f.info.Uses[x.Fun.(*ast.Ident)])
			c := f.child(f.sigOf(y))
			c.recovers = f.defers
			params, _ := c.params(y.Type, f.sigOf(y))
			c.mark(y.Pos())
			c.p("%s", startHere)
			c.body(y.Type, y.Body)
			f.p("%s = %s", name, closure("("+strings.Join(params, ", ")+")"+e.resultText(f.sigOf(y)), c.b.String()))
		}
	case *ast.SelectorExpr:
		if s := f.info.Selections[y]; s != nil && s.Kind() == types.MethodVal {
			x.Fun = f.pinReceiver(y, s, &synth)
			if sel, ok := x.Fun.(*ast.SelectorExpr); ok && sel != y {
				defer delete(f.info.Selections, sel)
			}
		} else if s != nil && s.Kind() == types.FieldVal {
			x.Fun = pin(y, f.typeOf(y))
		}
	default:
		if fo, _ := f.staticFunc(fun); fo == nil && !f.info.Types[fun].IsBuiltin() && !f.info.Types[fun].IsType() {
			x.Fun = pin(call.Fun, f.typeOf(call.Fun))
		}
	}
	if tup := f.spreads(call); tup != nil {
		text := f.expr(call.Args[0])
		var names []string
		for v := range tup.Variables() {
			id := &ast.Ident{NamePos: call.Pos(), Name: "arg"}
			av := types.NewVar(call.Pos(), f.d.pkg, "arg", v.Type())
			f.info.Uses[id] = av
			f.info.Types[id] = types.TypeAndValue{Type: v.Type()}
			synth = append(synth, id)
			names = append(names, f.name(av))
			x.Args = append(x.Args, id)
		}
		f.p("%s := %s", strings.Join(names, ", "), text)
	} else {
		var sig *types.Signature
		if !f.info.Types[fun].IsBuiltin() {
			sig, _ = e.under(f.typeOf(fun)).(*types.Signature)
		}
		for i, a := range call.Args {
			t := f.typeOf2(a)
			if sig != nil {
				switch {
				case sig.Variadic() && i >= sig.Params().Len()-1 && !call.Ellipsis.IsValid():
					t = sig.Params().At(sig.Params().Len() - 1).Type().Underlying().(*types.Slice).Elem()
				case i < sig.Params().Len():
					t = sig.Params().At(i).Type()
				}
			}
			if f.info.Types[a].IsType() {
				x.Args = append(x.Args, a)
				continue
			}
			x.Args = append(x.Args, pin(a, t))
		}
	}
	c := f.child(nil)
	c.recovers = f.recovers
	if why == "go" {
		c.recovers, c.tokenVar = "nil", ""
	}
	text := c.expr(x)
	if f.info.Types[fun].IsBuiltin() && f.builtinName(call) == "recover" && why == "defer" {
		// It counts as a call from this function, and does nothing if this function panics.
		text = "rt.RecoverOuter(" + f.defers + ", " + strings.TrimPrefix(f.recoverCall(), "rt.Recover(")
	}
	if f.info.Types[fun].IsBuiltin() {
		switch f.builtinName(call) {
		case "len", "cap", "append", "complex", "real", "imag", "make", "new", "min", "max", "recover":
			text = "_ = " + text
		}
	}
	f.p("%s := %s", g, closure("()", text+"\n"))
	return g
}

func (f *fn) typeOf2(x ast.Expr) types.Type {
	if f.info.Types[x].IsNil() || f.info.Types[x].IsType() {
		return anyType
	}
	return f.typeOf(x)
}

func (f *fn) sigOf(lit *ast.FuncLit) *types.Signature {
	return f.typeOf(lit).Underlying().(*types.Signature)
}

// pinReceiver evaluates the operand of a method call that is made later.
func (f *fn) pinReceiver(y *ast.SelectorExpr, s *types.Selection, synth *[]*ast.Ident) ast.Expr {
	e := f.e
	t := f.typeOf(y.X)
	text, pt := e.path(f.operand(y.X), t, f.methodPath(t, y.Sel.Name))
	obj, _ := f.lookup(t, y.Sel.Name)
	m := obj.(*types.Func)
	rtyp := pt
	if !isInterface(pt) {
		text = e.receiverText(text, pt, m, true)
		rtyp = f.recvType(pt, m)
	}
	id := &ast.Ident{NamePos: y.Pos(), Name: "recv"}
	v := types.NewVar(y.Pos(), f.d.pkg, "recv", rtyp)
	f.info.Uses[id] = v
	f.info.Types[id] = types.TypeAndValue{Type: rtyp}
	*synth = append(*synth, id)
	f.declare(f.name(v), rtyp, text)
	if isInterface(rtyp) {
		f.p("if %s == nil { rt.NilDereference() }", f.name(v))
	}
	sel := &ast.SelectorExpr{X: id, Sel: y.Sel}
	f.info.Selections[sel] = s
	f.info.Types[sel] = f.info.Types[y]
	return sel
}

func (f *fn) send(s *ast.SendStmt) {
	ch := f.e.under(f.typeOf(s.Chan)).(*types.Chan)
	tt := f.typ(ch.Elem())
	h := f.e.helper("send "+tt, "send", func(name string) string {
		return "func " + name + "(c chan<- " + tt + ", v " + tt + ") { rt.Send(c, v) }"
	})
	f.p("%s(%s, %s)", h, f.expr(s.Chan), f.to(s.Value, ch.Elem()))
}

func (f *fn) label(s *ast.LabeledStmt) {
	obj, _ := f.info.Defs[s.Label].(*types.Label)
	n := f.name(obj)
	if f.gotoTarget(obj) {
		f.p("G%s:", n)
		f.e.at = s.Pos()
		f.checkStop() // goto may loop; and yaegi wants a statement behind a label
	}
	f.labelled(s.Stmt, obj)
}

// gotoTarget reports whether a goto of the function names the label.
func (f *fn) gotoTarget(l *types.Label) bool {
	for id, o := range f.info.Uses {
		if o == l && f.gotos(id) {
			return true
		}
	}
	return false
}

func (f *fn) gotos(id *ast.Ident) bool {
	if f.shared.gotoIDs == nil {
		f.shared.gotoIDs = map[*ast.Ident]bool{}
		for _, body := range f.bodies {
			ast.Inspect(body, func(n ast.Node) bool {
				if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
					f.shared.gotoIDs[b.Label] = true
				}
				return true
			})
		}
	}
	return f.shared.gotoIDs[id]
}
