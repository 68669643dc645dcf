package lower

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"gaucho/interp/engine"
)

// expr emits an expression. Its text has the lowered type of the expression's own type.
func (f *fn) expr(x ast.Expr) string {
	if n, ok := f.pins.names[x]; ok {
		return n
	}
	if tv := f.info.Types[x]; tv.Value != nil {
		return f.e.constText(tv.Value, f.typeOf(x))
	} else if tv.IsNil() {
		return "nil"
	}
	switch x := x.(type) {
	case *ast.ParenExpr:
		return f.expr(x.X)
	case *ast.Ident:
		return f.ident(x)
	case *ast.FuncLit:
		return f.e.identity(f.typeOf(x)) + "(" + f.funcLit(x) + ")"
	case *ast.CompositeLit:
		return f.composite(x, f.typeOf(x))
	case *ast.SelectorExpr:
		return f.selector(x)
	case *ast.IndexExpr:
		return f.index(x)
	case *ast.IndexListExpr:
		return f.funcValue(x)
	case *ast.SliceExpr:
		return f.slice(x)
	case *ast.StarExpr:
		if text, ok := f.reinterpreted(x); ok {
			return text
		}
		return "(*" + f.expr(x.X) + ")"
	case *ast.UnaryExpr:
		return f.unary(x)
	case *ast.BinaryExpr:
		return f.binary(x)
	case *ast.CallExpr:
		return f.call(x)
	case *ast.TypeAssertExpr:
		return f.assert(f.expr(x.X), f.typeOf(x.X), f.typeOf(x))
	}
	f.e.refuse(x.Pos(), "internal: expression %T", x)
	return ""
}

// fresh emits an expression for a place where a function literal may be written as it is.
func (f *fn) fresh(x ast.Expr, t types.Type) string {
	if lit, ok := ast.Unparen(x).(*ast.FuncLit); ok && !isInterface(t) {
		return f.funcLit(lit)
	}
	return f.to(x, t)
}

func (f *fn) ident(x *ast.Ident) string {
	switch obj := f.obj(x).(type) {
	case *types.Var:
		if obj == f.e.part.Ctx && obj != nil {
			return "rt.Ctx()"
		}
		if obj == f.e.part.Shown && obj != nil {
			return "rt.Out"
		}
		if f.imported(obj) {
			return f.e.compiledPlace(x.Pos(), obj)
		}
		return f.name(obj)
	case *types.Func:
		return f.funcValue(x)
	case *types.Nil:
		return "nil"
	}
	f.e.refuse(x.Pos(), "internal: identifier %s", x.Name)
	return ""
}

// staticFunc finds the function that an expression names, with its type arguments.
func (f *fn) staticFunc(x ast.Expr) (*types.Func, []types.Type) {
	var id *ast.Ident
	switch y := ast.Unparen(x).(type) {
	case *ast.Ident:
		id = y
	case *ast.SelectorExpr:
		if f.info.Selections[y] != nil {
			return nil, nil
		}
		id = y.Sel
	case *ast.IndexExpr:
		if _, ok := f.typeOf(y.X).(*types.Signature); !ok {
			return nil, nil
		}
		return f.staticFunc(y.X)
	case *ast.IndexListExpr:
		return f.staticFunc(y.X)
	default:
		return nil, nil
	}
	fo, ok := f.info.Uses[id].(*types.Func)
	if !ok {
		return nil, nil
	}
	var targs []types.Type
	if inst, ok := f.info.Instances[id]; ok {
		for t := range inst.TypeArgs.Types() {
			targs = append(targs, f.closed(t))
		}
	}
	return fo, targs
}

// funcText is the emitted name of a function; compiled says that it is one of a compiled package.
func (f *fn) funcText(fo *types.Func, targs []types.Type) (text string, compiled bool) {
	e := f.e
	o := fo.Origin()
	if e.s.bodyOf(o) != nil {
		return e.funcName(o, targs), false
	}
	if fo.Pkg() == nil {
		e.refuse(e.pos(), "internal: function %s", fo.FullName())
	}
	path := fo.Pkg().Path()
	if len(targs) == 0 && !isCell(fo.Pkg()) && e.s.lib.Has(path, fo.Name()) {
		return e.imp(path) + "." + fo.Name(), true
	}
	g, d := e.declaration(o)
	if d == nil || d.decl.Body == nil {
		e.refuse(e.pos(), "%s is not known to the interpreter", fo.FullName())
	}
	return e.funcName(g, targs), false
}

