package linalg

import (
	"fmt"
	"math"

	"gaucho/internal/scale"
	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/memory"

	"gonum.org/v1/gonum/mat"
)

// A QR is the factorization A = Q R of an m x n matrix, m >= n, by Householder
// reflections in blocks.
type QR struct {
	m, n int
	a    []float64 // R above, reflectors below the diagonal
	tau  []float64
}

// rounding is the length that rounding may leave, relative to that of a vector,
// where its parts along others are taken out and nothing else is left.
const rounding = 16 * epsilon

// qrBlock is the number of reflections between updates of the rest.
const qrBlock = 32

// NewQR factorizes a, m x n with m >= n. About 2 n^2 (m - n/3) operations, most
// of them in products.
func NewQR(a *mat.Dense) *QR {
	m, n := a.Dims()
	if m < n {
		panic(fmt.Sprintf("linalg: NewQR: a is %d x %d, must have at least as many rows as columns", m, n))
	}
	f := &QR{m, n, memory.Fresh(m * n), make([]float64, n)}
	r := a.RawMatrix()
	for i := range m {
		copy(f.a[i*n:(i+1)*n], r.Data[i*r.Stride:i*r.Stride+n])
	}
	geqrf(m, n, f.a, n, f.tau)
	return f
}

// geqrf factorizes a in place as LAPACK's dgeqrf; tau has min(m, n) elements.
func geqrf(m, n int, a []float64, lda int, tau []float64) {
	k := min(m, n)
	w := newReflections(m, n)
	for j := 0; j < k; j += qrBlock {
		nb := min(qrBlock, k-j)
		rows := m - j
		// The panel as rows, which are contiguous.
		transpose(w.y, rows, a[j*lda+j:], lda, rows, nb)
		for c := range nb {
			col := w.y[c*rows : (c+1)*rows]
			var beta float64
			beta, tau[j+c] = reflector(col[c:])
			for l := c + 1; l < nb; l++ {
				other := w.y[l*rows+c : (l+1)*rows]
				asm.Axpy(other, -tau[j+c]*asm.Dot(col[c:], other), col[c:])
			}
			col[c] = beta
		}
		transpose(a[j*lda+j:], lda, w.y, rows, nb, rows)
		if j+nb < n {
			w.clean(rows, nb)
			w.apply(rows, nb, tau[j:j+nb], true, n-j-nb, a[j*lda+j+nb:], lda)
		}
	}
}

// reflections is the scratch of block reflections.
type reflections struct{ y, f, g, w, u []float64 }

func newReflections(m, n int) *reflections {
	return &reflections{
		make([]float64, qrBlock*m), make([]float64, qrBlock*qrBlock), make([]float64, qrBlock*qrBlock),
		make([]float64, qrBlock*n), make([]float64, qrBlock*n),
	}
}

// clean leaves in y, nb rows, the reflectors alone: zeros, 1, and the rest.
func (w *reflections) clean(rows, nb int) {
	for c := range nb {
		clear(w.y[c*rows : c*rows+c])
		w.y[c*rows+c] = 1
	}
}

// apply multiplies b, rows x n, from the left by H_0 ... H_(nb-1) = I - Y' F Y, or
// its transpose.
func (w *reflections) apply(rows, nb int, tau []float64, trans bool, n int, b []float64, ldb int) {
	blockFactor(nb, rows, w.y, tau, w.f, w.g)
	f := view{w.f, nb, 1}
	if trans {
		f = f.t()
	}
	gemm(nb, n, rows, 1, view{w.y, rows, 1}, view{b, ldb, 1}, 0, w.w, n, full)
	gemm(nb, n, nb, 1, f, view{w.w, n, 1}, 0, w.u, n, full)
	gemm(rows, n, nb, -1, view{w.y, 1, rows}, view{w.u, n, 1}, 1, b, ldb, full)
}

// applyQ multiplies b, m x n, by Q or its transpose in place.
func (f *QR) applyQ(trans bool, n int, b []float64, ldb int) {
	w := newReflections(f.m, n)
	blocks := (f.n + qrBlock - 1) / qrBlock
	for k := range blocks {
		if !trans {
			k = blocks - 1 - k
		}
		j := k * qrBlock
		nb := min(qrBlock, f.n-j)
		rows := f.m - j
		transpose(w.y, rows, f.a[j*f.n+j:], f.n, rows, nb)
		w.clean(rows, nb)
		w.apply(rows, nb, f.tau[j:j+nb], trans, n, b[j*ldb:], ldb)
	}
}

// Q sets dst to the first n columns of Q, m x n with orthonormal columns, and
// returns it; nil is allocated.
func (f *QR) Q(dst *mat.Dense) *mat.Dense {
	dst = shape("Q", dst, f.m, f.n)
	dst.Zero()
	for i := range f.n {
		dst.Set(i, i, 1)
	}
	r := dst.RawMatrix()
	f.applyQ(false, f.n, r.Data, r.Stride)
	return dst
}

// R returns the upper triangular factor, n x n.
func (f *QR) R() *mat.TriDense {
	t := mat.NewTriDense(f.n, mat.Upper, nil)
	r := t.RawTriangular()
	for i := range f.n {
		copy(r.Data[i*r.Stride+i:i*r.Stride+f.n], f.a[i*f.n+i:(i+1)*f.n])
	}
	return t
}

// SolveTo sets dst to the x, n x p, that minimizes the norm of A x - b for b
// m x p, and returns it; nil is allocated. The error is Singular at a column of A
// that those before it explain but for rounding: to 16 units in the last place of
// its length.
func (f *QR) SolveTo(dst, b *mat.Dense) (*mat.Dense, error) {
	rows, p := b.Dims()
	if rows != f.m {
		panic(fmt.Sprintf("linalg: SolveTo: b has %d rows, must have %d", rows, f.m))
	}
	column := make([]float64, f.n)
	for i := range f.n {
		for j := range i + 1 {
			column[j] = f.a[j*f.n+i]
		}
		if !(math.Abs(column[i]) > rounding*scale.Norm(column[:i+1])) {
			return nil, Singular{i}
		}
	}
	dst = shape("SolveTo", dst, f.n, p)
	work := mat.DenseCopyOf(b)
	w := work.RawMatrix()
	f.applyQ(true, p, w.Data, w.Stride)
	trsmLeft(f.n, p, triangle{view{f.a, f.n, 1}, false, false}, w.Data, w.Stride)
	dst.Copy(work.Slice(0, f.n, 0, p))
	return dst, nil
}
