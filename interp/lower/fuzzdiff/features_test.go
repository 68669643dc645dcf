package fuzzdiff

import (
	"fmt"
	"strings"
)

// feature writes one of the patterns that random statements would not find.
func (g *gen) feature() {
	g.setMode()
	pick(g, append(g.patterns(), g.copies, g.sharing, g.panics, g.errorsFeature, g.goroutines, g.selects, g.genericTypes, g.jsonFeature,
		g.sorting, g.conversions, g.unwinding, g.jumps, g.iterators, g.comparisons, g.nils, g.methodsFeature, g.shifts, g.texts)...)()
}

// copies checks that arrays and structs are values.
func (g *gen) copies() {
	t := pick(g, g.named...)
	for range 10 {
		if t.printable() && t.kind != pointer {
			break
		}
		t = pick(g, g.named...)
	}
	if !t.printable() || t.kind == pointer {
		t = g.basicType("int")
	}
	a := g.arrayOf(2, t)
	x := g.typed(a, 2)
	g.p("va := %s\nvb := va\nvc := []%s{va, vb}\nvd := map[string]%s{\"a\": va}\nve := struct{ A, b %s }{va, vb}\nvf := any(va)", x, a.text, a.text, a.text)
	g.p("vp := &va\nvq := &vc[1][0]")
	g.mode = spent
	g.p("va[0] = %s\n(*vp)[1] = %s\n*vq = %s", g.expr(t, 1), g.expr(t, 1), g.expr(t, 1))
	g.p("vg := vc[0]\nvg[1] = %s\nvh := ve\nvh.b[0] = vg[1]\nvi := vd[\"a\"]\nvi[0] = *vq", g.expr(t, 1))
	g.p("for i, e := range va { va[1] = vg[0]; fmt.Printf(\"%%d %%v\\n\", i, e) }")
	g.p("for i, e := range &va { va[1] = *vq; fmt.Printf(\"%%d %%v\\n\", i, e) }")
	g.p("func(x %s) { x[0] = vg[1]; fmt.Printf(\"%%v\\n\", x) }(va)", a.text)
	g.p("fmt.Printf(\"%%v %%v %%v %%v %%+v %%v %%v %%+v %%v\\n\", va, vb, vc, vd, ve, vf, vg, vh, vi)")
}

// sharing checks that slices share their arrays.
func (g *gen) sharing() {
	t := g.basicType(pick(g, "int", "string", "uint8", "float64"))
	n := 4 + g.r.IntN(4)
	g.mode = spent
	g.p("va := make([]%s, %d, %d)\nfor i := range va { va[i] = at(%s, i) }", t.text, n, n+g.r.IntN(3), g.typed(g.sliceOf(t), 2))
	g.p("vb := va[1:3]\nvc := va[2:3:4]\nvb = append(vb, %s)\nvc = append(vc, %s, %s)", g.expr(t, 1), g.expr(t, 1), g.expr(t, 1))
	g.p("vd := append(va[:1], va[2:]...)\nvb[0] = %s", g.expr(t, 0))
	g.p("ve := [][]%s{va, vb, vc}\nve[1][0], ve[0][1] = ve[0][1], ve[2][0]", t.text)
	g.p("fmt.Println(va, vb, vc, vd, ve, len(vc), cap(vb) >= 3, copy(va, va[1:]), va)")
	g.p("i := 1\ni, va[i] = 2, %s\nfmt.Println(i, va)", g.expr(t, 0))
}

