package lower

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"gaucho/interp/engine"
)

func (f *fn) call(x *ast.CallExpr) string {
	e := f.e
	outer := e.at
	e.at = x.Pos()
	defer func() { e.at = outer }()
	fun := ast.Unparen(x.Fun)
	if tv := f.info.Types[fun]; tv.IsType() {
		return f.conversion(x)
	} else if tv.IsBuiltin() {
		return f.builtin(x)
	}
	if fo, targs := f.staticFunc(fun); fo != nil {
		return f.staticCall(x, fo, targs)
	}
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		if s := f.info.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
			return f.methodCall(x, sel)
		}
	}
	sig := e.under(f.typeOf(fun)).(*types.Signature)
	if tup := f.spreads(x); tup != nil {
		return f.viaTemps(x, tup, sig, func(y *ast.CallExpr, c *fn) string { return c.call(y) })
	}
	if lit, ok := fun.(*ast.FuncLit); ok {
		return f.funcLit(lit) + "(" + f.args(x, sig, interpreted) + ")"
	}
	return f.expr(fun) + "(" + f.args(x, sig, interpreted) + ")"
}

func (f *fn) staticCall(x *ast.CallExpr, fo *types.Func, targs []types.Type) string {
	if text, ok := f.special(x, fo, targs); ok {
		return text
	}
	sig := f.callSig(x)
	if tup := f.spreads(x); tup != nil {
		return f.viaTemps(x, tup, sig, func(y *ast.CallExpr, c *fn) string { return c.call(y) })
	}
	text, compiled := f.funcText(fo, targs)
	args := f.args(x, sig, f.e.callee(fo, compiled))
	if names, ok := engine.ParameterNames(x, fo, f.info); ok {
		args += ", " + strings.TrimSuffix(text, fo.Name()) + names
	}
	return text + "(" + args + ")"
}

// callSig is the closed signature of what is called.
func (f *fn) callSig(x *ast.CallExpr) *types.Signature {
	return f.e.under(f.typeOf(ast.Unparen(x.Fun))).(*types.Signature)
}

// A callee says what a function is to which arguments are passed.
type callee struct {
	compiled bool
	reveal   string // the function of package rt for arguments of type any, where there is one
	refused  string // why an argument of type any must not be a value of a cell's type
}

var interpreted, compiled = callee{}, callee{compiled: true}

func (e *emitter) callee(fo *types.Func, binary bool) callee {
	c := callee{compiled: binary}
	if binary {
		c.refused = refusedFuncs[fullName(fo)]
		if fo.Signature().Recv() != nil {
			c.refused = refusedMethods[fo.FullName()]
		}
	}
	if path := fo.Pkg(); binary && path != nil && e.s.lib.Asserts(path.Path()) {
		c.reveal = reveals(fo)
	}
	return c
}

// reveals is the function of package rt for what a library function that looks for methods in its arguments gets.
func reveals(fo *types.Func) string {
	switch path := fo.Pkg().Path(); {
	case path == "database/sql" && fo.Name() == "Scan":
		return "Destination"
	case path == "database/sql":
		return "Parameter"
	case path == "database/sql/driver" && fo.Name() == "ConvertValue":
		return "Convertible"
	}
	return "Reveal"
}

// args emits the arguments of a call. Calls of interpreted functions pass variadic arguments as a slice.
func (f *fn) args(x *ast.CallExpr, sig *types.Signature, to callee) string {
	var list []string
	np := sig.Params().Len()
	for i, a := range x.Args {
		if sig.Variadic() && i >= np-1 {
			break
		}
		list = append(list, f.arg(a, sig.Params().At(i).Type(), to))
	}
	if sig.Variadic() {
		last := sig.Params().At(np - 1).Type()
		switch {
		case x.Ellipsis.IsValid():
			text := f.to(x.Args[len(x.Args)-1], last)
			if to.reveal != "" && f.typ(last) == "[]any" {
				text = "rt.RevealAll(" + text + ", rt." + to.reveal + ")"
			}
			list = append(list, text+"...")
		case to.compiled:
			for _, a := range x.Args[np-1:] {
				list = append(list, f.arg(a, last.Underlying().(*types.Slice).Elem(), to))
			}
		case len(x.Args) < np:
			list = append(list, f.e.nilText(last)+"...")
		default:
			var elems []string
			for _, a := range x.Args[np-1:] {
				elems = append(elems, f.to(a, last.Underlying().(*types.Slice).Elem()))
			}
			list = append(list, f.typ(last)+"{"+elementText(elems)+"}...")
		}
	}
	return strings.Join(list, ", ")
}

