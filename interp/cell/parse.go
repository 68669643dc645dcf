package cell

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// A Piece is one parsed chunk of a cell. Its positions are in cell coordinates: file "c<cell>", line and column.
type Piece struct {
	Text     string // its source
	Doc      string // the comment above it, without slashes
	Line     int    // of the cell, where it begins
	Kind     chunkKind
	Silenced bool
	Ours     bool       // Go code that a magic adds
	Call     *MagicCall // of a magic

	Decl ast.Decl   // import, const, var, type, func; for := at the top level the var declaration it stands for
	Stmt ast.Stmt   // any other statement
	List []ast.Expr // the expressions of a last line that shows several

	// Original is the define statement that decl was made of, nil when a var declaration was written.
	Original *ast.AssignStmt
	Names    Names
}

// Declares lists the names that the piece brings into being at the top level; methods do not count.
func (p *Piece) Declares() []string {
	switch d := p.Decl.(type) {
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

// Nodes are the roots of a piece's syntax.
func (p *Piece) Nodes() []ast.Node {
	var out []ast.Node
	for _, e := range p.List {
		out = append(out, e)
	}
	if p.Stmt != nil {
		out = append(out, p.Stmt)
	}
	if p.Decl != nil {
		out = append(out, p.Decl)
	}
	return out
}

// A Cell is a cell's pieces in the order of the source.
type Cell struct {
	ID     int
	Source string
	Lines  int
	Pieces []*Piece
	Chunks []Chunk   // of the pieces
	File   *ast.File // of a whole program, which has no pieces; nil for a cell
	// Pasted is set when the cell begins with a package clause: a whole program was pasted.
	Pasted bool
}

// FileName is the name of cell id in positions.
func FileName(id int) string { return fmt.Sprintf("c%d", id) }

// LineDirective gives the character after it a position in a cell.
func LineDirective(id, line, column int) string {
	return fmt.Sprintf("/*line %s:%d:%d*/", FileName(id), line, column)
}

// Parse parses the Go chunks of a cell. It returns all syntax errors at once.
func Parse(fset *token.FileSet, id int, src string, chunks []Chunk) (*Cell, []*scanner.Error) {
	cell := &Cell{ID: id, Source: src, Lines: 1 + strings.Count(src, "\n")}
	var errs []*scanner.Error
	line, at := 1, 0
	for i, c := range chunks {
		if c.Kind == PackageChunk {
			cell.Pasted = true
			continue
		}
		line += strings.Count(src[at:c.Start], "\n")
		at = c.Start
		column := c.Start - strings.LastIndexByte(src[:c.Start], '\n')
		cell.Chunks = append(cell.Chunks, c)
		p := &Piece{Text: ordinaryLines(src[c.Start:c.End]), Line: line, Kind: c.Kind, Silenced: c.silenced, Ours: c.ours, Call: c.call, Doc: commentAbove(src[:c.Start])}
		place := LineDirective(id, line, column)
		if c.call != nil {
			cell.Pieces = append(cell.Pieces, p)
			continue
		}
		if err := p.Parse(fset, c.Before+place, c.After, i == len(chunks)-1); err != nil {
			first := firstWithin(err, src)
			errs = append(errs, cutHead(fset, p.Text, c.Before+place, first))
			continue
		}
		p.Names = NamesOf(p)
		cell.Pieces = append(cell.Pieces, p)
	}
	return cell, errs
}

// commentAbove is the text of the comment lines at the end of src. It looks at them and the line above alone.
func commentAbove(src string) string {
	var lines []string
	for end := strings.LastIndexByte(src, '\n'); end >= 0; {
		start := strings.LastIndexByte(src[:end], '\n')
		comment, ok := strings.CutPrefix(strings.TrimSpace(src[start+1:end]), "//")
		if !ok {
			break
		}
		lines = append(lines, strings.TrimPrefix(comment, " ")+"\n")
		end = start
	}
	slices.Reverse(lines)
	return strings.Join(lines, "")
}

// firstWithin takes the first error of a chunk, because those after it mostly follow from it, and brings one that is after
// the end of the cell (a missing brace) to the end of what is there.
func firstWithin(err error, src string) *scanner.Error {
	list, ok := err.(scanner.ErrorList)
	if !ok {
		list = scanner.ErrorList{{Msg: err.Error()}}
	}
	e := list[0]
	if e.Pos.Line > 1+strings.Count(src, "\n") {
		e.Pos.Line, e.Pos.Column = End(src)
		if strings.HasPrefix(e.Msg, "expression in ") { // go or defer, of a function that took the brace after the cell
			e.Msg = "expected '}', found 'EOF'"
		}
	}
	return e
}

// End is the place after what a cell has, without the blanks at its end.
func End(src string) (line, column int) {
	text := strings.TrimRight(src, " \t\n")
	return 1 + strings.Count(text, "\n"), len(text) - strings.LastIndexByte(text, '\n')
}

// ParseMode resolves names within functions, as RenameIn needs it.
const ParseMode = parser.ParseComments

// Parse fills in the syntax of the piece. before ends in a line directive for its first character.
func (p *Piece) Parse(fset *token.FileSet, before, after string, last bool) error {
	if p.Kind != StmtChunk {
		f, err := parser.ParseFile(fset, "", "package main;"+before+p.Text, ParseMode)
		if err != nil {
			return err
		}
		if len(f.Decls) > 0 {
			p.Decl = f.Decls[0]
		}
		if d, ok := p.Decl.(*ast.FuncDecl); ok {
			d.Doc = directivesOf(p.Doc, d.Pos())
		}
		return nil
	}
	f, err := parser.ParseFile(fset, "", "package main;func _(){"+before+p.Text+after+"\n}", ParseMode)
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
	p.Stmt = body[0]
	if def, ok := p.Stmt.(*ast.AssignStmt); ok && def.Tok == token.DEFINE {
		p.defineAsVar(def)
	}
	return nil
}

// parseList accepts "a, b" as the last line of a cell: several values to show.
func (p *Piece) parseList(fset *token.FileSet, place string) bool {
	f, err := parser.ParseFile(fset, "", "package main;var _ = f("+place+p.Text+")", ParseMode)
	if err != nil {
		return false
	}
	call, ok := f.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0].(*ast.CallExpr)
	if !ok || len(call.Args) < 2 || call.Ellipsis.IsValid() {
		return false
	}
	p.List = call.Args
	return true
}

// defineAsVar makes the var declaration that x := v at the top level stands for.
func (p *Piece) defineAsVar(def *ast.AssignStmt) {
	spec := &ast.ValueSpec{Values: def.Rhs}
	for _, l := range def.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok {
			return // left to the type checker, which says what is wrong
		}
		spec.Names = append(spec.Names, id)
	}
	p.Original = def
	p.Stmt = nil
	p.Kind = VarChunk
	p.Decl = &ast.GenDecl{TokPos: def.Pos(), Tok: token.VAR, Specs: []ast.Spec{spec}}
}

