package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"gaucho/interp/engine"
)

// A fn is a function body being emitted. Function literals get their own, which shares the names.
type fn struct {
	e    *emitter
	d    *declared
	info *types.Info
	env  *env
	b    *strings.Builder

	*shared
	sig      *types.Signature // closed
	results  []string         // variables that hold the results; nil when results are only returned
	stored   bool             // return stores into results, and returns nothing: the body is in a function literal
	defers   string           // the variable of type *rt.D, where the function has defers
	targets  []*target
	recovers string // the *rt.D of the function that defers this literal where it is written
	tokenVar string
	again    string // the call of the function itself with its own arguments; empty where there is no need of one
}

// shared is what a function and the literals in it have in common.
type shared struct {
	names   map[types.Object]string
	used    map[string]int
	escapes map[types.Object]bool // variables that are captured by a literal, or whose address is taken
	scanned map[ast.Node]bool
	gotoIDs map[*ast.Ident]bool // labels in goto statements
	bodies  []ast.Node          // what the labels are looked for in
	level   int                 // of blocks within blocks, 1 for the function's body
	pins    pins                // temporaries that hold the values of expressions
}

func (e *emitter) newFn(d *declared, v *env) *fn {
	return &fn{
		e: e, d: d, info: d.info, env: v, b: &strings.Builder{},
		shared: &shared{names: map[types.Object]string{}, used: map[string]int{}, escapes: map[types.Object]bool{}, scanned: map[ast.Node]bool{}, pins: pins{names: map[ast.Expr]string{}}},
	}
}

// child is the fn of a literal in f.
func (f *fn) child(sig *types.Signature) *fn {
	c := *f
	c.b = &strings.Builder{}
	c.sig, c.results, c.stored, c.defers, c.targets = sig, nil, false, "", nil
	c.recovers, c.tokenVar, c.again = "", "", ""
	return &c
}

// pos is the position at which things are refused that have none of their own.
func (e *emitter) pos() token.Pos { return e.at }

func (f *fn) printf(format string, args ...any) {
	fmt.Fprintf(f.b, format, args...)
	f.b.WriteByte('\n')
}

// lineDirective writes the place of the next statement in its cell.
func (f *fn) lineDirective(pos token.Pos) {
	if !pos.IsValid() {
		return
	}
	f.e.at = pos
	if f.d.src {
		return
	}
	p := f.d.fset.Position(pos)
	if p.Column == 0 {
		f.printf("//line c%d"+sourceName+":%d", f.d.cell, p.Line)
		return
	}
	f.printf("//line c%d"+sourceName+":%d:%d", f.d.cell, p.Line, p.Column)
}

// inlineLine is a comment with the place in the cell of what follows on the line, for text after a literal of several lines.
// It is empty in libraries.
func (f *fn) inlineLine(pos token.Pos) string {
	if f.d.src || !pos.IsValid() {
		return ""
	}
	p := f.d.fset.Position(pos)
	return fmt.Sprintf("/*line c%d"+sourceName+":%d:%d*/", f.d.cell, p.Line, max(p.Column, 1))
}

func (f *fn) temp(base string) string {
	f.used[base]++
	return "L" + base + "_" + strconv.Itoa(f.used[base])
}

// name is the emitted name of a local object, or of a package variable of cells.
func (f *fn) name(obj types.Object) string {
	if n, ok := f.names[obj]; ok {
		return n
	}
	if v, ok := obj.(*types.Var); ok {
		if n, ok := f.e.s.vars[v]; ok {
			return n
		}
		if v.Parent() != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
			return f.e.globalVar(v)
		}
	}
	n := f.temp(obj.Name())
	f.names[obj] = n
	return n
}

func (f *fn) def(id *ast.Ident) types.Object { return f.info.Defs[id] }

// obj is the object that an identifier means.
func (f *fn) obj(id *ast.Ident) types.Object {
	if o := f.info.Uses[id]; o != nil {
		return o
	}
	return f.info.Defs[id]
}

func (f *fn) closed(t types.Type) types.Type { return f.e.subst(t, f.env, f.d.src) }

// typeOf is the closed type of an expression.
func (f *fn) typeOf(x ast.Expr) types.Type {
	if id, ok := x.(*ast.Ident); ok {
		if o := f.obj(id); o != nil {
			if _, isNil := o.(*types.Nil); !isNil {
				if _, isBuiltin := o.(*types.Builtin); !isBuiltin {
					if _, isType := o.(*types.TypeName); !isType && f.info.Types[x].Value == nil {
						if inst, ok := f.info.Instances[id]; ok {
							return f.closed(inst.Type)
						}
						return f.closed(o.Type())
					}
				}
			}
		}
	}
	tv := f.info.Types[x]
	if tv.Type == nil {
		if sel, ok := x.(*ast.SelectorExpr); ok {
			if o := f.info.Uses[sel.Sel]; o != nil {
				return f.closed(o.Type())
			}
		}
		f.e.refuse(x.Pos(), "internal: no type for %T", x)
	}
	if b, ok := tv.Type.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		return types.Default(b)
	}
	return f.closed(tv.Type)
}

