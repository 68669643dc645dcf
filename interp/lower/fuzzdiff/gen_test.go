package fuzzdiff

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"
)

//go:embed prelude.txt
var prelude string

// A Program is a generated program, as declarations in an order in which each can be a cell of its own.
type Program struct {
	Seed    uint64
	Imports string
	Decls   []string // ends with the function Run
}

// Source is the program as one file of a package, which prints when Run is called.
func (p Program) Source(pkg string) string {
	return "package " + pkg + "\n\n" + p.Imports + "\n" + strings.Join(p.Decls, "\n")
}

// Generate makes the program of a seed. It may have errors that the type checker finds: constant overflow, say.
func Generate(seed uint64) Program {
	g := &gen{r: rand.New(rand.NewPCG(seed, 1)), byText: map[string]*typ{}}
	imports, decls, _ := strings.Cut(prelude, ")\n")
	g.program()
	return Program{seed, imports + ")\n", append([]string{decls}, g.decls...)}
}

// A gen is a program being generated.
type gen struct {
	r       *rand.Rand
	byText  map[string]*typ
	decls   []string
	pool    []*typ // types to choose from
	named   []*typ // declared types
	keyable []*typ // types of keys
	ifaces  []*typ
	errs    []*typ // types that are errors
	funcs   []*callable
	sigs    []*method // method names and signatures to choose from
	n       int
	nest    int
	inKey   bool // a key of a map is being written
	quiet   bool // nothing is printed: the body is one that printing calls

	b      *strings.Builder // the body that is being written
	scope  []*variable
	frame  *frame
	mode   mode
	loops  int
	labels []string
}

// A mode says what an expression may do. See the package's documentation.
type mode int

const (
	calls mode = iota // call functions that print
	risk              // panic, once
	spent             // neither any more
)

// A frame is the function or literal whose body is being written.
type frame struct {
	results []*typ
	named   []string // results
	base    int      // the first variable of its own in scope
	pure    bool     // it changes nothing that others see
}

type variable struct {
	name     string
	typ      *typ
	fixed    bool // not to be assigned: a loop counter
	own      bool // nobody else holds what it refers to
	impure   bool // a function that changes what it captured
	constant bool
}

// A callable is a declared function.
type callable struct {
	name    string
	params  []*typ
	results []*typ
	pure    bool
}

func (g *gen) chance(percent int) bool { return g.r.IntN(100) < percent }

func pick[T any](g *gen, list ...T) T { return list[g.r.IntN(len(list))] }

func (g *gen) fresh(prefix string) string {
	g.n++
	return fmt.Sprintf("%s%d", prefix, g.n)
}

func (g *gen) p(format string, args ...any) {
	fmt.Fprintf(g.b, format, args...)
	g.b.WriteByte('\n')
}

func (g *gen) decl(format string, args ...any) {
	g.decls = append(g.decls, fmt.Sprintf(format, args...)+"\n")
}

var basics = []string{"int", "int", "int", "string", "string", "bool", "float64", "float64", "int8", "int16", "int32", "int64",
	"uint", "uint8", "uint16", "uint32", "uint64", "float32", "complex128", "rune", "byte"}

func (g *gen) program() {
	g.n = 0
	for _, b := range basics {
		g.pool = append(g.pool, g.basicType(b))
	}
	for _, b := range []string{"int", "string", "uint8", "bool", "float64"} {
		g.keyable = append(g.keyable, g.basicType(b))
	}
	str, integer := g.basicType("string"), g.basicType("int")
	g.sigs = []*method{
		{name: "Name", sig: g.funcOf(nil, []*typ{str})},
		{name: "Add", sig: g.funcOf([]*typ{integer}, []*typ{integer})},
		{name: "Mix", sig: g.funcOf([]*typ{str, integer}, []*typ{str, pick(g, g.pool...)})},
		{name: "size", sig: g.funcOf(nil, []*typ{g.basicType("float64")})},
		{name: "String", sig: g.funcOf(nil, []*typ{str})},
		{name: "Error", sig: g.funcOf(nil, []*typ{str})},
	}
	g.constants()
	for range 2 {
		g.iface()
	}
	for range 3 + g.r.IntN(4) {
		g.declareType()
	}
	for range 2 {
		g.pool = append(g.pool, g.composite())
	}
	g.globals()
	for range 2 + g.r.IntN(4) {
		g.function()
	}
	g.run()
}

// randomType chooses a type of the pool.
func (g *gen) randomType() *typ {
	if g.chance(15) {
		return g.composite()
	}
	if g.chance(35) && len(g.named) > 0 {
		return pick(g, g.named...)
	}
	return pick(g, g.pool...)
}

func (g *gen) printableType() *typ {
	for range 10 {
		if t := g.randomType(); t.printable() {
			return t
		}
	}
	return g.basicType("int")
}

