package fuzzdiff

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// patterns are those that need no random types.
func (g *gen) patterns() []func() {
	return []func(){g.loopVariables, g.constantArithmetic, g.complexNumbers, g.embedding, g.constraints, g.mapKeys, g.matrices,
		g.aliasing, g.verbs, g.switches, g.shadows, g.results, g.channels}
}

// Patterns makes a program of all patterns.
func Patterns(seed uint64) Program {
	g := &gen{r: rand.New(rand.NewPCG(seed, 3)), byText: map[string]*typ{}}
	imports, decls, _ := strings.Cut(prelude, ")\n")
	var tries strings.Builder
	for i, f := range g.patterns() {
		g.b = &strings.Builder{}
		f()
		g.decl("func part%d() {\n%s}", i, g.b)
		fmt.Fprintf(&tries, "try(\"part%d\", part%d)\n", i, i)
	}
	g.decl("func Run() {\n%s}", tries.String())
	return Program{seed, imports + ")\n", append([]string{decls}, g.decls...)}
}

// local names a type that the pattern declares at package level, which each program has but once.
func (g *gen) local(prefix, format string) string {
	name := g.fresh(prefix)
	g.decl("%s", strings.ReplaceAll(format, "NAME", name))
	return name
}

// below is a number below n.
func (g *gen) below(n int) int { return g.r.IntN(n) }

// loopVariables captures the variables of loops of all forms, and changes them in the body.
func (g *gen) loopVariables() {
	g.p("var fs []func() int\nvar ps []*int")
	g.p("for i := 0; i < %d; i++ {\nif i == %d { i++ }\nfs = append(fs, func() int { i += 10; return i })\nps = append(ps, &i)\n}", 2+g.below(4), g.below(4))
	g.p("for i, j := 0, 9; i < j; i, j = i+1, j-%d {\nif i == 1 { continue }\nfs = append(fs, func() int { return i*100 + j })\nps = append(ps, &j)\n}", 1+g.below(3))
	g.p("for i := range %d { fs = append(fs, func() int { i *= 2; return i }) }", g.below(4))
	g.p("for k, v := range []int{%d, %d} { ps = append(ps, &k, &v); v++ }", g.below(90), g.below(90))
	g.p("for i, c := range %q { fs = append(fs, func() int { return i + int(c) }) }", pick(g, "añb", "", "世x"))
	g.p("for x := range count(3) { ps = append(ps, &x); if x == 1 { break } }")
	g.p("var k int\nfor k = 0; k < 3; k++ { fs = append(fs, func() int { return k }) }\nfor k = range 2 { ps = append(ps, &k) }")
	g.p("for round := range 2 { for _, f := range fs { fmt.Print(f(), \" \") }; for _, p := range ps { *p += round; fmt.Print(*p, \" \") }; fmt.Println() }")
}

// constants prints constants that only exact arithmetic gets right.
func (g *gen) constantArithmetic() {
	a, b := 1+g.below(60), 1+g.below(60)
	g.p("const (\nc0 = iota * %d\nc1\n_\nc3, d3 = iota + 'a', iota << 1.0\nc4, d4\n)\nfmt.Println(c0, c1, c3, d3, c4, d4)", a)
	g.p("const huge = 1 << (%d + 64)\nfmt.Println(huge >> (%d+60), float64(huge), huge / (huge - 1), int64(huge >> %d & 0xff))", a, a, b)
	g.p("const q = %d / %d\nconst r = %d / %d.0\nconst s = %d %% %d\nfmt.Println(q, r, s, q*r, float32(r), int(q+0.0))", a, b, a, b, a, b)
	g.p("const z = %d + %di\nfmt.Println(z*z, real(z), imag(z)*2, z == complex(%d, %d), complex64(z)/2)", a, b, a, b)
	g.p("const t = \"x\" + %q\nfmt.Println(len(t), t[1:], t < \"y\", 'a' + %d, string(rune('a'+%d)))", pick(g, "añ", "abc"), a%20, b%20)
	g.p("type Weekday int\nconst (\nMon Weekday = iota + %d\nTue\n)\nvar w Weekday = Tue\nfmt.Printf(\"%%d %%T %%v\\n\", w<<2, Mon, Tue-Mon)", a)
	g.p("const u8 uint8 = %d\nvar v8 uint8 = %d\nfmt.Println(^u8, -v8, v8-u8-1, ^v8, u8&^v8, int8(v8)-100, uint16(v8)<<9)", a, b)
	g.p("var f32 float32 = 1.0 / 3\nvar f64 = 1.0 / 3\nfmt.Println(f32, f64, float64(f32) == f64, f32*3 == 1, %d*f64, 1e100, 1<<3.0)", a)
	g.p("var sh = %d\nvar i32 int32 = 1 << sh\nvar fl = float64(uint8(1) << sh)\nvar i64 int64 = 1<<sh | 1\nfmt.Println(i32, fl, i64, 1<<sh == 2<<(sh-1), uint32(1)<<sh>>sh)", b)
}

