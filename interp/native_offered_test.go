package interp

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"
	"testing"

	"gaucho/interp/symbols"
)

// TestNativeOffered refers to all that the packages that cells can import export: functions, variables, types, methods of types
// and of pointers to them, instances of generic functions. A program for each package must be compiled, linked into the
// worker and run.
func TestNativeOffered(t *testing.T) {
	r := &transcript{}
	s := startNative(t, r)
	imp := symbols.NewImporter()
	n := 0
	for i, path := range symbols.Paths() {
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
		src := fmt.Sprintf("package main\n\nimport p %q\n\nvar kept []any\n\nfunc main() {\n\tkept = append(kept,\n%s)\n}\n", path, strings.Join(uses, ""))
		res := s.Execute(context.Background(), Cell{ID: path, Number: i + 1, Source: src, Program: true})
		if res.Err != nil {
			t.Errorf("%s: %v", path, res.Err)
		}
	}
	t.Logf("%d names", n)
	if n < 10000 {
		t.Errorf("there are only %d names", n)
	}
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
			if args, ok := arguments(obj.Type(), obj.Signature().TypeParams()); ok {
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
		args, ok := arguments(t, named.TypeParams())
		if a, isAlias := obj.Type().(*types.Alias); !ok || isAlias && a.TypeParams() == nil {
			return nil
		}
		text += args
		var list []types.Type
		for range named.TypeParams().Len() {
			list = append(list, types.Typ[types.Int])
		}
		if inst, err := types.Instantiate(nil, t, list, true); err == nil {
			t = inst
		}
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
		if m := sel.Obj().Name(); sel.Obj().Exported() {
			uses = append(uses, "(*"+text+")."+m)
			if types.NewMethodSet(t).Lookup(nil, m) != nil {
				uses = append(uses, text+"."+m)
			}
		}
	}
	return append(uses, "new("+text+")", "[]"+text+"{}", "map[string]"+text+"{}")
}

// arguments are type arguments that fit type parameters.
func arguments(t types.Type, params *types.TypeParamList) (text string, ok bool) {
	if params == nil {
		return "", true
	}
	choice := []types.Type{types.Typ[types.Int], types.Typ[types.Float64], types.NewSlice(types.Typ[types.Int]), types.NewMap(types.Typ[types.Int], types.Typ[types.Int]), types.NewPointer(types.Typ[types.Int])}
	for n := range pow(len(choice), params.Len()) {
		var args []types.Type
		var names []string
		for range params.Len() {
			args = append(args, choice[n%len(choice)])
			names = append(names, choice[n%len(choice)].String())
			n /= len(choice)
		}
		if _, err := types.Instantiate(nil, t, args, true); err == nil && !slices.Contains(names, "") {
			return "[" + strings.Join(names, ", ") + "]", true
		}
	}
	return "", false
}

func pow(b, n int) int {
	p := 1
	for range n {
		p *= b
	}
	return p
}
