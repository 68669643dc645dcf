package interp

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A sight is what the type checker knows about the place of the cursor in a cell that may be half typed.
type sight struct {
	s     *Session
	check *stageCheck
	scope *scope
	roots []ast.Node // syntax of the stage that holds the cursor
	// hit is the identifier at the cursor: the marker that stands for it when completing.
	hit *ast.Ident
	// path are the nodes around hit, outermost first.
	path []ast.Node
}

// look type-checks a cell as far as it goes and finds the identifier called name that begins at byte offset at. The
// cell changes nothing. The caller holds s.front.
func (s *Session) look(src string, at int, name string) *sight {
	chunks := split(src)
	cell := s.parseTolerant(src, chunks, at)
	id := -1 // a cell that will never run
	cell.id = id
	work := s.scope.clone()
	addMusts(s.checker.fset, cell, work)
	for _, seg := range segments(cell) {
		if seg.magic != nil {
			continue
		}
		for _, st := range plan(seg.cell, work.live) {
			if g := s.lookStage(work, st, src, at, name); g != nil {
				return g
			}
		}
	}
	return nil
}

// lookStage checks one stage; when it does not hold the cursor, its names come into work.
func (s *Session) lookStage(work *scope, st *stage, src string, at int, name string) *sight {
	sc := s.checker.newStage(-1, work, st, nil)
	sc.prepare()
	defer sc.out.revert()
	line, column := position(src, at)
	g := &sight{s: s, check: sc, scope: work}
	for _, p := range append(append([]*piece{}, st.decls...), st.body...) {
		g.roots = append(g.roots, p.nodes()...)
	}
	for _, r := range g.roots {
		if g.find(r, line, column, name) {
			sc.run()
			return g
		}
	}
	sc.run()
	sc.finish()
	work.apply(sc.out.start)
	for _, u := range sc.out.steps {
		work.apply(u)
	}
	return nil
}

// nodes are the roots of a piece's syntax.
func (p *piece) nodes() []ast.Node {
	var out []ast.Node
	for _, e := range p.list {
		out = append(out, e)
	}
	if p.stmt != nil {
		out = append(out, p.stmt)
	}
	if p.decl != nil {
		out = append(out, p.decl)
	}
	return out
}

// find looks for the identifier and keeps the path to it.
func (g *sight) find(root ast.Node, line, column int, name string) bool {
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
		if id, ok := n.(*ast.Ident); ok && strings.TrimSuffix(id.Name, mark) == name {
			if p := g.s.checker.fset.Position(id.Pos()); p.Line == line && p.Column == column {
				g.hit = id
				g.path = append([]ast.Node{}, path...)
			}
		}
		return true
	})
	return g.hit != nil
}

// position is the line and the column of a byte offset, both from 1.
func position(src string, at int) (line, column int) {
	return 1 + strings.Count(src[:at], "\n"), at - strings.LastIndexByte(src[:at], '\n')
}

// parseTolerant parses what can be parsed. The chunk that holds the cursor is tried as it stands, then cut off behind
// the identifier at the cursor, with the brackets that are open there closed.
func (s *Session) parseTolerant(src string, chunks []chunk, at int) *parsedCell {
	cell := &parsedCell{lines: 1 + strings.Count(src, "\n")}
	for _, c := range chunks {
		one, errs := parse(s.checker.fset, -1, src, []chunk{c})
		if len(errs) > 0 && c.start <= at && at <= c.end {
			end := at + identLen(src[at:])
			short := src[:end] + closers(src[c.start:end])
			cut := chunk{kind: c.kind, start: c.start, end: len(short)}
			one, errs = parse(s.checker.fset, -1, short, []chunk{cut})
			if len(errs) > 0 {
				one = s.parsePartial(src, c)
			}
		}
		cell.pieces = append(cell.pieces, one.pieces...)
	}
	return cell
}

// parsePartial takes what the parser makes of a chunk with errors in it.
func (s *Session) parsePartial(src string, c chunk) *parsedCell {
	line, column := position(src, c.start)
	place := lineDirective(-1, line, column)
	p := &piece{text: src[c.start:c.end], line: line, kind: c.kind}
	cell := &parsedCell{}
	before, after := "package main;func _(){", "\n}"
	if c.kind != stmtChunk {
		before, after = "package main;", ""
	}
	f, _ := parser.ParseFile(s.checker.fset, "", before+place+p.text+after, parseMode|parser.AllErrors)
	if f == nil || len(f.Decls) == 0 {
		return cell
	}
	if c.kind != stmtChunk {
		p.decl = f.Decls[0]
	} else if fn, ok := f.Decls[0].(*ast.FuncDecl); ok && fn.Body != nil && len(fn.Body.List) > 0 {
		p.stmt = fn.Body.List[0]
	}
	if p.stmt != nil || p.decl != nil {
		p.names = namesOf(p)
		cell.pieces = append(cell.pieces, p)
	}
	return cell
}

// closers is what completes a text that stops in the middle: the brackets that are open, and a body for the loop or
// condition whose head is not finished.
func closers(src string) string {
	const head = 'h'
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", -1, len(src)), []byte(src), func(token.Position, string) {}, 0)
	var open []byte
	for {
		_, tok, _ := s.Scan()
		switch tok {
		case token.EOF:
			var out strings.Builder
			for _, c := range slices.Backward(open) {
				switch c {
				case head:
					out.WriteString(" {}")
				case '}':
					out.WriteString("\n}")
				default:
					out.WriteByte(c)
				}
			}
			return out.String()
		case token.FOR, token.IF, token.SWITCH:
			open = append(open, head)
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
func (g *sight) innermost() *types.Scope {
	for i := len(g.path) - 1; i >= 0; i-- {
		n := g.path[i]
		if f, ok := n.(*ast.FuncDecl); ok {
			n = f.Type
		}
		if f, ok := n.(*ast.FuncLit); ok {
			n = f.Type
		}
		if sc := g.check.info.Scopes[n]; sc != nil {
			return sc
		}
	}
	return nil
}
