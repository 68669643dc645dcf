//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// cells are packages that import each other, as the cells of a session do.
var cells = []pkg{
	{path: "cells/a", sources: []string{`package a

import (
	"fmt"
	"io"
	"sync"
)

type T struct {
	N  int
	mu sync.Mutex
}

func (t *T) String() string { t.mu.Lock(); defer t.mu.Unlock(); return fmt.Sprint("T", t.N) }
func (t T) Value() int      { return t.N }

type I interface{ Value() int }

type Stack[E any] struct{ list []E }

func (s *Stack[E]) Push(e E) { s.list = append(s.list, e) }
func (s *Stack[E]) Each(f func(E)) { for _, e := range s.list { f(e) } }

var Count = 3
var Map = map[string][]*T{"x": {{N: 1}, {N: 2}}}
var Err = fmt.Errorf("a: %w", io.EOF)
var Order []string

func init() { Order = append(Order, "a1") }
func init() { Order = append(Order, fmt.Sprint("a", len(Map))) }

func Inc() int { Count++; return Count }
func New(n int) *T { return &T{N: n} }
func Any(v any) (I, bool) { i, ok := v.(I); return i, ok }
func Fail(f func()) (s string) { defer func() { s = fmt.Sprint(recover()) }(); f(); return "" }
`}},
	{path: "cells/b.v2", sources: []string{`package b

import (
	"cells/a"
	"errors"
	"fmt"
	"io"
)

type U struct {
	*a.T
	Extra []a.T
}

type F func(*a.T) fmt.Stringer

var Stack a.Stack[*a.T]
var Made = a.New(7)
var Is = errors.Is(a.Err, io.EOF)

func init() { a.Order = append(a.Order, "b"); a.Count *= 10; Stack.Push(Made); Stack.Push(a.New(8)) }

func Static() a.I { return U{T: Made} }
func Stringer() fmt.Stringer { return Made }
func Late(v a.I) string {
	switch v := v.(type) {
	case a.T:
		return "a.T"
	case *a.T:
		return "*a.T"
	case U:
		return "U " + v.String()
	}
	return "?"
}
func Sum(s *a.Stack[int]) (n int) { s.Each(func(i int) { n += i }); return }
`}},
	{path: "cells/c", sources: []string{`package main

import (
	"cells/a"
	"cells/b.v2"
	"fmt"
	"reflect"
)

func main() {
	fmt.Println(a.Order, a.Count, a.Inc(), b.Is)
	b.Stack.Each(func(t *a.T) { fmt.Print(t, " ") })
	fmt.Println(b.Stringer() == fmt.Stringer(b.Made), b.Static().Value(), b.Late(b.Static()), b.Late(*b.Made), b.Late(b.Made))
}

type key struct { t *a.T; u string }

func init() {
	var s a.Stack[int]
	s.Push(3)
	s.Push(4)
	fmt.Println(b.Sum(&s), reflect.TypeOf(s), reflect.TypeOf(b.Stack) == reflect.TypeFor[a.Stack[*a.T]]())
	i, ok := a.Any(b.Made)
	fmt.Println(ok, i == a.I(b.Made), i.Value(), b.Late(i))
	_, ok = a.Any(3)
	fmt.Println(ok, a.Fail(func() { var m map[key]int; m[key{b.Made, "x"}]++ }), a.Fail(func() { _ = any(b.Made).(a.T) }))
	fmt.Println(reflect.SliceOf(reflect.TypeFor[b.U]()) == reflect.TypeFor[[]b.U](), reflect.PointerTo(reflect.TypeFor[b.U]()) == reflect.TypeFor[*b.U]())
	fmt.Println(reflect.TypeFor[b.U]().NumMethod(), reflect.TypeFor[*a.T]().Method(0).Name, reflect.ValueOf(b.Static()).MethodByName("String").Call(nil)[0])
	var f b.F = func(t *a.T) fmt.Stringer { return t }
	fmt.Println(f(b.Made), a.Map["x"][1].N)
	c := make(chan *a.T, 1)
	go func() { c <- a.New(5) }()
	fmt.Println(<-c)
}
`}},
}

// TestPackages loads packages one after the other and compares what they print with the program that go run makes of them.
func TestPackages(t *testing.T) {
	b := build(t)
	dir := t.TempDir()
	var args []string
	for i, p := range cells {
		name := filepath.Join(dir, strings.TrimPrefix(p.path, "cells/"), "x.go")
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(p.sources[0]), 0o666); err != nil {
			t.Fatal(err)
		}
		p.imports = cells[:i]
		if i == len(cells)-1 {
			p.sources = append(p.sources, callMain)
		}
		args = append(args, b.compile(t, p))
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module cells\n\ngo 1.26\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", "./c")
	cmd.Dir = dir
	want, err := output(cmd)
	if err != nil {
		t.Fatal(err)
	}
	for _, env := range [][]string{nil, {"GOGC=1", "GODEBUG=gccheckmark=1"}} {
		got, stderr, err := b.run(t, env, args...)
		if got != want || err != nil {
			t.Errorf("%v: %v\n%s\n%.3000s", env, err, difference(got, want), stderr)
		}
	}
}

