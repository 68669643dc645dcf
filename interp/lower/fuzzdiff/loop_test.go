package fuzzdiff

// loop writes the body of a loop.
func (g *gen) loop(depth int, label string) {
	scope, old := len(g.scope), g.labels
	g.loops++
	if label != "" {
		g.labels = append(append([]string(nil), g.labels...), label)
	}
	g.p("if !step() { break }")
	g.block(depth, 3)
	if label != "" {
		g.mode = spent
		g.p("if %s { %s %s }", g.expr(g.basicType("bool"), 1), pick(g, "break", "continue"), label)
	}
	g.loops--
	g.labels, g.scope = old, g.scope[:scope]
}

func (g *gen) label() string {
	if !g.chance(25) {
		return ""
	}
	l := g.fresh("L")
	g.p("%s:", l)
	return l
}

func (g *gen) forStatement(depth int) {
	scope := len(g.scope)
	label := g.label()
	i := &variable{name: g.fresh("i"), typ: g.basicType("int"), fixed: true}
	switch g.r.IntN(4) {
	case 0:
		g.p("for %s := %d; %s > 0; %s -= %d {", i.name, g.r.IntN(5), i.name, i.name, 1+g.r.IntN(2))
	case 1:
		j := g.fresh("j")
		g.p("for %s, %s := 0, %d; %s < %s; %s, %s = %s+1, %s-1 {", i.name, j, g.r.IntN(6), i.name, j, i.name, j, i.name, j)
	case 2:
		g.p("for %s := range %d {\n_ = %s", i.name, g.r.IntN(4), i.name)
	default:
		g.p("for %s := 0; %s < %d; %s++ {", i.name, i.name, g.r.IntN(5), i.name)
	}
	g.scope = append(g.scope, i)
	g.loop(depth, label)
	g.p("}")
	g.scope = g.scope[:scope]
}

func (g *gen) rangeStatement(depth int) {
	scope := len(g.scope)
	k, v := g.fresh("k"), g.fresh("v")
	integer := g.basicType("int")
	over := pick(g, slice, array, text, function, function, mapping)
	label := g.label()
	one := g.chance(25)
	switch over {
	case slice, array:
		t := g.sliceOf(pick(g, g.pool...))
		if over == array {
			t = g.arrayOf(1+g.r.IntN(3), t.elem)
		}
		x := g.typed(t, 2)
		if one {
			g.p("for %s := range %s {", k, x)
		} else {
			g.p("for %s, %s := range %s {\n_ = %s", k, v, x, v)
			g.scope = append(g.scope, &variable{name: v, typ: t.elem})
		}
		g.scope = append(g.scope, &variable{name: k, typ: integer, fixed: true})
	case text:
		s := g.basicType("string")
		g.p("for %s, %s := range %s {\n_ = %s", k, v, g.typed(s, 2), v)
		g.scope = append(g.scope, &variable{name: k, typ: integer, fixed: true}, &variable{name: v, typ: g.basicType("rune")})
	case mapping:
		t := g.mapOf(g.basicType(pick(g, "string", "int")), pick(g, g.pool...))
		m := g.fresh("m")
		// A label must come before its loop.
		x := g.typed(t, 2)
		g.p("for _, %s := range keys(%s) {\n%s := %s; %s := %s[%s]; _, _ = %s, %s", k, x, m, t.text+"(nil)", v, m, k, v, m)
		g.scope = append(g.scope, &variable{name: k, typ: t.key, fixed: true}, &variable{name: v, typ: t.elem})
	default:
		switch g.r.IntN(3) {
		case 0:
			g.p("for %s := range count(%d) {", k, g.r.IntN(5))
		case 1:
			t := g.sliceOf(pick(g, g.pool...))
			g.p("for %s, %s := range slices.%s(%s) {\n_ = %s", k, v, pick(g, "All", "Backward"), g.typed(t, 1), v)
			g.scope = append(g.scope, &variable{name: v, typ: t.elem})
		case 2:
			t := pick(g, g.pool...)
			g.p("for %s, %s := range (&Stack[%s]{}).Push(%s).All() {\n_ = %s", k, v, t.text, g.exprs([]*typ{t, t}, 1), v)
			g.scope = append(g.scope, &variable{name: v, typ: t})
		}
		g.scope = append(g.scope, &variable{name: k, typ: integer, fixed: true})
	}
	g.p("_ = %s", k)
	g.loop(depth, label)
	g.p("}")
	g.scope = g.scope[:scope]
}
