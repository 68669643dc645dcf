package em

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/oracle"
)

// An errorsPeer is a fit by testdata/errors.R.
type errorsPeer struct {
	X, Par, SE []float64
	LL         float64
}

// near checks estimates and errors by name. The peer differentiates numerically too, so four digits agree.
func (p errorsPeer) near(t *testing.T, name string, s *StandardErrors, parameters []string) {
	t.Helper()
	for i, parameter := range parameters {
		found := false
		for k, n := range s.Parameters {
			if n == parameter {
				found = true
				if math.Abs(s.Estimate[k]-p.Par[i]) > 1e-4*p.SE[i] || math.Abs(s.Error[k]/p.SE[i]-1) > 2e-4 {
					t.Errorf("%s, %s: %.7g with error %.6g, R has %.7g with %.6g", name, parameter, s.Estimate[k], s.Error[k], p.Par[i], p.SE[i])
				}
			}
		}
		if !found {
			t.Errorf("%s: no parameter %q in %q", name, parameter, s.Parameters)
		}
	}
}

// TestStandardErrors compares with maximum likelihood in R.
func TestStandardErrors(t *testing.T) {
	var peers struct{ Gauss, Poisson, Mixture errorsPeer }
	oracle.Read(t, "errors.json", &peers)
	column := func(x []float64) *mat.Dense { return mat.NewDense(len(x), 1, x) }
	chain := func(o Output) Model {
		return Model{Start: []float64{.5, .5}, Transition: mat.NewDense(2, 2, []float64{.9, .1, .25, .75}), Output: o}
	}
	set := &Settings{Iterations: 20000, Tolerance: 1e-13, KeepStart: true}
	transition := []string{"transition 0 to 1", "transition 1 to 0"}
	for name, c := range map[string]struct {
		peer       errorsPeer
		output     Output
		parameters []string
	}{
		"gauss": {peers.Gauss, &Gaussian{Means: column([]float64{-1, 1.5}), Kind: Diagonal, Variances: column([]float64{.6, 1.4})},
			append(transition, "mean 0 of state 0", "mean 0 of state 1", "variance 0 of state 0", "variance 0 of state 1")},
		"full": {peers.Gauss, &Gaussian{Means: column([]float64{-1, 1.5}), Kind: Full, Covariances: []*mat.SymDense{mat.NewSymDense(1, []float64{.6}), mat.NewSymDense(1, []float64{1.4})}},
			append(transition, "mean 0 of state 0", "mean 0 of state 1", "covariance 0, 0 of state 0", "covariance 0, 0 of state 1")},
		"poisson": {peers.Poisson, &Poisson{Rate: column([]float64{2, 7})}, append(transition, "rate 0 of state 0", "rate 0 of state 1")},
	} {
		fit, err := BaumWelch(context.Background(), chain(c.output), column(c.peer.X), set)
		if err != nil {
			t.Fatal(name, err)
		}
		if l := last(fit.LogLikelihood); math.Abs(l-c.peer.LL) > 1e-6 {
			t.Errorf("%s: log-likelihood %v, R has %v", name, l, c.peer.LL)
		}
		s, err := fit.Model.StandardErrors(context.Background(), column(c.peer.X))
		if err != nil {
			t.Fatal(name, err)
		}
		c.peer.near(t, name, s, c.parameters)
		if a, b := s.Error[0], s.Error[1]; math.Abs(a/b-1) > 1e-9 { // probabilities that sum to 1
			t.Errorf("%s: errors of a row of transitions are %v and %v", name, a, b)
		}
	}
	mixture := Mixture{Weights: []float64{.35, .65}, Output: &Gaussian{Means: column([]float64{-2, 1}), Kind: Spherical, Variances: column([]float64{.5, 1.2})}}
	fit, err := FitMixture(context.Background(), mixture, column(peers.Mixture.X), &Settings{Iterations: 20000, Tolerance: 1e-13})
	if err != nil {
		t.Fatal(err)
	}
	s, err := fit.Mixture.StandardErrors(context.Background(), column(peers.Mixture.X))
	if err != nil {
		t.Fatal(err)
	}
	peers.Mixture.near(t, "mixture", s, []string{"weight 0", "mean 0 of state 0", "mean 0 of state 1", "variance of state 0", "variance of state 1"})
	low, high, err := s.Interval(.95)
	if err != nil || math.Abs(high[0]-low[0]-2*1.959963984540054*s.Error[0]) > 1e-12 {
		t.Errorf("interval from %v to %v, error %v; %v", low[0], high[0], s.Error[0], err)
	}
}

// TestStandardErrorsOfANormal: with one component the errors have a closed form.
func TestStandardErrorsOfANormal(t *testing.T) {
	const n = 300
	rng := rand.New(rand.NewPCG(3, 9))
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		x.SetRow(i, []float64{40 + 10*a, .02 * (a + b)})
	}
	start := Mixture{Weights: []float64{1}, Output: &Gaussian{Means: mat.NewDense(1, 2, nil), Kind: Full, Covariances: []*mat.SymDense{mat.NewSymDense(2, []float64{1, 0, 0, 1})}}}
	fit, err := FitMixture(context.Background(), start, x, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := fit.Mixture.StandardErrors(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	c := fit.Mixture.Output.(*Gaussian).Covariances[0]
	v, w, u := c.At(0, 0), c.At(1, 1), c.At(0, 1)
	want := []float64{0, math.Sqrt(v / n), math.Sqrt(w / n), v * math.Sqrt(2./n), math.Sqrt((v*w + u*u) / n), w * math.Sqrt(2./n)}
	for i, e := range want[1:] {
		if math.Abs(s.Error[i]/e-1) > 1e-4 {
			t.Errorf("%s: error %v, want %v", s.Parameters[i], s.Error[i], e)
		}
	}
}

func TestStandardErrorsRefuse(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	model := &Model{Start: []float64{.5, .5}, Transition: mat.NewDense(2, 2, []float64{.9, .1, .2, .8}),
		Output: &Gaussian{Means: mat.NewDense(2, 1, []float64{-1, 1}), Kind: Diagonal, Variances: mat.NewDense(2, 1, []float64{1, 1})}}
	x, _, err := model.Sample(200, rng)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(name string, m *Model, want string) {
		t.Helper()
		if _, err := m.StandardErrors(context.Background(), x); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
	refused("the truth", model, "from a maximum")
	edge := *model
	edge.Transition = mat.NewDense(2, 2, []float64{1, 0, .2, .8})
	refused("an absorbing state", &edge, "transition 0 to 1 is 0")
	other := *model
	other.Output = &Missing{Output: model.Output}
	refused("another output", &other, "not *em.Missing")
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := model.StandardErrors(cancelled, x); err == nil {
		t.Error("a cancelled context is no error")
	}
}
