package hypothesis

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"gaucho/stdlib/vec"
)

// Tail probabilities, computed as such: one minus a distribution function has no digits left where they are small.

// tailsT sets the p-values of a statistic with Student's law.
func (r *Result) tailsT(df float64) {
	t := r.Statistic
	r.DF = []float64{df}
	r.P = 1
	if t != 0 {
		r.P = mathext.RegIncBeta(df/2, 0.5, df/(df+t*t))
	}
	r.Less, r.Greater = 1-r.P/2, r.P/2
	if t < 0 {
		r.Less, r.Greater = r.Greater, r.Less
	}
}

// intervalT is that of an estimate with Student's law, both in a unit.
func intervalT(estimate, se, df, unit float64) func(float64) (float64, float64) {
	return func(level float64) (float64, float64) {
		half := se * distuv.StudentsT{Sigma: 1, Nu: df}.Quantile((1+level)/2)
		return (estimate - half) * unit, (estimate + half) * unit
	}
}

// noSides is for what has no direction.
func (r *Result) noSides() { r.Less, r.Greater = math.NaN(), math.NaN() }

// twice sets P to that of both sides by the smaller one.
func (r *Result) twice() { r.P = min(1, 2*min(r.Less, r.Greater)) }

// tailsNormal sets the p-values of a statistic that is nearly normal and whole, with half a step of continuity.
func (r *Result) tailsNormal(mean, deviation float64) {
	d := r.Statistic - mean
	r.Less, r.Greater = upperNormal(-(d+0.5)/deviation), upperNormal((d-0.5)/deviation)
	r.twice()
}

func upperNormal(z float64) float64 { return vec.Erfc1(z/math.Sqrt2) / 2 }

func upperF(f, a, b float64) float64 {
	if math.IsInf(f, 1) {
		return 0
	}
	return mathext.RegIncBeta(b/2, a/2, b/(b+a*f))
}

func upperChi(x, df float64) float64 { return mathext.GammaIncRegComp(df/2, x/2) }

// logChoose is the logarithm of the number of ways to choose k of n.
func logChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n) + 1)
	b, _ := math.Lgamma(float64(k) + 1)
	c, _ := math.Lgamma(float64(n-k) + 1)
	return a - b - c
}
