package compiled

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"gaucho/interp/lower"
)

// A cell of an interpreted session can be compiled: its functions and types, with all that they use of the session. What
// interpreted cells have declared is compiled again for it, from its source; variables it reaches through pointers.

// A Source finds the declarations of a session whose cells are interpreted.
type Source interface {
	TypeDecl(*types.TypeName) *lower.Declaration
	FuncDecl(*types.Func) *lower.Declaration
	// Interprets reports whether a package is of a module that is run from its source.
	Interprets(path string) bool
}

// foreign is what there is to know of the interpreted session around a part.
type foreign struct {
	source Source
	seen   map[types.Type]bool
	vars   map[*types.Var]string // by the name of the pointer to it
	at     map[*types.Var]token.Pos
}

// Native makes the package of a part without statements that belongs to an interpreted session, and tells what it exports
// to the session's other parts. When it returns an error, the session is as before.
func (s *Session) Native(p *lower.Part, source Source) (unit *lower.Unit, out *lower.Native, err error) {
	f := &foreign{source: source, seen: map[types.Type]bool{}, vars: map[*types.Var]string{}, at: map[*types.Var]token.Pos{}}
	unit, err = s.part(p, func(e *emitter) {
		e.foreign = f
		out = &lower.Native{Funcs: map[*types.Func]string{}, Setters: map[string]string{}, Vars: map[*types.Var]string{}, VarPos: f.at, Types: map[*types.TypeName]string{}}
		e.offer = out
	})
	if err != nil {
		return nil, nil, err
	}
	out.Path = unit.Package
	return unit, out, nil
}

// A planner collects the types and functions that a package declares.
type planner struct {
	e       *emitter
	types   []*typeHome
	funcs   []*function
	changed map[*types.TypeName]bool // types that are declared anew
	again   map[*types.Func]bool     // functions that have a new form
}

// adopt adds the declarations of interpreted cells that the part's own use, directly or not.
func (p *planner) adopt() {
	for _, t := range slices.Clone(p.types) {
		p.adoptIn(t.spec, t.info)
	}
	for _, f := range slices.Clone(p.funcs) {
		p.adoptIn(f.decl, f.info)
	}
}

func (p *planner) adoptIn(n ast.Node, info *types.Info) {
	ast.Inspect(n, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok {
			if t := info.TypeOf(x); t != nil {
				p.adoptType(t)
			}
		}
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch obj := info.Uses[id].(type) {
		case *types.Func:
			if p.e.inSession(obj) {
				p.adoptFunc(obj.Origin())
			}
		case *types.Var:
			p.e.adoptVar(obj, id.Pos())
		}
		return true
	})
}

// adoptVar notes that the package uses a variable, if it is one of interpreted cells.
func (e *emitter) adoptVar(v *types.Var, pos token.Pos) {
	if e.inSession(v) && isGlobal(v) && v != e.part.Ctx && e.s.vars[v] == nil && e.foreign.vars[v] == "" {
		e.foreign.vars[v] = e.free("O"+mark+v.Name(), e.names)
		e.foreign.at[v] = pos
	}
}

func (p *planner) adoptType(t types.Type) {
	t = types.Unalias(t)
	if p.e.foreign.seen[t] {
		return
	}
	p.e.foreign.seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			p.adoptType(a)
		}
		if p.e.inSession(t.Obj()) && isGlobal(t.Obj()) {
			p.adoptNamed(t.Origin())
		}
	case *types.Map:
		p.adoptType(t.Key())
		p.adoptType(t.Elem())
	case interface{ Elem() types.Type }:
		p.adoptType(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			p.adoptType(f.Type())
		}
	case *types.Tuple:
		for v := range t.Variables() {
			p.adoptType(v.Type())
		}
	case *types.Signature:
		p.adoptType(t.Params())
		p.adoptType(t.Results())
	case *types.Interface:
		for m := range t.Methods() {
			p.adoptType(m.Signature())
		}
	}
}

// adoptNamed adds a type with its methods.
func (p *planner) adoptNamed(t *types.Named) {
	obj := t.Obj()
	if !p.changed[obj] && p.e.s.types[obj] == nil {
		d := p.e.foreign.source.TypeDecl(obj)
		if d == nil {
			return // of the part itself
		}
		p.changed[obj] = true
		p.types = append(p.types, &typeHome{obj: obj, spec: d.Spec, info: d.Info, fset: d.Fset})
		p.adoptIn(d.Spec, d.Info)
	}
	for m := range t.Methods() {
		if p.adoptFunc(m) {
			p.changed[obj] = true
		}
	}
}

// adoptFunc adds a function or method of which there is no compiled form, or one of an earlier declaration only.
func (p *planner) adoptFunc(obj *types.Func) (added bool) {
	if p.again[obj] {
		return false
	}
	d := p.e.foreign.source.FuncDecl(obj)
	known := p.e.s.funcs[obj]
	if d == nil || known != nil && known.decl == d.Func {
		return false
	}
	f := &function{
		obj: obj, decl: d.Func, plain: d.Plain, info: d.Info, fset: d.Fset, cell: d.Cell, text: textOf(d.Func),
		deps: map[*types.Func]*function{}, calls: map[*types.Func]bool{},
	}
	if known != nil {
		f.older = append(slices.Clone(known.older), older{known.home, known.sig})
	}
	p.again[obj] = true
	p.funcs = append(p.funcs, f)
	p.adoptType(obj.Signature())
	if r := obj.Signature().Recv(); r != nil {
		p.adoptType(r.Type())
	}
	p.adoptIn(d.Func, d.Info)
	return true
}

