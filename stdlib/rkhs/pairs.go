package rkhs

import (
	"context"
	"fmt"
	"math"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/vec"
)

// MixtureInner returns <mu_p, mu_q>, the inner product of the mean embeddings
// of two Gaussian mixtures under a Gaussian kernel. With it the MMD between two
// mixtures is exact: |mu_p|^2 - 2 <mu_p, mu_q> + |mu_q|^2.
func MixtureInner(ctx context.Context, k Gaussian, p, q *Mixture) (float64, error) {
	if err := Validate(k); err != nil {
		return 0, err
	}
	if p.Dim() != q.Dim() {
		return 0, fmt.Errorf("rkhs: mixtures have dimensions %d and %d, must be equal", p.Dim(), q.Dim())
	}
	return mixtureInner(ctx, k, p, q, nil)
}

// mixtureInner sums over the pairs of components for which use is true (nil: all).
func mixtureInner(ctx context.Context, k Gaussian, p, q *Mixture, use func(j, l int) bool) (float64, error) {
	pairs := newPairs(k, p, q)
	rows := make([]float64, p.Len())
	parallel.Blocks(p.Len(), 1, func(j, _, _ int) {
		if ctx.Err() != nil || p.weights[j] == 0 {
			return
		}
		d := p.Dim()
		v, work := make([]float64, d), make([]float64, d*d)
		var s float64
		for l, w := range q.weights {
			if w != 0 && (use == nil || use(j, l)) {
				s += w * pairs.value(j, l, v, work)
			}
		}
		rows[j] = p.weights[j] * s
	})
	var s float64
	for _, r := range rows {
		s += r
	}
	return s, ctx.Err()
}

// pairs evaluates det(I+(cov_j+cov_l)/b^2)^(-1/2) exp(-...) for pairs of
// components of two mixtures, with one factorisation where both share theirs.
type pairs struct {
	k      Gaussian
	p, q   *Mixture
	shared *whitener
}

func newPairs(k Gaussian, p, q *Mixture) pairs {
	out := pairs{k: k, p: p, q: q}
	if len(p.covs) == 1 && len(q.covs) == 1 {
		w := newWhitener(p.covs[0], q.covs[0], k.Bandwidth*k.Bandwidth)
		out.shared = &w
	}
	return out
}

// value returns the factor of weight_j weight_l; v and s are work space of d and
// d^2 numbers.
func (t pairs) value(j, l int, v, s []float64) float64 {
	a, b := t.p.means.RawRowView(j), t.q.means.RawRowView(l)
	for i := range v {
		v[i] = a[i] - b[i]
	}
	d, b2 := len(v), t.k.Bandwidth*t.k.Bandwidth
	if t.p.vars != nil && t.q.vars != nil {
		sum := t.p.vars[j] + t.q.vars[l]
		return vec.Exp1(-0.5*float64(d)*vec.Log1p1(sum/b2) - halfSquaredNorm(v)/(sum+b2))
	}
	if t.shared != nil {
		t.shared.apply(v, v)
		return vec.Exp1(float64(d)*vec.Log1(t.k.Bandwidth) - t.shared.logDet - halfSquaredNorm(v))
	}
	for i := range d {
		for r := range i + 1 {
			s[i*d+r] = (t.p.covariance(j, i, r) + t.q.covariance(l, i, r)) / b2
		}
		s[i*d+i]++
	}
	// S/b^2 = L L', row by row, with L^-1 v on the way; S/b^2 is at least I.
	logDet, product := 0.0, 1.0
	for i := range d {
		for r := range i + 1 {
			x := s[i*d+r]
			for c := range r {
				x -= s[i*d+c] * s[r*d+c]
			}
			if r < i {
				s[i*d+r] = x / s[r*d+r]
			} else {
				s[i*d+i] = math.Sqrt(math.Max(x, 1))
			}
		}
		x := v[i]
		for c := range i {
			x -= s[i*d+c] * v[c]
		}
		v[i] = x / s[i*d+i]
		if product *= s[i*d+i]; product > 1e100 {
			logDet, product = logDet+vec.Log1(product), 1
		}
	}
	return vec.Exp1(-logDet - vec.Log1(product) - halfSquaredNorm(v)/b2)
}

// covariance returns element (a, b) of component j's covariance.
func (m *Mixture) covariance(j, a, b int) float64 {
	if m.vars == nil {
		return m.covs[m.classOf(j)].At(a, b)
	}
	if a == b {
		return m.vars[j]
	}
	return 0
}
