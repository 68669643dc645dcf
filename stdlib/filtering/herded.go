package filtering

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/herding"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
)

// herded chooses particles by Frank-Wolfe quadrature: sequential kernel herding
// (Lacoste-Julien et al. 2015, section 3.2). Candidates are drawn from the
// predictive mixture, whose mean embedding is known in closed form; the component
// of a candidate is its ancestor. The kernel sees the present state only, so
// particles with different pasts do repel each other.
type herded struct {
	labels bool
	pool   *mat.Dense
	from   []int
}

func (h *herded) choose(ctx context.Context, f *Filter) error {
	s := &f.settings
	if h.pool == nil {
		h.pool = mat.NewDense(s.Candidates, f.system.width(), nil)
		h.from = make([]int, s.Candidates)
	}
	resample(h.from, Multinomial, f.pred.w, f.rng)
	f.pred.scatter(h.pool, h.from, f.rng.Uint64(), nil)
	rule, err := h.rule(ctx, f)
	if err != nil {
		return fmt.Errorf("filtering: step %d: %w", f.t, err)
	}
	m, first := rule.Merged()
	fill := 0
	if need := int(math.Ceil(s.MinActive * float64(s.Particles))); len(first) < need {
		fill = need - len(first)
	}
	n := len(first) + fill
	f.shrink(n)
	f.x, f.spare = f.spare, f.x
	share := float64(len(first)) / float64(n)
	for i, r := range first {
		c := rule.Index[r]
		copy(f.x.RawRowView(i), h.pool.RawRowView(c))
		f.component[i] = h.from[c]
		f.quad[i] = m.W[i] * share
	}
	if fill > 0 {
		extra := mat.NewDense(fill, f.system.width(), nil)
		resample(f.component[len(first):], Stratified, f.pred.w, f.rng)
		f.pred.scatter(extra, f.component[len(first):], f.rng.Uint64(), nil)
		for i := range fill {
			copy(f.x.RawRowView(len(first)+i), extra.RawRowView(i))
			f.quad[len(first)+i] = 1 / float64(n)
		}
	}
	f.mmd = rule.MMD[rule.Steps()-1]
	return nil
}

// rule builds the quadrature rule for the predictive on the present candidates.
func (h *herded) rule(ctx context.Context, f *Filter) (*herding.Rule, error) {
	s := &f.settings
	by, err := h.coordinates(f)
	if err != nil {
		return nil, err
	}
	pred := *f.pred
	if s.IgnoreLabels {
		pred.label = nil
	}
	var kernel rkhs.Kernel = rkhs.Gaussian{Bandwidth: s.Bandwidth}
	if len(pred.label) > 0 {
		kernel = rkhs.Labelled{Kernel: kernel}
	}
	mixture, err := pred.mixture(by)
	if err != nil {
		return nil, err
	}
	embedding, err := rkhs.Embed(kernel, mixture)
	if err != nil {
		return nil, err
	}
	candidates := h.pool
	if by != nil || (h.labels && s.IgnoreLabels) {
		candidates = h.seen(by, len(pred.label) > 0, f)
	}
	pool, err := herding.NewPool(ctx, embedding, candidates)
	if err != nil {
		return nil, err
	}
	// Kernel values of a small problem stay in the caches: reading them is faster
	// than computing them again.
	keep := s.Particles*s.Candidates <= 1<<21
	return herding.FrankWolfe(ctx, pool, s.Particles, &herding.Settings{Step: s.Step, KeepRows: keep})
}

// coordinates returns the linear map from states to what the kernel sees, nil for
// none: the scales, and then the inverse of the Cholesky factor of the
// predictive's covariance.
func (h *herded) coordinates(f *Filter) (*mat.Dense, error) {
	s := &f.settings
	if s.Scale == nil && !s.Whiten {
		return nil, nil
	}
	_, d := f.pred.means.Dims()
	var rows []float64
	k := 0
	for j := range d {
		c := 1.0
		if s.Scale != nil {
			c = s.Scale[j]
		}
		if c == 0 {
			continue
		}
		row := make([]float64, d)
		row[j] = c
		rows = append(rows, row...)
		k++
	}
	if k == 0 {
		return nil, fmt.Errorf("all scales are 0, so the kernel sees nothing")
	}
	by := mat.NewDense(k, d, rows)
	if !s.Whiten {
		return by, nil
	}
	cov := congruence(by, f.pred.covariance())
	chol, err := linalg.NewCholesky(cov)
	if err != nil {
		return whitenRange(cov, by), nil
	}
	return chol.HalfSolveTo(nil, by), nil
}

// whitenRange whitens the directions in which a singular covariance is not 0, and
// leaves out the others; a covariance of 0, of a known start, leaves all as it is.
func whitenRange(cov *mat.SymDense, by *mat.Dense) *mat.Dense {
	values, vectors, err := linalg.SymEigen(context.Background(), cov)
	if err != nil {
		return by
	}
	k, _ := by.Dims()
	var rows []float64
	for j, v := range values {
		if v <= 1e-12*values[k-1] || v <= 0 {
			continue
		}
		for i := range k {
			rows = append(rows, vectors.At(i, j)/math.Sqrt(v))
		}
	}
	if len(rows) == 0 {
		return by
	}
	return linalg.Mul(nil, mat.NewDense(len(rows)/k, k, rows), by)
}

// seen returns the candidates in the kernel's coordinates.
func (h *herded) seen(by *mat.Dense, keepLabel bool, f *Filter) *mat.Dense {
	m, _ := h.pool.Dims()
	_, d := f.pred.means.Dims()
	var states mat.Dense
	states.CloneFrom(h.pool.Slice(0, m, 0, d))
	if by != nil {
		states = *linalg.MulTransB(nil, &states, by)
	}
	if !keepLabel {
		return &states
	}
	_, k := states.Dims()
	out := mat.NewDense(m, k+1, nil)
	for i := range m {
		copy(out.RawRowView(i), states.RawRowView(i))
		out.Set(i, k, h.pool.At(i, d))
	}
	return out
}

// covariance returns the covariance of the predictive mixture.
func (p *predictive) covariance() *mat.SymDense {
	n, d := p.means.Dims()
	mean := make([]float64, d)
	for j, w := range p.w {
		for i, v := range p.means.RawRowView(j) {
			mean[i] += w * v
		}
	}
	c := mat.NewSymDense(d, nil)
	class := make([]float64, len(p.covs))
	for j := range n {
		k := 0
		if len(p.class) > 0 {
			k = p.class[j]
		}
		class[k] += p.w[j]
		x := p.means.RawRowView(j)
		for a := range d {
			for b := a; b < d; b++ {
				c.SetSym(a, b, c.At(a, b)+p.w[j]*(x[a]-mean[a])*(x[b]-mean[b]))
			}
		}
	}
	for k, w := range class {
		var scaled mat.SymDense
		scaled.ScaleSym(w, p.covs[k])
		c.AddSym(c, &scaled)
	}
	return c
}
