package linalg

import (
	"fmt"
	"unsafe"

	"gaucho/stdlib/internal/memory"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

// Mul sets dst = a*b and returns it; nil is allocated. dst must not share
// memory with a or b. Shapes that do not fit panic, before anything is written.
// 2*m*n*k operations at the machine's speed.
func Mul(dst, a, b *mat.Dense) *mat.Dense { return mul("Mul", dst, a, b, blas.NoTrans, blas.NoTrans) }

// MulTransA sets dst = a'*b and returns it; see Mul.
func MulTransA(dst, a, b *mat.Dense) *mat.Dense {
	return mul("MulTransA", dst, a, b, blas.Trans, blas.NoTrans)
}

// MulTransB sets dst = a*b' and returns it; see Mul. With points as rows it
// holds their inner products.
func MulTransB(dst, a, b *mat.Dense) *mat.Dense {
	return mul("MulTransB", dst, a, b, blas.NoTrans, blas.Trans)
}

func mul(name string, dst, a, b *mat.Dense, ta, tb blas.Transpose) *mat.Dense {
	x, y := a.RawMatrix(), b.RawMatrix()
	m, k := x.Rows, x.Cols
	if ta == blas.Trans {
		m, k = k, m
	}
	l, n := y.Rows, y.Cols
	if tb == blas.Trans {
		l, n = n, l
	}
	if l != k {
		panic(fmt.Sprintf("linalg: %s: a is %d x %d and b %d x %d: inner dimensions are %d and %d, must be equal",
			name, x.Rows, x.Cols, y.Rows, y.Cols, k, l))
	}
	dst = shape(name, dst, m, n)
	z := dst.RawMatrix()
	apart(name, z.Data, x.Data)
	apart(name, z.Data, y.Data)
	gemm(m, n, k, 1, viewOp(ta, x.Data, x.Stride), viewOp(tb, y.Data, y.Stride), 0, z.Data, z.Stride, full)
	return dst
}

// shape returns dst if it is m x n, a new matrix if it is nil or empty.
func shape(name string, dst *mat.Dense, m, n int) *mat.Dense {
	if dst == nil {
		if m <= 0 || n <= 0 {
			return mat.NewDense(m, n, nil)
		}
		return mat.NewDense(m, n, memory.Fresh(m*n))
	}
	if dst.IsEmpty() {
		dst.ReuseAs(m, n)
		return dst
	}
	if r, c := dst.Dims(); r != m || c != n {
		panic(fmt.Sprintf("linalg: %s: dst is %d x %d, must be %d x %d", name, r, c, m, n))
	}
	return dst
}

// vector returns dst if it has n elements, a new one if it is nil.
func vector(name string, dst []float64, n int) []float64 {
	if dst == nil {
		return make([]float64, n)
	}
	length(name, "dst", dst, n)
	return dst
}

func length(name, what string, x []float64, n int) {
	if len(x) != n {
		panic(fmt.Sprintf("linalg: %s: %s has %d elements, must have %d", name, what, len(x), n))
	}
}

// apart panics if a and b share memory.
func apart(name string, a, b []float64) {
	if len(a) == 0 || len(b) == 0 {
		return
	}
	pa, pb := uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0]))
	if pa < pb+8*uintptr(len(b)) && pb < pa+8*uintptr(len(a)) {
		panic("linalg: " + name + ": dst shares memory with an argument, must be apart")
	}
}

