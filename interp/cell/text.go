package cell

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// A Text is the source of a cell, split.
type Text struct {
	Source string // with Unix line ends
	chunks []Chunk
}

// Read splits a cell.
func Read(source string) Text {
	src := Normalise(source)
	return Text{src, Split(src)}
}

// Normalise gives a cell Unix line ends, which is what positions count by.
func Normalise(src string) string {
	return strings.ReplaceAll(src, "\r\n", "\n")
}

// HasMagic reports whether a line of the cell is a magic.
func (t Text) HasMagic() bool {
	return slices.ContainsFunc(t.chunks, func(c Chunk) bool { return c.Kind == MagicChunk })
}

// Parse parses a cell, with its magics expanded. It refuses what Go's compiler would, and its type checker does not, and what
// is not for cells; with NoShell, commands of the shell too.
func (t Text) Parse(fset *token.FileSet, id int, o Options) (*Cell, []Problem) {
	chunks, problems := t.expand(o)
	if problems == nil {
		problems = refusedInChunks(id, t.Source, chunks)
	}
	if problems != nil {
		return nil, problems
	}
	parsed, errs := Parse(fset, id, t.Source, chunks)
	if len(errs) > 0 {
		return nil, syntaxProblems(t.Source, errs)
	}
	for _, p := range parsed.Pieces {
		if problems := bodyless(fset, p.Decl); problems != nil {
			return nil, problems
		}
	}
	return parsed, nil
}

// ParseProgram parses a whole Go program.
func (t Text) ParseProgram(fset *token.FileSet, id int) (*Cell, []Problem) {
	if problems := refusedDirectives(id, t.Source, 1); problems != nil {
		return nil, problems
	}
	f, err := parser.ParseFile(fset, FileName(id), ordinaryLines(t.Source), parser.SkipObjectResolution|parser.AllErrors|parser.ParseComments)
	if err != nil {
		list, _ := err.(scanner.ErrorList)
		return nil, syntaxProblems(t.Source, list)
	}
	if f.Name.Name != "main" {
		return nil, []Problem{{Pos: fset.Position(f.Name.Pos()), Msg: "package " + f.Name.Name + " is not a main package"}}
	}
	if problems := bodyless(fset, f.Decls...); problems != nil {
		return nil, problems
	}
	if problems := olderLoops(fset, f); problems != nil {
		return nil, problems
	}
	return &Cell{ID: id, Source: t.Source, File: f}, nil
}

// Imports are the paths that a cell or program imports, in order.
func (c *Cell) Imports() []string {
	var specs []ast.Spec
	if c.File != nil {
		for _, s := range c.File.Imports {
			specs = append(specs, s)
		}
	}
	for _, p := range c.Pieces {
		if d, ok := p.Decl.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			specs = append(specs, d.Specs...)
		}
	}
	var paths []string
	for _, s := range specs {
		if path, err := strconv.Unquote(s.(*ast.ImportSpec).Path.Value); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}
