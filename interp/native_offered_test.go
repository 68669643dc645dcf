package interp

import (
	"context"
	"fmt"
	"go/types"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"gaucho/interp/symbols"
)

// TestNativeOffered refers to all that the packages that cells can import export: functions, variables, types, methods of types
// and of pointers to them, instances of generic functions, and calls of all these, which are compiled but do not run. A program
// for each package must be compiled, linked into the worker and run.
func TestNativeOffered(t *testing.T) {
	r := &transcript{}
	s := startNative(t, r)
	imp := symbols.NewImporter()
	n := 0
	for i, path := range sample(symbols.Paths(), 10) {
		if path == "unsafe" || path == "builtin" {
			continue
		}
		pkg, err := imp.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		uses := usesOfAll(pkg)
		if n += len(uses); len(uses) == 0 {
			continue
		}
		calls, imports := callsOfAll(pkg)
		if path == "gonum.org/v1/gonum/graph/formats/gexf12" {
			calls, imports = nil, "" // its methods that read XML have types of their own inside, of which a cell may hold no copies
		}
		src := fmt.Sprintf("package main\n\nimport p %q\n%s\nvar kept []any\n\nfunc main() {\n\tkept = append(kept,\n%s)\n\tkept = append(kept,\n%s)\n}\n",
			path, imports, strings.Join(uses, ""), strings.Join(calls, ""))
		res := s.Execute(context.Background(), Cell{ID: path, Number: i + 1, Source: src, Program: true})
		if res.Err != nil {
			t.Errorf("%s: %v", path, res.Err)
		}
	}
	t.Logf("%d names", n)
	if n < 10000 && !testing.Short() {
		t.Errorf("there are only %d names", n)
	}
}

// callsOfAll are functions, a line each, that call what a package exports under the name p, and the imports that they need. What
// Go inlines is compiled there, and may refer to what is inlined everywhere in the program and so is not in it.
func callsOfAll(pkg *types.Package) (calls []string, imports string) {
	names := map[string]string{pkg.Path(): "p"}
	offered := symbols.Paths()
	call := func(receiver types.Type, name string, sig *types.Signature) {
		inexpressible := false
		qualify := func(q *types.Package) string {
			if names[q.Path()] == "" {
				names[q.Path()] = fmt.Sprintf("q%d", len(names))
				imports += fmt.Sprintf("import %s %q\n", names[q.Path()], q.Path())
			}
			return names[q.Path()]
		}
		for t := range namesIn(receiver, sig.Params()) {
			if p := t.Pkg(); p != nil && (!t.Exported() || !slices.Contains(offered, p.Path())) {
				inexpressible = true
			}
		}
		if inexpressible {
			return
		}
		var text string
		var args []string
		for i := range sig.Params().Len() {
			text += fmt.Sprintf("var a%d %s; ", i, types.TypeString(sig.Params().At(i).Type(), qualify))
			args = append(args, fmt.Sprintf("a%d", i))
		}
		what := "p." + name
		if receiver != nil {
			text += fmt.Sprintf("var r *%s; ", types.TypeString(receiver, qualify))
			what = "r." + name
		}
		if sig.Variadic() {
			args[len(args)-1] += "..."
		}
		calls = append(calls, fmt.Sprintf("\t\tfunc() { %s%s(%s) },\n", text, what, strings.Join(args, ", ")))
	}
	for _, name := range pkg.Scope().Names() {
		obj := pkg.Scope().Lookup(name)
		if !obj.Exported() {
			continue
		}
		switch obj := obj.(type) {
		case *types.Func:
			if t, args, ok := instance(obj.Type(), obj.Signature().TypeParams()); ok {
				call(nil, name+args, t.(*types.Signature))
			}
		case *types.TypeName:
			t := types.Unalias(obj.Type())
			if named, ok := t.(*types.Named); ok && named.TypeArgs() == nil {
				t, _, _ = instance(t, named.TypeParams())
			}
			if t == nil || types.IsInterface(t) {
				continue
			}
			for sel := range types.NewMethodSet(types.NewPointer(t)).Methods() {
				sig := sel.Type().(*types.Signature)
				if inst, args, ok := instance(sig, sig.TypeParams()); ok && sel.Obj().Exported() {
					call(t, sel.Obj().Name()+args, inst.(*types.Signature))
				}
			}
		}
	}
	return calls, imports
}

