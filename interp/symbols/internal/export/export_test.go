package export

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

const libSource = `package lib

type Base interface{ M(); hidden() }
type G[T any] struct{ next *G[T]; v T }
func (g *G[T]) Next() *G[T] { return g.next }
func (g G[_]) Size() int { return 0 }
type unexported struct{ X int }
func (unexported) Do() {}
var Value unexported
type S struct{ unexported; Tagged int ` + "`json:\"t\"`" + ` }
`

const mainSource = `package p

import "lib"

const (
	Bool    = true
	Str     = "a\x00b"
	Neg     = -1 << 200
	Float   = 1.0 / 3
	Huge    = 1e1000000
	Tiny    = 1e-5000
	Pi      = 3.14159265358979323846264338327950288419716939937510582097494459
	Complex = 1.5 - 2i
	Typed   Kind = 3
	Rune    = 'x'
)

type Kind uint8

func (k Kind) String() string { return "" }

type Tree[K interface{ ~int | ~string; comparable }, V any] struct {
	left, right *Tree[K, V]
	at          map[K][]V
}

func (t *Tree[Key, _]) Find(k Key) (found bool) { return }

type Rec[T Rec[T]] interface{ Less(T) bool }
type Set[T comparable] = map[T]struct{}
type Ints = Set[int]
type Func func(args ...func(<-chan int, chan<- int, chan int)) (n int, err error)
type Loop struct{ f func(Loop) *Loop; a *A }
type A = Loop
type Iface interface{ lib.Base; Self() Iface; error }
type Embed struct{ lib.S; *lib.G[int]; _ [3]int }
type Other lib.S
type Bytes interface{ ~[]byte | string }

var Anon struct{ X, y int; Z interface{ Foo(x int, _ ...string) } }
var Inst lib.G[map[string]lib.G[Kind]]
var Empty any
var Empty2 interface{}

func Map[S ~[]E, E, R any](s S, f func(E) R) []R { return nil }
func Two[A1, A2 Rec[A1]](a A1, b A2) {}
`

func checked(t *testing.T, path, src string, imp types.Importer) *types.Package {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path+".go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: imp, IgnoreFuncBodies: true, Error: func(err error) { t.Log(err) }}
	pkg, _ := conf.Check(path, fset, []*ast.File{f}, nil)
	return pkg
}

type importerOf map[string]*types.Package

func (m importerOf) Import(path string) (*types.Package, error) {
	if p := m[path]; p != nil {
		return p, nil
	}
	return importer.Default().Import(path)
}

// TestRoundTrip writes packages with one of every construct and reads them back.
func TestRoundTrip(t *testing.T) {
	lib := checked(t, "lib", libSource, nil)
	pkg := checked(t, "p", strings.Replace(mainSource, "type Rec[T Rec[T]] interface{ Less(T) bool }", "type Rec[T any] interface{ Less(T) bool }", 1), importerOf{"lib": lib})
	names := map[*types.Package][]string{pkg: exportedNames(pkg)}
	chunks := map[string]*Chunk{}
	for queue := []*types.Package{pkg}; len(queue) > 0; queue = queue[1:] {
		data, refs, err := Write(queue[0], names[queue[0]])
		if err != nil {
			t.Fatal(err)
		}
		again, _, err := Write(queue[0], names[queue[0]])
		if err != nil || string(again) != string(data) {
			t.Fatal("writing twice gives different bytes")
		}
		chunks[queue[0].Path()] = Open(data)
		for _, r := range refs {
			if !slices.Contains(names[r.Pkg], r.Name) && r.Name != "" {
				names[r.Pkg] = append(names[r.Pkg], r.Name)
				queue = append(queue, r.Pkg)
			}
		}
	}
	r := NewReader(func(path string) (string, *Chunk) { return path, chunks[path] })
	got := r.Import("p")
	for _, name := range exportedNames(pkg) {
		g, w := describe(got.Scope().Lookup(name)), describe(pkg.Scope().Lookup(name))
		if g != w {
			t.Errorf("%s:\n%s\nwant\n%s", name, g, w)
		}
	}
	if r.Import("nosuch") != nil || r.Import("p") != got {
		t.Error("Import")
	}
	// What was read is of use to the type checker, also where it needs unexported names.
	use := checked(t, "use", `package use
import ("p"; "lib")
var e p.Embed
var x int = e.Tagged + e.X + e.Size()
var tree p.Tree[string, int]
var ok bool = tree.Find("a")
var f p.Func = func(...func(<-chan int, chan<- int, chan int)) (int, error) { return 0, nil }
var ints p.Ints = map[int]struct{}{}
var g *lib.G[int] = e.G.Next()
const c = p.Complex * 2
`, importerOf{"p": got, "lib": r.Import("lib")})
	if !use.Complete() || use.Scope().Lookup("c").(*types.Const).Val().String() != "(3 + -4i)" {
		t.Error("the packages read cannot be used")
	}
}

func exportedNames(p *types.Package) []string {
	return slices.DeleteFunc(p.Scope().Names(), func(n string) bool { return !token.IsExported(n) })
}

func describe(obj types.Object) string {
	text := types.ObjectString(obj, nil)
	if c, ok := obj.(*types.Const); ok {
		return text + " " + c.Val().ExactString()
	}
	if _, ok := obj.(*types.TypeName); ok {
		text += " " + types.TypeString(obj.Type().Underlying(), nil)
		for m := range types.NewMethodSet(types.NewPointer(obj.Type())).Methods() {
			text += "\n" + m.String()
		}
	}
	return text
}