// complexNumbers computes with them, exactly representable ones.
func (g *gen) complexNumbers() {
	a, b := g.below(9)-4, g.below(9)-4
	g.p("x, y := complex(float64(%d), %d), complex64(complex(%d, 2))", a, b, b)
	g.p("x += 1i\nx *= x\ny *= 2i\ny -= 1\nfmt.Println(x, y, real(x), imag(y), x == complex128(y), -x, x != 0)")
	g.p("fmt.Printf(\"%%v %%.1f %%T %%T %%8.2g|%%+v\\n\", x, y, real(y), imag(x), x, y)")
	g.p("m := map[complex128]string{x: \"x\", 2i: \"i\"}\nfmt.Println(m[x], m[complex(0, 2)], len(m))\nvar any1 any = x\nswitch v := any1.(type) {\ncase complex64: fmt.Println(64, v)\ncase complex128: fmt.Println(128, real(v))\n}")
	g.p("func() {\ndefer func() { fmt.Println(recover()) }()\nz := []complex64{y}\nfmt.Println(z[%d])\n}()", g.below(3))
}

// embedding has interfaces in structs, pointers embedded twice, and promoted methods as values.
func (g *gen) embedding() {
	n := g.local("Emb", `type NAMER interface{ Get() int; Set(int) }
type NAMEB struct{ n int; tag string }
func (b NAMEB) Get() int { return b.n }
func (b *NAMEB) Set(n int) { b.n = n }
func (b NAMEB) Tag() string { return "b" + b.tag }
type NAMEM struct{ *NAMEB; Count int }
func (m *NAMEM) Set(n int) { m.Count++; m.NAMEB.Set(n * 2) }
type NAMEO struct { NAMER; NAMEM2; name string }
type NAMEM2 struct{ Deep struct{ A, B int }; fn func(int) int }
func (o NAMEO) Tag() string { return o.name + fmt.Sprint(o.Get()) }
func (d NAMEM2) Call(x int) int { if d.fn == nil { return -1 }; return d.fn(x) }`)
	a, b := g.below(50), g.below(50)
	t := func(s string) string { return strings.ReplaceAll(s, "N.", n) }
	g.p("%s", t(fmt.Sprintf("b := N.B{%d, \"t\"}\nm := N.M{N.B: &b}\nm.Set(%d)\nfmt.Println(b.n, m.n, m.Get(), m.Count, m.Tag())", a, b)))
	g.p("%s", t(fmt.Sprintf("o := N.O{N.R: &m, name: \"o\"}\no.Deep.A = %d\no.fn = func(x int) int { return x + o.Deep.A }\no2 := o\no2.Deep.A++\no.Set(7)", a)))
	g.p("%s", t("fmt.Println(o.Get(), o2.Get(), o.Tag(), o2.Call(1), o2.Deep, o.Deep, m.Count, N.O{}.Call(3))"))
	g.p("%s", t("get, set, tag := o.Get, o.Set, o2.Tag\no.N.R = &b\nset(3)\nfmt.Println(get(), o.Get(), tag(), b)"))
	g.p("%s", t("fg, fs := N.R.Get, (*N.M).Set\nfs(&m, 5)\nfmt.Println(fg(o), fg(&m), N.B.Tag(b), (*N.M).Tag(&m))"))
	g.p("%s", t("for _, x := range []any{o, &m, b, &b, o2} {\nr, ok := x.(N.R)\n_, ok2 := x.(interface{ Tag() string })\n_, ok3 := x.(interface{ Call(int) int })\nfmt.Printf(\"%T %v %v %v\\n\", x, ok, ok2, ok3)\nif ok { r.Set(9); fmt.Println(r.Get()) }\n}"))
	g.p("%s", t("func() {\ndefer func() { fmt.Println(recover()) }()\nvar e N.O\nfmt.Println(e.Get())\n}()\nfunc() {\ndefer func() { fmt.Println(recover()) }()\nvar e N.M\nfmt.Println(e.Tag())\n}()"))
}

