package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"sort"
	"strings"
	"sync"
)

type T struct {
	A int
	b string
}

func (t T) String() string            { return fmt.Sprint("T", t.A) }
func (t *T) Read([]byte) (int, error) { return 0, io.EOF }

type I interface{ String() string }
type J interface {
	I
	Read([]byte) (int, error)
}
type F func(int, ...string) (T, error)
type G[K comparable, V any] struct {
	m map[K]V
	n *G[K, V]
}

func (g *G[K, V]) Set(k K, v V) { g.m[k] = v }

type embedded struct {
	sync.WaitGroup
	*strings.Builder
	error
	*os.File
}

type list []T

func (l list) Len() int           { return len(l) }
func (l list) Less(i, j int) bool { return l[i].A < l[j].A }
func (l list) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }

//go:noinline
func dynamic(v any) I { i, _ := v.(I); return i }

//go:noinline
func kind(i I) string {
	switch v := i.(type) {
	case T:
		return "T"
	case *T:
		return "*T"
	case nil:
		return "nil"
	case J:
		return "J"
	default:
		return fmt.Sprintf("%T", v)
	}
}

//go:noinline
func which(v any) string {
	switch v.(type) {
	case J:
		return "J"
	case error:
		return "error"
	case I:
		return "I"
	case interface{ Len() int }:
		return "Len"
	}
	return "none"
}

func same[A any](made reflect.Type) {
	t := reflect.TypeFor[A]()
	fmt.Println(t, t == made)
}

func main() {
	t := reflect.TypeFor[T]()
	same[[]T](reflect.SliceOf(t))
	same[*T](reflect.PointerTo(t))
	same[**T](reflect.PointerTo(reflect.PointerTo(t)))
	same[[7]T](reflect.ArrayOf(7, t))
	same[map[string]T](reflect.MapOf(reflect.TypeFor[string](), t))
	same[map[T][]*T](reflect.MapOf(t, reflect.SliceOf(reflect.PointerTo(t))))
	same[chan T](reflect.ChanOf(reflect.BothDir, t))
	same[<-chan int](reflect.ChanOf(reflect.RecvDir, reflect.TypeFor[int]()))
	same[func(T, ...int) error](reflect.FuncOf([]reflect.Type{t, reflect.TypeFor[[]int]()}, []reflect.Type{reflect.TypeFor[error]()}, true))
	same[struct {
		X int `json:"x.y, z"`
		Y *T
	}](reflect.StructOf([]reflect.StructField{{Name: "X", Type: reflect.TypeFor[int](), Tag: `json:"x.y, z"`}, {Name: "Y", Type: reflect.TypeFor[*T]()}}))
	same[[]map[string][]any](reflect.SliceOf(reflect.MapOf(reflect.TypeFor[string](), reflect.TypeFor[[]any]())))
	same[map[uint16]struct{}](reflect.MapOf(reflect.TypeFor[uint16](), reflect.TypeFor[struct{}]()))
	same[G[string, []T]](reflect.TypeOf(G[string, []T]{}))
	same[*G[string, []T]](reflect.TypeOf(G[string, []T]{}.n))

	v, p := T{1, "b"}, &T{A: 2}
	var i, k I = v, p
	fmt.Println(dynamic(v) == i, dynamic(p) == k, dynamic(v) == k, kind(dynamic(v)), kind(dynamic(p)), kind(dynamic(reflect.ValueOf(v))), kind(nil))
	fmt.Println(which(v), which(p), which(io.EOF), which(list{}), which(3), which(v))
	var e1, e2 error = io.EOF, errors.New("EOF")
	fmt.Println(e1 == io.EOF, e2 == io.EOF, errors.Is(fmt.Errorf("x %w", io.EOF), io.EOF))
	var r io.Reader = strings.NewReader("abc")
	_, isWriter := r.(io.WriterTo)
	_, isSeeker := r.(io.Seeker)
	_, isCloser := r.(io.Closer)
	_, isJ := any(p).(J)
	fmt.Println(isWriter, isSeeker, isCloser, isJ)
	m := map[any]int{v: 1, p: 2, "s": 3, 4: 4, [2]int{1, 2}: 5, 1.5: 6, true: 7, reflect.TypeFor[T](): 8, I(v): 9}
	fmt.Println(m[T{1, "b"}], m[p], m["s"], m[4], m[[2]int{1, 2}], m[1.5], m[true], m[t], len(m))
	l := list{{3, ""}, {1, ""}, {2, ""}}
	sort.Sort(l)
	fmt.Println(l, fmt.Sprintf("%v %+v %#v %T", v, v, v, v))
	for n := range t.NumMethod() {
		fmt.Println(t.Method(n).Name, reflect.ValueOf(v).Method(n).Call(nil))
	}
	pt := reflect.TypeFor[*T]()
	fmt.Println(pt.NumMethod(), pt.Implements(reflect.TypeFor[J]()), t.Implements(reflect.TypeFor[J]()), t.Implements(reflect.TypeFor[fmt.Stringer]()))
	e := embedded{Builder: new(strings.Builder), error: io.EOF, File: os.Stdout}
	e.Add(1)
	e.Done()
	e.Builder.WriteString("written")
	et := reflect.TypeOf(&e)
	_, hasWait := et.MethodByName("Wait")
	_, hasGrow := et.MethodByName("Grow")
	fmt.Println(e.Builder.Len(), e.Error(), hasWait, hasGrow, et.NumMethod() > 20)
	var w interface{ Wait() } = &e
	w.Wait()
	g := &G[string, []T]{m: map[string][]T{}}
	g.Set("k", []T{v})
	fmt.Printf("%v %T\n", g.m, g.m)
	f := F(func(n int, s ...string) (T, error) { return T{A: n + len(s)}, nil })
	out := reflect.ValueOf(f).Call([]reflect.Value{reflect.ValueOf(3), reflect.ValueOf("a"), reflect.ValueOf("b")})
	fmt.Println(out[0].Interface().(T).A, out[1].IsNil(), reflect.TypeOf(f))
	made := reflect.MakeFunc(reflect.TypeFor[func(int, string) (string, T)](), func(a []reflect.Value) []reflect.Value {
		return []reflect.Value{reflect.ValueOf(a[1].String() + a[0].String()), reflect.ValueOf(v)}
	}).Interface().(func(int, string) (string, T))
	fmt.Println(made(3, "x"))
	mv := reflect.ValueOf(p).MethodByName("String").Interface().(func() string)
	fmt.Println(mv())
	func() {
		type T struct{ local int }
		fmt.Printf("%T %v\n", T{}, reflect.TypeOf(T{}) == t)
	}()
	var any1, any2 any = struct{ X int }{1}, struct{ X int }{1}
	fmt.Println(any1 == any2, any(int64(1)) == any(1), any([3]string{"a"}) == any([3]string{"a"}))
}
