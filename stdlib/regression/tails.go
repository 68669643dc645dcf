package regression

import (
	"math"

	"gaucho/stdlib/vec"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// Tail probabilities, computed as such: one minus a distribution function has no digits left where they are small.

// twoSided returns the probability that a statistic of the family is farther from zero than x.
func (m *Model) twoSided(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case m.Family != Gaussian:
		return vec.Erfc1(math.Abs(x) / math.Sqrt2)
	}
	df := float64(m.testDF())
	return mathext.RegIncBeta(df/2, 0.5, df/(df+x*x))
}

// quantile returns the value that a statistic of the family is below with probability p.
func (m *Model) quantile(p float64) float64 {
	if m.Family != Gaussian {
		return vec.NormalQuantile1(p)
	}
	if m.testDF() == 0 {
		return math.NaN()
	}
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(m.testDF())}.Quantile(p)
}

// upperF returns the probability that F with a and b degrees of freedom exceeds x.
func upperF(x float64, a, b int) float64 {
	if math.IsNaN(x) || a == 0 || b == 0 {
		return math.NaN()
	}
	if math.IsInf(x, 1) {
		return 0
	}
	return mathext.RegIncBeta(float64(b)/2, float64(a)/2, float64(b)/(float64(b)+float64(a)*x))
}

// upperChi returns the probability that chi-squared with k degrees of freedom exceeds x.
func upperChi(x float64, k int) float64 {
	if k == 0 || math.IsNaN(x) {
		return math.NaN()
	}
	return mathext.GammaIncRegComp(float64(k)/2, max(x, 0)/2)
}
