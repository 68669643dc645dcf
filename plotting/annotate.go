package plotting

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var rule = draw.LineStyle{Color: inkMuted, Width: .9, Dashes: []vg.Length{1.2, 2.4}}

// A Slope is a reference for rates on logarithmic axes: the line y = Y (x/X)^Exponent through (X, Y), with a label at its
// right end. With X and Y zero it passes near the upper left corner of the data.
type Slope struct {
	Exponent float64
	Label    string
	X, Y     float64

	beside bool // the figure has left room for the label at the right of the data
}

// Slope adds a reference line of a rate to a figure with logarithmic axes, such as Slope(-0.5, "$N^{-1/2}$"). All that are
// added so start at one place, above the data's left end. [SlopeAt] chooses the place.
func (f *Figure) Slope(exponent float64, label string) *Figure {
	s := &Slope{Exponent: exponent, Label: label, beside: f.styled}
	x, y := math.Inf(1), math.Inf(-1)
	for _, m := range f.marks {
		for i := range m.x {
			if m.x[i] > 0 && m.x[i] < x && m.y[i] > 0 {
				x, y = m.x[i], m.y[i]
			} else if m.x[i] == x && m.y[i] > y {
				y = m.y[i]
			}
			if m.x[i] == x && m.y2 != nil && m.y2[i] > y {
				y = m.y2[i]
			}
		}
	}
	if !math.IsInf(x, 0) && y > 0 {
		s.X, s.Y = x, 1.25*y
	}
	f.Add(s)
	return f
}

// SlopeAt adds a reference line of a rate through (x, y).
func (f *Figure) SlopeAt(x, y, exponent float64, label string) *Figure {
	f.Add(&Slope{exponent, label, x, y, f.styled})
	return f
}

// labelWidth returns the room that labels at the right of the data take.
func (f *Figure) labelWidth() vg.Length {
	var w vg.Length
	for _, p := range f.drawn {
		if s, ok := p.(*Slope); ok && s.beside && s.Label != "" {
			w = max(w, ruleStyle().Width(s.Label)+4)
		}
	}
	return w
}

func ruleStyle() text.Style { return textStyle(sizeNote, inkMuted, text.XLeft, text.YBottom) }

// DataRange asks that the point be in view.
func (s *Slope) DataRange() (xmin, xmax, ymin, ymax float64) {
	if s.X <= 0 || s.Y <= 0 {
		inf := math.Inf(1)
		return inf, -inf, inf, -inf
	}
	return s.X, s.X, s.Y, s.Y
}

// Plot draws the line.
func (s *Slope) Plot(c draw.Canvas, p *plot.Plot) {
	f := place{&c, p}
	x0, y0 := s.X, s.Y
	if x0 <= 0 || y0 <= 0 {
		x0, y0 = p.X.Min, p.Y.Max
	}
	const n = 64
	var pts []vg.Point
	for i := range n + 1 {
		x := p.X.Min * math.Pow(p.X.Max/p.X.Min, float64(i)/n)
		if x < x0 {
			continue
		}
		if pt, ok := f.at(x, y0*math.Pow(x/x0, s.Exponent)); ok {
			pts = append(pts, pt)
		}
	}
	lines := c.ClipLinesXY(pts)
	c.StrokeLines(rule, lines...)
	if s.Label == "" || len(lines) == 0 {
		return
	}
	last := lines[len(lines)-1]
	end := last[len(last)-1]
	sty := ruleStyle()
	if s.beside && end.X > c.Max.X-1 {
		middle(c, sty, c.Max.X+4, end.Y, s.Label)
		return
	}
	sty.XAlign = text.XRight
	c.FillText(sty, vg.Point{X: end.X - 3, Y: end.Y + 3}, s.Label)
}

// A Rule is a straight line across the plot, with a label at its end.
type Rule struct {
	At       float64
	Vertical bool // at x = At, otherwise at y = At
	Label    string
}

// HLine draws a horizontal line at y with a label, which may be empty.
func (f *Figure) HLine(y float64, label string) *Figure {
	f.Add(&Rule{At: y, Label: label})
	return f
}

// VLine draws a vertical line at x with a label, which may be empty.
func (f *Figure) VLine(x float64, label string) *Figure {
	f.Add(&Rule{At: x, Vertical: true, Label: label})
	return f
}

// DataRange asks that the line be in view.
func (r *Rule) DataRange() (xmin, xmax, ymin, ymax float64) {
	lo, hi := math.Inf(1), math.Inf(-1)
	if r.Vertical {
		return r.At, r.At, lo, hi
	}
	return lo, hi, r.At, r.At
}

// Plot draws the line.
func (r *Rule) Plot(c draw.Canvas, p *plot.Plot) {
	f := place{&c, p}
	sty := textStyle(sizeNote, inkMuted, text.XRight, text.YBottom)
	if r.Vertical {
		n := f.x(r.At)
		if !(n >= 0 && n <= 1) {
			return
		}
		x := c.X(n)
		c.StrokeLine2(rule, x, c.Min.Y, x, c.Max.Y)
		sty.Rotation = math.Pi / 2
		c.FillText(sty, vg.Point{X: x - 2, Y: c.Max.Y - 3}, r.Label)
		return
	}
	n := f.y(r.At)
	if !(n >= 0 && n <= 1) {
		return
	}
	y := c.Y(n)
	c.StrokeLine2(rule, c.Min.X, y, c.Max.X, y)
	c.FillText(sty, vg.Point{X: c.Max.X - 3, Y: y + 2}, r.Label)
}

// A Note is text at a point of the data.
type Note struct {
	X, Y float64
	Text string
	text.Style
}

// Text writes a note beside the point (x, y).
func (f *Figure) Text(x, y float64, note string) *Figure {
	f.Add(&Note{x, y, note, textStyle(sizeNote, inkText, text.XLeft, text.YCenter)})
	return f
}

// Plot writes the note.
func (t *Note) Plot(c draw.Canvas, p *plot.Plot) {
	f := place{&c, p}
	if pt, ok := f.at(t.X, t.Y); ok && f.inside(pt) {
		c.FillText(t.Style, vg.Point{X: pt.X + 4, Y: pt.Y}, t.Text)
	}
}