// constraints has generics whose constraints have methods, type sets and pointers to type parameters.
func (g *gen) constraints() {
	n := g.local("Con", `type NAMES interface { ~int | ~string; Show() string }
type NAMEI int
func (i NAMEI) Show() string { return fmt.Sprintf("I%d", int(i)) }
type NAMET string
func (s NAMET) Show() string { return "T" + string(s) }
type NAMEP[T any] interface { *T; Load(string) error; Dump() string }
type NAMEV struct { v []string }
func (v *NAMEV) Load(s string) error { if s == "" { return errors.New("empty") }; v.v = append(v.v, s); return nil }
func (v *NAMEV) Dump() string { return strings.Join(v.v, "+") }
func NAMEshow[E NAMES](xs ...E) (out string) { for i, x := range xs { out += x.Show() + fmt.Sprint(i, x < x+x, len(string(fmt.Sprint(x)))) }; return }
func NAMEload[T any, P NAMEP[T]](ss ...string) (t T, err error) { for _, s := range ss { if err = P(&t).Load(s); err != nil { return } }; fmt.Println(P(&t).Dump()); return }
type NAMETree[K cmp.Ordered, V any] struct { left, right *NAMETree[K, V]; k K; v V }
func (t *NAMETree[K, V]) Put(k K, v V) *NAMETree[K, V] {
	if t == nil { return &NAMETree[K, V]{k: k, v: v} }
	switch c := cmp.Compare(k, t.k); { case c < 0: t.left = t.left.Put(k, v); case c > 0: t.right = t.right.Put(k, v); default: t.v = v }
	return t
}
func (t *NAMETree[K, V]) All() iter.Seq2[K, V] { return func(yield func(K, V) bool) { t.walk(yield) } }
func (t *NAMETree[K, V]) walk(yield func(K, V) bool) bool { return t == nil || t.left.walk(yield) && yield(t.k, t.v) && t.right.walk(yield) }
func NAMEmapv[M ~map[K]V, K comparable, V, W any](m M, f func(K, V) W) map[K]W { out := make(map[K]W, len(m)); for k, v := range m { out[k] = f(k, v) }; return out }
type NAMENum interface { ~int8 | ~uint8 | ~float32 }
func NAMEwrap[T NAMENum](a, b T) (T, T, T) { a += b; a *= 3; return a, a / 2, -a }
type NAMEOpt[T any] func(*T)
func NAMEnewv[T any](opts ...NAMEOpt[T]) T { var t T; for _, o := range opts { o(&t) }; return t }`)
	t := func(s string) string { return strings.ReplaceAll(s, "N.", n) }
	a, b := g.below(100), g.below(100)
	g.p("%s", t(fmt.Sprintf("fmt.Println(N.show(N.I(%d), %d), N.show[N.T](\"a\", \"b\"), N.show[N.I]())", a, b)))
	g.p("%s", t(fmt.Sprintf("v, err := N.load[N.V](\"x\", %q, \"z\")\nfmt.Printf(\"%%+v %%v\\n\", v, err)", pick(g, "y", ""))))
	g.p("%s", t(fmt.Sprintf("var tree *N.Tree[string, int]\nfor i, s := range strings.Fields(%q) { tree = tree.Put(s, i) }\nfor k, v := range tree.All() { if v == %d { break }; fmt.Print(k, v, \" \") }\nfmt.Printf(\"%%T\\n\", tree)", "d b a c f b e a", g.below(9))))
	g.p("%s", t("type M map[string]N.I\nfmt.Println(N.mapv(M{\"a\": 1, \"b\": 2}, func(k string, v N.I) string { return k + v.Show() }))"))
	g.p("%s", t(fmt.Sprintf("fmt.Println(N.wrap(int8(%d), %d))\nfmt.Println(N.wrap[uint8](%d, %d))\nfmt.Println(N.wrap(float32(%d), .5))", a, b, a, b, a)))
	g.p("%s", t("fmt.Printf(\"%+v\\n\", N.newv(func(v *N.V) { v.v = []string{\"o\"} }, func(v *N.V) { v.v = append(v.v, \"p\") }))"))
	g.p("%s", t("f, h := N.show[N.I], N.wrap[int8]\nfmt.Println(f(1))\nx, _, y := h(100, 27)\nfmt.Println(x, y)\nfmt.Printf(\"%T %T\\n\", f, h)"))
}

