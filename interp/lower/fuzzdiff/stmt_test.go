package fuzzdiff

import (
	"fmt"
	"strings"
)

// stmt writes a statement, which may contain others, up to a depth.
func (g *gen) stmt(depth int) {
	g.setMode()
	n := 20
	if depth <= 0 {
		n = 9
	}
	switch g.r.IntN(n) {
	case 0, 1, 2:
		g.declare()
	case 3, 4:
		g.assign()
	case 5:
		g.print()
	case 6:
		g.update()
	case 7:
		g.callStatement()
	case 8:
		g.grow()
	case 9, 10:
		g.ifStatement(depth)
	case 11, 12:
		g.forStatement(depth)
	case 13, 14:
		g.rangeStatement(depth)
	case 15:
		g.switchStatement(depth)
	case 16:
		g.typeSwitch(depth)
	case 17:
		g.closure()
	case 18:
		g.commaOK(depth)
	case 19:
		g.leave()
	}
}

// block writes statements in a scope of their own.
func (g *gen) block(depth, n int) {
	scope := len(g.scope)
	for range 1 + g.r.IntN(n) {
		g.stmt(depth - 1)
	}
	g.scope = g.scope[:scope]
}

func (g *gen) declare() {
	t := g.randomType()
	if t.kind == contract {
		t = g.basicType("int")
	}
	x := ""
	own := !t.shares() || g.chance(50)
	if own {
		x = g.literal(t, 2)
		if !strings.HasPrefix(x, t.text) && !strings.HasPrefix(x, "&") {
			own = !t.shares()
		}
	} else {
		x = g.expr(t, 2)
	}
	name := g.fresh("v")
	switch g.r.IntN(3) {
	case 0:
		g.p("%s := %s", name, conversion(t, x))
	case 1:
		g.p("var %s %s = %s", name, t.text, x)
	default:
		if t.kind != pointer && t.kind != function && !hasPointer(t) && !(t.kind == array && hasPointer(t.elem)) && g.chance(40) {
			g.p("var %s %s", name, t.text)
		} else {
			g.p("var %s = %s", name, conversion(t, x))
		}
	}
	g.p("_ = %s", name)
	g.scope = append(g.scope, &variable{name: name, typ: t, own: own, impure: t.kind == function})
}

