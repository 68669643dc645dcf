package linalg

import (
	"gaucho/stdlib/internal/asm"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// UseGonum puts this package's products, triangular solves and factorizations
// under gonum's mat, blas64 and lapack64.
// It sets gonum's globals, which have no lock: call it once, before any
// goroutine computes. Packages of this library do not depend on it.
//
// Results differ from gonum's own in the last bits, and a zero times an
// infinity or NaN is NaN where gonum skips zeros.
func UseGonum() {
	blas64.Use(BLAS{})
	lapack64.Use(LAPACK{})
}

// Path names the set of vector instructions in use: "avx512", "avx2" or
// "portable". It changes speed, not results.
func Path() string { return asm.Current().String() }

// BLAS is gonum's implementation with the functions that take the time
// replaced. Arguments are judged by gonum's own code, so its panics stay.
type BLAS struct{ gonum.Implementation }

var _ blas.Float64 = BLAS{}

func isTrans(t blas.Transpose) bool { return t == blas.Trans || t == blas.ConjTrans }

func okTrans(ts ...blas.Transpose) bool {
	for _, t := range ts {
		if t != blas.NoTrans && !isTrans(t) {
			return false
		}
	}
	return true
}

// fits reports whether a holds an m x n matrix with contiguous rows.
func fits(a []float64, lda, m, n int) bool {
	return m > 0 && n > 0 && lda >= n && len(a) >= (m-1)*lda+n
}

// fitsOp is fits for a matrix that is m x n after transposition.
func fitsOp(t blas.Transpose, a []float64, lda, m, n int) bool {
	if isTrans(t) {
		m, n = n, m
	}
	return fits(a, lda, m, n)
}

func viewOp(t blas.Transpose, a []float64, lda int) view {
	if isTrans(t) {
		return view{a, 1, lda}
	}
	return view{a, lda, 1}
}

func okUplo(ul blas.Uplo) (part, bool) {
	switch ul {
	case blas.Upper:
		return upper, true
	case blas.Lower:
		return lower, true
	}
	return full, false
}

// Dgemm computes C = alpha*op(A)*op(B) + beta*C.
func (b BLAS) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, bb []float64, ldb int, beta float64, c []float64, ldc int) {
	if alpha == 0 || !okTrans(tA, tB) || !fitsOp(tA, a, lda, m, k) || !fitsOp(tB, bb, ldb, k, n) || !fits(c, ldc, m, n) {
		b.Implementation.Dgemm(tA, tB, m, n, k, alpha, a, lda, bb, ldb, beta, c, ldc)
		return
	}
	gemm(m, n, k, alpha, viewOp(tA, a, lda), viewOp(tB, bb, ldb), beta, c, ldc, full)
}