// arg emits one argument. A function literal may go to interpreted functions as it is.
func (f *fn) arg(x ast.Expr, t types.Type, to callee) string {
	if f.asksUser(x, t) {
		return "rt.Stdin"
	}
	if !to.compiled {
		return f.fresh(x, t)
	}
	if guard := testGuard(t); guard != "" && !f.info.Types[x].IsNil() {
		return "rt." + guard + "(" + f.to(x, t) + ")"
	}
	text := f.to(x, t)
	if _, basic := f.argumentType(x).Underlying().(*types.Basic); to.refused != "" && f.typ(t) == "any" && !basic && !f.info.Types[x].IsNil() {
		return "rt.NoCellType(" + text + ", " + strconv.Quote(to.refused) + ")"
	}
	if to.reveal != "" && f.typ(t) == "any" && (isInterface(f.typeOf(x)) || f.boxed(f.typeOf(x))) && !f.info.Types[x].IsNil() {
		return "rt." + to.reveal + "(" + text + ")"
	}
	return text
}

// testGuard is the function of package rt that guards a function which package testing calls in a goroutine of its own,
// where a panic would end the process; empty for other types.
func testGuard(t types.Type) string {
	sig, ok := t.(*types.Signature)
	if !ok || sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return ""
	}
	switch types.TypeString(sig.Params().At(0).Type(), nil) {
	case "*testing.T":
		return "GuardT"
	case "*testing.B":
		return "GuardB"
	}
	return ""
}

// spreads reports whether a call's arguments are the results of another call that have to be converted.
func (f *fn) spreads(x *ast.CallExpr) *types.Tuple {
	if len(x.Args) != 1 {
		return nil
	}
	if tv := f.info.Types[x.Args[0]]; tv.IsType() || tv.IsNil() || tv.IsBuiltin() {
		return nil
	}
	tup, _ := f.typeOf(x.Args[0]).(*types.Tuple)
	return tup
}

// receiverText emits the operand of a method call as a value of the type that the method's receiver has.
func (e *emitter) receiverText(text string, t types.Type, m *types.Func, addressable bool) string {
	_, wantPointer := types.Unalias(m.Signature().Recv().Type()).(*types.Pointer)
	_, isPointer := t.Underlying().(*types.Pointer)
	switch {
	case wantPointer && !isPointer:
		return "(&" + text + ")"
	case !wantPointer && isPointer:
		return "(*" + text + ")"
	}
	return text
}

// A selected method is a method with the operand on which it is called.
type selected struct {
	recv    string // text of the operand after the field path
	typ     types.Type
	method  *types.Func
	targs   []types.Type // of the receiver's type
	dynamic bool         // the operand is an interface that is represented as any
	binary  bool         // a method of a compiled package's type
}

// selectMethod resolves a method of a value of closed type t.
func (f *fn) selectMethod(text string, t types.Type, name string) selected {
	return f.e.selectMethod(text, t, name, f.d.pkg)
}

func (e *emitter) selectMethod(text string, t types.Type, name string, pkg *types.Package) selected {
	obj, index, _ := types.LookupFieldOrMethod(t, true, pkg, name)
	if obj == nil {
		if src := e.worldOf(t); src != nil {
			obj, index, _ = types.LookupFieldOrMethod(src, true, pkg, name)
		}
	}
	m, ok := obj.(*types.Func)
	if !ok {
		e.refuse(e.pos(), "internal: no method %s of %v", name, t)
	}
	if m.Signature().TypeParams().Len() > 0 {
		e.refuse(e.pos(), "%s, a method with type parameters, cannot be interpreted", m.FullName())
	}
	for i := range len(index) - 1 {
		if e.hidden(t, index[i]) { // the compiled type has the method itself, by promotion
			return selected{recv: text, typ: t, method: m, binary: true}
		}
		text, t = e.path(text, t, index[i:i+1])
	}
	s := selected{recv: text, typ: t, method: m}
	if isInterface(t) {
		s.dynamic = !e.compiledInterface(t)
		s.binary = !s.dynamic
		return s
	}
	n := recvNamed(t)
	if n == nil {
		e.refuse(e.pos(), "internal: method %s of %v", name, t)
	}
	for a := range n.TypeArgs().Types() {
		s.targs = append(s.targs, a)
	}
	s.binary = e.binary(n)
	return s
}

// hidden reports whether a field is an unexported one of a compiled type, which interpreted code cannot go through.
func (e *emitter) hidden(t types.Type, field int) bool {
	n := recvNamed(t)
	if n == nil || !e.binary(n) {
		return false
	}
	st, ok := n.Underlying().(*types.Struct)
	return ok && !st.Field(field).Exported()
}

// methodTarget returns the text of what is called, and of the receiver argument, if any.
func (e *emitter) methodTarget(s selected) (target string, recv string) {
	if s.binary {
		if n := runtimeMethods[s.method.FullName()]; n != "" {
			return "rt." + n, e.receiverText(s.recv, s.typ, s.method, true)
		}
		return s.recv + "." + s.method.Name(), ""
	}
	if s.dynamic {
		return e.dispatcher(s.typ, s.method), s.recv
	}
	m, d := e.declaration(s.method)
	if d == nil {
		e.refuse(e.pos(), "%s is not known to the interpreter", s.method.FullName())
	}
	return e.funcName(m, s.targs), e.receiverText(s.recv, s.typ, s.method, true)
}

