package cell

import (
	"fmt"
	"go/ast"
)

// A segment of a cell is Go code between magics, or one magic.
type segment struct {
	Cell  *Cell
	Magic *Piece
}

// Segments cuts a cell at its magics.
func Segments(cell *Cell) []segment {
	var out []segment
	for _, p := range cell.Pieces {
		switch {
		case p.Kind == MagicChunk:
			out = append(out, segment{Magic: p})
		case len(out) == 0 || out[len(out)-1].Magic != nil:
			out = append(out, segment{Cell: &Cell{ID: cell.ID, Lines: cell.Lines, Pieces: []*Piece{p}}})
		default:
			c := out[len(out)-1].Cell
			c.Pieces = append(c.Pieces, p)
		}
	}
	return out
}

// CallInitAndMain adds calls of the init functions that a cell declares, which get names of their own, and of main
// unless the cell calls it. In a pasted program all declarations come before.
func CallInitAndMain(cell *Cell) {
	var out, inits, last []*Piece
	n := 0
	for _, p := range cell.Pieces {
		out = append(out, p)
		d, ok := p.Decl.(*ast.FuncDecl)
		if !ok || d.Recv != nil {
			continue
		}
		switch d.Name.Name {
		case "init":
			n++
			d.Name.Name = fmt.Sprintf("init%d%s", n, Mark)
			p.Names.Used[d.Name.Name] = true
			if cell.Pasted {
				inits = append(inits, callPiece(p, d))
			} else {
				out = append(out, callPiece(p, d))
			}
		case "main":
			if !callsMain(cell) {
				last = append(last, callPiece(p, d))
			}
		}
	}
	cell.Pieces = append(append(out, inits...), last...)
}

func callPiece(p *Piece, d *ast.FuncDecl) *Piece {
	call := &ast.CallExpr{Fun: &ast.Ident{Name: d.Name.Name, NamePos: d.Name.Pos()}, Lparen: d.Name.Pos(), Rparen: d.Name.Pos()}
	q := &Piece{Kind: StmtChunk, Line: p.Line, Stmt: &ast.ExprStmt{X: call}, Silenced: true}
	q.Names = NamesOf(q)
	return q
}

func callsMain(cell *Cell) bool {
	for _, p := range cell.Pieces {
		if p.Kind == StmtChunk && p.Names.Used["main"] {
			return true
		}
	}
	return false
}

// Profiled reports whether a cell begins with the magic that profiles it.
func Profiled(cell *Cell) bool {
	return len(cell.Pieces) > 0 && cell.Pieces[0].Call != nil && cell.Pieces[0].Call.Builtin == "prof"
}