// keys has structs, arrays and interfaces as keys of maps, and compares them.
func (g *gen) mapKeys() {
	a, b := g.below(5), g.below(5)
	n := g.local("Key", `type NAME struct { A int; B string; C [2]struct{ x, y int8 }; D any }
type NAMEm map[NAME][]NAME`)
	t := func(s string) string { return strings.ReplaceAll(s, "NAME", n) }
	g.p("%s", t(fmt.Sprintf("k := NAME{A: %d, D: [1]int{%d}}\nk2 := k\nk2.C[1].y = %d\nm := NAMEm{k: {k2}, NAME{}: nil}\nm[k2] = append(m[k2], k, k2)\nfmt.Println(len(m), k == k2, m[k2][0] == k, len(m[NAME{D: nil}]))", a, b, g.below(2))))
	g.p("%s", t("_, ok := m[NAME{A: 99}]\ndelete(m, k)\nfmt.Println(ok, len(m), m[k] == nil)\nfmt.Printf(\"%v %+v\\n\", k2, k)"))
	g.p("grid := map[[2]int]rune{{%d, 1}: 'x', {2, %d}: 'y'}\ngrid[[2]int{%d, 1}]++\nfmt.Println(grid, len(grid), string(grid[[...]int{2, %d}]))", a, b, a, b)
	g.p("%s", t("mixed := map[any]int{1: 1, int8(1): 2, 1.0: 3, \"1\": 4, '1': 5, k: 6, [1]NAME{k}: 7, nil: 8, struct{}{}: 9}\nmixed[any(k2)]++\nmixed[[1]NAME{k}] *= 2\nfmt.Println(len(mixed), mixed[1], mixed[int8(1)], mixed[1.0], mixed[rune('1')], mixed[k], mixed[[1]NAME{k}], mixed[nil], mixed[struct{}{}], mixed[k2])"))
	g.p("anon := map[struct{ X, Y int }]string{{1, %d}: \"a\"}\nanon[struct{ X, Y int }{Y: %d}] += \"b\"\nfmt.Println(anon)\nfor k := range anon { delete(anon, k) }\nfmt.Println(len(anon))", a, b)
	g.p("func() {\ndefer func() { fmt.Println(recover()) }()\nmixed[[]int{}] = 1\n}()")
	g.p("nested := map[string]map[int][]string{}\nfor i := range %d { if nested[\"a\"] == nil { nested[\"a\"] = map[int][]string{} }; nested[\"a\"][i%%2] = append(nested[\"a\"][i%%2], fmt.Sprint(i)) }\nfmt.Println(nested, len(nested[\"zz\"][3]))", 1+g.below(5))
	g.p("type cnt struct{ n int; s []int }\nms := map[string]*cnt{\"p\": {}}\nms[\"p\"].n += %d\nms[\"p\"].s = append(ms[\"p\"].s, 1)\nmv := map[string]cnt{\"v\": {n: 1}}\nc := mv[\"v\"]\nc.n = 5\nfmt.Println(*ms[\"p\"], mv, c)", a)
	g.p("clear(mixed)\nfmt.Println(len(mixed), min(%d, %d, 3), max(\"a\", \"b\"), min(2.5, %d))", a, b, a)
}