func (f *fn) methodCall(x *ast.CallExpr, sel *ast.SelectorExpr) string {
	if m, ok := f.info.Uses[sel.Sel].(*types.Func); ok && m.FullName() == "(reflect.Value).Type" {
		if text, ok := f.staticType(sel); ok {
			return text
		}
	}
	s := f.selectMethod(f.operand(sel.X), f.typeOf(sel.X), sel.Sel.Name)
	if text, ok := f.specialMethod(x, sel, s); ok {
		return text
	}
	target, recv := f.e.methodTarget(s)
	sig := f.callSig(x)
	args := f.args(x, sig, f.e.callee(s.method, s.binary))
	if recv != "" && args != "" {
		return target + "(" + recv + ", " + args + ")"
	}
	return target + "(" + recv + args + ")"
}

// paramNames makes names for the parameters of a generated function.
func paramNames(sig *types.Signature) []string {
	names := []string{}
	for i := range sig.Params().Len() {
		names = append(names, "a"+string(rune('a'+i%26))+strings.Repeat("x", i/26))
	}
	return names
}

// pass is a parameter list passed on.
func pass(sig *types.Signature, names []string) string {
	text := strings.Join(names, ", ")
	if sig.Variadic() {
		text += "..."
	}
	return text
}

// methodValue emits x.M used as a value: the operand is evaluated now.
func (f *fn) methodValue(x *ast.SelectorExpr) string {
	e := f.e
	t := f.typeOf(x.X)
	s := f.selectMethod("r", t, x.Sel.Name)
	sig := f.e.under(f.typeOf(x)).(*types.Signature)
	f.e.at = x.Pos()
	f.e.refuseMethod(s)
	// The helper takes the receiver itself, so that a value is copied and a nil pointer is found now.
	text, pt := f.methodOperand(x, t)
	s.recv, s.typ = "r", pt
	rtyp := pt
	if !s.dynamic && !isInterface(pt) {
		text = e.receiverText(text, pt, s.method, true)
		rtyp = f.recvType(pt, s.method)
		s.typ = rtyp
	}
	tt := e.typ(rtyp)
	names := paramNames(sig)
	key := "mv " + tt + " " + x.Sel.Name
	if s.dynamic {
		key += e.sigKey(sig)
	} else if !s.binary {
		n := recvNamed(rtyp)
		key += " " + strconv.Itoa(e.info(n).id)
	}
	name := e.helper(key, "mv", func(name string) string {
		target, recv := e.methodTarget(s)
		args := pass(sig, names)
		if recv != "" && args != "" {
			recv += ", "
		}
		ret := ""
		if sig.Results().Len() > 0 {
			ret = "return "
		}
		check := ""
		if isInterface(rtyp) {
			check = "if r == nil { rt.NilDereference() }\n"
		}
		return "func " + name + "(r " + tt + ") " + e.typ(sig) + " {\n" + check + "return func" + e.sigText(sig, names) + " { " + ret + target + "(" + recv + args + ") }\n}"
	})
	return name + "(" + text + ")"
}

// methodOperand is the operand of x.M, of type t, after the path of embedded fields to the method, as far as they can be named:
// a compiled type has the methods of its unexported fields itself.
func (f *fn) methodOperand(x *ast.SelectorExpr, t types.Type) (string, types.Type) {
	text := f.operand(x.X)
	obj, index := f.lookup(t, x.Sel.Name)
	if obj == nil {
		return text, t
	}
	for _, i := range index[:len(index)-1] {
		if f.e.hidden(t, i) {
			break
		}
		text, t = f.e.path(text, t, []int{i})
	}
	return text, t
}

// recvType is the type of a method's receiver, for a value of type t on which it is called.
func (f *fn) recvType(t types.Type, m *types.Func) types.Type {
	_, wantPointer := types.Unalias(m.Signature().Recv().Type()).(*types.Pointer)
	p, isPointer := t.Underlying().(*types.Pointer)
	switch {
	case wantPointer && !isPointer:
		return types.NewPointer(t)
	case !wantPointer && isPointer:
		return p.Elem()
	}
	return t
}

// methodExpr emits T.M.
func (f *fn) methodExpr(x *ast.SelectorExpr) string {
	e := f.e
	t := f.closed(f.info.Types[x.X].Type)
	sig := f.e.under(f.typeOf(x)).(*types.Signature)
	names := paramNames(sig)
	e.at = x.Pos()
	s := f.selectMethod(names[0], t, x.Sel.Name)
	e.refuseMethod(s)
	name := e.helper("me "+strconv.Itoa(e.info(t).id)+" "+x.Sel.Name, "me", func(name string) string {
		target, recv := e.methodTarget(s)
		args := pass(sig, names[1:])
		if recv != "" && args != "" {
			recv += ", "
		}
		ret := ""
		if sig.Results().Len() > 0 {
			ret = "return "
		}
		return "func " + name + e.sigText(sig, names) + " { " + ret + target + "(" + recv + args + ") }"
	})
	return e.identity(sig) + "(" + name + ")"
}
