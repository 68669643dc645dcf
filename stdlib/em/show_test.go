package em

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/render"
)

// TestTables: what a cell shows of models, fits and outputs is a table with a row for
// each state, by the bundle that notebooks get too.
func TestTables(t *testing.T) {
	m, x := umbrella()
	fit, err := BaumWelch(ctx, *m, x, &Settings{Iterations: 2})
	if err != nil {
		t.Fatal(err)
	}
	full := unit(mat.NewDense(2, 2, []float64{1, 2, 3, 4}), Full)
	full.Covariances[1] = mat.NewSymDense(2, []float64{4, 3, 3, 9})
	mixed := &GaussianMixture{Weights: mat.NewDense(1, 2, []float64{.25, .75}), Parts: full}
	wide := unit(mat.NewDense(1, 30, nil), Diagonal)
	for _, c := range []struct {
		v     any
		wants []string
	}{
		{m, []string{"hidden Markov model of 2 states, 5 parameters", "start", "to 1", "P(0)", "0.9"}},
		{fit, []string{"after 2 iterations, log-likelihood", "BIC"}},
		{full, []string{"cor 0,1", "0.5", "sd 1"}},
		{&Mixture{Weights: []float64{.25, .75}, Output: full}, []string{"mixture of 2 components", "weight", "0.25"}},
		{mixed, []string{"weight of 1", "mean 0 of 1", "0.75"}},
		{&Poisson{Rate: mat.NewDense(1, 1, []float64{2.5})}, []string{"rate 0", "2.5"}},
		{wide, []string{"mean 15", "16 of 60 columns"}},
		{&Model{}, []string{"start has no states"}},
		{&Poisson{}, []string{"rates are empty"}},
		{&Categorical{}, []string{"probabilities are empty"}},
		{&Fit{}, []string{"no fit"}},
	} {
		b := render.Bundle(c.v)
		text, _ := b["text/plain"].(string)
		page, _ := b["text/html"].(string)
		for _, want := range c.wants {
			if !strings.Contains(text, want) || !strings.Contains(page, want) {
				t.Errorf("%T shows %q and %q, want %q in both", c.v, text, page, want)
			}
		}
	}
	if rows := strings.Count(fit.HTML(), "<tr>"); rows != 3 {
		t.Errorf("%d rows, want a head and 2 states", rows)
	}
}