// Names are the identifiers that a piece mentions: too many rather than too few, because a name that a statement declares
// for itself counts too. One that a function declares for itself does not.
type Names struct {
	Used      map[string]bool
	Qualified map[string]map[string]bool // x of x.Sel, with all Sel
}

// NamesOf returns the names that a piece uses.
func NamesOf(p *Piece) Names {
	n := Names{Used: map[string]bool{}, Qualified: map[string]map[string]bool{}}
	switch specs, isValue := ValueSpecs(p.Decl); {
	case p.List != nil:
		for _, e := range p.List {
			ast.Inspect(e, n.Visit)
		}
	case isValue: // what is left of = declares
		for _, s := range specs {
			if s.Type != nil {
				ast.Inspect(s.Type, n.Visit)
			}
			for _, e := range s.Values {
				ast.Inspect(e, n.Visit)
			}
		}
	case p.Stmt != nil:
		ast.Inspect(p.Stmt, n.Visit)
	case p.Decl != nil && p.Kind != ImportChunk:
		ast.Inspect(p.Decl, n.Visit)
		if fn, ok := p.Decl.(*ast.FuncDecl); ok {
			n.dropLocals(fn)
		}
	}
	return n
}

// dropLocals takes out the names that mean in a function only what it declares for itself.
func (n Names) dropLocals(fn *ast.FuncDecl) {
	local, outer := map[string]bool{}, map[string]bool{}
	ast.Inspect(fn, func(node ast.Node) bool {
		if id, ok := node.(*ast.Ident); ok {
			if id.Obj != nil && id.Obj.Decl != any(fn) {
				local[id.Name] = true
			} else {
				outer[id.Name] = true
			}
		}
		return true
	})
	for name := range local {
		if !outer[name] {
			delete(n.Used, name)
		}
	}
}

// Visit adds the names that a node uses. It is for ast.Inspect.
func (n Names) Visit(node ast.Node) bool {
	switch x := node.(type) {
	case *ast.Ident:
		n.Used[x.Name] = true
	case *ast.Field: // its names declare
		ast.Inspect(x.Type, n.Visit)
		return false
	case *ast.SelectorExpr:
		if id, ok := x.X.(*ast.Ident); ok {
			if n.Qualified[id.Name] == nil {
				n.Qualified[id.Name] = map[string]bool{}
			}
			n.Qualified[id.Name][x.Sel.Name] = true
		}
		ast.Inspect(x.X, n.Visit) // not x.Sel
		return false
	}
	return true
}

// ValueSpecs returns the specs of a const or var declaration.
func ValueSpecs(d ast.Decl) ([]*ast.ValueSpec, bool) {
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