func (f *fn) typ(t types.Type) string { return f.e.typ(t) }

// envFor returns the types of an instance, nil for what has no type parameters.
func (e *emitter) envFor(obj *types.Func, targs []types.Type) *env {
	if len(targs) == 0 {
		return nil
	}
	v := &env{key: e.funcKey(obj, targs)}
	add := func(list *types.TypeParamList) {
		for i := range list.Len() {
			v.params, v.args = append(v.params, list.At(i)), append(v.args, targs[i])
		}
	}
	add(obj.Signature().RecvTypeParams())
	add(obj.Signature().TypeParams())
	if _, d := e.declaration(obj); d != nil {
		v.lo, v.hi = d.decl.Pos(), d.decl.End()
		if own, ok := d.info.Defs[d.decl.Name].(*types.Func); ok && own != obj {
			add(own.Signature().TypeParams()) // a method in the plain form
		}
	}
	return v
}

func (e *emitter) funcKey(obj *types.Func, targs []types.Type) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%p", obj)
	for _, a := range targs {
		fmt.Fprintf(&b, " %d", e.info(a).id)
	}
	return b.String()
}

func (e *emitter) funcBase(obj *types.Func) string {
	name := obj.Name()
	if i := strings.Index(name, "ǃ"); i >= 0 && obj.Signature().Recv() == nil {
		name = name[:i]
	}
	if recv := obj.Signature().Recv(); recv != nil {
		if n := recvNamed(recv.Type()); n != nil {
			name = n.Obj().Name() + "ǃ" + name // read back by the worker for tracebacks
		}
	}
	if m := e.s.module(obj.Pkg()) != nil; m || obj.Signature().Recv() == nil && obj.Pkg() != nil && !isCell(obj.Pkg()) {
		name = obj.Pkg().Name() + "ǃ" + name
	}
	return "f_" + name + "_1"
}

// funcName is the emitted name of a function whose body is at hand; that of an instance is queued for emission when it
// is named for the first time.
func (e *emitter) funcName(obj *types.Func, targs []types.Type) string {
	for len(targs) > 0 && e.s.newer[obj] != nil { // functions of earlier cells name an earlier one
		obj = e.s.newer[obj]
	}
	key := e.funcKey(obj, targs)
	if n, ok := e.s.funcs[key]; ok {
		return n
	}
	name := e.s.fresh(e.funcBase(obj))
	engine.Set(&e.s.Undo, e.s.funcs, key, name)
	if len(targs) > 0 {
		engine.Set(&e.s.Undo, e.s.instances, obj, append(e.s.instances[obj], instance{targs, name}))
	}
	d := e.s.decls[obj]
	if d == nil || len(targs) > 0 {
		_, d = e.declaration(obj)
		if d == nil || d.decl.Body == nil && !d.module {
			e.refuse(e.pos(), "%s has no body that can be interpreted", obj.FullName())
		}
		at, called := e.at, e.calls
		if d.module {
			e.later(func() { e.at = at; e.emitModuleFunc(obj, d, e.envFor(obj, targs), name, called, at) })
			return name
		}
		e.later(func() { e.at = at; e.emitFunc(obj, d, e.envFor(obj, targs), name) })
	}
	return name
}

// emitFunc emits a function or method, or an instance of a generic one.
func (e *emitter) emitFunc(obj *types.Func, d *declared, v *env, name string) {
	f := e.newFn(d, v)
	defer func(before bool) { e.calls = before }(e.calls)
	e.calls = !d.module && !d.src
	if d.src { // in no cell
		f.printf("//line c0" + sourceName + ":1")
	}
	f.lineDirective(d.decl.Pos())
	own, _ := d.info.Defs[d.decl.Name].(*types.Func)
	if own == nil {
		own = obj
	}
	sig := own.Signature()
	f.sig = f.closed(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())).(*types.Signature)
	var params, args []string
	if d.decl.Recv != nil {
		rt := f.closed(sig.Recv().Type())
		n := f.temp("recv")
		if l := d.decl.Recv.List[0]; len(l.Names) > 0 && l.Names[0].Name != "_" {
			n = f.name(d.info.Defs[l.Names[0]])
		}
		params, args = append(params, n+" "+e.typ(rt)), append(args, n)
	}
	ps, as := f.params(d.decl.Type, f.sig)
	params, args = append(params, ps...), append(args, as...)
	head := "func " + name + "(" + strings.Join(params, ", ") + ")" + e.resultText(f.sig) + " {"
	if !d.program && !d.src && !d.module {
		head += " " + e.forwardable(f, name, params, args)
	} else {
		head += " " + startHere
	}
	f.printf("%s", head)
	f.lineDirective(d.decl.Pos())
	f.again = name + "(" + pass(f.sig, args) + ")"
	f.body(d.decl.Type, d.decl.Body)
	f.printf("}")
	e.decls.WriteString(f.b.String())
}

