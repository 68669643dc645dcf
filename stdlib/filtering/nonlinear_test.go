package filtering

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// asNonlinear writes a linear model as a nonlinear one.
func asNonlinear(m *LinearGaussian) *Nonlinear {
	return &Nonlinear{InitialMean: m.InitialMean, InitialCov: m.InitialCov, Q: m.Q, R: m.R,
		Move:    func(dst []float64, _ int, x []float64) { copy(dst, product(m.A, x)) },
		Observe: func(dst []float64, _ int, x []float64) { copy(dst, product(m.C, x)) },
	}
}

// TestGaussianFiltersOnLinearModels: both are the Kalman filter there, whatever
// the parameters.
func TestGaussianFiltersOnLinearModels(t *testing.T) {
	m := linear3(t)
	_, Y, err := m.Simulate(20, rand.New(rand.NewPCG(1, 15)))
	if err != nil {
		t.Fatal(err)
	}
	want := kalman(t, m, Y)
	n := asNonlinear(m)
	exact := *n
	exact.MoveJacobian = func(dst *mat.Dense, _ int, _ []float64) { dst.Copy(m.A) }
	exact.ObserveJacobian = func(dst *mat.Dense, _ int, _ []float64) { dst.Copy(m.C) }
	results := map[string]*KalmanResult{}
	for name, f := range map[string]func() (*KalmanResult, error){
		"extended":       func() (*KalmanResult, error) { return ExtendedKalman(ctx, n, Y) },
		"extended exact": func() (*KalmanResult, error) { return ExtendedKalman(ctx, &exact, Y) },
		"unscented":      func() (*KalmanResult, error) { return UnscentedKalman(ctx, n, Y, nil) },
		"unscented narrow": func() (*KalmanResult, error) {
			return UnscentedKalman(ctx, n, Y, &UnscentedSettings{Alpha: .5, Beta: 2, Kappa: 1})
		},
	} {
		r, err := f()
		if err != nil {
			t.Fatal(name, err)
		}
		results[name] = r
		near(t, name+" log-likelihood", r.LogLikelihood, want.LogLikelihood, 1e-7)
		for s := range 20 {
			for j := range 3 {
				near(t, name+" mean", r.Means.At(s, j), want.Means.At(s, j), 1e-7)
				near(t, name+" covariance", r.Covs[s].At(j, 0), want.Covs[s].At(j, 0), 1e-7)
			}
		}
	}
	pf, err := n.Model()
	if err != nil {
		t.Fatal(err)
	}
	a, b := run(t, pf, Y, bootstrap(100), 1), run(t, model(t, m), Y, bootstrap(100), 1)
	near(t, "particle filter", a.LogLikelihood, b.LogLikelihood, 1e-9)
	if _, err := UnscentedKalman(ctx, n, Y, &UnscentedSettings{Alpha: 1, Kappa: -3}); err == nil {
		t.Error("no error for kappa = -dimension")
	}
	broken := *n
	broken.Move = nil
	if _, err := ExtendedKalman(ctx, &broken, Y); err == nil || err.Error() != "filtering: nonlinear model lacks a function" {
		t.Errorf("error is %v", err)
	}
	wild := *n
	wild.Move = func(dst []float64, _ int, _ []float64) { dst[0] = math.NaN() }
	if _, err := UnscentedKalman(ctx, &wild, Y, nil); err == nil {
		t.Error("no error for a function without value")
	}
}

// TestUnscentedMoments: for a quadratic function of a Gaussian the unscented mean
// is exact: E x^2 = mean^2 + variance.
func TestUnscentedMoments(t *testing.T) {
	b := belief{mean: []float64{1.5}, cov: mat.NewSymDense(1, []float64{.7})}
	s, err := newSigma(b, &UnscentedSettings{Alpha: 1, Beta: 2, Kappa: 2})
	if err != nil {
		t.Fatal(err)
	}
	mean, cov, cross := s.through(func(dst []float64, _ int, x []float64) { dst[0] = x[0] * x[0] }, 1, 1)
	near(t, "mean", mean[0], 1.5*1.5+.7, 1e-14)
	near(t, "covariance with x", cross.At(0, 0), 2*1.5*.7, 1e-14)
	if cov.At(0, 0) <= 0 {
		t.Errorf("variance %v", cov.At(0, 0))
	}
}

// TestGaussianFiltersTrackAPendulum: on a mild nonlinearity both come close to a
// particle filter with many particles.
func TestGaussianFiltersTrackAPendulum(t *testing.T) {
	const dt = .1
	m := &Nonlinear{InitialMean: []float64{1, 0}, InitialCov: mat.NewSymDense(2, []float64{.1, 0, 0, .1}),
		Q: mat.NewSymDense(2, []float64{1e-4, 0, 0, 1e-3}), R: mat.NewSymDense(1, []float64{.05}),
		Move: func(dst []float64, _ int, x []float64) {
			dst[0], dst[1] = x[0]+dt*x[1], x[1]-dt*9.8*math.Sin(x[0])
		},
		Observe: func(dst []float64, _ int, x []float64) { dst[0] = math.Sin(x[0]) },
	}
	pf, err := m.Model()
	if err != nil {
		t.Fatal(err)
	}
	_, Y, err := pf.Simulate(40, 1, func(dst []float64, _ int, x []float64, rng *rand.Rand) {
		dst[0] = math.Sin(x[0]) + math.Sqrt(.05)*rng.NormFloat64()
	}, rand.New(rand.NewPCG(4, 15)))
	if err != nil {
		t.Fatal(err)
	}
	many := run(t, pf, Y, bootstrap(20000), 1)
	ekf, err1 := ExtendedKalman(ctx, m, Y)
	ukf, err2 := UnscentedKalman(ctx, m, Y, nil)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	e, u := rmse(ekf.Means, many.Means), rmse(ukf.Means, many.Means)
	if e > .3 || u > .3 {
		t.Errorf("RMSE to the particle filter: extended %v, unscented %v", e, u)
	}
	near(t, "log-likelihood of the unscented filter", ukf.LogLikelihood, many.LogLikelihood, 3)
}