// composite makes a type of types of the pool.
func (g *gen) composite() *typ {
	e := pick(g, g.pool...)
	if g.chance(40) && len(g.named) > 0 {
		e = pick(g, g.named...)
	}
	switch g.r.IntN(12) {
	case 0, 1, 2:
		return g.sliceOf(e)
	case 3, 4:
		return g.arrayOf(1+g.r.IntN(4), e)
	case 5, 6:
		return g.mapOf(pick(g, g.keyable...), e)
	case 7:
		if len(g.named) > 0 {
			return g.pointerTo(pick(g, g.named...))
		}
	case 8:
		return g.funcOf([]*typ{pick(g, g.pool...)}, []*typ{e})
	case 9:
		return g.basicType("any")
	case 10:
		return g.basicType("error")
	case 11:
		return g.pairOf(pick(g, g.keyable...), e)
	}
	return g.sliceOf(e)
}

func (g *gen) constants() {
	t := g.fresh("Kind")
	g.decl("type %s uint8\n\nconst (\n\t%sA %s = iota + %d\n\t%sB\n\t_\n\t%sC = %sA << iota\n)", t, t, t, g.r.IntN(3), t, t, t)
	if g.chance(60) {
		g.decl("func (k %s) String() string { return \"kind\" + strconv.Itoa(int(k)) }", t)
	}
	k := g.intern(typ{text: t, kind: integer, basic: "uint8", named: true, under: "uint8"})
	g.pool, g.named, g.keyable = append(g.pool, k), append(g.named, k), append(g.keyable, k)
	g.scope = append(g.scope, &variable{name: t + "B", typ: k, fixed: true, constant: true})
	g.decl("const (\n\tbig%s = 1 << 70\n\tthird%s = 1.0 / 3\n)", t, t)
	g.scope = append(g.scope,
		&variable{name: "int(big" + t + " >> 66)", typ: g.basicType("int"), fixed: true, constant: true},
		&variable{name: "float64(third" + t + ")", typ: g.basicType("float64"), fixed: true, constant: true})
}

func (g *gen) iface() {
	name := g.fresh("I")
	perm := g.r.Perm(4)[:1+g.r.IntN(2)]
	t := typ{text: name, kind: contract, named: true}
	var lines []string
	for _, i := range perm {
		t.methods = append(t.methods, g.sigs[i])
		lines = append(lines, "\t"+g.sigs[i].name+strings.TrimPrefix(g.sigs[i].sig.text, "func"))
	}
	g.decl("type %s interface {\n%s\n}", name, strings.Join(lines, "\n"))
	g.ifaces = append(g.ifaces, g.intern(t))
}

// declareType declares a type and methods of it.
func (g *gen) declareType() {
	name := g.fresh("T")
	t := &typ{text: name, named: true}
	g.byText[name] = t
	switch g.r.IntN(10) {
	case 0:
		u := g.basicType(pick(g, basics...))
		t.kind, t.basic, t.under = u.kind, u.basic, u.text
	case 1:
		e := pick(g, g.pool...)
		t.kind, t.elem, t.under = slice, e, "[]"+e.text
	case 2:
		e := pick(g, g.pool...)
		t.kind, t.n, t.elem = array, 2, e
		t.under = "[2]" + e.text
	case 3:
		k, e := pick(g, g.keyable...), pick(g, g.pool...)
		t.kind, t.key, t.elem, t.under = mapping, k, e, "map["+k.text+"]"+e.text
	default:
		g.structType(t)
	}
	g.decl("type %s %s", name, t.under)
	g.named = append(g.named, t)
	g.pool = append(g.pool, t)
	if t.strict() && g.chance(60) {
		g.keyable = append(g.keyable, t)
	}
	for _, i := range g.r.Perm(len(g.sigs))[:g.r.IntN(4)] {
		g.method(t, g.sigs[i])
	}
	if t.has(g.sigs[5]) || g.pointerTo(t).has(g.sigs[5]) {
		g.errs = append(g.errs, t)
	}
}

func (g *gen) structType(t *typ) {
	t.kind = structure
	var lines []string
	add := func(f field) {
		for _, old := range t.fields {
			if old.name == f.name {
				return
			}
		}
		t.fields = append(t.fields, f)
		line := "\t" + f.name + " " + f.typ.text
		if f.embedded {
			line = "\t" + f.typ.text
		}
		if f.tag != "" {
			line += " `" + f.tag + "`"
		}
		lines = append(lines, line)
	}
	for range g.r.IntN(3) {
		if len(g.named) == 0 {
			break
		}
		e := pick(g, g.named...)
		f := field{name: e.text, typ: e, embedded: true}
		if e.kind == structure && g.chance(25) {
			f.typ = g.pointerTo(e)
		}
		add(f)
	}
	for i := range 1 + g.r.IntN(4) {
		f := field{name: pick(g, "A", "B", "c", "d", "E") + pick(g, "", fmt.Sprint(i)), typ: g.randomType()}
		if g.chance(15) && f.name < "a" {
			f.tag = `json:"` + strings.ToLower(f.name) + pick(g, "", ",omitempty", "_x") + `"`
		}
		add(f)
	}
	if g.chance(20) {
		add(field{name: "next", typ: g.pointerTo(t)})
	}
	t.under = "struct {\n" + strings.Join(lines, "\n") + "\n}"
}