// startHere is the first statement of functions: yaegi reports a panic that passes through a function with the place and the
// scope of what the function starts with, which in a literal's case is the literal's own scope.
const startHere = "_ = 0"

// noPlace precedes text of the lowerer's own: panics that pass through it are not reported there.
const noPlace = "//line _" + sourceName + ":1"

// sourceName ends the names of files, c12 for cell 12, in line directives. It is yaegi's name for source without a file:
// yaegi looks up an imported package's types under the last element of the name of the file that mentions them.
const sourceName = "/_.go"

// params are the parameters of a function as text, and their names.
func (f *fn) params(ft *ast.FuncType, sig *types.Signature) (params, names []string) {
	i := 0
	add := func(id *ast.Ident) {
		var n string
		if id == nil || id.Name == "_" {
			n = f.temp("p")
		} else {
			n = f.name(f.def(id))
		}
		t := sig.Params().At(i).Type()
		text := ""
		if sig.Variadic() && i == sig.Params().Len()-1 {
			text = "..." + f.typ(t.Underlying().(*types.Slice).Elem())
		} else {
			text = f.typ(t)
		}
		params, names = append(params, n+" "+text), append(names, n)
		i++
	}
	for _, l := range ft.Params.List {
		if len(l.Names) == 0 {
			add(nil)
		}
		for _, id := range l.Names {
			add(id)
		}
	}
	return params, names
}

// body emits what is between the braces of a function.
func (f *fn) body(ft *ast.FuncType, body *ast.BlockStmt) {
	f.scan(body)
	if f.recovers == "" && callsRecover(body, f.info) {
		f.tokenVar = f.temp("token")
		f.printf("%s := rt.Arm()", f.tokenVar)
	}
	if f.needsCheck(body) {
		f.checkStop()
		f.deepCall()
	}
	named := f.namedResults(ft)
	defers := hasDefer(body)
	if defers || f.returnsFromRange(body) {
		if !named {
			for v := range f.sig.Results().Variables() {
				n := f.temp("r")
				f.results = append(f.results, n)
				f.printf("var %s %s", n, f.typ(v.Type()))
			}
		}
	}
	if defers {
		f.defers = f.temp("d")
		g := f.temp("body")
		f.printf("%s := func(%s *rt.D) {", g, f.defers)
		f.lineDirective(body.Pos())
		f.printf("%s", startHere)
		f.stored = true
		f.block(body.List)
		f.printf("}")
		f.stored = false
		f.printf("rt.Run(%s)", g)
		if len(f.results) > 0 {
			f.printf("return %s", strings.Join(f.results, ", "))
		}
		return
	}
	f.block(body.List)
	if f.results != nil && !terminates(body) {
		f.printf("return %s", strings.Join(f.results, ", "))
	}
}

// deepCall emits the call of the function by itself, through rt.Deep, at every 256th call of a function that may recurse.
func (f *fn) deepCall() {
	if f.again == "" || f.tokenVar != "" {
		return
	}
	call, results := f.again, []string(nil)
	f.printf("rt_left--")
	f.printf("if rt_left < 0 {")
	f.printf("rt_left = 255")
	for v := range f.sig.Results().Variables() {
		n := f.temp("r")
		results = append(results, n)
		f.printf("var %s %s", n, f.typ(v.Type()))
	}
	if results != nil {
		call = strings.Join(results, ", ") + " = " + call
	}
	g := f.temp("again")
	f.printf("%s := func() { %s }", g, call)
	f.printf("rt.Deep(%s)", g)
	f.printf("return %s", strings.Join(results, ", "))
	f.printf("}")
}

func terminates(body *ast.BlockStmt) bool {
	if n := len(body.List); n > 0 {
		_, ok := body.List[n-1].(*ast.ReturnStmt)
		return ok
	}
	return false
}

// namedResults declares named results as variables.
func (f *fn) namedResults(ft *ast.FuncType) bool {
	if ft.Results == nil || len(ft.Results.List) == 0 || len(ft.Results.List[0].Names) == 0 {
		return false
	}
	i := 0
	for _, l := range ft.Results.List {
		for _, id := range l.Names {
			n := ""
			if id.Name == "_" {
				n = f.temp("r")
			} else {
				n = f.name(f.def(id))
			}
			f.results = append(f.results, n)
			f.printf("var %s %s", n, f.typ(f.sig.Results().At(i).Type()))
			i++
		}
	}
	return true
}

