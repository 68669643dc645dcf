package plotting

import (
	"image"
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
	checkFormulas(label)
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
	checkFormulas(label)
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
	room := c.Max.X - end.X
	if s.beside {
		room += sty.Width(s.Label) + 4
	}
	if sty.Width(s.Label)+4 <= room && (end.Y < c.Min.Y+1 || end.Y > c.Max.Y-1) {
		at := vg.Point{X: end.X + 4, Y: end.Y + 3} // the line comes to the lower or upper edge from the left
		if s.Exponent > 0 {
			sty.YAlign, at.Y = text.YTop, end.Y
		}
		c.FillText(sty, at, s.Label)
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

	corner corner // the label's place, of four at the line's ends
}

// A corner is one of the four places for the label of a rule. The zero value is the one that is taken where all are free:
// above the right end, or at the left of the upper end.
type corner struct {
	far   bool // at the left or the lower end
	after bool // below the line, or at its right
}

// HLine draws a horizontal line at y with a label, which may be empty.
func (f *Figure) HLine(y float64, label string) *Figure {
	checkFormulas(label)
	f.Add(&Rule{At: y, Label: label})
	return f
}

// VLine draws a vertical line at x with a label, which may be empty.
func (f *Figure) VLine(x float64, label string) *Figure {
	checkFormulas(label)
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
	from, to, ok := r.line(c, p)
	if !ok {
		return
	}
	c.StrokeLine2(rule, from.X, from.Y, to.X, to.Y)
	sty, pt := r.place(from, to, r.corner)
	c.FillText(sty, pt, r.Label)
}

// line returns the ends of the line: the left and the right one, or the lower and the upper one.
func (r *Rule) line(c draw.Canvas, p *plot.Plot) (from, to vg.Point, ok bool) {
	f := place{&c, p}
	if r.Vertical {
		n := f.x(r.At)
		return vg.Point{X: c.X(n), Y: c.Min.Y}, vg.Point{X: c.X(n), Y: c.Max.Y}, n >= 0 && n <= 1
	}
	n := f.y(r.At)
	return vg.Point{X: c.Min.X, Y: c.Y(n)}, vg.Point{X: c.Max.X, Y: c.Y(n)}, n >= 0 && n <= 1
}

// place returns the place of the label in a corner, and how it is aligned there.
func (r *Rule) place(from, to vg.Point, k corner) (text.Style, vg.Point) {
	sty := textStyle(sizeNote, inkMuted, text.XRight, text.YBottom)
	pt, along, across := to, vg.Length(-3), vg.Length(2)
	if k.far {
		pt, along, sty.XAlign = from, 3, text.XLeft
	}
	if k.after {
		across, sty.YAlign = -2, text.YTop
	}
	if r.Vertical {
		sty.Rotation = math.Pi / 2
		return sty, vg.Point{X: pt.X - across, Y: pt.Y + along}
	}
	return sty, vg.Point{X: pt.X + along, Y: pt.Y + across}
}

// placeRules puts the label of each rule where it hides least of the data, of the other rules and of their labels.
func (f *Figure) placeRules(q *plot.Plot, data draw.Canvas) {
	var rules []*Rule
	var taken []image.Rectangle // by lines, and then by labels
	labelled := false
	for _, p := range f.drawn {
		r, ok := p.(*Rule)
		if !ok {
			continue
		}
		if from, to, ok := r.line(data, q); ok {
			rules, taken = append(rules, r), append(taken, onProbe(vg.Rectangle{Min: from, Max: to}, data))
			labelled = labelled || r.Label != ""
		}
	}
	if !labelled {
		return
	}
	img := f.probe(q, data, func(p plot.Plotter) bool { _, rule := p.(*Rule); return !rule })
	for i, r := range rules {
		if r.Label == "" {
			continue
		}
		from, to, _ := r.line(data, q)
		least, best := math.Inf(1), image.Rectangle{}
		for _, k := range []corner{{}, {far: true}, {after: true}, {far: true, after: true}} {
			sty, pt := r.place(from, to, k)
			at := onProbe(sty.Rectangle(r.Label).Add(pt), data)
			hidden := ink(img, at) + 1 - share(at, img.Rect)
			for j, other := range taken {
				if j != i {
					hidden += share(at, other)
				}
			}
			if hidden < least {
				r.corner, least, best = k, hidden, at
			}
		}
		taken = append(taken, best)
	}
}

// share is how much of a rectangle lies in another, from 0 to 1.
func share(r, in image.Rectangle) float64 {
	both := r.Intersect(in)
	return float64(both.Dx()*both.Dy()) / float64(r.Dx()*r.Dy())
}

// onProbe returns the pixels of the probe that a part of the data covers.
func onProbe(r vg.Rectangle, data draw.Canvas) image.Rectangle {
	return image.Rect(int((r.Min.X-data.Min.X)/2), int((data.Max.Y-r.Max.Y)/2),
		int((r.Max.X-data.Min.X)/2)+1, int((data.Max.Y-r.Min.Y)/2)+1)
}

// A Note is text at a point of the data.
type Note struct {
	X, Y float64
	Text string
	text.Style
}

// Text writes a note beside the point (x, y).
func (f *Figure) Text(x, y float64, note string) *Figure {
	checkFormulas(note)
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

// An Arrow points from a text to a point of the data.
type Arrow struct {
	X, Y         float64 // the point
	TextX, TextY float64 // where the text is
	Text         string
}

// Annotate writes a text at (textX, textY), with an arrow to the point (x, y).
func (f *Figure) Annotate(x, y, textX, textY float64, note string) *Figure {
	checkFormulas(note)
	f.Add(&Arrow{x, y, textX, textY, note})
	return f
}

// DataRange asks that both ends be in view.
func (a *Arrow) DataRange() (xmin, xmax, ymin, ymax float64) {
	return min(a.X, a.TextX), max(a.X, a.TextX), min(a.Y, a.TextY), max(a.Y, a.TextY)
}

// Plot draws the arrow and the text at its end.
func (a *Arrow) Plot(c draw.Canvas, p *plot.Plot) {
	f := place{&c, p}
	tip, ok := f.at(a.X, a.Y)
	from, ok2 := f.at(a.TextX, a.TextY)
	if !ok || !ok2 {
		return
	}
	sty := textStyle(sizeNote, inkText, text.XCenter, text.YBottom)
	if tip.Y > from.Y {
		sty.YAlign = text.YTop
	}
	c.FillText(sty, from, a.Text)
	from = leave(sty.Rectangle(a.Text).Add(from), tip)
	d := tip.Sub(from)
	length := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
	const head vg.Length = 6
	if length < 2*head {
		return
	}
	u := vg.Point{X: d.X / length, Y: d.Y / length}
	tip = tip.Sub(u.Scale(3)) // clear of the point itself
	foot := tip.Sub(u.Scale(head))
	side := vg.Point{X: -u.Y, Y: u.X}.Scale(head / 3)
	c.StrokeLine2(draw.LineStyle{Color: inkMuted, Width: .9}, from.X, from.Y, foot.X, foot.Y)
	c.FillPolygon(inkMuted, []vg.Point{tip, foot.Add(side), foot.Sub(side)})
}

// leave returns where a line from the middle of a rectangle to a point leaves it, with some room; the point itself if it is
// inside.
func leave(r vg.Rectangle, to vg.Point) vg.Point {
	const room = 3
	middle := vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
	d := to.Sub(middle)
	part := vg.Length(1)
	if d.X != 0 {
		part = min(part, ((r.Max.X-r.Min.X)/2+room)/max(d.X, -d.X))
	}
	if d.Y != 0 {
		part = min(part, ((r.Max.Y-r.Min.Y)/2+room)/max(d.Y, -d.Y))
	}
	return middle.Add(d.Scale(part))
}
