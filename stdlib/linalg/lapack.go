package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack/gonum"
)

// LAPACK is gonum's implementation with Dpotrf replaced by the recursive one;
// the rest stands on the BLAS in use.
type LAPACK struct{ gonum.Implementation }

// Dpotrf computes the Cholesky factorization U'*U or L*L' in place.
func (l LAPACK) Dpotrf(ul blas.Uplo, n int, a []float64, lda int) (ok bool) {
	which, valid := okUplo(ul)
	if !valid || !fits(a, lda, n, n) {
		return l.Implementation.Dpotrf(ul, n, a, lda)
	}
	return potrf(n, a, lda, which) == nil
}
