package symbols

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

func checkSource(imp *Importer, path string) (*types.Package, *types.Info, error) {
	fset := token.NewFileSet()
	var files []*ast.File
	for name, text := range Source(path) {
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, f)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
	}
	conf := types.Config{Importer: imp, Sizes: Sizes()}
	pkg, err := conf.Check(path, fset, files, info)
	return pkg, info, err
}

// compiledOnly are packages of Go 1.27 whose generic functions the interpreter refuses.
var compiledOnly = map[string]bool{"encoding/json/jsontext": true, "encoding/json/v2": true}

// TestSources type-checks the sources of generic functions, and compares what they declare with the packages: what is in
// no table must be in the source, with the same signature and the same methods.
func TestSources(t *testing.T) {
	imp := NewImporter()
	for key, names := range special() {
		path, ok := strings.CutPrefix(key, "-")
		if !ok || compiledOnly[path] && Source(path) == nil {
			continue
		}
		got, _, err := checkSource(imp, path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		want, err := imp.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			w := want.Scope().Lookup(name)
			// iter.Seq and iter.Seq2 need no source: they are function types.
			if path == "iter" && strings.HasPrefix(name, "Seq") {
				continue
			}
			g := got.Scope().Lookup(name)
			if g == nil {
				t.Errorf("no source for %s.%s", path, name)
			} else if a, b := signatures(g), signatures(w); a != b {
				t.Errorf("%s.%s:\n%s\nwant\n%s", path, name, a, b)
			}
		}
	}
}

// signatures writes an object's type and value, and of a struct type the exported methods and fields.
func signatures(obj types.Object) string {
	switch obj := obj.(type) {
	case nil:
		return "missing"
	case *types.Const:
		return types.ObjectString(obj, nil) + " " + obj.Val().ExactString()
	}
	if _, ok := obj.(*types.TypeName); !ok {
		return types.ObjectString(obj, nil)
	}
	if _, ok := obj.Type().Underlying().(*types.Struct); !ok {
		return types.ObjectString(obj, nil)
	}
	list := []string{obj.Name()}
	for m := range types.NewMethodSet(types.NewPointer(obj.Type())).Methods() {
		if !m.Obj().Exported() {
			continue
		}
		list = append(list, types.ObjectString(m.Obj(), nil))
	}
	for f := range obj.Type().Underlying().(*types.Struct).Fields() {
		if f.Exported() {
			list = append(list, f.String())
		}
	}
	return strings.Join(list, "\n")
}

func TestHas(t *testing.T) {
	for _, test := range []struct {
		path, name string
		want       bool
	}{
		{"fmt", "Println", true}, {"fmt", "println", false}, {"fmt", "Nothing", false}, {"slices", "Sort", false},
		{"strings", "SplitSeq", true}, {"cmp", "Ordered", false}, {"sync/atomic", "Pointer", false}, {"sync/atomic", "Int64", true},
		{"wrap/io", "Writer", true}, {"wrap/reflect", "Type", false}, {"wrap/sort", "Interface", true}, {"wrap/io", "EOF", false},
		{"wrap/gonum.org/v1/plot", "Plotter", true}, {"wrap/gonum.org/v1/gonum/mat", "Matrix", true}, {"nosuch", "X", false},
		{"internal/abi", "Type", false}, {instPath, "Overlap", true},
	} {
		if got := Has(test.path, test.name); got != test.want {
			t.Errorf("Has(%q, %q) = %v", test.path, test.name, got)
		}
	}
	if Source("fmt") != nil || Source("nosuch") != nil || !slices.Contains(Paths(), "fmt") {
		t.Error("wrong sources or paths")
	}
}

func BenchmarkCheckSlices(b *testing.B) {
	imp := NewImporter()
	for b.Loop() {
		if _, _, err := checkSource(imp, "slices"); err != nil {
			b.Fatal(err)
		}
	}
}
