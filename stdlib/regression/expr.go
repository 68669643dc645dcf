package regression

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gaucho/stdlib/table"
	"gaucho/stdlib/vec"
)

// An expr is arithmetic over columns: a number, the name of a column, an operator or a function.
type expr struct {
	op    string // "number", "name", an operator, or the name of a function
	name  string
	value float64
	args  []*expr
}

// functions of one argument, with what it must be.
var functions = map[string]struct {
	f    func(float64) float64
	must string
}{
	"log":   {vec.Log1, "positive"},
	"log2":  {func(x float64) float64 { return vec.Log1(x) / math.Ln2 }, "positive"},
	"log10": {func(x float64) float64 { return vec.Log1(x) / math.Ln10 }, "positive"},
	"log1p": {vec.Log1p1, "greater than -1"},
	"exp":   {vec.Exp1, "below 709"},
	"sqrt":  {math.Sqrt, "at least 0"},
	"abs":   {math.Abs, "a number"},
	"sin":   {vec.Sin1, "finite"},
	"cos":   {vec.Cos1, "finite"},
	"I":     {func(x float64) float64 { return x }, "finite"},
}

// names appends the names of the columns in an expression.
func (e *expr) names(to []string) []string {
	if e.op == "name" {
		return append(to, e.name)
	}
	for _, a := range e.args {
		to = a.names(to)
	}
	return to
}

// String returns the expression as R writes it.
func (e *expr) String() string {
	switch {
	case e.op == "number":
		return strconv.FormatFloat(e.value, 'g', -1, 64)
	case e.op == "name" && isName(e.name):
		return e.name
	case e.op == "name":
		return "`" + e.name + "`"
	case e.op == "(":
		return "(" + e.args[0].String() + ")"
	case e.op == "^" || e.op == "/":
		return e.args[0].String() + e.op + e.args[1].String()
	case len(e.args) == 2:
		return e.args[0].String() + " " + e.op + " " + e.args[1].String()
	case e.op == "-":
		return "-" + e.args[0].String()
	}
	return e.op + "(" + e.args[0].String() + ")"
}

// eval returns the value of an expression in every row, NaN where one of its columns has none. It is an error if the value
// of another row is not finite.
func (e *expr) eval(t *table.Table) ([]float64, error) {
	switch e.op {
	case "number":
		x := make([]float64, t.Len())
		vec.Fill(x, e.value)
		return x, nil
	case "name":
		return numbersOf(t, e.name)
	case "factor":
		return nil, fmt.Errorf("regression: %s is inside arithmetic, must be a term of its own", e)
	}
	var args [2][]float64
	for k, a := range e.args {
		var err error
		if args[k], err = a.eval(t); err != nil {
			return nil, err
		}
	}
	out := make([]float64, t.Len())
	for i := range out {
		x, y := args[0][i], 0.0
		if args[1] != nil {
			y = args[1][i]
		}
		out[i] = e.apply(x, y)
		if math.IsNaN(x) || math.IsNaN(y) {
			out[i] = math.NaN()
		} else if bad := out[i]; math.IsNaN(bad) || math.IsInf(bad, 0) {
			return nil, fmt.Errorf("regression: %s in row %d: %s", e, i, e.wrong(x, y))
		}
	}
	return out, nil
}

func (e *expr) apply(x, y float64) float64 {
	switch {
	case len(e.args) == 1 && e.op == "-":
		return -x
	case e.op == "(":
		return x
	case e.op == "+":
		return x + y
	case e.op == "-":
		return x - y
	case e.op == "*":
		return x * y
	case e.op == "/":
		return x / y
	case e.op == "^" && y == 2:
		return x * x
	case e.op == "^":
		return vec.Pow1(x, y)
	}
	return functions[e.op].f(x)
}

// wrong says why there is no finite value.
func (e *expr) wrong(x, y float64) string {
	if len(e.args) == 2 {
		return fmt.Sprintf("%g %s %g is not a finite number", x, e.op, y)
	}
	return fmt.Sprintf("%s of %g, must be %s", e.op, x, functions[e.op].must)
}

// A parser reads a formula token by token.
type parser struct {
	f       *formula
	known   map[string]rune // variables by how they are written
	columns []string
	text    string // the rest
	token   string // "" at the end
}

type syntaxError string

func (p *parser) fail(format string, args ...any) { panic(syntaxError(fmt.Sprintf(format, args...))) }

