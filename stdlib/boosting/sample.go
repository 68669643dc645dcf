package boosting

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// Kink is the function |x - 1/2| - 1/4 of Yang 2018, section 3.4, at the single
// column of x. Its norm in the Sobolev space of 1 + min(x, y) is sqrt(17)/4.
func Kink(x *mat.Dense) []float64 {
	n, _ := x.Dims()
	f := make([]float64, n)
	for i := range f {
		f[i] = math.Abs(x.At(i, 0)-0.5) - 0.25
	}
	return f
}

// Grid returns the points i/n, i = 1 to n, as a column.
func Grid(n int) *mat.Dense {
	x := mat.NewDense(n, 1, nil)
	for i := range n {
		x.Set(i, 0, float64(i+1)/float64(n))
	}
	return x
}

// Draw returns normal responses of mean target and the given variance.
func (Squared) Draw(target []float64, variance float64, rng *rand.Rand) []float64 {
	y, s := make([]float64, len(target)), math.Sqrt(variance)
	for i, f := range target {
		y[i] = f + s*rng.NormFloat64()
	}
	return y
}

// Draw returns labels or counts whose expected loss target minimises: successes
// have probability 1/(1 + e^-target).
func (l Logistic) Draw(target []float64, rng *rand.Rand) []float64 {
	return drawLabels(target, 1, l.Trials, rng)
}

// Draw returns labels or counts whose expected loss target minimises: successes
// have probability 1/(1 + e^(-2 target)).
func (l Exponential) Draw(target []float64, rng *rand.Rand) []float64 {
	return drawLabels(target, 2, l.Trials, rng)
}

func drawLabels(target []float64, slope float64, trials int, rng *rand.Rand) []float64 {
	y := make([]float64, len(target))
	for i, f := range target {
		p := vec.Logistic1(slope * f)
		if trials <= 0 {
			y[i] = -1
			if rng.Float64() < p {
				y[i] = 1
			}
			continue
		}
		for range trials {
			if rng.Float64() < p {
				y[i]++
			}
		}
	}
	return y
}

// Divergence returns the Kullback-Leibler divergence of the law of all responses
// at target from that at other, and its bound n L ||target - other||_n^2/s of eq.
// 3.34 (the exact one is eq. 3.37). Squared has normal responses of variance
// dispersion, L = 1; Logistic has binomial ones, L = 1/4 for each trial, and
// needs dispersion 1. Errors: another loss, a dispersion that is not positive,
// lengths that differ.
func Divergence(loss Loss, target, other []float64, dispersion float64) (exact, bound float64, err error) {
	if !(dispersion > 0) {
		return 0, 0, fmt.Errorf("boosting: dispersion is %v, must be positive", dispersion)
	}
	if len(target) != len(other) {
		return 0, 0, fmt.Errorf("boosting: %d values of other for %d of target", len(other), len(target))
	}
	q := vec.SquaredDistance(target, other)
	switch l := loss.(type) {
	case Squared:
		return q / (2 * dispersion), q / dispersion, nil
	case Logistic:
		sum := Logistic{Trials: max(l.Trials, 1)}
		return float64(len(target)) * sum.Excess(target, other) / dispersion, float64(sum.Trials) * q / 4 / dispersion, nil
	}
	return 0, 0, fmt.Errorf("boosting: loss is %T, must be Squared or Logistic", loss)
}
