package plotting

import (
	"math"
	"strings"
	"testing"
)

type twoCurves struct{}

func (twoCurves) Len() int { return 2 }
func (twoCurves) Curve(i int) (string, []float64, []float64, []float64, []float64) {
	x := []float64{1, 10, 100}
	y := [][]float64{{1, .3, .1}, {1, .1, .01}}[i]
	lo, hi := make([]float64, 3), make([]float64, 3)
	for k := range y {
		lo[k], hi[k] = .8*y[k], 1.25*y[k]
	}
	return []string{"MC", "FCFW"}[i], x, y, lo, hi
}

func TestRates(t *testing.T) {
	f := Rates("Rates", "points $N$", "error", twoCurves{}, -.5, -1, -4./3, -.7)
	var labels []string
	for _, p := range f.drawn {
		if s, ok := p.(*Slope); ok {
			labels = append(labels, s.Label)
		}
	}
	if got := strings.Join(labels, " "); got != "$N^{-1/2}$ $N^{-1}$ $N^{-4/3}$ $N^{-0.7}$" {
		t.Errorf("labels %s", got)
	}
	if len(f.marks) != 4 || len(f.entries) == 0 {
		t.Errorf("%d series, %d entries of the legend", len(f.marks), len(f.entries))
	}
	if _, ok := f.X.Scale.(LogScale); !ok {
		t.Error("the horizontal axis is not logarithmic")
	}
}

// oneLine is a curve of which only the middle is known.
type oneLine struct{}

func (oneLine) Len() int { return 1 }
func (oneLine) Curve(int) (string, []float64, []float64, []float64, []float64) {
	y := []float64{1, 2, 4}
	return "median", []float64{1, 2, 3}, y, y, y
}

func TestCurveWithoutABandIsALine(t *testing.T) {
	for want, c := range map[string]Curves{"line": oneLine{}, "band": twoCurves{}} {
		if got := New("", "x", "y").Curves(c).marks[0].kind; got != want {
			t.Errorf("%T begins with a %s, want a %s", c, got, want)
		}
	}
}

// someKnown has a band at its last two places, or nowhere.
type someKnown struct{ anywhere bool }

func (someKnown) Len() int { return 1 }
func (c someKnown) Curve(int) (string, []float64, []float64, []float64, []float64) {
	lo, hi := []float64{math.NaN(), .9, 1.9}, []float64{math.NaN(), 1.1, 2.1}
	if !c.anywhere {
		lo, hi = []float64{math.NaN(), 1, math.NaN()}, []float64{math.NaN(), 1, math.NaN()}
	}
	return "mean", []float64{1, 2, 3}, []float64{2, 1, 2}, lo, hi
}

// TestCurveOfUnknownWidth: of one replication there is a mean, and no interval.
func TestCurveOfUnknownWidth(t *testing.T) {
	for c, want := range map[someKnown]string{{true}: "band", {false}: "line"} {
		if got := New("", "x", "y").Curves(c).marks[0].kind; got != want {
			t.Errorf("%v begins with a %s, want a %s", c, got, want)
		}
	}
}