func quoted(token string) string {
	if token == "" {
		return "the end"
	}
	return strconv.Quote(token)
}

func (p *parser) expect(token string) {
	if p.token != token {
		p.fail("%s where %s is expected", quoted(p.token), quoted(token))
	}
	p.next()
}

// next reads the next token: a name, one in backquotes, a number, or a sign.
func (p *parser) next() {
	p.text = strings.TrimLeft(p.text, " \t\n")
	end := 0
	switch first, size := utf8.DecodeRuneInString(p.text); {
	case p.text == "":
	case first == '`':
		end = strings.IndexByte(p.text[1:], '`') + 2
		if end == 1 {
			p.fail("a backquote is opened and never closed")
		}
	case first >= '0' && first <= '9':
		end = number(p.text)
	case first == '.' && len(p.text) > 1 && p.text[1] >= '0' && p.text[1] <= '9':
		end = number(p.text)
	case isLetter(first):
		end = strings.IndexFunc(p.text, func(r rune) bool { return !isLetter(r) && !unicode.IsDigit(r) })
		if end < 0 {
			end = len(p.text)
		}
	case strings.ContainsRune("~+-*/:^(),", first):
		end = 1
	default:
		p.fail("%q is not part of a formula; put a name that has it in backquotes", p.text[:size])
	}
	p.token, p.text = p.text[:end], p.text[end:]
}

// number returns the length of the number that a text begins with.
func number(s string) int {
	end := len(s)
	for end > 1 {
		if _, err := strconv.ParseFloat(s[:end], 64); err == nil && !strings.ContainsAny(s[:end], "xXpP_ ") {
			break
		}
		end--
	}
	return end
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || r == '_' || r == '.' }

func isName(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return isLetter(first) && strings.IndexFunc(s, func(r rune) bool { return !isLetter(r) && !unicode.IsDigit(r) }) < 0
}

// sum, quotient, signed and raised parse arithmetic.
func (p *parser) sum() *expr {
	left := p.quotient()
	for p.token == "+" || p.token == "-" {
		left = p.binary(left, p.quotient)
	}
	return left
}

func (p *parser) quotient() *expr {
	left := p.signed()
	for p.token == "*" || p.token == "/" {
		left = p.binary(left, p.signed)
	}
	return left
}

func (p *parser) signed() *expr {
	if p.token == "-" {
		p.next()
		return &expr{op: "-", args: []*expr{p.signed()}}
	}
	return p.raised()
}

func (p *parser) raised() *expr {
	base := p.atom()
	if p.token == "^" {
		return p.binary(base, p.signed)
	}
	return base
}

func (p *parser) binary(left *expr, right func() *expr) *expr {
	op := p.token
	p.next()
	return &expr{op: op, args: []*expr{left, right()}}
}

// atom parses a number, a column, a function or arithmetic in brackets.
func (p *parser) atom() *expr {
	token := p.token
	first, _ := utf8.DecodeRuneInString(token)
	switch {
	case token == "(":
		p.next()
		e := &expr{op: "(", args: []*expr{p.sum()}}
		p.expect(")")
		return e
	case token == "" || strings.ContainsRune("~+-*/:^),", first):
		p.fail("%s where a column is expected", quoted(token))
	case first >= '0' && first <= '9' || first == '.' && len(token) > 1 && token[1] >= '0' && token[1] <= '9':
		p.next()
		x, _ := strconv.ParseFloat(token, 64)
		return &expr{op: "number", value: x}
	}
	p.next()
	if p.token != "(" {
		if token == "." {
			return &expr{op: "."}
		}
		return &expr{op: "name", name: strings.Trim(token, "`")}
	}
	if _, ok := functions[token]; !ok && token != "factor" {
		p.fail("there is no function %s; there are factor, %s%s", token, strings.Join(functionNames(), ", "), hint(token))
	}
	p.next()
	e := &expr{op: token, args: []*expr{p.sum()}}
	if p.token == "," {
		p.fail("%s has one argument", token)
	}
	p.expect(")")
	return e
}

func hint(function string) string {
	switch function {
	case "poly":
		return "; for a polynomial write x + I(x^2)"
	case "C", "as.factor":
		return "; a column of numbers becomes a factor by factor(x)"
	}
	return ""
}

func functionNames() []string {
	var names []string
	for name := range functions {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