// hasDefer reports whether a body has a defer of its own.
func hasDefer(body ast.Node) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			found = true
		}
		return !found
	})
	return found
}

// returnsFromRange reports whether a range over a function contains a return.
func (f *fn) returnsFromRange(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			if !f.rangesOverFunc(n) {
				return true
			}
			ast.Inspect(n.Body, func(m ast.Node) bool {
				switch m.(type) {
				case *ast.FuncLit:
					return false
				case *ast.ReturnStmt:
					found = true
				}
				return true
			})
		}
		return true
	})
	return found
}

func (f *fn) rangesOverFunc(n *ast.RangeStmt) bool {
	_, ok := f.e.under(f.typeOf(n.X)).(*types.Signature)
	return ok
}

// needsCheck reports whether a function should look at the stop flag when it starts: if it can be part of a recursion.
func (f *fn) needsCheck(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || found {
			return !found
		}
		if tv := f.info.Types[c.Fun]; tv.IsType() || tv.IsBuiltin() {
			return true
		}
		if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok {
			if fo, ok := f.info.Uses[sel.Sel].(*types.Func); ok && fo.Pkg() != nil && !isCell(fo.Pkg()) && f.e.s.bodyOf(fo) == nil {
				return true
			}
		}
		found = true
		return false
	})
	return found
}

// scan finds the variables of a function that escape their iteration: those that a literal captures, and those whose
// address is taken.
func (f *fn) scan(body ast.Node) {
	if f.scanned[body] {
		return
	}
	f.bodies = append(f.bodies, body)
	f.scanned[body] = true
	var inner func(n ast.Node, lit *ast.FuncLit)
	inner = func(n ast.Node, lit *ast.FuncLit) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.FuncLit:
				if m != lit {
					f.scanned[m.Body] = true
					inner(m, m)
					return false
				}
			case *ast.RangeStmt:
				if f.rangesOverFunc(m) {
					// The body becomes a literal.
					ast.Inspect(m.Body, func(k ast.Node) bool {
						if id, ok := k.(*ast.Ident); ok {
							if v, ok := f.info.Uses[id].(*types.Var); ok && (v.Pos() < m.Body.Pos() || v.Pos() > m.Body.End()) {
								f.escapes[v] = true
							}
						}
						return true
					})
				}
			case *ast.Ident:
				if v, ok := f.info.Uses[m].(*types.Var); ok && lit != nil && (v.Pos() < lit.Pos() || v.Pos() > lit.End()) {
					f.escapes[v] = true
				}
			case *ast.UnaryExpr:
				if m.Op == token.AND {
					f.escape(m.X)
				}
			case *ast.SliceExpr:
				f.escape(m.X)
			case *ast.SelectorExpr:
				if sel := f.info.Selections[m]; sel != nil && sel.Kind() == types.MethodVal && f.takesAddress(sel) {
					f.escape(m.X)
				}
			}
			return true
		})
	}
	inner(body, nil)
}

// takesAddress reports whether a method selection takes the address of the variable that its operand is part of.
func (f *fn) takesAddress(sel *types.Selection) bool {
	m, ok := sel.Obj().(*types.Func)
	if !ok || m.Signature().Recv() == nil {
		return true
	}
	_, byPointer := types.Unalias(m.Signature().Recv().Type()).(*types.Pointer)
	if _, isPointer := sel.Recv().Underlying().(*types.Pointer); isPointer {
		return false
	}
	return byPointer
}

// escape marks the variable that an addressable expression is part of.
func (f *fn) escape(x ast.Expr) {
	for {
		switch y := x.(type) {
		case *ast.ParenExpr:
			x = y.X
		case *ast.SelectorExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.Ident:
			if v, ok := f.info.Uses[y].(*types.Var); ok {
				f.escapes[v] = true
			}
			return
		default:
			return
		}
	}
}

// globalVar is the name of a package-level variable of cells or of a package that is run from source.
func (e *emitter) globalVar(v *types.Var) string {
	if n, ok := e.s.vars[v]; ok {
		return n
	}
	if m := e.s.module(v.Pkg()); m != nil {
		return e.moduleVar(m, v)
	}
	name := e.s.fresh("v_" + v.Name())
	engine.Set(&e.s.Undo, e.s.vars, v, name)
	e.decl("var %s %s\n", name, e.typ(e.subst(v.Type(), nil, !isCell(v.Pkg()))))
	return name
}
