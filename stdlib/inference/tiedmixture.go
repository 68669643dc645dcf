package inference

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/asm"
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
	particleBlock = 64      // particles of which the terms are computed at once
	serialTerms   = 1 << 17 // below, other processors would take longer to wake up than to work
)

// eachParticle calls f for blocks of m particles that take some terms of work each, with scratch of the given size.
func eachParticle(m, terms, size int, f func(lo, hi int, scratch []float64)) {
	if m*terms >= serialTerms {
		parallel.Blocks(m, particleBlock, func(_, lo, hi int) { f(lo, hi, make([]float64, size)) })
		return
	}
	scratch := make([]float64, size)
	for lo := 0; lo < m; lo += particleBlock {
		f(lo, min(lo+particleBlock, m), scratch)
	}
}

// oddsTogether is how many factors 1 + e^d are multiplied before the logarithm.
const oddsTogether = 16

// LogLikelihood sets dst[i] to the log likelihood of the batch. It is that of the first component, a quadratic in theta_1, plus
// the sum of log(1 + e^d), where the log odds d of the second component are linear in x. The logarithm of a product of factors
// 1 + e^d is their sum of logarithms, so an observation costs an exponential for each particle; a product beyond float64 is
// taken apart.
func (m *TiedMixture) LogLikelihood(dst []float64, theta *mat.Dense, batch []int) {
	x := m.gather(batch)
	n := float64(len(x))
	mean := vec.Sum(x) / n
	spread := 0.0
	for _, v := range x {
		spread += (v - mean) * (v - mean)
	}
	half := 0.5 / (m.Sigma * m.Sigma)
	constant := n*(vec.Log1(m.Weight)-vec.Log1(m.Sigma)-0.5*vec.Log1(2*math.Pi)) - half*spread
	odds := m.logOdds()
	eachParticle(len(dst), len(x), 3*particleBlock, func(lo, hi int, scratch []float64) {
		k := hi - lo
		c0, c1, products := scratch[:k], scratch[particleBlock:][:k], scratch[2*particleBlock:][:k]
		for i := range k {
			t := theta.RawRowView(lo + i)
			dst[lo+i] = constant - half*n*(mean-t[0])*(mean-t[0])
			c0[i], c1[i] = odds.at(t[0], t[1])
		}
		for from := 0; from < len(x); from += oddsTogether {
			some := x[from:min(from+oddsTogether, len(x))]
			asm.OddsProducts(products, c0, c1, some)
			vec.Log(products, products)
			for i, v := range products {
				if v > math.MaxFloat64 {
					v = softplus(some, c0[i], c1[i])
				}
				dst[lo+i] += v
			}
		}
	})
}

// logOdds are those of the second component, linear in an observation x.
type logOdds struct{ prior, half float64 }

func (m *TiedMixture) logOdds() logOdds {
	return logOdds{vec.Log1(1-m.Weight) - vec.Log1(m.Weight), 0.5 / (m.Sigma * m.Sigma)}
}

// at returns c0 and c1 so that c0 + c1 x are the log odds for parameters t1 and t2.
func (o logOdds) at(t1, t2 float64) (c0, c1 float64) {
	return o.prior - o.half*t2*(2*t1+t2), 2 * o.half * t2
}

// softplus returns the sum of log(1 + e^d) for d = c0 + c1 x of any size.
func softplus(x []float64, c0, c1 float64) float64 {
	var s float64
	for _, v := range x {
		d := c0 + c1*v
		s += max(d, 0) + vec.Log1p1(vec.Exp1(-math.Abs(d)))
	}
	return s
}

// LogLikelihoodGradient sets the rows of dst to the gradients of the batch's log likelihood.
func (m *TiedMixture) LogLikelihoodGradient(dst, theta *mat.Dense, batch []int) {
	x := m.gather(batch)
	n, _ := theta.Dims()
	inverse := 1 / (m.Sigma * m.Sigma)
	odds := m.logOdds()
	eachParticle(n, len(x), len(x), func(lo, hi int, r []float64) {
		for i := lo; i < hi; i++ {
			t := theta.RawRowView(i)
			c0, c1 := odds.at(t[0], t[1])
			for j, v := range x {
				r[j] = c0 + c1*v
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