// panics lets something panic and looks at the message.
func (g *gen) panics() {
	n := g.expr(g.basicType("int"), 1)
	for range 3 {
		g.mode = spent
		t := g.randomType()
		text := pick(g,
			"xs := []int{1, 2, 3}\ni := "+n+"\nfmt.Println(xs[i])",
			"xs := [4]int{}\ni := "+n+"\nxs[i] = 1",
			"s := \"hello\"\ni := "+n+"\nfmt.Println(s[i])",
			"xs := []int{1, 2, 3}\ni := "+n+"\nfmt.Println(xs[i:2])",
			"xs := []int{1, 2, 3}\ni := "+n+"\nfmt.Println(xs[1:i])",
			"s := \"hello\"\ni := "+n+"\nfmt.Println(s[i:])",
			"xs := []int{1, 2, 3}\ni := "+n+"\nfmt.Println(xs[:1:i])",
			"i := "+n+"\nfmt.Println(len(make([]int, i % 10)), 1)",
			"i := -1\n_ = make(chan int, i)",
			"i, j := 1, 0\nfmt.Println(i / j)",
			"i, j := 1, 0\nfmt.Println(i % j)",
			"var m map[string]int\nm[\"a\"]++",
			"var m map[any]int = map[any]int{}\nm[[]int{1}] = 1",
			"m := map[any]int{}\nfmt.Println(m[func() {}])",
			"var p *Pair[int, string]\nfmt.Println(p.Val)",
			"var p *Pair[int, string]\np.Set(\"a\")",
			"var e error\nfmt.Println(e.Error())",
			"var f func(int) int\nfmt.Println(f(1))",
			"var x any = "+g.typed(g.printableType(), 1)+"\nfmt.Println(x.("+g.concrete().text+"))",
			"var x any\nfmt.Println(x.("+g.concrete().text+"))",
			"var x any = "+g.typed(g.printableType(), 1)+"\nfmt.Println(x.("+pick(g, g.ifaces...).text+") == nil)",
			"var x, y any = []int{1}, []int{1}\nfmt.Println(x == y)",
			"var x, y any = struct{ f func() }{}, struct{ f func() }{}\nfmt.Println(x == y)",
			"panic(fmt.Sprintf(\"%v\", "+g.typed(g.printableType(), 1)+"))",
			"panic("+g.expr(g.basicType("error"), 1)+")",
			"panic("+g.typed(g.concrete(), 1)+")",
			"c := make(chan int)\nclose(c)\nclose(c)",
			"c := make(chan int, 1)\nclose(c)\nc <- 1",
			"var c chan int\nclose(c)",
			"xs := []int{1, 2}\nfmt.Println([4]int(xs))",
			"xs := []int{1, 2}\nfmt.Println(*(*[3]int)(xs))",
			"var np *int\n*np = 1",
			"var a *[3]int\nfor i := range a { trace(fmt.Sprint(i)) }\nfmt.Println(len(a), a[1])",
			"x := "+g.typed(t, 1)+"\n_ = x\npanic(nil)",
			"strings.Repeat(\"x\", -1)",
			"i := uint8(200)\nxs := []int{1}\nfmt.Println(xs[i])",
			"i := -1\nfmt.Println(1 << i)",
		)
		name := g.fresh("panics")
		g.p("try(%q, func() {\n%s\n})", name, text)
	}
}

// concrete is a printable type that is no pointer and no interface.
func (g *gen) concrete() *typ {
	for range 20 {
		t := g.printableType()
		if t.kind != pointer && t.kind != empty && t.kind != failure {
			return t
		}
	}
	return g.basicType("int")
}

func (g *gen) errorsFeature() {
	g.mode = spent
	g.p("base := errors.New(\"base\")\nva := fmt.Errorf(\"a: %%w\", base)\nvb := error(nil)")
	if len(g.errs) > 0 {
		t := pick(g, g.errs...)
		if !t.has(g.sigs[5]) {
			t = g.pointerTo(t)
		}
		g.p("vb = %s", g.typed(t, 2))
		g.p("var target %s\nfmt.Println(errors.As(fmt.Errorf(\"x: %%w\", errors.Join(va, vb)), &target), errors.As(va, &target))", t.text)
		g.p("fmt.Printf(\"%%T\\n\", target)")
		if t.kind != pointer && t.printable() {
			g.p("fmt.Printf(\"%%v %%+v\\n\", vb, target)")
		}
		if t.strict() {
			g.p("fmt.Println(errors.Is(fmt.Errorf(\"y: %%w\", vb), vb), vb == error(target))")
		}
		if t.kind == pointer {
			g.p("vb = va")
		}
	}
	g.p("vc := errors.Join(va, vb, nil)\nfmt.Println(errors.Is(vc, base), errors.Is(va, vc), errors.Unwrap(va) == base, vc)")
	g.p("var pe *strconv.NumError\n_, err := strconv.Atoi(%q)\nif errors.As(err, &pe) { fmt.Println(pe.Func, pe.Num, err) }", pick(g, "12", "x", "99999999999999999999"))
}

