package main

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"sort"
	"strings"
)

type Sorter struct {
	sort.Interface
	swaps int
}

func (s *Sorter) Swap(i, j int) { s.swaps++; s.Interface.Swap(i, j) }

type rw struct {
	io.Reader
	io.Writer
}
type Inner interface{ Do() string }
type impl struct{ n int }

func (i *impl) Do() string { i.n++; return fmt.Sprint("do", i.n) }

type Wrap struct {
	Inner
	*strings.Builder
}
type Arr [2]int
type K struct {
	a Arr
	s string
	i any
}

func named() (n int, err error) {
	defer func() {
		if err != nil {
			n = -1
		}
	}()
	for i := range 5 {
		defer func() { n += i }()
	}
	return 10, nil
}
func named2() (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.Join(errors.New("j"), fmt.Errorf("%v", r))
		}
	}()
	n = 5
	panic("boom")
}
func each[T any](xs []T) iter.Seq[T] {
	return func(yield func(T) bool) {
		defer fmt.Print("[done]")
		for _, x := range xs {
			if !yield(x) {
				return
			}
		}
	}
}
func findFirst(xss [][]int, p func(int) bool) (res int, ok bool) {
outer:
	for xs := range each(xss) {
		for x := range each(xs) {
			if x < 0 {
				continue outer
			}
			if x == 99 {
				break outer
			}
			if p(x) {
				defer fmt.Println("found", x)
				return x, true
			}
		}
	}
	return
}

type Tree[T any] struct {
	l, r *Tree[T]
	v    T
}

func (t *Tree[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) { t.push(yield) }
}
func (t *Tree[T]) push(yield func(T) bool) bool {
	return t == nil || t.l.push(yield) && yield(t.v) && t.r.push(yield)
}

type Number interface{ ~int | ~float64 }
type Vec[T Number] []T

func (v Vec[T]) Map(f func(T) T) Vec[T] {
	out := make(Vec[T], len(v))
	for i, x := range v {
		out[i] = f(x)
	}
	return out
}
func Zip[A, B any](a []A, b []B) iter.Seq2[A, B] {
	return func(yield func(A, B) bool) {
		for i := range min(len(a), len(b)) {
			if !yield(a[i], b[i]) {
				return
			}
		}
	}
}

type Set[T comparable] map[T]struct{}

func SetOf[T comparable](xs ...T) Set[T] {
	s := make(Set[T])
	for _, x := range xs {
		s[x] = struct{}{}
	}
	return s
}
func (s Set[T]) Union(o Set[T]) Set[T] {
	r := SetOf[T]()
	for _, m := range []Set[T]{s, o} {
		for k := range m {
			r[k] = struct{}{}
		}
	}
	return r
}

type Stringish interface{ ~string }

func Join[S Stringish](xs []S, sep S) string {
	var b strings.Builder
	for i, x := range xs {
		if i > 0 {
			b.WriteString(string(sep))
		}
		b.WriteString(string(x))
	}
	return b.String()
}

type ID string
type Ord interface {
	~int | ~string
	fmt.Stringer
}
type SI int

func (s SI) String() string  { return fmt.Sprintf("SI(%d)", int(s)) }
func Show[T Ord](x T) string { return x.String() }
func New[T any, P interface {
	*T
	Set(string)
}](s string) T {
	var t T
	P(&t).Set(s)
	return t
}

type Cfg struct{ v string }

func (c *Cfg) Set(s string) { c.v = s }

type event struct {
	name string
	fn   func(...any) (int, error)
}
type node struct {
	*node
	val int
}

