package filtering

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestStrings: what a cell shows of a linear model and of its fit has the numbers of the matrices.
func TestStrings(t *testing.T) {
	m := &LinearGaussian{
		A: mat.NewDense(2, 2, []float64{.5, .25, 0, .75}), C: mat.NewDense(1, 2, []float64{1, 2}), Q: mat.NewSymDense(2, []float64{1, 0, 0, 1}),
		R: mat.NewSymDense(1, []float64{3}), InitialMean: []float64{7, 8}, InitialCov: mat.NewSymDense(2, []float64{4, 0, 0, 4}),
	}
	for want, got := range map[string]string{
		"linear Gaussian model of 2 states and 1 observed numbers\nA = ": m.String(),
		"⎡0.5  0.25⎤\n    ⎣  0  0.75⎦\nQ":                                m.String(),
		"InitialMean = [7  8]":                                           m.String(),
		"converged after 1 iterations, log-likelihood -2\nlinear":        (&LinearFit{Model: m, LogLikelihood: []float64{-3, -2}, Converged: true}).String(),
		"<pre>linear Gaussian model of 2 states":                         m.HTML(),
		"<pre>no fit</pre>":                                              (&LinearFit{}).HTML(),
		"no fit":                                                         (&LinearFit{}).String(),
		"linear model lacks a matrix":                                    (*LinearGaussian)(nil).String(),
	} {
		if !strings.Contains(got, want) {
			t.Errorf("a cell shows\n%s\nwithout\n%s", got, want)
		}
	}
}
