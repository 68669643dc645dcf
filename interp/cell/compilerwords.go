package cell

import (
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
)

// The Go compiler's parser is not package go/parser: it finds the same mistakes at almost the same places, and has other
// words for them. These are the compiler's.

var (
	foundInstead = regexp.MustCompile(`^expected (.+), found .+$`)
	missingComma = regexp.MustCompile(`^missing ',' (?:before newline )?in (.+)$`)
)

// closing ends the lists that a comma can be missing in.
var closing = map[string]string{"composite literal": "}", "argument list": ")", "parameter list": ")", "type argument list": "]"}

// inCompilersWords puts a syntax error of package go/parser into the words of the compiler, and where these are for another
// place, there. Other errors stay as they are.
func inCompilersWords(src string, e *scanner.Error) Problem {
	p := Problem{Pos: e.Pos, Msg: "syntax error: " + e.Msg}
	r := readTo(src, e.Pos)
	if strings.HasSuffix(e.Msg, "found 'EOF'") {
		r.tok = token.EOF
	}
	if m := missingComma.FindStringSubmatch(e.Msg); m != nil && closing[m[1]] != "" {
		p.Msg = "syntax error: unexpected " + r.found() + " in " + m[1] + "; possibly missing comma or " + closing[m[1]]
		return p
	}
	if m := foundInstead.FindStringSubmatch(e.Msg); m != nil {
		r.expected(&p, m[1])
		return p
	}
	switch {
	case strings.HasPrefix(e.Msg, "illegal character U+"):
		p.Msg = strings.Replace(e.Msg, "illegal", "invalid", 1)
	case e.Msg == "illegal rune literal":
		p.Msg = "more than one character in rune literal"
	case e.Msg == "string literal not terminated":
		p.Msg = "newline in string"
		p.Pos.Column = 1 + len(lineOf(src, e.Pos.Line))
	case e.Msg == "raw string literal not terminated":
		p.Msg = "string not terminated"
	case e.Msg == "comment not terminated":
		p.Msg = e.Msg
	case strings.HasPrefix(e.Msg, "expression in ") && strings.HasSuffix(e.Msg, " must be function call"):
		p.Msg = e.Msg
		if r.called.IsValid() {
			p.Pos.Line, p.Pos.Column = r.called.Line, r.called.Column
		}
	case strings.Contains(e.Msg, "; expecting "):
		p.Msg = strings.Replace(p.Msg, "; expecting ", "; expected ", 1)
	}
	return p
}

func lineOf(src string, n int) string {
	if lines := strings.Split(src, "\n"); n >= 1 && n <= len(lines) {
		return lines[n-1]
	}
	return ""
}

// A reading is what there is before a place of a text, and at it.
type reading struct {
	open   []token.Token // what the braces belong to that are open there: struct, interface, or anything else
	tok    token.Token   // the token at the place
	lit    string
	rest   string         // the text from the place on
	called token.Position // what the last go or defer before it is about
}

// readTo reads a text up to a place.
func readTo(src string, to token.Position) *reading {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, []byte(src), func(token.Position, string) {}, 0)
	r := &reading{tok: token.EOF}
	var last token.Token
	for {
		pos, tok, lit := s.Scan()
		at := fset.Position(pos)
		if last == token.GO || last == token.DEFER {
			r.called = at
		}
		if tok == token.EOF || at.Line > to.Line || at.Line == to.Line && at.Column >= to.Column {
			r.tok, r.lit, r.rest = tok, lit, src[at.Offset:]
			return r
		}
		switch tok {
		case token.LBRACE:
			r.open = append(r.open, last)
		case token.RBRACE:
			if len(r.open) > 0 {
				r.open = r.open[:len(r.open)-1]
			}
		}
		last = tok
	}
}

// found is the token as the compiler names it.
func (r *reading) found() string {
	switch {
	case r.tok == token.IDENT:
		return "name " + r.lit
	case r.tok.IsLiteral():
		return "literal " + r.lit
	case r.tok.IsKeyword():
		return "keyword " + r.lit
	case r.tok == token.COMMA:
		return "comma"
	case r.tok == token.SEMICOLON && r.lit == "\n":
		return "newline"
	case r.tok == token.SEMICOLON:
		return "semicolon"
	}
	return r.tok.String()
}

// expected says that something else was expected than what is there.
func (r *reading) expected(p *Problem, what string) {
	unexpected := "syntax error: unexpected " + r.found()
	list := ""
	if len(r.open) > 0 {
		list = map[token.Token]string{token.STRUCT: "struct type", token.INTERFACE: "interface type"}[r.open[len(r.open)-1]]
	}
	switch {
	case what == "';'" && list != "":
		p.Msg = unexpected + " in " + list + "; possibly missing semicolon or newline or }"
	case what == "';'":
		p.Msg = unexpected + " at end of statement"
	case what == "statement":
		p.Msg = unexpected
		if len(r.open) > 0 {
			p.Msg += ", expected }"
		}
	case what == "operand":
		p.Msg = unexpected + ", expected expression"
	case what == "boolean expression" || what == "switch expression" || what == "for loop condition":
		r.asValue(p)
	case what == "selector or type assertion":
		p.Msg = unexpected + ", expected name or ("
	case what == "'IDENT'":
		p.Msg = unexpected + ", expected name"
	case strings.HasPrefix(what, "'") && what != "'=='" || what == "type":
		p.Msg = unexpected + ", expected " + strings.Trim(what, "'")
	}
}

// asValue says that an assignment is where a value is wanted.
func (r *reading) asValue(p *Problem) {
	line, _, _ := strings.Cut(r.rest, "\n")
	line, _, _ = strings.Cut(line, "{")
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(line))
	var s scanner.Scanner
	s.Init(file, []byte(line), func(token.Position, string) {}, 0)
	for {
		pos, tok, _ := s.Scan()
		if tok == token.EOF {
			return
		}
		if tok != token.ASSIGN && tok != token.DEFINE {
			continue
		}
		at := fset.Position(pos).Offset
		left, right := strings.TrimSpace(line[:at]), strings.TrimSpace(line[at+len(tok.String()):])
		p.Pos.Column += at
		if tok == token.DEFINE {
			p.Msg = "syntax error: cannot use " + left + " := " + right + " as value"
		} else {
			p.Msg = "syntax error: cannot use assignment " + emphasized(left) + " = " + emphasized(right) + " as value"
		}
		return
	}
}

var plainOperand = regexp.MustCompile("^(\\w+|\"[^\"]*\"|[\\d.]+|'[^']+')$")

// emphasized has parentheses around an expression that is no name and no literal, as the compiler shows it.
func emphasized(x string) string {
	if plainOperand.MatchString(x) {
		return x
	}
	return "(" + x + ")"
}
