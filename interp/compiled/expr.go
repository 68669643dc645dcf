package compiled

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// expr is the text of an expression or a type.
func (e *emitter) expr(x ast.Expr) string {
	if tv := e.info.Types[x]; tv.IsType() {
		return e.typeExpr(tv.Type, x)
	}
	switch x := x.(type) {
	case *ast.Ident:
		return e.ident(x)
	case *ast.BasicLit:
		return x.Value
	case *ast.ParenExpr:
		return "(" + e.expr(x.X) + ")"
	case *ast.FuncLit:
		return e.funcLit(x)
	case *ast.CompositeLit:
		return e.composite(x)
	case *ast.SelectorExpr:
		return e.selector(x)
	case *ast.IndexExpr:
		return e.primary(x.X) + "[" + e.expr(x.Index) + "]"
	case *ast.IndexListExpr:
		return e.primary(x.X) + "[" + e.list(x.Indices) + "]"
	case *ast.SliceExpr:
		text := e.primary(x.X) + "[" + e.optional(x.Low) + ":" + e.optional(x.High)
		if x.Slice3 {
			text += ":" + e.optional(x.Max)
		}
		return text + "]"
	case *ast.TypeAssertExpr:
		text := e.primary(x.X)
		if x.Type == nil {
			return text + ".(type)"
		}
		return text + ".(" + e.expr(x.Type) + ")"
	case *ast.CallExpr:
		return e.call(x)
	case *ast.StarExpr:
		return "(*" + e.expr(x.X) + ")"
	case *ast.UnaryExpr:
		return e.unary(x)
	case *ast.BinaryExpr:
		return "(" + e.expr(x.X) + " " + x.Op.String() + " " + e.expr(x.Y) + ")"
	case *ast.KeyValueExpr:
		return e.expr(x.Key) + ": " + e.expr(x.Value)
	}
	panic(fmt.Sprintf("compiled: expression %T", x))
}

// typeExpr is the text of a type in the place of an expression, which needs parentheses in a conversion.
func (e *emitter) typeExpr(t types.Type, x ast.Expr) string {
	text := e.typ(t, x.Pos())
	switch text[0] {
	case '*', '<':
		return "(" + text + ")"
	}
	if strings.HasPrefix(text, "func") || strings.HasPrefix(text, "chan") {
		return "(" + text + ")"
	}
	return text
}

func (e *emitter) optional(x ast.Expr) string {
	if x == nil {
		return ""
	}
	return e.expr(x)
}

func (e *emitter) list(xs []ast.Expr) string {
	var out []string
	for _, x := range xs {
		out = append(out, e.expr(x))
	}
	return strings.Join(out, ", ")
}

// primary is the text of an operand.
func (e *emitter) primary(x ast.Expr) string {
	text := e.expr(x)
	switch ast.Unparen(x).(type) {
	case *ast.FuncLit, *ast.UnaryExpr, *ast.CompositeLit:
		return "(" + text + ")"
	}
	return text
}

// object is what an identifier stands for.
func (e *emitter) object(id *ast.Ident) types.Object {
	if obj := e.info.Uses[id]; obj != nil {
		return obj
	}
	return e.info.Defs[id]
}

func (e *emitter) ident(id *ast.Ident) string {
	obj := e.object(id)
	if obj == nil || id.Name == "_" {
		return id.Name
	}
	switch obj := obj.(type) {
	case *types.Var:
		if obj == e.part.Ctx || obj.Name() == "ctx" && e.inSession(obj) && isGlobal(obj) && e.s.vars[obj] == nil {
			return e.cell() + ".Ctx().(" + e.lib("context", "context") + ".Context)"
		}
		if obj == e.part.Shown {
			return e.cell() + ".Out"
		}
		if h := e.s.vars[obj]; h != nil {
			if c, ok := e.copies[h]; ok {
				return c.name
			}
			return e.variable(obj, h, id.Pos())
		}
	case *types.Func:
		if f := e.s.function(obj); f != nil {
			e.mentionFunction(id, f)
			return e.functionValue(f)
		}
	case *types.Const:
		if e.inSession(obj) && isGlobal(obj) {
			return e.constant(obj, id.Pos())
		}
	}
	if obj.Pkg() != nil && !e.inSession(obj) && isGlobal(obj) {
		return e.lib(obj.Pkg().Path(), obj.Pkg().Name()) + "." + obj.Name()
	}
	return id.Name
}

