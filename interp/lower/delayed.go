package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

func (f *fn) goStmt(call *ast.CallExpr) {
	g := f.delayed(call, "go")
	if cell, line, ok := f.cellLine(); ok {
		f.printf("rt.GoAt(%d, %d, %s)", cell, line, g)
		return
	}
	f.printf("rt.Go(%s)", g)
}

func (f *fn) deferStmt(call *ast.CallExpr) {
	fun := "rt.Defer"
	if f.mayRecover(call) {
		fun = "rt.DeferAny"
	}
	g := f.delayed(call, "defer")
	f.printf("%s(%s, %s)", fun, f.defers, g)
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
	fun := ast.Unparen(call.Fun)
	g := f.temp(why)
	if lit, ok := fun.(*ast.FuncLit); ok && len(call.Args) == 0 && f.sigOf(lit).Results().Len() == 0 {
		recovers := ""
		if why == "defer" {
			recovers = f.defers
		}
		f.printf("%s := %s", g, f.literalThatRecovers(lit, recovers))
		return g
	}
	defer f.order(f.callOperands(call)...)()
	p := temps{f: f}
	defer p.remove()
	x := &ast.CallExpr{Lparen: call.Lparen, Ellipsis: call.Ellipsis, Rparen: call.Rparen}
	x.Fun = p.function(call, why)
	x.Args = p.arguments(call)
	f.info.Types[x] = f.info.Types[call]
	defer delete(f.info.Types, x)
	c := f.child(nil)
	c.recovers = f.recovers
	if why == "go" {
		c.recovers, c.tokenVar = "nil", ""
	}
	text := c.expr(x)
	if f.info.Types[fun].IsBuiltin() {
		switch name := f.builtinName(call); name {
		case "recover":
			if why == "defer" {
				// It counts as a call from this function, and does nothing if this function panics.
				text = "rt.RecoverOuter(" + f.defers + ", " + strings.TrimPrefix(f.recoverCall(), "rt.Recover(")
			}
			text = "_ = " + text
		case "len", "cap", "append", "complex", "real", "imag", "make", "new", "min", "max":
			text = "_ = " + text
		}
	}
	f.printf("%s := %s", g, closure("()", text+"\n"))
	return g
}

// literalThatRecovers emits a function literal whose calls of recover are those of the function with these defers.
func (f *fn) literalThatRecovers(lit *ast.FuncLit, defers string) string {
	sig := f.sigOf(lit)
	c := f.child(sig)
	c.recovers = defers
	params, _ := c.params(lit.Type, sig)
	c.lineDirective(lit.Pos())
	c.printf("%s", startHere)
	c.body(lit.Type, lit.Body)
	return closure("("+strings.Join(params, ", ")+")"+f.e.resultText(sig), c.b.String())
}

func (f *fn) argumentType(x ast.Expr) types.Type {
	if f.info.Types[x].IsNil() || f.info.Types[x].IsType() {
		return anyType
	}
	return f.typeOf(x)
}

func (f *fn) sigOf(lit *ast.FuncLit) *types.Signature {
	return f.typeOf(lit).Underlying().(*types.Signature)
}

// temps are operands that are evaluated before their call: each becomes a variable, and an identifier takes its place in the
// call. go/types has not seen these identifiers, so what it would know of them is entered until remove.
type temps struct {
	f     *fn
	ids   []*ast.Ident
	recvs []*ast.SelectorExpr
}

// remove forgets the identifiers when the call has been emitted.
func (p *temps) remove() {
	info := p.f.info
	for _, id := range p.ids {
		delete(info.Uses, id)
		delete(info.Types, id)
	}
	for _, sel := range p.recvs {
		delete(info.Selections, sel)
		delete(info.Types, sel)
	}
}

