package fuzzdiff

import (
	"fmt"
	"strings"
)

type kind int

const (
	integer kind = iota
	float
	complexNumber
	text
	boolean
	slice
	array
	mapping
	pointer
	structure
	function
	empty // any
	failure
	contract // an interface of the program's own
)

// A typ is a type of a generated program. Types of equal text are one *typ.
type typ struct {
	text    string // as the program names it
	kind    kind
	basic   string // the predeclared type under a number, a string or a bool
	under   string // of a declared type: the literal of the underlying type
	elem    *typ
	key     *typ
	n       int
	fields  []field
	params  []*typ
	results []*typ
	methods []*method // declared ones
	named   bool
}

type field struct {
	name     string
	typ      *typ
	embedded bool
	tag      string
}

type method struct {
	name    string
	sig     *typ
	pointer bool // has a pointer receiver
}

// A member is a field or a method that a selector reaches.
type member struct {
	name    string
	typ     *typ // of a field
	method  *method
	through bool // a pointer was passed, which may be nil
	depth   int
}

func (t *typ) number() bool { return t.kind <= complexNumber }

// ordered reports whether < is defined.
func (t *typ) ordered() bool { return t.kind == integer || t.kind == float || t.kind == text }

func (t *typ) comparable() bool {
	switch t.kind {
	case slice, mapping, function:
		return false
	case array:
		return t.elem.comparable()
	case structure:
		for _, f := range t.fields {
			if !f.typ.comparable() {
				return false
			}
		}
	}
	return true
}

// strict reports whether comparing cannot panic.
func (t *typ) strict() bool {
	switch t.kind {
	case empty, failure, contract:
		return false
	case array:
		return t.elem.strict()
	case structure:
		for _, f := range t.fields {
			if !f.typ.strict() {
				return false
			}
		}
	}
	return t.comparable()
}

// printable reports whether fmt prints a value of the type the same each time: it holds no address.
func (t *typ) printable() bool { return t.prints(0) }

func (t *typ) prints(depth int) bool {
	switch t.kind {
	case function, contract:
		return false
	case failure:
		return depth == 0
	case pointer:
		return depth == 0 && t.elem.kind == structure && t.elem.prints(1)
	case slice, array:
		return t.elem.prints(depth + 1)
	case mapping:
		return t.key.prints(depth+1) && t.elem.prints(depth+1)
	case structure:
		for _, f := range t.fields {
			if !f.typ.prints(depth + 1) {
				return false
			}
		}
	}
	return true
}

// shares reports whether a copy of a value can be changed through the original.
func (t *typ) shares() bool {
	switch t.kind {
	case slice, mapping, pointer, function, empty, failure, contract:
		return true
	case array:
		return t.elem.shares()
	case structure:
		for _, f := range t.fields {
			if f.typ.shares() {
				return true
			}
		}
	}
	return false
}

// members are what selectors reach from a value of the type.
func (t *typ) members() []member {
	type level struct {
		typ     *typ
		through bool
	}
	seen := map[string]bool{}
	var out []member
	now := []level{{t, false}}
	if t.kind == pointer {
		now = []level{{t.elem, false}}
	}
	for depth := 0; len(now) > 0 && depth < 4; depth++ {
		var next []level
		count := map[string]int{}
		var here []member
		for _, l := range now {
			for _, m := range l.typ.methods {
				count[m.name]++
				here = append(here, member{name: m.name, method: m, through: l.through, depth: depth})
			}
			if l.typ.kind != structure {
				continue
			}
			for _, f := range l.typ.fields {
				count[f.name]++
				here = append(here, member{name: f.name, typ: f.typ, through: l.through, depth: depth})
				if f.embedded {
					if f.typ.kind == pointer {
						next = append(next, level{f.typ.elem, true})
					} else {
						next = append(next, level{f.typ, l.through})
					}
				}
			}
		}
		for _, m := range here {
			if !seen[m.name] && count[m.name] == 1 {
				out = append(out, m)
			}
		}
		for name := range count {
			seen[name] = true
		}
		now = next
	}
	return out
}

// has reports whether values of the type have the method, with that signature.
func (t *typ) has(want *method) bool {
	for _, m := range t.members() {
		if m.method != nil && m.name == want.name {
			return m.method.sig == want.sig && (!m.method.pointer || t.kind == pointer || m.through)
		}
	}
	return false
}

// The pool of a program's types.

func (g *gen) intern(t typ) *typ {
	if old, ok := g.byText[t.text]; ok {
		return old
	}
	p := new(typ)
	*p = t
	g.byText[t.text] = p
	return p
}

func (g *gen) basicType(name string) *typ {
	t := typ{text: name, basic: name}
	switch {
	case name == "string":
		t.kind = text
	case name == "bool":
		t.kind = boolean
	case strings.HasPrefix(name, "float"):
		t.kind = float
	case strings.HasPrefix(name, "complex"):
		t.kind = complexNumber
	case name == "any":
		t.kind = empty
	case name == "error":
		t.kind = failure
	}
	return g.intern(t)
}

func (g *gen) sliceOf(e *typ) *typ { return g.intern(typ{text: "[]" + e.text, kind: slice, elem: e}) }

func (g *gen) arrayOf(n int, e *typ) *typ {
	return g.intern(typ{text: fmt.Sprintf("[%d]%s", n, e.text), kind: array, n: n, elem: e})
}

func (g *gen) mapOf(k, e *typ) *typ {
	return g.intern(typ{text: "map[" + k.text + "]" + e.text, kind: mapping, key: k, elem: e})
}

func (g *gen) pointerTo(e *typ) *typ {
	return g.intern(typ{text: "*" + e.text, kind: pointer, elem: e})
}

func (g *gen) funcOf(params, results []*typ) *typ {
	s := "func(" + list(params) + ")"
	switch len(results) {
	case 0:
	case 1:
		s += " " + results[0].text
	default:
		s += " (" + list(results) + ")"
	}
	return g.intern(typ{text: s, kind: function, params: params, results: results})
}

func (g *gen) pairOf(k, v *typ) *typ {
	t := g.intern(typ{text: "Pair[" + k.text + ", " + v.text + "]", kind: structure, named: true})
	if t.fields == nil {
		t.fields = []field{{name: "Key", typ: k}, {name: "Val", typ: v}}
		t.methods = []*method{
			{name: "String", sig: g.funcOf(nil, []*typ{g.basicType("string")})},
			{name: "Set", sig: g.funcOf([]*typ{v}, []*typ{v}), pointer: true},
		}
	}
	return t
}

func list(ts []*typ) string {
	var names []string
	for _, t := range ts {
		names = append(names, t.text)
	}
	return strings.Join(names, ", ")
}
