package symbols

import (
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"gaucho/interp/symbols/internal/export"
)

func TestImportAll(t *testing.T) {
	imp := NewImporter()
	for _, path := range Paths() {
		pkg, err := imp.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		if pkg.Name() != Name(path) {
			t.Errorf("%s: name %s, want %s", path, pkg.Name(), Name(path))
		}
	}
	for _, path := range []string{"internal/abi", "gaucho/interp/rt", "nosuch", "C", ""} {
		if _, err := imp.Import(path); err == nil {
			t.Errorf("Import(%q) succeeds", path)
		}
	}
}

// TestAgainstSource compares the declarations of packages with those that type-checking their sources gives.
func TestAgainstSource(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	defer func(old string) { build.Default.GOROOT = old }(build.Default.GOROOT)
	build.Default.GOROOT = strings.TrimSpace(string(root)) // a binary built with -trimpath does not know it
	imp, source := NewImporter(), importer.ForCompiler(token.NewFileSet(), "source", nil)
	for _, path := range []string{
		"fmt", "math", "slices", "maps", "iter", "sync/atomic", "unique", "math/big", "reflect", "go/ast", "time", "os",
		"path/filepath", "container/list", "math/rand/v2", "sort", "encoding/json", "io/fs", "strings", "hash/maphash", "testing",
	} {
		got, err := imp.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := source.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		names := 0
		for _, name := range want.Scope().Names() {
			obj := want.Scope().Lookup(name)
			if !obj.Exported() {
				continue
			}
			names++
			if g, w := describe(got.Scope().Lookup(name)), describe(obj); g != w {
				t.Errorf("%s.%s:\n%s\nwant\n%s", path, name, g, w)
			}
		}
		if len(got.Scope().Names()) != names {
			t.Errorf("%s: %d exported names, want %d", path, len(got.Scope().Names()), names)
		}
	}
}

// describe writes an object with its value, its underlying type and its methods.
func describe(obj types.Object) string {
	if obj == nil {
		return "missing"
	}
	var b strings.Builder
	b.WriteString(types.ObjectString(obj, nil))
	if c, ok := obj.(*types.Const); ok {
		b.WriteString(" = " + c.Val().ExactString())
	}
	if _, ok := obj.(*types.TypeName); !ok {
		return b.String()
	}
	b.WriteString("\n" + types.TypeString(obj.Type().Underlying(), nil))
	for _, typ := range []types.Type{obj.Type(), types.NewPointer(obj.Type())} {
		set := types.NewMethodSet(typ)
		for m := range set.Methods() {
			b.WriteString("\n" + m.String() + " " + m.Obj().(*types.Func).FullName())
		}
	}
	return b.String()
}

func TestCheckCell(t *testing.T) {
	imp := NewImporter()
	for _, test := range []struct{ src, err string }{
		{`import "fmt"; func f() { fmt.println() }`, "undefined: fmt.println (but have Println)"},
		{`import "os"; func f() { var f os.File; _ = f.pfd }`, "f.pfd undefined (cannot refer to unexported field pfd)"},
		{`import "os"; func f() { var f os.File; f.checkValid() }`, "f.checkValid undefined (cannot refer to unexported method checkValid)"},
		{`import ("slices"; "cmp"); var x = slices.MaxFunc([]int{1}, cmp.Compare[int])`, ""},
		{`import "sync/atomic"; type t struct{ p atomic.Pointer[t] }; var v t; var p *t = v.p.Load()`, ""},
		{`import ("maps"; "slices"); var x []string = slices.Sorted(maps.Keys(map[string]int{}))`, ""},
		{`import "go/ast"; type x struct{}; var v ast.Expr = x{}`, "cannot use x{} (value of struct type x) as ast.Expr value in variable declaration: x does not implement ast.Expr (missing method End)"},
		{`import "gonum.org/v1/gonum/mat"; var d *mat.Dense; var m mat.Matrix = d; var t = d.Foo`, "d.Foo undefined (type *mat.Dense has no field or method Foo)"},
		{`import ("encoding/json"; "io"; "os"); var _ io.Reader = (*os.File)(nil); var _ = json.NewDecoder(os.Stdin)`, ""},
		{`import ("net/http"; "context"); func f(r *http.Request) context.Context { return r.Context() }`, ""},
		{`import "math"; const big = math.MaxUint64 / 3 * math.Pi; var x float64 = big; var i int = math.MaxInt64 + 1`, "cannot use math.MaxInt64 + 1 (untyped int constant 9223372036854775808) as int value in variable declaration (overflows)"},
	} {
		err := check(imp, "package p; "+test.src)
		if err == nil && test.err != "" || err != nil && err.Error() != test.err {
			t.Errorf("%s\n got %v\nwant %v", test.src, err, test.err)
		}
	}
}

