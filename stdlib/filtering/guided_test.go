package filtering

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestGuidedLikelihoods: guided and auxiliary filters estimate the likelihood
// without bias, and the fully adapted one with less variance than the bootstrap
// filter.
func TestGuidedLikelihoods(t *testing.T) {
	m := linear3(t)
	_, Y, err := m.Simulate(10, rand.New(rand.NewPCG(7, 16)))
	if err != nil {
		t.Fatal(err)
	}
	exact := kalman(t, m, Y)
	pf := model(t, m)
	optimal, err := Optimal(pf, m.C, m.R)
	if err != nil {
		t.Fatal(err)
	}
	moveOnly := &Proposal{Mean: optimal.Mean, Noise: optimal.Noise}
	const runs = 200
	variance := map[string]float64{}
	for name, p := range map[string]*Proposal{"bootstrap": {}, "auxiliary": Auxiliary(pf), "guided": moveOnly, "adapted": optimal} {
		for _, threshold := range []float64{.5, 1} {
			if threshold < 1 && name != "adapted" {
				continue
			}
			var s, s2 float64
			for i := range uint64(runs) {
				r, err := Guided(ctx, pf, p, Y, with(func(s *Settings) { s.Particles, s.Threshold = 100, threshold }), rand.New(rand.NewPCG(i, 17)))
				if err != nil {
					t.Fatal(name, err)
				}
				v := math.Exp(r.LogLikelihood - exact.LogLikelihood)
				s += v / runs
				s2 += v * v / runs
			}
			near(t, name, s, 1, 4*math.Sqrt((s2-s*s)/runs))
			variance[name] = s2 - s*s
		}
	}
	if variance["adapted"] > .5*variance["bootstrap"] || variance["guided"] > variance["bootstrap"] {
		t.Errorf("variances of the likelihood ratio: %v", variance)
	}
	r, err := Guided(ctx, pf, optimal, Y, bootstrap(20000), rand.New(rand.NewPCG(1, 17)))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "RMSE with many particles", rmse(r.Means, exact.Means), 0, .03)
	for want, f := range map[string]func() error{
		"filtering: proposal is nil": func() error { _, err := Guided(ctx, pf, nil, Y, nil, rand.New(rand.NewPCG(1, 1))); return err },
		"filtering: proposal must have both Mean and Noise, or neither": func() error {
			_, err := Guided(ctx, pf, &Proposal{Mean: optimal.Mean}, Y, nil, rand.New(rand.NewPCG(1, 1)))
			return err
		},
		"filtering: points are Sobol, must be Monte Carlo in a guided filter": func() error {
			_, err := Guided(ctx, pf, optimal, Y, with(func(s *Settings) { s.Points = Sobol }), rand.New(rand.NewPCG(1, 1)))
			return err
		},
	} {
		if err := f(); err == nil || err.Error() != want {
			t.Errorf("error is %v, want %s", err, want)
		}
	}
}

// TestSmoothing compares both smoothers with the exact one.
func TestSmoothing(t *testing.T) {
	m := &LinearGaussian{A: mat.NewDense(1, 1, []float64{.95}), C: identity(1), Q: mat.NewSymDense(1, []float64{.2}),
		R: symIdentity(1), InitialMean: []float64{0}, InitialCov: symIdentity(1)}
	_, Y, err := m.Simulate(60, rand.New(rand.NewPCG(8, 16)))
	if err != nil {
		t.Fatal(err)
	}
	exact := kalman(t, m, Y)
	want, _, err := KalmanSmoother(m, exact)
	if err != nil {
		t.Fatal(err)
	}
	pf := model(t, m)
	r := run(t, pf, Y, with(func(s *Settings) { s.Particles, s.History = 500, true }), 1)
	back, err := BackwardSimulation(ctx, pf, r, 500, rand.New(rand.NewPCG(2, 18)))
	if err != nil {
		t.Fatal(err)
	}
	lagged, err := FixedLag(r, 4)
	if err != nil {
		t.Fatal(err)
	}
	filtered, err := FixedLag(r, 0)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "lag 0", rmse(filtered, r.Means), 0, 1e-12)
	plain := rmse(r.Means, want)
	if e := rmse(back.Mean(), want); e > .06 || e > .3*plain {
		t.Errorf("RMSE of backward simulation %v, of the filter %v", e, plain)
	}
	if e := rmse(lagged, want); e > .6*plain {
		t.Errorf("RMSE of the fixed lag %v, of the filter %v", e, plain)
	}
	if _, err := FixedLag(run(t, pf, Y, nil, 1), 3); err == nil {
		t.Error("no error without history")
	}
	if _, err := BackwardSimulation(ctx, pf, r, 0, nil); err == nil {
		t.Error("no error for 0 trajectories")
	}
}

// TestPMMH samples the coefficient of an autoregression under a flat prior and
// compares mean and standard deviation with the exact posterior on a grid.
func TestPMMH(t *testing.T) {
	base, all := autoregression(t)
	Y := mat.DenseCopyOf(all.Slice(0, 40, 0, 1))
	with1 := func(rho float64) *LinearGaussian {
		m := *base
		m.A = mat.NewDense(1, 1, []float64{rho})
		return &m
	}
	var total, mean, square float64
	var top float64 = math.Inf(-1)
	for pass := range 2 {
		for i := range 199 {
			rho := -1 + .01*float64(i+1)
			l := kalman(t, with1(rho), Y).LogLikelihood
			if pass == 0 {
				top = math.Max(top, l)
				continue
			}
			w := math.Exp(l - top)
			total += w
			mean += w * rho
			square += w * rho * rho
		}
	}
	mean /= total
	sd := math.Sqrt(square/total - mean*mean)
	settings := DefaultPMMHSettings(2 * sd)
	settings.Iterations = 3000
	settings.Filter = bootstrap(150)
	chain, err := PMMH(ctx, func(theta []float64) (System, error) { return with1(theta[0]).Model() },
		func(theta []float64) float64 {
			if math.Abs(theta[0]) >= 1 {
				return math.Inf(-1)
			}
			return 0
		}, Y, []float64{.5}, settings, rand.New(rand.NewPCG(1, 19)))
	if err != nil {
		t.Fatal(err)
	}
	var m, s float64
	const burn = 200
	for i := burn; i < 3000; i++ {
		v := chain.Parameters.At(i, 0)
		m += v / (3000 - burn)
		s += v * v / (3000 - burn)
	}
	s = math.Sqrt(s - m*m)
	if chain.Accepted < .1 || chain.Accepted > .7 {
		t.Errorf("accepted %v", chain.Accepted)
	}
	near(t, "posterior mean", m, mean, .25*sd)
	near(t, "posterior standard deviation", s, sd, .2*sd)
	if _, err := PMMH(ctx, nil, nil, Y, []float64{.5}, DefaultPMMHSettings(), nil); err == nil {
		t.Error("no error without step sizes")
	}
}
