package main

import "fmt"

type S func(int) S
type M map[string]M
type L []L
type T18 *[10]T19
type T19 T18
type F func(F, int) int
type Ch chan Ch
type N struct {
	f  func(*N) N
	m  map[string]N
	ch chan *N
	a  [2]*N
	i  any
}
type V func(v V) (V, bool)

func (m M) depth() int {
	d := 0
	for _, c := range m {
		d = max(d, c.depth())
	}
	return d + 1
}
func (l L) String() string { return fmt.Sprintf("L%d", len(l)) }

type A struct{ b *B }
type B struct {
	A
	c []C
}
type C struct {
	B  map[string]*B
	up *A
}

func main() {
	n := 0
	var s S
	s = func(i int) S {
		n += i
		if n > 5 {
			return nil
		}
		return s
	}
	for x := s; x != nil; {
		x = x(2)
	}
	fmt.Println(n)
	m := M{"a": {"b": nil}, "c": nil}
	fmt.Println(m.depth(), len(m["a"]), m["zz"] == nil)
	m["d"] = M{"x": {}}
	fmt.Println(m.depth())
	l := L{nil, {nil, nil}}
	l = append(l, l)
	fmt.Println(l, len(l[1]), len(l[2]), l[1])
	fact := F(func(self F, n int) int {
		if n < 2 {
			return 1
		}
		return n * self(self, n-1)
	})
	fmt.Println(fact(fact, 5))
	c := make(Ch, 1)
	c <- c
	fmt.Println(<-c == c)
	nn := N{m: map[string]N{"k": {i: 5}}, ch: make(chan *N, 1)}
	nn.a[1] = &nn
	nn.f = func(p *N) N { return *p.a[1] }
	nn.ch <- &nn
	fmt.Println(nn.m["k"].i, nn.f(&nn).m["k"].i, (<-nn.ch).a[1] == &nn)
	var any1 any = m
	_, ok := any1.(M)
	_, ok2 := any1.(map[string]M)
	fmt.Println(ok, ok2)
	fmt.Printf("%T %T %T\n", s, m, l)
	b := &B{c: []C{{up: &A{}}}}
	b.A.b = b
	b.c[0].B = map[string]*B{"x": b}
	fmt.Println(b.b.c[0].B["x"] == b, b.b.b == b, b.c[0].up.b == nil)
	var t T18
	fmt.Println(t == nil)
}
