package plotting

import (
	"encoding/json"
	"math"
	"testing"
)

// TestRangesOfFinitePoints: a point of which one number is missing has no place, so the other stretches no axis.
func TestRangesOfFinitePoints(t *testing.T) {
	x, y := []float64{1, math.NaN(), math.Inf(1), 3, 50}, []float64{5, 100, 7, 2, math.NaN()}
	for name, p := range map[string]interface {
		DataRange() (xmin, xmax, ymin, ymax float64)
	}{"line": &Line{X: x, Y: y}, "points": &Points{X: x, Y: y}} {
		if a, b, c, d := p.DataRange(); a != 1 || b != 3 || c != 2 || d != 5 {
			t.Errorf("%s: range %v to %v, %v to %v, want 1 to 3, 2 to 5", name, a, b, c, d)
		}
	}
}

// TestNumbersThatAreNoShares: what is no share from 0 to 1 is a panic that says so.
func TestNumbersThatAreNoShares(t *testing.T) {
	for _, p := range []float64{-0.1, 1.5, math.NaN(), math.Inf(1)} {
		for name, f := range map[string]func(){"Quantile": func() { Quantile([]float64{1, 2}, p) }, "Alpha": func() { Alpha(p) }} {
			func() {
				defer func() {
					if _, says := recover().(string); !says {
						t.Errorf("%s(%v) does not say what is wrong", name, p)
					}
				}()
				f()
			}()
		}
	}
}

// TestSpecOfLargestNumbers: a specification can be written as JSON whatever the numbers are.
func TestSpecOfLargestNumbers(t *testing.T) {
	f := New("", "", "").Line("a", nil, []float64{-1e308, 1e308, 1.7e308})
	if _, err := json.Marshal(f.Interactive().Spec()); err != nil {
		t.Error(err)
	}
}

// TestFuncPlaces: a function is asked at as many places as its documentation says, the ends among them.
func TestFuncPlaces(t *testing.T) {
	n, lo, hi := 0, math.Inf(1), math.Inf(-1)
	New("", "", "").Func("", func(x float64) float64 { n++; lo, hi = min(lo, x), max(hi, x); return x }, -1, 3).MIMEBundle()
	if n != 401 || lo != -1 || hi != 3 {
		t.Errorf("%d places from %v to %v, want 401 from -1 to 3", n, lo, hi)
	}
}