// matrices has arrays of arrays and slices of them, which are copied or shared.
func (g *gen) matrices() {
	g.p("var m [2][3][2]int\nfor i := range m { for j := range m[i] { m[i][j][1] = i*10 + j + %d } }", g.below(9))
	g.p("c, row, p := m, m[1], &m[1][2]\nrow[0][0] = 5\np[0] = 7\nc[0][0] = [2]int{8, 9}\ns := m[0][:]\ns[1][1] = 77\ns = append(s, [2]int{1, 1})\ns[0][0] = 6\nfmt.Println(m, c, row, s, len(m[0]), m[1] == c[1], c[0] != m[0])")
	g.p("for i, r := range m { m[1][0][0] = 99; fmt.Print(i, r, \" \") }\nfor i, r := range &m { m[1][0][1] = 98; fmt.Print(i, r[0], \" \") }\nfor i := range len(m) { m[i], c[i] = c[i], m[i] }\nfmt.Println(m, c)")
	g.p("t := [...]string{%d: \"x\", 1: \"y\", \"z\"}\nfmt.Println(len(t), t)\nu := [][]int{2: {1, 2}, 0: {3}}\nu[1] = u[2][:1:1]\nu[1] = append(u[1], 5)\nfmt.Println(u, cap(u[2][1:]))", 3+g.below(3))
	g.p("f := func(a [2][2]int, b *[2][2]int) [2][2]int { a[0][0]++; b[1] = a[0]; return a }\nx := [2][2]int{{1, 2}, {3, %d}}\ny := f(x, &x)\nfmt.Println(x, y, f(y, &x)[0], x)", g.below(9))
	g.p("q := make([][]*[2]int, 2)\nfor i := range q { q[i] = append(q[i], &x[i], &y[1]) }\nq[1][1][0] = -1\n*q[0][0] = [2]int{4, 4}\nfmt.Println(x, y, len(q[0]), *q[1][1])")
	g.p("z := [3]struct{ a []int; f func() int }{}\nfor i := range z { z[i].a = append(z[i].a, i); z[i].f = func() int { return len(z[i].a) + i } }\nw := z\nw[1].a[0] = 50\nw[2].a = nil\nfmt.Println(z[1].a, z[2].a, w[2].f(), z[0].f())")
}

// aliasing appends and copies among slices that share an array.
func (g *gen) aliasing() {
	n := 3 + g.below(4)
	g.p("base := make([]int, %d, %d)\nfor i := range base { base[i] = i }", n, n+g.below(4))
	g.p("a, b, c := base[:2], base[1:3:3], base[2:]\na = append(a, 100)\nb = append(b, 200)\nc = append(c, 300)\nb[0] = -1\nfmt.Println(base, a, b, c, len(base[:cap(a)]) == cap(a), cap(b) > 2)")
	g.p("fmt.Println(copy(base[1:], base), base, copy(base, []int{9}), base, copy(base[:0], base))\nbs := []byte(\"hello\")\nfmt.Println(copy(bs[2:], \"XYZW\"))\nfmt.Println(string(bs))\nbs2 := append(bs[:1], \"abc\"...)\nfmt.Println(string(bs), string(bs2))")
	g.p("base = append(base[:1], base[2:]...)\nbase = append(base, base...)\nbase = slices.Insert(base, 1, base[0], 44)\nfmt.Println(base, slices.Delete(slices.Clone(base), 0, 2))")
	g.p("type S struct{ v []int; arr [2]int }\ns1 := S{v: base[:2], arr: [2]int{1, 2}}\ns2 := s1\ns2.v[0], s2.arr[0] = 55, 66\nps := &s1\nps.v = append(ps.v[:1], 77)\nfmt.Println(s1, s2, base[:3])")
	g.p("var st []int\npush := func(xs ...int) { st = append(st, xs...) }\npop := func() int { x := st[len(st)-1]; st = st[:len(st)-1]; return x }\npush(1, 2, 3)\nx, y := pop(), pop()\npush(x, y)\npush(st...)\nfmt.Println(st, x, y)")
	g.p("i := 0\ni, st[i] = 1, 9\nst[0], st[1], i = st[1], st[0], i+1\nfmt.Println(st, i)\narr := [...]int{1, 2, 3}\nsl := arr[:]\narr2 := [3]int(sl)\nparr := (*[2]int)(sl)\nsl[0] = 8\nparr[1] = 7\nclear(sl[2:])\nfmt.Println(arr, arr2, *parr, sl)")
}

