package compiled

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"gaucho/interp/engine"
	"gaucho/interp/rt/run"
)

// typ is the text of a type.
func (e *emitter) typ(t types.Type, pos token.Pos) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return e.lib("unsafe", "unsafe") + ".Pointer"
		}
		return e.predeclared(types.Default(t).(*types.Basic).Name())
	case *types.Named:
		return e.named(t, pos)
	case *types.TypeParam:
		return paramName(t)
	case *types.Pointer:
		return "*" + e.typ(t.Elem(), pos)
	case *types.Slice:
		return "[]" + e.typ(t.Elem(), pos)
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), e.typ(t.Elem(), pos))
	case *types.Map:
		return "map[" + e.typ(t.Key(), pos) + "]" + e.typ(t.Elem(), pos)
	case *types.Chan:
		switch t.Dir() {
		case types.SendOnly:
			return "chan<- (" + e.typ(t.Elem(), pos) + ")"
		case types.RecvOnly:
			return "<-chan (" + e.typ(t.Elem(), pos) + ")"
		}
		return "chan (" + e.typ(t.Elem(), pos) + ")"
	case *types.Signature:
		return "func" + e.signature(t, pos)
	case *types.Interface:
		return e.iface(t, pos)
	case *types.Union:
		var terms []string
		for term := range t.Terms() {
			text := e.typ(term.Type(), pos)
			if term.Tilde() {
				text = "~" + text
			}
			terms = append(terms, text)
		}
		return strings.Join(terms, " | ")
	case *types.Struct:
		return e.structType(t, pos)
	case *types.Tuple:
		var list []string
		for v := range t.Variables() {
			list = append(list, e.typ(v.Type(), pos))
		}
		return "(" + strings.Join(list, ", ") + ")"
	}
	panic(fmt.Sprintf("compiled: type %v", t))
}

// predeclared is the text of a predeclared type. What a cell declares may hide its own name.
func (e *emitter) predeclared(name string) string {
	return e.cell() + "." + strings.ToUpper(name[:1]) + name[1:]
}

// named is the text of a named type.
func (e *emitter) named(t *types.Named, pos token.Pos) string {
	obj := t.Obj()
	var text string
	switch {
	case obj.Pkg() == nil && obj.Name() == "comparable": // only constraints mention it, at the top level
		text = obj.Name()
	case obj.Pkg() == nil:
		text = e.predeclared(obj.Name())
	case e.inSession(obj) && isGlobal(obj):
		h := e.s.types[obj]
		if h == nil {
			panic("compiled: type " + obj.Name() + " has no home")
		}
		e.uses[obj] = h
		e.mention(obj, slices.Collect(t.TypeArgs().Types()))
		text = e.ref(&h.home, h.alias(e.pkg, t.TypeParams().Len() > 0 && !e.local))
	case e.inSession(obj):
		text = obj.Name()
		if alias := e.locals[obj]; alias != "" {
			text = alias
		}
	default:
		if alias := exportedAlias(t); alias != "" {
			return e.lib(obj.Pkg().Path(), obj.Pkg().Name()) + "." + alias
		}
		if !obj.Exported() {
			e.refuse(pos, "the type %s.%s is not exported, so no variable of the top level can have it: give it an interface type%s, or keep it inside a function", obj.Pkg().Path(), obj.Name(), fitting(t))
		}
		text = e.lib(obj.Pkg().Path(), obj.Pkg().Name()) + "." + obj.Name()
	}
	if args := t.TypeArgs(); args.Len() > 0 {
		var list []string
		for a := range args.Types() {
			list = append(list, e.typ(a, pos))
		}
		text += "[" + strings.Join(list, ", ") + "]"
	}
	return text
}

// exportedAlias is a name by which other packages can write a type whose own is not exported, or empty.
func exportedAlias(t *types.Named) string {
	if t.Obj().Exported() {
		return ""
	}
	scope := t.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if obj, ok := scope.Lookup(name).(*types.TypeName); ok && obj.Exported() && obj.IsAlias() && types.Identical(obj.Type(), t) {
			return name
		}
	}
	return ""
}

