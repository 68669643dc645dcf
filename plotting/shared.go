package plotting

import (
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
	var x, y []float64 // the ends of all axes
	for _, f := range p.figures {
		if f != nil && !f.bare() {
			q := f.settle()
			x, y = append(x, q.X.Min, q.X.Max), append(y, q.Y.Min, q.Y.Max)
		}
	}
	for i, f := range p.figures {
		if f == nil {
			continue
		}
		if x != nil {
			f.XRange(spread(false, x)).YRange(spread(false, y))
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
	var values []float64 // of the first and last colours
	var heats []*Heat
	for _, f := range p.figures {
		if h := f.onlyHeat(); h != nil {
			heats = append(heats, h)
			values = append(values, h.Min, h.Max)
		}
	}
	if len(heats) < 2 || slices.ContainsFunc(heats, func(h *Heat) bool { return !slices.Equal(h.Map, heats[0].Map) }) {
		return
	}
	for _, h := range heats {
		h.Min, h.Max = spread(false, values)
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
			most = most.widest(l.around())
		}
	}
	for _, l := range layouts {
		if l == nil {
			continue
		}
		l.widen(most)
		if l.f.square {
			l.squareUp()
		}
	}
}
