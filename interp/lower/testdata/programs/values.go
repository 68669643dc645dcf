package main

import "fmt"

func sub(x float64) float64 { return x }

type T struct{ a, b int }
type I interface{ M() int }

func (t T) M() int         { return t.a }
func (t *T) P()            { t.a++ }
func g(n int) (int, error) { return n, nil }

var glob = 5

func named() (x, y int) {
	x = 1
	y = glob
	return y, x
}
func named2() (err error) {
	if true {
		err := fmt.Errorf("inner")
		_ = err
	}
	return
}

type Inner struct{ v []int }
type Outer struct {
	Inner
	in  Inner
	arr [2]Inner
	m   map[string]Inner
}

func modify(o Outer)                 { o.v[0] = 100; o.in = Inner{[]int{9}}; o.arr[0].v = nil }
func retarr() [3]int                 { return [3]int{1, 2, 3} }
func variadic(pre string, xs ...any) { fmt.Println(pre, len(xs), xs) }

func main() {
	var zero float64
	nz := -1 / (1 / zero)
	fmt.Println(1/sub(nz), nz)
	fmt.Println(named())
	fmt.Println(named2())
	o := Outer{Inner: Inner{[]int{1}}, in: Inner{[]int{2}}}
	o.arr[0].v = []int{7}
	o2 := o
	modify(o)
	fmt.Println(o.v, o.in.v, o.arr[0].v, o2.v, o2.arr[1].v == nil)
	o2.arr[1].v = append(o2.arr[1].v, 5)
	fmt.Println(o.arr, o2.arr)
	ts := []T{{1, 2}, {3, 4}}
	for i := range ts {
		ts[i].P()
		(&ts[i]).P()
	}
	for _, t := range ts {
		t.P()
	}
	fmt.Println(ts, retarr()[1], len(retarr()))
	mp := map[string]T{"a": {1, 2}}
	t := mp["a"]
	t.a = 50
	fmt.Println(mp["a"].a, t.a, mp["zz"].b)
	pm := map[string]*T{"a": {1, 2}}
	pm["a"].a = 7
	pm["a"].P()
	fmt.Println(*pm["a"])
	var i I = ts[0]
	ts[0].a = 1000
	fmt.Println(i.M(), i.(T).a)
	var ip I = &ts[0]
	ts[0].a = 2000
	fmt.Println(ip.M())
	variadic("x")
	variadic("x", nil)
	variadic("x", 1, "a", nil, ts[1])
	variadic("x", []any{1, 2}...)
	variadic("x", []any{1, 2})
	a := []int{1, 2, 3}
	b := a[:2]
	b = append(b, 99)
	fmt.Println(a, b)
	c := append([]int(nil), a...)
	c[0] = -1
	fmt.Println(a, c)
	var arr [3]int
	pa := &arr
	for i := range pa {
		pa[i] = i * 10
	}
	for i, v := range pa {
		fmt.Print(i, v, " ")
	}
	fmt.Println(arr, len(pa), pa[1:])
	x := arr
	x[0] = 5
	fmt.Println(arr == x, arr != x)
	for i, v := range arr {
		arr[2] = 77
		fmt.Print(i, ":", v, " ")
	}
	fmt.Println()
	s := []int{1, 2, 3}
	for i, v := range s {
		s[2] = 77
		if i == 0 {
			s = append(s, 4)
		}
		fmt.Print(i, ":", v, " ")
	}
	fmt.Println(s)
	fs := map[string]func(int) int{"dbl": func(i int) int { return i * 2 }, "inc": func(i int) int { return i + 1 }}
	fmt.Println(fs["dbl"](4), fs["inc"](4), fs["no"] == nil)
	func(a, b int) { fmt.Println(a + b) }(1, 2)
	y := 1
	{
		y := 2
		y++
		_ = y
	}
	if y := 5; y > 3 {
		fmt.Println("inner", y)
	}
	fmt.Println(y)
	var e1 error
	var p1 *T
	var i1 I
	fmt.Println(e1 == nil, p1 == nil, i1 == nil)
	i1 = p1
	fmt.Println(i1 == nil, i1 == (*T)(nil))
	v, err := g(3)
	fmt.Println(v, err)
	v, err2 := g(4)
	fmt.Println(v, err2)
	ch := make(chan int)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for v := range ch {
			fmt.Print(v, ",")
		}
	}()
	for i := 0; i < 3; i++ {
		ch <- i
	}
	close(ch)
	<-done
	fmt.Println()
	z := []struct {
		n string
		f func() string
	}{{"a", func() string { return "A" }}, {"b", nil}}
	for _, c := range z {
		if c.f != nil {
			fmt.Println(c.n, c.f())
		}
	}
	type rec struct {
		name string
		sub  []rec
		par  *rec
	}
	r := rec{"root", []rec{{name: "c1"}, {name: "c2", sub: []rec{{name: "g"}}}}, nil}
	for i := range r.sub {
		r.sub[i].par = &r
	}
	var walk func(r rec, d int)
	walk = func(r rec, d int) {
		fmt.Printf("%*s%s\n", d*2, "", r.name)
		for _, s := range r.sub {
			walk(s, d+1)
		}
	}
	walk(r, 0)
	fmt.Println(r.sub[0].par.name)
	const (
		KB = 1 << (10 * (iota + 1))
		MB
	)
	fmt.Println(KB, MB, 'a'+1, string(rune('a'+1)), "s"+"t", 7.0/2, 7/2)
	var u uint = 3
	fmt.Println(u-4 > 0, -7>>1, uint32(1)<<31, ^uint8(1), 1<<u, int64(1)<<40>>38)
	lbl := 0
outer:
	for {
		switch {
		case lbl > 3:
			break outer
		case lbl == 1:
			lbl += 2
			continue outer
		}
		lbl++
	}
	fmt.Println(lbl)
	ss := "héllo, 世界"
	fmt.Println(len(ss), []rune(ss)[1], ss[1:3], string([]rune(ss)[7:]), []byte(ss)[:3])
	q := [][]int{{1}, {2, 3}}
	q[1][0] *= 10
	q = append(q, []int{4})
	fmt.Println(q, len(q[1]))
	delete(mp, "a")
	_, ok := mp["a"]
	fmt.Println(ok, len(mp))
	var nilm map[string]int
	fmt.Println(nilm["x"], len(nilm))
	st := struct{ A, B int }{1, 2}
	st2 := st
	st2.A = 9
	fmt.Println(st, st2, st == struct{ A, B int }{1, 2})
	pt := &T{1, 2}
	pt2 := pt
	pt2.a = 8
	*pt = T{b: 3}
	fmt.Println(*pt, pt2.b, pt == pt2)
	f := T.M
	h := (*T).P
	h(pt)
	fmt.Println(f(*pt))
	mv := pt.P
	mv()
	mv()
	fmt.Println(pt.a)
}
