package plotting

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// ruleCorner is the corner of a figure's rule that has its label.
func ruleCorner(f *Figure) corner {
	f.Draw(draw.New(clearCanvas(300, 200, 72)))
	for _, p := range f.drawn {
		if r, ok := p.(*Rule); ok {
			return r.corner
		}
	}
	return corner{}
}

func TestRuleLabelKeepsClearOfData(t *testing.T) {
	flat := func(y ...float64) *Figure {
		return New("", "x", "y").Line("", []float64{0, 4, 5, 10}, y).XRange(0, 10).YRange(-1, 1).HLine(0, "a label")
	}
	for _, c := range []struct {
		name string
		f    *Figure
		want corner
	}{
		{"nothing near", flat(-.9, -.9, -.9, -.9), corner{}},
		{"a line above the right end", flat(.9, .9, .05, .05), corner{far: true}},
		{"a line above both ends", flat(.05, .05, .05, .05), corner{after: true}},
		{"a line at the upper end", New("", "x", "y").Line("", []float64{4.8, 4.8}, []float64{0, 1}).XRange(0, 10).YRange(-1, 1).VLine(5, "a label"), corner{far: true}},
	} {
		if got := ruleCorner(c.f); got != c.want {
			t.Errorf("%s: the label stands at %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestRuleLabelsKeepClearOfEachOther(t *testing.T) {
	for _, gap := range []float64{0, .02, .05, .1, .15, .2} {
		f := New("", "x", "y").Line("", []float64{0, 10}, []float64{-.9, .9}).XRange(0, 10).YRange(-1, 1).HLine(0, "doing nothing").HLine(gap, "random actions")
		l := f.fit(draw.New(clearCanvas(300, 200, 72)))
		f.Draw(draw.New(clearCanvas(300, 200, 72)))
		var labels []vg.Rectangle
		for _, p := range f.drawn {
			if r, ok := p.(*Rule); ok {
				from, to, _ := r.line(l.data(), &l.plot)
				sty, pt := r.place(from, to, r.corner)
				labels = append(labels, sty.Rectangle(r.Label).Add(pt))
			}
		}
		a, b := labels[0], labels[1]
		if a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y {
			t.Errorf("%v apart, one label stands at %v, the other at %v", gap, a, b)
		}
	}
}

// written returns where a figure writes a text.
func written(t *testing.T, f *Figure, txt string) vg.Point {
	t.Helper()
	var rec recorder.Canvas
	f.Draw(draw.NewCanvas(&rec, 300, 200))
	for _, a := range rec.Actions {
		if s, ok := a.(*recorder.FillString); ok && s.String == txt {
			return s.Point
		}
	}
	t.Fatalf("the figure does not write %q", txt)
	return vg.Point{}
}

func TestSlopeThatLeavesBelowHasItsLabelAtTheRight(t *testing.T) {
	f := New("", "$N$", "error").Line("", []float64{1, 1000}, []float64{1, .5}).LogLog().YRange(.5, 2).XRange(1, 1000).SlopeAt(1, 1, -1, "rate")
	l := f.fit(draw.New(clearCanvas(300, 200, 72)))
	data := l.data()
	n := l.plot.X.Norm(2) // the line leaves the figure at x = 2
	if at := written(t, f, "rate"); at.X < data.X(n) {
		t.Errorf("the label starts at %v, on the line that comes down to %v", at.X, data.X(n))
	}
}

func TestWholeTicks(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want string
	}{
		{[]float64{1, 2, 3}, "1 2 3"},
		{[]float64{1, 2.5, 3}, "1.0 1.5 2.0 2.5 3.0"},
		{[]float64{0, 20}, "0 5 10 15 20"},
		{[]float64{2, 2}, "1.90 1.95 2.00 2.05 2.10"},
	} {
		q := New("", "", "").Line("", c.x, make([]float64, len(c.x))).fit(draw.New(clearCanvas(300, 200, 72))).plot
		if got := strings.Join(labels(q.X.Tick.Marker.Ticks(q.X.Min, q.X.Max)), " "); got != c.want {
			t.Errorf("data at %v have labels %s, want %s", c.x, got, c.want)
		}
	}
}

func TestSuperscriptClearsASlantedLetter(t *testing.T) {
	sty := textStyle(12, inkText, 0, 0)
	plain := sty.Width("$f$") + sty.Width("$t$")*scriptSizes[1]
	if got := sty.Width("$f^{t}$"); got < plain+1 {
		t.Errorf("f^t is %v wide, f and t by themselves %v", got, plain)
	}
}

func TestLabelsOfANarrowAxisDoNotTouch(t *testing.T) {
	for _, c := range []struct {
		f    *Figure
		want string
	}{
		{New("", "n", "y").Line("", []float64{500, 16000}, []float64{1, 2}).LogX(), "1000 10\u2009000"},
		{New("", "n", "y").Line("", []float64{.5, 20}, []float64{1, 2}).LogX(), "1 10"},
		{New("", "x", "y").Line("", []float64{0, 25000}, []float64{1, 2}), "0 20\u2009000"},
		{New("", "x", "y").Line("", []float64{0, 4}, []float64{1, 2}), "0 1 2 3 4"},
	} {
		q := c.f.fit(draw.New(clearCanvas(130, 100, 72))).plot
		if got := strings.Join(labels(q.X.Tick.Marker.Ticks(q.X.Min, q.X.Max)), " "); got != c.want {
			t.Errorf("labels %s, want %s", got, c.want)
		}
	}
}

func TestSlopeThatLeavesAboveHasItsLabelBelowTheEdge(t *testing.T) {
	f := New("", "$d$", "error").Line("", []float64{1, 100}, []float64{1, 2}).LogLog().YRange(1, 2).XRange(1, 100).SlopeAt(1, 1, 1, "rate")
	l := f.fit(draw.New(clearCanvas(300, 200, 72)))
	data := l.data()
	at := written(t, f, "rate")
	if at.X < data.X(l.plot.X.Norm(2)) || at.Y > data.Max.Y {
		t.Errorf("the label stands at %v, the line ends at %v, %v", at, data.X(l.plot.X.Norm(2)), data.Max.Y)
	}
}

// The line of an annotation begins outside the text, towards the point.
func TestArrowLeavesText(t *testing.T) {
	r := vg.Rectangle{Min: vg.Point{X: 10, Y: 20}, Max: vg.Point{X: 50, Y: 30}}
	for _, c := range []struct{ to, want vg.Point }{
		{vg.Point{X: 130, Y: 25}, vg.Point{X: 53, Y: 25}},
		{vg.Point{X: 30, Y: -75}, vg.Point{X: 30, Y: 17}},
		{vg.Point{X: -70, Y: 125}, vg.Point{X: 22, Y: 33}},
		{vg.Point{X: 31, Y: 26}, vg.Point{X: 31, Y: 26}},
		{vg.Point{X: 30, Y: 25}, vg.Point{X: 30, Y: 25}},
	} {
		if got := leave(r, c.to); math.Hypot(float64(got.X-c.want.X), float64(got.Y-c.want.Y)) > 1e-9 {
			t.Errorf("towards %v: %v, want %v", c.to, got, c.want)
		}
	}
}