// fitting names the exported interface of a type's package with most methods of those that the type has, as a suggestion.
func fitting(t *types.Named) (suggestion string) {
	scope, most := t.Obj().Pkg().Scope(), 0
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !obj.Exported() {
			continue
		}
		u, ok := obj.Type().Underlying().(*types.Interface)
		if ok && u.NumMethods() > most && (types.Implements(t, u) || types.Implements(types.NewPointer(t), u)) {
			most, suggestion = u.NumMethods(), ", such as "+t.Obj().Pkg().Name()+"."+name
		}
	}
	return suggestion
}

// outside is the text that f writes for a declaration of the package, also where a function is being written.
func (e *emitter) outside(f func() string) string {
	local := e.local
	e.local = false
	defer func() { e.local = local }()
	return f()
}

// alias is the name of a type outside its declaration: one that no local name hides. Go's type checker does not take
// generic aliases in all places, and its importer waits for itself where one is in the type of a variable or function, so
// outside functions generic types have their own names if these can be used.
func (h *typeHome) alias(in *pkg, own bool) string {
	if own && (h.pkg == in || token.IsExported(h.name)) {
		return h.name
	}
	return "T" + mark + h.name
}

// signature is the text of parameters and results.
func (e *emitter) signature(t *types.Signature, pos token.Pos) string {
	var params []string
	for i := range t.Params().Len() {
		p := t.Params().At(i).Type()
		if t.Variadic() && i == t.Params().Len()-1 {
			params = append(params, e.variadic(p, pos))
			continue
		}
		params = append(params, e.typ(p, pos))
	}
	text := "(" + strings.Join(params, ", ") + ")"
	if t.Results().Len() > 0 {
		text += " " + e.typ(t.Results(), pos)
	}
	return text
}

func (e *emitter) variadic(t types.Type, pos token.Pos) string {
	if s, ok := t.Underlying().(*types.Slice); ok {
		return "..." + e.typ(s.Elem(), pos)
	}
	return "..." + e.predeclared("byte") // append([]byte, string...)
}

// method is the name of a method in the text: those that are not exported must be reached from other cells' packages.
func method(name string) string {
	if token.IsExported(name) || name == "_" {
		return name
	}
	return run.HiddenMethod + name
}

// methodOf is the name of a method of the session in the text. One whose type has got a method of its name with another signature
// goes on under a hidden name, for the functions that call it.
func (e *emitter) methodOf(m *types.Func) string {
	t := receiver(m)
	if t == nil || types.IsInterface(t) || slices.Contains(slices.Collect(t.Methods()), m.Origin()) {
		return method(m.Name())
	}
	return run.HiddenMethod + m.Name() + mark + strconv.Itoa(int(m.Pos()))
}

func (e *emitter) iface(t *types.Interface, pos token.Pos) string {
	if t.NumMethods() == 0 && t.NumEmbeddeds() == 0 {
		return e.predeclared("any")
	}
	var parts []string
	for m := range t.ExplicitMethods() {
		name := m.Name()
		if e.inSession(m) {
			name = method(name)
		}
		parts = append(parts, name+e.signature(m.Signature(), pos))
	}
	for x := range t.EmbeddedTypes() {
		parts = append(parts, e.typ(x, pos))
	}
	return "interface{ " + strings.Join(parts, "; ") + " }"
}

// structType is the text of a struct type without a name.
func (e *emitter) structType(t *types.Struct, pos token.Pos) string {
	if !e.hidden(t) || e.hasLocal(t, map[types.Type]bool{}) {
		return e.structText(t, pos)
	}
	names := fieldNames(t)
	like := e.s.structs[names]
	for _, h := range like {
		if types.Identical(h.t, t) && e.current(h.uses) {
			return e.ref(&h.home, h.name)
		}
	}
	h := &structHome{t: t, home: home{pkg: e.pkg, name: e.free("S"+mark, e.names)}}
	engine.Set(&e.s.Undo, e.s.structs, names, append(slices.Clip(like), h))
	text := e.collect(func() string { return e.outside(func() string { return e.structText(t, pos) }) }, &h.uses)
	e.decl("type %s = %s\n", h.name, text)
	e.declare = true
	return h.name
}

// fieldNames are the names of a struct's fields, by which types like it are found.
func fieldNames(t *types.Struct) string {
	var names []string
	for f := range t.Fields() {
		names = append(names, f.Name())
	}
	return strings.Join(names, " ")
}