// ident is an identifier for a new variable, and the variable's name in the lowered text.
func (p *temps) ident(name string, pos token.Pos, t types.Type) (id *ast.Ident, lowered string) {
	id = &ast.Ident{NamePos: pos, Name: name}
	v := types.NewVar(pos, p.f.d.pkg, name, t)
	p.f.info.Uses[id] = v
	p.f.info.Types[id] = types.TypeAndValue{Type: t}
	p.ids = append(p.ids, id)
	return id, p.f.name(v)
}

// operand evaluates an operand, unless it is a constant, nil or a type.
func (p *temps) operand(x ast.Expr, t types.Type) ast.Expr {
	if tv := p.f.info.Types[x]; tv.Value != nil || tv.IsNil() || tv.IsType() {
		return x
	}
	id, name := p.ident("arg", x.Pos(), t)
	p.f.declare(name, t, p.f.fresh(x, t))
	return id
}

// function evaluates what a call calls.
func (p *temps) function(call *ast.CallExpr, why string) ast.Expr {
	f := p.f
	switch y := ast.Unparen(call.Fun).(type) {
	case *ast.FuncLit:
		x := p.operand(y, f.typeOf(y))
		if why == "defer" && callsRecover(y.Body, f.info) {
			f.printf("%s = %s", f.name(f.info.Uses[x.(*ast.Ident)]), f.literalThatRecovers(y, f.defers))
		}
		return x
	case *ast.SelectorExpr:
		if s := f.info.Selections[y]; s != nil && s.Kind() == types.MethodVal {
			return p.receiver(y, s)
		} else if s != nil && s.Kind() == types.FieldVal {
			return p.operand(y, f.typeOf(y))
		}
	default:
		if fo, _ := f.staticFunc(y); fo == nil && !f.info.Types[y].IsBuiltin() && !f.info.Types[y].IsType() {
			return p.operand(call.Fun, f.typeOf(call.Fun))
		}
	}
	return call.Fun
}

// receiver evaluates the operand of a method call.
func (p *temps) receiver(y *ast.SelectorExpr, s *types.Selection) ast.Expr {
	f := p.f
	t := f.typeOf(y.X)
	text, pt := f.methodOperand(y, t)
	obj, _ := f.lookup(t, y.Sel.Name)
	m := obj.(*types.Func)
	rtyp := pt
	if !isInterface(pt) {
		text = f.e.receiverText(text, pt, m, true)
		rtyp = f.recvType(pt, m)
	}
	id, name := p.ident("recv", y.Pos(), rtyp)
	f.declare(name, rtyp, text)
	if isInterface(rtyp) {
		f.printf("if %s == nil { rt.NilDereference() }", name)
	}
	sel := &ast.SelectorExpr{X: id, Sel: y.Sel}
	f.info.Selections[sel] = s
	f.info.Types[sel] = f.info.Types[y]
	p.recvs = append(p.recvs, sel)
	return sel
}

// arguments evaluates a call's arguments, each as the type that its parameter has.
func (p *temps) arguments(call *ast.CallExpr) (args []ast.Expr) {
	f := p.f
	if tup := f.spreads(call); tup != nil {
		text := f.expr(call.Args[0])
		var names []string
		for v := range tup.Variables() {
			id, name := p.ident("arg", call.Pos(), v.Type())
			names = append(names, name)
			args = append(args, id)
		}
		f.printf("%s := %s", strings.Join(names, ", "), text)
		return args
	}
	var sig *types.Signature
	if fun := ast.Unparen(call.Fun); !f.info.Types[fun].IsBuiltin() {
		sig, _ = f.e.under(f.typeOf(fun)).(*types.Signature)
	}
	for i, a := range call.Args {
		t := f.argumentType(a)
		if sig != nil {
			switch {
			case sig.Variadic() && i >= sig.Params().Len()-1 && !call.Ellipsis.IsValid():
				t = sig.Params().At(sig.Params().Len() - 1).Type().Underlying().(*types.Slice).Elem()
			case i < sig.Params().Len():
				t = sig.Params().At(i).Type()
			}
		}
		args = append(args, p.operand(a, t))
	}
	return args
}
