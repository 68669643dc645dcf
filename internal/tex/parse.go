package tex

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Error says what in a formula is not understood.
type Error struct {
	Formula string
	What    string
}

// Error returns the message, with the formula.
func (e *Error) Error() string {
	formula := []rune(e.Formula)
	if len(formula) > 60 {
		formula = append(formula[:59], '…')
	}
	return fmt.Sprintf("formula $%s$: %s", string(formula), e.What)
}

// Macros are the commands that a text defines by \newcommand. Formulas parsed with the same value share them.
type Macros struct {
	known map[string]macro
}

// Limits that no formula of a person reaches.
const (
	deepest    = 200
	expansions = 2000
	longest    = 1 << 20
)

// Parse parses a formula, without the dollar signs around it. The macros may be nil. The error is an *Error.
func Parse(formula string, macros *Macros) (row Row, err error) {
	if macros == nil {
		macros = &Macros{}
	}
	p := &parser{rest: strings.TrimSpace(formula), macros: macros}
	defer func() {
		if what := recover(); what != nil {
			problem, ok := what.(problem)
			if !ok {
				panic(what)
			}
			row, err = nil, &Error{strings.TrimSpace(formula), string(problem)}
		}
	}()
	for _, r := range formula {
		if unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF || r == utf8.RuneError {
			p.fail("the character %U has no place in a formula", r)
		}
	}
	row = p.row()
	switch {
	case p.rest == "":
	case p.rest[0] == '}':
		p.fail("a } without its {")
	case p.rest[0] == '&' || strings.HasPrefix(p.rest, `\\`):
		p.fail("& and \\\\ need an environment such as aligned or matrix")
	default:
		p.fail("%s without what opens it", p.peekCommand())
	}
	return row, nil
}

// A problem is panicked with and caught by Parse.
type problem string

type parser struct {
	rest     string
	alphabet alphabet
	macros   *Macros
	depth    int
	expanded int
}

func (p *parser) fail(format string, args ...any) { panic(problem(fmt.Sprintf(format, args...))) }

// skip drops white space and comments, which end with their line.
func (p *parser) skip() {
	for {
		p.rest = strings.TrimLeftFunc(p.rest, unicode.IsSpace)
		if !strings.HasPrefix(p.rest, "%") {
			return
		}
		_, after, found := strings.Cut(p.rest, "\n")
		if !found {
			p.fail(`%% begins a comment; a percent sign is \%%`)
		}
		p.rest = after
	}
}

// peekCommand returns the command that comes next, with its backslash, or "".
func (p *parser) peekCommand() string {
	if len(p.rest) < 2 || p.rest[0] != '\\' {
		return ""
	}
	n := 1
	for n < len(p.rest) && isLetter(p.rest[n]) {
		n++
	}
	if n == 1 {
		_, size := utf8.DecodeRuneInString(p.rest[1:])
		n += size
	}
	return p.rest[:n]
}

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }

// enter counts how deep parts are nested. The function that it returns leaves again.
func (p *parser) enter() (leave func()) {
	if p.depth++; p.depth > deepest {
		p.fail("its parts are nested more than %d deep", deepest)
	}
	return func() { p.depth-- }
}

// row parses up to what ends a group: }, &, \\, \right, \end, or the end.
func (p *parser) row() Row {
	defer p.enter()()
	saved := p.alphabet
	defer func() { p.alphabet = saved }()
	var out Row
	for {
		p.skip()
		if p.rest == "" || p.rest[0] == '}' || p.rest[0] == '&' {
			return out
		}
		switch c := p.peekCommand(); c {
		case `\\`, `\cr`, `\right`, `\end`:
			return out
		case `\displaystyle`, `\textstyle`:
			p.rest = p.rest[len(c):]
			style := Text
			if c == `\displaystyle` {
				style = Display
			}
			return append(out, Styled{p.row(), style})
		case `\limits`, `\nolimits`:
			p.fail("%s stands after a large operator", c)
		}
		if n := p.item(); n != nil {
			out = append(out, n)
		}
	}
}

// item parses one part with its scripts; nil for what leaves nothing, such as a definition.
func (p *parser) item() Node {
	var base Node
	if p.rest[0] != '^' && p.rest[0] != '_' && p.rest[0] != '\'' {
		base = p.atom()
		if base == nil {
			return nil
		}
	}
	return p.scripts(base)
}

