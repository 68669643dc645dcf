package compiled

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"gaucho/interp/modules"
)

// interfaceMethods is the text of functions that a module's package uses and the program does not have: method expressions of interfaces
// of the standard library, such as net.Addr.String, which the linker leaves out of a program that does not use them. It goes into a file
// of that package. imports are the packages that it mentions.
func interfaceMethods(p *modules.Package) (text string, imports []string) {
	used := map[string]*types.Selection{}
	for _, sel := range p.Info.Selections {
		named, _ := types.Unalias(sel.Recv()).(*types.Named)
		if sel.Kind() != types.MethodExpr || named == nil || !types.IsInterface(named) || named.Obj().Pkg() == nil || named.TypeArgs().Len() > 0 {
			continue
		}
		if of := named.Obj().Pkg(); of == p.Types || slices.ContainsFunc(p.Imports, func(q *modules.Package) bool { return q.Types == of }) {
			continue // compiled with its package
		}
		used[named.Obj().Pkg().Path()+"."+named.Obj().Name()+"."+sel.Obj().Name()] = sel
	}
	var out strings.Builder
	for i, name := range slices.Sorted(maps.Keys(used)) {
		local := fmt.Sprintf("method%s%d", mark, i)
		fmt.Fprintf(&out, "//go:linkname %s %s\n%s\n", local, name, forwarding(local, used[name], &imports))
	}
	return out.String(), imports
}

// forwarding is the text of a function that calls a method of its first parameter.
func forwarding(name string, method *types.Selection, imports *[]string) string {
	qualify := func(p *types.Package) string {
		i := slices.Index(*imports, p.Path())
		if i < 0 {
			i = len(*imports)
			*imports = append(*imports, p.Path())
		}
		return fmt.Sprintf("p%s%d", mark, i)
	}
	sig := method.Obj().(*types.Func).Signature()
	params, names := []string{"x " + types.TypeString(method.Recv(), qualify)}, []string{}
	for i := range sig.Params().Len() {
		t := types.TypeString(sig.Params().At(i).Type(), qualify)
		a := fmt.Sprintf("a%d", i)
		names = append(names, a)
		if sig.Variadic() && i == sig.Params().Len()-1 {
			t, names[i] = "..."+strings.TrimPrefix(t, "[]"), a+"..."
		}
		params = append(params, a+" "+t)
	}
	give, results := "", ""
	if sig.Results().Len() > 0 {
		give, results = "return ", types.TypeString(sig.Results(), qualify)
	}
	return fmt.Sprintf("func %s(%s) %s { %sx.%s(%s) }", name, strings.Join(params, ", "), results, give, method.Obj().Name(), strings.Join(names, ", "))
}
