package interp

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// A piece is one parsed chunk of a cell. Its positions are in cell coordinates: file "c<cell>", line and column.
type piece struct {
	text     string // its source
	doc      string // the comment above it, without slashes
	line     int    // of the cell, where it begins
	kind     chunkKind
	silenced bool
	ours     bool       // Go code that a magic adds
	call     *magicCall // of a magic

	decl ast.Decl   // import, const, var, type, func; for := at the top level the var declaration it stands for
	stmt ast.Stmt   // any other statement
	list []ast.Expr // the expressions of a last line that shows several

	// original is the define statement behind decl, nil when a var declaration was written.
	original *ast.AssignStmt
	names    names
}

// declares lists the names that the piece brings into being at the top level; methods do not count.
func (p *piece) declares() []string {
	switch d := p.decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil && d.Name.Name != "init" && d.Name.Name != "_" {
			return []string{d.Name.Name}
		}
	case *ast.GenDecl:
		var out []string
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				out = append(out, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.Name != "_" {
						out = append(out, n.Name)
					}
				}
			}
		}
		return out
	}
	return nil
}

// A parsedCell is a cell's pieces in the order of the source.
type parsedCell struct {
	id     int
	lines  int
	pieces []*piece
	// program is set when the cell begins with a package clause: a whole program was pasted.
	program bool
}

// fileName is the name of cell id in positions.
func fileName(id int) string { return fmt.Sprintf("c%d", id) }

// lineDirective gives the character behind it a position in a cell.
func lineDirective(id, line, column int) string {
	return fmt.Sprintf("/*line %s:%d:%d*/", fileName(id), line, column)
}

// parse parses the Go chunks of a cell. It returns all syntax errors at once.
func parse(fset *token.FileSet, id int, src string, chunks []chunk) (*parsedCell, []*scanner.Error) {
	cell := &parsedCell{id: id, lines: 1 + strings.Count(src, "\n")}
	var errs []*scanner.Error
	line, at := 1, 0
	for i, c := range chunks {
		if c.kind == packageChunk {
			cell.program = true
			continue
		}
		line += strings.Count(src[at:c.start], "\n")
		at = c.start
		column := c.start - strings.LastIndexByte(src[:c.start], '\n')
		p := &piece{text: ordinaryLines(src[c.start:c.end]), line: line, kind: c.kind, silenced: c.silenced, ours: c.ours, call: c.call, doc: commentAbove(src[:c.start])}
		place := lineDirective(id, line, column)
		if c.call != nil {
			cell.pieces = append(cell.pieces, p)
			continue
		}
		if err := p.parse(fset, c.before+place, c.after, i == len(chunks)-1); err != nil {
			first := clamp(err, cell.lines)[0]
			errs = append(errs, cutHead(fset, p.text, c.before+place, first))
			continue
		}
		p.names = namesOf(p)
		cell.pieces = append(cell.pieces, p)
	}
	return cell, errs
}

// commentAbove is the text of the comment lines at the end of src.
func commentAbove(src string) string {
	lines := strings.Split(src, "\n")
	lines = lines[:len(lines)-1]
	from := len(lines)
	for from > 0 && strings.HasPrefix(strings.TrimSpace(lines[from-1]), "//") {
		from--
	}
	var b strings.Builder
	for _, l := range lines[from:] {
		b.WriteString(strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(l), "//"), " ") + "\n")
	}
	return b.String()
}

// clamp takes the first error of a chunk, because those behind it are mostly its echo, and brings one that lies behind
// the end of the cell (a missing brace) onto its last line.
func clamp(err error, lines int) []*scanner.Error {
	list, ok := err.(scanner.ErrorList)
	if !ok {
		list = scanner.ErrorList{{Msg: err.Error()}}
	}
	if e := list[0]; e.Pos.Line > lines {
		e.Pos.Line, e.Pos.Column = lines, 0
	}
	return list[:1]
}

// parseMode resolves names within functions, as renameIdents needs it.
const parseMode = parser.ParseComments

