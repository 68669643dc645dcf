package em

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestPoisson checks densities against the closed form, and finds the rates of a
// chain of two states again.
func TestPoisson(t *testing.T) {
	p := &Poisson{Rate: mat.NewDense(2, 2, []float64{2, 1, 14, 3})}
	x := mat.NewDense(3, 2, []float64{0, 0, 3, 1, 20, 4})
	dst := make([]float64, 6)
	if err := p.LogDensity(dst, x); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		for j := range 2 {
			want := 0.0
			for a := range 2 {
				k, r := x.At(i, a), p.Rate.At(j, a)
				f, _ := math.Lgamma(k + 1)
				want += k*math.Log(r) - r - f
			}
			near(t, "log probability", dst[i*2+j], want, 1e-13)
		}
	}
	truth := &Model{Start: []float64{.5, .5}, Transition: mat.NewDense(2, 2, []float64{.9, .1, .2, .8}), Output: p}
	data, _, err := truth.Sample(4000, rand.New(rand.NewPCG(31, 0)))
	if err != nil {
		t.Fatal(err)
	}
	start := *truth
	start.Output = &Poisson{Rate: mat.NewDense(2, 2, []float64{4, 2, 10, 2})}
	fit, err := BaumWelch(ctx, start, data, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(fit.LogLikelihood); i++ {
		if fit.LogLikelihood[i] < fit.LogLikelihood[i-1]-1e-8 {
			t.Errorf("likelihood falls at %d", i)
		}
	}
	for j := range 2 {
		for a := range 2 {
			got, want := fit.Model.Output.(*Poisson).Rate.At(j, a), p.Rate.At(j, a)
			if math.Abs(got-want) > 4*math.Sqrt(want/1300) { // four standard errors of the mean of 1,300 counts
				t.Errorf("rate %d %d is %v, want %v", j, a, got, want)
			}
		}
	}
	for _, v := range []float64{-1, 0.5, 1e8} {
		if err := p.LogDensity(dst, mat.NewDense(1, 2, []float64{0, v})); err == nil || !strings.Contains(err.Error(), "must be a count") {
			t.Errorf("count %v: error is %v", v, err)
		}
	}
	zeros := mat.NewDense(10, 2, nil)
	if _, err := BaumWelch(ctx, start, zeros, nil); err == nil || !strings.Contains(err.Error(), "rate of state 0 is 0") {
		t.Errorf("zeros alone: error is %v", err)
	}
	start.Output.(*Poisson).Floor = 1e-3
	if _, err := BaumWelch(ctx, start, zeros, nil); err != nil {
		t.Error(err)
	}
}
