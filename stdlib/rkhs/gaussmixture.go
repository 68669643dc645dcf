package rkhs

import (
	"context"
	"sync"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/vec"
)

// mixtureEmbedding is the mean embedding of a Gaussian mixture under the
// Gaussian kernel of bandwidth b. With S_j = cov_j + b^2 I,
//
//	mu(x) = sum_j w_j det(I + cov_j/b^2)^(-1/2) exp(-(x-m_j)' S_j^-1 (x-m_j) / 2)
//	|mu|^2 = sum_jl w_j w_l det(I + (cov_j+cov_l)/b^2)^(-1/2)
//	         exp(-(m_j-m_l)' (cov_j+cov_l+b^2 I)^-1 (m_j-m_l) / 2)
//
// (Lacoste-Julien et al. 2015, section 2.3). Weight and determinant are kept
// as one number, computed from logarithms: in high dimension the determinant
// times b^d alone underflows.
type mixtureEmbedding struct {
	kernel Gaussian
	p      *Mixture

	weight  []float64   // of each component: w_j det(I + cov_j/b^2)^(-1/2)
	precise []float64   // isotropic: 1/(v_j + b^2)
	white   []whitener  // one per distinct covariance
	flat    [][]float64 // L^-1 of each of them, packed
	means   *mat.Dense  // shared: L^-1 m_j; otherwise m_j

	scratch sync.Pool
	norm2   lazy
}

func embedMixture(k Gaussian, p *Mixture) *mixtureEmbedding {
	e := &mixtureEmbedding{kernel: k, p: p, means: p.means}
	d, b2 := p.Dim(), k.Bandwidth*k.Bandwidth
	logB := float64(d) * vec.Log1(k.Bandwidth)
	e.weight = make([]float64, p.Len())
	e.scratch.New = func() any {
		s := make([]float64, (2*d+5)*blockLen)
		return &s
	}
	if p.vars != nil {
		e.precise = make([]float64, p.Len())
		for j, v := range p.vars {
			e.precise[j] = 1 / (v + b2)
			e.weight[j] = vec.Exp1(vec.Log1(p.weights[j]) + logB - 0.5*float64(d)*vec.Log1(v+b2))
		}
		return e
	}
	for _, c := range p.covs {
		w := newWhitener(c, nil, b2)
		e.white = append(e.white, w)
		e.flat = append(e.flat, w.flat())
	}
	for j := range e.weight {
		e.weight[j] = vec.Exp1(vec.Log1(p.weights[j]) + logB - e.whitener(j).logDet)
	}
	if len(e.white) == 1 {
		e.means = mat.NewDense(p.Len(), d, nil)
		for j := range p.Len() {
			e.white[0].apply(e.means.RawRowView(j), p.means.RawRowView(j))
		}
	}
	return e
}

func (e *mixtureEmbedding) whitener(j int) whitener { return e.white[e.p.classOf(j)] }

func (e *mixtureEmbedding) Kernel() Kernel { return e.kernel }
func (e *mixtureEmbedding) Dim() int       { return e.p.Dim() }

// EvalTo costs O(n K d) for isotropic and shared covariances (and O(n d^2) to
// whiten the points), O(n K d^2) for full ones, over all cores.
func (e *mixtureEmbedding) EvalTo(ctx context.Context, dst []float64, X *mat.Dense) error {
	if err := checkEval(dst, X, e.Dim()); err != nil {
		return err
	}
	parallel.Blocks(len(dst), blockLen, func(_, lo, hi int) {
		if ctx.Err() == nil {
			e.block(dst[lo:hi], X, lo, nil)
		}
	})
	return ctx.Err()
}

