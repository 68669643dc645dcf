package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

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
			list = append(list, dest{obj: obj, text: f.name(obj), typ: f.closed(obj.Type())})
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
	defer f.order(f.valueOperands(lhs, rhs)...)()
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
		f.printf("var %s %s = %s", name, f.typ(t), text)
		return
	}
	f.printf("%s := %s", name, text)
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
	f.printf("%s := %s", n, text)
	return n
}

// assign emits an assignment.
func (f *fn) assign(dst, text string) { f.printf("%s = %s", dst, f.settle(text)) }

func (f *fn) defineOne(d dest, x ast.Expr) {
	if d.blank {
		if star, ok := ast.Unparen(x).(*ast.StarExpr); ok {
			f.printf("if %s == nil { rt.NilDereference() }", f.expr(star.X))
			return
		}
		if f.info.Types[x].IsNil() {
			return
		}
		f.printf("_ = %s", f.to(x, f.typeOf(x)))
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
	defer f.order(append(f.placeOperands(s.Lhs...), f.valueOperands(s.Lhs, s.Rhs)...)...)()
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
		f.printf("%s = %s", strings.Join(ls, ", "), strings.Join(rs, ", "))
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
			f.printf("%s = %s", places[i], temps[i])
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
			f.printf("%s := %s", n, f.operand(x.X))
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
			f.printf("%s := %s", n, f.indexValue(x.Index))
		}
		return base + "[" + n + "]"
	case *ast.StarExpr:
		n := f.temp("t")
		f.printf("%s := %s", n, f.expr(x.X))
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
			f.printf("%s := %s", base, f.expr(x.X))
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
	defer f.order(exprs(x, y)...)()
	op := strings.TrimSuffix(tok.String(), "=")
	t := f.typeOf(x)
	dst := ""
	if hasCall(y) {
		dst = f.pinnedUnlessVar(x)
		f.printf("%s = %s", dst, f.opText(dst, op, tok, t, y))
		return
	}
	dst = f.place(x)
	if _, isMap := f.mapElement(x); isMap || tok == token.AND_NOT_ASSIGN {
		dst = f.pinnedUnlessPlain(x)
	}
	if tok == token.SHL_ASSIGN || tok == token.SHR_ASSIGN {
		dst = f.pinnedUnlessPlain(x)
		f.printf("%s = %s", dst, f.shiftText(dst, op, t, y))
		return
	}
	if _, isMap := f.mapElement(x); isMap || tok == token.AND_NOT_ASSIGN {
		f.printf("%s = %s %s %s", dst, dst, op, f.to(y, t))
		return
	}
	f.printf("%s %s %s", dst, tok, f.to(y, t))
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
	defer f.order(exprs(s.X)...)()
	t := f.typeOf(s.X)
	if _, isMap := f.mapElement(s.X); isMap {
		dst := f.pinnedUnlessPlain(s.X)
		one := f.e.typ(t) + "(1)"
		f.printf("%s = %s %s %s", dst, dst, s.Tok.String()[:1], one)
		return
	}
	if b := t.Underlying().(*types.Basic); b.Info()&types.IsInteger == 0 {
		f.printf("%s %s= %s(1)", f.place(s.X), s.Tok.String()[:1], f.e.typ(t))
		return
	}
	f.printf("%s%s", f.place(s.X), s.Tok)
}

// assignMulti emits the assignment of several values of one expression.
func (f *fn) assignMulti(ds []dest, x ast.Expr) {
	text, ts := f.multi(x)
	if _, isIndex := ast.Unparen(x).(*ast.IndexExpr); isIndex && ds[0].blank && ds[1].blank {
		f.printf("_ = %s", text) // yaegi would not look into the map
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
		f.printf("%s %s %s", strings.Join(ls, ", "), op, text)
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
	f.printf("%s := %s", strings.Join(temps, ", "), text)
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
		from, t := f.typeOf(y.X), f.closed(f.info.Types[y.Type].Type)
		return f.e.asserter(from, t, true) + "(" + f.expr(y.X) + ")", []types.Type{t, boolean}
	case *ast.UnaryExpr:
		ch := f.e.under(f.typeOf(y.X)).(*types.Chan)
		return f.e.receiver(ch, true) + "(" + f.expr(y.X) + ")", []types.Type{ch.Elem(), boolean}
	}
	f.e.refuse(x.Pos(), "internal: several values of %T", x)
	return "", nil
}