// verbs prints values of all kinds by verbs with flags.
func (g *gen) verbs() {
	flag := pick(g, "", "+", "-", "#", " ", "0", "+#", "-0")
	width := pick(g, "", "6", "12", ".2", "8.3", "*")
	n := g.local("Fm", `type NAME struct { A int; b string; c []float64; D *int; e map[string]bool; f any; g error; H [2]byte }
type NAMEg struct{ n int }
func (x NAMEg) Format(s fmt.State, verb rune) { w, ok := s.Width(); fmt.Fprintf(s, "<%c %d %v %v>", verb, w, ok, s.Flag('+')) }
type NAMEs struct{ NAMEg2; k int }
type NAMEg2 struct{ s string }
func (x NAMEg2) GoString() string { return "go(" + x.s + ")" }
type NAMEe int
func (e NAMEe) Error() string { return "E" + strconv.Itoa(int(e)) }`)
	g.p("vals := []any{%d, -7, uint8(200), 'x', %g, -0.0, 1e21, float32(.1), 2+3i, true, \"a\\n\\xffé\", []byte(\"hi\"), []int{1, -2}, [2]bool{true}, nil, []string{\"p q\", \"r\"}, map[string]int{\"b\": 2, \"a\": 1}, error(nil), struct{}{}, []any{1, \"s\", nil}, %s{A: 1, b: \"b\", c: []float64{1.5}, e: map[string]bool{\"k\": true}, f: 'c', g: %se(4)}, %sg{1}, %ss{%sg2{\"z\"}, 2}, %se(3), []%se{5}, [][]int{{1}, {}}}",
		g.below(1000), float64(g.below(1000))/8, n, n, n, n, n, n, n)
	star := ""
	if width == "*" {
		star = "7, "
	}
	for range 4 {
		verb := pick(g, "v", "d", "s", "q", "x", "X", "t", "f", "e", "g", "b", "o", "c", "U", "T", "O", "z")
		g.p("for _, v := range vals { fmt.Printf(\"%%%s%s%s|\", %sv) }\nfmt.Println()", flag, width, verb, star)
	}
	g.p("for _, v := range vals { fmt.Printf(\"%%+v %%#v %%T|\", v, v, v) }\nfmt.Println()")
	g.p("fmt.Printf(\"%%[3]*.[2]*[1]f|%%d %%d|%%!|%%[5]d|%%-5t|\\n\", 12.0, 2, 6)\nfmt.Println(fmt.Sprint(\"a\", 1, 2, \"b\", \"c\", 3.0, nil, nil), fmt.Sprintln(1, \"x\"))")
}

