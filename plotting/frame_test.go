package plotting

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// columnsOf is a frame of columns, of numbers where they are not in texts.
type columnsOf struct {
	names   []string
	numbers map[string][]float64
	texts   map[string][]string
}

func (c columnsOf) Numbers() []string            { return c.names }
func (c columnsOf) Floats(name string) []float64 { return c.numbers[name] }
func (c columnsOf) Strings(name string) (s []string) {
	if texts, ok := c.texts[name]; ok {
		return texts
	}
	for _, v := range c.numbers[name] {
		s = append(s, fmt.Sprint(v))
	}
	return s
}

func frame() columnsOf {
	return columnsOf{[]string{"x", "y", "k"}, map[string][]float64{"x": {1, 2, 3, 4, math.NaN()}, "y": {5, 3, math.Inf(1), 2, 1}, "k": {10, 9, 10, 9, 9}},
		map[string][]string{"g": {"b", "a", "", "b", "a"}}}
}

// TestFacet: a panel for each value, all with the same axes, with its own points.
func TestFacet(t *testing.T) {
	p := Facet(frame(), "g", "x", "y")
	var titles []string
	for i, f := range p.figures {
		titles = append(titles, f.Title.Text)
		if f.Plot.X.Min != p.figures[0].Plot.X.Min || f.Plot.Y.Max != p.figures[0].Plot.Y.Max || !(f.Plot.X.Min < 1 && f.Plot.X.Max > 4) {
			t.Errorf("panel %d has the range %g to %g, %g to %g", i, f.Plot.X.Min, f.Plot.X.Max, f.Plot.Y.Min, f.Plot.Y.Max)
		}
	}
	if want := []string{"(none)", "a", "b"}; !slices.Equal(titles, want) {
		t.Errorf("panels %q, want %q", titles, want)
	}
	if x := p.figures[2].series()[0].x; !slices.Equal(x, []float64{1, 4}) {
		t.Errorf("b is drawn at %v", x)
	}
	by := ScatterBy(frame(), "x", "y", "k")
	if got := by.entries[0].name + " " + by.entries[1].name; got != "9 10" {
		t.Errorf("groups %s, numbers are in their order", got)
	}
}

// TestPairs: histograms on the diagonal, names at the edges only.
func TestPairs(t *testing.T) {
	p := Pairs(frame())
	if len(p.figures) != 9 {
		t.Fatalf("%d panels", len(p.figures))
	}
	for i, f := range p.figures {
		row, column := i/3, i%3
		if got := f.Plot.X.Label.Text != ""; got != (row == 2) {
			t.Errorf("panel %d has the name %q below", i, f.Plot.X.Label.Text)
		}
		if got := f.Plot.Y.Label.Text != ""; got != (column == 0) {
			t.Errorf("panel %d has the name %q at the left", i, f.Plot.Y.Label.Text)
		}
		if got := f.series()[0].kind == "bar"; got != (row == column) {
			t.Errorf("panel %d shows %s", i, f.series()[0].kind)
		}
	}
}

// TestResiduals: residuals that are a straight line's quantiles lie on the line.
func TestResiduals(t *testing.T) {
	n := 99
	x, r := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], r[i] = float64(i), 3*math.Sqrt2*math.Erfinv(2*(float64(i)+0.5)/float64(n)-1)
	}
	points := Residuals(x, r).figures[1].series()[0]
	for i, q := range points.x {
		if math.Abs(3*q-points.y[i]) > 1e-12 {
			t.Fatalf("point %d is (%g, %g)", i, q, points.y[i])
		}
	}
}

func TestFramePanics(t *testing.T) {
	many := columnsOf{nil, nil, map[string][]string{"g": strings.Split("abcdefghijklmnopqrstuvwxyz", "")}}
	for want, f := range map[string]func(){
		"Pairs: 1 columns of numbers (x), must be 2 to 8":      func() { Pairs(frame(), "x") },
		"Facet: column g has 26 values, must have 1 to 25":     func() { Facet(many, "g", "x", "y") },
		"ScatterBy: column g has 26 values, must have 1 to 12": func() { ScatterBy(many, "x", "y", "g") },
		"Residuals has 2 values for 1 x":                       func() { Residuals([]int{1}, []int{1, 2}) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
					t.Errorf("panic %s, want %s", got, want)
				}
			}()
			f()
		}()
	}
}