// funcValue emits a function's name used as a value.
func (f *fn) funcValue(x ast.Expr) string {
	fo, targs := f.staticFunc(x)
	if fo == nil {
		f.e.refuse(x.Pos(), "internal: function value %T", x)
	}
	f.e.at = x.Pos()
	if alias := f.e.alias(fo); alias != "" {
		return alias
	}
	if name := fullName(fo); fo.Pkg() != nil && fo.Signature().Recv() == nil {
		if n := moduleFuncs[name]; n != "" && f.d.module {
			return "rt." + n
		}
		if why := refusedFuncs[name]; why != "" {
			f.e.refuse(x.Pos(), "%s used as a value, perhaps for %s, cannot be interpreted", name, why)
		}
		if hostFuncs[name] && !f.d.module {
			f.e.refuse(x.Pos(), "%s cannot be interpreted", name)
		}
	}
	text, compiled := f.funcText(fo, targs)
	if compiled {
		return text
	}
	return f.e.identity(f.typeOf(x)) + "(" + text + ")"
}

// funcLit emits a function literal as it is.
func (f *fn) funcLit(x *ast.FuncLit) string {
	sig := f.typeOf(x).Underlying().(*types.Signature)
	c := f.child(sig)
	params, args := c.params(x.Type, sig)
	self := f.temp("self")
	c.again = self + "(" + pass(sig, args) + ")"
	c.lineDirective(x.Pos())
	c.printf("%s", startHere)
	c.body(x.Type, x.Body)
	text := "(" + strings.Join(params, ", ") + ")" + f.e.resultText(sig)
	if body := c.b.String(); strings.Contains(body, self) {
		return "func() func" + text + " {\nvar " + self + " func" + text + "\n" + self + " = func" + text + " {\n" + body + "}\nreturn " + self + "\n}()" + f.inlineLine(x.End())
	}
	return closure(text, c.b.String()) + f.inlineLine(x.End())
}

// closure is a function literal with parameters, results and body, as what a literal returns that is called at once. yaegi
// keeps a literal's value in a place of the frame that all values of the literal share: one could be taken for another
// when goroutines run them. Here each has a frame of its own.
func closure(sig, body string) string {
	return "func() func" + sig + " { return func" + sig + " {\n" + body + "} }()"
}

// fieldName is the name of a field in the lowered struct.
func (e *emitter) fieldName(owner types.Type, st *types.Struct, i int) string {
	v := st.Field(i)
	if e.native(owner) || v.Exported() {
		return v.Name()
	}
	if v.Name() == "_" {
		return fmt.Sprintf("X_blank%d", i)
	}
	return "X_" + v.Name()
}

// path walks from a value along a field path, and returns the text and type of the last field.
func (e *emitter) path(text string, t types.Type, index []int) (string, types.Type) {
	for _, i := range index {
		owner := types.Unalias(t)
		if p, ok := owner.Underlying().(*types.Pointer); ok {
			owner = types.Unalias(p.Elem())
		}
		st, ok := e.under(owner).(*types.Struct)
		if !ok {
			e.refuse(e.pos(), "internal: field of %v", t)
		}
		text += "." + e.fieldName(owner, st, i)
		t = e.subst(st.Field(i).Type(), nil, true)
	}
	return text, t
}

func (f *fn) selector(x *ast.SelectorExpr) string {
	e := f.e
	sel := f.info.Selections[x]
	if sel == nil {
		switch obj := f.info.Uses[x.Sel].(type) {
		case *types.Func:
			return f.funcValue(x)
		case *types.Var:
			if !f.imported(obj) {
				return f.name(obj)
			}
			return e.compiledPlace(x.Pos(), obj)
		}
		e.refuse(x.Pos(), "internal: selector %s", x.Sel.Name)
	}
	if sel.Kind() == types.FieldVal {
		text, _, _ := f.field(x)
		return text
	}
	if sel.Kind() == types.MethodExpr {
		return f.methodExpr(x)
	}
	return f.methodValue(x)
}

