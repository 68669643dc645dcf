package inference

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/vec"
)

// TiedMixture is the mixture of two normal distributions on the line whose means share a parameter,
//
//	x ~ Weight N(theta_1, Sigma^2) + (1 - Weight) N(theta_1 + theta_2, Sigma^2),
//	theta_1 ~ N(0, Scale1^2),  theta_2 ~ N(0, Scale2^2)
//
// (Dai 2018, section 4.6.1, with Weight 0.5, Sigma 2.5 and scales 1; Welling and Teh 2011). With Weight 0.5 the likelihood
// is the same at (theta_1, theta_2) and (theta_1 + theta_2, -theta_2), so the posterior has two modes.
type TiedMixture struct {
	X              []float64 // observations
	Weight         float64   // in (0, 1)
	Sigma          float64
	Scale1, Scale2 float64
}

// NewTiedMixture returns the model of the source for data x, which it keeps.
func NewTiedMixture(x []float64) *TiedMixture {
	return &TiedMixture{X: x, Weight: 0.5, Sigma: 2.5, Scale1: 1, Scale2: 1}
}

// Simulate replaces the observations by n draws at the given parameters.
func (m *TiedMixture) Simulate(n int, theta1, theta2 float64, rng *rand.Rand) {
	m.X = make([]float64, n)
	for i := range m.X {
		m.X[i] = theta1 + m.Sigma*rng.NormFloat64()
		if rng.Float64() >= m.Weight {
			m.X[i] += theta2
		}
	}
}

// Validate returns an error unless there are observations, all finite, and the constants are in their ranges.
func (m *TiedMixture) Validate() error {
	if len(m.X) == 0 {
		return fmt.Errorf("inference: there are 0 observations, must be at least 1")
	}
	for i, x := range m.X {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("inference: observation %d is %v, must be finite", i, x)
		}
	}
	if !(m.Weight > 0 && m.Weight < 1) {
		return fmt.Errorf("inference: Weight is %v, must be between 0 and 1", m.Weight)
	}
	for _, c := range []struct {
		name string
		v    float64
	}{{"Sigma", m.Sigma}, {"Scale1", m.Scale1}, {"Scale2", m.Scale2}} {
		if err := checkPositive(c.name, c.v); err != nil {
			return err
		}
	}
	return nil
}

// Dim returns 2.
func (m *TiedMixture) Dim() int { return 2 }

// Len returns the number of observations.
func (m *TiedMixture) Len() int { return len(m.X) }

// SamplePrior sets the rows of dst, m x 2, to draws from the prior.
func (m *TiedMixture) SamplePrior(dst *mat.Dense, rng *rand.Rand) {
	normalPrior(dst, rng, func(k int) float64 { return [2]float64{m.Scale1, m.Scale2}[k] })
}

// LogPrior sets dst[i] to the log density of the prior.
func (m *TiedMixture) LogPrior(dst []float64, theta *mat.Dense) {
	c := -vec.Log1(2*math.Pi) - vec.Log1(m.Scale1*m.Scale2)
	for i := range dst {
		t := theta.RawRowView(i)
		a, b := t[0]/m.Scale1, t[1]/m.Scale2
		dst[i] = c - 0.5*(a*a+b*b)
	}
}

// LogPriorGradient sets the rows of dst to the gradients of the log prior.
func (m *TiedMixture) LogPriorGradient(dst, theta *mat.Dense) {
	n, _ := theta.Dims()
	for i := range n {
		t := theta.RawRowView(i)
		dst.SetRow(i, []float64{-t[0] / (m.Scale1 * m.Scale1), -t[1] / (m.Scale2 * m.Scale2)})
	}
}

const (
	particleBlock = 32  // particles that one goroutine takes at a time
	batchBlock    = 128 // observations of which the terms stay in cache
)

// LogLikelihood sets dst[i] to the log likelihood of the batch. Two vectorised functions for each particle and
// observation.
func (m *TiedMixture) LogLikelihood(dst []float64, theta *mat.Dense, batch []int) {
	x := m.gather(batch)
	half := 0.5 / (m.Sigma * m.Sigma)
	first, second := vec.Log1(m.Weight), vec.Log1(1-m.Weight)
	constant := float64(len(x)) * (-vec.Log1(m.Sigma) - 0.5*vec.Log1(2*math.Pi))
	parallel.Blocks(len(dst), particleBlock, func(_, lo, hi int) {
		buf := make([]float64, (hi-lo)*min(batchBlock, len(x)))
		for i := lo; i < hi; i++ {
			dst[i] = constant
		}
		for from := 0; from < len(x); from += batchBlock {
			part := x[from:min(from+batchBlock, len(x))]
			b := buf[:(hi-lo)*len(part)]
			for i := lo; i < hi; i++ {
				t := theta.RawRowView(i)
				row := b[(i-lo)*len(part) : (i-lo+1)*len(part)]
				sum := 0.0
				for j, v := range part {
					// The larger of the two exponents, and how far the other is below it.
					u := v - t[0]
					w := u - t[1]
					p, q := first-half*u*u, second-half*w*w
					sum += max(p, q)
					row[j] = -math.Abs(p - q)
				}
				dst[i] += sum
			}
			vec.Exp(b, b)
			vec.Log1p(b, b)
			for i := lo; i < hi; i++ {
				dst[i] += vec.Sum(b[(i-lo)*len(part) : (i-lo+1)*len(part)])
			}
		}
	})
}

// LogLikelihoodGradient sets the rows of dst to the gradients of the batch's log likelihood.
func (m *TiedMixture) LogLikelihoodGradient(dst, theta *mat.Dense, batch []int) {
	x := m.gather(batch)
	n, _ := theta.Dims()
	inverse := 1 / (m.Sigma * m.Sigma)
	odds := vec.Log1(1-m.Weight) - vec.Log1(m.Weight)
	parallel.Blocks(n, particleBlock, func(_, lo, hi int) {
		r := make([]float64, len(x))
		for i := lo; i < hi; i++ {
			t := theta.RawRowView(i)
			for j, v := range x {
				u := v - t[0]
				w := u - t[1]
				r[j] = odds + 0.5*inverse*(u*u-w*w)
			}
			vec.Logistic(r, r)
			var g1, g2 float64
			for j, v := range x {
				u := v - t[0]
				g1 += u - r[j]*t[1]
				g2 += r[j] * (u - t[1])
			}
			dst.SetRow(i, []float64{g1 * inverse, g2 * inverse})
		}
	})
}

func (m *TiedMixture) gather(batch []int) []float64 {
	x := make([]float64, len(batch))
	for j, b := range batch {
		x[j] = m.X[b]
	}
	return x
}