func check(imp types.Importer, src string) error {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, 0)
	if err != nil {
		return err
	}
	conf := types.Config{Importer: imp, Sizes: Sizes()}
	_, err = conf.Check("p", fset, []*ast.File{f}, nil)
	if e, ok := err.(types.Error); ok {
		e.Fset = nil
		return errorText(e.Msg)
	}
	return err
}

type errorText string

func (e errorText) Error() string { return string(e) }

// TestConcurrent has several goroutines check cells with one importer, as running, completion and inspection do.
func TestConcurrent(t *testing.T) {
	imp := NewImporter()
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range Paths() {
				path := Paths()[(j+i*97)%len(Paths())]
				if err := check(imp, "package p; import _ \""+path+`"; import "os"; import "fmt"; var _ fmt.Stringer = os.ModeDir`); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func TestByName(t *testing.T) {
	for name, want := range map[string]string{
		"rand":     "math/rand/v2 math/rand crypto/rand",
		"template": "text/template html/template",
		"draw":     "gonum.org/v1/plot/vg/draw image/draw",
		"path":     "path gonum.org/v1/gonum/graph/path",
		"stat":     "gonum.org/v1/gonum/stat",
		"unsafe":   "unsafe",
		"herd":     "",
	} {
		if got := strings.Join(ByName(name), " "); got != want {
			t.Errorf("ByName(%q) = %s, want %s", name, got, want)
		}
	}
}

func BenchmarkNewImporter(b *testing.B) {
	for b.Loop() {
		NewImporter()
	}
}

func BenchmarkIndex(b *testing.B) {
	for b.Loop() {
		readArchive(commonTypes)
	}
}

func BenchmarkImport(b *testing.B) {
	for _, path := range []string{"fmt", "strings", "os", "net/http", "syscall", "gonum.org/v1/gonum/mat", "gonum.org/v1/plot"} {
		b.Run(path, func(b *testing.B) {
			for b.Loop() {
				if _, err := NewImporter().Import(path); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkInflate measures decompression, which happens once in the life of a program.
func BenchmarkInflate(b *testing.B) {
	for _, path := range []string{"fmt", "net/http", "gonum.org/v1/gonum/mat"} {
		b.Run(path, func(b *testing.B) {
			for b.Loop() {
				inflate(typeIndex()[path].data)
			}
		})
	}
}

// TestPlatforms reads the data of every platform, and finds its constants in it.
func TestPlatforms(t *testing.T) {
	for _, test := range []struct{ os, arch, separator, symbol string }{
		{"linux", "amd64", "47", "Getpgrp"},
		{"linux", "arm64", "47", "Getpgrp"},
		{"darwin", "arm64", "47", "Getpgrp"},
		{"windows", "amd64", "92", "GetStdHandle"},
	} {
		data, err := os.ReadFile("data/types_" + test.os + "_" + test.arch + ".bin")
		if err != nil {
			t.Fatal(err)
		}
		index := map[string]entry{}
		for _, archive := range []string{commonTypes, string(data)} {
			for _, e := range readArchive(archive) {
				if _, ok := index[e.path]; ok {
					t.Errorf("%s/%s: %s is there twice", test.os, test.arch, e.path)
				}
				index[e.path] = e
			}
		}
		r := export.NewReader(func(path string) (string, *export.Chunk) {
			return index[path].name, export.Open(inflate(index[path].data))
		})
		for path, e := range index {
			if e.public && r.Import(path) == nil {
				t.Errorf("%s/%s: no %s", test.os, test.arch, path)
			}
		}
		value := func(path, name string) string {
			c, ok := r.Import(path).Scope().Lookup(name).(*types.Const)
			if !ok {
				return "missing"
			}
			return c.Val().ExactString()
		}
		if got := value("path/filepath", "Separator"); got != test.separator {
			t.Errorf("%s: filepath.Separator is %s", test.os, got)
		}
		if value("runtime", "GOOS") != strconv.Quote(test.os) || value("runtime", "GOARCH") != strconv.Quote(test.arch) {
			t.Errorf("%s/%s: runtime says %s/%s", test.os, test.arch, value("runtime", "GOOS"), value("runtime", "GOARCH"))
		}
		if r.Import("syscall").Scope().Lookup(test.symbol) == nil {
			t.Errorf("%s: no syscall.%s", test.os, test.symbol)
		}
	}
}
