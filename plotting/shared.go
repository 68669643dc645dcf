package plotting

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// SharedAxes makes the panels small multiples: all have the ranges that hold the data of each, numbers and labels of the axes
// are at the left and below alone, and heat maps have common colours, with one colour bar at the right of the page. It
// changes the figures.
func (p *Page) SharedAxes() *Page {
	p.same = true
	x, y := newSpan(), newSpan()
	for _, f := range p.figures {
		if f != nil && !f.bare() {
			q := f.settle()
			x, y = x.with(q.X.Min, q.X.Max), y.with(q.Y.Min, q.Y.Max)
		}
	}
	for i, f := range p.figures {
		if f == nil {
			continue
		}
		if x.lo < x.hi {
			f.XRange(x.lo, x.hi).YRange(y.lo, y.hi)
		}
		if i%p.columns > 0 {
			bareAxis(&f.Plot.Y)
		}
		if i+p.columns < len(p.figures) {
			bareAxis(&f.Plot.X)
		}
	}
	p.shareColours()
	return p
}

// bareAxis leaves the ticks of an axis whose numbers and label a neighbour has.
func bareAxis(a *plot.Axis) {
	a.Label.Text = ""
	a.Tick.Marker = unlabelled{a.Tick.Marker}
}

// shareColours has all heat maps span the values of all, and takes their colour bars to the page.
func (p *Page) shareColours() {
	values := newSpan()
	var heats []*Heat
	for _, f := range p.figures {
		if h := f.onlyHeat(); h != nil {
			heats = append(heats, h)
			values = values.with(h.Min, h.Max)
		}
	}
	if len(heats) < 2 || slices.ContainsFunc(heats, func(h *Heat) bool { return !slices.Equal(h.Map, heats[0].Map) }) {
		return
	}
	for _, h := range heats {
		h.Min, h.Max = values.lo, values.hi
	}
	for _, f := range p.figures {
		if f.onlyHeat() != nil {
			f.side = nil
		}
	}
	p.bar = &colorBar{heats[0]}
}

// onlyHeat is the heat map of a figure that has nothing but its colour bar at the right of the data.
func (f *Figure) onlyHeat() *Heat {
	if f == nil || len(f.side) != 1 {
		return nil
	}
	bar, ok := f.side[0].(*colorBar)
	if !ok || !slices.Contains(f.drawn, plot.Plotter(bar.h)) { // that of points coloured by a value is not drawn
		return nil
	}
	return bar.h
}

// barRoom is the width that the page's colour bar takes.
func (p *Page) barRoom() vg.Length {
	if p.bar == nil {
		return 0
	}
	return p.bar.width(nil) + margin
}

// drawBar draws the page's colour bar at the right of the panels, as high as they are together.
func (p *Page) drawBar(c draw.Canvas, layouts []*layout) {
	if p.bar == nil {
		return
	}
	lo, hi := c.Max.Y, c.Min.Y
	for _, l := range layouts {
		if l != nil {
			lo, hi = min(lo, l.data().Min.Y), max(hi, l.data().Max.Y)
		}
	}
	p.bar.draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: c.Max.X - p.barRoom() + gap, Y: lo}, Max: vg.Point{X: c.Max.X - margin, Y: hi}}})
}

// alignAll gives all panels the widest margins of any, so that they are equally large.
func alignAll(layouts []*layout) {
	var most insets
	for _, l := range layouts {
		if l != nil {
			d := l.data()
			most.left, most.right = max(most.left, d.Min.X-l.all.Min.X), max(most.right, l.all.Max.X-d.Max.X)
			most.bottom, most.top = max(most.bottom, d.Min.Y-l.all.Min.Y), max(most.top, l.all.Max.Y-d.Max.Y)
		}
	}
	for _, l := range layouts {
		if l == nil {
			continue
		}
		d := l.data()
		l.insets.left += most.left - (d.Min.X - l.all.Min.X)
		l.insets.right += most.right - (l.all.Max.X - d.Max.X)
		l.insets.bottom += most.bottom - (d.Min.Y - l.all.Min.Y)
		l.insets.top += most.top - (l.all.Max.Y - d.Max.Y)
		l.crop()
		if l.f.square {
			l.squareUp()
		}
	}
}

// A span is the range of what it was given.
type span struct{ lo, hi float64 }

func newSpan() span { return span{math.Inf(1), math.Inf(-1)} }

func (s span) with(lo, hi float64) span { return span{min(s.lo, lo), max(s.hi, hi)} }