// switches has all forms: fallthrough, init statements, no tag, duplicate results, and types of several at once.
func (g *gen) switches() {
	n := g.local("Sw", `type NAME interface{ M() int }
type NAMEa int
func (a NAMEa) M() int { return int(a) }
type NAMEb struct{ NAMEa; s string }
type NAMEc = NAMEb
type NAMEd []int
func (d *NAMEd) M() int { return len(*d) }
func NAMEx[T any](x T) string { switch v := any(x).(type) { case int, string: return fmt.Sprintf("%T %v", v, v); case []T: return "slice of T"; case interface{ M() int }: return fmt.Sprint("M", v.M()); case nil: return "nil"; case func(T) T: return "func"; case error: return v.Error() }; return "other" }`)
	t := func(s string) string { return strings.ReplaceAll(s, "NAME", n) }
	g.p("%s", t("d := NAMEd{1, 2}\nfor i, x := range []any{1, NAMEa(2), NAMEb{3, \"b\"}, &NAMEb{4, \"p\"}, d, &d, nil, \"s\", 2.5, []NAMEa{1}, NAMEc{}, error(nil), errors.New(\"e\"), [1]NAMEa{}, map[NAMEa]int{}, func() {}, make(chan NAMEa)} {"))
	g.p("%s", t("switch y := x.(type) {\ncase int, float64: fmt.Println(i, \"number\", y)\ncase *NAMEb: y.s += \"!\"; fmt.Println(i, \"*b\", y.M(), y.s)\ncase NAMEb: fmt.Println(i, \"b\", y.NAMEa, y)\ncase NAME: fmt.Printf(\"%d M %T %d\\n\", i, y, y.M())\ncase []NAMEa, [1]NAMEa: fmt.Printf(\"%d %T\\n\", i, y)\ncase map[NAMEa]int: fmt.Println(i, \"map\", len(y))\ncase chan NAMEa, func(): fmt.Println(i, y != nil)\ncase nil: fmt.Println(i, \"nil\", y)\ncase fmt.Stringer, error: fmt.Println(i, y)\ndefault: fmt.Printf(\"%d default %T\\n\", i, y)\n}\n}"))
	g.p("%s", t("fmt.Println(NAMEx(1), NAMEx(\"s\"), NAMEx(NAMEa(3)), NAMEx(NAMEb{}), NAMEx(any(nil)), NAMEx(errors.New(\"x\")), NAMEx(&d), NAMEx([]int{}))"))
	g.p("for i := range 6 {\nswitch k := (i + %d) %% 6; {\ncase k == 0: fmt.Print(\"zero \"); fallthrough\ncase k == 1: fmt.Print(\"one \")\ncase k > 3: if k == 5 { break }; fmt.Print(\"big \"); fallthrough\ndefault: fmt.Print(\"rest \")\ncase k == 2:\n}\nswitch i { case 1, 2, %d: fmt.Print(\"s\"); default: continue; case 0: }\nfmt.Println(i)\n}", g.below(6), 3+g.below(3))
	g.p("%s", t("var m NAME = NAMEa(4)\nswitch m { case NAMEa(4): fmt.Println(\"a4\"); case nil: }\nswitch x := any(m); x { case 4: fmt.Println(\"int\"); case NAMEa(4): fmt.Println(\"typed\") }\nswitch s := \"b\"; s + \"c\" { case \"bc\": fmt.Println(s); case \"x\": }"))
}

// shadows declares names anew in inner scopes, predeclared ones too.
func (g *gen) shadows() {
	g.p("x, err := %d, error(nil)\nif x, err := strconv.Atoi(%q); err != nil { fmt.Println(\"in\", x, err) } else if y := x * 2; y > 10 { x := y; x++; fmt.Println(x) } else { fmt.Println(x, y) }\nfmt.Println(x, err)", g.below(9), pick(g, "3", "30", "z"))
	g.p("{\nlen := func(s string) int { return 42 }\nint := 3\ntrue := false\nnil := 0\nfmt.Println(len(\"a\"), int, true, nil)\nstring := \"str\"\nfmt.Println(string)\n}")
	g.p("for x := x; x < 12; x++ { x := x * 2; if x > 20 { break }; _ = x }\nfunc(x int) { x++; { x := \"s\"; _ = x }; fmt.Println(x) }(x)\nx, z := x+1, x\nfmt.Println(x, z)")
	g.p("type T struct{ T int }\n{\ntype T []int\nfmt.Printf(\"%%T %%v\\n\", T{1}, T{2})\n}\nfmt.Printf(\"%%v\\n\", T{5})\n{\nfmt := 3\n_ = fmt\n}")
}

