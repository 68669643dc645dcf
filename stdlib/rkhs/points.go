package rkhs

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/asm"
)

// blockLen is the number of points that one pass of a column works on: small
// enough for the first-level cache, large enough to pay for a call. It is a
// multiple of the panel.
const blockLen = 512

// panel is the number of points whose coordinates lie together.
const panel = asm.PanelWidth

// Points is a sample prepared for many evaluations of one kernel against
// single points: the shape of the inner loop of every greedy method, of mean
// embeddings and of Gram matrices. It keeps the sample coordinate by coordinate
// in panels, which is what the vector units want.
//
// A Points is safe for use by several goroutines at once.
type Points struct {
	kernel Kernel
	fast   columnKernel // nil for kernels of other packages
	radial profile      // of radial kernels; its f is nil for others
	norms  []float64    // sqrt k'(x_i, x_i) of a Normalized kernel k'
	x      *mat.Dense   // row by row, for kernels that want them so
	panels []float64    // coordinate j of point i: panels[(i/panel*d+j)*panel+i%panel]
	n, d   int

	gaussian bool // the radial kernel is a Gaussian
}

// profile is a radial kernel as a function of a distance: f(c, s), where s is
// the squared Euclidean distance if squared, and the sum of absolute differences
// otherwise.
type profile struct {
	f       asm.Profile
	c       float64
	squared bool
}

// NewPoints prepares the rows of X (n x d) for evaluations of k. X must not
// change while the Points is in use. Cost and memory O(nd).
func NewPoints(k Kernel, X *mat.Dense) *Points {
	n, d := X.Dims()
	p := &Points{kernel: k, x: X, n: n, d: d}
	if norm, ok := k.(Normalized); ok {
		p.kernel = norm.Kernel
		p.norms = Diagonal(norm.Kernel, X)
		for i, v := range p.norms {
			p.norms[i] = math.Sqrt(v)
		}
		k = norm.Kernel
	}
	p.fast, _ = k.(columnKernel)
	if p.fast == nil {
		return p
	}
	if r, ok := k.(interface{ profile() profile }); ok {
		p.radial = r.profile()
	}
	_, p.gaussian = k.(Gaussian)
	p.panels = make([]float64, (n+panel-1)/panel*panel*d)
	for i := range n {
		at := i/panel*panel*d + i%panel
		for _, v := range X.RawRowView(i) {
			p.panels[at] = v
			at += panel
		}
	}
	return p
}

// Len returns the number of points.
func (p *Points) Len() int { return p.n }

// Dim returns the dimension of the points.
func (p *Points) Dim() int { return p.d }

// Column writes k(x_i, y) for the points i = lo, lo+1, ..., lo+len(dst)-1 to
// dst. It allocates nothing for the kernels of this package.
func (p *Points) Column(dst []float64, lo int, y []float64) {
	p.plainColumn(dst, lo, y)
	if p.norms == nil {
		return
	}
	root := math.Sqrt(p.kernel.Eval(y, y))
	for i, v := range p.norms[lo:][:len(dst)] {
		if s := v * root; s > 0 {
			dst[i] /= s
		} else {
			dst[i] = 0
		}
	}
}

// plainColumn is Column without the normalisation.
func (p *Points) plainColumn(dst []float64, lo int, y []float64) {
	if p.fast == nil {
		slowColumn(p.kernel, dst, p.x, lo, y)
		return
	}
	for len(dst) > 0 {
		b := min(len(dst), blockLen)
		if p.radial.f != nil {
			p.distances(dst[:b], lo, y, p.radial.squared)
			p.radial.f(dst[:b], p.radial.c, dst[:b], false)
		} else {
			p.fast.column(dst[:b], p, lo, y)
		}
		dst, lo = dst[b:], lo+b
	}
}

// Accumulate adds w k(x_i, y) for the points i = lo, ..., lo+len(dst)-1 to dst.
func (p *Points) Accumulate(dst []float64, lo int, y []float64, w float64) {
	scratch := getScratch()
	defer putScratch(scratch)
	for len(dst) > 0 {
		b := min(len(dst), blockLen)
		buf := scratch[:b]
		p.Column(buf, lo, y)
		asm.Axpy(dst[:b], w, buf)
		dst, lo = dst[b:], lo+b
	}
}

// Advance sets g[i] = keep g[i] + w k(x_i, y) for the points i = lo, ...,
// lo+len(g)-1 and returns the largest z[i] - factor g[i] of the new g, NaN if one
// is NaN: a step of a greedy method, in one pass over memory for the Gaussian
// kernel. z is finite and as long as g.
func (p *Points) Advance(g []float64, lo int, y []float64, keep, w float64, z []float64, factor float64) float64 {
	if p.gaussian && p.norms == nil && lo%panel == 0 && len(y) == p.d {
		return asm.GaussianStep(g, z, y, p.panels[lo*p.d:], p.radial.c, keep, w, factor)
	}
	scratch := getScratch()
	defer putScratch(scratch)
	best := math.Inf(-1)
	for at := 0; at < len(g); at += blockLen {
		part := g[at:min(at+blockLen, len(g))]
		buf := scratch[:len(part)]
		p.Column(buf, lo+at, y)
		asm.Scale(part, keep, part)
		asm.Axpy(part, w, buf)
		copy(buf, z[at:])
		asm.Axpy(buf, -factor, part)
		best = max(best, asm.Max(buf))
	}
	return best
}

