package boosting

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

// TestFewDistinctPoints: designs of few distinct values, as rounded ages are, have the largest eigenvalues and the critical radius
// that their whole spectrum has.
func TestFewDistinctPoints(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{100, 200} {
		for _, distinct := range []int{1, 2, 5, 10, 20, n} {
			for name, k := range map[string]rkhs.Kernel{"gaussian": rkhs.Gaussian{Bandwidth: 1}, "identity": rkhs.Gaussian{Bandwidth: 1e-3}} {
				x := mat.NewDense(n, 1, nil)
				for i := range n {
					x.Set(i, 0, float64(i%distinct))
				}
				d, err := NewDesign(ctx, k, x)
				if err != nil {
					t.Fatal(err)
				}
				got, err := d.CriticalRadius(ctx, 0.5)
				if err != nil {
					t.Errorf("%s, %d of %d values: %v", name, n, distinct, err)
					continue
				}
				largest, err := d.LambdaMax(ctx)
				if err != nil {
					t.Errorf("%s, %d of %d values: %v", name, n, distinct, err)
					continue
				}
				s, err := d.Spectrum(ctx)
				if err != nil {
					t.Fatal(err)
				}
				want, err := CriticalRadius(s.Values, n, 0.5)
				if err != nil {
					t.Fatal(err)
				}
				if math.Abs(got.Delta-want.Delta) > 1e-7 || math.Abs(largest-s.Values[0]) > 1e-9*s.Values[0] {
					t.Errorf("%s, %d of %d values: delta %v and %v, want %v and %v", name, n, distinct, got.Delta, largest, want.Delta, s.Values[0])
				}
			}
		}
	}
}

// TestExponentialWithoutOverflow: a loss that vanishes is 0 beside the factor e^f that overflows and has no weight.
func TestExponentialWithoutOverflow(t *testing.T) {
	for _, l := range []Exponential{{}, {Trials: 3}, {Trials: 3, Mean: true}} {
		all, none := 1.0, -1.0
		if l.Trials > 0 {
			all, none = 3, 0
		}
		y, f, dst := []float64{all, none}, []float64{800, -800}, make([]float64, 2)
		if v := l.Value(y, f); v != 0 {
			t.Errorf("%+v: value %v, want 0", l, v)
		}
		if l.Gradient(dst, y, f); dst[0] != 0 || dst[1] != 0 {
			t.Errorf("%+v: gradient %v, want 0", l, dst)
		}
		if l.Curvature(dst, y, f); dst[0] != 0 || dst[1] != 0 {
			t.Errorf("%+v: curvature %v, want 0", l, dst)
		}
		if v := l.Value(y, []float64{-800, 800}); !math.IsInf(v, 1) {
			t.Errorf("%+v: value of the wrong sign %v, want +Inf", l, v)
		}
	}
}

func TestOracleSkipsNaN(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		series []float64
		t      int
		value  float64
	}{{[]float64{0, nan, 3, 2}, 3, 2}, {[]float64{0, 4, nan, 5}, 1, 4}, {[]float64{nan, nan, math.Inf(1)}, 2, math.Inf(1)}} {
		if at, v, err := Oracle(c.series); at != c.t || v != c.value || err != nil {
			t.Errorf("%v: %d, %v, %v", c.series, at, v, err)
		}
	}
}

// TestStumpsSeparate: a stump lies between any two values, the largest and neighbours too.
func TestStumpsSeparate(t *testing.T) {
	next := func(x float64) float64 { return math.Nextafter(x, math.Inf(1)) }
	for _, x := range [][2]float64{{-1.7e308, 1.7e308}, {1e308, 1.7e308}, {next(1), next(next(1))}, {1, next(1)}, {0, 5e-324}, {-1e-320, 1e-320}} {
		z := mat.NewDense(2, 1, x[:])
		c, err := Stumps(context.Background(), z, []float64{-1, 1}, 3)
		if err != nil {
			t.Fatal(err)
		}
		if p := c.Predict(z, 0); p[0] != -1 || p[1] != 1 {
			t.Errorf("%v: threshold %v, votes %v", x, c.Stumps[0].Threshold, p)
		}
	}
}
