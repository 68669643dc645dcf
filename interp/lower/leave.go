package lower

import (
	"go/ast"
	"go/types"
	"strings"
)

func (f *fn) returnStmt(s *ast.ReturnStmt) {
	n := f.sig.Results().Len()
	if len(s.Results) == 0 {
		f.leave(nil, true)
		return
	}
	defer f.order(f.resultOperands(s.Results)...)()
	if len(s.Results) == 1 && n > 1 {
		text, ts := f.multi(s.Results[0])
		same := true
		for i, t := range ts {
			same = same && types.Identical(t, f.sig.Results().At(i).Type())
		}
		if same && f.results == nil {
			f.printf("return %s", text)
			return
		}
		var temps []string
		for range ts {
			temps = append(temps, f.temp("t"))
		}
		f.printf("%s := %s", strings.Join(temps, ", "), text)
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
		f.printf("return %s", strings.Join(vs, ", "))
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
				f.printf("%s = %s", f.results[i], n)
			}
		}
	}
	if rf != nil {
		f.jump(jump{kind: jumpReturn}, rf)
		return
	}
	f.printf("return")
}

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
		c.lineDirective(lit.Pos())
		c.printf("%s", startHere)
		c.body(lit.Type, lit.Body)
		f.printf("%s := %s", g, closure("()", c.b.String()))
		return g
	}
	defer f.order(f.callOperands(call)...)()
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
			c.lineDirective(y.Pos())
			c.printf("%s", startHere)
			c.body(y.Type, y.Body)
			f.printf("%s = %s", name, closure("("+strings.Join(params, ", ")+")"+e.resultText(f.sigOf(y)), c.b.String()))
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
		f.printf("%s := %s", strings.Join(names, ", "), text)
	} else {
		var sig *types.Signature
		if !f.info.Types[fun].IsBuiltin() {
			sig, _ = e.under(f.typeOf(fun)).(*types.Signature)
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
	f.printf("%s := %s", g, closure("()", text+"\n"))
	return g
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

// pinReceiver evaluates the operand of a method call that is made later.
func (f *fn) pinReceiver(y *ast.SelectorExpr, s *types.Selection, synth *[]*ast.Ident) ast.Expr {
	e := f.e
	t := f.typeOf(y.X)
	text, pt := f.methodOperand(y, t)
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
		f.printf("if %s == nil { rt.NilDereference() }", f.name(v))
	}
	sel := &ast.SelectorExpr{X: id, Sel: y.Sel}
	f.info.Selections[sel] = s
	f.info.Types[sel] = f.info.Types[y]
	return sel
}
