package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// methods are those of interfaces, by name and signature.
type methods map[string]wrapMethod

func (m methods) add(list ...wrapMethod) {
	for _, x := range list {
		m[fmt.Sprint(x.name, x.params, x.results)] = x
	}
}

func (m methods) addWrappers(list []wrapper) {
	for _, w := range list {
		m.add(w.methods...)
	}
}

// without returns the methods that are not in any of the others.
func (m methods) without(others ...methods) methods {
	rest := maps.Clone(m)
	maps.DeleteFunc(rest, func(key string, _ wrapMethod) bool {
		return slices.ContainsFunc(others, func(o methods) bool { _, ok := o[key]; return ok })
	})
	return rest
}

// methods adds a list of types that have the methods: of those with the same name, each is of another type.
func (f *goFile) methods(list string, m methods) {
	types := 0
	seen := map[string]int{}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		n := seen[m[key].name] + 1
		seen[m[key].name] = n
		typ := fmt.Sprintf("%s%d", list[:1], n)
		if n > types {
			types = n
			fmt.Fprintf(&f.decls, "\ntype %s struct{ box %s.Box }\n", typ, f.importName(runtimePath))
		}
		f.method(typ, m[key])
	}
	fmt.Fprintf(&f.decls, "\nvar %sMethods = []any{", list)
	for i := range types {
		fmt.Fprintf(&f.decls, "(*%s%d)(nil), ", list[:1], i+1)
	}
	f.decls.WriteString("}\n")
}

// method writes a method of a box: it calls the function in the method table of the boxed value's type.
func (f *goFile) method(typ string, m wrapMethod) {
	var params, args []string
	for i, t := range m.params {
		params = append(params, fmt.Sprintf("a%d %s", i, f.qualify(t)))
		args = append(args, fmt.Sprintf("a%d", i))
	}
	if m.variadic {
		args[len(args)-1] += "..."
	}
	sig, result := f.signature(m)
	ret := ""
	if result != "" {
		ret = "return "
	}
	fmt.Fprintf(&f.decls, "\nfunc (b *%s) %s(%s) %s {\n\t%s(*(*%s)(%s.FuncAt(b.box.T, %q)))(%s)\n}\n", typ, m.name, strings.Join(params, ", "), result,
		ret, sig, f.importName(runtimePath), m.name, strings.Join(append([]string{"b.box.V"}, args...), ", "))
}