// Dsyrk computes a triangle of C = alpha*A*A' + beta*C, or with tA alpha*A'*A.
func (b BLAS) Dsyrk(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	which, ok := okUplo(ul)
	if alpha == 0 || !ok || !okTrans(tA) || !fitsOp(tA, a, lda, n, k) || !fits(c, ldc, n, n) {
		b.Implementation.Dsyrk(ul, tA, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	v := viewOp(tA, a, lda)
	gemm(n, n, k, alpha, v, v.t(), beta, c, ldc, which)
}

// Dsyr2k computes a triangle of C = alpha*(A*B' + B*A') + beta*C, or with tA
// of alpha*(A'*B + B'*A).
func (b BLAS) Dsyr2k(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float64, a []float64, lda int, bb []float64, ldb int, beta float64, c []float64, ldc int) {
	which, ok := okUplo(ul)
	if alpha == 0 || !ok || !okTrans(tA) || !fitsOp(tA, a, lda, n, k) || !fitsOp(tA, bb, ldb, n, k) || !fits(c, ldc, n, n) {
		b.Implementation.Dsyr2k(ul, tA, n, k, alpha, a, lda, bb, ldb, beta, c, ldc)
		return
	}
	syr2k(n, k, alpha, viewOp(tA, a, lda), viewOp(tA, bb, ldb), beta, c, ldc, which)
}

// okTri reports whether the arguments of a triangular function are valid and
// there is something to do, and returns op(A).
func okTri(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, a []float64, lda int, b []float64, ldb int) (triangle, bool) {
	k := m
	if s == blas.Right {
		k = n
	}
	if (s != blas.Left && s != blas.Right) || (ul != blas.Upper && ul != blas.Lower) ||
		(d != blas.Unit && d != blas.NonUnit) || !okTrans(tA) || !fits(a, lda, k, k) || !fits(b, ldb, m, n) {
		return triangle{}, false
	}
	return triangle{viewOp(tA, a, lda), (ul == blas.Lower) != isTrans(tA), d == blas.Unit}, true
}

// Dtrsm solves op(A)*X = alpha*B or X*op(A) = alpha*B in place.
func (b BLAS) Dtrsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, bb []float64, ldb int) {
	t, ok := okTri(s, ul, tA, d, m, n, a, lda, bb, ldb)
	if !ok || alpha == 0 {
		b.Implementation.Dtrsm(s, ul, tA, d, m, n, alpha, a, lda, bb, ldb)
		return
	}
	scalePart(m, n, alpha, bb, ldb, full)
	if s == blas.Left {
		trsmLeft(m, n, t, bb, ldb)
	} else {
		trsmRight(m, n, t, bb, ldb)
	}
}

// Dtrmm computes B = alpha*op(A)*B or B = alpha*B*op(A).
func (b BLAS) Dtrmm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, bb []float64, ldb int) {
	t, ok := okTri(s, ul, tA, d, m, n, a, lda, bb, ldb)
	if !ok || alpha == 0 {
		b.Implementation.Dtrmm(s, ul, tA, d, m, n, alpha, a, lda, bb, ldb)
		return
	}
	scalePart(m, n, alpha, bb, ldb, full)
	if s == blas.Left {
		trmmLeft(m, n, t, bb, ldb)
	} else {
		trmmRight(m, n, t, bb, ldb)
	}
}

// fitsVec reports whether x holds n elements inc apart.
func fitsVec(x []float64, n, inc int) bool {
	if inc < 0 {
		inc = -inc
	}
	return n > 0 && inc > 0 && len(x) >= (n-1)*inc+1
}

// gather returns the n elements of x in order, x itself if they are contiguous.
func gather(x []float64, n, inc int) []float64 {
	if inc == 1 {
		return x[:n]
	}
	y := make([]float64, n)
	i := first(n, inc)
	for j := range y {
		y[j] = x[i]
		i += inc
	}
	return y
}

// scatter is gather's inverse, nothing if y is x.
func scatter(x, y []float64, inc int) {
	if inc == 1 {
		return
	}
	i := first(len(y), inc)
	for _, v := range y {
		x[i] = v
		i += inc
	}
}

// first is the index of element 0: a negative increment starts at the end.
func first(n, inc int) int {
	if inc < 0 {
		return -(n - 1) * inc
	}
	return 0
}

// Dgemv computes y = alpha*op(A)*x + beta*y.
func (b BLAS) Dgemv(tA blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	lenX, lenY := n, m
	if isTrans(tA) {
		lenX, lenY = m, n
	}
	if alpha == 0 || !okTrans(tA) || !fits(a, lda, m, n) || !fitsVec(x, lenX, incX) || !fitsVec(y, lenY, incY) {
		b.Implementation.Dgemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	out := gather(y, lenY, incY)
	gemv(lenY, lenX, alpha, viewOp(tA, a, lda), gather(x, lenX, incX), beta, out)
	scatter(y, out, incY)
}

// Dsymv computes y = alpha*A*x + beta*y for a symmetric A.
func (b BLAS) Dsymv(ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int) {
	which, ok := okUplo(ul)
	if alpha == 0 || !ok || !fits(a, lda, n, n) || !fitsVec(x, n, incX) || !fitsVec(y, n, incY) {
		b.Implementation.Dsymv(ul, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	out := gather(y, n, incY)
	symv(n, alpha, a, lda, which, gather(x, n, incX), beta, out)
	scatter(y, out, incY)
}

// Dger computes A += alpha*x*y'.
func (b BLAS) Dger(m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64, lda int) {
	if alpha == 0 || !fits(a, lda, m, n) || !fitsVec(x, m, incX) || !fitsVec(y, n, incY) {
		b.Implementation.Dger(m, n, alpha, x, incX, y, incY, a, lda)
		return
	}
	ger(m, n, alpha, gather(x, m, incX), gather(y, n, incY), a, lda)
}