// scripts parses the scripts and primes after a base.
func (p *parser) scripts(base Node) Node {
	s := Scripts{Base: base}
	if b, ok := base.(Accent); ok && b.Wide && (b.Mark == '⏞' || b.Mark == '⏟') {
		s.Stacked = true
	}
	var primes Row
	for {
		p.skip()
		switch c := p.peekCommand(); {
		case c == `\limits` || c == `\nolimits`:
			b, ok := s.Base.(Symbol)
			if !ok || b.Class != Op {
				p.fail("%s stands after a large operator", c)
			}
			p.rest = p.rest[len(c):]
			b.Limits = false
			s.Base, s.Stacked = b, c == `\limits`
		case strings.HasPrefix(p.rest, "'"):
			if s.Sup != nil {
				p.fail("a prime after a superscript; write the superscript as ^{\\prime ...}")
			}
			primes = append(primes, Symbol{Text: "′"})
			p.rest = p.rest[1:]
		case strings.HasPrefix(p.rest, "^"):
			if s.Sup != nil {
				p.fail("two superscripts; use braces to say which belongs to which")
			}
			s.Sup = p.script()
		case strings.HasPrefix(p.rest, "_"):
			if s.Sub != nil {
				p.fail("two subscripts; use braces to say which belongs to which")
			}
			s.Sub = p.script()
		default:
			if primes != nil && s.Sup != nil {
				s.Sup = append(primes, s.Sup)
			} else if primes != nil {
				s.Sup = primes
			}
			if s.Sub == nil && s.Sup == nil {
				return s.Base
			}
			return s
		}
	}
}

func (p *parser) script() Node {
	sign := p.rest[:1]
	p.rest = p.rest[1:]
	p.skip()
	if p.rest == "" || p.rest[0] == '}' || p.rest[0] == '^' || p.rest[0] == '_' {
		p.fail("nothing after %s", sign)
	}
	return p.argument(sign)
}

// argument parses a group in braces or one part.
func (p *parser) argument(of string) Node {
	p.skip()
	if p.rest == "" || p.rest[0] == '}' || p.rest[0] == '&' {
		p.fail("%s wants something after it", of)
	}
	if p.rest[0] >= '0' && p.rest[0] <= '9' { // of \frac12 the 1
		s := p.alphabet.letter(rune(p.rest[0]), false)
		p.rest = p.rest[1:]
		return s
	}
	for range expansions {
		if n := p.atom(); n != nil {
			return n
		}
		p.skip()
		if p.rest == "" {
			break
		}
	}
	p.fail("%s wants something after it", of)
	return nil
}

// group parses what is in braces.
func (p *parser) group() Row {
	p.rest = p.rest[1:]
	r := p.row()
	if p.rest == "" || p.rest[0] != '}' {
		p.fail("a { without its }")
	}
	p.rest = p.rest[1:]
	return r
}

// atom parses one part without its scripts.
func (p *parser) atom() Node {
	defer p.enter()()
	r, n := utf8.DecodeRuneInString(p.rest)
	switch {
	case r == '\\':
		return p.command()
	case r == '{':
		r := p.group()
		if len(r) == 1 {
			if _, symbol := r[0].(Symbol); symbol {
				return Classed{r[0], Ord}
			}
		}
		return r
	case r >= '0' && r <= '9' || r == '.' && len(p.rest) > 1 && p.rest[1] >= '0' && p.rest[1] <= '9':
		return p.number()
	case r == '~':
		p.rest = p.rest[n:]
		return Space(.25)
	case r == '$' || r == '#':
		p.fail(`a %c in a formula is written \%c`, r, r)
	}
	p.rest = p.rest[n:]
	if s, ok := characters()[string(r)]; ok {
		return s
	}
	return p.alphabet.letter(r, unicode.IsLetter(r))
}

// number parses digits with points between them.
func (p *parser) number() Node {
	n := 0
	for n < len(p.rest) && (p.rest[n] >= '0' && p.rest[n] <= '9' || p.rest[n] == '.' && n+1 < len(p.rest) && p.rest[n+1] >= '0' && p.rest[n+1] <= '9') {
		n++
	}
	var text strings.Builder
	var s Symbol
	for _, r := range p.rest[:n] {
		s = p.alphabet.letter(r, false)
		text.WriteString(s.Text)
	}
	p.rest = p.rest[n:]
	s.Text = text.String()
	return s
}

// braced returns the text of an argument in braces, as it is written.
func (p *parser) braced(of string) string {
	p.skip()
	if !strings.HasPrefix(p.rest, "{") {
		p.fail("%s wants its argument in braces", of)
	}
	depth := 0
	for i := 0; i < len(p.rest); i++ {
		switch p.rest[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				s := p.rest[1:i]
				p.rest = p.rest[i+1:]
				return s
			}
		}
	}
	p.fail("a { without its }")
	return ""
}

// optional returns the text of an argument in brackets, and whether there is one.
func (p *parser) optional() (string, bool) {
	p.skip()
	if !strings.HasPrefix(p.rest, "[") {
		return "", false
	}
	depth := 0
	for i := range len(p.rest) {
		switch p.rest[i] {
		case '{':
			depth++
		case '}':
			depth--
		case ']':
			if depth == 0 {
				s := p.rest[1:i]
				p.rest = p.rest[i+1:]
				return s, true
			}
		}
	}
	p.fail("a [ without its ]")
	return "", false
}