func (g *gen) goroutines() {
	t := g.concrete()
	g.mode = spent
	n := 1 + g.r.IntN(5)
	switch g.r.IntN(3) {
	case 0:
		g.p("in, out := make(chan %s, %d), make(chan Pair[int, %s])", t.text, g.r.IntN(3), t.text)
		g.p("go func() { defer close(in); for range %d { in <- %s } }()", n, g.expr(t, 1))
		g.p("go func() { defer close(out); i := 0; for x := range in { out <- pair(i, x); i++ } }()")
		g.p("for p := range out { fmt.Printf(\"%%v %%+v\\n\", p.Key, p.Val) }\nx, ok := <-out\nfmt.Println(x, ok)")
	case 1:
		g.p("var wg sync.WaitGroup\nvar mu sync.Mutex\nvs := make([]%s, %d)\ntotal := 0", t.text, n)
		g.p("for i := range vs {\nwg.Add(1)\ngo func() { defer wg.Done(); vs[i] = %s; mu.Lock(); total += i; mu.Unlock() }()\n}", g.expr(t, 1))
		g.p("wg.Wait()\nfmt.Println(vs, total)")
	case 2:
		g.p("var wg sync.WaitGroup\nfails := make(chan any, %d)", n)
		g.p("for i := range %d {\nwg.Go(func() {\ndefer func() { fails <- recover() }()\nif i %% 2 == 1 { panic(fmt.Sprint(\"worker \", 1)) }\n})\n}", n)
		g.p("wg.Wait()\nclose(fails)\nfailed := 0\nfor f := range fails { if f != nil { failed++; fmt.Println(f) } }\nfmt.Println(failed)")
	}
}

func (g *gen) selects() {
	t := g.basicType(pick(g, "int", "string"))
	g.mode = spent
	g.p("a, b, quit := make(chan %s, 3), make(chan %s), make(chan struct{})", t.text, t.text)
	g.p("go func() { for range 3 { b <- %s }; close(quit) }()", g.expr(t, 1))
	g.p("a <- %s\nna, nb := 0, 0\nloop:\nfor {\nselect {\ncase x, ok := <-a:\nna++\nif !ok { a = nil; break }\n_ = x\ncase x := <-b:\nnb++\n_ = x\ncase <-quit:\nbreak loop\n}\n}", g.expr(t, 1))
	g.p("fmt.Println(na <= 1, nb)")
	g.p("var none chan %s\nselect {\ncase v := <-none:\nfmt.Println(v)\ndefault:\nfmt.Println(\"default\")\n}", t.text)
	g.p("full := make(chan %s, 1)\nfor range 2 {\nselect {\ncase full <- %s:\nfmt.Println(\"sent\")\ndefault:\nfmt.Println(\"full\", len(full), cap(full))\n}\n}", t.text, g.expr(t, 1))
}

func (g *gen) genericTypes() {
	t := g.concrete()
	k := pick(g, g.keyable...)
	g.mode = spent
	g.p("s := &Stack[%s]{}\ns.Push(%s).Push()", t.text, g.exprs([]*typ{t, t}, 1))
	g.p("for i, x := range s.All() { if i > 1 { break }; fmt.Printf(\"%%d %%v %%T\\n\", i, x, x) }")
	g.p("x, ok := s.Pop()\nfmt.Println(x, ok, s.Len(), s.log)\nfmt.Printf(\"%%T %%T\\n\", s, *s)")
	g.p("var l List[%s]\nl.Add(%s)\nl.Add(%s)\nfor x := range l.Each { fmt.Printf(\"%%+v\\n\", x) }", t.text, g.expr(t, 1), g.expr(t, 1))
	g.p("set := Set[%s]{}.With(%s)\nfmt.Println(len(set), set.Has(%s))", k.text, g.exprs([]*typ{k, k}, 0), g.expr(k, 0))
	g.p("p := pair(%s, %s)\nold := p.Set(%s)\nfmt.Println(p, old)\nfmt.Printf(\"%%T %%+v\\n\", p, &p)", g.typed(k, 0), g.typed(t, 1), g.expr(t, 1))
	g.p("var y any = p\nswitch z := y.(type) {\ncase Pair[%s, string]:\nfmt.Println(\"string\", z.Val)\ncase Pair[%s, %s]:\nfmt.Println(\"right\", z.Key)\n}", k.text, k.text, orOther(t))
	g.p("fs := apply([]int{1, 2}, func(i int) func() Pair[int, %s] { return func() Pair[int, %s] { return pair(i, %s) } })\nfor _, f := range fs { fmt.Println(f()) }", t.text, t.text, g.typed(t, 0))
}

