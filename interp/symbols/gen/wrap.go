package main

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// A wrapper lets a boxed value of a cell's type stand for a compiled package's interface.
type wrapper struct {
	name    string
	iface   string // the type, with packages as {path}
	methods []wrapMethod
}

type wrapMethod struct {
	name     string
	params   []string // types, with packages as {path}
	results  []string
	variadic bool
}

// wrappersOf returns the wrappers of the interfaces that a package declares: those with methods, all of them exported
// and of types that can be written down.
func (b *build) wrappersOf(p *pkg) []wrapper {
	if emitted(p.ImportPath) {
		return nil
	}
	var list []wrapper
	for _, name := range exported(p) {
		obj, ok := p.types.Scope().Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() || !isValueType(obj) {
			continue
		}
		iface, ok := obj.Type().Underlying().(*types.Interface)
		if !ok || iface.NumMethods() == 0 {
			continue
		}
		if w, ok := b.wrapper(name, iface); ok {
			w.iface = "{" + p.ImportPath + "}." + name
			list = append(list, w)
		}
	}
	return append(list, b.unnamed(p)...)
}

// unnamed returns wrappers for interface types without a name that functions of a package ask for: those that embed
// interfaces of this package and have nothing else. They are called after what they embed, "XYer_XErrorer".
func (b *build) unnamed(p *pkg) []wrapper {
	var list []wrapper
	for _, name := range exported(p) {
		fn, ok := p.types.Scope().Lookup(name).(*types.Func)
		if !ok || fn.Signature().TypeParams().Len() > 0 {
			continue
		}
		for v := range fn.Signature().Params().Variables() {
			iface, ok := types.Unalias(v.Type()).(*types.Interface)
			if !ok || iface.NumExplicitMethods() > 0 || iface.NumEmbeddeds() == 0 {
				continue
			}
			var names []string
			for t := range iface.EmbeddedTypes() {
				if n, ok := t.(*types.Named); ok && n.Obj().Pkg() == p.types {
					names = append(names, n.Obj().Name())
				}
			}
			w, ok := b.wrapper(strings.Join(names, "_"), iface)
			if !ok || len(names) < iface.NumEmbeddeds() || slices.ContainsFunc(list, func(x wrapper) bool { return x.name == w.name }) {
				continue
			}
			w.iface = "interface{ {" + p.ImportPath + "}." + strings.Join(names, "; {"+p.ImportPath+"}.") + " }"
			list = append(list, w)
		}
	}
	return list
}

func (b *build) wrapper(name string, iface *types.Interface) (wrapper, bool) {
	w := wrapper{name: name}
	ok := true
	text := func(t types.Type) string {
		ok = ok && b.spellable(t)
		return types.TypeString(t, func(p *types.Package) string { return "{" + p.Path() + "}" })
	}
	for m := range iface.Methods() {
		if !m.Exported() || m.Name() == "Box" { // Box is the name of the wrapper's field
			return w, false
		}
		sig := m.Signature()
		wm := wrapMethod{name: m.Name(), variadic: sig.Variadic()}
		for v := range sig.Params().Variables() {
			wm.params = append(wm.params, text(v.Type()))
		}
		for v := range sig.Results().Variables() {
			wm.results = append(wm.results, text(v.Type()))
		}
		if wm.variadic {
			last := &wm.params[len(wm.params)-1]
			*last = "..." + strings.TrimPrefix(*last, "[]")
		}
		w.methods = append(w.methods, wm)
	}
	slices.SortFunc(w.methods, func(a, b wrapMethod) int { return strings.Compare(a.name, b.name) })
	return w, ok
}

// spellable reports whether another package can write the type.
func (b *build) spellable(t types.Type) bool {
	switch t := t.(type) {
	case *types.Basic:
		return true
	case *types.Named:
		return b.named(t.Obj(), t.TypeArgs())
	case *types.Alias:
		return b.named(t.Obj(), t.TypeArgs())
	case *types.Pointer:
		return b.spellable(t.Elem())
	case *types.Slice:
		return b.spellable(t.Elem())
	case *types.Array:
		return b.spellable(t.Elem())
	case *types.Chan:
		return b.spellable(t.Elem())
	case *types.Map:
		return b.spellable(t.Key()) && b.spellable(t.Elem())
	case *types.Signature:
		for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range tuple.Variables() {
				if !b.spellable(v.Type()) {
					return false
				}
			}
		}
		return true
	case *types.Interface:
		return t.Empty()
	case *types.Struct:
		return t.NumFields() == 0
	}
	return false
}

func (b *build) named(obj *types.TypeName, args *types.TypeList) bool {
	for a := range args.Types() {
		if !b.spellable(a) {
			return false
		}
	}
	if obj.Pkg() == nil {
		return true
	}
	p := b.pkgs[obj.Pkg().Path()]
	return obj.Exported() && p != nil && public(p)
}

// wrappers adds a package's table of wrappers, under the path wrap/<path>: the interfaces, as nil pointers.
func (f *goFile) wrappers(path string, list []wrapper) {
	if len(list) == 0 {
		return
	}
	var names, values []string
	for _, w := range list {
		names = append(names, w.name)
		values = append(values, fmt.Sprintf("(*%s)(nil)", f.qualify(w.iface)))
	}
	fmt.Fprintf(&f.wraps, "{path: %q, names: %q, values: []any{%s}},\n", "wrap/"+path, strings.Join(names, " "), strings.Join(values, ", "))
}

// signature returns the type of a method's function, whose first parameter is the receiver, and the text of its results.
func (f *goFile) signature(m wrapMethod) (sig, result string) {
	params := []string{"any"}
	for _, t := range m.params {
		params = append(params, f.qualify(t))
	}
	var results []string
	for _, t := range m.results {
		results = append(results, f.qualify(t))
	}
	result = strings.Join(results, ", ")
	if len(results) > 1 {
		result = "(" + result + ")"
	}
	return "func(" + strings.Join(params, ", ") + ") " + result, result
}

// qualify puts import names in place of {path}.
func (f *goFile) qualify(t string) string {
	for {
		before, rest, ok := strings.Cut(t, "{")
		if !ok {
			return t
		}
		if strings.HasPrefix(rest, "}") || strings.HasPrefix(rest, " ") { // interface{} and the like
			return before + "{" + f.qualify(rest)
		}
		path, after, _ := strings.Cut(rest, "}")
		t = before + f.importName(path) + after
	}
}
