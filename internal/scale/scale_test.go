package scale

import (
	"math"
	"testing"
)

// TestNorm: lengths of Pythagorean triples at every power of ten.
func TestNorm(t *testing.T) {
	for e := -320; e <= 307; e++ {
		unit := math.Pow(10, float64(e))
		got, want := Norm([]float64{3 * unit, -4 * unit}), 5*unit
		if math.Abs(got-want) > 1e-14*want+math.SmallestNonzeroFloat64 {
			t.Errorf("1e%d: %v, want %v", e, got, want)
		}
	}
	if Norm(nil) != 0 || !math.IsInf(Norm([]float64{math.Inf(-1), 1}), 1) || !math.IsNaN(Norm([]float64{1, math.NaN()})) {
		t.Error("nothing, infinite or NaN")
	}
}

// TestOf: 1 for ordinary sizes, and a power of two that leaves magnitudes from 1 to 2 otherwise.
func TestOf(t *testing.T) {
	for _, v := range []float64{1, 1e60, 1e-60, 0, math.Inf(1)} {
		if s := Of([]float64{v}); s != 1 {
			t.Errorf("%v: %v", v, s)
		}
	}
	for _, v := range []float64{1e61, 1e-61, math.MaxFloat64, 5e-324, -1e-310} {
		s := Of([]float64{v / 2}, nil, []float64{v})
		if f, _ := math.Frexp(s); f != 0.5 || math.Abs(v/s) < 1 || math.Abs(v/s) >= 2 {
			t.Errorf("%v: %v", v, s)
		}
	}
}

func TestConstant(t *testing.T) {
	third, tenths := 1.0/3, 0.1+0.2
	for _, c := range []struct {
		x    []float64
		want bool
	}{
		{nil, true}, {[]float64{7}, true}, {[]float64{0, 0}, true}, {[]float64{third, 1 - 2*third}, true}, {[]float64{tenths, 0.3}, true},
		{[]float64{1, 1 + 1e-14}, false}, {[]float64{0, 1e-300}, false}, {[]float64{-1, 1}, false}, {[]float64{1e308, -1e308}, false},
		{[]float64{math.NaN(), math.NaN()}, false}, {[]float64{1e-320, 1.1e-320}, false},
	} {
		if got := Constant(c.x); got != c.want {
			t.Errorf("%v: %v", c.x, got)
		}
	}
}

// TestQuantile: what R's quantile(x, p) gives, infinite values included.
func TestQuantile(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		x    []float64
		p, q float64
	}{
		{[]float64{1, 2, 3, inf, inf}, 0.5, 3}, {[]float64{inf, inf}, 0.5, inf}, {[]float64{1, 2, inf, inf}, 0.9, inf}, {[]float64{-inf, 5}, 0.5, -inf},
		{[]float64{-inf, 5}, 1, 5}, {[]float64{-inf, -inf, 0}, 0.25, -inf}, {[]float64{1, inf}, 0, 1}, {[]float64{-1.7e308, 1.7e308}, 0.5, 0},
		{[]float64{-1.6e308, 1.6e308}, 0.75, 0.8e308}, {[]float64{1, 2, 3, 4}, 0.5, 2.5}, {[]float64{1, 2, 3, 4}, 0.1, 1.3}, {[]float64{7}, 0.3, 7},
	} {
		if got := Quantile(c.x, c.p); got != c.q && !(math.Abs(got-c.q) < 1e-15*math.Abs(c.q)) {
			t.Errorf("%v at %v: %v, want %v", c.x, c.p, got, c.q)
		}
	}
	if !math.IsNaN(Quantile([]float64{-inf, inf}, 0.5)) || !math.IsNaN(Quantile(nil, 0.5)) {
		t.Error("between the infinities, or of nothing, must be NaN")
	}
}