// assignable chooses a place that may be changed here.
func (g *gen) assignable(ok func(path) bool) (path, bool) {
	var all []path
	own := map[*variable]bool{}
	for i, v := range g.scope {
		own[v] = i >= g.frame.base
	}
	for _, p := range g.paths(2) {
		if !p.assign || p.typ.kind == pointer || p.typ.kind == contract || p.typ.kind == function || !ok(p) {
			continue
		}
		if g.frame.pure && (!own[p.v] || p.shared && !p.v.own) {
			continue
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return path{}, false
	}
	return pick(g, all...), true
}

func (g *gen) assign() {
	p, ok := g.assignable(func(path) bool { return true })
	if !ok {
		g.declare()
		return
	}
	if q, ok := g.assignable(func(q path) bool { return q.typ == p.typ && q.text != p.text }); ok && g.chance(40) {
		switch {
		case strings.HasPrefix(q.text, p.text) || strings.HasPrefix(p.text, q.text) || p.shared || q.shared:
		case g.chance(50):
			g.p("%s, %s = %s, %s", p.text, q.text, q.text, p.text)
			return
		default:
			g.p("%s, %s = %s, %s", p.text, q.text, g.expr(p.typ, 2), g.expr(p.typ, 2))
			return
		}
	}
	g.p("%s = %s", p.text, g.expr(p.typ, 3))
	if p.v != nil && p.text == p.v.name && p.typ.shares() {
		p.v.own = false
	}
}

// update writes an assignment with an operator.
func (g *gen) update() {
	p, ok := g.assignable(func(p path) bool { return p.typ.number() || p.typ.kind == text })
	if !ok {
		g.declare()
		return
	}
	switch {
	case p.typ.kind == text:
		g.p("%s += %s", p.text, g.expr(p.typ, 2))
		g.p("%s = %s", p.text, conversion(p.typ, "clip(string("+p.text+"))"))
	case g.chance(30):
		g.p("%s%s", p.text, pick(g, "++", "--"))
	case p.typ.kind == integer:
		switch g.r.IntN(4) {
		case 0:
			g.p("%s %s %d", p.text, pick(g, "<<=", ">>=", "/=", "%="), 1+g.r.IntN(6))
		case 1:
			g.p("%s %s uint(%s) %% 9", p.text, pick(g, "<<=", ">>="), g.value(g.basicType("int"), 0))
		default:
			g.p("%s %s %s", p.text, pick(g, "+=", "-=", "*=", "&=", "|=", "^=", "&^="), g.expr(p.typ, 2))
		}
	default:
		g.p("%s %s %s", p.text, pick(g, "+=", "-=", "*="), g.expr(p.typ, 2))
	}
}

// grow appends to a slice, sets an entry of a map, or copies.
func (g *gen) grow() {
	p, ok := g.assignable(func(p path) bool { return p.typ.kind == slice || p.typ.kind == mapping })
	if !ok {
		g.declare()
		return
	}
	if g.frame.pure && !p.v.own {
		g.declare()
		return
	}
	switch {
	case p.typ.kind == slice && g.chance(60):
		g.p("if len(%s) < 12 { %s = append(%s, %s) }", p.text, p.text, p.text, g.expr(p.typ.elem, 2))
	case p.typ.kind == slice && g.chance(50):
		g.p("for i := range %s { %s[i] = %s }", p.text, p.text, g.expr(p.typ.elem, 1))
	case p.typ.kind == slice:
		g.p("trace(fmt.Sprint(copy(%s, %s)))", p.text, g.typed(p.typ, 1))
	case g.chance(20):
		g.p("clear(%s)", p.text)
	case p.typ.elem.number() && g.chance(50):
		g.p("if %s != nil { %s[%s] += %s }", p.text, p.text, g.expr(p.typ.key, 0), g.expr(p.typ.elem, 1))
	case g.chance(30):
		g.p("delete(%s, %s)", p.text, g.expr(p.typ.key, 0))
	default:
		g.p("if len(%s) > 0 { %s[%s] = %s }", p.text, p.text, g.expr(p.typ.key, 0), g.expr(p.typ.elem, 2))
	}
}

// print writes values of places and of expressions.
func (g *gen) print() {
	var args []string
	verb := pick(g, "%v", "%+v", "%#v", "%T", "%d", "%q", "%x", "%5v", "%-4v|", "%s", "%t", "%8.3f", "%c", "%U", "%e", "%08b", "%v %[1]T")
	t := g.printableType()
	if verb == "%#v" && (t.kind == pointer || t.kind == failure) {
		verb = "%v"
	}
	for range g.r.IntN(3) {
		p := g.printableType()
		args = append(args, g.typed(p, 2))
	}
	if g.chance(50) {
		g.p("fmt.Println(%s)", strings.Join(append(args, g.typed(t, 2)), ", "))
		return
	}
	x := g.typed(t, 2)
	if t.kind == pointer && strings.ContainsAny(verb, "dxcUeb") || t.kind == failure && verb != "%v" && verb != "%T" && verb != "%s" {
		verb = "%v"
	}
	g.p("fmt.Printf(%q, %s)", verb+"\n", x)
}

// show prints all variables of the innermost function.
func (g *gen) show() {
	g.mode = spent
	for _, v := range g.scope[g.frame.base:] {
		if v.typ.printable() && !v.constant && len(v.name) > 1 && (v.name[0] == 'v' || v.name[0] == 'g') {
			g.p("fmt.Printf(%q, %s)", v.name+" %+v\n", v.name)
		}
	}
}

// callStatement calls something that changes variables, and declares what it returns.
func (g *gen) callStatement() {
	type call struct {
		text    string
		results []*typ
	}
	var all []call
	if !g.frame.pure {
		for _, f := range g.funcs {
			all = append(all, call{f.name + "(" + g.exprs(f.params, 2) + ")", f.results})
		}
	}
	for i, v := range g.scope {
		if v.constant || g.frame.pure && i < g.frame.base {
			continue
		}
		if v.typ.kind == function && v.impure && !g.frame.pure && g.frame.base > 0 {
			all = append(all, call{v.name + "(" + g.exprs(v.typ.params, 1) + ")", v.typ.results})
		}
		for _, m := range v.typ.members() {
			if m.method == nil || m.through || m.method.pointer && (v.fixed || g.frame.pure && !v.own) || g.frame.pure && v.typ.shares() && !v.own {
				continue
			}
			recv := v.name
			if g.chance(10) && v.typ.kind != pointer && v.typ.kind != contract && !m.method.pointer {
				recv = conversion(v.typ, recv)
			}
			args := g.exprs(m.method.sig.params, 2)
			text := recv + "." + m.name + "(" + args + ")"
			if m.depth == 0 && v.typ.named && v.typ.kind != contract && !m.method.pointer && g.chance(15) {
				text = v.typ.text + "." + m.name + "(" + strings.TrimSuffix(recv+", "+args, ", ") + ")" // a method expression
			}
			if g.chance(15) {
				text = "func() " + results(m.method.sig) + "{ f := " + recv + "." + m.name + "; return f(" + args + ") }()" // a method value
			}
			all = append(all, call{text, m.method.sig.results})
		}
	}
	if len(all) == 0 {
		g.declare()
		return
	}
	c := pick(g, all...)
	var names []string
	var vs []*variable
	for _, t := range c.results {
		v := &variable{name: g.fresh("v"), typ: t, impure: t.kind == function}
		names, vs = append(names, v.name), append(vs, v)
	}
	if len(names) == 0 {
		g.p("%s", c.text)
		return
	}
	g.p("%s := %s", strings.Join(names, ", "), c.text)
	for _, v := range vs {
		g.p("_ = %s", v.name)
		// What a function returns may be a nil pointer or function.
		if v.typ.kind != pointer && v.typ.kind != contract && v.typ.kind != function && !hasPointer(v.typ) {
			g.scope = append(g.scope, v)
		}
	}
}

func (g *gen) ifStatement(depth int) {
	scope := len(g.scope)
	if g.chance(30) {
		t := g.basicType(pick(g, "int", "string", "float64"))
		v := g.fresh("v")
		g.p("if %s := %s; %s == %s {", v, conversion(t, g.expr(t, 2)), v, g.expr(t, 1))
		g.scope = append(g.scope, &variable{name: v, typ: t})
	} else {
		g.p("if %s {", g.expr(g.basicType("bool"), 2))
	}
	g.block(depth, 2)
	switch g.r.IntN(3) {
	case 0:
		g.p("} else {")
		g.block(depth, 2)
	case 1:
		g.mode = spent
		g.p("} else if %s {", g.expr(g.basicType("bool"), 2))
		g.block(depth, 2)
	}
	g.p("}")
	g.scope = g.scope[:scope]
}

func (g *gen) switchStatement(depth int) {
	loops := g.loops
	g.loops = 0 // break would leave the switch
	defer func() { g.loops = loops }()
	at := pick(g, "first", "before last", "last", "none")
	ifDefault := func(here string) {
		if here == at {
			g.p("default:")
			g.block(depth, 2)
		}
	}
	if g.chance(40) {
		g.p("switch {")
		ifDefault("first")
		n := 1 + g.r.IntN(3)
		for i := range n {
			if i == n-1 {
				ifDefault("before last")
			}
			g.mode = spent
			g.p("case %s:", g.value(g.basicType("bool"), 2))
			g.block(depth, 2)
		}
	} else {
		t := pick(g, g.keyable...)
		for t.kind == structure || t.kind == boolean || t.kind == array {
			t = pick(g, g.keyable...)
		}
		g.p("switch %s {", conversion(t, g.expr(t, 2)))
		ifDefault("first")
		n := 1 + g.r.IntN(3)
		for i := range n {
			if i == n-1 {
				ifDefault("before last")
			}
			x := fmt.Sprint(i + g.r.IntN(2)*10)
			if t.kind == text {
				x = fmt.Sprintf("%q", x)
			}
			g.p("case %s:", x)
			g.block(depth, 2)
			if i < n-1 && g.chance(20) {
				g.p("fallthrough")
			}
		}
	}
	ifDefault("last")
	g.p("}")
}

func (g *gen) typeSwitch(depth int) {
	loops := g.loops
	g.loops = 0
	defer func() { g.loops = loops }()
	t := g.basicType(pick(g, "any", "any", "error"))
	if g.chance(30) {
		t = pick(g, g.ifaces...)
	}
	v := g.fresh("v")
	g.p("switch %s := %s.(type) {", v, conversion(t, g.expr(t, 2)))
	first := g.chance(30)
	other := fmt.Sprintf("default:\nfmt.Printf(\"other %%T\\n\", %s)", v)
	if first {
		g.p("%s", other)
	}
	seen := map[*typ]bool{}
	for range 1 + g.r.IntN(4) {
		var c *typ
		if t.kind == empty {
			c = g.randomType()
			if g.chance(20) {
				c = pick(g, append(g.ifaces, g.basicType("error"))...)
			}
		} else if len(g.named) > 0 {
			c = pick(g, g.named...)
			if g.chance(50) {
				c = g.pointerTo(c)
			}
			ok := t.kind == failure && c.has(g.sigs[5])
			if t.kind == contract {
				ok = true
				for _, m := range t.methods {
					ok = ok && c.has(m)
				}
			}
			if !ok {
				continue
			}
		}
		if c == nil || c.kind == empty || seen[c] || c.text == "byte" || c.text == "rune" {
			continue
		}
		seen[c] = true
		g.p("case %s:\n_ = %s", c.text, v)
		scope := len(g.scope)
		g.scope = append(g.scope, &variable{name: v, typ: c, impure: true})
		if c.kind == contract || c.kind == failure {
			g.scope = g.scope[:scope]
		}
		g.p("trace(%q)", "case "+c.text)
		if c.printable() {
			g.p("fmt.Printf(\"%%v %%T\\n\", %s, %s)", v, v)
		}
		if c.kind != pointer && c.kind != function && !hasPointer(c) {
			g.block(depth, 2)
		}
		g.scope = g.scope[:scope]
	}
	g.p("case nil:\ntrace(\"nil\")\n_ = %s", v)
	if !first {
		g.p("%s", other)
	}
	g.p("}")
}

// closure declares a function that may change what it captures, or a slice of them.
func (g *gen) closure() {
	if g.frame.pure || g.frame.base == 0 && g.chance(30) {
		g.declare()
		return
	}
	t := g.funcOf([]*typ{pick(g, g.pool...)}, []*typ{g.randomType()})
	if g.chance(40) {
		fs, i := g.fresh("fs"), g.fresh("i")
		g.p("var %s []%s", fs, t.text)
		g.p("for %s := range 3 {", i)
		scope := len(g.scope)
		g.scope = append(g.scope, &variable{name: i, typ: g.basicType("int")})
		g.p("_ = %s", i)
		g.p("%s = append(%s, %s)", fs, fs, g.funcLiteral(t, false))
		g.scope = g.scope[:scope]
		g.p("}")
		r := g.fresh("v")
		g.mode = spent
		g.p("for _, f := range %s {", fs)
		g.p("%s := f(%s)\n_ = %s", r, g.exprs(t.params, 1), r)
		if t.results[0].printable() {
			g.p("fmt.Println(%s)", r)
		}
		g.p("}")
		return
	}
	name := g.fresh("fn")
	g.p("%s := %s", name, g.funcLiteral(t, false))
	for range 1 + g.r.IntN(2) {
		r := g.fresh("v")
		g.mode = spent
		g.p("%s := %s(%s)\n_ = %s", r, name, g.exprs(t.params, 1), r)
		if t.results[0].printable() {
			g.p("fmt.Println(%s)", r)
		}
	}
}

// commaOK writes the two-valued forms.
func (g *gen) commaOK(depth int) {
	x, ok := g.fresh("v"), g.fresh("ok")
	scope := len(g.scope)
	var t *typ
	if g.chance(50) {
		t = g.randomType()
		for t.kind == empty || t.kind == contract || t.kind == failure || t.kind == pointer || t.kind == function || hasPointer(t) {
			t = g.randomType()
		}
		g.p("if %s, %s := %s.(%s); %s {\n_ = %s", x, ok, conversion(g.basicType("any"), g.expr(g.basicType("any"), 2)), t.text, ok, x)
	} else {
		k := pick(g, g.keyable...)
		t = pick(g, g.pool...)
		g.p("if %s, %s := %s[%s]; %s {\n_ = %s", x, ok, conversion(g.mapOf(k, t), g.expr(g.mapOf(k, t), 2)), g.expr(k, 0), ok, x)
	}
	if t.kind != pointer && t.kind != function && !hasPointer(t) {
		g.scope = append(g.scope, &variable{name: x, typ: t})
	}
	g.block(depth, 2)
	g.scope = g.scope[:scope]
	g.p("} else {\ntrace(%q)\n}", "not "+ok)
}

// leave leaves a loop, or the function, on a condition.
func (g *gen) leave() {
	c := g.expr(g.basicType("bool"), 2)
	g.mode = spent
	switch {
	case len(g.labels) > 0 && g.chance(50):
		g.p("if %s { %s %s }", c, pick(g, "break", "continue"), pick(g, g.labels...))
	case g.loops > 0 && g.chance(60):
		g.p("if %s { %s }", c, pick(g, "break", "continue"))
	case len(g.frame.results) > 0 && g.frame.named != nil && g.chance(50):
		g.p("if %s { return }", c)
	case len(g.frame.results) > 0:
		g.p("if %s { return %s }", c, g.exprs(g.frame.results, 1))
	default:
		g.p("if %s { return }", c)
	}
}

// deferred defers something at the start of a function.
func (g *gen) deferred() {
	named := ""
	if len(g.frame.named) > 0 {
		g.mode = spent
		named = fmt.Sprintf("%s = %s\n", g.frame.named[0], g.expr(g.frame.results[0], 1))
	}
	switch g.r.IntN(4) {
	case 0:
		g.p("defer trace(%q)", g.fresh("deferred"))
	case 1:
		g.p("for i := range 2 { defer func() { trace(fmt.Sprint(\"loop\", i)) }() }")
	case 2:
		g.p("defer func() {\nif r := recover(); r != nil {\nreport(%q, r)\n%s}\n}()", g.fresh("recovered"), named)
	default:
		g.p("defer func() {\n%strace(%q)\n}()", named, g.fresh("after"))
	}
}