// block evaluates the embedding, restricted to the components for which use is
// true (nil: all), at the rows of X from lo on. The weights of the components are
// exponentials of logarithms that hold the determinants, at most 1; the other
// exponentials are at most 1 too, so nothing overflows, and what underflows is 0.
func (e *mixtureEmbedding) block(dst []float64, X *mat.Dense, lo int, use []bool) {
	n, d := len(dst), e.Dim()
	if len(e.white) > 1 {
		e.fullBlock(dst, X, lo, use)
		return
	}
	pooled := e.scratch.Get().(*[]float64)
	defer e.scratch.Put(pooled)
	panels := (n + panel - 1) / panel
	width := panels * panel
	coord, dist := (*pooled)[:width*d], (*pooled)[d*blockLen:]
	row := (*pooled)[(d+4)*blockLen:][:d]
	for i := range n {
		x := X.RawRowView(lo + i)[:d]
		if len(e.white) == 1 {
			e.white[0].apply(row, x)
			x = row
		}
		at := i/panel*panel*d + i%panel
		for _, v := range x {
			coord[at] = v
			at += panel
		}
	}
	clear(dst)
	raw := e.means.RawMatrix()
	k := len(e.weight)
	for j := 0; j < k; {
		rows := 4
		if j+4 > k {
			rows = 1
		}
		asm.Distances(rows, dist, width, raw.Data[j*raw.Stride:], raw.Stride, coord, d, panels, true)
		var w [4]float64
		for r := range rows {
			q, c := dist[r*width:][:width], -0.5
			if e.precise != nil {
				c = -0.5 * e.precise[j+r]
			}
			asm.Gaussian(q, c, q, false)
			if !e.left(j+r, use) {
				w[r] = e.weight[j+r]
			}
		}
		asm.AxpyRows(dst, w[:rows], dist, width)
		j += rows
	}
}

// left says whether component j is left out.
func (e *mixtureEmbedding) left(j int, use []bool) bool {
	return e.weight[j] == 0 || (use != nil && !use[j])
}

// fullBlock is block for components with covariances of their own.
func (e *mixtureEmbedding) fullBlock(dst []float64, X *mat.Dense, lo int, use []bool) {
	n, d := len(dst), e.Dim()
	pooled := e.scratch.Get().(*[]float64)
	defer e.scratch.Put(pooled)
	coord, diff, quad := (*pooled)[:d*n], (*pooled)[d*blockLen:][:d*n], (*pooled)[2*d*blockLen:][:n]
	for i := range n {
		for j, v := range X.RawRowView(lo + i)[:d] {
			coord[j*n+i] = v
		}
	}
	clear(dst)
	for j, w := range e.weight {
		if e.left(j, use) {
			continue
		}
		triangular(diff, e.flat[e.p.classOf(j)], coord, e.means.RawRowView(j), n, d)
		squaredNorms(quad, diff, n, d)
		asm.Gaussian(quad, -0.5, quad, false)
		asm.Axpy(dst, w, quad)
	}
}

// triangular writes L^-1 (x_i - m) for n points, all by coordinates: packed
// holds the rows of L^-1 up to the diagonal. A nil m is 0.
func triangular(dst, packed, coord, m []float64, n, d int) {
	clear(dst)
	at := 0
	for r := range d {
		out := dst[r*n : r*n+n]
		for j := 0; j <= r; j++ {
			l := packed[at]
			at++
			var mj float64
			if m != nil {
				mj = m[j]
			}
			for i, v := range coord[j*n : j*n+n] {
				out[i] += l * (v - mj)
			}
		}
	}
}

// squaredNorms writes the squared norms of n points stored by coordinates.
func squaredNorms(dst, coord []float64, n, d int) {
	clear(dst)
	for j := range d {
		for i, v := range coord[j*n : j*n+n] {
			dst[i] += v * v
		}
	}
}

// Norm2 costs O(K^2 d) for isotropic, O(K^2 d + d^3) for shared and O(K^2 d^3)
// for full covariances. It is computed once, when first asked for.
func (e *mixtureEmbedding) Norm2(ctx context.Context) (float64, error) {
	return e.norm2.get(func() (float64, error) { return mixtureInner(ctx, e.kernel, e.p, e.p, nil) })
}

// Gradient writes sum_j w_j det(I+cov_j/b^2)^(-1/2) e_j(x) S_j^-1 (m_j - x) to dst.
func (e *mixtureEmbedding) Gradient(dst, x []float64) {
	d := e.Dim()
	v, u := make([]float64, d), make([]float64, d)
	clear(dst)
	for j, weight := range e.weight {
		if weight == 0 {
			continue
		}
		for i, m := range e.p.means.RawRowView(j) {
			v[i] = m - x[i]
		}
		if e.precise != nil {
			s := e.precise[j]
			f := s * weight * vec.Exp1(-s*halfSquaredNorm(v))
			for i := range dst {
				dst[i] += f * v[i]
			}
			continue
		}
		w := e.whitener(j)
		w.apply(u, v)
		f := weight * vec.Exp1(-halfSquaredNorm(u))
		for i := range d { // S^-1 v = L^-T (L^-1 v)
			for r := i; r < d; r++ {
				dst[i] += f * w.inv.At(r, i) * u[r]
			}
		}
	}
}