// imported reports whether a variable is one of a compiled package. An identifier means one after a dot import.
func (f *fn) imported(v *types.Var) bool {
	return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() && !isCell(v.Pkg()) && f.e.s.module(v.Pkg()) == nil && v.Pkg() != f.d.pkg
}

// compiledPlace is a variable of a compiled package.
func (e *emitter) compiledPlace(pos token.Pos, v *types.Var) string {
	path := v.Pkg().Path()
	if !e.s.lib.Has(path, v.Name()) {
		e.refuse(pos, "the variable %s.%s is not known to the interpreter", path, v.Name())
	}
	if n, ok := types.Unalias(v.Type()).(*types.Named); ok && !n.Obj().Exported() && n.Obj().Pkg() != nil {
		return e.imp(path) + "." + v.Name() // its type has no name here
	}
	return "(*" + e.compiledVar(v) + ")"
}

// compiledVar names a pointer to a variable of a compiled package. yaegi itself folds what such a variable holds when it
// compiles, and does not assign to it.
func (e *emitter) compiledVar(v *types.Var) string {
	s := e.s
	if n, ok := s.vars[v]; ok {
		return n
	}
	name := s.fresh("q_" + v.Pkg().Name() + "_" + v.Name())
	engine.Set(&s.Undo, s.vars, v, name)
	e.decl("var %s = rt.Variable(%q, %q).(*%s)\n", name, v.Pkg().Path(), v.Name(), e.typ(e.subst(v.Type(), nil, true)))
	return name
}

// lookup finds a field or method of a closed type.
func (f *fn) lookup(t types.Type, name string) (types.Object, []int) {
	pkg := f.d.pkg
	obj, index, _ := types.LookupFieldOrMethod(t, true, pkg, name)
	if obj == nil {
		if src := f.e.worldOf(t); src != nil {
			obj, index, _ = types.LookupFieldOrMethod(src, true, pkg, name)
		}
	}
	return obj, index
}

// worldOf is the same type as its package's source has it, for instances of generic types of compiled packages.
func (e *emitter) worldOf(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		if n, ok := types.Unalias(p.Elem()).(*types.Named); ok {
			if src := e.sourceNamed(n); src != nil {
				return types.NewPointer(src)
			}
		}
		return nil
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		if src := e.sourceNamed(n); src != nil {
			return src
		}
	}
	return nil
}

// field emits x.f for a field.
func (f *fn) field(x *ast.SelectorExpr) (string, types.Type, bool) {
	t := f.typeOf(x.X)
	e := f.e
	if src := e.worldOf(t); src != nil {
		if obj, index, _ := types.LookupFieldOrMethod(src, true, f.d.pkg, x.Sel.Name); obj != nil {
			text, ft := e.path(f.operand(x.X), t, index)
			return text, ft, true
		}
	}
	obj, index := f.lookup(t, x.Sel.Name)
	if _, ok := obj.(*types.Var); !ok {
		e.refuse(x.Pos(), "internal: no field %s in %v", x.Sel.Name, t)
	}
	text, ft := e.path(f.operand(x.X), t, index)
	return text, ft, true
}

// operand is an expression as the operand of a selector or an index.
func (f *fn) operand(x ast.Expr) string {
	if star, ok := ast.Unparen(x).(*ast.StarExpr); ok {
		return "(*" + f.expr(star.X) + ")"
	}
	text := f.expr(x)
	if strings.HasPrefix(text, "&") {
		return "(" + text + ")"
	}
	return text
}

func (f *fn) index(x *ast.IndexExpr) string {
	if fo, _ := f.staticFunc(x); fo != nil {
		return f.funcValue(x)
	}
	t := f.typeOf(x.X)
	if m, ok := t.Underlying().(*types.Map); ok {
		text := f.expr(x.X)
		return text + "[" + f.mapKey(x.Index, m.Key(), text) + "]"
	}
	return f.list(x.X) + "[" + f.indexValue(x.Index) + "]"
}

