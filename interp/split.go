package interp

import (
	"go/scanner"
	"go/token"
	"strings"
)

// A chunkKind says what stands at the top level of a cell.
type chunkKind int

const (
	packageChunk chunkKind = iota
	importChunk
	constChunk
	varChunk
	typeChunk
	funcChunk
	stmtChunk // any statement, := and expressions among them
	magicChunk
)

// A chunk is one top-level construct of a cell: source[start:end].
type chunk struct {
	kind       chunkKind
	start, end int
	silenced   bool // a semicolon was typed behind it

	call          *magicCall // of a magic
	before, after string     // Go code of ours around it
	ours          bool       // all of it is ours
}

// split cuts a cell into its top-level chunks. It never fails: what is not Go ends up in a chunk that the parser
// then refuses. A line that begins with % or ! where a statement may begin is a magic.
func split(src string) []chunk {
	var chunks []chunk
	for pos := 0; pos < len(src); {
		next, found := splitGo(src, pos, &chunks)
		if !found {
			break
		}
		end := magicEnd(src, next)
		chunks = append(chunks, chunk{kind: magicChunk, start: next, end: end})
		pos = end
	}
	return chunks
}

// splitGo appends the chunks from pos on, up to a magic line, whose offset it returns.
func splitGo(src string, pos int, chunks *[]chunk) (magic int, found bool) {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src)-pos)
	var s scanner.Scanner
	s.Init(file, []byte(src[pos:]), func(token.Position, string) {}, 0)

	depth, start, last := 0, -1, pos
	inHead := false // of a for, if or switch: semicolons do not end the statement
	var head []token.Token
	flush := func(end int, silenced bool) {
		if start >= 0 {
			*chunks = append(*chunks, chunk{kind: classify(head), start: start, end: end, silenced: silenced})
		} else if silenced && len(*chunks) > 0 {
			(*chunks)[len(*chunks)-1].silenced = true
		}
		start, head, depth, inHead = -1, head[:0], 0, false
	}
	for {
		p, tok, lit := s.Scan()
		at := pos + file.Offset(p)
		switch tok {
		case token.EOF:
			flush(last, false)
			return 0, false
		case token.SEMICOLON:
			if depth <= 0 && !(inHead && lit == ";") {
				flush(last, lit == ";")
				continue
			}
		case token.REM, token.NOT:
			if start < 0 && beginsLine(src, at) {
				return at, true
			}
		case token.FOR, token.IF, token.SWITCH:
			inHead = inHead || depth == 0
		case token.LPAREN, token.LBRACE, token.LBRACK:
			inHead = inHead && (depth > 0 || tok != token.LBRACE)
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth--
		}
		if start < 0 {
			start = at
		}
		if len(head) < 256 {
			head = append(head, tok)
		}
		last = min(at+len(tokenText(tok, lit)), len(src)) // an illegal byte stands as a longer character
		if tok == token.SEMICOLON && lit == "\n" {
			last = at
		}
	}
}

// tokenText is the text of a token as it stands in the source.
func tokenText(tok token.Token, lit string) string {
	if lit != "" {
		return lit
	}
	return tok.String()
}

// classify tells the kind of a chunk from its first tokens.
func classify(head []token.Token) chunkKind {
	switch head[0] {
	case token.PACKAGE:
		return packageChunk
	case token.IMPORT:
		return importChunk
	case token.CONST:
		return constChunk
	case token.VAR:
		return varChunk
	case token.TYPE:
		return typeChunk
	case token.FUNC:
		if declaresFunc(head[1:]) {
			return funcChunk
		}
	}
	return stmtChunk
}

// declaresFunc tells a function or method declaration from an expression that begins with a function literal: the
// tokens after "func" are a name, or a receiver, a name and an opening parenthesis.
func declaresFunc(toks []token.Token) bool {
	if len(toks) == 0 || toks[0] == token.IDENT {
		return true
	}
	depth := 0
	for i, t := range toks {
		switch t {
		case token.LPAREN:
			depth++
		case token.RPAREN:
			depth--
		}
		if depth == 0 {
			rest := toks[i+1:]
			return len(rest) >= 2 && rest[0] == token.IDENT && (rest[1] == token.LPAREN || rest[1] == token.LBRACK)
		}
	}
	return false
}

// beginsLine reports whether only blanks stand before offset at on its line.
func beginsLine(src string, at int) bool {
	line := src[strings.LastIndexByte(src[:at], '\n')+1 : at]
	return strings.TrimSpace(line) == ""
}

// magicEnd is the end of the magic line at offset at; a backslash at a line's end continues it.
func magicEnd(src string, at int) int {
	for {
		n := strings.IndexByte(src[at:], '\n')
		if n < 0 {
			return len(src)
		}
		at += n + 1
		if n < 1 || src[at-2] != '\\' {
			return at
		}
	}
}