// orOther is the type's text, or another one where it is string.
func orOther(t *typ) string {
	if t.text == "string" {
		return "int"
	}
	return t.text
}

func (g *gen) jsonFeature() {
	t := g.concrete()
	if strings.Contains(t.text, "complex") {
		t = g.basicType("int")
	}
	g.mode = spent
	g.p("va := %s\nb, err := json.Marshal(va)\nfmt.Println(string(b), err)", g.typed(t, 2))
	g.p("var vb %s\nif err == nil { err = json.Unmarshal(b, &vb); fmt.Printf(\"%%+v %%v\\n\", vb, err) }", t.text)
	g.p("b, err = json.MarshalIndent(map[string]any{\"x\": va, \"a\": []any{nil, 1.5}}, \"\", \" \")\nfmt.Println(string(b), err)")
}

func (g *gen) sorting() {
	t := g.basicType(pick(g, "int", "string", "float64", "uint8"))
	g.mode = spent
	g.p("va := %s\nslices.Sort(va)\nfmt.Println(va, slices.Contains(va, %s), slices.Index(va, %s))", g.typed(g.sliceOf(t), 2), g.expr(t, 0), g.expr(t, 0))
	g.p("vb := byFirst{{3, 1}, {1, 2}, {%d, 3}}\nsort.Sort(vb)\nsort.Stable(sort.Reverse(vb))\nfmt.Println(vb)", g.r.IntN(5))
	u := g.concrete()
	g.p("vc := []Pair[%s, %s]{{%s}, {%s}, {%s}}", t.text, u.text, g.exprs([]*typ{t, u}, 1), g.exprs([]*typ{t, u}, 1), g.exprs([]*typ{t, u}, 1))
	g.p("sort.SliceStable(vc, func(i, j int) bool { return vc[i].Key < vc[j].Key })\nfmt.Println(vc)")
	g.p("slices.SortStableFunc(vc, func(a, b Pair[%s, %s]) int { return cmp.Compare(b.Key, a.Key) })\nfmt.Println(vc)", t.text, u.text)
	g.p("m := map[%s]%s{}\nfor _, p := range vc { m[p.Key] = p.Val }\nfmt.Println(m, len(keys(m)) == len(m))", t.text, u.text)
}

// conversions goes through all integers.
func (g *gen) conversions() {
	g.mode = spent
	all := []string{"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64"}
	for range 4 {
		from, to := g.basicType(pick(g, all...)), g.basicType(pick(g, all...))
		x := g.fresh("v")
		g.p("%s := %s\nfmt.Println(%s, %s(%s), float32(%s), -%s, ^%s, %s*%s, %s(%s)<<3>>1, %s+%s(%s))", x, g.typed(from, 2), x, to.text, x, x, x, x, x, x,
			to.text, x, x, from.text, to.text+"("+x+")")
	}
	s := g.fresh("v")
	g.p("%s := %s\nfmt.Println([]byte(%s), []rune(%s), len(%s), len([]rune(%s)), string([]rune(%s)), strings.ToValidUTF8(%s, \"?\"))",
		s, g.typed(g.basicType("string"), 2), s, s, s, s, s, s)
	g.p("fmt.Printf(\"%%q %%x %%v\\n\", %s, %s, []byte(%s))", s, s, s)
}

