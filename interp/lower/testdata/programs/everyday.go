package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type Point struct{ X, Y int }

func (p Point) String() string { return fmt.Sprintf("<%d,%d>", p.X, p.Y) }

type Named struct {
	Point
	Name string
	tags []string
}
type Celsius float64
type Temp interface{ ~float64 }

func avg[T Temp](xs ...T) T {
	var s T
	for _, x := range xs {
		s += x
	}
	return s / T(len(xs))
}

type List[T any] struct {
	head *node[T]
	n    int
}
type node[T any] struct {
	v    T
	next *node[T]
}

func (l *List[T]) Push(v T) { l.head = &node[T]{v, l.head}; l.n++ }
func (l *List[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		i := 0
		for n := l.head; n != nil; n = n.next {
			if !yield(i, n.v) {
				return
			}
			i++
		}
	}
}

type Number interface {
	~int | ~int64 | ~float64
}

func SumMap[K comparable, V Number](m map[K]V) V {
	var s V
	for _, v := range m {
		s += v
	}
	return s
}

type Tree[K cmp.Ordered, V any] struct {
	root *tnode[K, V]
}
type tnode[K cmp.Ordered, V any] struct {
	k    K
	v    V
	l, r *tnode[K, V]
}

func (t *Tree[K, V]) Put(k K, v V) {
	p := &t.root
	for *p != nil {
		switch c := cmp.Compare(k, (*p).k); {
		case c < 0:
			p = &(*p).l
		case c > 0:
			p = &(*p).r
		default:
			(*p).v = v
			return
		}
	}
	*p = &tnode[K, V]{k: k, v: v}
}
func (t *Tree[K, V]) Walk(yield func(K, V) bool) {
	var rec func(n *tnode[K, V]) bool
	rec = func(n *tnode[K, V]) bool {
		return n == nil || rec(n.l) && yield(n.k, n.v) && rec(n.r)
	}
	rec(t.root)
}

type Animal interface{ Sound() string }
type Dog struct{}
type Cat struct{ n int }

func (Dog) Sound() string    { return "woof" }
func (c *Cat) Sound() string { c.n++; return "meow" + strconv.Itoa(c.n) }

type state func(*machine) state
type machine struct {
	in  string
	out []string
}

func start(m *machine) state {
	if m.in == "" {
		return nil
	}
	m.out = append(m.out, m.in[:1])
	m.in = m.in[1:]
	return start
}

type errT struct{ code int }

func (e errT) Error() string { return "err" + strconv.Itoa(e.code) }
func (e errT) Is(t error) bool {
	return t == io.EOF
}

type Matrix [2][2]int

func (m Matrix) Mul(o Matrix) (r Matrix) {
	for i := range 2 {
		for j := range 2 {
			for k := range 2 {
				r[i][j] += m[i][k] * o[k][j]
			}
		}
	}
	return
}

type Op func(float64, float64) float64

func (o Op) Apply(a, b float64) float64 { return o(a, b) }

type Set map[string]struct{}

func (s Set) Add(k string) { s[k] = struct{}{} }
func (s Set) Has(k string) bool {
	_, ok := s[k]
	return ok
}

func divide(a, b int) (q int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("divide: %v", r)
		}
	}()
	return a / b, nil
}

type Level int

const (
	Debug Level = iota
	Info
	Warn
)

func (l Level) String() string { return [...]string{"DEBUG", "INFO", "WARN"}[l] }

type Logger struct {
	*bytes.Buffer
	lvl Level
}

