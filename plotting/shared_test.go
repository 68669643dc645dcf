package plotting

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// laidOut returns where the page's panels have their data.
func laidOut(p *Page) []vg.Rectangle {
	w, h := p.extent()
	c := draw.New(vgsvg.New(w, h))
	c.Max.X -= p.barRoom()
	layouts := p.tile(c, true)
	alignAll(layouts)
	var places []vg.Rectangle
	for _, l := range layouts {
		places = append(places, l.data().Rectangle)
	}
	return places
}

// All panels have the ranges and colours that hold the data of each, are equally large, and repeat no numbers.
func TestSharedAxes(t *testing.T) {
	var figures []*Figure
	for k := range 5 {
		m := mat.NewDense(2, 2, []float64{float64(k), 0, 0, 1})
		figures = append(figures, New(fmt.Sprint("panel ", k), "x", "y").Square().Background(m, 0, 1, float64(-k), 1, nil))
	}
	p := Panels(3, figures...).SharedAxes()
	places := laidOut(p)
	for i, f := range p.figures {
		q := f.settle()
		if q.X.Min != 0 || q.X.Max != 1 || q.Y.Min != -4 || q.Y.Max != 1 {
			t.Errorf("panel %d has the ranges %g to %g, %g to %g", i, q.X.Min, q.X.Max, q.Y.Min, q.Y.Max)
		}
		if h := f.drawn[len(f.drawn)-1].(*Heat); h.Min != 0 || h.Max != 4 || len(f.side) != 0 {
			t.Errorf("panel %d has the colours of %g to %g, and %d colour bars", i, h.Min, h.Max, len(f.side))
		}
		if size, first := places[i].Size(), places[0].Size(); abs(size.X-first.X) > 1e-6 || abs(size.Y-first.Y) > 1e-6 || abs(5*size.X-size.Y) > 1e-6 {
			t.Errorf("panel %d is %v large, the first %v", i, size, first)
		}
		_, left := f.Plot.Y.Tick.Marker.(unlabelled)
		_, below := f.Plot.X.Tick.Marker.(unlabelled)
		if left != (i%3 > 0) || below != (i < 2) {
			t.Errorf("panel %d: numbers left are gone: %v, below: %v", i, left, below)
		}
	}
	if p.bar == nil || p.bar.h.Max != 4 {
		t.Error("the page has no colour bar")
	}
}

// A panel without data takes no part, and points are as in panels of their own.
func TestSharedAxesOfPoints(t *testing.T) {
	p := Panels(2, New("", "", "").Points("", []float64{10, 20}, []float64{1, 2}), New("", "", "").Points("", nil, nil), nil,
		New("", "", "").Points("", []float64{15}, []float64{5})).SharedAxes()
	q := p.figures[1].settle()
	if !(q.X.Min > 9 && q.X.Min < 10 && q.X.Max > 20 && q.X.Max < 21 && q.Y.Min > 0 && q.Y.Min < 1 && q.Y.Max > 5) {
		t.Errorf("the ranges are %g to %g, %g to %g", q.X.Min, q.X.Max, q.Y.Min, q.Y.Max)
	}
	if p.bar != nil || len(p.MIMEBundle()) == 0 {
		t.Error("a colour bar without a heat map")
	}
	Panels(1, New("", "", "")).SharedAxes().MIMEBundle()
	Panels(1).SharedAxes().MIMEBundle()
}

func abs(x vg.Length) vg.Length { return max(x, -x) }