// Gemm computes C = alpha*op(A)*op(B) + beta*C on raw row-major slices: op(A) is
// m x k, op(B) k x n, C m x n; op transposes where transA or transB is set, and
// lda, ldb, ldc are the lengths of the stored rows. With beta = 0, C is not read.
// It panics as gonum's Dgemm does.
func Gemm(transA, transB bool, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	BLAS{}.Dgemm(transOf(transA), transOf(transB), m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

func transOf(t bool) blas.Transpose {
	if t {
		return blas.Trans
	}
	return blas.NoTrans
}

// MulVec sets dst = a*x and returns it; nil is allocated. dst must not be x.
func MulVec(dst []float64, a *mat.Dense, x []float64) []float64 {
	m, n := a.Dims()
	length("MulVec", "x", x, n)
	dst = vector("MulVec", dst, m)
	apart("MulVec", dst, x)
	r := a.RawMatrix()
	gemv(m, n, 1, view{r.Data, r.Stride, 1}, x, 0, dst)
	return dst
}

// MulTransVec sets dst = a'*x and returns it; nil is allocated. dst must not
// be x.
func MulTransVec(dst []float64, a *mat.Dense, x []float64) []float64 {
	m, n := a.Dims()
	length("MulTransVec", "x", x, m)
	dst = vector("MulTransVec", dst, n)
	apart("MulTransVec", dst, x)
	r := a.RawMatrix()
	gemv(n, m, 1, view{r.Data, 1, r.Stride}, x, 0, dst)
	return dst
}

// SymMulVec sets dst = a*x and returns it; nil is allocated. Only half of a is
// read. dst must not be x.
func SymMulVec(dst []float64, a *mat.SymDense, x []float64) []float64 {
	n := a.SymmetricDim()
	length("SymMulVec", "x", x, n)
	dst = vector("SymMulVec", dst, n)
	apart("SymMulVec", dst, x)
	r := a.RawSymmetric()
	symv(n, 1, r.Data, r.Stride, upper, x, 0, dst)
	return dst
}

// RankOne adds alpha*x*y' to a.
func RankOne(a *mat.Dense, alpha float64, x, y []float64) {
	m, n := a.Dims()
	length("RankOne", "x", x, m)
	length("RankOne", "y", y, n)
	r := a.RawMatrix()
	ger(m, n, alpha, x, y, r.Data, r.Stride)
}

// SymRankK sets dst = alpha*a*a' + beta*dst and returns it, half the work of a
// product; a nil dst is allocated and beta then ignored.
func SymRankK(dst *mat.SymDense, alpha float64, a *mat.Dense, beta float64) *mat.SymDense {
	r := a.RawMatrix()
	return rankK("SymRankK", dst, alpha, view{r.Data, r.Stride, 1}, r.Rows, r.Cols, r.Data, beta)
}

// SymRankKTrans sets dst = alpha*a'*a + beta*dst; see SymRankK.
func SymRankKTrans(dst *mat.SymDense, alpha float64, a *mat.Dense, beta float64) *mat.SymDense {
	r := a.RawMatrix()
	return rankK("SymRankKTrans", dst, alpha, view{r.Data, 1, r.Stride}, r.Cols, r.Rows, r.Data, beta)
}

func rankK(name string, dst *mat.SymDense, alpha float64, a view, n, k int, data []float64, beta float64) *mat.SymDense {
	dst, beta = symShape(name, dst, n, beta)
	c := dst.RawSymmetric()
	apart(name, c.Data, data)
	gemm(n, n, k, alpha, a, a.t(), beta, c.Data, c.Stride, upper)
	return dst
}

// SymRank2K sets dst = alpha*(a*b' + b*a') + beta*dst and returns it; a nil dst
// is allocated and beta then ignored.
func SymRank2K(dst *mat.SymDense, alpha float64, a, b *mat.Dense, beta float64) *mat.SymDense {
	x, y := a.RawMatrix(), b.RawMatrix()
	if x.Rows != y.Rows || x.Cols != y.Cols {
		panic(fmt.Sprintf("linalg: SymRank2K: a is %d x %d and b %d x %d, must be of equal shape", x.Rows, x.Cols, y.Rows, y.Cols))
	}
	dst, beta = symShape("SymRank2K", dst, x.Rows, beta)
	c := dst.RawSymmetric()
	apart("SymRank2K", c.Data, x.Data)
	apart("SymRank2K", c.Data, y.Data)
	syr2k(x.Rows, x.Cols, alpha, view{x.Data, x.Stride, 1}, view{y.Data, y.Stride, 1}, beta, c.Data, c.Stride, upper)
	return dst
}

func symShape(name string, dst *mat.SymDense, n int, beta float64) (*mat.SymDense, float64) {
	if dst == nil {
		return mat.NewSymDense(n, nil), 0
	}
	if dst.IsEmpty() {
		dst.ReuseAsSym(n)
		return dst, 0
	}
	if s := dst.SymmetricDim(); s != n {
		panic(fmt.Sprintf("linalg: %s: dst is %d x %d, must be %d x %d", name, s, s, n, n))
	}
	return dst, beta
}

// A Singular error says which diagonal element of a triangular factor is zero.
type Singular struct{ Index int }

func (e Singular) Error() string {
	return fmt.Sprintf("linalg: matrix is singular: diagonal element %d of its factor is 0", e.Index)
}

// SolveTri solves t*X = b, or t'*X = b if trans, in place of b, n x m. A zero on
// the diagonal is a Singular error and leaves b alone. n*n*m operations.
func SolveTri(t *mat.TriDense, trans bool, b *mat.Dense) error {
	if t == nil || b == nil {
		return fmt.Errorf("linalg: SolveTri: t or b is nil")
	}
	n, kind := t.Triangle()
	rows, m := b.Dims()
	if rows != n {
		panic(fmt.Sprintf("linalg: SolveTri: b has %d rows, must have %d", rows, n))
	}
	r, x := t.RawTriangular(), b.RawMatrix()
	apart("SolveTri", x.Data, r.Data)
	for i := range n {
		if r.Data[i*(r.Stride+1)] == 0 {
			return Singular{i}
		}
	}
	lowerKind := kind == mat.Lower
	trsmLeft(n, m, triangle{viewOp(transOf(trans), r.Data, r.Stride), lowerKind != trans, false}, x.Data, x.Stride)
	return nil
}