// list is the operand of an index or slice expression. A pointer to an array is followed here: yaegi does not take the
// address of an element that it reaches by a pointer.
func (f *fn) list(x ast.Expr) string {
	if _, ok := f.typeOf(x).Underlying().(*types.Pointer); ok {
		return "(*" + f.expr(x) + ")"
	}
	return f.operand(x)
}

// indexValue is an index as an int.
func (f *fn) indexValue(x ast.Expr) string {
	if v := f.info.Types[x].Value; v != nil {
		return constant.ToInt(v).ExactString()
	}
	text := f.expr(x)
	if b, ok := f.typeOf(x).Underlying().(*types.Basic); ok && b.Kind() != types.Int {
		return "int(" + text + ")"
	}
	return text
}

func (f *fn) slice(x *ast.SliceExpr) string {
	part := func(y ast.Expr) string {
		if y == nil {
			return ""
		}
		return f.indexValue(y)
	}
	text := f.list(x.X) + "[" + part(x.Low) + ":" + part(x.High)
	if x.Slice3 {
		text += ":" + part(x.Max)
	}
	return text + "]"
}

func (f *fn) unary(x *ast.UnaryExpr) string {
	switch x.Op {
	case token.AND:
		if lit, ok := ast.Unparen(x.X).(*ast.CompositeLit); ok {
			return f.addressed(lit, f.typeOf(lit))
		}
		return "(&" + f.operand(x.X) + ")"
	case token.ARROW:
		ch := f.e.under(f.typeOf(x.X)).(*types.Chan)
		return f.e.receiver(ch, false) + "(" + f.expr(x.X) + ")"
	}
	return "(" + x.Op.String() + f.expr(x.X) + ")"
}

// addressed emits &T{...}.
func (f *fn) addressed(lit *ast.CompositeLit, t types.Type) string {
	text := f.composite(lit, t)
	if _, ok := f.e.under(t).(*types.Struct); ok {
		if st := f.e.under(t).(*types.Struct); st.NumFields() > 0 {
			return "&" + text
		}
	}
	return f.e.pointerTo(text, t)
}

// pointerTo is a pointer to a copy of a value of type t.
func (e *emitter) pointerTo(text string, t types.Type) string {
	tt := e.typ(t)
	param, use := e.exact(t)
	return e.helper("ptr "+tt, "ptr", func(name string) string {
		if use != "" {
			return "func " + name + "(x " + param + ") *" + tt + " { y := x" + use + "; return &y }"
		}
		return "func " + name + "(x " + tt + ") *" + tt + " { return &x }"
	}) + "(" + e.exactArg(text, t) + ")"
}

// exact is the type of the parameter by which a helper gets a value of type t, and how it uses it. yaegi passes no argument
// that is equal to zero, and so loses the sign of -0.0 unless the number comes in a slice.
func (e *emitter) exact(t types.Type) (param, use string) {
	if e.holdsFloat(t) {
		return "[]" + e.typ(t), "[0]"
	}
	return e.typ(t), ""
}

// exactArg is the argument for a parameter that exact gives.
func (e *emitter) exactArg(text string, t types.Type) string {
	if e.holdsFloat(t) {
		return "[]" + e.typ(t) + "{0: " + text + "}"
	}
	return text
}

// holdsFloat reports whether a type is one of floating-point or complex numbers, or has such parts.
func (e *emitter) holdsFloat(t types.Type) bool {
	switch u := e.under(t).(type) {
	case *types.Basic:
		return u.Info()&(types.IsFloat|types.IsComplex) != 0
	case *types.Array:
		return e.holdsFloat(u.Elem())
	case *types.Struct:
		for v := range u.Fields() {
			if e.holdsFloat(v.Type()) {
				return true
			}
		}
	}
	return false
}

