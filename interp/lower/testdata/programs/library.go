package main

import (
	"container/heap"
	"container/list"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"text/template"
	"time"
	"unicode"
)

type Item struct {
	Name string `json:"name"`
	Prio int    `json:"prio,omitempty"`
	priv int
}
type PQ []*Item

func (p PQ) Len() int           { return len(p) }
func (p PQ) Less(i, j int) bool { return p[i].Prio < p[j].Prio }
func (p PQ) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *PQ) Push(x any)        { *p = append(*p, x.(*Item)) }
func (p *PQ) Pop() any {
	old := *p
	n := len(old)
	x := old[n-1]
	*p = old[:n-1]
	return x
}

type Visitor interface {
	VisitNum(n Num) float64
	VisitBin(b Bin) float64
}
type Expr interface{ Accept(v Visitor) float64 }
type Num struct{ V float64 }
type Bin struct {
	Op   byte
	L, R Expr
}

func (n Num) Accept(v Visitor) float64 { return v.VisitNum(n) }
func (b Bin) Accept(v Visitor) float64 { return v.VisitBin(b) }

type eval struct{ depth int }

func (e *eval) VisitNum(n Num) float64 { return n.V }
func (e *eval) VisitBin(b Bin) float64 {
	e.depth++
	l, r := b.L.Accept(e), b.R.Accept(e)
	switch b.Op {
	case '+':
		return l + r
	case '*':
		return l * r
	}
	panic("bad op " + string(b.Op))
}

type Base struct{ id int }

func (b *Base) ID() int     { return b.id }
func (b *Base) SetID(i int) { b.id = i }

type Mid struct{ Base }
type Derived struct {
	*Mid
	extra string
}
type IDer interface {
	ID() int
	SetID(int)
}

type MyMap map[string][]int
type Handler func(string) (string, error)

func chain(hs ...Handler) Handler {
	return func(s string) (string, error) {
		var err error
		for _, h := range hs {
			if s, err = h(s); err != nil {
				return "", fmt.Errorf("chain: %w", err)
			}
		}
		return s, nil
	}
}

var ErrBad = errors.New("bad")

type Status struct {
	Code int
	Msg  string
}

func (s *Status) Error() string { return fmt.Sprintf("%d %s", s.Code, s.Msg) }
func get(i int) error {
	if i == 0 {
		return nil
	}
	if i == 1 {
		return ErrBad
	}
	return &Status{i, "st"}
}

type Stack[T any] []T

func (s *Stack[T]) Push(x T) { *s = append(*s, x) }
func (s *Stack[T]) Pop() T {
	x := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return x
}
func Filter[S ~[]E, E any](s S, f func(E) bool) S {
	var out S
	for _, e := range s {
		if f(e) {
			out = append(out, e)
		}
	}
	return out
}
func Reduce[T, A any](xs []T, a A, f func(A, T) A) A {
	for _, x := range xs {
		a = f(a, x)
	}
	return a
}

type Pair[A, B any] struct {
	First  A
	Second B
}

func MakePair[A, B any](a A, b B) Pair[A, B] { return Pair[A, B]{a, b} }
func (p Pair[A, B]) Swap() Pair[B, A]        { return Pair[B, A]{p.Second, p.First} }

type ints []int

func gen(n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i * i) {
				fmt.Println("stopped")
				return
			}
		}
	}
}

func search(grid [][]int, want int) (int, int, bool) {
	for i, row := range grid {
		for j, v := range row {
			if v == want {
				return i, j, true
			}
		}
	}
	return -1, -1, false
}

func multi() (a int, b string, err error) {
	a = 1
	defer func() { a *= 10; b += "!" }()
	b = "x"
	return a + 1, b + "y", nil
}

