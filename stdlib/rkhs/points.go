package rkhs

import (
	"sync"

	"gonum.org/v1/gonum/mat"
)

// blockLen is the number of points that one pass of a column works on: small
// enough for the first-level cache, large enough to pay for a call.
const blockLen = 512

// Points is a sample prepared for many evaluations of one kernel against
// single points: the shape of the inner loop of every greedy method, of mean
// embeddings and of Gram matrices. It keeps the sample coordinate by
// coordinate, which is what the vector units want.
//
// A Points is safe for use by several goroutines at once.
type Points struct {
	kernel Kernel
	x      *mat.Dense // row by row, for kernels of other packages
	coord  []float64  // coordinate j of point i is coord[j*n+i]
	n, d   int
}

// NewPoints prepares the rows of X (n x d) for evaluations of k. X must not
// change while the Points is in use. Cost and memory O(nd).
func NewPoints(k Kernel, X *mat.Dense) *Points {
	n, d := X.Dims()
	p := &Points{kernel: k, x: X, n: n, d: d}
	if _, ok := k.(columnKernel); !ok {
		return p
	}
	p.coord = make([]float64, n*d)
	for i := range n {
		for j, v := range X.RawRowView(i) {
			p.coord[j*n+i] = v
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
	k, fast := p.kernel.(columnKernel)
	if !fast {
		slowColumn(p.kernel, dst, p.x, lo, y)
		return
	}
	for len(dst) > 0 {
		b := min(len(dst), blockLen)
		k.column(dst[:b], p, lo, y)
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
		for i, v := range buf {
			dst[i] += w * v
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

// squaredDistances writes |x_i - y|^2 to dst.
func (p *Points) squaredDistances(dst []float64, lo int, y []float64) {
	for j, yj := range y {
		c := p.coord[j*p.n+lo:][:len(dst)]
		if j == 0 {
			for i, v := range c {
				d := v - yj
				dst[i] = d * d
			}
			continue
		}
		for i, v := range c {
			d := v - yj
			dst[i] += d * d
		}
	}
}

// absoluteDistances writes |x_i - y|_1 to dst.
func (p *Points) absoluteDistances(dst []float64, lo int, y []float64) {
	clear(dst)
	for j, yj := range y {
		c := p.coord[j*p.n+lo:][:len(dst)]
		for i, v := range c {
			d := v - yj
			if d < 0 {
				d = -d
			}
			dst[i] += d
		}
	}
}

// products writes x_i . y to dst.
func (p *Points) products(dst []float64, lo int, y []float64) {
	clear(dst)
	for j, yj := range y {
		c := p.coord[j*p.n+lo:][:len(dst)]
		for i, v := range c {
			dst[i] += v * yj
		}
	}
}

// scratchPool holds buffers of blockLen numbers.
var scratchPool = sync.Pool{New: func() any { return new([blockLen]float64) }}

func getScratch() *[blockLen]float64  { return scratchPool.Get().(*[blockLen]float64) }
func putScratch(s *[blockLen]float64) { scratchPool.Put(s) }
