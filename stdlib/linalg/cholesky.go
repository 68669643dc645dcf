package linalg

import (
	"fmt"
	"math"

	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/memory"

	"gonum.org/v1/gonum/mat"
)

// A Cholesky is the factor U of a positive definite A = U'U. It can be updated,
// and grow by a row and column, in n^2 operations. The zero value is the factor
// of the empty matrix.
//
// Unlike mat.Cholesky it estimates no condition number, which there takes most
// of the time.
type Cholesky struct {
	n   int
	ldu int
	u   []float64 // n rows, upper triangle
}

// NewCholesky factorizes a. The error is NotPositiveDefinite and names the
// pivot. n^3/3 operations.
func NewCholesky(a mat.Symmetric) (*Cholesky, error) {
	if a == nil {
		return nil, fmt.Errorf("linalg: NewCholesky: a is nil")
	}
	n := a.SymmetricDim()
	c := &Cholesky{n: n, ldu: n, u: memory.Fresh(n * n)}
	if s, ok := a.(mat.RawSymmetricer); ok {
		r := s.RawSymmetric()
		for i := range n {
			copy(c.u[i*n+i:(i+1)*n], r.Data[i*r.Stride+i:i*r.Stride+n])
		}
	} else {
		for i := range n {
			for j := i; j < n; j++ {
				c.u[i*n+j] = a.At(i, j)
			}
		}
	}
	return c, c.factorize()
}

// NewCholeskyDense factorizes the symmetric matrix a, of which the upper
// triangle is read, plus shift on its diagonal; see NewCholesky.
func NewCholeskyDense(a *mat.Dense, shift float64) (*Cholesky, error) {
	if a == nil {
		return nil, fmt.Errorf("linalg: NewCholeskyDense: a is nil")
	}
	n, cols := a.Dims()
	if n != cols {
		panic(fmt.Sprintf("linalg: NewCholeskyDense: a is %d x %d, must be square", n, cols))
	}
	c := &Cholesky{n: n, ldu: n, u: memory.Fresh(n * n)}
	r := a.RawMatrix()
	for i := range n {
		copy(c.u[i*n+i:(i+1)*n], r.Data[i*r.Stride+i:i*r.Stride+n])
		c.u[i*n+i] += shift
	}
	return c, c.factorize()
}

func (c *Cholesky) factorize() error {
	if c.n == 0 {
		return nil
	}
	if err := potrf(c.n, c.u, c.ldu, upper); err != nil {
		c.n = 0
		return err
	}
	return nil
}

// Len returns n.
func (c *Cholesky) Len() int { return c.n }

// U returns a copy of the factor.
func (c *Cholesky) U() *mat.TriDense {
	if c.n == 0 {
		return &mat.TriDense{}
	}
	t := mat.NewTriDense(c.n, mat.Upper, nil)
	r := t.RawTriangular()
	for i := range c.n {
		copy(r.Data[i*r.Stride+i:i*r.Stride+c.n], c.u[i*c.ldu+i:i*c.ldu+c.n])
	}
	return t
}

// LogDet returns the logarithm of the determinant of A.
func (c *Cholesky) LogDet() float64 {
	s := 0.0
	for i := range c.n {
		s += asm.Log1(c.u[i*(c.ldu+1)])
	}
	return 2 * s
}

func (c *Cholesky) factor(trans bool) triangle {
	return triangle{viewOp(transOf(trans), c.u, c.ldu), trans, false}
}

// SolveTo sets dst = A^-1 b for b n x m and returns it; dst may be b, nil is
// allocated. 2 n^2 m operations.
func (c *Cholesky) SolveTo(dst, b *mat.Dense) *mat.Dense {
	dst = c.right("SolveTo", dst, b)
	x := dst.RawMatrix()
	trsmLeft(c.n, x.Cols, c.factor(true), x.Data, x.Stride)
	trsmLeft(c.n, x.Cols, c.factor(false), x.Data, x.Stride)
	return dst
}

// HalfSolveTo sets dst = U'^-1 b and returns it, so that dst'*dst is
// b' A^-1 b; dst may be b, nil is allocated. n^2 m operations.
func (c *Cholesky) HalfSolveTo(dst, b *mat.Dense) *mat.Dense {
	dst = c.right("HalfSolveTo", dst, b)
	x := dst.RawMatrix()
	trsmLeft(c.n, x.Cols, c.factor(true), x.Data, x.Stride)
	return dst
}

// right checks b and copies it to dst.
func (c *Cholesky) right(name string, dst, b *mat.Dense) *mat.Dense {
	rows, m := b.Dims()
	if rows != c.n {
		panic(fmt.Sprintf("linalg: %s: b has %d rows, must have %d", name, rows, c.n))
	}
	if dst == b {
		return dst
	}
	dst = shape(name, dst, rows, m)
	x, y := dst.RawMatrix(), b.RawMatrix()
	apart(name, x.Data, y.Data)
	dst.Copy(b)
	return dst
}

