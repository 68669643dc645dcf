package boosting

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
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

// traceBlock is the number of eigenvalues that one goroutine takes at a time: what
// they need stays in cache over all iterations.
const traceBlock = 256

// Trace returns losses, norms and, for a target that is not nil, errors of
// iterations 0 to T in O(r T): with the decomposition at hand, much faster than
// boosting. Errors: T negative, a target of another length, a cancelled context.
func (p *SquaredPath) Trace(ctx context.Context, T int, target []float64) (*Trace, error) {
	if T < 0 {
		return nil, fmt.Errorf("boosting: T is %d, must be at least 0", T)
	}
	if target != nil && len(target) != p.design.n {
		return nil, fmt.Errorf("boosting: %d values of the target for %d points", len(target), p.design.n)
	}
	var star []float64
	outside := 0.0
	if target != nil {
		star = p.spectrum.Coordinates(target)
		outside = max(vec.Dot(target, target)/float64(len(target))-vec.Dot(star, star), 0)
	}
	r := len(p.theta)
	parts := make([]*Trace, parallel.Count(r, traceBlock))
	parallel.Blocks(r, traceBlock, func(b, lo, hi int) {
		parts[b] = p.part(ctx, T, lo, hi, star)
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := newTrace(T, target != nil)
	for _, part := range parts {
		vec.Add(out.Loss, out.Loss, part.Loss)
		vec.Add(out.Norm, out.Norm, part.Norm)
		vec.Add(out.Error, out.Error, part.Error)
		vec.Add(out.AveragedError, out.AveragedError, part.AveragedError)
	}
	vec.Sqrt(out.Norm, out.Norm)
	for t, v := range out.Loss {
		out.Loss[t] = (v + p.residual) / 2
	}
	vec.Offset(out.Error, outside, out.Error)
	vec.Offset(out.AveragedError, outside, out.AveragedError)
	return out, nil
}

func newTrace(T int, errors bool) *Trace {
	t := &Trace{Loss: make([]float64, T+1), Norm: make([]float64, T+1)}
	if errors {
		t.Error, t.AveragedError = make([]float64, T+1), make([]float64, T+1)
	}
	return t
}

// part sums squares over eigenvalues lo to hi; star is nil or the target's coordinates.
func (p *SquaredPath) part(ctx context.Context, T, lo, hi int, star []float64) *Trace {
	out, m := newTrace(T, star != nil), hi-lo
	floats := make([]float64, 6*m)
	part := func() (v []float64) { v, floats = floats[:m:m], floats[m:]; return v }
	power, q, root, left, gained, sums := part(), part(), part(), part(), part(), part()
	scratch := make([]float64, m)
	theta := p.theta[lo:hi]
	for j, mu := range p.spectrum.Values[lo:hi] {
		power[j], q[j], root[j] = 1, 1-p.step*mu, 1/math.Sqrt(mu)
	}
	for t := 0; t <= T; t++ {
		if t%64 == 0 {
			if ctx.Err() != nil {
				break
			}
			flush(power)
		}
		vec.Mul(left, power, theta)
		vec.Sub(gained, theta, left)
		vec.Mul(scratch, gained, root)
		out.Loss[t], out.Norm[t] = vec.Dot(left, left), vec.Dot(scratch, scratch)
		if star != nil {
			vec.Add(sums, sums, gained)
			vec.Scale(scratch, 1/float64(max(t, 1)), sums)
			out.Error[t] = vec.SquaredDistance(gained, star[lo:hi])
			out.AveragedError[t] = vec.SquaredDistance(scratch, star[lo:hi])
		}
		vec.Mul(power, power, q)
	}
	return out
}

// flush sets to 0 what no square can feel: subnormal numbers are slow.
func flush(x []float64) {
	for j, v := range x {
		if math.Abs(v) < 1e-160 {
			x[j] = 0
		}
	}
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
