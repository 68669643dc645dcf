package linalg

import (
	"context"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"
)

// LAPACK is gonum's implementation with the Cholesky, LU, QR, symmetric
// eigenvalue and singular value factorizations replaced; the rest uses
// the BLAS in use.
type LAPACK struct{ gonum.Implementation }

var _ lapack.Float64 = LAPACK{}

// Dpotrf computes the Cholesky factorization U'*U or L*L' in place.
func (l LAPACK) Dpotrf(ul blas.Uplo, n int, a []float64, lda int) (ok bool) {
	which, valid := okUplo(ul)
	if !valid || !fits(a, lda, n, n) {
		return l.Implementation.Dpotrf(ul, n, a, lda)
	}
	return potrf(n, a, lda, which) == nil
}

// Dgetrf computes the LU factorization with partial pivoting in place.
func (l LAPACK) Dgetrf(m, n int, a []float64, lda int, ipiv []int) (ok bool) {
	if !fits(a, lda, m, n) || len(ipiv) != min(m, n) {
		return l.Implementation.Dgetrf(m, n, a, lda, ipiv)
	}
	getrf(m, n, a, lda, ipiv)
	for i := range ipiv {
		if a[i*lda+i] == 0 {
			return false
		}
	}
	return true
}

// Dgeqrf computes the QR factorization in place.
func (l LAPACK) Dgeqrf(m, n int, a []float64, lda int, tau, work []float64, lwork int) {
	if lwork < max(1, n) || len(work) < lwork || !fits(a, lda, m, n) || len(tau) < min(m, n) {
		l.Implementation.Dgeqrf(m, n, a, lda, tau, work, lwork)
		return
	}
	geqrf(m, n, a, lda, tau)
	work[0] = float64(n * qrBlock)
}

// Dsyev computes eigenvalues, ascending, and with jobz EVCompute eigenvectors in
// the columns of a. ok is false if a has a NaN or Inf.
func (l LAPACK) Dsyev(jobz lapack.EVJob, uplo blas.Uplo, n int, a []float64, lda int, w, work []float64, lwork int) (ok bool) {
	which, valid := okUplo(uplo)
	if !valid || (jobz != lapack.EVNone && jobz != lapack.EVCompute) || lwork < max(1, 3*n-1) || len(work) < max(1, lwork) ||
		!fits(a, lda, n, n) || len(w) < n {
		return l.Implementation.Dsyev(jobz, uplo, n, a, lda, w, work, lwork)
	}
	values, rows, err := symEigen(context.Background(), n, a, lda, which, jobz == lapack.EVCompute)
	if err != nil {
		return false
	}
	copy(w, values)
	if rows != nil {
		transpose(a, lda, rows, n, n, n)
	}
	work[0] = float64(3*n - 1)
	return true
}
