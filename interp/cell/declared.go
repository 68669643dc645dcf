package cell

import (
	"go/scanner"
	"go/token"
)

// Declares lists the names that a cell would declare at the top level, also where it has mistakes: what can be read of a chunk
// that cannot be parsed is what its first words say.
func (t Text) Declares() []string {
	var out []string
	for _, c := range t.chunks {
		if c.Kind == MagicChunk || c.Kind == PackageChunk || c.Kind == ImportChunk {
			continue
		}
		p := &Piece{Text: ordinaryLines(t.Source[c.Start:c.End]), Kind: c.Kind}
		if p.Parse(token.NewFileSet(), c.Before, c.After, false) == nil {
			out = append(out, p.Declares()...)
		} else {
			out = append(out, firstNames(p.Text)...)
		}
	}
	return out
}

// firstNames are the names that a text which cannot be parsed begins to declare.
func firstNames(text string) []string {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(text)), []byte(text), func(token.Position, string) {}, 0)
	_, tok, lit := s.Scan()
	if tok == token.FUNC || tok == token.VAR || tok == token.TYPE || tok == token.CONST {
		if _, tok, lit = s.Scan(); tok == token.IDENT {
			return []string{lit}
		}
		return nil
	}
	var names []string
	for tok == token.IDENT {
		names = append(names, lit)
		if _, tok, _ = s.Scan(); tok == token.DEFINE {
			return names
		} else if tok != token.COMMA {
			return nil
		}
		_, tok, lit = s.Scan()
	}
	return nil
}
