package lower

import (
	"fmt"
	"go/types"
	"slices"
	"sort"
	"strings"

	"gaucho/interp/engine"
	"gaucho/interp/wire"
)

// table has the lowered text register the methods of a type that is boxed, and those of the types in it: printing a
// value calls the String methods of its parts.
func (e *emitter) table(t types.Type) {
	t = types.Unalias(t)
	ti := e.info(t)
	if ti.tabled || ti.native {
		return
	}
	ti.tabled = true
	e.s.Note(func() { ti.tabled = false })
	e.describe(t)
	at := e.at
	e.later(func() { e.at = at; e.methodsOf(ti) })
	if isNamed(t) && !isInterface(t) && hasCodec(types.NewPointer(t)) {
		e.table(types.NewPointer(t))
	}
	switch u := e.under(t).(type) {
	case *types.Pointer:
		e.table(u.Elem())
	case *types.Slice:
		e.table(u.Elem())
	case *types.Array:
		e.table(u.Elem())
	case *types.Map:
		e.table(u.Key())
		e.table(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			e.table(e.subst(f.Type(), nil, true))
		}
	case *types.Signature:
		for r := range u.Results().Variables() {
			e.table(e.subst(r.Type(), nil, true))
		}
	}
}

// hasCodec reports whether a type has a method that encoding/json calls.
func hasCodec(t types.Type) bool {
	ms := types.NewMethodSet(t)
	for _, name := range []string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "IsZero"} {
		if ms.Lookup(nil, name) != nil {
			return true
		}
	}
	return false
}

// methodsOf registers the methods of a type that are not registered yet, or that hide promoted ones that are.
func (e *emitter) methodsOf(ti *typeInfo) {
	t := ti.typ
	if isInterface(t) {
		return
	}
	ms := types.NewMethodSet(t)
	old, oldSet, oldFuncs := ti.wire.Methods, ti.set, ti.funcs
	had := map[string]wire.Sig{}
	for _, m := range old {
		had[m.Name] = m
	}
	var methods []wire.Sig
	funcs := map[string]*types.Func{}
	changed := false
	for sel := range ms.Methods() {
		m := sel.Obj().(*types.Func)
		if !m.Exported() && !e.s.interpreted(m.Pkg()) {
			continue
		}
		name := e.methodName(m)
		funcs[name] = m.Origin()
		before, known := had[name]
		if known && oldFuncs[name] == m.Origin() {
			methods = append(methods, before)
			continue
		}
		sig := e.subst(sel.Type(), nil, true).(*types.Signature)
		key := e.sigKey(sig)
		e.guard(func() { e.methodEntry(ti, sel, m, sig) })
		methods = append(methods, wire.Sig{Name: name, Key: key})
		if !known || before.Key != key {
			impl := name + " " + key
			engine.Set(&e.s.Undo, e.s.impls, impl, append(e.s.impls[impl][:len(e.s.impls[impl]):len(e.s.impls[impl])], ti))
		}
		changed = true
	}
	if !changed && len(methods) == len(old) {
		return
	}
	sort.Slice(methods, func(i, j int) bool { return methods[i].Name < methods[j].Name })
	e.s.Note(func() { ti.wire.Methods, ti.set, ti.funcs = old, oldSet, oldFuncs })
	ti.wire.Methods, ti.funcs = methods, funcs
	e.change(ti)
}

// methodName is a method's name in tables and dispatchers: one that is not exported has its module's package before it.
func (e *emitter) methodName(m *types.Func) string {
	if m.Exported() || m.Pkg() == nil || isCell(m.Pkg()) {
		return m.Name()
	}
	return m.Pkg().Path() + "." + m.Name()
}

// methodEntry writes the registration of one method.
func (e *emitter) methodEntry(ti *typeInfo, sel *types.Selection, m *types.Func, sig *types.Signature) {
	names := paramNames(sig)
	pkg := m.Pkg()
	s := e.selectMethod(e.cast("r", ti.typ), ti.typ, m.Name(), pkg)
	target, recv := e.methodTarget(s)
	args := pass(sig, names)
	if recv != "" && args != "" {
		recv += ", "
	}
	ret := ""
	if sig.Results().Len() > 0 {
		ret = "return "
	}
	params := e.sigText(sig, names)
	params = "(r any" + strings.Replace(", "+params[1:], ", )", ")", 1)
	fmt.Fprintf(&e.start, "rt.SetMethod(%s, %q, func%s { %s%s(%s%s) })\n", e.desc(ti.typ), e.methodName(m), params, ret, target, recv, args)
}

