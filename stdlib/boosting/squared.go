package boosting

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"
)

// A SquaredPath is boosting with squared loss in closed form: with theta = U'y/
// sqrt(n) and q_j = 1 - alpha mu_j, iterate t has the coordinates (1 - q_j^t)
// theta_j, so that any of them costs one product with U and none needs those
// before it.
type SquaredPath struct {
	design   *Design
	spectrum *Spectrum
	step     float64
	theta    []float64
	residual float64 // ||y||_n^2 outside the range of K
}

// NewSquaredPath decomposes the design, if that was not done before, and returns
// the path of responses y. Errors: those of NewBooster.
func NewSquaredPath(ctx context.Context, design *Design, y []float64, step float64) (*SquaredPath, error) {
	s := DefaultSettings()
	s.Step = step
	if err := s.check(design, y); err != nil {
		return nil, err
	}
	spectrum, err := design.Spectrum(ctx)
	if err != nil {
		return nil, err
	}
	if err := stable(ctx, design, s); err != nil {
		return nil, err
	}
	p := &SquaredPath{design: design, spectrum: spectrum, step: step, theta: spectrum.Coordinates(y)}
	p.residual = max(vec.Dot(y, y)/float64(len(y))-vec.Dot(p.theta, p.theta), 0)
	return p, nil
}

// shrinkage returns 1 - (1 - alpha mu)^t without cancellation.
func shrinkage(step, mu float64, t int) float64 {
	q := 1 - step*mu
	if q > 0 {
		return -vec.Expm11(float64(t) * vec.Log1p1(-step*mu))
	}
	return 1 - integerPower(q, t)
}

func integerPower(q float64, t int) float64 {
	p := 1.0
	for ; t > 0; t >>= 1 {
		if t&1 == 1 {
			p *= q
		}
		q *= q
	}
	return p
}

// averageShrinkage returns the mean of 1 - q^s over s = 1 to t: 1 - q (1-q^t)/((1-q) t).
func averageShrinkage(step, mu float64, t int) float64 {
	a := step * mu
	if a*float64(t) < 1e-5 { // the quotient would cancel: two terms of the series
		k := float64(t)
		return a * (k + 1) / 2 * (1 - a*(k-1)/3)
	}
	return 1 - (1-a)*shrinkage(step, mu, t)/(a*float64(t))
}

// At returns iterate t at the sample, t >= 0. O(n r) for r eigenvalues.
func (p *SquaredPath) At(t int) []float64 { return p.shrunk(t, shrinkage) }

// Averaged returns the average of iterates 1 to t at the sample, t >= 1.
func (p *SquaredPath) Averaged(t int) []float64 { return p.shrunk(t, averageShrinkage) }

func (p *SquaredPath) shrunk(t int, by func(step, mu float64, t int) float64) []float64 {
	if t < 1 {
		return make([]float64, p.design.n)
	}
	c := make([]float64, len(p.theta))
	for j, mu := range p.spectrum.Values {
		c[j] = by(p.step, mu, t) * p.theta[j]
	}
	return p.spectrum.Combine(c)
}

// Model returns iterate t as a function.
func (p *SquaredPath) Model(t int) *Model {
	c := make([]float64, len(p.theta))
	if t > 0 {
		for j, mu := range p.spectrum.Values {
			c[j] = shrinkage(p.step, mu, t) * p.theta[j] / mu
		}
	}
	return &Model{p.design, p.spectrum.Combine(c)}
}

