// Package cell reads the text of a cell: it is split into chunks, whose magics are expanded, parsed into pieces, and laid out in
// stages. It knows no session and no types.
package cell

import (
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// A chunkKind says what a construct at the top level of a cell is.
type chunkKind int

const (
	PackageChunk chunkKind = iota
	ImportChunk
	constChunk
	VarChunk
	TypeChunk
	FuncChunk
	StmtChunk // any statement, := and expressions among them
	MagicChunk
)

// A Chunk is one top-level construct of a cell: source[start:end].
type Chunk struct {
	Kind       chunkKind
	Start, End int
	silenced   bool // a semicolon was typed after it

	call          *MagicCall // of a magic
	Before, After string     // Go code of ours around it
	Prints        bool       // the worker prints what it gives, instead of showing it
	ours          bool       // all of it is ours
}

// Split cuts a cell into its top-level chunks. It never fails: what is not Go ends up in a chunk that the parser
// then refuses. A line that begins with % or ! where a statement may begin is a magic.
func Split(src string) []Chunk {
	var chunks []Chunk
	for pos := 0; pos < len(src); {
		next, found := splitGo(src, pos, &chunks)
		if !found {
			break
		}
		end := MagicEnd(src, next)
		chunks = append(chunks, Chunk{Kind: MagicChunk, Start: next, End: end})
		pos = end
	}
	return chunks
}

// splitGo appends the chunks from pos on, up to a magic line, whose offset it returns.
func splitGo(src string, pos int, chunks *[]Chunk) (magic int, found bool) {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src)-pos)
	var s scanner.Scanner
	comment := -1 // where one begins that does not end
	s.Init(file, []byte(src[pos:]), func(p token.Position, msg string) {
		if msg == "comment not terminated" {
			comment = pos + p.Offset
		}
	}, 0)

	depth, start, last := 0, -1, pos
	headed, braced := false, false // a for, if or switch has begun, and a brace in it or its body
	var head []token.Token
	flush := func(end int, silenced bool) {
		if start >= 0 {
			*chunks = append(*chunks, Chunk{Kind: classify(head), Start: start, End: end, silenced: silenced})
		} else if silenced && len(*chunks) > 0 {
			(*chunks)[len(*chunks)-1].silenced = true
		}
		start, head, depth, headed, braced = -1, head[:0], 0, false, false
	}
	for {
		p, tok, lit := s.Scan()
		at := pos + file.Offset(p)
		switch tok {
		case token.EOF:
			if comment >= 0 {
				last = len(src)
				if start < 0 {
					start = comment
				}
			}
			flush(last, false)
			return 0, false
		case token.SEMICOLON:
			inHead := lit == ";" && headed && !(braced && isStatement(src[start:last]))
			if depth <= 0 && !inHead {
				flush(last, lit == ";")
				continue
			}
		case token.REM, token.NOT:
			if start < 0 && beginsLine(src, at) {
				return at, true
			}
		case token.FOR, token.IF, token.SWITCH:
			headed = headed || depth == 0
		case token.LPAREN, token.LBRACE, token.LBRACK:
			braced = braced || tok == token.LBRACE
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
		last = min(at+len(tokenText(tok, lit)), len(src)) // an illegal byte is read as a longer character
		if tok == token.SEMICOLON && lit == "\n" {
			last = at
		}
	}
}

// isStatement reports whether text is a statement, or several.
func isStatement(text string) bool {
	_, err := parser.ParseFile(token.NewFileSet(), "", "package main;func _(){"+text+"\n}", parser.SkipObjectResolution)
	return err == nil
}

// tokenText is the text of a token as it is in the source.
func tokenText(tok token.Token, lit string) string {
	if lit != "" {
		return lit
	}
	return tok.String()
}

// classify returns the kind of a chunk from its first tokens.
func classify(head []token.Token) chunkKind {
	if len(head) == 0 { // a comment that does not end
		return StmtChunk
	}
	switch head[0] {
	case token.PACKAGE:
		return PackageChunk
	case token.IMPORT:
		return ImportChunk
	case token.CONST:
		return constChunk
	case token.VAR:
		return VarChunk
	case token.TYPE:
		return TypeChunk
	case token.FUNC:
		if declaresFunc(head[1:]) {
			return FuncChunk
		}
	}
	return StmtChunk
}

// declaresFunc distinguishes a function or method declaration from an expression that begins with a function literal: the
// tokens after "func" are a name, or a receiver, a name, type parameters and an opening parenthesis.
func declaresFunc(toks []token.Token) bool {
	if len(toks) == 0 || toks[0] == token.IDENT {
		return true
	}
	rest := afterBrackets(toks)
	if len(rest) < 2 || rest[0] != token.IDENT {
		return false
	}
	if rest = rest[1:]; rest[0] == token.LBRACK {
		rest = afterBrackets(rest)
	}
	return len(rest) > 0 && rest[0] == token.LPAREN
}

// afterBrackets are the tokens after those that a bracket at the start encloses.
func afterBrackets(toks []token.Token) []token.Token {
	depth := 0
	for i, t := range toks {
		switch t {
		case token.LPAREN, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACK:
			depth--
		}
		if depth == 0 {
			return toks[i+1:]
		}
	}
	return nil
}

// beginsLine reports whether only blanks are before offset at on its line.
func beginsLine(src string, at int) bool {
	line := src[strings.LastIndexByte(src[:at], '\n')+1 : at]
	return strings.TrimSpace(line) == ""
}

// MagicEnd is the end of the magic line at offset at; a backslash at a line's end continues it.
func MagicEnd(src string, at int) int {
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