// outside is the text of a variable of interpreted cells, empty for others.
func (e *emitter) outside(v *types.Var) string {
	if e.foreign == nil || e.foreign.vars[v] == "" {
		return ""
	}
	return "(*" + e.foreign.vars[v] + ")"
}

// native is the text of a value from an interface whose dynamic type matters: interpreted cells put boxes there.
func (e *emitter) native(x ast.Expr) string {
	t := e.info.TypeOf(x)
	if _, ok := types.Unalias(t).(*types.TypeParam); ok || e.foreign == nil || !types.IsInterface(t) {
		return ""
	}
	return e.cell() + ".NativeOf[" + e.typ(t, x.Pos()) + "](" + e.expr(x) + ")"
}

// equality is the text of a comparison of values in interfaces, empty for other expressions.
func (e *emitter) equality(x *ast.BinaryExpr) string {
	if e.foreign == nil || x.Op != token.EQL && x.Op != token.NEQ || e.info.Types[x.X].IsNil() || e.info.Types[x.Y].IsNil() {
		return ""
	}
	a, b := e.native(x.X), e.native(x.Y)
	if a == "" && b == "" {
		return ""
	}
	if a == "" {
		a = e.expr(x.X)
	}
	if b == "" {
		b = e.expr(x.Y)
	}
	return "(" + a + " " + x.Op.String() + " " + b + ")"
}

// export writes what the entry leaves for the interpreted side.
func (e *emitter) export(declared []*typeHome) {
	e.info, e.fset, e.fn = e.part.Info, e.part.Fset, nil
	list := map[string]string{}
	for _, t := range declared {
		if n, ok := t.obj.Type().(*types.Named); ok && n.TypeParams().Len() == 0 && !types.IsInterface(n) {
			name := "T_" + t.obj.Name()
			if list[name] != "" {
				continue // an earlier type of the name
			}
			list[name] = "(*" + e.typ(n, t.spec.Pos()) + ")(nil)"
			e.offer.Types[t.obj] = name
		}
	}
	for _, d := range e.part.Funcs {
		obj, _ := e.part.Info.Defs[d.Name].(*types.Func)
		if m := e.part.Methods[d]; m != nil {
			obj = m
		}
		f := e.s.funcs[obj]
		if obj == nil || f == nil || !e.forwards(f) {
			continue
		}
		name := obj.Name()
		if t := receiver(obj); t != nil {
			name = t.Obj().Name() + "_" + name
			list["M_"+name] = "(" + e.typ(obj.Signature().Recv().Type(), d.Pos()) + ")." + method(obj.Name())
			e.offer.Funcs[obj] = "M_" + name
		} else {
			list["F_"+name] = e.ref(&f.home, "H"+mark+f.name)
			e.offer.Funcs[obj] = "F_" + name
		}
		setter := "S_" + e.offer.Funcs[obj]
		list[setter] = e.setter(f)
		e.offer.Setters[e.offer.Funcs[obj]] = setter
	}
	for v, pointer := range e.foreign.vars {
		t := "*" + e.typ(v.Type(), e.foreign.at[v])
		e.decl("var %s %s\n", pointer, t)
		e.declare = true
		list["V_"+pointer] = "func(p " + t + ") { " + pointer + " = p }"
		e.offer.Vars[v] = "V_" + pointer
	}
	for _, path := range e.order {
		if e.foreign.source.Interprets(path) {
			e.refuse(e.firstPos(), "package %s is interpreted in this session, and cannot be used in a cell under %%%%compile (the compiled engine runs it)", path)
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s.Exports = map[string]any{\n", e.cell())
	for _, name := range slices.Sorted(maps.Keys(list)) {
		fmt.Fprintf(&text, "%q: %s,\n", name, list[name])
	}
	text.WriteString("}\n")
	e.entries = append(e.entries, text.String())
}

// firstPos is where the part's first function stands.
func (e *emitter) firstPos() token.Pos {
	if len(e.part.Funcs) > 0 {
		return e.part.Funcs[0].Pos()
	}
	return token.NoPos
}

// setter is a function that has another one take over the callers of all forms of f.
func (e *emitter) setter(f *function) string {
	kinds, results := e.kinds(f.obj.Signature(), f.decl.Pos())
	var b strings.Builder
	fmt.Fprintf(&b, "func(h func(%s)%s) {\n", strings.Join(kinds, ", "), results)
	fmt.Fprintf(&b, "%s = h\n", e.ref(&f.home, "W"+mark+f.name))
	for _, o := range f.older {
		if o.pkg != e.pkg && o.sig == f.sig {
			fmt.Fprintf(&b, "%s.W%s%s = h\n", e.packageOf(o.pkg), mark, o.name)
		}
	}
	b.WriteString("}")
	return b.String()
}

// Callers are the names of the compiled functions that call f.
func (s *Session) Callers(f *types.Func) []string {
	var names []string
	for obj, g := range s.funcs {
		if g.deps[f] != nil && obj != f && g.obj == obj {
			names = append(names, obj.Name())
		}
	}
	slices.Sort(names)
	return names
}
