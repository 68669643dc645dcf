package fuzzdiff

import (
	"fmt"
	"slices"
	"strings"
)

// exprs are expressions of the types, as a list.
func (g *gen) exprs(ts []*typ, depth int) string {
	var out []string
	for _, t := range ts {
		out = append(out, g.expr(t, depth))
	}
	return strings.Join(out, ", ")
}

func (g *gen) zeros(ts []*typ) string {
	var out []string
	for _, t := range ts {
		out = append(out, g.zero(t))
	}
	return strings.Join(out, ", ")
}

func (g *gen) zero(t *typ) string {
	switch t.kind {
	case slice, mapping, function, empty, failure, contract:
		return "nil"
	case pointer:
		return g.literal(t, 1)
	case text:
		return `""`
	case boolean:
		return "false"
	case structure, array:
		return t.text + "{}"
	}
	return "0"
}

// A path is an expression that names a place: a variable or a part of one.
type path struct {
	text     string
	typ      *typ
	v        *variable
	assign   bool // may be on the left of an assignment
	shared   bool // is reached through a slice, a map or a pointer
	mapEntry bool
}

// paths are the places in scope, parts of parts up to a depth.
func (g *gen) paths(depth int) []path {
	var out []path
	for _, v := range g.scope {
		p := path{text: v.name, typ: v.typ, v: v, assign: !v.fixed && !v.constant}
		out = append(out, p)
		if !v.constant {
			out = append(out, g.parts(p, depth)...)
		}
	}
	return out
}

func (g *gen) parts(p path, depth int) []path {
	if depth == 0 {
		return nil
	}
	var out []path
	add := func(q path) {
		q.v = p.v
		out = append(out, q)
		out = append(out, g.parts(q, depth-1)...)
	}
	t := p.typ
	if t.kind == structure || t.kind == pointer && t.elem.kind == structure {
		if t.kind == pointer && p.text != p.v.name {
			return nil // a pointer in a structure may be nil
		}
		for _, m := range t.members() {
			if m.typ != nil && !m.through {
				add(path{text: p.text + "." + m.name, typ: m.typ, assign: (p.assign || t.kind == pointer) && !p.mapEntry, shared: p.shared || t.kind == pointer})
			}
		}
	}
	if t.kind == pointer && p.text == p.v.name {
		add(path{text: "(*" + p.text + ")", typ: t.elem, assign: true, shared: true})
	}
	if t.kind == array {
		add(path{text: fmt.Sprintf("%s[%d]", p.text, g.r.IntN(t.n)), typ: t.elem, assign: p.assign && !p.mapEntry, shared: p.shared})
	}
	if t.kind == mapping && depth > 1 {
		// The entry of a nil map cannot be set; see stmt.go.
		q := path{text: fmt.Sprintf("%s[%s]", p.text, g.key(t.key)), typ: t.elem, mapEntry: true, shared: true}
		q.v = p.v
		out = append(out, q)
	}
	return out
}

// key is a literal that is a key of a map. Its parts may be entries of maps, whose keys are small: keys in keys would not end.
func (g *gen) key(t *typ) string {
	if g.inKey {
		return g.small(t)
	}
	g.inKey = true
	defer func() { g.inKey = false }()
	return g.literal(t, 0)
}

