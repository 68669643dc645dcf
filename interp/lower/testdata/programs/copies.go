package main

import "fmt"

type I interface{ M() int }
type A struct{ x int }

func (a A) M() int        { return a.x }
func (a *A) Inc()         { a.x++ }
func mod(a [3]int) [3]int { a[0] = 9; return a }

var g = A{1}
var gp = &g
var garr [3]int

func geta() *A        { fmt.Print("geta "); return gp }
func idx(i int) int   { fmt.Print("idx", i, " "); return i }
func val(i int) int   { fmt.Print("val", i, " "); return i }
func two() (int, int) { return garr[0], garr[1] }

type Big struct {
	a   [4]int
	m   map[string]A
	sub struct {
		p *Big
		q []Big
	}
}

func (b Big) with(i int) Big { b.a[i%4] = i; return b }

func main() {
	garr[idx(1)] = val(5)
	garr[idx(0)], garr[idx(2)] = val(7), val(8)
	fmt.Println(garr)
	geta().x += val(3)
	geta().Inc()
	fmt.Println(g, gp.x)
	var i I = g
	g.x = 100
	fmt.Println(i.M(), i.(A).x, g.M())
	gp = &A{50}
	f := gp.M
	gp.x = 51
	fmt.Println(f(), gp.M())
	garr[0], garr[1] = two()
	garr[1], garr[0] = two()
	fmt.Println(garr, mod(garr), garr)
	b := Big{m: map[string]A{"k": {1}}}
	b2 := b.with(1).with(2)
	b3 := b2
	b3.a[0] = 77
	b3.sub.q = append(b3.sub.q, b2)
	b3.sub.p = &b3
	b3.sub.p.a[3] = 3
	b3.sub.q[0].a[1] = 11
	fmt.Println(b.a, b2.a, b3.a, b3.sub.q[0].a)
	s := []Big{b, b2}
	s[0].a[0]++
	t := s[0]
	s[0].a[0]++
	ps := &s[1]
	s = append(s, t)
	ps.a[0] = -1
	fmt.Println(s[0].a, s[1].a, t.a, ps.a, s[2].a)
	m := map[string]Big{"x": b}
	x := m["x"]
	x.a[0] = 5
	m["y"] = x
	x.a[0] = 6
	fmt.Println(m["x"].a, m["y"].a, x.a)
	ch := make(chan Big, 2)
	ch <- x
	x.a[0] = 7
	y := <-ch
	fmt.Println(y.a, x.a)
	var any1 any = x
	x.a[0] = 8
	fmt.Println(any1.(Big).a, x.a)
	fn := func(b Big) *Big { b.a[0]++; return &b }
	p1, p2 := fn(x), fn(x)
	p1.a[0]++
	fmt.Println(p1.a, p2.a, x.a)
	arrs := [2][2]int{{1, 2}, {3, 4}}
	row := arrs[0]
	row[0] = 9
	pr := &arrs[0]
	pr[1] = 8
	fmt.Println(arrs, row)
	arrs[0], arrs[1] = arrs[1], arrs[0]
	fmt.Println(arrs)
	st := struct{ a, b A }{A{1}, A{2}}
	st.a, st.b = st.b, st.a
	fmt.Println(st)
	c := st.a
	st.a.Inc()
	fmt.Println(c, st.a)
	defer fmt.Println("d1", st.a.x, c)
	st.a.x = 1000
	c.x = 1000
	func(a A) { a.x = 1; st.b = a }(st.a)
	fmt.Println(st)
	for i := range 2 {
		v := A{i}
		defer func() { fmt.Println("defer", v, i) }()
		v.Inc()
	}
	var pp **A
	q := &gp
	pp = &gp
	*pp = &A{9}
	fmt.Println((*q).x, (**pp).M(), pp == q)
	z := *gp
	gp.x++
	*gp = A{gp.x * 2}
	fmt.Println(z, *gp)
	sl := make([]A, 2, 10)
	sl2 := append(sl, A{1})
	sl3 := append(sl, A{2})
	fmt.Println(sl2[2], sl3[2], len(sl))
	type L struct {
		v    int
		next *L
	}
	var head *L
	for i := range 3 {
		head = &L{i, head}
	}
	for p := &head; *p != nil; {
		if (*p).v == 1 {
			*p = (*p).next
		} else {
			p = &(*p).next
		}
	}
	for n := head; n != nil; n = n.next {
		fmt.Print(n.v, " ")
	}
	k, v := 1, []int{0, 0, 0}
	k, v[k] = 2, 5
	v[0], k = k, 0
	fmt.Println(k, v)
	r := []int{1, 2, 3}
	for i, e := range r {
		r = append(r, e*10)
		if i == 1 {
			r[2] = 100
		}
	}
	fmt.Println(r)
	w := A{1}
	w = A{w.x + 1}
	pw := &w
	w = A{w.x * 10}
	fmt.Println(*pw, w)
	pw.x, w = 5, A{6}
	fmt.Println(w)
	u := [...]A{{1}, {2}}
	for i := range u {
		u[i].Inc()
	}
	for _, e := range u {
		e.Inc()
	}
	fmt.Println(u, func() (r A) { defer func() { r.x *= 2 }(); r.x = 3; return A{r.x + 1} }())
}
