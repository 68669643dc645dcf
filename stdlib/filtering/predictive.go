package filtering

import (
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// system is one run of a state-space model, as the filter sees it. A particle is
// a row of width() numbers; what else a run knows of its particles, it keeps.
type system interface {
	width() int
	// initial returns the distribution of x_1.
	initial() (*predictive, error)
	// predict fills p with the distribution of x_(t+1) given particles at time t.
	predict(p *predictive, t int, X *mat.Dense, w []float64) error
	// accept reports which particles stand for the predictive, and the component
	// of each.
	accept(X *mat.Dense, component []int)
	// logLik writes the log-likelihood of y_t at each particle.
	logLik(dst []float64, t int, X *mat.Dense, y []float64) error
}

// predictive is the Gaussian mixture that a step samples from. Its component is
// the ancestor, unless ancestor says otherwise.
type predictive struct {
	w        []float64
	means    *mat.Dense
	covs     []*mat.SymDense // the distinct covariances
	roots    []*mat.Dense    // their square roots
	class    []int           // which one component j has; empty: all the first
	label    []int           // empty: none. A particle's last number is its label
	ancestor []int           // empty: component j has ancestor j

	store []float64
}

// resize makes room for n components in dimension d.
func (p *predictive) resize(n, d int) {
	if cap(p.w) < n {
		p.w = make([]float64, n)
	}
	p.w = p.w[:n]
	if p.means != nil {
		if r, c := p.means.Dims(); r == n && c == d {
			return
		}
	}
	if cap(p.store) < n*d {
		p.store = make([]float64, n*d)
	}
	p.means = mat.NewDense(n, d, p.store[:n*d])
}

// fromMixture copies a mixture.
func fromMixture(m *rkhs.Mixture) *predictive {
	p := new(predictive)
	p.resize(m.Len(), m.Dim())
	for j := range m.Len() {
		mean, cov := m.Component(j)
		p.w[j] = m.Weight(j)
		p.means.SetRow(j, mean)
		root, class := m.Root(j)
		if class == len(p.roots) {
			p.roots, p.covs = append(p.roots, root), append(p.covs, cov)
		}
		p.class = append(p.class, class)
	}
	return p
}

// len returns the number of components.
func (p *predictive) len() int { return len(p.w) }

func (p *predictive) root(j int) *mat.Dense {
	if len(p.class) == 0 {
		return p.roots[0]
	}
	return p.roots[p.class[j]]
}

// place writes mean_j + root_j z, and the label if there is one, to dst.
func (p *predictive) place(dst []float64, j int, z []float64) {
	mean, root := p.means.RawRowView(j), p.root(j)
	for i, m := range mean {
		for l, r := range root.RawRowView(i) {
			m += r * z[l]
		}
		dst[i] = m
	}
	if len(p.label) > 0 {
		dst[len(mean)] = float64(p.label[j])
	}
}

// flat says whether states are single numbers with one variance and no label.
func (p *predictive) flat() bool {
	_, d := p.means.Dims()
	return d == 1 && len(p.class) == 0 && len(p.label) == 0
}

// placeFlat is place for flat states, for all components at once.
func (p *predictive) placeFlat(dst []float64, component []int, z []float64) {
	means, sd := column(p.means), p.roots[0].At(0, 0)
	dst, z = dst[:len(component)], z[:len(component)]
	for i, c := range component {
		dst[i] = means[c] + sd*z[i]
	}
}

// mixture returns the predictive as a distribution with a mean embedding, after
// the linear map (nil: none) to the coordinates that the kernel sees.
func (p *predictive) mixture(by *mat.Dense) (target, error) {
	means, covs := p.means, p.covs
	if by != nil {
		means = linalg.MulTransB(nil, p.means, by)
		covs = make([]*mat.SymDense, len(p.covs))
		for c, cov := range p.covs {
			covs[c] = congruence(by, cov)
		}
	}
	var m *rkhs.Mixture
	var err error
	if len(covs) == 1 {
		m, err = rkhs.NewSharedMixture(p.w, means, covs[0])
	} else {
		all := make([]*mat.SymDense, p.len())
		for j := range all {
			all[j] = covs[p.class[j]]
		}
		m, err = rkhs.NewMixture(p.w, means, all)
	}
	if err != nil {
		return nil, err
	}
	if len(p.label) == 0 {
		return m, nil
	}
	return rkhs.NewLabelledMixture(m, p.label)
}

// target is a mixture, labelled or not.
type target interface {
	rkhs.Distribution
	Mean() []float64
}

// congruence returns B S B'.
func congruence(B *mat.Dense, S *mat.SymDense) *mat.SymDense {
	k, _ := B.Dims()
	u := linalg.MulTransB(nil, linalg.Mul(nil, B, mat.DenseCopyOf(S)), B)
	out := mat.NewSymDense(k, nil)
	for i := range k {
		for j := i; j < k; j++ {
			out.SetSym(i, j, 0.5*(u.At(i, j)+u.At(j, i)))
		}
	}
	return out
}

// noiseBlock is the number of particles that share a random stream.
const noiseBlock = 1024

// normals holds the random numbers of blocks.
var normals = sync.Pool{New: func() any { return new([]float64) }}

// ancestors are components that are yet to be picked by their weights.
type ancestors struct {
	*strata
	w []float64
}

// scatter draws a particle from each of the given components into the rows of X;
// from, if it is not nil, says which, and component is filled in. Block b of
// noiseBlock particles uses the stream (key, b).
func (p *predictive) scatter(X *mat.Dense, component []int, key uint64, from *ancestors) {
	_, d := p.means.Dims()
	flat, n := p.flat(), len(component)
	var begun []bool // blocks of X that have their noise
	if from != nil && flat && n > noiseBlock {
		begun = p.beginWhile(func() { from.count(from.w) }, column(X), key)
	} else if from != nil {
		from.count(from.w)
	}
	parallel.Blocks(n, noiseBlock, func(b, lo, hi int) {
		if from != nil {
			from.pick(component[lo:hi], lo)
		}
		if begun != nil && begun[b] {
			x := column(X)[lo:hi]
			p.placeFlat(x, component[lo:hi], x)
			return
		}
		pooled := normals.Get().(*[]float64)
		defer normals.Put(pooled)
		*pooled = grow(*pooled, noiseBlock*d)
		z := (*pooled)[:(hi-lo)*d]
		vec.FillNormal(z, key, uint64(b))
		if flat {
			p.placeFlat(column(X)[lo:hi], component[lo:hi], z)
			return
		}
		for i, c := range component[lo:hi] {
			p.place(X.RawRowView(lo+i), c, z[i*d:i*d+d])
		}
	})
}

// beginWhile runs one, which takes one goroutine, while others write noise to
// blocks of x, and returns which blocks have it.
func (p *predictive) beginWhile(one func(), x []float64, key uint64) []bool {
	begun := make([]bool, parallel.Count(len(x), noiseBlock))
	var done atomic.Bool
	parallel.Team(1+len(begun), func(k, _ int) {
		switch b := k - 1; {
		case b < 0:
			one()
			done.Store(true)
		case !done.Load():
			vec.FillNormal(x[b*noiseBlock:min((b+1)*noiseBlock, len(x))], key, uint64(b))
			begun[b] = true
		}
	})
	return begun
}

// inParallel runs f over [0, n) in blocks, if n is worth it.
func inParallel(n int, f func(lo, hi int)) {
	parallel.Blocks(n, 4096, func(_, lo, hi int) { f(lo, hi) })
}

// inParallelOne runs f over [0, n) in blocks of eight, for items that are each
// worth a call.
func inParallelOne(n int, f func(lo, hi int)) {
	parallel.Blocks(n, 8, func(_, lo, hi int) { f(lo, hi) })
}

// cacheBlock is how many numbers stay in the first caches through several passes.
const cacheBlock = 1024

// inCache runs f over [lo, hi) in blocks of cacheBlock.
func inCache(lo, hi int, f func(lo, hi int)) {
	for ; lo < hi; lo += cacheBlock {
		f(lo, min(lo+cacheBlock, hi))
	}
}