// Predict returns iterates at the rows of z: row i of the result, len(t) x m, is
// iterate t[i]. One product of m x n with n x r, then m r for each iterate.
func (p *SquaredPath) Predict(ctx context.Context, z *mat.Dense, t []int) (*mat.Dense, error) {
	c, m, err := p.design.cross(ctx, z)
	if err != nil {
		return nil, err
	}
	n, r := p.spectrum.Vectors.Dims()
	// basis[i] = (U_j crossed to z_i) theta_j sqrt(n)/mu_j
	basis, column, out := mat.NewDense(r, m, nil), make([]float64, n), make([]float64, m)
	for j, mu := range p.spectrum.Values {
		mat.Col(column, j, p.spectrum.Vectors)
		c.mul(out, column)
		vec.Scale(basis.RawRowView(j), math.Sqrt(float64(n))*p.theta[j]/mu, out)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	shrink := mat.NewDense(max(len(t), 1), r, nil)
	for i, s := range t {
		if s < 0 {
			return nil, fmt.Errorf("boosting: iteration is %d, must be at least 0", s)
		}
		for j, mu := range p.spectrum.Values {
			if s > 0 {
				shrink.Set(i, j, shrinkage(p.step, mu, s))
			}
		}
	}
	return linalg.Mul(nil, shrink, basis), nil
}

// A Trace holds series over iterations 0 to T.
type Trace struct {
	Loss                 []float64 // mean loss at the sample
	Norm                 []float64 // of the iterate in the RKHS
	Error, AveragedError []float64 // ||f - f*||_n^2, last and averaged; nil without a target
}

// Trace returns losses, norms and, for a target that is not nil, errors of
// iterations 0 to T in O(r T): with the decomposition at hand, much faster than
// boosting. Errors: T negative, a target of another length.
func (p *SquaredPath) Trace(T int, target []float64) (*Trace, error) {
	if T < 0 {
		return nil, fmt.Errorf("boosting: T is %d, must be at least 0", T)
	}
	if target != nil && len(target) != p.design.n {
		return nil, fmt.Errorf("boosting: %d values of the target for %d points", len(target), p.design.n)
	}
	out := &Trace{Loss: make([]float64, T+1), Norm: make([]float64, T+1)}
	power, q := make([]float64, len(p.theta)), make([]float64, len(p.theta))
	for j, mu := range p.spectrum.Values {
		power[j], q[j] = 1, 1-p.step*mu
	}
	for t := 0; t <= T; t++ {
		loss, norm := 0.0, 0.0
		for j, w := range power {
			r := w * p.theta[j]
			s := p.theta[j] - r
			loss += r * r
			norm += s * s / p.spectrum.Values[j]
			power[j] = advance(w, q[j])
		}
		out.Loss[t], out.Norm[t] = (loss+p.residual)/2, math.Sqrt(norm)
	}
	if target != nil {
		star := p.spectrum.Coordinates(target)
		outside := max(vec.Dot(target, target)/float64(len(target))-vec.Dot(star, star), 0)
		out.Error, out.AveragedError = p.errors(T, star, outside, q)
	}
	return out, nil
}

// advance multiplies a power of q by q; what no square can feel is 0, as
// subnormal numbers are slow.
func advance(power, q float64) float64 {
	power *= q
	if power < 1e-160 && power > -1e-160 {
		return 0
	}
	return power
}

func (p *SquaredPath) errors(T int, star []float64, outside float64, q []float64) (last, averaged []float64) {
	last, averaged = make([]float64, T+1), make([]float64, T+1)
	power, sums := make([]float64, len(q)), make([]float64, len(q))
	vec.Fill(power, 1)
	for t := 0; t <= T; t++ {
		a, b, share := outside, outside, 1/float64(max(t, 1))
		for j, w := range power {
			s := (1 - w) * p.theta[j]
			sums[j] += s
			e, m := s-star[j], share*sums[j]-star[j]
			a += e * e
			b += m * m
			power[j] = advance(w, q[j])
		}
		last[t], averaged[t] = a, b
	}
	return last, averaged
}

// A Risk is the expected error of L2Boost under noise of a known variance.
type Risk struct {
	Bias, Variance float64 // squared bias, variance
}

// Total returns the sum of squared bias and variance.
func (r Risk) Total() float64 { return r.Bias + r.Variance }

// ExactRisk returns E ||f - f*||_n^2 for responses f* + noise of the given variance,
// of iterate t and of the average of iterates 1 to t, t >= 1:
//
//	sum_j (1-s_j)^2 theta*_j^2 + (variance/n) sum_j s_j^2,
//
// s_j what the iterate shrinks coordinate j by. O(n r) for the first, then O(r).
func (s *Spectrum) ExactRisk(target []float64, variance, step float64, t int) (last, averaged Risk) {
	star := s.Coordinates(target)
	outside := max(vec.Dot(target, target)/float64(s.N)-vec.Dot(star, star), 0)
	risk := func(by func(step, mu float64, t int) float64) Risk {
		r := Risk{Bias: outside}
		for j, mu := range s.Values {
			k := by(step, mu, t)
			r.Bias += (1 - k) * (1 - k) * star[j] * star[j]
			r.Variance += variance / float64(s.N) * k * k
		}
		return r
	}
	return risk(shrinkage), risk(averageShrinkage)
}
