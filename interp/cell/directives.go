package cell

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"strings"
)

// ordinaryLines is a Go text in which line directives are comments without a meaning: a cell's places are the cell's own. The
// text keeps its length.
func ordinaryLines(text string) string {
	if !strings.Contains(text, "line ") {
		return text
	}
	b := []byte(text)
	eachComment(text, func(at int, c string) {
		if strings.HasPrefix(c[2:], "line ") {
			b[at+2] = '_'
		}
	})
	return string(b)
}

// whyRefused says why a directive of the compiler may not be in a cell, and is empty for others. What a package does not
// export may be reached, and what the run time relies on be taken away, by the standard library alone; other directives
// would have no effect in a cell, and it another one than in a program.
func whyRefused(name string) string {
	switch name = strings.TrimPrefix(name, "//go:"); name {
	case "linkname":
		return "it reaches what a package does not export"
	case "nosplit", "noescape", "norace", "nocheckptr", "systemstack", "nowritebarrier", "nowritebarrierrec", "yeswritebarrierrec",
		"notinheap", "uintptrkeepalive", "nointerface", "registerparams":
		return "it takes away what the run time relies on"
	case "wasmimport", "wasmexport":
		return "it is for WebAssembly"
	case "embed":
		return "no files are compiled into a cell; read them with os.ReadFile"
	case "debug":
		return "settings of the run time are those that Gaucho started with; set GODEBUG in its environment"
	}
	if strings.HasPrefix(name, "cgo_") {
		return "it reaches what a package does not export"
	}
	return ""
}

// refusedDirectives are the compiler's directives in a Go text that cells may not have. The text begins at a line of the cell.
func refusedDirectives(id int, text string, line int) []Problem {
	if !strings.Contains(text, "//go:") {
		return nil
	}
	var out []Problem
	eachComment(text, func(at int, c string) {
		if !strings.HasPrefix(c, "//go:") {
			return
		}
		name := strings.Fields(c)[0]
		why := whyRefused(name)
		begin := strings.LastIndexByte(text[:at], '\n') + 1
		if why == "" || strings.TrimSpace(text[begin:at]) != "" {
			return
		}
		out = append(out, Problem{
			Pos: token.Position{Filename: FileName(id), Line: line + strings.Count(text[:at], "\n"), Column: at - begin + 1},
			Msg: fmt.Sprintf("%s is not allowed in a cell: %s", name, why),
		})
	})
	return out
}

// directivesOf are the compiler's directives in the comment above a function at pos.
func directivesOf(doc string, pos token.Pos) *ast.CommentGroup {
	group := &ast.CommentGroup{}
	for l := range strings.Lines(doc) {
		if strings.HasPrefix(l, "go:") {
			group.List = append(group.List, &ast.Comment{Slash: pos, Text: "//" + strings.TrimSpace(l)})
		}
	}
	if group.List == nil {
		return nil
	}
	return group
}

// refusedInChunks does it for the Go chunks of a cell and the comments above them.
func refusedInChunks(id int, src string, chunks []Chunk) []Problem {
	var out []Problem
	at := 0
	for _, c := range chunks {
		if c.call == nil && c.Start >= at {
			out = append(out, refusedDirectives(id, src[at:c.End], 1+strings.Count(src[:at], "\n"))...)
		}
		at = max(at, c.End)
	}
	return out
}

// eachComment calls f for the comments of a Go text and where they begin.
func eachComment(text string, f func(at int, c string)) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return
		}
		if tok == token.COMMENT {
			f(file.Offset(pos), lit)
		}
	}
}

// bodyless reports functions that have no body, as Go's compiler does and its type checker does not.
func bodyless(fset *token.FileSet, decls ...ast.Decl) []Problem {
	var out []Problem
	for _, d := range decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body == nil {
			out = append(out, Problem{Pos: fset.Position(f.Name.Pos()), Msg: "missing function body",
				Hint: "The opening brace must be on the line where the signature ends."})
		}
	}
	return out
}
