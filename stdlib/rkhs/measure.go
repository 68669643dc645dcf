package rkhs

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Measure is a weighted sample, sum_i W[i] delta(X[i,:]): X is n x d, W has
// length n. Nil weights mean 1/n each. Weights may be negative and need not sum
// to one (Bayesian quadrature does both); where a probability is needed, the
// function says so.
type Measure struct {
	X *mat.Dense
	W []float64
}

// Uniform returns the empirical measure of the rows of X, with weights 1/n.
func Uniform(X *mat.Dense) Measure {
	n, _ := X.Dims()
	w := make([]float64, n)
	for i := range w {
		w[i] = 1 / float64(n)
	}
	return Measure{X: X, W: w}
}

// Len returns the number of atoms.
func (m Measure) Len() int {
	n, _ := m.X.Dims()
	return n
}

// Dim returns the dimension of the atoms.
func (m Measure) Dim() int {
	_, d := m.X.Dims()
	return d
}

// weight returns the weight of atom i.
func (m Measure) weight(i int) float64 {
	if m.W == nil {
		return 1 / float64(m.Len())
	}
	return m.W[i]
}

// TotalWeight returns the sum of the weights.
func (m Measure) TotalWeight() float64 {
	var s float64
	for i := range m.Len() {
		s += m.weight(i)
	}
	return s
}

// Mean returns sum_i w_i x_i. It is not divided by the sum of the weights.
func (m Measure) Mean() []float64 {
	mean := make([]float64, m.Dim())
	for i := range m.Len() {
		w := m.weight(i)
		for j, v := range m.X.RawRowView(i) {
			mean[j] += w * v
		}
	}
	return mean
}

// Expect returns the quadrature sum_i w_i f(x_i).
func (m Measure) Expect(f func(x []float64) float64) float64 {
	var s float64
	for i := range m.Len() {
		s += m.weight(i) * f(m.X.RawRowView(i))
	}
	return s
}

// Sample draws n atoms independently, each with probability proportional to its
// weight, and returns them as the rows of an n x d matrix. It panics if the
// measure is not valid or has a negative weight (see [Measure.Validate]).
func (m Measure) Sample(rng *rand.Rand, n int) *mat.Dense {
	cumulative := make([]float64, m.Len())
	var s float64
	for i := range cumulative {
		w := m.weight(i)
		if !(w >= 0) {
			panic(fmt.Sprintf("rkhs: weight %d is %v, must not be negative to sample", i, w))
		}
		s += w
		cumulative[i] = s
	}
	X := mat.NewDense(n, m.Dim(), nil)
	for i := range n {
		X.SetRow(i, m.X.RawRowView(pick(cumulative, rng.Float64()*s)))
	}
	return X
}

// Validate returns an error unless X has at least one row, all numbers are
// finite and there is a weight for each row.
func (m Measure) Validate() error {
	if err := finite("points", m.X); err != nil {
		return err
	}
	if m.W == nil {
		return nil
	}
	if len(m.W) != m.Len() {
		return fmt.Errorf("rkhs: %d weights for %d points", len(m.W), m.Len())
	}
	for i, w := range m.W {
		if math.IsNaN(w) || math.IsInf(w, 0) {
			return fmt.Errorf("rkhs: weight %d is %v, must be finite", i, w)
		}
	}
	return nil
}

// pick returns the first index whose cumulative weight exceeds u, and the last
// index if rounding leaves none.
func pick(cumulative []float64, u float64) int {
	lo, hi := 0, len(cumulative)-1
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if cumulative[mid] > u {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// checkProbabilities returns an error unless the weights are n finite numbers,
// not negative, that sum to one within 1e-8.
func checkProbabilities(weights []float64, n int) error {
	if len(weights) != n {
		return fmt.Errorf("rkhs: %d weights for %d components", len(weights), n)
	}
	var s float64
	for i, w := range weights {
		if err := notNegative(fmt.Sprintf("weight %d", i), w); err != nil {
			return err
		}
		s += w
	}
	if math.Abs(s-1) > 1e-8 {
		return fmt.Errorf("rkhs: weights sum to %v, must sum to 1", s)
	}
	return nil
}
