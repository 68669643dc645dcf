package regression

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// A formula is a response and the terms that explain it. A term is a set of variables, bit i for vars[i]; the empty one is
// the intercept.
type formula struct {
	text     string
	response *expr
	vars     []*expr
	terms    []uint64 // by the number of their variables, then in the order in which they were written; the intercept first
}

func (f *formula) intercept() bool { return len(f.terms) > 0 && f.terms[0] == 0 }

// label names a term as R does: its variables in the order of the formula, with colons between them.
func (f *formula) label(term uint64) string {
	var names []string
	for i, v := range f.vars {
		if term>>i&1 != 0 {
			names = append(names, v.String())
		}
	}
	return strings.Join(names, ":")
}

// parseFormula parses a formula such as y ~ a*b + log(x) in Wilkinson and Rogers' notation (1973), as R reads it. columns are
// the names that a dot stands for.
func parseFormula(text string, columns []string) (f *formula, err error) {
	f = &formula{text: strings.Join(strings.Fields(text), " ")}
	p := &parser{text: text, f: f, columns: columns}
	defer func() {
		if bad, ok := recover().(syntaxError); ok {
			err = fmt.Errorf("regression: formula %q: %s", f.text, string(bad))
		} else if bad != "" {
			panic(bad)
		}
	}()
	p.next()
	f.response = p.sum()
	if f.response.op == "." {
		p.fail("the response must be a column, not a dot")
	}
	if f.response.op == "I" {
		f.response = f.response.args[0]
	}
	p.expect("~")
	f.terms = p.terms()
	if p.token != "" {
		p.fail("%s where the formula should end or a + should follow", quoted(p.token))
	}
	for _, v := range f.vars {
		if v.String() == f.response.String() {
			p.fail("%s is on both sides", v)
		}
	}
	slices.SortStableFunc(f.terms, func(a, b uint64) int { return bits.OnesCount64(a) - bits.OnesCount64(b) })
	return f, nil
}

// terms parses sums and differences of products. The intercept is there from the start.
func (p *parser) terms() []uint64 {
	sum := []uint64{0}
	for sign := "+"; ; p.next() {
		if p.token == "-" || p.token == "+" {
			sign = p.token
			p.next()
		}
		switch {
		case p.token == "0" && sign == "+", p.token == "1" && sign == "-":
			p.next()
			sum = without(sum, []uint64{0})
		case p.token == "1" && sign == "+", p.token == "0" && sign == "-":
			p.next()
			sum = union([]uint64{0}, sum)
		case sign == "-":
			sum = without(sum, p.product())
		default:
			sum = union(sum, p.product())
		}
		if p.token != "+" && p.token != "-" {
			return sum
		}
		sign = p.token
	}
}

func (p *parser) product() []uint64 {
	left := p.interaction()
	for p.token == "*" {
		p.next()
		right := p.interaction()
		left = union(union(left, right), cross(left, right))
	}
	if p.token == "/" {
		p.fail("a / between terms is not supported; for a ratio write I(a/b), for b within a write a + a:b")
	}
	return left
}

func (p *parser) interaction() []uint64 {
	left := p.power()
	for p.token == ":" {
		p.next()
		left = cross(left, p.power())
	}
	return left
}

func (p *parser) power() []uint64 {
	base := p.factor()
	if p.token != "^" {
		return base
	}
	p.next()
	n := p.token
	if len(n) != 1 || n[0] < '1' || n[0] > '9' {
		p.fail("after ^ comes the greatest number of variables that interact, such as (a + b)^2")
	}
	p.next()
	if len(base) == 1 {
		p.fail("%s^%s crosses %[1]s with itself, which is %[1]s; for the power write I(%[1]s^%[2]s)", p.f.label(base[0]), n)
	}
	all := base
	for range n[0] - '1' {
		all = union(all, cross(all, base))
	}
	return all
}

// factor parses a variable, or a sum in brackets.
func (p *parser) factor() []uint64 {
	switch {
	case p.token == "(":
		p.next()
		sum := without(p.terms(), []uint64{0})
		p.expect(")")
		return sum
	case p.token == ".":
		p.next()
		var all []uint64
		used := p.f.response.names(nil)
		for _, name := range p.columns {
			if !slices.Contains(used, name) {
				all = append(all, p.variable(&expr{op: "name", name: name}))
			}
		}
		return all
	}
	return []uint64{p.variable(p.atom())}
}

// variable returns the term of a single variable.
func (p *parser) variable(e *expr) uint64 {
	if e.op == "number" {
		p.fail("%s is a number, not a term; for arithmetic write I(...)", e)
	}
	i := slices.IndexFunc(p.f.vars, func(v *expr) bool { return v.String() == e.String() })
	if i < 0 {
		i = len(p.f.vars)
		p.f.vars = append(p.f.vars, e)
	}
	if i > 63 {
		p.fail("there are more than 64 variables")
	}
	return 1 << i
}

func union(a, b []uint64) []uint64 {
	out := slices.Clone(a)
	for _, t := range b {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

func without(a, b []uint64) []uint64 {
	return slices.DeleteFunc(slices.Clone(a), func(t uint64) bool { return slices.Contains(b, t) })
}

func cross(a, b []uint64) []uint64 {
	var out []uint64
	for _, s := range a {
		for _, t := range b {
			out = union(out, []uint64{s | t})
		}
	}
	return out
}
