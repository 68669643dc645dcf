package em

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"gaucho/stdlib/linalg"
)

// A Predictive is the law of each observation given those before it, and of some that follow the last.
type Predictive struct {
	// State holds the laws of the states, (n + h) x s: row i is that of state i given observations 0 to i-1, and from row n
	// on given all of them.
	State *mat.Dense
	// Mean and SD of the observations, (n + h) x d.
	Mean, SD *mat.Dense

	cdf func(state, column int, v float64) float64
}

// Predictive returns the one-step-ahead laws of the n observations of x and of the h that follow, h at least 0: what a user
// of the model could have said in time. O(n s^2 + n d s). Errors: those of Smooth, h below 0, outputs other than Gaussian
// and Poisson.
func (m *Model) Predictive(x *mat.Dense, h int) (*Predictive, error) {
	if h < 0 {
		return nil, fmt.Errorf("em: h is %d, must be at least 0", h)
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	out := &Predictive{}
	var mean, variance func(state, column int) float64
	switch o := m.Output.(type) {
	case *Gaussian:
		mean = o.Means.At
		variance = func(j, c int) float64 { return o.variance(j, c, c) }
		out.cdf = func(j, c int, v float64) float64 {
			return distuv.Normal{Mu: mean(j, c), Sigma: math.Sqrt(variance(j, c))}.CDF(v)
		}
	case *Poisson:
		mean, variance = o.Rate.At, o.Rate.At
		out.cdf = func(j, c int, v float64) float64 { return distuv.Poisson{Lambda: mean(j, c)}.CDF(math.Floor(v)) }
	default:
		return nil, fmt.Errorf("em: predictive laws are for outputs *em.Gaussian and *em.Poisson, not %T", o)
	}
	if err := m.checkSequence(x); err != nil {
		return nil, err
	}
	p, err := m.smooth(nil, x, false)
	if err != nil {
		return nil, err
	}
	n, d := x.Dims()
	s := m.States()
	out.State, out.Mean, out.SD = mat.NewDense(n+h, s, nil), mat.NewDense(n+h, d, nil), mat.NewDense(n+h, d, nil)
	for i := range n + h {
		row := out.State.RawRowView(i)
		switch {
		case i == 0:
			copy(row, m.Start)
		case i <= n:
			linalg.MulTransVec(row, m.Transition, p.Filter.RawRowView(i-1))
		default:
			linalg.MulTransVec(row, m.Transition, out.State.RawRowView(i-1))
		}
		normalise(row)
		for c := range d {
			var first, second float64
			for j, w := range row {
				first += w * mean(j, c)
			}
			for j, w := range row {
				off := mean(j, c) - first
				second += w * (variance(j, c) + off*off)
			}
			out.Mean.Set(i, c, first)
			out.SD.Set(i, c, math.Sqrt(second))
		}
	}
	return out, nil
}

// Interval returns intervals that hold each coordinate of each observation with the given probability, as 0.9, and lie in
// the middle: low and high, (n + h) x d, are quantiles of the mixture over the states. Those of counts are counts, and hold
// them with at least that probability.
func (p *Predictive) Interval(probability float64) (low, high *mat.Dense, err error) {
	if !(probability > 0 && probability < 1) {
		return nil, nil, fmt.Errorf("em: probability is %v, must be above 0 and below 1", probability)
	}
	n, d := p.Mean.Dims()
	low, high = mat.NewDense(n, d, nil), mat.NewDense(n, d, nil)
	for i := range n {
		for c := range d {
			low.Set(i, c, p.quantile(i, c, (1-probability)/2))
			high.Set(i, c, p.quantile(i, c, (1+probability)/2))
		}
	}
	return low, high, nil
}

// quantile halves an interval that Chebyshev's inequality gives, down to rounding. Where the distribution function has
// steps, at the integers, it ends at the step.
func (p *Predictive) quantile(i, c int, at float64) float64 {
	cdf := func(v float64) float64 {
		sum := 0.0
		for j, w := range p.State.RawRowView(i) {
			sum += w * p.cdf(j, c, v)
		}
		return sum
	}
	reach := p.SD.At(i, c) / math.Sqrt(min(at, 1-at))
	lo, hi := p.Mean.At(i, c)-reach-1, p.Mean.At(i, c)+reach+1
	for range 200 {
		mid := lo + (hi-lo)/2
		if mid == lo || mid == hi {
			break
		}
		if cdf(mid) < at {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}