// results has deferred functions that change named results, in loops, methods and closures.
func (g *gen) results() {
	g.p("f := func(n int) (a int, b []string, err error) {\ndefer func() { a *= 2; b = append(b, fmt.Sprint(\"d\", a)) }()\nfor i := range n { defer func() { a += i; b = append(b, \"l\") }(); if i == %d { return i, nil, errors.New(\"early\") } }\nif n > 3 { a := 100; b = append(b, \"in\"); return a, b, nil }\ndefer func() { if r := recover(); r != nil { err = fmt.Errorf(\"r: %%v\", r); a = -a } }()\nif n == 2 { panic(\"two\") }\na, b = 7, []string{\"x\"}\nreturn\n}\nfor i := range 6 { fmt.Println(f(i)) }", 1+g.below(4))
	g.p("var rec func(n int) (s string)\nrec = func(n int) (s string) { defer func() { s += fmt.Sprint(n) }(); if n == 0 { return \"end\" }; s = rec(n-1); return s + \",\" }\nfmt.Println(rec(%d))", g.below(5))
	g.p("h := func() (x int, p *int) { p = &x; defer func() { *p += 5 }(); x = 1; return 10, p }\nx, p := h()\nfmt.Println(x, *p)\nk := func() (r any) { defer func() { r = recover() }(); var m map[string][]int; m[\"a\"] = append(m[\"a\"], 1); return 1 }\nfmt.Println(k())")
	g.p("two := func() (int, string) { return %d, \"t\" }\ntake := func(n int, ss ...string) string { return fmt.Sprint(n, ss) }\nfmt.Println(take(two()), take(1), take(2, []string{}...))\nfunc() { defer fmt.Println(two()); defer func(a int, b string) { trace(fmt.Sprint(a, b)) }(two()) }()", g.below(9))
	g.p("o := func() (err error) {\ndefer func() {\nif e, ok := recover().(error); ok { err = errors.Join(err, e) }\n}()\nerr = errors.New(\"set\")\nxs := []int{}\n_ = xs[len(xs)]\nreturn nil\n}\nfmt.Println(o())")
}

// channels has channels of channels, of functions and of structs, and loops of labelled selects.
func (g *gen) channels() {
	n := 2 + g.below(3)
	g.p("type req struct { n int; reply chan<- string }\nreqs := make(chan req)\ndone := make(chan struct{})\ngo func() { defer close(done); for r := range reqs { r.reply <- fmt.Sprint(\"r\", r.n*r.n); if r.n %% 2 == 0 { close(r.reply) } } }()")
	g.p("for i := range %d {\nc := make(chan string, 2)\nreqs <- req{i, c}\ns, ok := <-c\nfmt.Print(s, ok, len(c), cap(c), \" \")\nif i %% 2 == 0 { s, ok = <-c; fmt.Print(s == \"\", ok, \" \") }\n}\nclose(reqs)\n<-done\nfmt.Println()", n)
	g.p("work := make(chan func() int, %d)\nfor i := range %d { work <- func() int { return i * 3 } }\nclose(work)\nt := 0\nfor f := range work { t += f() }\nfmt.Println(t)", n, n)
	g.p("a, b, stop := make(chan int), make(chan [2]int, 1), make(chan bool)\nvar got []string\ngo func() { for i := range %d { a <- i }; stop <- true }()\nloop:\nfor round := 0; ; round++ {\nvar out chan<- [2]int\nif round == 1 { out = b }\nselect {\ncase i := <-a:\nif i == 1 { continue loop }\ngot = append(got, fmt.Sprint(\"a\", i))\ncase out <- [2]int{round, round}:\nround--\nout = nil\nif len(b) == 1 { <-b; round = 100 }\ncase ok := <-stop:\ngot = append(got, fmt.Sprint(ok))\nbreak loop\n}\n}\nfmt.Println(got)", n)
	g.p("var nilc chan int\nsel := func(c chan int, v int) (r string) {\ndefer func() { if e := recover(); e != nil { r = fmt.Sprint(e) } }()\nselect {\ncase c <- v: return \"sent\"\ncase x, ok := <-nilc: return fmt.Sprint(x, ok)\ndefault: return \"none\"\n}\n}\nc1 := make(chan int, 1)\nfmt.Println(sel(nilc, 1), sel(c1, 2), sel(c1, 3))\nclose(c1)\nfmt.Println(sel(c1, 4), <-c1, len(c1))\nx, ok := <-c1\nfmt.Println(x, ok)")
	g.p("src := func(n int) <-chan int { c := make(chan int); go func() { defer close(c); for i := range n { c <- i } }(); return c }\nsq := func(in <-chan int) <-chan int { c := make(chan int); go func() { for x := range in { c <- x * x }; close(c) }(); return c }\nfor x := range sq(sq(src(%d))) { fmt.Print(x, \" \") }\nfmt.Println()", n)
}
