package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"sort"
	"strings"

	"gaucho/interp/engine"
)

// entryBody emits the function that runs the statements of the part. It first calls the one that does what must be done
// before: it registers methods and takes over callers of replaced functions. Then it says that the part has started.
func (e *emitter) entryBody() {
	p := e.part
	stmts := 0
	f := e.newFn(&declared{decl: &ast.FuncDecl{Name: &ast.Ident{}, Body: &ast.BlockStmt{}}, info: p.Info, fset: p.Fset, pkg: p.Pkg, cell: p.Cell, program: p.Program}, nil)
	f.sig = types.NewSignatureType(nil, nil, nil, nil, nil, false)
	defers := false
	for _, c := range p.Body {
		var n ast.Node = c.Stmt
		if c.Var != nil {
			n = c.Var
		}
		f.scan(n)
		defers = defers || hasDefer(n)
	}
	if p.Program && len(p.Body) == 0 {
		e.program(f)
	}
	if defers {
		f.defers = f.temp("d")
		f.stored = p.Program
	}
	for i, c := range p.Body {
		if i >= len(p.Body)-p.Show {
			break
		}
		e.guard(func() { f.chunk(c) })
		stmts++
		if !p.Program && len(p.Body) > 1 {
			f.printf("rt.Step(%d)", stmts)
		}
	}
	if p.Show > 0 {
		e.guard(func() { f.show(p.Body[len(p.Body)-p.Show:]) })
	}
	text := f.b.String()
	if defers {
		if p.Program {
			text = "body := func(" + f.defers + " *rt.D) {\n" + text + "}\nrt.Run(body)\n"
		} else {
			text = f.defers + " := rt.CellDefers()\n" + text
		}
	}
	e.entry = e.s.fresh(fmt.Sprintf("c_%d", p.Cell))
	switch {
	case p.Import != nil:
		at := p.Fset.Position(p.At)
		e.decl("//line c%d"+sourceName+":%d:%d\n", p.Cell, at.Line, at.Column)
	case p.Program:
		e.decl("%s\n", noPlace)
	default: // the session knows which statement it came to
		e.decl("//line c%d"+sourceName+":1\n", p.Cell)
	}
	e.decl("func %s() { s_%s(); rt.Started()\n%s}\n", e.entry, e.entry, text)
}

// chunk emits a top-level statement. Variables that it declares are package variables.
func (f *fn) chunk(c engine.Chunk) {
	if c.Stmt != nil {
		f.stmt(c.Stmt)
		return
	}
	f.lineDirective(c.Var.Pos())
	f.globals(c.Var.Names, c.Var.Values)
}

// globals emits the initialisation of package variables.
func (f *fn) globals(names []*ast.Ident, values []ast.Expr) {
	if len(values) == 0 {
		for _, id := range names {
			if id.Name == "_" {
				continue
			}
			obj := f.def(id).(*types.Var)
			if _, keeps := f.e.part.Keeps[obj]; keeps {
				z := f.temp("z")
				f.printf("var %s %s", z, f.typ(f.closed(obj.Type())))
				f.printf("%s = %s", f.name(obj), z)
			} else {
				f.name(obj)
			}
		}
		return
	}
	var lhs []ast.Expr
	for _, id := range names {
		lhs = append(lhs, id)
	}
	defer f.order(f.valueOperands(lhs, values)...)()
	ds := f.dests(lhs, false)
	if len(values) == 1 && len(lhs) > 1 {
		f.assignMulti(ds, values[0])
		return
	}
	if len(ds) == 1 {
		f.defineOne(ds[0], values[0])
		return
	}
	var temps []string
	for i, x := range values {
		n := f.temp("t")
		t := f.destType(ds[i], x)
		f.declare(n, t, f.fresh(x, t))
		temps = append(temps, n)
	}
	for i, d := range ds {
		if !d.blank {
			f.assign(d.text, temps[i])
		}
	}
}

// show emits the report of the values of the last expressions.
func (f *fn) show(chunks []engine.Chunk) {
	var vals []string
	for _, c := range chunks {
		x := ast.Unparen(c.Stmt.(*ast.ExprStmt).X)
		f.lineDirective(x.Pos())
		tv := f.info.Types[x]
		if tup, ok := tv.Type.(*types.Tuple); ok {
			if tup.Len() == 0 {
				f.printf("%s", f.expr(x))
				continue
			}
			text, ts := f.multi(x)
			var names []string
			for range ts {
				names = append(names, f.temp("t"))
			}
			f.printf("%s := %s", strings.Join(names, ", "), text)
			for i, n := range names {
				vals = append(vals, f.e.convert(n, ts[i], anyType))
			}
			continue
		}
		if tv.IsVoid() {
			f.printf("%s", f.expr(x))
			continue
		}
		n := f.temp("t")
		f.declare(n, anyType, f.to(x, anyType))
		vals = append(vals, n)
	}
	if len(vals) > 0 {
		f.printf("rt.Result(%s)", strings.Join(vals, ", "))
		f.e.show = true
	}
}

// initialise emits the initialisation of variables of a package.
func (f *fn) initialise(in *types.Initializer) {
	f.scan(in.Rhs)
	f.lineDirective(in.Rhs.Pos())
	var ids []*ast.Ident
	for _, v := range in.Lhs {
		id := &ast.Ident{NamePos: v.Pos(), Name: v.Name()}
		if v.Name() != "_" {
			f.info.Uses[id] = v
			defer delete(f.info.Uses, id)
		}
		ids = append(ids, id)
	}
	f.globals(ids, []ast.Expr{in.Rhs})
}

// program emits the initialisation of a whole program's variables, its init functions and main.
func (e *emitter) program(f *fn) {
	for _, in := range e.part.Info.InitOrder {
		e.guard(func() { f.initialise(in) })
	}
	decls := append([]*ast.FuncDecl(nil), e.part.Funcs...)
	sort.SliceStable(decls, func(i, j int) bool { return decls[i].Pos() < decls[j].Pos() })
	for _, d := range decls {
		if d.Recv == nil && d.Name.Name == "init" {
			f.printf("%s()", e.funcName(e.funcObj(d), nil))
		}
	}
	for _, d := range decls {
		if d.Recv == nil && d.Name.Name == "main" {
			f.printf("%s()", e.funcName(e.funcObj(d), nil))
		}
	}
}