func main() {
	xs := []int{3, 1, 2}
	s := &Sorter{Interface: sort.IntSlice(xs)}
	sort.Sort(s)
	fmt.Println(xs, s.swaps > 0)
	var sb strings.Builder
	x := rw{strings.NewReader("abc"), &sb}
	io.Copy(x, x)
	fmt.Println(sb.String())
	w := Wrap{&impl{}, &strings.Builder{}}
	w.WriteString("hey")
	fmt.Println(w.Do(), w.Do(), w.Len(), w.String())
	f := w.Do
	fmt.Println(f(), w.Inner.(*impl).n)
	m := map[K]int{{Arr{1, 2}, "a", 1}: 5}
	m[K{Arr{1, 2}, "a", "x"}]++
	fmt.Println(m[K{Arr{1, 2}, "a", 1}], len(m), m[K{i: 2.5}])
	ma := map[[2]string][]int{{"a", "b"}: {1}}
	ma[[2]string{"a", "b"}] = append(ma[[2]string{"a", "b"}], 2)
	fmt.Println(ma)
	mi := map[any]string{1: "int", "1": "str", 1.0: "f", Arr{1, 1}: "arr", nil: "nil", true: "b"}
	fmt.Println(mi[1], mi["1"], mi[1.0], mi[Arr{1, 1}], mi[nil], mi[true], mi[int8(1)] == "")
	fmt.Println(named())
	n, err := named2()
	fmt.Println(n, strings.ReplaceAll(err.Error(), "\n", "/"))
	fmt.Println(findFirst([][]int{{1, -1, 2}, {4, 5}}, func(i int) bool { return i > 3 }))
	fmt.Println(findFirst([][]int{{1, 99}, {4, 5}}, func(i int) bool { return i > 3 }))
	t := &Tree[string]{&Tree[string]{v: "a"}, &Tree[string]{v: "c"}, "b"}
	for v := range t.All() {
		if v == "c" {
			break
		}
		fmt.Print(v, " ")
	}
	fmt.Println(slices.Collect(t.All()))
	fmt.Println(Vec[float64]{1, 2}.Map(func(x float64) float64 { return x / 2 }))
	for a, b := range Zip([]int{1, 2, 3}, []string{"x", "y"}) {
		fmt.Print(a, b, ";")
	}
	fmt.Println(len(SetOf(1, 2).Union(SetOf(2, 3))), Join([]ID{"a", "b"}, "-"), Show(SI(4)), New[Cfg]("q").v)
	evs := []event{{"a", func(a ...any) (int, error) { return len(a), nil }}, {name: "b"}}
	for _, e := range evs {
		if e.fn == nil {
			fmt.Println(e.name, "nil")
			continue
		}
		n, err := e.fn(1, "x", nil)
		fmt.Println(n, err)
	}
	nd := &node{&node{nil, 2}, 1}
	fmt.Println(nd.val, nd.node.val, nd.node.node == nil)
	a := [2][3]int{{1, 2, 3}, {4, 5, 6}}
	b := a
	b[1][2] = 60
	pa := &a[1]
	pa[0] = 40
	for i, row := range a {
		row[0] = 0
		fmt.Print(i, row, len(row), " ")
	}
	fmt.Println(a, b, a != b)
	func(z [2][3]int) { z[0][0] = 9 }(a)
	fmt.Println(a[0][0])
	st := struct {
		X, Y int
		T    struct{ S string }
	}{X: 1}
	st.T.S = "in"
	st2 := st
	st2.T.S = "out"
	fmt.Printf("%v %+v %v\n", st, st2, st == st2)
	var np *impl
	var in Inner = np
	fmt.Println(in == nil, np == nil, in == Inner(np))
	var nm map[string]int
	var ns []int
	var nf func()
	var ni any
	var ne error
	fmt.Println(nm, ns, nf == nil, ni, ne, len(nm), cap(ns))
	fmt.Printf("%v %v %v %d %s|%6.2f|%-8s|%+v|%x|%q\n", nm, ns, ni, []int{1}, []string{"a"}, 3.14159, "ab", &st, "hi", 'x')
	var once bool
	for i := 0; ; i++ {
		if once {
			fmt.Println("i", i)
			break
		}
		once = true
	}
	c1, c2, quit := make(chan int), make(chan string), make(chan bool)
	go func() {
		for i := range 2 {
			c1 <- i
			c2 <- fmt.Sprint("s", i)
		}
		close(quit)
	}()
L:
	for {
		select {
		case v := <-c1:
			fmt.Print(v, " ")
		case s := <-c2:
			fmt.Print(s, " ")
		case _, ok := <-quit:
			fmt.Println(ok)
			break L
		}
	}
	var fns [3]func() int
	for i := range fns {
		fns[i] = func() int { i *= 2; return i }
	}
	fmt.Println(fns[1](), fns[1](), fns[2]())
	p := new(int)
	*p = 3
	q := &p
	**q += 4
	fmt.Println(*p, new(5) != nil, *new("x"))
	u := uint8(255)
	u++
	i8 := int8(127)
	i8++
	fmt.Println(u, i8, -7/2, -7%2, 7&^5, 1<<3>>1, 0x1p-2, 1_000, 0b11, 0o17, 'a')
	var f32 float32 = 16777216
	fmt.Println(f32+1 == f32, int(f32), int(-f32/3), uint8(len(xs)+255), float32(0.1)+float32(0.2))
	str := "a\x00é\u4e16"
	fmt.Printf("%q %d %x %v\n", str, len(str), str, []rune(str))
	lines := strings.Split("b=2\na=1", "\n")
	kv := map[string]string{}
	for _, ln := range lines {
		if k, v, ok := strings.Cut(ln, "="); ok {
			kv[k] = v
		}
	}
	fmt.Println(kv)
	next, stop := iter.Pull2(Zip([]int{1, 2}, []string{"p", "q"}))
	fmt.Println(next())
	stop()
	fmt.Println(next())
	defer func() {
		r := recover()
		e, ok := r.(error)
		fmt.Println(ok, e)
		var re interface{ RuntimeError() }
		fmt.Println(errors.As(e, &re))
	}()
	_ = xs[len(xs)]
}
