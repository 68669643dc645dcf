package page

import (
	"go/scanner"
	"go/token"
	"html"
	"strings"
)

// highlightGo returns Go source as HTML whose tokens carry classes: k keyword, b predeclared name, f called function,
// s string, n number, c comment, m magic line. Go's own scanner reads it, so text that is no Go comes out whole, only
// plainer.
func highlightGo(source string) string {
	var b strings.Builder
	for source != "" {
		n := highlightChunk(&b, source)
		source = source[n:]
	}
	return b.String()
}

// highlightChunk writes source up to the end of its first magic line, and returns how many bytes that were. (The
// scanner knows no magics, and would take their quotes for Go's.)
func highlightChunk(b *strings.Builder, source string) int {
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(source))
	s.Init(file, []byte(source), func(token.Position, string) {}, scanner.ScanComments)
	done := 0 // bytes written
	for {
		pos, tok, lit := s.Scan()
		at := file.Offset(pos)
		if tok == token.EOF {
			b.WriteString(html.EscapeString(source[done:]))
			return len(source)
		}
		if tok == token.SEMICOLON || at < done {
			continue
		}
		lineStart := at == 0 || source[at-1] == '\n'
		if lineStart && (tok == token.REM || tok == token.NOT || tok == token.REM_ASSIGN) {
			end := len(source)
			if i := strings.IndexByte(source[at:], '\n'); i >= 0 && !strings.HasPrefix(source[at:], "%%") {
				end = at + i
			}
			b.WriteString(html.EscapeString(source[done:at]))
			span(b, "m", source[at:end])
			return end
		}
		class := ""
		switch {
		case tok == token.COMMENT:
			class = "c"
		case tok == token.STRING || tok == token.CHAR:
			class = "s"
		case tok == token.INT || tok == token.FLOAT || tok == token.IMAG:
			class = "n"
		case tok.IsKeyword():
			class, lit = "k", tok.String()
		case tok == token.IDENT && predeclared[lit]:
			class = "b"
		case tok == token.IDENT && strings.HasPrefix(strings.TrimLeft(source[at+len(lit):], " "), "("):
			class = "f"
		}
		if class == "" {
			continue
		}
		b.WriteString(html.EscapeString(source[done:at]))
		end := at + literalLength(source[at:], lit)
		span(b, class, source[at:end])
		done = end
	}
}

// literalLength is the length in the source of a token, which the scanner gives without its carriage returns.
func literalLength(source, lit string) int {
	n := 0
	for _, c := range []byte(lit) {
		for n < len(source) && source[n] == '\r' && c != '\r' {
			n++
		}
		n++
	}
	return min(n, len(source))
}

func span(b *strings.Builder, class, text string) {
	b.WriteString(`<span class="` + class + `">` + html.EscapeString(text) + `</span>`)
}

var predeclared = words(`any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64
	rune string uint uint8 uint16 uint32 uint64 uintptr true false iota nil append cap clear close complex copy delete
	imag len make max min new panic print println real recover`)

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}