// parse fills in the syntax of the piece. before ends in a line directive for its first character.
func (p *piece) parse(fset *token.FileSet, before, after string, last bool) error {
	if p.kind != stmtChunk {
		f, err := parser.ParseFile(fset, "", "package main;"+before+p.text, parseMode)
		if err != nil {
			return err
		}
		if len(f.Decls) > 0 {
			p.decl = f.Decls[0]
		}
		if d, ok := p.decl.(*ast.FuncDecl); ok {
			d.Doc = directivesOf(p.doc, d.Pos())
		}
		return nil
	}
	f, err := parser.ParseFile(fset, "", "package main;func _(){"+before+p.text+after+"\n}", parseMode)
	if err != nil {
		if last && p.parseList(fset, before) {
			return nil
		}
		return err
	}
	body := f.Decls[0].(*ast.FuncDecl).Body.List
	if len(f.Decls) != 1 || len(body) != 1 {
		return scanner.ErrorList{{Pos: fset.Position(f.Decls[len(f.Decls)-1].Pos()), Msg: "unexpected } at the top level"}}
	}
	p.stmt = body[0]
	if def, ok := p.stmt.(*ast.AssignStmt); ok && def.Tok == token.DEFINE {
		p.defineAsVar(def)
	}
	return nil
}

// parseList accepts "a, b" as the last line of a cell: several values to show.
func (p *piece) parseList(fset *token.FileSet, place string) bool {
	f, err := parser.ParseFile(fset, "", "package main;var _ = f("+place+p.text+")", parseMode)
	if err != nil {
		return false
	}
	call, ok := f.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0].(*ast.CallExpr)
	if !ok || len(call.Args) < 2 || call.Ellipsis.IsValid() {
		return false
	}
	p.list = call.Args
	return true
}

// defineAsVar makes the var declaration that x := v at the top level stands for.
func (p *piece) defineAsVar(def *ast.AssignStmt) {
	spec := &ast.ValueSpec{Values: def.Rhs}
	for _, l := range def.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok {
			return // left to the type checker, which says what is wrong
		}
		spec.Names = append(spec.Names, id)
	}
	p.original = def
	p.stmt = nil
	p.kind = varChunk
	p.decl = &ast.GenDecl{TokPos: def.Pos(), Tok: token.VAR, Specs: []ast.Spec{spec}}
}

// names are the identifiers that a piece mentions: too many rather than too few, because a name that a function
// declares for itself counts too.
type names struct {
	used      map[string]bool
	qualified map[string]map[string]bool // x of x.Sel, with all Sel
}

func namesOf(p *piece) names {
	n := names{used: map[string]bool{}, qualified: map[string]map[string]bool{}}
	switch specs, isValue := valueSpecs(p.decl); {
	case p.list != nil:
		for _, e := range p.list {
			ast.Inspect(e, n.visit)
		}
	case isValue: // what stands left of = declares
		for _, s := range specs {
			if s.Type != nil {
				ast.Inspect(s.Type, n.visit)
			}
			for _, e := range s.Values {
				ast.Inspect(e, n.visit)
			}
		}
	case p.stmt != nil:
		ast.Inspect(p.stmt, n.visit)
	case p.decl != nil && p.kind != importChunk:
		ast.Inspect(p.decl, n.visit)
	}
	return n
}

func (n names) visit(node ast.Node) bool {
	switch x := node.(type) {
	case *ast.Ident:
		n.used[x.Name] = true
	case *ast.Field: // its names declare
		ast.Inspect(x.Type, n.visit)
		return false
	case *ast.SelectorExpr:
		if id, ok := x.X.(*ast.Ident); ok {
			if n.qualified[id.Name] == nil {
				n.qualified[id.Name] = map[string]bool{}
			}
			n.qualified[id.Name][x.Sel.Name] = true
		}
		ast.Inspect(x.X, n.visit) // not x.Sel
		return false
	}
	return true
}

// valueSpecs returns the specs of a const or var declaration.
func valueSpecs(d ast.Decl) ([]*ast.ValueSpec, bool) {
	g, ok := d.(*ast.GenDecl)
	if !ok || g.Tok != token.VAR && g.Tok != token.CONST {
		return nil, false
	}
	var out []*ast.ValueSpec
	for _, s := range g.Specs {
		out = append(out, s.(*ast.ValueSpec))
	}
	return out, true
}