// variable is the text of a session variable. One that was made with an older form of its type is looked at in the form
// of today.
func (e *emitter) variable(v *types.Var, h *home, pos token.Pos) string {
	name := e.ref(h, h.name)
	if h.pkg == e.pkg || e.current(h.uses) {
		return name
	}
	return "(*(*" + e.typ(v.Type(), pos) + ")(" + e.lib("unsafe", "unsafe") + ".Pointer(&" + name + ")))"
}

// function is the text of what is called.
func (e *emitter) function(x ast.Expr) string {
	if id, ok := ast.Unparen(x).(*ast.Ident); ok {
		if obj, ok := e.object(id).(*types.Func); ok && e.s.function(obj) != nil {
			f := e.s.function(obj)
			e.depend(f, true)
			e.mentionFunction(id, f)
			if e.literal > 0 && e.forwards() {
				return e.ref(&f.home, "H"+mark+f.name)
			}
			return e.ref(&f.home, "F"+mark+f.name)
		}
	}
	return e.primary(x)
}

// functionValue is the text of a session function as a value: what is held of it reaches the function's later forms.
func (e *emitter) functionValue(f *function) string {
	e.depend(f, false)
	if e.forwards() {
		return e.ref(&f.home, "H"+mark+f.name)
	}
	return e.ref(&f.home, "F"+mark+f.name)
}

// forwards reports whether functions have a form that reaches their later forms.
func (e *emitter) forwards() bool { return !e.part.Program }

// depend notes that what is being written uses a function.
func (e *emitter) depend(f *function, call bool) {
	if e.fn == nil {
		return
	}
	e.fn.deps[f.line] = true
	if call {
		e.fn.calls[f.obj] = true
	}
}

func (e *emitter) unary(x *ast.UnaryExpr) string {
	if x.Op == token.ARROW {
		return e.receive(x)
	}
	if lit, ok := ast.Unparen(x.X).(*ast.CompositeLit); ok && x.Op == token.AND {
		t := e.info.TypeOf(lit)
		if m := e.mirrorFor(lit, t); m != "" {
			return "(*" + e.typ(t, x.Pos()) + ")(" + e.lib("unsafe", "unsafe") + ".Pointer(&" + m + e.mirrored(lit, t) + "))"
		}
	}
	return "(" + x.Op.String() + e.expr(x.X) + ")"
}

// composite is the text of a composite literal, with its type also where the source leaves it out.
func (e *emitter) composite(x *ast.CompositeLit) string {
	t, amp := e.info.TypeOf(x), ""
	if p, ok := core(t).(*types.Pointer); ok && x.Type == nil {
		if m := e.mirrorFor(x, p.Elem()); m != "" {
			return "(*" + e.typ(p.Elem(), x.Pos()) + ")(" + e.lib("unsafe", "unsafe") + ".Pointer(&" + m + e.mirrored(x, p.Elem()) + "))"
		}
		t, amp = p.Elem(), "&"
	}
	text := e.typedLiteral(x, t)
	if amp == "" && strings.HasSuffix(text, "}") { // in the header of a statement, Go's parser takes a brace after a name for the statement's
		return "(" + text + ")"
	}
	return amp + text
}

