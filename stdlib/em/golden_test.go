package em

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/oracle"
	"gaucho/stdlib/vec"
)

// golden are fits of hmmlearn and scikit-learn; testdata/golden.py made them.
type golden struct {
	X, Counts, From [][]float64
	HMM             map[string]struct {
		History           []float64
		Transition, Means [][]float64
		Score             float64
	}
	Mixture map[string]struct {
		Means           [][]float64
		Weights         []float64
		Score, AIC, BIC float64
	}
}

func readGolden(t *testing.T) *golden {
	t.Helper()
	g := new(golden)
	oracle.Read(t, "golden.json", g)
	return g
}

func nearMatrix(t *testing.T, name string, got mat.Matrix, want [][]float64, tol float64) {
	t.Helper()
	for i, row := range want {
		for j, v := range row {
			near(t, name, got.At(i, j), v, tol)
		}
	}
}

// unit returns outputs with unit covariances of a kind.
func unit(means *mat.Dense, kind Kind) *Gaussian {
	s, d := means.Dims()
	c := &clusters{rows: [][]float64{make([]float64, d)}, centres: make([][]float64, s), variance: make([]float64, d)}
	vec.Fill(c.variance, 1)
	for j := range s {
		c.centres[j] = means.RawRowView(j)
	}
	return c.gaussian(kind)
}

var sklearnKinds = map[string]Kind{"spherical": Spherical, "diag": Diagonal, "full": Full, "tied": Tied}

// TestGoldenHMM compares likelihoods of all iterations and the last parameters.
func TestGoldenHMM(t *testing.T) {
	g := readGolden(t)
	from := oracle.Matrix(g.From)
	shifted := mat.NewDense(6, 2, nil)
	for i := range 6 {
		for a := range 2 {
			shifted.Set(i, a, from.At(i/2, a)+float64(i%2)-0.5)
		}
	}
	outputs := map[string]Output{
		"poisson": &Poisson{Rate: mat.NewDense(3, 2, []float64{2, 5, 4, 4, 7, 1})},
		"mixture": &GaussianMixture{Weights: mat.NewDense(3, 2, []float64{.5, .5, .5, .5, .5, .5}), Parts: unit(shifted, Diagonal)},
	}
	for name, kind := range sklearnKinds {
		outputs[name] = unit(from, kind)
	}
	for name, want := range g.HMM {
		x := oracle.Matrix(g.X)
		if name == "poisson" {
			x = oracle.Matrix(g.Counts)
		}
		third := 1.0 / 3
		m := Model{Start: []float64{third, third, third}, Output: outputs[name],
			Transition: mat.NewDense(3, 3, []float64{.6, .2, .2, .2, .6, .2, .2, .2, .6})}
		fit, err := BaumWelch(ctx, m, x, &Settings{Iterations: 15, Tolerance: math.Inf(-1), MinVisits: 1e-6})
		if err != nil {
			t.Fatal(err)
		}
		if name == "mixture" { // hmmlearn takes variances about the means before: its steps are not the best
			near(t, name+": log-likelihood", fit.LogLikelihood[0], want.History[0], 1e-10)
			if !(fit.LogLikelihood[15] > want.Score) {
				t.Errorf("log-likelihood %v, hmmlearn has %v", fit.LogLikelihood[15], want.Score)
			}
			continue
		}
		for i, v := range want.History {
			near(t, name+": log-likelihood", fit.LogLikelihood[i], v, 1e-10)
		}
		near(t, name+": last log-likelihood", fit.LogLikelihood[15], want.Score, 1e-10)
		nearMatrix(t, name+": transition", fit.Model.Transition, want.Transition, 1e-8)
		var means mat.Matrix
		switch o := fit.Model.Output.(type) {
		case *Gaussian:
			means = o.Means
		case *Poisson:
			means = o.Rate
		}
		nearMatrix(t, name+": means", means, want.Means, 1e-7)
	}
}

// TestGoldenMixture compares with scikit-learn's GaussianMixture after 20 iterations.
func TestGoldenMixture(t *testing.T) {
	g := readGolden(t)
	third := 1.0 / 3
	for name, want := range g.Mixture {
		m := Mixture{Weights: []float64{third, third, third}, Output: unit(oracle.Matrix(g.From), sklearnKinds[name])}
		x := oracle.Matrix(g.X)
		fit, err := FitMixture(ctx, m, x, &Settings{Iterations: 20, Tolerance: math.Inf(-1), MinVisits: 1e-6})
		if err != nil {
			t.Fatal(err)
		}
		last := fit.LogLikelihood[20]
		near(t, name+": log-likelihood", last, want.Score, 1e-9)
		nearMatrix(t, name+": means", fit.Mixture.Output.(*Gaussian).Means, want.Means, 1e-7)
		nearMatrix(t, name+": weights", mat.NewDense(1, 3, fit.Mixture.Weights), [][]float64{want.Weights}, 1e-8)
		near(t, name+": AIC", fit.Mixture.AIC(last), want.AIC, 1e-9)
		near(t, name+": BIC", fit.Mixture.BIC(last, len(g.X)), want.BIC, 1e-9)
	}
}