// namesIn are the declared types that the text of a type and of some parameters has.
func namesIn(t types.Type, params *types.Tuple) map[*types.TypeName]bool {
	found := map[*types.TypeName]bool{}
	var walk func(types.Type)
	walk = func(t types.Type) {
		switch t := t.(type) {
		case interface { // *types.Named, *types.Alias
			Obj() *types.TypeName
			TypeArgs() *types.TypeList
		}:
			found[t.Obj()] = true
			for a := range t.TypeArgs().Types() {
				walk(a)
			}
		case *types.Map:
			walk(t.Key())
			walk(t.Elem())
		case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
			walk(t.Elem())
		case *types.Signature:
			for v := range t.Params().Variables() {
				walk(v.Type())
			}
			for v := range t.Results().Variables() {
				walk(v.Type())
			}
		case *types.Struct:
			for f := range t.Fields() {
				walk(f.Type())
			}
		case *types.Interface:
			for m := range t.ExplicitMethods() {
				walk(m.Type())
			}
			for e := range t.EmbeddedTypes() {
				walk(e)
			}
		}
	}
	if t != nil {
		walk(t)
	}
	for v := range params.Variables() {
		walk(v.Type())
	}
	return found
}

// usesOfAll are expressions, a line each, that mention all that a package exports under the name p.
func usesOfAll(pkg *types.Package) (uses []string) {
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if !obj.Exported() {
			continue
		}
		switch obj := obj.(type) {
		case *types.Func:
			if _, args, ok := instance(obj.Type(), obj.Signature().TypeParams()); ok {
				uses = append(uses, "p."+name+args)
			}
		case *types.Var:
			uses = append(uses, "&p."+name)
		case *types.TypeName:
			uses = append(uses, usesOfType(obj)...)
		}
	}
	for i, u := range uses {
		uses[i] = "\t\t" + u + ",\n"
	}
	return uses
}

// usesOfType are expressions that mention a type and its methods.
func usesOfType(obj *types.TypeName) (uses []string) {
	t := types.Unalias(obj.Type())
	text := "p." + obj.Name()
	if named, ok := t.(*types.Named); ok && named.TypeParams() != nil && named.TypeArgs() == nil {
		inst, args, ok := instance(t, named.TypeParams())
		if a, isAlias := obj.Type().(*types.Alias); !ok || isAlias && a.TypeParams() == nil {
			return nil
		}
		t, text = inst, text+args
	}
	if iface, ok := t.Underlying().(*types.Interface); ok {
		if !iface.IsMethodSet() {
			return nil // a constraint
		}
		for m := range iface.Methods() {
			if m.Exported() {
				uses = append(uses, text+"."+m.Name())
			}
		}
		return append(uses, "(*"+text+")(nil)")
	}
	for sel := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		sig := sel.Type().(*types.Signature)
		if _, args, ok := instance(sig, sig.TypeParams()); ok && sel.Obj().Exported() {
			m := sel.Obj().Name()
			uses = append(uses, "(*"+text+")."+m+args)
			if types.NewMethodSet(t).Lookup(nil, m) != nil {
				uses = append(uses, text+"."+m+args)
			}
		}
	}
	return append(uses, "new("+text+")", "[]"+text+"{}", "map[string]"+text+"{}")
}

// instance is a type with arguments for its type parameters, and the text of these, if some fit.
func instance(t types.Type, params *types.TypeParamList) (inst types.Type, args string, ok bool) {
	if params == nil {
		return t, "", true
	}
	for list := range choices(params.Len()) {
		if inst, err := types.Instantiate(nil, t, list, true); err == nil {
			var names []string
			for _, a := range list {
				names = append(names, a.String())
			}
			return inst, "[" + strings.Join(names, ", ") + "]", true
		}
	}
	return nil, "", false
}

// choices are lists of n types that are tried as type arguments.
func choices(n int) iter.Seq[[]types.Type] {
	number := types.Typ[types.Int]
	of := []types.Type{number, types.Typ[types.Float64], types.NewSlice(number), types.NewMap(number, number), types.NewPointer(number)}
	return func(yield func([]types.Type) bool) {
		for k := range int(math.Pow(float64(len(of)), float64(n))) {
			var list []types.Type
			for range n {
				list = append(list, of[k%len(of)])
				k /= len(of)
			}
			if !yield(list) {
				return
			}
		}
	}
}
