package linalg

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/memory"

	"gonum.org/v1/gonum/mat"
)

// SymEigen returns the eigenvalues of a, ascending, and its eigenvectors in the
// columns of an n x n matrix. It reduces a to tridiagonal form in blocks,
// divides and conquers, and transforms back: about 5 n^3 operations, most of
// them in products. NaN or Inf in a is an error.
func SymEigen(ctx context.Context, a *mat.SymDense) (values []float64, vectors *mat.Dense, err error) {
	n := a.SymmetricDim()
	r := a.RawSymmetric()
	values, rows, err := symEigen(ctx, n, r.Data, r.Stride, upper, true)
	if err != nil || n == 0 {
		return values, nil, err
	}
	v := mat.NewDense(n, n, nil)
	transpose(v.RawMatrix().Data, n, rows, n, n, n)
	return values, v, nil
}

// SymEigenValues returns the eigenvalues of a, ascending: 4/3 n^3 operations.
func SymEigenValues(ctx context.Context, a *mat.SymDense) ([]float64, error) {
	n := a.SymmetricDim()
	r := a.RawSymmetric()
	values, _, err := symEigen(ctx, n, r.Data, r.Stride, upper, false)
	return values, err
}

// symEigen returns eigenvalues and, if asked, eigenvectors as rows. One triangle
// of a is read and nothing written.
func symEigen(ctx context.Context, n int, a []float64, lda int, which part, vectors bool) (values, rows []float64, err error) {
	if n == 0 {
		return nil, nil, nil
	}
	w := memory.Fresh(n * n)
	big := 0.0
	for i := range n {
		if which == upper {
			copy(w[i*n+i:(i+1)*n], a[i*lda+i:i*lda+n])
		} else {
			for j := i; j < n; j++ {
				w[i*n+j] = a[j*lda+i]
			}
		}
		for _, x := range w[i*n+i : (i+1)*n] {
			big = max(big, math.Abs(x))
		}
	}
	if math.IsNaN(big) || math.IsInf(big, 0) {
		return nil, nil, fmt.Errorf("linalg: matrix has the element %v, must be finite", big)
	}
	// Scaled to size 1 by a power of two, so that squares neither overflow nor
	// vanish.
	_, exponent := math.Frexp(big)
	scaleUp, scaleBack := halves(-exponent), halves(exponent)
	for _, s := range scaleUp {
		asm.Scale(w, s, w)
	}
	t, err := tridiagonalize(ctx, n, w)
	if err != nil {
		return nil, nil, err
	}
	if vectors {
		values, rows, err = divideAndConquer(ctx, t.d, t.e)
		if err == nil {
			err = t.applyQ(ctx, n, rows)
		}
	} else {
		values = t.d
		err = qlImplicit(values, t.e, nil, 0, 0, 0)
		slices.Sort(values)
	}
	if err != nil {
		return nil, nil, err
	}
	for _, s := range scaleBack {
		asm.Scale(values, s, values)
	}
	return values, rows, nil
}

// halves returns two powers of two with product 2^e, each in range.
func halves(e int) [2]float64 {
	return [2]float64{math.Ldexp(1, e/2), math.Ldexp(1, e-e/2)}
}
