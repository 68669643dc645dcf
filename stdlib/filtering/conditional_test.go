package filtering

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/herding"
	"gaucho/stdlib/rkhs"
)

// splitModel is a model that is linear in xi too, so that a Kalman filter on
// (xi, zeta) is exact: xi' = .8 xi + .1 + B zeta' + v.
func splitModel(t testing.TB, shared bool) (*ConditionallyLinear, *LinearGaussian) {
	t.Helper()
	F := mat.NewDense(2, 2, []float64{.9, .2, -.1, .7})
	B := []float64{.5, -.3}
	H := []float64{.4, 1}
	const noise, linearNoise, r, c = .2, .3, .1, .6 // y = c xi + H zeta + e
	initial, err := rkhs.NewNormal([]float64{.5}, mat.NewSymDense(1, []float64{.7}))
	if err != nil {
		t.Fatal(err)
	}
	split := &ConditionallyLinear{
		Initial: initial, LinearMean: []float64{1, -1}, LinearCov: mat.NewSymDense(2, []float64{1, .2, .2, .5}),
		F: F, LinearNoise: mat.NewSymDense(2, []float64{linearNoise, 0, 0, linearNoise}), Noise: mat.NewSymDense(1, []float64{noise}),
		Mean: func(dst *mat.Dense, _ int, Xi *mat.Dense) { dst.Scale(.8, Xi) },
		Coupling: func(dst []*mat.Dense, _ int, _ *mat.Dense) {
			for _, d := range dst {
				d.SetRow(0, B)
			}
		},
		R:      mat.NewSymDense(1, []float64{r}),
		Offset: func(dst *mat.Dense, _ int, Xi *mat.Dense) { dst.Scale(c, Xi) },
		Observation: func(dst []*mat.Dense, _ int, _ *mat.Dense) {
			for _, d := range dst {
				d.SetRow(0, H)
			}
		},
		Shared: shared,
	}
	// Joint state (xi, zeta): xi' = .8 xi + B F zeta + B w + v.
	var bf mat.Dense
	b := mat.NewDense(1, 2, B)
	bf.Mul(b, F)
	A := mat.NewDense(3, 3, []float64{.8, bf.At(0, 0), bf.At(0, 1), 0, .9, .2, 0, -.1, .7})
	g := mat.NewDense(3, 3, []float64{1, B[0], B[1], 0, 1, 0, 0, 0, 1})
	q := congruence(g, mat.NewSymDense(3, []float64{noise, 0, 0, 0, linearNoise, 0, 0, 0, linearNoise}))
	joint := &LinearGaussian{A: A, C: mat.NewDense(1, 3, []float64{c, H[0], H[1]}), Q: q, R: mat.NewSymDense(1, []float64{r}),
		InitialMean: []float64{.5, 1, -1}, InitialCov: mat.NewSymDense(3, []float64{.7, 0, 0, 0, 1, .2, 0, .2, .5})}
	return split, joint
}

// TestRaoBlackwellisation: on a model that is linear throughout the filters agree
// with the Kalman filter of the whole state, and one covariance for all particles
// gives what one each gives.
func TestRaoBlackwellisation(t *testing.T) {
	split, exactModel := splitModel(t, false)
	common, _ := splitModel(t, true)
	const steps, runs, n = 15, 20, 1000
	_, Y, err := exactModel.Simulate(steps, rand.New(rand.NewPCG(3, 3)))
	if err != nil {
		t.Fatal(err)
	}
	exact := kalman(t, exactModel, Y)
	sum, square := mat.NewDense(steps, 3, nil), mat.NewDense(steps, 3, nil)
	var evidence, evidence2 float64
	for seed := range uint64(runs) {
		a, b := run(t, split, Y, bootstrap(n), seed), run(t, common, Y, bootstrap(n), seed)
		near(t, "log-likelihood of the shared form", b.LogLikelihood, a.LogLikelihood, 1e-9)
		ratio := math.Exp(a.LogLikelihood - exact.LogLikelihood)
		evidence += ratio / runs
		evidence2 += ratio * ratio / runs
		for s := range steps {
			for j, v := range []float64{a.Means.At(s, 0), a.LinearMeans.At(s, 0), a.LinearMeans.At(s, 1)} {
				w := []float64{b.Means.At(s, 0), b.LinearMeans.At(s, 0), b.LinearMeans.At(s, 1)}[j]
				near(t, "mean of the shared form", w, v, 1e-9)
				sum.Set(s, j, sum.At(s, j)+v/runs)
				square.Set(s, j, square.At(s, j)+v*v/runs)
			}
		}
	}
	for s := range steps {
		for j := range 3 {
			m := sum.At(s, j)
			near(t, "mean over runs", m, exact.Means.At(s, j), 5*math.Sqrt((square.At(s, j)-m*m)/runs)+1e-3)
		}
	}
	near(t, "likelihood ratio", evidence, 1, 5*math.Sqrt((evidence2-evidence*evidence)/runs))
	// Quasi-Monte Carlo and herding on the same model. Herding sees xi alone, of one
	// dimension, and stops when a few particles stand for its distribution; what
	// they say of zeta is then a small sample, so this only tests the machinery.
	for name, s := range map[string]*Settings{
		"Sobol": with(func(s *Settings) { s.Points = Sobol }),
		"SQMC":  with(func(s *Settings) { s.Points = SequentialQMC }),
		"FW":    herd(100, herding.Fixed, .1, 1000),
		"FCFW":  herd(100, herding.FullyCorrective, .1, 1000),
	} {
		for _, m := range []*ConditionallyLinear{split, common} {
			r := run(t, m, Y, s, 1)
			e := rmse(mat.DenseCopyOf(r.Means), mat.DenseCopyOf(exact.Means.Slice(0, steps, 0, 1)))
			if e > .25 {
				t.Errorf("%s: RMSE %v", name, e)
			}
		}
	}
	bad := *split
	bad.Observation = nil
	if _, err := Run(ctx, &bad, Y, nil, rand.New(rand.NewPCG(1, 1))); err == nil || err.Error() != "filtering: R and Observation must both be there, or neither" {
		t.Errorf("error is %v", err)
	}
}
