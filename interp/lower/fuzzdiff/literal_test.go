package fuzzdiff

import (
	"fmt"
	"strings"
)

var ranges = map[string][]string{
	"int":    {"0", "1", "-1", "2", "3", "7", "-5", "100", "1<<40", "-1<<63", "1<<63 - 1"},
	"int8":   {"0", "1", "-1", "127", "-128", "5", "64"},
	"int16":  {"0", "-3", "300", "32767", "-32768"},
	"int32":  {"0", "65", "-7", "1<<31 - 1", "-1 << 31"},
	"int64":  {"0", "9", "-9", "1<<62", "-1 << 63"},
	"uint":   {"0", "1", "4", "1<<63", "1<<64 - 1"},
	"uint8":  {"0", "1", "200", "255", "65"},
	"uint16": {"0", "2", "65535", "1000"},
	"uint32": {"0", "3", "1<<32 - 1"},
	"uint64": {"0", "6", "1<<64 - 1", "1 << 33"},
	"rune":   {"'a'", "'é'", "'世'", "0", "-1", "0x10ffff", "0xd800"},
	"byte":   {"'x'", "0", "255", "10"},
}

var floats = []string{"0", "1", "-1.5", "0.1", "2.5e10", "1e-3", "3", "1.0/3", "-0.25"}

var texts = []string{`""`, `"a"`, `"hello"`, `"héllo"`, `"世界"`, `"a\xffb"`, `"x y"`, "`raw\\n`", `"\t"`, `"42"`}

// literal is a value written out.
func (g *gen) literal(t *typ, depth int) string {
	g.nest++
	defer func() { g.nest-- }()
	if g.nest > 6 {
		return g.small(t)
	}
	switch t.kind {
	case integer:
		return g.ofType(t, pick(g, ranges[t.basic]...))
	case float:
		return g.ofType(t, pick(g, floats...))
	case complexNumber:
		return g.ofType(t, pick(g, "0", "1i", "2+3i", "-1-0.5i"))
	case text:
		return g.ofType(t, pick(g, texts...))
	case boolean:
		return g.ofType(t, pick(g, "true", "false"))
	case slice:
		if depth <= 0 && g.chance(40) {
			return conversion(t, "nil")
		}
		return t.text + "{" + g.elements(t.elem, g.r.IntN(4), depth) + "}"
	case array:
		if g.chance(20) && t.n > 1 {
			return fmt.Sprintf("%s{%d: %s}", t.text, g.r.IntN(t.n), g.expr(t.elem, depth-1))
		}
		return t.text + "{" + g.elements(t.elem, g.r.IntN(t.n+1), depth) + "}"
	case mapping:
		return g.mapLiteral(t, depth)
	case pointer:
		if t.elem.kind == structure {
			return "&" + g.literal(t.elem, depth)
		}
		return "ptr[" + t.elem.text + "](" + g.expr(t.elem, depth-1) + ")"
	case structure:
		return g.structLiteral(t, depth)
	case function:
		return g.funcLiteral(t, true)
	}
	if depth <= 0 && t.kind != contract {
		return "nil"
	}
	return g.implementation(t, depth)
}

// small is the shortest value of a type.
func (g *gen) small(t *typ) string {
	switch t.kind {
	case slice, mapping, empty, failure, contract:
		return conversion(t, "nil")
	case pointer:
		if t.elem.kind == structure {
			return "&" + t.elem.text + "{}"
		}
		return "ptr[" + t.elem.text + "](" + g.small(t.elem) + ")"
	case function:
		var params []string
		for _, p := range t.params {
			params = append(params, "_ "+p.text)
		}
		var out []string
		for _, r := range t.results {
			out = append(out, g.small(r))
		}
		return "func(" + strings.Join(params, ", ") + ") " + results(t) + "{ return " + strings.Join(out, ", ") + " }"
	case structure, array:
		return t.text + "{}"
	}
	return g.ofType(t, map[kind]string{text: `""`, boolean: "false"}[t.kind]+map[bool]string{true: "0"}[t.number()])
}

func (g *gen) ofType(t *typ, x string) string {
	if t.named || t.text != "int" && t.text != "string" && t.text != "bool" && t.text != "float64" && g.chance(70) {
		return t.text + "(" + x + ")"
	}
	if t.kind == float && !strings.ContainsAny(x, ".e") {
		return x + ".0"
	}
	return "(" + x + ")"
}

func (g *gen) elements(t *typ, n, depth int) string {
	var out []string
	for range n {
		out = append(out, g.expr(t, depth-1))
	}
	return strings.Join(out, ", ")
}

// mapLiteral has keys that differ.
func (g *gen) mapLiteral(t *typ, depth int) string {
	var keys []string
	switch {
	case t.key.kind == integer:
		keys = []string{"1", "2", "7"}
	case t.key.kind == text:
		keys = []string{`"a"`, `"b"`, `"é"`}
	case t.key.kind == float:
		keys = []string{"0.5", "2", "-1"}
	case t.key.kind == boolean:
		keys = []string{"true", "false"}
	default:
		keys = []string{g.key(t.key)}
	}
	var out []string
	for _, k := range keys[:g.r.IntN(len(keys)+1)] {
		out = append(out, k+": "+g.expr(t.elem, depth-1))
	}
	return t.text + "{" + strings.Join(out, ", ") + "}"
}

func (g *gen) structLiteral(t *typ, depth int) string {
	if depth <= 0 && g.chance(50) && !hasPointer(t) {
		return t.text + "{}"
	}
	positional := g.chance(25)
	var out []string
	for _, f := range t.fields {
		x := ""
		switch {
		case f.typ.kind == pointer && f.typ.elem == t:
			x = "nil"
		case f.typ.kind == pointer:
			x = "&" + g.literal(f.typ.elem, depth-1)
			if f.typ.elem.kind != structure {
				x = g.literal(f.typ, depth-1)
			}
		default:
			x = g.expr(f.typ, depth-1)
		}
		if positional {
			out = append(out, x)
		} else if g.chance(75) || f.typ.kind == pointer {
			out = append(out, f.name+": "+x)
		}
	}
	return t.text + "{" + strings.Join(out, ", ") + "}"
}

func hasPointer(t *typ) bool {
	for _, f := range t.fields {
		if f.typ.kind == pointer {
			return true
		}
	}
	return false
}

// funcLiteral is a function literal. A pure one changes nothing of what it captures.
func (g *gen) funcLiteral(t *typ, pure bool) string {
	mode := g.mode
	defer func() { g.mode = mode }()
	if pure && g.chance(50) {
		g.mode = spent
		var params []string
		scope := len(g.scope)
		for _, p := range t.params {
			name := g.fresh("q")
			params = append(params, name+" "+p.text)
			g.scope = append(g.scope, &variable{name: name, typ: p, impure: p.kind == function})
		}
		x := g.exprs(t.results, 1)
		g.scope = g.scope[:scope]
		return "func(" + strings.Join(params, ", ") + ") " + results(t) + "{ return " + x + " }"
	}
	return "func" + g.body(t, nil, pure, false)
}

func results(t *typ) string {
	switch len(t.results) {
	case 0:
		return ""
	case 1:
		return t.results[0].text + " "
	}
	return "(" + list(t.results) + ") "
}