// TestRefused loads what cannot be loaded, and then what can.
func TestRefused(t *testing.T) {
	b := build(t)
	a := b.compile(t, cells[0])
	other := cells[1]
	other.imports = cells[:1]
	needs := b.compile(t, other)
	hello := b.compile(t, pkg{path: "hello", sources: []string{"package main\nimport \"fmt\"\nfunc main() { fmt.Println(\"hello\") }\n", callMain}})
	taken := b.compile(t, pkg{path: "strings", sources: []string{"package strings\nfunc ToUpper(s string) string { return s }\n"}})
	broken := filepath.Join(b.dir, "broken.a")
	data, err := os.ReadFile(b.archive(cells[0]))
	if err != nil {
		t.Fatal(err)
	}
	for i, damage := range []func([]byte) []byte{
		func(d []byte) []byte { return nil },
		func(d []byte) []byte { return []byte("no object") },
		func(d []byte) []byte { return d[:len(d)/2] },
		func(d []byte) []byte {
			return []byte(strings.ReplaceAll(string(d), " "+runtime.Version(), " go1.25.0"))
		},
	} {
		if err := os.WriteFile(broken, damage(data), 0o666); err != nil {
			t.Fatal(err)
		}
		got, stderr, err := b.run(t, nil, "!cells/a="+broken, hello)
		if err != nil || !strings.HasPrefix(got, "cells/a cannot be loaded: ") || !strings.HasSuffix(got, "hello\n") {
			t.Errorf("damage %d: %v %s\n%s", i, err, got, stderr)
		}
	}
	got, stderr, err := b.run(t, nil, "!"+needs, a, "!"+a, needs, "!"+taken, hello)
	want := `cells/b.v2 cannot be loaded: the program has no cells/a.(*T).String, cells/a.Count, cells/a.Err, cells/a.Order, type *cells/a.T, type cells/a.I, type cells/a.T
cells/a cannot be loaded: a package of that path is loaded
strings cannot be loaded: the program has strings.ToUpper already
hello
`
	if err != nil || got != want {
		t.Errorf("%v\n%s\n%s", err, difference(got, want), stderr)
	}
}

// TestDropped uses a type whose methods the linker has dropped: in an interface it would seem to have none.
func TestDropped(t *testing.T) {
	b := build(t)
	source := func(statement string) []string {
		return []string{`package main

import (
	"fmt"
	"gaucho/interp/loader/internal/hook"
)

func main() {
	fmt.Print("")
	` + statement + `
}
`, callMain}
	}
	alone := b.compile(t, pkg{path: "alone", sources: source(`println(*hook.Keep.N); hook.Keep = &hook.Plain{N: new(int)}`)})
	held := b.compile(t, pkg{path: "held", sources: source(`fmt.Println(hook.Keep)`)})
	inside := b.compile(t, pkg{path: "inside", sources: source(`fmt.Println([]map[int]hook.Plain{})`)})
	static := b.compile(t, pkg{path: "static", sources: source(`var s fmt.Stringer = hook.Keep; fmt.Println(s)`)})
	got, stderr, err := b.run(t, nil, alone, "!"+held, "!"+inside, "!"+static)
	want := `held cannot be loaded: the program has no methods of type *hook.Plain
inside cannot be loaded: the program has no methods of type *hook.Plain
static cannot be loaded: the program has no methods of type *hook.Plain
`
	if err != nil || got != want {
		t.Errorf("%v\n%s\n%s", err, difference(got, want), stderr)
	}
}

// many is a package of which there are many.
const many = `package main

import (
	"fmt"
	"gaucho/interp/loader/internal/hook"
	"reflect"
)

type T struct{ n int; next *T; names map[string]*T }

func (t *T) String() string { return fmt.Sprint("many00000 ", t.n) }

var all = map[string]*T{"x": {n: 1}}
var list []fmt.Stringer

func frame(depth int, next func(int) int) (sum int) {
	var pad [20]*int
	pad[depth%20] = &depth
	defer func() { sum += *pad[depth%20] }()
	return next(depth + 1)
}

func init() {
	list = append(list, all["x"], &T{n: 2})
	hook.Chain = append(hook.Chain, frame)
	for _, v := range []any{
		[]T{}, []*T{}, [][]T{}, map[*T]bool{}, map[string]T{}, map[int][]T{}, make(chan T), make(<-chan *T), [3]T{}, [7]*T{}, new(*T), new([]T),
		map[*T]T{}, []map[string]T{}, [2][]T{}, make(chan []T),
	} {
		hook.Types = append(hook.Types, reflect.TypeOf(v))
	}
	if s := fmt.Sprint(list[1], list[0].(*T).n); s != "many00000 2 1" && len(s) != 13 {
		panic(s)
	}
}
`

// TestMany loads a package 300 times, also while goroutines run what was loaded, under collections and a profile, and then
// grows stacks and panics through the frames of 100 of them.
func TestMany(t *testing.T) {
	b := build(t)
	arg := b.compile(t, pkg{path: "many00000", sources: []string{many}})
	busy := "HOST_BUSY=1"
	for _, env := range [][]string{nil, {"GOGC=5"}, {busy}, {busy, "GOGC=1"}, {busy, "GOGC=10", "GODEBUG=gccheckmark=1,gcstoptheworld=1"}} {
		got, stderr, err := b.run(t, env, "300:"+arg)
		if got != "loaded 300\n" || err != nil {
			t.Errorf("%v: %v %s\n%.3000s", env, err, got, stderr)
		}
		t.Log(stderr)
	}
}

// BenchmarkMany prints what loading, collections, stack growth and panics take with 10, 500 and 2,000 packages.
func BenchmarkMany(b *testing.B) {
	build := build(b)
	arg := build.compile(b, pkg{path: "many00000", sources: []string{many}})
	for b.Loop() {
		for _, n := range []string{"10:", "500:", "2000:"} {
			_, stderr, err := build.run(b, nil, n+arg)
			if err != nil {
				b.Fatal(err, stderr)
			}
			b.Log(stderr)
		}
	}
}
