package assist

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"gaucho/interp/cell"
	"gaucho/interp/check"
)

// A cursorContext is what the type checker knows about the place of the cursor in a cell that may be half typed.
type cursorContext struct {
	v     *View
	check *check.Stage
	scope *check.Scope
	roots []ast.Node // syntax of the stage that holds the cursor
	// hit is the identifier at the cursor: the marker that stands for it when completing.
	hit *ast.Ident
	// path are the nodes around hit, outermost first.
	path []ast.Node
}

// look type-checks a cell as far as it goes and finds the identifier called name that begins at byte offset at. The
// cell changes nothing. The caller holds the lock.
func (v *View) look(src string, at int, name string) *cursorContext {
	chunks := cell.Split(src)
	parsed := v.parseTolerant(src, chunks, at)
	id := -1 // a cell that will never run
	parsed.ID = id
	work := v.Scope.Clone()
	check.AddMusts(v.Checker.Fset, parsed, work)
	v.Checker.AddHistory(parsed, work, v.History)
	var found *cursorContext
	var out *check.Checked
	check.Walk{Stage: func(st *cell.Stage) (*check.Checked, []cell.Problem) {
		if found, out = v.lookStage(work, st, src, at, name); found != nil {
			return nil, nil
		}
		return out, nil
	}}.Through(parsed, work)
	return found
}

// lookStage checks one stage. It returns what is at the cursor, or when the stage does not hold it, what the stage declares.
func (v *View) lookStage(work *check.Scope, st *cell.Stage, src string, at int, name string) (*cursorContext, *check.Checked) {
	sc := v.Checker.NewStage(-1, work, st, nil)
	sc.Prepare()
	defer sc.Out.Revert()
	line, column := cell.Position(src, at)
	g := &cursorContext{v: v, check: sc, scope: work}
	for _, p := range append(append([]*cell.Piece{}, st.Decls...), st.Body...) {
		g.roots = append(g.roots, p.Nodes()...)
	}
	for _, r := range g.roots {
		if g.find(r, line, column, name) {
			sc.Run()
			return g, nil
		}
	}
	sc.Run()
	sc.Finish()
	return nil, sc.Out
}

// find looks for the identifier and keeps the path to it.
func (g *cursorContext) find(root ast.Node, line, column int, name string) bool {
	var path []ast.Node
	ast.Inspect(root, func(n ast.Node) bool {
		if g.hit != nil {
			return false
		}
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		path = append(path, n)
		if id, ok := n.(*ast.Ident); ok && strings.TrimSuffix(id.Name, cell.Mark) == name {
			if p := g.v.Checker.Fset.Position(id.Pos()); p.Line == line && p.Column == column {
				g.hit = id
				g.path = append([]ast.Node{}, path...)
			}
		}
		return true
	})
	return g.hit != nil
}

// parseTolerant parses what can be parsed. The chunk that holds the cursor is tried as it is, then cut off after
// the identifier at the cursor, with the brackets that are open there closed.
func (v *View) parseTolerant(src string, chunks []cell.Chunk, at int) *cell.Cell {
	parsed := &cell.Cell{Lines: 1 + strings.Count(src, "\n")}
	for _, c := range chunks {
		one, errs := cell.Parse(v.Checker.Fset, -1, src, []cell.Chunk{c})
		if len(errs) > 0 && c.Start <= at && at <= c.End {
			end := at + identLen(src[at:])
			short := src[:end] + closers(src[c.Start:end])
			cut := cell.Chunk{Kind: c.Kind, Start: c.Start, End: len(short)}
			one, errs = cell.Parse(v.Checker.Fset, -1, short, []cell.Chunk{cut})
			if len(errs) > 0 {
				one = v.parsePartial(src, c)
			}
		}
		parsed.Pieces = append(parsed.Pieces, one.Pieces...)
	}
	return parsed
}

// parsePartial takes what the parser makes of a chunk with errors in it.
func (v *View) parsePartial(src string, c cell.Chunk) *cell.Cell {
	line, column := cell.Position(src, c.Start)
	place := cell.LineDirective(-1, line, column)
	p := &cell.Piece{Text: src[c.Start:c.End], Line: line, Kind: c.Kind}
	parsed := &cell.Cell{}
	before, after := "package main;func _(){", "\n}"
	if c.Kind != cell.StmtChunk {
		before, after = "package main;", ""
	}
	f, _ := parser.ParseFile(v.Checker.Fset, "", before+place+p.Text+after, cell.ParseMode|parser.AllErrors)
	if f == nil || len(f.Decls) == 0 {
		return parsed
	}
	if c.Kind != cell.StmtChunk {
		p.Decl = f.Decls[0]
	} else if fn, ok := f.Decls[0].(*ast.FuncDecl); ok && fn.Body != nil && len(fn.Body.List) > 0 {
		p.Stmt = fn.Body.List[0]
	}
	if p.Stmt != nil || p.Decl != nil {
		p.Names = cell.NamesOf(p)
		parsed.Pieces = append(parsed.Pieces, p)
	}
	return parsed
}

// closers is what completes a text that stops in the middle: the brackets that are open, a body for the loop or
// condition whose head is not finished, and the call of what follows defer or go.
func closers(src string) string {
	const head, call = 'h', 'c'
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", -1, len(src)), []byte(src), func(token.Position, string) {}, 0)
	var open []byte
	for {
		pos, tok, _ := s.Scan()
		switch n := len(open); tok {
		case token.SEMICOLON, token.RBRACE, token.RPAREN, token.RBRACK:
			if n > 0 && open[n-1] == call && fset.Position(pos).Offset < len(src) { // what comes at the end is the scanner's
				open = open[:n-1]
			}
		}
		switch tok {
		case token.EOF:
			var out strings.Builder
			for _, c := range slices.Backward(open) {
				switch c {
				case head:
					out.WriteString(" {}")
				case call:
					if !strings.HasSuffix(out.String(), ")") {
						out.WriteString("()")
					}
				case '}':
					out.WriteString("\n}")
				default:
					out.WriteByte(c)
				}
			}
			return out.String()
		case token.FOR, token.IF, token.SWITCH:
			open = append(open, head)
		case token.DEFER, token.GO:
			open = append(open, call)
		case token.LBRACE:
			if n := len(open); n > 0 && open[n-1] == head {
				open = open[:n-1]
			}
			open = append(open, '}')
		case token.LPAREN:
			open = append(open, ')')
		case token.LBRACK:
			open = append(open, ']')
		case token.RBRACE, token.RPAREN, token.RBRACK:
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
	}
}

// identLen is the length of the identifier that a text begins with.
func identLen(s string) int {
	for i, r := range s {
		if !isIdentRune(r) {
			return i
		}
	}
	return len(s)
}

func isIdentRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80
}

// innermost is the innermost scope around the hit.
func (g *cursorContext) innermost() *types.Scope {
	for i := len(g.path) - 1; i >= 0; i-- {
		n := g.path[i]
		if f, ok := n.(*ast.FuncDecl); ok {
			n = f.Type
		}
		if f, ok := n.(*ast.FuncLit); ok {
			n = f.Type
		}
		if sc := g.check.Info.Scopes[n]; sc != nil {
			return sc
		}
	}
	return nil
}