// method declares a method.
func (g *gen) method(t *typ, sig *method) {
	for _, f := range t.fields {
		if f.name == sig.name {
			return
		}
	}
	m := &method{name: sig.name, sig: sig.sig, pointer: g.chance(40)}
	recv := &variable{name: "r", typ: t}
	head := "r " + t.text
	if m.pointer {
		recv.typ, head = g.pointerTo(t), "r *"+t.text
	}
	// Printing would call itself.
	quiet := m.name == "String" || m.name == "Error"
	body := g.body(m.sig, []*variable{recv}, !m.pointer || quiet, quiet)
	g.decl("func (%s) %s%s", head, m.name, body)
	t.methods = append(t.methods, m)
}

// body writes the parameters, results and body of a function.
func (g *gen) body(sig *typ, before []*variable, pure, quiet bool) string {
	save, scope, old, loops, labels := g.b, len(g.scope), g.frame, g.loops, g.labels
	g.b, g.loops, g.labels = &strings.Builder{}, 0, nil
	defer func() { g.b, g.scope, g.frame, g.loops, g.labels = save, g.scope[:scope], old, loops, labels }()
	g.frame = &frame{results: sig.results, base: scope, pure: pure}
	g.scope = append(g.scope, before...)
	var params []string
	for i, t := range sig.params {
		name := fmt.Sprintf("p%d_%d", i, g.n)
		params = append(params, name+" "+t.text)
		g.scope = append(g.scope, &variable{name: name, typ: t, impure: t.kind == function})
	}
	g.n++
	var results []string
	naming := g.chance(35)
	for i, t := range sig.results {
		if naming {
			name := fmt.Sprintf("res%d_%d", i, g.n)
			g.frame.named = append(g.frame.named, name)
			g.scope = append(g.scope, &variable{name: name, typ: t, own: true})
			results = append(results, name+" "+t.text)
		} else {
			results = append(results, t.text)
		}
	}
	g.n++
	head := "(" + strings.Join(params, ", ") + ") "
	if len(results) > 0 {
		head += "(" + strings.Join(results, ", ") + ") "
	}
	if quiet {
		g.mode, g.quiet = spent, true
		g.p("return %s", g.exprs(sig.results, 1))
		g.quiet = false
		return head + "{\n" + g.b.String() + "}"
	}
	if len(results) > 0 {
		g.p("if !step() { return %s }", g.zeros(sig.results))
	} else {
		g.p("if !step() { return }")
	}
	if g.chance(15) {
		g.deferred()
	}
	for range 1 + g.r.IntN(3) {
		g.stmt(2)
	}
	g.ret()
	return head + "{\n" + g.b.String() + "}"
}

// ret writes a return, at the end of a body.
func (g *gen) ret() {
	g.setMode()
	switch {
	case len(g.frame.results) == 0:
	case g.frame.named != nil && g.chance(50):
		g.p("return")
	default:
		g.p("return %s", g.exprs(g.frame.results, 2))
	}
}

func (g *gen) setMode() { g.mode = pick(g, calls, calls, risk) }

func (g *gen) function() {
	c := &callable{name: g.fresh("f"), pure: g.chance(70)}
	for range g.r.IntN(3) {
		c.params = append(c.params, g.randomType())
	}
	for range 1 + g.r.IntN(2) {
		c.results = append(c.results, g.randomType())
	}
	variadic := ""
	sig := g.funcOf(c.params, c.results)
	text := g.body(sig, nil, c.pure, false)
	g.decl("func %s%s%s", c.name, variadic, text)
	g.funcs = append(g.funcs, c)
}

// globals declares variables, in an order that is not that of their initialisation.
func (g *gen) globals() {
	a, b := g.fresh("g"), g.fresh("g")
	g.decl("var (\n\t%s = %s + %d\n\t%s = len(%q)\n)", a, b, g.r.IntN(5), b, strings.Repeat("x", g.r.IntN(6)))
	g.scope = append(g.scope, &variable{name: a, typ: g.basicType("int")}, &variable{name: b, typ: g.basicType("int")})
	for range 2 {
		t := g.randomType()
		name := g.fresh("g")
		g.mode = spent
		save := g.b
		g.b = &strings.Builder{}
		g.frame = &frame{base: len(g.scope), pure: true}
		x := g.expr(t, 2)
		g.b = save
		g.decl("var %s %s = %s", name, t.text, x)
		g.scope = append(g.scope, &variable{name: name, typ: t})
	}
}

// run writes the function that does it all, in pieces each of which may panic.
func (g *gen) run() {
	g.b = &strings.Builder{}
	g.frame = &frame{base: 0}
	var tries []string
	for i := range 4 + g.r.IntN(4) {
		name := fmt.Sprintf("part%d", i)
		scope := len(g.scope)
		g.b = &strings.Builder{}
		if g.chance(40) {
			g.feature()
		} else {
			for range 2 + g.r.IntN(4) {
				g.stmt(3)
			}
		}
		g.show()
		g.scope = g.scope[:scope]
		g.decl("func %s() {\n%s}", name, g.b.String())
		tries = append(tries, fmt.Sprintf("\ttry(%q, %s)", name, name))
	}
	g.decl("func Run() {\n%s\n}", strings.Join(tries, "\n"))
}
