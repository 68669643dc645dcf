package regression

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A term is a set of variables, each as the rune of its number, ascending; the empty one is the intercept.
type term string

// mostVars keeps the numbers of variables clear of what is no rune.
const mostVars = 0xD800

// union returns the variables that are in one of two terms.
func (t term) union(u term) term {
	all := slices.Concat([]rune(t), []rune(u))
	slices.Sort(all)
	return term(slices.Compact(all))
}

// within reports whether all variables of t are in u.
func (t term) within(u term) bool {
	for _, i := range t {
		if !strings.ContainsRune(string(u), i) {
			return false
		}
	}
	return true
}

// without returns the term without variable i.
func (t term) without(i int) term { return term(strings.Replace(string(t), string(rune(i)), "", 1)) }

// A formula is a response and the terms that explain it.
type formula struct {
	text     string
	response *expr
	vars     []*expr
	terms    []term // by the number of their variables, then in the order in which they were written; the intercept first
}

func (f *formula) intercept() bool { return len(f.terms) > 0 && f.terms[0] == "" }

// label names a term as R does: its variables in the order of the formula, with colons between them.
func (f *formula) label(t term) string {
	var names []string
	for _, i := range t {
		names = append(names, f.vars[i].String())
	}
	return strings.Join(names, ":")
}

// parseFormula parses a formula such as y ~ a*b + log(x) in Wilkinson and Rogers' notation (1973), as R reads it. columns are
// the names that a dot stands for.
func parseFormula(text string, columns []string) (f *formula, err error) {
	f = &formula{text: strings.Join(strings.Fields(text), " ")}
	p := &parser{text: text, f: f, columns: columns, known: map[string]rune{}}
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
	slices.SortStableFunc(f.terms, func(a, b term) int { return utf8.RuneCountInString(string(a)) - utf8.RuneCountInString(string(b)) })
	return f, nil
}

// terms parses sums and differences of products. The intercept is there from the start.
func (p *parser) terms() []term {
	var sum termSet
	sum.add("")
	for sign := "+"; ; p.next() {
		if p.token == "-" || p.token == "+" {
			sign = p.token
			p.next()
		}
		switch {
		case p.token == "0" && sign == "+", p.token == "1" && sign == "-":
			p.next()
			sum.remove("")
		case p.token == "1" && sign == "+", p.token == "0" && sign == "-":
			p.next()
			sum.add("")
		case sign == "-":
			sum.remove(p.product()...)
		default:
			sum.add(p.product()...)
		}
		if p.token != "+" && p.token != "-" {
			return sum.list
		}
		sign = p.token
	}
}

func (p *parser) product() []term {
	left := p.interaction()
	for p.token == "*" {
		p.next()
		right := p.interaction()
		left = union(left, right, cross(left, right))
	}
	if p.token == "/" {
		p.fail("a / between terms is not supported; for a ratio write I(a/b), for b within a write a + a:b")
	}
	return left
}

func (p *parser) interaction() []term {
	left := p.power()
	for p.token == ":" {
		p.next()
		left = cross(left, p.power())
	}
	return left
}

func (p *parser) power() []term {
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
func (p *parser) factor() []term {
	switch {
	case p.token == "(":
		p.next()
		sum := slices.DeleteFunc(p.terms(), func(t term) bool { return t == "" })
		p.expect(")")
		return sum
	case p.token == ".":
		p.next()
		var all []term
		used := p.f.response.names(nil)
		for _, name := range p.columns {
			if !slices.Contains(used, name) {
				all = append(all, p.variable(&expr{op: "name", name: name}))
			}
		}
		return all
	}
	return []term{p.variable(p.atom())}
}

// variable returns the term of a single variable.
func (p *parser) variable(e *expr) term {
	if e.op == "number" {
		p.fail("%s is a number, not a term; for arithmetic write I(...)", e)
	}
	i, ok := p.known[e.String()]
	if !ok {
		i = rune(len(p.f.vars))
		p.f.vars, p.known[e.String()] = append(p.f.vars, e), i
	}
	if i >= mostVars {
		p.fail("there are more than %d variables", mostVars)
	}
	return term(i)
}

// termSet is terms in the order in which they came.
type termSet struct {
	list []term
	in   map[term]bool
}

func (s *termSet) add(terms ...term) {
	if s.in == nil {
		s.in = map[term]bool{}
	}
	for _, t := range terms {
		if !s.in[t] {
			s.in[t] = true
			s.list = append(s.list, t)
		}
	}
}

func (s *termSet) remove(terms ...term) {
	for _, t := range terms {
		delete(s.in, t)
	}
	s.list = slices.DeleteFunc(s.list, func(t term) bool { return !s.in[t] })
}

// union returns the terms of some lists, each once.
func union(lists ...[]term) []term {
	var all termSet
	for _, l := range lists {
		all.add(l...)
	}
	return all.list
}

// cross returns the terms that join one of a and one of b.
func cross(a, b []term) []term {
	var all termSet
	for _, s := range a {
		for _, t := range b {
			all.add(s.union(t))
		}
	}
	return all.list
}