func main() {
	pq := &PQ{}
	heap.Init(pq)
	for i, n := range []string{"c", "a", "b"} {
		heap.Push(pq, &Item{n, 3 - i, 0})
	}
	for pq.Len() > 0 {
		fmt.Print(heap.Pop(pq).(*Item).Name, " ")
	}
	fmt.Println()
	ev := &eval{}
	fmt.Println(Bin{'+', Num{1}, Bin{'*', Num{2}, Num{3}}}.Accept(ev), ev.depth)
	d := Derived{&Mid{Base{3}}, "e"}
	var id IDer = d
	id.SetID(9)
	fmt.Println(d.ID(), id.ID(), d.Mid.Base.id)
	mm := MyMap{}
	mm["a"] = append(mm["a"], 1, 2)
	mm["b"] = nil
	mm["a"][0]++
	fmt.Println(mm, len(mm["zz"]))
	h := chain(func(s string) (string, error) { return strings.ToUpper(s), nil }, func(s string) (string, error) {
		if s == "X" {
			return "", ErrBad
		}
		return s + s, nil
	})
	fmt.Println(h("ab"))
	_, err := h("x")
	fmt.Println(err, errors.Is(err, ErrBad))
	for i := range 3 {
		err := get(i)
		var st *Status
		fmt.Println(err == nil, err, errors.As(err, &st), st != nil && st.Code == 2)
	}
	var st Stack[Pair[string, int]]
	st.Push(MakePair("a", 1))
	st.Push(MakePair("b", 2))
	fmt.Println(st.Pop().Swap(), len(st))
	fmt.Printf("%v %+v %T\n", st, st, st)
	fmt.Println(Filter(ints{1, 2, 3, 4}, func(i int) bool { return i%2 == 0 }), Reduce([]int{1, 2, 3}, "", func(a string, i int) string { return a + fmt.Sprint(i) }))
	for v := range gen(10) {
		if v > 10 {
			break
		}
		fmt.Print(v, " ")
	}
	fmt.Println(search([][]int{{1, 2}, {3, 4}}, 3))
	fmt.Println(multi())
	l := list.New()
	l.PushBack(Num{1})
	l.PushFront(2)
	for e := l.Front(); e != nil; e = e.Next() {
		fmt.Printf("%v %T; ", e.Value, e.Value)
	}
	fmt.Println()
	var it Item
	fmt.Println(json.Unmarshal([]byte(`{"name":"z","prio":4}`), &it), it)
	bb, _ := json.Marshal([]Item{it, {Name: "q"}})
	fmt.Println(string(bb))
	re := regexp.MustCompile(`(\w)(\d)`)
	fmt.Println(re.ReplaceAllStringFunc("a1 b2", func(s string) string { return strings.ToUpper(s) }), re.FindAllString("a1 b2", -1))
	tw := tabwriter.NewWriter(os.Stdout, 0, 8, 1, ' ', 0)
	fmt.Fprintln(tw, "a\tb\tc")
	fmt.Fprintln(tw, "aaa\tbbb\tccc")
	tw.Flush()
	tm := template.Must(template.New("x").Parse("{{range .}}{{.}},{{end}}\n"))
	tm.Execute(os.Stdout, []int{1, 2})
	r := rand.New(rand.NewPCG(1, 2))
	fmt.Println(r.IntN(100), r.Float64(), r.Perm(4))
	fmt.Println(reflect.TypeOf(it), reflect.TypeOf(3.5), reflect.DeepEqual([]Item{it}, []Item{it}))
	fmt.Println(time.Duration(1500)*time.Millisecond, time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC).Weekday())
	fmt.Println(strings.FieldsFunc("a1b2c", unicode.IsDigit), slices.Reverse[[]int] == nil)
	var iface interface{ Len() int } = pq
	fmt.Println(iface.Len())
	var e1, e2 any = Num{1}, Num{1}
	fmt.Println(e1 == e2, map[any]int{Num{1}: 5}[e2], map[Num]string{{1}: "one"}[Num{1}])
	type local struct{ a, b int }
	ms := map[local]*local{{1, 2}: {3, 4}}
	fmt.Println(ms[local{1, 2}].b, *ms[local{1, 2}])
	a := [...]string{2: "c", 0: "a"}
	fmt.Println(len(a), a, fmt.Sprintf("%q", a))
	sl := []int{0, 1, 2, 3, 4, 5}
	s2 := sl[1:3:4]
	s2 = append(s2, 100)
	s2 = append(s2, 200)
	fmt.Println(sl, s2, len(s2), cap(sl[2:]))
	copy(sl[2:], sl)
	fmt.Println(sl)
	var fns []func()
	for _, w := range []string{"x", "y"} {
		fns = append(fns, func() { fmt.Print(w) })
	}
	for i := 0; i < 3; i++ {
		fns = append(fns, func() { fmt.Print(i); i++ })
	}
	for _, f := range fns {
		f()
		f()
	}
	fmt.Println()
	switch x := 5; {
	case x > 3:
		fmt.Println("gt")
		fallthrough
	case x > 10:
		fmt.Println("ft")
	default:
		fmt.Println("no")
	}
	c1, c2 := make(chan int), make(chan string, 1)
	c2 <- "s"
	select {
	case v := <-c1:
		fmt.Println(v)
	case s, ok := <-c2:
		fmt.Println(s, ok)
	}
	select {
	case c2 <- "t":
		fmt.Println("sent")
	default:
		fmt.Println("full")
	}
	x := 7
	y := &x
	z := &y
	**z = 8
	fmt.Println(x, 7&^2, -7/2, -7%3, 1<<3|1, ^5, 5.0/2)
	const big = 1 << 62
	fmt.Println(big, uint64(math64), 'a', "\u00e9", `raw\n`)
	var u8 uint8 = 250
	u8 += 10
	fmt.Println(u8, int32(math64>>33), float32(0.1), complex(1, -2), real(3+4i))
	fmt.Printf("%5.2f|%+d|%x|%X|%o|%b|%c|%U|%e|%g|%t|%p\n", 3.14159, 5, "hi", 255, 8, 5, 'x', 'x', 12345.678, 1e21, true, nil)
	fmt.Printf("%v %v %v %s %d\n", []string{"a"}, [2]bool{true}, struct {
		A int
		B string
	}{1, "x"}, errors.New("e"), []int{1})
	fmt.Printf("%#v %#v %#v %#v\n", []string{"a"}, map[string]int{"a": 1}, it, &it)
	fmt.Printf("%6v|%-6v|%06d|%v|%v\n", "ab", "cd", 42, [3]byte{1, 2, 3}, []byte("hi"))
	fmt.Printf("%!|%d %s\n", "str", 5)
	fmt.Printf("%[2]d %[1]d %d\n", 1, 2)
}

const math64 = 1<<64 - 1