// refreshTables registers methods that the part adds to types of earlier cells.
func (e *emitter) refreshTables() {
	if len(e.part.Methods) == 0 {
		return
	}
	for _, ti := range e.s.list {
		if ti.tabled {
			e.methodsOf(ti)
		}
	}
}

// A dispatcher is the function by which a method is called on a value in an interface that is represented as any.
type dispatcher struct {
	name   string
	method *types.Func
	impl   string
	sig    *types.Signature
	known  int
	open   bool
}

// dispatcher names the function that calls a method of an interface.
func (e *emitter) dispatcher(iface types.Type, m *types.Func) string {
	sig := e.subst(m.Signature(), nil, true).(*types.Signature)
	impl := e.methodName(m) + " " + e.sigKey(sig)
	d := e.s.disp[impl]
	if d != nil && (d.open || d.known == len(e.s.impls[impl])) {
		return d.name
	}
	d = &dispatcher{name: e.s.fresh("d_" + m.Name()), method: m, impl: impl, sig: sig, open: true}
	engine.Set(&e.s.Undo, e.s.disp, impl, d)
	e.dispatch = append(e.dispatch, d)
	return d.name
}

// finishDispatchers writes the dispatchers that the unit uses, when all types that it boxes are known.
func (e *emitter) finishDispatchers() {
	for len(e.dispatch) > 0 {
		d := e.dispatch[0]
		e.dispatch = e.dispatch[1:]
		e.guard(func() { e.writeDispatcher(d) })
		e.drain()
	}
}

const directCases = 4 // a case costs every call the space for its intermediate values

func (e *emitter) writeDispatcher(d *dispatcher) {
	impls := e.s.impls[d.impl]
	d.open, d.known = false, len(impls)
	// A promoted method may be hidden by one that a later cell declares: it is found in the table. A method that has been declared
	// again with another signature, and again with this one, is there twice.
	seen := map[*typeInfo]bool{}
	impls = slices.DeleteFunc(slices.Clone(impls), func(ti *typeInfo) bool {
		sel := types.NewMethodSet(ti.typ).Lookup(d.method.Pkg(), d.method.Name())
		gone := sel == nil || len(sel.Index()) > 1 || seen[ti] || e.sigKey(e.subst(sel.Type(), nil, true).(*types.Signature)) != e.sigKey(d.sig)
		seen[ti] = true
		return gone
	})
	names := paramNames(d.sig)
	params := e.sigText(d.sig, names)
	params = "(x any" + strings.Replace(", "+params[1:], ", )", ")", 1)
	ret, end := "", "return\n"
	if d.sig.Results().Len() > 0 {
		ret, end = "return ", ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "func %s%s {\nif b, ok := x.(rt.Box); ok {\n", d.name, params)
	args := pass(d.sig, names)
	if n := len(impls); n > 0 && n <= directCases {
		b.WriteString("switch b.T.ID {\n")
		for _, ti := range impls {
			s := e.selectMethod(e.cast("b.V", ti.typ), ti.typ, d.method.Name(), d.method.Pkg())
			target, recv := e.methodTarget(s)
			if recv != "" && args != "" {
				recv += ", "
			}
			fmt.Fprintf(&b, "case %d:\n%s%s(%s%s)\n%s", ti.id, ret, target, recv, args, end)
		}
		b.WriteString("}\n")
	}
	sep := ""
	if args != "" {
		sep = ", "
	}
	table := e.sigText(d.sig, nil)
	table = "func(any" + strings.Replace(", "+table[1:], ", )", ")", 1)
	method := e.methodName(d.method)
	fmt.Fprintf(&b, "%srt.MethodOf(b.T, %q).(%s)(b.V%s%s)\n%s}\n", ret, method, table, sep, args, end)
	fmt.Fprintf(&b, "%srt.NativeMethod(x, %q).(func%s)(%s)\n}\n", ret, method, e.sigText(d.sig, nil), args)
	e.decl("%s", b.String())
}