func (e *emitter) elements(x *ast.CompositeLit, t types.Type) string {
	_, isStruct := core(t).(*types.Struct)
	var parts []string
	for _, el := range x.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok && isStruct {
			parts = append(parts, kv.Key.(*ast.Ident).Name+": "+e.expr(kv.Value))
		} else {
			parts = append(parts, e.expr(el))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// mirrored is elements for a mirror, which embeds nothing: a key that is a field of an embedded struct becomes part of a literal of
// that struct.
func (e *emitter) mirrored(x *ast.CompositeLit, t types.Type) string {
	if len(x.Elts) == 0 {
		return "{}"
	}
	if _, ok := x.Elts[0].(*ast.KeyValueExpr); !ok {
		return e.elements(x, t)
	}
	st := t.Underlying().(*types.Struct)
	var parts []string
	done := map[int]bool{}
	for i := 0; i < len(x.Elts); {
		kv := x.Elts[i].(*ast.KeyValueExpr)
		name := kv.Key.(*ast.Ident).Name
		field := e.keyPath(t, kv)[0]
		if done[field] {
			e.refuse(kv.Pos(), "%s is a field of the embedded struct %s: write the keys that are its fields one after the other", name, st.Field(field).Name())
		}
		done[field] = true
		if st.Field(field).Name() == name {
			parts = append(parts, name+": "+e.expr(kv.Value))
			i++
			continue
		}
		inner := &ast.CompositeLit{Type: x.Type, Lbrace: kv.Pos(), Rbrace: x.Rbrace}
		for ; i < len(x.Elts) && e.keyPath(t, x.Elts[i].(*ast.KeyValueExpr))[0] == field; i++ {
			inner.Elts = append(inner.Elts, x.Elts[i])
		}
		parts = append(parts, st.Field(field).Name()+": "+e.typedLiteral(inner, st.Field(field).Type()))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// keyPath is where the field that a key of a struct literal names is: one index, or several for a field of an embedded struct.
func (e *emitter) keyPath(t types.Type, kv *ast.KeyValueExpr) []int {
	obj := e.info.Uses[kv.Key.(*ast.Ident)]
	_, index, _ := types.LookupFieldOrMethod(t, false, obj.Pkg(), obj.Name())
	return index
}

// typedLiteral is the text of a composite literal of type t.
func (e *emitter) typedLiteral(x *ast.CompositeLit, t types.Type) string {
	if m := e.mirrorFor(x, t); m != "" {
		return e.cell() + ".As[" + e.typ(t, x.Pos()) + "](" + m + e.mirrored(x, t) + ")"
	}
	return e.typ(t, x.Pos()) + e.elements(x, t)
}

// core is the underlying type, of a type parameter that of its constraint.
func core(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		if u, ok := p.Constraint().Underlying().(*types.Interface); ok {
			if u.NumEmbeddeds() > 0 {
				if un, ok := u.EmbeddedType(0).(*types.Union); ok && un.Len() > 0 {
					return un.Term(0).Type().Underlying()
				}
				return u.EmbeddedType(0).Underlying()
			}
		}
	}
	return t.Underlying()
}

// mirrorFor is the mirror with which a struct literal must be written, "" for others.
func (e *emitter) mirrorFor(x *ast.CompositeLit, t types.Type) string {
	st, ok := t.Underlying().(*types.Struct)
	if !ok || len(x.Elts) == 0 {
		return ""
	}
	if _, ok := x.Elts[0].(*ast.KeyValueExpr); ok {
		all := true
		for _, el := range x.Elts {
			name := el.(*ast.KeyValueExpr).Key.(*ast.Ident).Name
			all = all && token.IsExported(name)
		}
		if all {
			return ""
		}
	} else if !e.hidden(st) {
		return ""
	}
	return e.mirror(t, x.Pos())
}

// mirror is a struct type of the text with the fields of a struct type of another cell, by which the text reaches fields
// that are not exported; "" where the text reaches them itself.
func (e *emitter) mirror(t types.Type, pos token.Pos) string {
	t = types.Unalias(t)
	st, _ := t.Underlying().(*types.Struct)
	named, _ := t.(*types.Named)
	if named != nil {
		if !isGlobal(named.Obj()) || !e.inSession(named.Obj()) {
			return ""
		}
		st, _ = named.Origin().Underlying().(*types.Struct)
	}
	if st == nil || !e.hidden(st) || e.owner(st) == e.pkg {
		return ""
	}
	key := fmt.Sprintf("%p", st)
	var params *types.TypeParamList
	if named != nil {
		key = fmt.Sprintf("%p", named.Obj())
		params = named.Origin().TypeParams()
	}
	name := e.mirrors[key]
	if name == "" {
		name = e.free("X"+mark, e.names)
		e.mirrors[key] = name
		e.decl("type %s%s %s\n", name, e.typeParams(listed(params), pos), e.outside(func() string { return e.mirrorText(st, pos) }))
	}
	if named != nil && named.TypeArgs().Len() > 0 {
		var args []string
		for a := range named.TypeArgs().Types() {
			args = append(args, e.typ(a, pos))
		}
		name += "[" + strings.Join(args, ", ") + "]"
	}
	return name
}

func (e *emitter) mirrorText(st *types.Struct, pos token.Pos) string {
	var b strings.Builder
	b.WriteString("struct {\n")
	for f := range st.Fields() {
		b.WriteString(f.Name() + " " + e.typ(f.Type(), pos) + "\n")
	}
	b.WriteString("}")
	return b.String()
}

// owner is the package that holds the text of a struct type.
func (e *emitter) owner(st *types.Struct) *pkg {
	for _, h := range e.s.structs[fieldNames(st)] {
		if h.t == st || types.Identical(h.t, st) {
			return h.pkg
		}
	}
	if p := e.s.owners[st]; p != nil {
		return p
	}
	return e.pkg
}

// typeParams is the text of a list of type parameters.
func (e *emitter) typeParams(params []*types.TypeParam, pos token.Pos) string {
	if len(params) == 0 {
		return ""
	}
	var list []string
	for _, p := range params {
		list = append(list, paramName(p)+" "+e.typ(p.Constraint(), pos))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// paramName is the name of a type parameter: one that no local name hides. All have one, so that they can be arguments.
func paramName(p *types.TypeParam) string {
	if name := p.Obj().Name(); name != "_" {
		return name + mark
	}
	return fmt.Sprintf("_%s%d", mark, p.Index())
}

// constant is the text of a constant of the session: its value.
func (e *emitter) constant(c *types.Const, pos token.Pos) string {
	text := literal(c.Val(), c.Type())
	if b, ok := c.Type().(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		return text
	}
	return e.typ(c.Type(), pos) + "(" + text + ")"
}

// literal is a constant's value as Go text of its kind.
func literal(v constant.Value, t types.Type) string {
	b, ok := t.Underlying().(*types.Basic)
	if !ok { // of a type parameter
		return v.ExactString()
	}
	switch info := b.Info(); {
	case info&types.IsString != 0:
		return strconv.Quote(constant.StringVal(v))
	case info&types.IsBoolean != 0:
		if constant.BoolVal(v) {
			return "(0 == 0)"
		}
		return "(0 != 0)"
	case b.Kind() == types.UntypedRune:
		return "('\\x00' + " + v.ExactString() + ")"
	case info&types.IsInteger != 0:
		return "(" + constant.ToInt(v).ExactString() + ")"
	case info&types.IsFloat != 0:
		return floatLiteral(constant.ToFloat(v))
	}
	c := constant.ToComplex(v)
	return "(" + floatLiteral(constant.Real(c)) + " + " + floatLiteral(constant.Imag(c)) + "*1i)"
}

func floatLiteral(v constant.Value) string {
	s := v.ExactString()
	if a, b, ok := strings.Cut(s, "/"); ok {
		return "(" + a + ".0/" + b + ".0)"
	}
	if !strings.ContainsAny(s, ".eEpx") {
		s += ".0"
	}
	return "(" + s + ")"
}

// funcLit is the text of a function literal.
func (e *emitter) funcLit(x *ast.FuncLit) string {
	sig := e.info.TypeOf(x).(*types.Signature)
	e.literal++
	local, root, breakTo := e.local, e.root, e.breakTo
	e.local, e.root, e.breakTo = true, x, ""
	text := e.placeComment(x.Pos()) + "func" + e.params(x.Type, sig) + " { " + e.entered(x.Body, e.entryCheck(x.Body)) + e.placeComment(x.Body.Rbrace) + "}"
	e.local, e.root, e.breakTo = local, root, breakTo
	e.literal--
	return text
}

// params is the text of a function's parameters and results, with their names.
func (e *emitter) params(t *ast.FuncType, sig *types.Signature) string {
	text := "(" + e.fields(t.Params, sig.Params(), sig.Variadic()) + ")"
	if sig.Results().Len() > 0 {
		text += " (" + e.fields(t.Results, sig.Results(), false) + ")"
	}
	return text
}

func (e *emitter) fields(list *ast.FieldList, vars *types.Tuple, variadic bool) string {
	var parts []string
	i := 0
	add := func(name string, pos token.Pos) {
		t := vars.At(i).Type()
		text := ""
		if variadic && i == vars.Len()-1 {
			text = e.variadic(t, pos)
		} else {
			text = e.typ(t, pos)
		}
		parts = append(parts, strings.TrimSpace(name+" "+text))
		i++
	}
	for _, f := range list.List {
		if len(f.Names) == 0 {
			add("", f.Pos())
		}
		for _, n := range f.Names {
			add(n.Name, f.Pos())
		}
	}
	return strings.Join(parts, ", ")
}
