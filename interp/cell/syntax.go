package cell

import (
	"cmp"
	"fmt"
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
)

// syntaxProblems are syntax errors of a text as problems, in the words of Go's compiler, with hints for what people bring
// along from other languages.
func syntaxProblems(src string, errs []*scanner.Error) []Problem {
	var out []Problem
	for _, e := range errs {
		p, line := inCompilersWords(src, e), lineOf(src, e.Pos.Line)
		switch {
		case e.Msg == "illegal rune literal":
			p.Hint = "A string has double quotes."
		case strings.HasPrefix(e.Msg, "illegal character U+003F") && strings.HasSuffix(strings.TrimSpace(line), "?"):
			p.Hint = strings.TrimSpace(line) + ", which shows documentation, must be a cell of its own."
		case strings.HasPrefix(e.Msg, "illegal character U+003F"):
			p.Hint = "Go has no ?: operator; write an if statement."
		case strings.Contains(e.Msg, "found 'else'"):
			p.Hint = "else must be on the line of the closing brace: } else {"
		case strings.Contains(p.Msg, "newline") && strings.HasPrefix(strings.TrimSpace(lineOf(src, e.Pos.Line+1)), "{"):
			p.Hint = "The opening brace must be on this line."
		default:
			p.Hint = cmp.Or(foreignHint(line), foreignWords(line, p.Pos.Column))
		}
		if len(out) > 0 && isEcho(line, p) {
			continue
		}
		out = append(out, p)
	}
	return out
}

// isEcho reports whether a problem follows from an earlier one: the rest of a statement that was not understood.
func isEcho(line string, p Problem) bool {
	line = strings.TrimSpace(line)
	return p.Hint == "" && (strings.HasPrefix(line, "}") || strings.HasPrefix(line, ")"))
}

// foreignStatements are beginnings of statements of other languages, with what Go has in their place.
var foreignStatements = []struct {
	line *regexp.Regexp
	hint string
}{
	{regexp.MustCompile(`^\s*while\b\s*\(?(.*?)\)?\s*(?:[:{].*)?$`), "Go's while is for: for $1 {"},
	{regexp.MustCompile(`^\s*for\s+(\w+)\s+in\s+range\s*\(len\((\w+)\)\)\s*(?:[:{].*)?$`), "Go writes: for $1 := range $2 {"},
	{regexp.MustCompile(`^\s*for\s*\(?\s*(\w+)\s+in\s+range\s*\((\w+)\)\s*\)?\s*(?:[:{].*)?$`), "Go writes: for $1 := range $2 {"},
	{regexp.MustCompile(`^\s*for\s*\(?\s*(\w+)\s+in\s+range\s*\((\w+),\s*(\w+)\)\s*\)?\s*(?:[:{].*)?$`), "Go writes: for $1 := $2; $1 < $3; $1++ {"},
	{regexp.MustCompile(`^\s*for\s*\(?\s*(\w+)\s+in\s+(\w+):(\w+)\s*\)?\s*(?:[:{].*)?$`), "Go writes: for $1 := $2; $1 <= $3; $1++ {"},
	{regexp.MustCompile(`^\s*for\s*\(?\s*(\w+)\s+in\s+([\w.]+)\s*\)?\s*(?:[:{].*)?$`), "Go writes: for _, $1 := range $2 {"},
	{regexp.MustCompile(`^\s*for\s*\(?\s*(\w+)\s+in\b`), "Go writes: for _, $1 := range xs {"},
	{regexp.MustCompile(`^\s*def\s+(\w+)`), "A function is declared with func and the types of its parameters: func $1(x int) int {"},
	{regexp.MustCompile(`^\s*class\s+(\w+)`), "A type with fields is type $1 struct { }; its methods are declared outside."},
	{regexp.MustCompile(`^\s*elif\b`), "Go writes: } else if"},
	{regexp.MustCompile(`^\s*(try|except)\b`), "Go has no exceptions: a call returns an error, and must(f()) fails the cell with it."},
	{regexp.MustCompile(`^\s*func\s+(\w+)\s*(\([^{]*\S)\s*\{`), "A function inside another one is a value: $1 := func$2 { ... }"},
	{regexp.MustCompile(`^\s*(let|const)\s+(\w+)\s*=`), "Go writes: $2 :="},
}

// foreignHint says what Go has for a line of another language.
func foreignHint(line string) string {
	for _, f := range foreignStatements {
		if m := f.line.FindStringSubmatchIndex(line); m != nil {
			return string(f.line.ExpandString(nil, f.hint, line, m))
		}
	}
	return ""
}

// cutHead finds the end of a line in the head of an if, for or switch statement, as Go's compiler reports it. Such an end is
// an error only if the parser has found one there, or after it.
func cutHead(fset *token.FileSet, text, before string, err *scanner.Error) *scanner.Error {
	src := before + text
	file := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, []byte(src), func(token.Position, string) {}, 0)
	head, depth, semicolons := token.ILLEGAL, 0, 0
	for {
		pos, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			return err
		case token.IF, token.FOR, token.SWITCH:
			if head == token.ILLEGAL {
				head, depth, semicolons = tok, 0, 0
			}
		case token.LPAREN, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACK:
			depth--
		case token.LBRACE:
			if depth == 0 {
				head = token.ILLEGAL
			} else {
				depth++
			}
		case token.RBRACE:
			depth--
		case token.SEMICOLON:
			if head == token.ILLEGAL || depth > 0 {
				continue
			}
			if at := fset.Position(pos); lit == "\n" && (at.Line < err.Pos.Line || at.Line == err.Pos.Line && at.Column <= err.Pos.Column) {
				return &scanner.Error{Pos: at, Msg: fmt.Sprintf("unexpected newline, expected { after %s clause", head)}
			}
			semicolons++
		}
	}
}
