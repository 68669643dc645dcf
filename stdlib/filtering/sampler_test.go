package filtering

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestSampler filters a hidden chain of two states, whose likelihood is a sum over
// paths, and a linear model that is given by its sampler only.
func TestSampler(t *testing.T) {
	transition := [2][2]float64{{.9, .1}, {.3, .7}}
	emission := [2][2]float64{{.8, .2}, {.25, .75}}
	m := &Sampler{
		Dim: 1,
		Start: func(X *mat.Dense, rng *rand.Rand) {
			for i := range X.RawMatrix().Rows {
				X.Set(i, 0, float64(rng.IntN(2)))
			}
		},
		Move: func(X *mat.Dense, _ int, rng *rand.Rand) {
			for i := range X.RawMatrix().Rows {
				next := 0.0
				if rng.Float64() >= transition[int(X.At(i, 0))][0] {
					next = 1
				}
				X.Set(i, 0, next)
			}
		},
		LogLik: func(dst []float64, _ int, X *mat.Dense, y []float64) {
			for i := range dst {
				dst[i] = math.Log(emission[int(X.At(i, 0))][int(y[0])])
			}
		},
	}
	Y := mat.NewDense(8, 1, []float64{0, 0, 1, 1, 0, 1, 1, 0})
	forward := [2]float64{.5, .5}
	var logLik float64
	exact := make([]float64, 8)
	for s := range 8 {
		if s > 0 {
			forward = [2]float64{forward[0]*transition[0][0] + forward[1]*transition[1][0], forward[0]*transition[0][1] + forward[1]*transition[1][1]}
		}
		forward[0] *= emission[0][int(Y.At(s, 0))]
		forward[1] *= emission[1][int(Y.At(s, 0))]
		total := forward[0] + forward[1]
		forward[0] /= total
		forward[1] /= total
		logLik += math.Log(total)
		exact[s] = forward[1]
	}
	r := run(t, m, Y, bootstrap(50000), 1)
	near(t, "log-likelihood", r.LogLikelihood, logLik, .02)
	for s, want := range exact {
		near(t, "probability of state 1", r.Means.At(s, 0), want, .01)
	}
	for want, f := range map[string]func() error{
		"filtering: points are herding, must be Monte Carlo for a sampled model": func() error {
			_, err := Run(ctx, m, Y, with(func(s *Settings) { s.Points = Herding }), rand.New(rand.NewPCG(1, 1)))
			return err
		},
		"filtering: sampled model lacks a function": func() error {
			_, err := Run(ctx, &Sampler{Dim: 1}, Y, nil, rand.New(rand.NewPCG(1, 1)))
			return err
		},
		"filtering: state of particle 3 at step 2 is NaN, must be finite": func() error {
			bad := *m
			bad.Move = func(X *mat.Dense, _ int, _ *rand.Rand) { X.Set(3, 0, math.NaN()) }
			_, err := Run(ctx, &bad, Y, nil, rand.New(rand.NewPCG(1, 1)))
			return err
		},
	} {
		if err := f(); err == nil || err.Error() != want {
			t.Errorf("error is %v, want %s", err, want)
		}
	}
}
