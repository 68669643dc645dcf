package export

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"gaucho/interp/cell"
	"gaucho/interp/check"
)

// nameAll gives imports and what cells declared the names that they have in the program. All imports come first, then
// declarations in their order: of two that want the same name, the first has it.
func (e *exporter) nameAll() {
	for _, name := range types.Universe.Names() {
		e.taken[name] = true
	}
	for _, name := range []string{"main", "init", "_"} {
		e.taken[name] = true
	}
	for _, pos := range e.positions() {
		if p, ok := e.objects[pos].(*types.PkgName); ok && e.aliases[p.Imported().Path()] == "" {
			e.aliases[p.Imported().Path()] = e.importName(p)
		}
	}
	last := map[string]types.Object{} // types that are declared several times: the last has the name, as it is printed and encoded
	for _, obj := range e.order {
		if _, isType := obj.(*types.TypeName); isType {
			last[obj.Name()] = obj
		}
	}
	for _, obj := range e.order {
		if l := last[obj.Name()]; l != nil && l != obj && e.names[l] == "" {
			if _, isType := obj.(*types.TypeName); isType {
				e.names[l] = e.fresh(obj.Name())
			}
		}
		if e.names[obj] == "" {
			e.names[obj] = e.fresh(obj.Name())
		}
	}
	if e.uses(e.checker.Ctx) {
		e.names[e.checker.Ctx] = e.fresh("ctx")
	}
	e.nameMethods()
	e.nameBodies()
}

// importName is the name under which the notebook uses a package.
func (e *exporter) importName(p *types.PkgName) string {
	if p.Name() == "." { // its members have been written alone, so any identifier could hide it
		return e.unused(p.Imported().Name())
	}
	return e.fresh(p.Name())
}

func (e *exporter) positions() []token.Pos {
	var out []token.Pos
	for pos := range e.objects {
		out = append(out, pos)
	}
	slices.Sort(out)
	return out
}

func (e *exporter) uses(obj types.Object) bool {
	for _, o := range e.objects {
		if o == obj {
			return true
		}
	}
	return false
}

// fresh returns a name of package level like the one wanted. The name itself is fine when only its own declarations and
// uses have it; a numbered one is no identifier of the notebook at all.
func (e *exporter) fresh(want string) string { return e.claim(want, false) }

// unused returns a name that no identifier of the notebook has.
func (e *exporter) unused(want string) string { return e.claim(want, true) }

func (e *exporter) claim(want string, unused bool) string {
	want = strings.ReplaceAll(want, cell.Mark, "")
	name, gone := want, e.taken[want] || unused && e.idents[want]
	for n := 2; gone; n++ {
		name = want + "_" + strconv.Itoa(n)
		gone = e.taken[name] || e.idents[name]
	}
	e.taken[name] = true
	return name
}

// nameMethods names methods: of several that a type has had under one name, the last has it.
func (e *exporter) nameMethods() {
	type key struct {
		recv types.Object
		name string
	}
	last := map[key]types.Object{}
	for _, m := range e.methods {
		last[key{check.ReceiverOf(m), m.Name()}] = m
	}
	for _, m := range e.methods {
		e.names[m] = m.Name()
		if last[key{check.ReceiverOf(m), m.Name()}] != m {
			e.names[m] = e.unused(m.Name() + "_1")
		}
	}
}

// nameBodies names each body of what was declared several times, and the variable that says which of them is called.
func (e *exporter) nameBodies() {
	for _, obj := range slices.Concat(e.order, e.methods) {
		list := e.bodies[obj]
		if len(list) < 2 || e.counters[obj] != "" {
			continue
		}
		of := e.names[obj]
		recv := check.ReceiverOf(obj)
		if recv != nil {
			of = e.names[e.rootOf(recv)] + "_" + of
		}
		e.counters[obj] = e.unused(of + "_body")
		n := 0
		for _, pos := range list {
			name := ""
			for name == "" || recv == nil && e.taken[name] || e.idents[name] || e.hasMethod(recv, name) {
				n++
				name = fmt.Sprintf("%s_%d", e.names[obj], n)
			}
			if recv == nil {
				e.taken[name] = true
			}
			e.declared[pos] = name
		}
	}
}

// hasMethod reports whether a type has a method of that name, an earlier one of another signature perhaps.
func (e *exporter) hasMethod(recv types.Object, name string) bool {
	return recv != nil && slices.ContainsFunc(e.methods, func(m types.Object) bool { return check.ReceiverOf(m) == recv && e.names[m] == name })
}

// name is what an identifier becomes, "" when it stays.
func (e *exporter) name(pos token.Pos) string {
	if n := e.declared[pos]; n != "" {
		return n
	}
	switch obj := e.objects[pos].(type) {
	case *types.PkgName:
		path := obj.Imported().Path()
		if member := e.objects[e.member[pos]]; member != nil && member.Pkg() != nil {
			path = member.Pkg().Path() // where it has moved to
		}
		return e.use(path)
	case *types.Var:
		if obj.IsField() {
			return e.embedded(obj.Origin())
		}
		return e.global(pos, obj)
	case *types.Func:
		if n := e.names[obj.Origin()]; n != "" && obj.Signature().Recv() != nil {
			return n
		}
		return e.global(pos, obj)
	case *types.TypeName, *types.Const:
		return e.global(pos, obj)
	}
	return ""
}

// global is the name of an object of package level, of the session or of a package imported with a dot.
func (e *exporter) global(pos token.Pos, obj types.Object) string {
	if obj.Pkg() == nil || !check.IsGlobal(obj) && obj != types.Object(e.checker.Ctx) {
		return ""
	}
	if obj.Pkg() == e.checker.Pkg {
		return e.names[e.rootOf(obj)]
	}
	if e.selected[pos] {
		return ""
	}
	return e.use(obj.Pkg().Path()) + "." + obj.Name()
}

// embedded is the name of a field that is an embedded type of a cell.
func (e *exporter) embedded(field *types.Var) string {
	if !field.Embedded() {
		return ""
	}
	t := types.Unalias(field.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() == e.checker.Pkg {
		return e.names[n.Origin().Obj()]
	}
	return ""
}

// use returns the name of an import, which the program needs from now on.
func (e *exporter) use(path string) string {
	e.imports[path] = true
	if e.aliases[path] == "" {
		name := lastElement(path)
		if p, err := e.checker.Importer.Import(path); err == nil {
			name = p.Name()
		}
		e.aliases[path] = e.unused(name)
	}
	return e.aliases[path]
}