// AccumulateAll adds sum_j w[j] k(x_i, y_j), over the rows y_j of Y, for the
// points i = lo, ..., lo+len(dst)-1 to dst.
func (p *Points) AccumulateAll(dst []float64, lo int, Y *mat.Dense, w []float64) {
	if p.radial.f == nil || p.norms != nil || lo%panel != 0 {
		for j, v := range w {
			p.Accumulate(dst, lo, Y.RawRowView(j), v)
		}
		return
	}
	scratch := getScratch()
	defer putScratch(scratch)
	raw := Y.RawMatrix()
	for len(dst) > 0 {
		b := min(len(dst), blockLen)
		panels := (b + panel - 1) / panel
		width := panels * panel
		at := p.panels[lo*p.d:]
		j := 0
		for ; j+4 <= len(w); j += 4 { // four rows of distances in one pass
			asm.Distances(4, scratch[:], width, raw.Data[j*raw.Stride:], raw.Stride, at, p.d, panels, p.radial.squared)
			p.radial.f(scratch[:4*width], p.radial.c, scratch[:4*width], false)
			asm.AxpyRows(dst[:b], w[j:j+4], scratch[:], width)
		}
		for ; j < len(w); j++ {
			asm.Distances(1, scratch[:], width, raw.Data[j*raw.Stride:], raw.Stride, at, p.d, panels, p.radial.squared)
			p.radial.f(scratch[:width], p.radial.c, scratch[:width], false)
			asm.Axpy(dst[:b], w[j], scratch[:b])
		}
		dst, lo = dst[b:], lo+b
	}
}

// slowColumn fills a column for a kernel of another package.
func slowColumn(k Kernel, dst []float64, X *mat.Dense, lo int, y []float64) {
	if b, ok := k.(BatchKernel); ok {
		_, d := X.Dims()
		b.Column(dst, X.Slice(lo, lo+len(dst), 0, d).(*mat.Dense), y)
		return
	}
	for i := range dst {
		dst[i] = k.Eval(X.RawRowView(lo+i), y)
	}
}

// columnKernel is what the kernels of this package have: a column over points
// stored by coordinates. len(dst) is at most blockLen.
type columnKernel interface {
	column(dst []float64, p *Points, lo int, y []float64)
}

// distances writes the distances of the points from lo on to y: squared, or sums
// of absolute differences.
func (p *Points) distances(dst []float64, lo int, y []float64, squared bool) {
	var edge [panel]float64
	if r := lo % panel; r != 0 {
		asm.Distances(1, edge[:], panel, y, len(y), p.panels[(lo-r)*p.d:], len(y), 1, squared)
		m := copy(dst, edge[r:])
		dst, lo = dst[m:], lo+m
	}
	if whole := len(dst) / panel; whole > 0 {
		p.distancePanels(dst, lo, y, whole, squared)
		dst, lo = dst[whole*panel:], lo+whole*panel
	}
	if len(dst) > 0 {
		p.distancePanels(edge[:], lo, y, 1, squared)
		copy(dst, edge[:])
	}
}

// distancePanels does whole panels. y may have fewer coordinates than the points
// (a label is left out); panels are then gone through one by one.
func (p *Points) distancePanels(dst []float64, lo int, y []float64, panels int, squared bool) {
	if len(y) == p.d {
		asm.Distances(1, dst, 0, y, len(y), p.panels[lo*p.d:], p.d, panels, squared)
		return
	}
	for k := range panels {
		asm.Distances(1, dst[k*panel:], 0, y, len(y), p.panels[(lo+k*panel)*p.d:], len(y), 1, squared)
	}
}

// coordinate copies coordinate j of the points from lo on to buf.
func (p *Points) coordinate(buf []float64, lo, j int) {
	for len(buf) > 0 {
		r := lo % panel
		m := copy(buf, p.panels[(lo-r)*p.d+j*panel+r:][:panel-r])
		buf, lo = buf[m:], lo+m
	}
}

// products writes x_i . y to dst.
func (p *Points) products(dst []float64, lo int, y []float64) {
	scratch := getScratch()
	defer putScratch(scratch)
	clear(dst)
	buf := scratch[:len(dst)]
	for j, v := range y {
		p.coordinate(buf, lo, j)
		asm.Axpy(dst, v, buf)
	}
}

// scratchPool holds buffers of four blocks.
var scratchPool = sync.Pool{New: func() any { return new([4 * blockLen]float64) }}

func getScratch() *[4 * blockLen]float64  { return scratchPool.Get().(*[4 * blockLen]float64) }
func putScratch(s *[4 * blockLen]float64) { scratchPool.Put(s) }