// SolveVecTo sets dst = A^-1 b and returns it; dst may be b, nil is allocated.
func (c *Cholesky) SolveVecTo(dst, b []float64) []float64 {
	dst = c.rightVec("SolveVecTo", dst, b)
	solveVec(c.n, c.factor(true), dst)
	solveVec(c.n, c.factor(false), dst)
	return dst
}

// HalfSolveVecTo sets dst = U'^-1 b and returns it; dst may be b, nil is
// allocated.
func (c *Cholesky) HalfSolveVecTo(dst, b []float64) []float64 {
	dst = c.rightVec("HalfSolveVecTo", dst, b)
	solveVec(c.n, c.factor(true), dst)
	return dst
}

func (c *Cholesky) rightVec(name string, dst, b []float64) []float64 {
	length(name, "b", b, c.n)
	dst = vector(name, dst, c.n)
	copy(dst, b)
	return dst
}

// solveVec solves T x = b in place, along the contiguous side of T.
func solveVec(n int, t triangle, x []float64) {
	for k := range n {
		i := k
		if !t.lower {
			i = n - 1 - k
		}
		lo, hi := 0, i
		if !t.lower {
			lo, hi = i+1, n
		}
		if t.cs == 1 {
			x[i] -= asm.Dot(t.p[i*t.rs+lo:i*t.rs+hi], x[lo:hi])
		}
		if !t.unit {
			x[i] /= t.p[i*(t.rs+t.cs)]
		}
		if t.cs == 1 {
			continue
		}
		// Columns are contiguous: take x[i] out of those to come.
		lo, hi = i+1, n
		if !t.lower {
			lo, hi = 0, i
		}
		asm.Axpy(x[lo:hi], -x[i], t.p[i*t.cs+lo:i*t.cs+hi])
	}
}

// Extend adds a row and column to A: row holds its n+1 elements, the diagonal
// last. The error is NotPositiveDefinite, and A then stays as it was. n^2
// operations.
func (c *Cholesky) Extend(row []float64) error {
	length("Extend", "row", row, c.n+1)
	n := c.n
	v := append([]float64(nil), row[:n]...)
	solveVec(n, c.factor(true), v)
	d := row[n] - asm.Dot(v, v)
	if !(d > 0) || math.IsInf(d, 1) {
		return NotPositiveDefinite{n, d}
	}
	c.grow(n + 1)
	for i, x := range v {
		c.u[i*c.ldu+n] = x
	}
	c.u[n*(c.ldu+1)] = math.Sqrt(d)
	return nil
}

// grow makes room for n rows, doubling.
func (c *Cholesky) grow(n int) {
	if n > c.ldu || len(c.u) < n*c.ldu {
		ldu := max(n, 2*c.ldu)
		u := make([]float64, ldu*ldu)
		for i := range c.n {
			copy(u[i*ldu+i:i*ldu+c.n], c.u[i*c.ldu+i:i*c.ldu+c.n])
		}
		c.u, c.ldu = u, ldu
	}
	c.n = n
}

// Update changes A to A + x x'. n^2 operations of rotations.
func (c *Cholesky) Update(x []float64) {
	length("Update", "x", x, c.n)
	x = append([]float64(nil), x...)
	for k := range x {
		row := c.u[k*c.ldu+k : k*c.ldu+c.n]
		r := math.Sqrt(math.FMA(row[0], row[0], float64(x[k]*x[k])))
		cos, sin := row[0]/r, x[k]/r
		row[0] = r
		asm.Rotate(row[1:], x[k+1:], cos, sin)
	}
}

// Downdate changes A to A - x x'. The error is NotPositiveDefinite if that is
// not positive definite, and A then stays as it was. n^2 operations (Stewart
// 1979; LINPACK's dchdd).
func (c *Cholesky) Downdate(x []float64) error {
	length("Downdate", "x", x, c.n)
	p := append([]float64(nil), x...)
	solveVec(c.n, c.factor(true), p)
	rest := 1 - asm.Dot(p, p)
	if !(rest > 0) {
		return NotPositiveDefinite{c.n - 1, rest}
	}
	// Rotations that bring (p, sqrt(rest)) to (0, 1) bring (U, 0) to (U-, x).
	cos, sin := make([]float64, c.n), make([]float64, c.n)
	alpha := math.Sqrt(rest)
	for i := c.n - 1; i >= 0; i-- {
		r := math.Sqrt(math.FMA(alpha, alpha, float64(p[i]*p[i])))
		cos[i], sin[i] = alpha/r, p[i]/r
		alpha = r
	}
	w := make([]float64, c.n)
	for i := c.n - 1; i >= 0; i-- {
		asm.Rotate(w[i:], c.u[i*c.ldu+i:i*c.ldu+c.n], cos[i], sin[i])
	}
	return nil
}