// current reports whether types are still in the forms that were used.
func (e *emitter) current(uses map[*types.TypeName]*typeHome) bool {
	for obj, h := range uses {
		if e.s.types[obj] != h {
			return false
		}
	}
	return true
}

// hidden reports whether a struct type has fields of cells that are not exported.
func (e *emitter) hidden(t *types.Struct) bool {
	for f := range t.Fields() {
		if !f.Exported() && e.inSession(f) {
			return true
		}
	}
	return false
}

// hasLocal reports whether a type mentions a type parameter or a type declared in a function.
func (e *emitter) hasLocal(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		if e.inSession(t.Obj()) && !isGlobal(t.Obj()) {
			return true
		}
		for a := range t.TypeArgs().Types() {
			if e.hasLocal(a, seen) {
				return true
			}
		}
	case interface{ Elem() types.Type }:
		if m, ok := t.(*types.Map); ok && e.hasLocal(m.Key(), seen) {
			return true
		}
		return e.hasLocal(t.Elem(), seen)
	case *types.Struct:
		for f := range t.Fields() {
			if e.hasLocal(f.Type(), seen) {
				return true
			}
		}
	case *types.Signature:
		for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range tuple.Variables() {
				if e.hasLocal(v.Type(), seen) {
					return true
				}
			}
		}
	}
	return false
}

// structText is a struct type literal.
func (e *emitter) structText(t *types.Struct, pos token.Pos) string {
	if _, ok := e.s.owners[t]; !ok {
		engine.Set(&e.s.Undo, e.s.owners, t, e.pkg)
	}
	var b strings.Builder
	b.WriteString("struct {\n")
	for i := range t.NumFields() {
		f := t.Field(i)
		if f.Embedded() {
			b.WriteString(e.embedded(f, pos))
		} else {
			b.WriteString(f.Name() + " " + e.typ(f.Type(), pos))
		}
		if tag := t.Tag(i); tag != "" {
			b.WriteString(" " + strconv.Quote(tag))
		}
		b.WriteByte('\n')
	}
	b.WriteString("}")
	return b.String()
}

// embedded is the text of an embedded field, whose name is that of its type.
func (e *emitter) embedded(f *types.Var, pos token.Pos) string {
	star, t := "", f.Type()
	if p, ok := t.(*types.Pointer); ok {
		star, t = "*", p.Elem()
	}
	if a, ok := t.(*types.Alias); ok && !isGlobal(a.Obj()) && e.inSession(a.Obj()) {
		return star + a.Obj().Name()
	}
	t = types.Unalias(t)
	if types.Universe.Lookup(f.Name()) != nil && types.Universe.Lookup(f.Name()).Type() == t {
		return star + e.embeddedName(f.Name(), e.predeclared(f.Name()), pos)
	}
	text := e.typ(t, pos)
	name := strings.TrimLeft(text[strings.LastIndexByte(cutArgs(text), '.')+1:], " ")
	if n, ok := t.(*types.Named); ok && e.inSession(n.Obj()) && isGlobal(n.Obj()) {
		h := e.s.types[n.Obj()]
		if h.name == f.Name() && (h.pkg == e.pkg || f.Exported()) {
			args := text[len(cutArgs(text)):]
			return star + e.ref(&h.home, h.name) + args
		}
	} else if ok && e.inSession(n.Obj()) { // of a function, in which its name is what the cell wrote
		return star + f.Name() + text[len(cutArgs(text)):]
	} else if cutArgs(name) == f.Name() {
		return star + text
	}
	return star + e.embeddedName(f.Name(), text, pos)
}

// embeddedName is the name under which a type is embedded that the text knows by another one: an alias at the top level. A
// predeclared name is its own alias.
func (e *emitter) embeddedName(name, text string, pos token.Pos) string {
	switch {
	case e.embeds[name] == text:
	case e.embeds[name] != "" || e.names[name] && types.Universe.Lookup(name) == nil:
		e.refuse(pos, "two types named %s are declared or embedded here: declare them, and what embeds them, in different cells", name)
	default:
		e.names[name], e.embeds[name] = true, text
		if text != e.predeclared(name) {
			e.decl("type %s = %s\n", name, text)
		}
	}
	return name
}

// cutArgs is the text of a type without its type arguments.
func cutArgs(s string) string {
	s, _, _ = strings.Cut(s, "[")
	return s
}