func main() {
	p := Point{1, 2}
	fmt.Println(p, &p, []Point{p}, map[string]Point{"a": p})
	fmt.Printf("%v %+v %#v %T\n", p, p, p, p)
	n := Named{p, "n", []string{"x"}}
	fmt.Printf("%v %+v %T\n", n, n, n)
	fmt.Println(n.X, n.String(), avg(Celsius(10), 20))
	var l List[string]
	l.Push("a")
	l.Push("b")
	for i, v := range l.All() {
		fmt.Print(i, v, " ")
	}
	fmt.Println(l.n)
	fmt.Println(SumMap(map[string]float64{"a": 1.5, "b": 2}))
	var t Tree[string, int]
	for i, w := range strings.Fields("the quick brown fox the") {
		t.Put(w, i)
	}
	for k, v := range t.Walk {
		if k == "the" {
			break
		}
		fmt.Print(k, "=", v, " ")
	}
	fmt.Println()
	animals := []Animal{Dog{}, &Cat{}}
	for _, a := range animals {
		fmt.Println(a.Sound(), a.Sound())
	}
	m := &machine{in: "abc"}
	for s := state(start); s != nil; {
		s = s(m)
	}
	fmt.Println(m.out)
	var err error = errT{3}
	fmt.Println(errors.Is(err, io.EOF), errors.Is(fmt.Errorf("w: %w", err), io.EOF))
	var et errT
	fmt.Println(errors.As(fmt.Errorf("w: %w", err), &et), et.code, et)
	fmt.Println(Matrix{{1, 1}, {1, 0}}.Mul(Matrix{{1, 1}, {1, 0}}))
	fmt.Println(Op(math.Pow).Apply(2, 10))
	s := Set{}
	s.Add("x")
	fmt.Println(s.Has("x"), s.Has("y"), len(s), s)
	fmt.Println(divide(7, 2))
	fmt.Println(divide(7, 0))
	fmt.Println(Warn, []Level{Debug, Info}, map[Level]int{Info: 1})
	fmt.Printf("%d %v %s %q\n", Warn, Warn, Warn, Warn)
	lg := Logger{&bytes.Buffer{}, Info}
	fmt.Fprintf(lg, "hi %d", 5)
	fmt.Println(lg.String(), lg.lvl)
	b, e := json.Marshal(map[string]any{"p": p, "l": []Level{Warn}})
	fmt.Println(string(b), e)
	xs := []int{3, 1, 2}
	slices.SortFunc(xs, func(a, b int) int { return b - a })
	fmt.Println(xs, slices.Max(xs), slices.Contains(xs, 2), slices.Index(xs, 1))
	ps := []Point{{3, 1}, {1, 2}, {2, 0}}
	slices.SortFunc(ps, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
	fmt.Println(ps)
	sort.Slice(ps, func(i, j int) bool { return ps[i].Y < ps[j].Y })
	fmt.Println(ps)
	keys := slices.Sorted(maps.Keys(map[string]int{"b": 1, "a": 2}))
	fmt.Println(keys)
	var wg sync.WaitGroup
	var mu sync.Mutex
	var cnt atomic.Int64
	total := 0
	for i := range 10 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			total += i
			cnt.Add(1)
		}()
	}
	wg.Wait()
	fmt.Println(total, cnt.Load())
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	select {
	case <-ctx.Done():
		fmt.Println(ctx.Err())
	case <-time.After(time.Second):
		fmt.Println("late")
	}
	ch := make(chan Point, 3)
	ch <- p
	close(ch)
	v, ok := <-ch
	fmt.Println(v, ok)
	v, ok = <-ch
	fmt.Println(v, ok)
	var any1 any = p
	switch x := any1.(type) {
	case fmt.Stringer:
		fmt.Println("stringer", x)
	default:
		fmt.Println("other")
	}
	if pt, ok := any1.(Point); ok {
		fmt.Println(pt.X)
	}
	_, ok = any1.(*Point)
	fmt.Println(ok, any1 == any(Point{1, 2}), any1 == any(Point{2, 2}))
	f := p.String
	p.X = 100
	fmt.Println(f(), Point.String(p), (*Cat).Sound(&Cat{5}))
	fmt.Fprintln(os.Stdout, strings.Map(func(r rune) rune { return r + 1 }, "abc"))
	var arr [3]Point
	arr2 := arr
	arr2[0].X = 1
	fmt.Println(arr, arr2, arr == arr2, len(arr))
	type pair struct {
		a, b any
	}
	fmt.Printf("%v %+v\n", pair{1, "x"}, pair{p, nil})
	once := sync.OnceValue(func() int { fmt.Println("once"); return 7 })
	fmt.Println(once(), once())
	next, stop := iter.Pull(maps.Keys(map[int]bool{1: true}))
	fmt.Println(next())
	fmt.Println(next())
	stop()
	func() {
		defer fmt.Println("deferred 1")
		for i := range 3 {
			defer func() { fmt.Print("d", i, " ") }()
		}
	}()
	x := 10
	ptr := &x
	*ptr += 5
	fmt.Println(x, *ptr, ptr == &x)
	bs := []byte("héllo")
	for i, c := range string(bs) {
		fmt.Print(i, ":", string(c), " ")
	}
	fmt.Println(len(bs), bs[1])
	fmt.Println(strconv.Quote("a\tb"), fmt.Sprintf("%08.3f|%-5s|%5d|%x", 3.14159, "ab", 42, 255))
	var np *Point
	func() {
		defer func() { fmt.Println("rec:", recover()) }()
		fmt.Println(np.X)
	}()
	clear(s)
	fmt.Println(len(s), min(1, 2), max("a", "b"))
	goto end
end:
	fmt.Println("end")
}
