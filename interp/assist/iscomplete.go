package assist

import (
	"go/scanner"
	"go/token"
	"strings"

	"gaucho/interp/cell"
)

// IsComplete reports whether a console should run what was typed ("complete"), ask for another line ("incomplete",
// with the indentation it should begin with), or whether it can become no cell any more ("invalid").
func IsComplete(source string) (status, indent string) {
	src := cell.Normalise(source)
	chunks := cell.Split(src)
	if len(chunks) == 0 {
		if _, open := openBrackets(src); open {
			return "incomplete", ""
		}
		return "complete", ""
	}
	if strings.HasPrefix(strings.TrimLeft(src, " \t\n"), "%%") {
		if strings.HasSuffix(src, "\n") {
			return "complete", ""
		}
		return "incomplete", ""
	}
	last := chunks[len(chunks)-1]
	if last.Kind == cell.MagicChunk {
		return "complete", ""
	}
	depth, open := openBrackets(src[last.Start:])
	if depth < 0 && !open {
		return "invalid", ""
	}
	if open || depth > 0 {
		return "incomplete", strings.Repeat("\t", max(depth, 0))
	}
	_, errs := cell.Parse(token.NewFileSet(), 0, src, chunks)
	if len(errs) == 0 {
		return "complete", ""
	}
	// An error at the end is one that more text may mend.
	at := errs[0].Pos
	if line, column := cell.End(src); at.Line > line || at.Line == line && at.Column >= column {
		return "incomplete", ""
	}
	return "invalid", ""
}

// openBrackets counts the brackets that a text leaves open; open is set when it ends inside a raw string or a comment.
func openBrackets(src string) (depth int, open bool) {
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", -1, len(src)), []byte(src), func(_ token.Position, msg string) {
		open = open || msg == "raw string literal not terminated" || msg == "comment not terminated"
	}, 0)
	for {
		_, tok, _ := s.Scan()
		switch tok {
		case token.EOF:
			return depth, open
		case token.LPAREN, token.LBRACE, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth--
		}
	}
}
