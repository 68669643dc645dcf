package rkhs

import (
	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
)

// whitener holds L^-1 for S = L L', so that |L^-1 v|^2 = v' S^-1 v, and log det L.
type whitener struct {
	inv    *mat.Dense // lower triangular
	logDet float64    // log det L
}

// newWhitener factors S = a + b + s I; b may be nil. S is positive definite
// because a and b are semi-definite and s is positive.
func newWhitener(a, b *mat.SymDense, s float64) whitener {
	d := a.SymmetricDim()
	sum := mat.NewSymDense(d, nil)
	sum.CopySym(a)
	if b != nil {
		sum.AddSym(sum, b)
	}
	for i := range d {
		sum.SetSym(i, i, sum.At(i, i)+s)
	}
	chol, err := linalg.NewCholesky(sum)
	if err != nil {
		// Only rounding in a nearly singular a can do this: s is below the
		// unit in the last place of a. Raise the diagonal to that size.
		bump := 1e-14 * mat.Trace(sum) / float64(d)
		for err != nil {
			for i := range d {
				sum.SetSym(i, i, sum.At(i, i)+bump)
			}
			bump *= 10
			chol, err = linalg.NewCholesky(sum)
		}
	}
	eye := mat.NewDense(d, d, nil)
	for i := range d {
		eye.Set(i, i, 1)
	}
	return whitener{inv: chol.HalfSolveTo(eye, eye), logDet: 0.5 * chol.LogDet()}
}

// apply writes L^-1 v to dst (dst may be v).
func (w whitener) apply(dst, v []float64) {
	for i := len(v) - 1; i >= 0; i-- {
		var s float64
		for j := 0; j <= i; j++ {
			s += w.inv.At(i, j) * v[j]
		}
		dst[i] = s
	}
}

// flat returns the rows of L^-1 up to the diagonal, one after the other.
func (w whitener) flat() []float64 {
	d, _ := w.inv.Dims()
	var out []float64
	for i := range d {
		for j := 0; j <= i; j++ {
			out = append(out, w.inv.At(i, j))
		}
	}
	return out
}

func halfSquaredNorm(v []float64) float64 {
	var s float64
	for _, x := range v {
		s += x * x
	}
	return 0.5 * s
}
