package interp

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"gaucho/interp/symbols"
)

// TestNativeMentioned has variables whose types' names are of packages that cells cannot import, one for each such package: the
// text of a compiled cell imports them.
func TestNativeMentioned(t *testing.T) {
	found := map[string]string{} // by the package, a cell
	imp := symbols.NewImporter()
	mentioned := symbols.Mentioned()
	for _, path := range symbols.Paths() {
		pkg, err := imp.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		try := func(expr string, typ types.Type) {
			kept, of := true, ""
			for n := range namesIn(typ, nil) {
				if n.Pkg() != nil {
					kept = kept && n.Exported()
					if slices.Contains(mentioned, n.Pkg().Path()) {
						of = n.Pkg().Path()
					}
				}
			}
			if kept && of != "" && found[of] == "" {
				found[of] = fmt.Sprintf("import p %q\nv := %s", path, expr)
			}
		}
		for _, name := range pkg.Scope().Names() {
			switch obj := pkg.Scope().Lookup(name).(type) {
			case *types.Func:
				if obj.Exported() && obj.Signature().TypeParams() == nil {
					try("p."+name, obj.Type())
				}
			case *types.Var:
				if obj.Exported() {
					try("p."+name, obj.Type())
				}
			case *types.TypeName:
				named, ok := types.Unalias(obj.Type()).(*types.Named)
				if !obj.Exported() || !ok || named.TypeParams() != nil || types.IsInterface(named) {
					continue
				}
				if st, ok := named.Underlying().(*types.Struct); ok {
					for f := range st.Fields() {
						if f.Exported() {
							try("new(p."+name+")."+f.Name(), f.Type())
						}
					}
				}
				for sel := range types.NewMethodSet(types.NewPointer(named)).Methods() {
					if sel.Obj().Exported() {
						try("(*p."+name+")."+sel.Obj().Name(), sel.Type())
					}
				}
			}
		}
	}
	if len(found) < 2 {
		t.Fatalf("only %v", found)
	}
	t.Log(slices.Sorted(maps.Keys(found)))
	s := startNative(t, &transcript{})
	for i, of := range slices.Sorted(maps.Keys(found)) {
		src := strings.ReplaceAll(found[of], "v :=", fmt.Sprintf("v%d :=", i))
		if res := s.Execute(context.Background(), Cell{ID: of, Number: i + 1, Source: src}); res.Err != nil {
			t.Errorf("%s: %v\n%s", of, res.Err, src)
		}
	}
}