// unwinding nests panics, recovers and deferred calls.
func (g *gen) unwinding() {
	g.mode = spent
	t := g.concrete()
	g.p("f := func(n int) (r %s, err error) {", t.text)
	g.p("defer func() {\nif x := recover(); x != nil { err = fmt.Errorf(\"recovered %%v\", x); trace(\"outer\") }\n}()")
	switch g.r.IntN(4) {
	case 0:
		g.p("defer func() { panic(fmt.Sprint(\"second \", recover())) }()")
	case 1:
		g.p("defer func() { defer func() { recover() }(); panic(\"inner\") }()")
	case 2:
		g.p("for i := range n { defer func(j int) { r = %s; trace(fmt.Sprint(i, j)) }(i * 2) }", g.expr(t, 1))
	case 3:
		g.p("defer func() { func() { trace(fmt.Sprint(recover())) }() }()")
	}
	g.p("if n > 1 { panic(%s) }", pick(g, `"first"`, g.expr(g.basicType("error"), 1), g.typed(t, 1)))
	g.p("return %s, nil\n}", g.expr(t, 1))
	g.p("for i := range 4 { r, err := f(i); fmt.Printf(\"%%v %%v\\n\", r, err) }")
}

// jumps uses goto.
func (g *gen) jumps() {
	g.p("i, n := 0, %d\nagain:\ni++\nif i < n { trace(fmt.Sprint(i)); goto again }\nif n > 3 { goto end }\nfmt.Println(\"no end\", i)\nend:\nfmt.Println(i, n)", g.r.IntN(6))
	g.p("outer:\nfor a := range 3 {\nfor b := 0; ; b++ {\nswitch {\ncase b == 1: continue\ncase b > a+1: continue outer\ncase a == %d: break outer\n}\nfmt.Println(a, b)\n}\n}", g.r.IntN(4))
}

func (g *gen) iterators() {
	g.mode = spent
	t := g.concrete()
	g.p("next, stop := iter.Pull(count(%d))\nx, ok := next()\nfmt.Println(x, ok)\nx, ok = next()\nfmt.Println(x, ok)\nstop()\nfmt.Println(next())", g.r.IntN(4))
	g.p("gen := func(yield func(int, %s) bool) {\nfor i := range 4 {\nif !yield(i, %s) { trace(\"stopped\"); return }\n}\n}", t.text, g.expr(t, 1))
	g.p("find := func(n int) (at int, v %s) {\ndefer func() { at *= 10 }()\nfor i, x := range gen {\nif i == n { return i + 1, x }\nfor j := range count(3) { if j == n { trace(\"inner\"); break } }\n}\nreturn -1, v\n}", t.text)
	g.p("for i := range 3 { at, v := find(i * 2); fmt.Println(at, v) }")
	g.p("out:\nfor i := range gen {\nfor j := range count(3) {\nif j > i { continue out }\nif i == %d { break out }\ndefer trace(fmt.Sprint(\"d\", i, j))\n}\n}", 1+g.r.IntN(3))
}

func (g *gen) comparisons() {
	g.mode = spent
	for range 4 {
		t, u := g.randomType(), g.randomType()
		if !t.strict() || !u.strict() || t.kind == contract || u.kind == contract {
			continue
		}
		x, y := g.fresh("v"), g.fresh("v")
		g.p("%s, %s := %s, %s\nfmt.Println(%s == %s, any(%s) == any(%s), any(%s) == any(%s), any(%s) != nil)", x, y, g.typed(t, 2), g.typed(t, 2), x, y, x, y, x, g.typed(u, 1), x)
		if t.kind != pointer {
			g.p("fmt.Println(len(map[any]int{%s: 1}), map[any]string{any(%s): \"here\"}[%s])", x, x, y)
		}
	}
}