// place chooses a place of a type, "" if there is none.
func (g *gen) place(t *typ) string {
	var all []string
	for _, p := range g.paths(2) {
		if p.typ == t && !(t.kind == pointer && p.text != p.v.name) {
			all = append(all, p.text)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return pick(g, all...)
}

// variableOf chooses a variable for which ok holds.
func (g *gen) variableOf(ok func(*variable) bool) *variable {
	var all []*variable
	for _, v := range g.scope {
		if !v.constant && ok(v) {
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return pick(g, all...)
}

// expr writes an expression of a type.
func (g *gen) expr(t *typ, depth int) string {
	if g.chance(45) || depth <= 0 {
		if p := g.place(t); p != "" {
			return p
		}
	}
	if depth <= 0 {
		return g.literal(t, 0)
	}
	switch g.r.IntN(10) {
	case 0, 1:
		if c := g.call(t, depth); c != "" {
			return c
		}
	case 2:
		if c := g.generic(t, depth); c != "" {
			return c
		}
	case 3:
		if c := g.risky(t, depth); c != "" {
			return c
		}
	case 4, 5, 6:
		if c := g.operation(t, depth); c != "" {
			return c
		}
	}
	return g.literal(t, depth)
}

// value is an expression that is no constant, so that the compiler does not compute it.
func (g *gen) value(t *typ, depth int) string {
	if p := g.place(t); p != "" && g.chance(80) && !strings.HasPrefix(p, "Kind") && !strings.HasPrefix(p, "int(") && !strings.HasPrefix(p, "float64(") {
		return p
	}
	return "id[" + t.text + "](" + g.expr(t, depth-1) + ")"
}

// call is a call of a declared function, or of a method by value, that changes nothing.
func (g *gen) call(t *typ, depth int) string {
	if g.mode != calls {
		return ""
	}
	var all []string
	for _, f := range g.funcs {
		if f.pure && len(f.results) == 1 && f.results[0] == t {
			all = append(all, f.name+"("+g.exprs(f.params, depth-1)+")")
		}
	}
	for _, v := range g.scope {
		if v.typ.kind == contract || v.constant {
			continue
		}
		for _, m := range v.typ.members() {
			if m.method != nil && !m.method.pointer && !m.through && len(m.method.sig.results) == 1 && m.method.sig.results[0] == t {
				all = append(all, v.name+"."+m.name+"("+g.exprs(m.method.sig.params, depth-1)+")")
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	return pick(g, all...)
}

// generic is a call of a generic function of the prelude or of the standard library.
func (g *gen) generic(t *typ, depth int) string {
	switch g.r.IntN(8) {
	case 0:
		return "id(" + g.typed(t, depth-1) + ")"
	case 1:
		return fmt.Sprintf("at(%s, %s)", g.typed(g.sliceOf(t), depth-1), g.expr(g.basicType("int"), 0))
	case 2:
		if t.strict() {
			return "or(" + g.typed(t, depth-1) + ", " + g.typed(t, depth-1) + ")"
		}
	case 3:
		if t.kind == integer || t.kind == float {
			return "sum(" + g.typed(t, 0) + ", " + g.expr(t, depth-1) + ")"
		}
	case 4:
		if t.kind == slice && !t.named {
			from := pick(g, g.pool...)
			x := g.fresh("x")
			return fmt.Sprintf("apply(%s, func(%s %s) %s { return %s })", g.typed(g.sliceOf(from), 1), x, from.text, t.elem.text,
				g.within(&variable{name: x, typ: from}, func() string { return g.expr(t.elem, depth-1) }))
		}
	case 5:
		if t.kind == slice {
			x := g.fresh("x")
			return fmt.Sprintf("filter(%s, func(%s %s) bool { return %s })", g.typed(t, 1), x, t.elem.text,
				g.within(&variable{name: x, typ: t.elem}, func() string { return g.expr(g.basicType("bool"), depth-1) }))
		}
	case 6:
		from := pick(g, g.pool...)
		x, a := g.fresh("x"), g.fresh("a")
		scope := len(g.scope)
		g.scope = append(g.scope, &variable{name: a, typ: t})
		body := g.within(&variable{name: x, typ: from}, func() string { return g.expr(t, depth-1) })
		g.scope = g.scope[:scope]
		return fmt.Sprintf("reduce(%s, %s, func(%s %s, %s %s) %s { return %s })", g.typed(g.sliceOf(from), 1), g.typed(t, 0),
			a, t.text, x, from.text, t.text, body)
	case 7:
		if t.kind == slice && t.elem.ordered() {
			return "slices.Sorted(slices.Values(" + g.typed(t, 1) + "))"
		}
	}
	return ""
}

// within writes something with one more variable in scope, in a literal that changes nothing. The literal does nothing
// that is seen.
func (g *gen) within(v *variable, f func() string) string {
	scope, mode := len(g.scope), g.mode
	defer func() { g.scope, g.mode = g.scope[:scope], mode }()
	g.scope, g.mode = append(g.scope, v), spent
	return f()
}

// typed is an expression whose own type is t, also where it is assigned to nothing.
func (g *gen) typed(t *typ, depth int) string {
	if p := g.place(t); p != "" && g.chance(60) {
		return p
	}
	return conversion(t, g.expr(t, depth))
}

func conversion(t *typ, x string) string {
	if strings.HasPrefix(t.text, "*") || strings.HasPrefix(t.text, "func") {
		return "(" + t.text + ")(" + x + ")"
	}
	return t.text + "(" + x + ")"
}

// risky is an operation that may panic.
func (g *gen) risky(t *typ, depth int) string {
	if g.mode != risk {
		return ""
	}
	g.mode = spent
	integer := g.basicType("int")
	switch g.r.IntN(6) {
	case 0, 1:
		for _, k := range []*typ{g.sliceOf(t), g.arrayOf(3, t)} {
			if p := g.place(k); p != "" {
				return p + "[" + g.value(integer, 1) + "]"
			}
		}
	case 2:
		if t.kind == slice || t.kind == text {
			return "(" + g.value(t, 1) + ")[" + g.value(integer, 1) + pick(g, ":", ":"+g.value(integer, 1)) + "]"
		}
	case 3:
		if t.kind == integer.kind {
			return "(" + g.value(t, 1) + pick(g, " / ", " % ") + g.value(t, 1) + ")"
		}
	case 4:
		if t.kind != empty && t.kind != failure {
			if p := g.place(g.basicType("any")); p != "" {
				return p + ".(" + t.text + ")"
			}
		}
	case 5:
		if t.kind == slice && !t.named {
			return fmt.Sprintf("make(%s, %s %% 5)", t.text, g.value(integer, 1))
		}
		if t.kind == array && !t.named {
			return t.text + "(" + g.typed(g.sliceOf(t.elem), 1) + ")"
		}
	}
	g.mode = risk
	return ""
}

// operation is an operation on values.
func (g *gen) operation(t *typ, depth int) string {
	integer := g.basicType("int")
	switch t.kind {
	case integer.kind:
		return g.integerOperation(t, depth)
	case float:
		switch g.r.IntN(5) {
		case 0:
			return conversion(t, g.value(pick(g, integer, g.basicType("float32"), g.basicType("uint8"), g.basicType("int64")), depth-1))
		case 1:
			return pick(g, "min", "max") + "(" + g.value(t, depth-1) + ", " + g.expr(t, depth-1) + ")"
		default:
			return "(" + g.value(t, depth-1) + pick(g, " + ", " - ", " * ", " / ") + g.value(t, depth-1) + ")"
		}
	case complexNumber:
		if g.chance(30) {
			f := g.basicType("float64")
			return "complex(" + g.value(f, depth-1) + ", " + g.value(f, depth-1) + ")"
		}
		return "(" + g.value(t, depth-1) + pick(g, " + ", " - ", " * ") + g.expr(t, depth-1) + ")"
	case text:
		return g.textOperation(t, depth)
	case boolean:
		return conversion(t, g.condition(depth))
	case slice:
		switch g.r.IntN(4) {
		case 0:
			x := g.value(t, 0)
			return fmt.Sprintf("%s[:len(%s)/2]", x, x)
		case 1:
			return fmt.Sprintf("append(%s, %s)", g.typed(t, 0), g.exprs(slices.Repeat([]*typ{t.elem}, 1+g.r.IntN(2)), depth-1))
		case 2:
			return fmt.Sprintf("append(%s(nil), %s...)", t.text, g.typed(t, depth-1))
		}
	case empty, failure, contract:
		return g.implementation(t, depth)
	}
	return ""
}

func (g *gen) integerOperation(t *typ, depth int) string {
	switch g.r.IntN(12) {
	case 0, 1:
		from := g.basicType(pick(g, "int", "int8", "uint8", "int16", "uint32", "int64", "uint64", "uint", "rune"))
		return conversion(t, g.value(from, depth-1))
	case 2:
		return conversion(t, "clamp("+g.value(g.basicType("float64"), depth-1)+")")
	case 3:
		if v := g.variableOf(func(v *variable) bool { return v.typ.kind == slice || v.typ.kind == mapping || v.typ.kind == text }); v != nil {
			return conversion(t, "len("+v.name+")")
		}
	case 4:
		return fmt.Sprintf("(%s %s (uint(%s) %% %d))", g.value(t, depth-1), pick(g, "<<", ">>"), g.value(g.basicType(pick(g, "int", "uint8", "int16")), depth-1), 3+g.r.IntN(70))
	case 5:
		return fmt.Sprintf("(%s %s %d)", g.value(t, depth-1), pick(g, "/", "%", "<<", ">>"), 1+g.r.IntN(7))
	case 6:
		return "(" + pick(g, "-", "^", "+") + g.value(t, depth-1) + ")"
	case 7:
		return pick(g, "min", "max") + "(" + g.value(t, depth-1) + ", " + g.expr(t, depth-1) + ")"
	}
	return "(" + g.value(t, depth-1) + pick(g, " + ", " - ", " * ", " & ", " | ", " ^ ", " &^ ") + g.expr(t, depth-1) + ")"
}

func (g *gen) textOperation(t *typ, depth int) string {
	switch g.r.IntN(8) {
	case 0:
		if g.quiet {
			return ""
		}
		p := g.printableType()
		return conversion(t, fmt.Sprintf("clip(fmt.Sprintf(%q, %s))", pick(g, "%v", "%+v", "%v|", "%T"), g.typed(p, depth-1)))
	case 1:
		return conversion(t, g.value(g.basicType("rune"), depth-1))
	case 2:
		return conversion(t, g.typed(g.sliceOf(g.basicType(pick(g, "byte", "rune"))), depth-1))
	case 3:
		return conversion(t, "strings."+pick(g, "ToUpper", "ToLower", "TrimSpace")+"(string("+g.value(t, depth-1)+"))")
	case 4:
		return conversion(t, "strconv.Itoa("+g.value(g.basicType("int"), depth-1)+")")
	}
	return conversion(t, "clip(string("+g.value(t, depth-1)+" + "+g.expr(t, depth-1)+"))")
}

// condition is a comparison, or a combination of conditions.
func (g *gen) condition(depth int) string {
	b := g.basicType("bool")
	switch g.r.IntN(7) {
	case 0:
		return "(" + g.value(b, depth-1) + pick(g, " && ", " || ") + g.expr(b, depth-1) + ")"
	case 1:
		return "!" + g.value(b, depth-1)
	case 2:
		e := g.basicType(pick(g, "any", "error"))
		return "(" + g.value(e, depth-1) + pick(g, " == ", " != ") + "nil)"
	case 3:
		if v := g.variableOf(func(v *variable) bool { return v.typ.kind == mapping }); v != nil {
			return fmt.Sprintf("func() bool { _, ok := %s[%s]; return ok }()", v.name, g.expr(v.typ.key, 0))
		}
	case 4:
		for range 5 {
			if t := g.randomType(); t.strict() {
				return "(" + g.value(t, depth-1) + pick(g, " == ", " != ") + g.value(t, depth-1) + ")"
			}
		}
	}
	for {
		if t := g.randomType(); t.ordered() {
			return "(" + g.value(t, depth-1) + pick(g, " < ", " <= ", " > ", " >= ", " == ", " != ") + g.expr(t, depth-1) + ")"
		}
	}
}

// implementation is a value of some type in an interface.
func (g *gen) implementation(t *typ, depth int) string {
	switch t.kind {
	case empty:
		for range 5 {
			if p := g.printableType(); p.kind != pointer && p.kind != empty && p.kind != failure {
				return "any(" + g.typed(p, depth-1) + ")"
			}
		}
		return "any(" + g.literal(g.basicType("int"), 0) + ")"
	case failure:
		if len(g.errs) > 0 && g.chance(60) {
			e := pick(g, g.errs...)
			if e.has(g.sigs[5]) && g.chance(60) {
				return "error(" + g.typed(e, depth-1) + ")"
			}
			return "error(" + g.literal(g.pointerTo(e), depth) + ")"
		}
		if g.chance(40) {
			return fmt.Sprintf("fmt.Errorf(\"%s: %%w\", %s)", g.fresh("w"), g.expr(t, depth-1))
		}
		return fmt.Sprintf("errors.New(%q)", g.fresh("e"))
	}
	var all []*typ
	for _, n := range g.named {
		for _, c := range []*typ{n, g.pointerTo(n)} {
			if !slices.ContainsFunc(t.methods, func(m *method) bool { return !c.has(m) }) {
				all = append(all, c)
			}
		}
	}
	if len(all) == 0 {
		return t.text + "(nil)"
	}
	return t.text + "(" + g.typed(pick(g, all...), depth) + ")"
}
