package main

import (
	"fmt"
	"os"
	"strings"
)

type Stack []int

func (s *Stack) Push(v int) { *s = append(*s, v) }
func (s Stack) Peek() int   { return s[len(s)-1] }

type Grid [3][3]rune

func (g *Grid) Set(i, j int, r rune) { g[i][j] = r }
func (g Grid) String() string {
	var b strings.Builder
	for _, row := range g {
		for _, c := range row {
			if c == 0 {
				c = '.'
			}
			b.WriteRune(c)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

type Token struct {
	Kind string
	Val  string
}
type Lexer struct {
	in  string
	pos int
	out chan Token
}
type lexFn func(*Lexer) lexFn

func lexText(l *Lexer) lexFn {
	for l.pos < len(l.in) {
		c := l.in[l.pos]
		switch {
		case c >= '0' && c <= '9':
			return lexNum
		case c == ' ':
			l.pos++
		default:
			l.out <- Token{"op", string(c)}
			l.pos++
		}
	}
	close(l.out)
	return nil
}
func lexNum(l *Lexer) lexFn {
	start := l.pos
	for l.pos < len(l.in) && l.in[l.pos] >= '0' && l.in[l.pos] <= '9' {
		l.pos++
	}
	l.out <- Token{"num", l.in[start:l.pos]}
	return lexText
}

type Base struct{ name string }

func (b Base) Hello() string    { return "base " + b.name }
func (b *Base) Rename(n string) { b.name = n }

type Derived struct {
	Base
	level int
}

func (d Derived) Hello() string { return "derived/" + d.Base.Hello() }

type Greeter interface{ Hello() string }
type Renamer interface {
	Greeter
	Rename(string)
}
type Chain struct{ fns []func(int) int }

func (c Chain) Then(f func(int) int) Chain { return Chain{append(c.fns[:len(c.fns):len(c.fns)], f)} }
func (c Chain) Run(x int) int {
	for _, f := range c.fns {
		x = f(x)
	}
	return x
}

type Celsius float64
type Fahrenheit float64

func (c Celsius) F() Fahrenheit { return Fahrenheit(c*9/5 + 32) }

type Weekday uint8

const (
	Mon Weekday = iota + 1
	Tue
	_
	Thu
)

type bits uint16

const (
	fA bits = 1 << iota
	fB
	fC
)

func (b bits) Has(f bits) bool { return b&f != 0 }

type Matrix[T ~int | ~float64] [][]T

func (m Matrix[T]) Mul(o Matrix[T]) Matrix[T] {
	r := make(Matrix[T], len(m))
	for i := range m {
		r[i] = make([]T, len(o[0]))
		for j := range o[0] {
			for k := range o {
				r[i][j] += m[i][k] * o[k][j]
			}
		}
	}
	return r
}

type Heap[T any] struct {
	xs   []T
	less func(a, b T) bool
}

func (h *Heap[T]) Push(x T) {
	h.xs = append(h.xs, x)
	for i := len(h.xs) - 1; i > 0; {
		p := (i - 1) / 2
		if !h.less(h.xs[i], h.xs[p]) {
			break
		}
		h.xs[i], h.xs[p] = h.xs[p], h.xs[i]
		i = p
	}
}

type result struct {
	val int
	err error
}

func parallel(n int, f func(int) (int, error)) (rs []result) {
	ch := make(chan struct {
		i int
		r result
	})
	for i := range n {
		go func() {
			v, err := f(i)
			ch <- struct {
				i int
				r result
			}{i, result{v, err}}
		}()
	}
	rs = make([]result, n)
	for range n {
		x := <-ch
		rs[x.i] = x.r
	}
	return rs
}

func main() {
	var s Stack
	s.Push(1)
	s.Push(2)
	fmt.Println(s, s.Peek(), len(s))
	var g Grid
	g.Set(1, 1, 'x')
	g2 := g
	g2.Set(0, 0, 'o')
	fmt.Print(g, g2)
	l := &Lexer{in: "12 + 34*5", out: make(chan Token)}
	go func() {
		for st := lexFn(lexText); st != nil; {
			st = st(l)
		}
	}()
	for t := range l.out {
		fmt.Print(t, " ")
	}
	fmt.Println()
	d := &Derived{Base{"n"}, 1}
	var r Renamer = d
	r.Rename("m")
	fmt.Println(r.Hello(), d.name, Greeter(*d).Hello(), d.Base.Hello())
	c := Chain{}.Then(func(x int) int { return x + 1 }).Then(func(x int) int { return x * 10 })
	c2 := c.Then(func(x int) int { return -x })
	fmt.Println(c.Run(1), c2.Run(1))
	fmt.Printf("%.1f %T\n", Celsius(100).F(), Celsius(1).F())
	fmt.Println(Thu, fA|fC, (fA | fC).Has(fB), (fA | fC).Has(fC))
	fmt.Println(Matrix[int]{{1, 2}, {3, 4}}.Mul(Matrix[int]{{0, 1}, {1, 0}}))
	h := Heap[string]{less: func(a, b string) bool { return len(a) < len(b) }}
	for _, w := range []string{"ccc", "a", "bb"} {
		h.Push(w)
	}
	fmt.Println(h.xs)
	for _, r := range parallel(3, func(i int) (int, error) {
		if i == 1 {
			return 0, fmt.Errorf("bad %d", i)
		}
		return i * i, nil
	}) {
		fmt.Println(r.val, r.err)
	}
	x, y := 1, 2
	swap := func(a, b *int) { *a, *b = *b, *a }
	swap(&x, &y)
	fmt.Println(x, y)
	acc := func() func(int) int {
		sum := 0
		return func(n int) int { sum += n; return sum }
	}()
	acc(1)
	acc(2)
	fmt.Println(acc(3))
	var ifs []interface{ Hello() string }
	ifs = append(ifs, d, *d, Base{"z"})
	for _, i := range ifs {
		switch v := i.(type) {
		case *Derived:
			fmt.Println("ptr", v.level)
		case Derived:
			fmt.Println("val", v.level)
		default:
			fmt.Printf("%T %v\n", v, v)
		}
	}
	fib := make(map[int]int)
	var f func(int) int
	f = func(n int) int {
		if n < 2 {
			return n
		}
		if v, ok := fib[n]; ok {
			return v
		}
		fib[n] = f(n-1) + f(n-2)
		return fib[n]
	}
	fmt.Println(f(50))
	func() {
		defer func() {
			if e, ok := recover().(error); ok {
				fmt.Println("E:", e)
			}
		}()
		var m map[string]map[string]int
		m["a"]["b"]++
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		var g Greeter
		g.Hello()
	}()
	type T struct {
		a int
		b []string
	}
	t1, t2 := T{1, []string{"x"}}, T{1, nil}
	fmt.Printf("%v %+v %#v\n", t1, t2, t1)
	pt := &t1
	pp := &pt
	(*pp).a++
	(**pp).b[0] += "y"
	fmt.Println(t1, pt.a)
	arr := [5]int{1, 2, 3, 4, 5}
	sl := arr[1:4]
	sl = append(sl, 50)
	arr[1] = 20
	fmt.Println(arr, sl, cap(sl))
	for i, j := 0, len(sl)-1; i < j; i, j = i+1, j-1 {
		sl[i], sl[j] = sl[j], sl[i]
	}
	fmt.Println(sl, arr)
	fmt.Fprint(os.Stdout, "a", 1, 2, "b", "c", 3.0, '\n', "\n")
	var e1, e2 error
	fmt.Println(e1 == e2, e1)
	n := 3
	switch {
	case n > 2 && n < 5:
		fmt.Println("mid")
	}
	switch n := n * 2; n {
	case 6, 7:
		fmt.Println("six")
	}
	k := 0
loop:
	if k < 3 {
		k++
		goto loop
	}
	fmt.Println(k)
}