func (f *fn) binary(x *ast.BinaryExpr) string {
	switch x.Op {
	case token.LAND, token.LOR:
		return "(" + f.expr(x.X) + " " + x.Op.String() + " " + f.expr(x.Y) + ")"
	case token.EQL, token.NEQ:
		return f.equal(x)
	case token.LSS, token.GTR, token.LEQ, token.GEQ:
		t := f.operandType(x.X, x.Y)
		return "(" + f.to(x.X, t) + " " + x.Op.String() + " " + f.to(x.Y, t) + ")"
	case token.SHL, token.SHR:
		return f.shift(x)
	}
	t := f.typeOf(x)
	return "(" + f.to(x.X, t) + " " + x.Op.String() + " " + f.to(x.Y, t) + ")"
}

func (f *fn) shift(x *ast.BinaryExpr) string {
	t := f.typeOf(x)
	left := ""
	if v := f.info.Types[x.X].Value; v != nil {
		left = f.e.constText(v, t)
	} else {
		left = f.expr(x.X)
	}
	return f.shiftText(left, x.Op.String(), t, x.Y)
}

func (f *fn) shiftText(left, op string, t types.Type, y ast.Expr) string {
	if v := f.info.Types[y].Value; v != nil {
		n := constant.ToInt(v)
		if k, ok := constant.Uint64Val(n); ok && k < 64 {
			return fmt.Sprintf("(%s %s uint(%d))", left, op, k)
		}
		return fmt.Sprintf("(%s %s uint(64))", left, op)
	}
	yt := f.typeOf(y).Underlying().(*types.Basic)
	count := f.expr(y)
	if yt.Info()&types.IsUnsigned == 0 {
		count = "rt.ShiftCount(int64(" + count + "))"
	} else {
		count = "uint(" + count + ")"
	}
	return "(" + left + " " + op + " " + count + ")"
}

// operandType is the type that two operands of a comparison have in common.
func (f *fn) operandType(x, y ast.Expr) types.Type {
	tx, ty := f.info.Types[x], f.info.Types[y]
	if tx.Value != nil || isUntyped(tx.Type) {
		if ty.Value != nil || isUntyped(ty.Type) {
			return f.typeOf(x)
		}
		return f.typeOf(y)
	}
	if ty.Value == nil && !isUntyped(ty.Type) && !isInterface(f.typeOf(x)) && types.AssignableTo(f.typeOf(x), f.typeOf(y)) {
		return f.typeOf(y)
	}
	return f.typeOf(x)
}

func isUntyped(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}

func (f *fn) equal(x *ast.BinaryExpr) string {
	l, r := f.info.Types[x.X], f.info.Types[x.Y]
	if l.IsNil() || r.IsNil() {
		y := x.X
		if l.IsNil() {
			y = x.Y
		}
		if f.info.Types[y].IsNil() {
			return "true"
		}
		text := f.expr(y)
		if text == "nil" { // any(nil)
			return fmt.Sprint(x.Op == token.EQL)
		}
		if call, ok := ast.Unparen(y).(*ast.CallExpr); ok && f.info.Types[call.Fun].IsType() && isInterface(f.typeOf(y)) {
			// yaegi's compiler fails on a conversion to an interface here
			text = f.e.helper("any", "any", func(name string) string { return "func " + name + "(x any) any { return x }" }) + "(" + text + ")"
		}
		return "(" + text + " " + x.Op.String() + " nil)"
	}
	return f.equalText(x.X, x.Y, x.Op == token.NEQ)
}

func (f *fn) equalText(x, y ast.Expr, not bool) string {
	e := f.e
	tx, ty := f.typeOf(x), f.typeOf(y)
	op := "=="
	if not {
		op = "!="
	}
	if isInterface(tx) || isInterface(ty) {
		any := types.NewInterfaceType(nil, nil)
		text := "rt.Equal(" + f.to(x, any) + ", " + f.to(y, any) + ")"
		if not {
			return "(!" + text + ")"
		}
		return text
	}
	t := f.operandType(x, y)
	left, right := f.to(x, t), f.to(y, t)
	switch e.under(t).(type) {
	case *types.Struct, *types.Array:
		text := "rt.Equal(" + left + ", " + right + ")"
		if not {
			return "(!" + text + ")"
		}
		return text
	}
	return "(" + left + " " + op + " " + right + ")"
}