func (g *gen) nils() {
	g.mode = spent
	e := g.fresh("e")
	g.p("var va []int\nvar vb map[string]int\nvar vc any\nvar %s error\nvar vp *Pair[int, string]\nvc = vp", e)
	g.p("fmt.Println(va == nil, vb == nil, vc == nil, %s == nil, vp == nil, len(va), vb[\"x\"], va, vb, %s)", e, e)
	g.p("fmt.Printf(\"%%T %%v %%+v %%T\\n\", vc, vp, va, %s)\nfor range va { fmt.Println(1) }\nfor k := range vb { fmt.Println(k) }\ndelete(vb, \"a\")", e)
	if len(g.errs) > 0 {
		t := pick(g, g.errs...)
		g.p("var np *%s\n_ = np\nfmt.Println(np == nil)", t.text)
		if g.pointerTo(t).has(g.sigs[5]) {
			g.p("%s = np\nfmt.Println(%s == nil, %s != nil)\nfmt.Printf(\"%%T\\n\", %s)", e, e, e, e)
		}
	}
}

// methodsFeature calls methods in all ways that there are.
func (g *gen) methodsFeature() {
	g.mode = spent
	for _, t := range g.named {
		if t.kind == contract {
			continue
		}
		x := g.fresh("v")
		g.p("%s := %s\n_ = %s", x, g.typed(t, 2), x)
		for _, m := range t.members() {
			if m.method == nil || m.through {
				continue
			}
			args := g.exprs(m.method.sig.params, 1)
			g.p("fmt.Println(%s.%s(%s))", x, m.name, args)
			f := g.fresh("f")
			g.p("%s := %s.%s\nfmt.Println(%s(%s))", f, x, m.name, f, args)
			g.p("fmt.Println((*%s).%s(%s))", t.text, m.name, strings.TrimSuffix("&"+x+", "+args, ", "))
			for _, i := range g.ifaces {
				if len(i.methods) == 1 && g.pointerTo(t).has(i.methods[0]) && i.methods[0].name == m.name {
					g.p("fmt.Println(%s(&%s).%s(%s))", i.text, x, m.name, args)
				}
			}
		}
		if t.printable() {
			g.p("fmt.Printf(\"%%v %%+v %%s|%%d\\n\", %s, %s, %s, []any{%s})", x, x, x, x)
		}
	}
}

func (g *gen) shifts() {
	g.mode = spent
	for range 1 + g.r.IntN(4) {
		t := g.basicType(pick(g, "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint32", "uint64"))
		x, s := g.fresh("v"), g.fresh("s")
		g.p("%s, %s := %s, %s", x, s, g.typed(t, 1), conversion(g.basicType(pick(g, "int", "uint8", "uint64")), fmt.Sprint(g.r.IntN(80))))
		g.p("fmt.Println(%s<<%s, %s>>%s, %s<<3, %s>>1, 1<<%s == %s, %s(1)<<%s)", x, s, x, s, x, x, s, x, t.text, s)
		f := g.fresh("f")
		g.p("var %s float64 = float64(int(1)<<(%s%%30)) + 0.5\nfmt.Println(%s, %s&^1, %s|%s^%s)", f, s, f, x, x, x, x)
	}
}

func (g *gen) texts() {
	g.mode = spent
	s := g.basicType("string")
	g.p("va := %s\nfor i, r := range va { fmt.Print(i, \":\", r, \" \") }\nfmt.Println(len(va))", g.typed(s, 3))
	g.p("vb := []byte(va)\nif len(vb) > 0 { vb[0] = 'X' }\nfmt.Println(string(vb), va, strings.Fields(va), strings.Split(va, \"l\"))")
	g.p("var sb strings.Builder\nfor i := range 3 { fmt.Fprintf(&sb, \"%%d-%%v;\", i, %s) }\nfmt.Println(sb.String(), sb.Len())", g.typed(g.concrete(), 1))
	g.p("vc := strings.Map(func(r rune) rune { if r > 'h' { return -1 }; return r + 1 }, va)\nfmt.Printf(\"%%q %%x %% x %%+q\\n\", vc, va, va, va)")
	t := g.concrete()
	g.p("fmt.Printf(\"%%[2]v %%[1]T %%!\\n\", %s, 2)\nfmt.Printf(\"%%d %%s\\n\", %s)\nfmt.Printf(\"%%v\\n\", %s, %s)", g.typed(t, 1), g.typed(t, 1), g.typed(t, 1), g.typed(t, 1))
}
