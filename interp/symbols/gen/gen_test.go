package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func checkedPackage(t *testing.T, src string) *pkg {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{IgnoreFuncBodies: true}
	p := &pkg{ImportPath: "x/p", Name: "p", wanted: true}
	if p.types, err = conf.Check("x/p", fset, []*ast.File{f}, nil); err != nil {
		t.Fatal(err)
	}
	return p
}

const sample = `package p
const Big = 1 << 70
const Third = 1.0 / 3
const Text = "a\nb"
const Flag = true
const Typed int8 = 3
var V *int
func F() {}
func Generic[T any]() {}
type T struct{}
type G[T any] struct{}
type GI = G[int]
type Constraint interface{ ~int }
type I interface{ M(a int, rest ...*T) (string, error); Empty(interface{}, struct{}) }
type Hidden interface{ m() }
type NoMethods interface{}
type unexported struct{}
type Odd interface{ M(unexported) }
`

func TestTableOf(t *testing.T) {
	p := checkedPackage(t, sample)
	got := tableOf(p)
	if want := "F Flag GI Hidden I NoMethods Odd T Typed V"; strings.Join(got.names, " ") != want {
		t.Errorf("names %v, want %s", got.names, want)
	}
	if want := "P.F P.Flag (*P.GI)(nil)"; strings.Join(got.values[:3], " ") != want || got.values[9] != "&P.V" {
		t.Errorf("values %v", got.values)
	}
	if want := []string{"Big INT 1180591620717411303424", `Text STRING "a\nb"`}; got.consts[0] != want[0] || got.consts[1] != want[1] ||
		!strings.HasPrefix(got.consts[2], "Third FLOAT 0.33333333333333333333333") {
		t.Errorf("constants %q", got.consts)
	}
	if got := missing(p); !slices.Equal(got, []string{"Constraint", "G", "Generic"}) {
		t.Errorf("missing %v", got)
	}
}

func TestWrappersOf(t *testing.T) {
	p := checkedPackage(t, sample)
	b := &build{pkgs: map[string]*pkg{"x/p": p}}
	list := b.wrappersOf(p)
	if len(list) != 1 || list[0].name != "I" {
		t.Fatalf("wrappers %v, want I", list)
	}
	f := &goFile{imports: map[string]bool{}}
	f.wrappers("x/p", list)
	if want := `{path: "wrap/x/p", names: "I", values: []any{(*p_x_p.I)(nil)}},`; strings.TrimSpace(f.wraps.String()) != want {
		t.Errorf("wrappers %s, want %s", f.wraps.String(), want)
	}
	all := methods{}
	all.addWrappers(list)
	all.add(wrapMethod{name: "M", params: []string{"string"}})
	f.methods("some", all)
	for _, want := range []string{
		"type s1 struct{ box p_gaucho_interp_rt_value.Box }",
		"func (b *s1) M(a0 int, a1 ...*p_x_p.T) (string, error) {",
		`return (*(*func(any, int, ...*p_x_p.T) (string, error))(p_gaucho_interp_rt_value.FuncAt(b.box.T, "M")))(b.box.V, a0, a1...)`,
		"func (b *s1) Empty(a0 interface{}, a1 struct{})",
		"func (b *s2) M(a0 string)",
		"var someMethods = []any{(*s1)(nil), (*s2)(nil), }",
	} {
		if !strings.Contains(f.decls.String(), want) {
			t.Errorf("no %q in\n%s", want, f.decls.String())
		}
	}
	if rest := all.without(methods{"M[string] []": {}}); len(rest) != 2 {
		t.Errorf("left are %v", rest)
	}
}

func TestQualify(t *testing.T) {
	f := &goFile{imports: map[string]bool{}}
	got := f.qualify("map[{a/b}.T]func(interface{}, chan struct{}) [2]{c}.U")
	if want := "map[p_a_b.T]func(interface{}, chan struct{}) [2]p_c.U"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestImportedName(t *testing.T) {
	for path, want := range map[string]string{"iter": "iter", "math/rand/v2": "rand", "go/ast": "ast"} {
		if got := importedName(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestClosure checks that the source of a declaration brings along what it needs and nothing else.
func TestClosure(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.go")
	src := "package p\nimport \"fmt\"\nimport \"os\"\nfunc A[T any]() { b(fmt.Sprint()) }\nfunc b(s string) { _ = t{} }\n" +
		"type t struct{}\nfunc (t) m() { c() }\nfunc c() {}\nfunc Unused() { os.Exit(1) }\n"
	if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	d := newDecls()
	if err := d.parse(file); err != nil {
		t.Fatal(err)
	}
	names := d.closure([]string{"A"})
	for _, name := range []string{"A", "b", "t", "c"} {
		if !names[name] {
			t.Errorf("%s is left out", name)
		}
	}
	text, err := d.print("p", names)
	if err != nil {
		t.Fatal(err)
	}
	if s := string(text); strings.Contains(s, "Unused") || strings.Contains(s, `"os"`) || !strings.Contains(s, `import "fmt"`) {
		t.Errorf("printed\n%s", s)
	}
}
