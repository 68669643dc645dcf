package plotting

import (
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// A box is a part of a line that is set: pieces with their places, the width, and how far the ink reaches above and below
// the baseline.
type box struct {
	width, height, depth vg.Length
	lean                 vg.Length // how far the top reaches beyond the width
	pieces               []piece
}

// A piece is text in a font, an outline to be filled, or a line to be stroked, at a place.
type piece struct {
	at     vg.Point
	text   string
	face   font.Face
	path   vg.Path
	stroke vg.Length // the width of the line; 0 for an outline
}

// moved returns the box's pieces elsewhere.
func (b box) moved(x, y vg.Length) []piece {
	out := make([]piece, len(b.pieces))
	for i, p := range b.pieces {
		p.at = p.at.Add(vg.Point{X: x, Y: y})
		out[i] = p
	}
	return out
}

// beside returns two boxes on one line.
func (b box) beside(c box) box {
	return box{b.width + c.width, max(b.height, c.height), max(b.depth, c.depth), c.lean, append(b.pieces, c.moved(b.width, 0)...)}
}

// with puts another box at a place of this one, whose width and height grow to hold it.
func (b box) with(c box, x, y vg.Length) box {
	return box{max(b.width, x+c.width), max(b.height, y+c.height), max(b.depth, c.depth-y), 0, append(b.pieces, c.moved(x, y)...)}
}

// draw draws the pieces.
func (b box) draw(c vg.Canvas, at vg.Point) {
	for _, p := range b.pieces {
		pt := at.Add(p.at)
		switch {
		case p.text != "":
			c.FillString(p.face, pt, keepSpaces(p.text))
		case p.stroke > 0:
			c.SetLineWidth(p.stroke)
			c.SetLineDash(nil, 0)
			c.Stroke(movePath(p.path, pt))
		default:
			c.Fill(movePath(p.path, pt))
		}
	}
}

// movePath returns a path elsewhere.
func movePath(p vg.Path, by vg.Point) vg.Path {
	out := make(vg.Path, len(p))
	for i, c := range p {
		c.Pos = c.Pos.Add(by)
		control := make([]vg.Point, len(c.Control))
		for j, k := range c.Control {
			control[j] = k.Add(by)
		}
		c.Control = control
		out[i] = c
	}
	return out
}

// bar is a filled rectangle from (x, y) upwards.
func bar(x, y, width, height vg.Length) piece {
	var p vg.Path
	p.Move(vg.Point{X: x, Y: y})
	p.Line(vg.Point{X: x + width, Y: y})
	p.Line(vg.Point{X: x + width, Y: y + height})
	p.Line(vg.Point{X: x, Y: y + height})
	p.Close()
	return piece{path: p}
}

// keepSpaces puts spaces that do not break at the ends of a text, where SVG drops others.
func keepSpaces(s string) string {
	inner := strings.Trim(s, " ")
	if len(inner) == len(s) {
		return s
	}
	before := strings.Index(s, inner)
	return strings.Repeat("\u00a0", before) + inner + strings.Repeat("\u00a0", len(s)-len(inner)-before)
}
