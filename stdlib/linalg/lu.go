package linalg

import (
	"fmt"
	"math"

	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/memory"

	"gonum.org/v1/gonum/mat"
)

// An LU is the factorization P A = L U of a square matrix with partial
// pivoting: L has a unit diagonal.
type LU struct {
	n     int
	a     []float64
	pivot []int // row i was exchanged with row pivot[i], in order
}

// NewLU factorizes a, recursively, so that most of the 2/3 n^3 operations are
// products. The error is Singular.
func NewLU(a *mat.Dense) (*LU, error) {
	if a == nil {
		return nil, fmt.Errorf("linalg: NewLU: a is nil")
	}
	n, cols := a.Dims()
	if n != cols {
		panic(fmt.Sprintf("linalg: NewLU: a is %d x %d, must be square", n, cols))
	}
	f := &LU{n, memory.Fresh(n * n), make([]int, n)}
	r := a.RawMatrix()
	for i := range n {
		copy(f.a[i*n:(i+1)*n], r.Data[i*r.Stride:i*r.Stride+n])
	}
	getrf(n, n, f.a, n, f.pivot)
	for i := range n {
		if d := f.a[i*n+i]; d == 0 || math.IsNaN(d) {
			return nil, Singular{i}
		}
	}
	return f, nil
}

// SolveTo sets dst = A^-1 b for b n x m and returns it; dst may be b, nil is
// allocated. 2 n^2 m operations.
func (f *LU) SolveTo(dst, b *mat.Dense) *mat.Dense {
	rows, m := b.Dims()
	if rows != f.n {
		panic(fmt.Sprintf("linalg: SolveTo: b has %d rows, must have %d", rows, f.n))
	}
	if dst != b {
		dst = shape("SolveTo", dst, rows, m)
		apart("SolveTo", dst.RawMatrix().Data, b.RawMatrix().Data)
		dst.Copy(b)
	}
	x := dst.RawMatrix()
	for i, p := range f.pivot {
		if p != i {
			swap(x.Data[i*x.Stride:i*x.Stride+m], x.Data[p*x.Stride:p*x.Stride+m])
		}
	}
	v := view{f.a, f.n, 1}
	trsmLeft(f.n, m, triangle{v, true, true}, x.Data, x.Stride)
	trsmLeft(f.n, m, triangle{v, false, false}, x.Data, x.Stride)
	return dst
}

// SolveVecTo sets dst = A^-1 b and returns it; dst may be b, nil is allocated.
func (f *LU) SolveVecTo(dst, b []float64) []float64 {
	length("SolveVecTo", "b", b, f.n)
	dst = vector("SolveVecTo", dst, f.n)
	copy(dst, b)
	for i, p := range f.pivot {
		dst[i], dst[p] = dst[p], dst[i]
	}
	v := view{f.a, f.n, 1}
	solveVec(f.n, triangle{v, true, true}, dst)
	solveVec(f.n, triangle{v, false, false}, dst)
	return dst
}

// LogDet returns the logarithm of the absolute value of A's determinant, and its
// sign.
func (f *LU) LogDet() (logDet, sign float64) {
	sign = 1
	for i := range f.n {
		d := f.a[i*f.n+i]
		if (d < 0) != (f.pivot[i] != i) {
			sign = -sign
		}
		logDet += asm.Log1(math.Abs(d))
	}
	return logDet, sign
}

func swap(a, b []float64) {
	for i, x := range a {
		a[i], b[i] = b[i], x
	}
}

// luBase is the number of columns that are eliminated one by one.
const luBase = 16

// getrf factorizes the m x n matrix a in place; pivot has min(m, n) elements. A
// zero pivot is left, and the elimination goes on.
func getrf(m, n int, a []float64, lda int, pivot []int) {
	luColumns(m, n, 0, min(m, n), a, lda, pivot)
	// Columns beyond the square: they were exchanged along.
	if k := min(m, n); n > k {
		trsmLeft(k, n-k, triangle{view{a, lda, 1}, true, true}, a[k:], lda)
	}
}

// luColumns eliminates columns lo to hi, the rows from lo on being up to date
// there; whole rows of n are exchanged.
func luColumns(m, n, lo, hi int, a []float64, lda int, pivot []int) {
	if hi-lo <= luBase {
		for j := lo; j < hi; j++ {
			luColumn(m, n, j, hi, a, lda, pivot)
		}
		return
	}
	mid := lo + (hi-lo)/2/luBase*luBase
	if mid == lo {
		mid = lo + luBase
	}
	luColumns(m, n, lo, mid, a, lda, pivot)
	trsmLeft(mid-lo, hi-mid, triangle{view{a[lo*lda+lo:], lda, 1}, true, true}, a[lo*lda+mid:], lda)
	if m > mid {
		gemm(m-mid, hi-mid, mid-lo, -1, view{a[mid*lda+lo:], lda, 1}, view{a[lo*lda+mid:], lda, 1}, 1, a[mid*lda+mid:], lda, full)
	}
	luColumns(m, n, mid, hi, a, lda, pivot)
}

// luColumn chooses the pivot of column j and eliminates it in columns up to hi.
func luColumn(m, n, j, hi int, a []float64, lda int, pivot []int) {
	best, at := math.Abs(a[j*lda+j]), j
	for i := j + 1; i < m; i++ {
		if x := math.Abs(a[i*lda+j]); x > best {
			best, at = x, i
		}
	}
	pivot[j] = at
	if at != j {
		swap(a[j*lda:j*lda+n], a[at*lda:at*lda+n])
	}
	d := a[j*lda+j]
	if d == 0 {
		return
	}
	row := a[j*lda+j+1 : j*lda+hi]
	for i := j + 1; i < m; i++ {
		l := a[i*lda+j] / d
		a[i*lda+j] = l
		asm.Axpy(a[i*lda+j+1:i*lda+hi], -l, row)
	}
}
