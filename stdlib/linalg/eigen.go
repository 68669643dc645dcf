package linalg

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/memory"
	"gaucho/stdlib/internal/parallel"

	"gonum.org/v1/gonum/mat"
)

// SymEigen returns the eigenvalues of a, ascending, and its eigenvectors in the
// columns of an n x n matrix. It reduces a to tridiagonal form in blocks,
// divides and conquers, and transforms back: about 5 n^3 operations, most of
// them in products. NaN or Inf in a is an error.
func SymEigen(ctx context.Context, a *mat.SymDense) (values []float64, vectors *mat.Dense, err error) {
	if a == nil {
		return nil, nil, fmt.Errorf("linalg: SymEigen: a is nil")
	}
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

// SymEigenValues returns the eigenvalues of a, ascending: 4/3 n^3 operations, almost
// all in products if n is large. NaN or Inf in a is an error.
func SymEigenValues(ctx context.Context, a *mat.SymDense) ([]float64, error) {
	if a == nil {
		return nil, fmt.Errorf("linalg: SymEigenValues: a is nil")
	}
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
	w, done := square(n)
	defer done()
	upperRow := func(i int) []float64 { return w[i*n+i : (i+1)*n] }
	workers := workersFor(n*n/2, n)
	bigs := make([]float64, workers)
	parallel.Team(workers, func(k, of int) {
		for i := k; i < n; i += of {
			row := upperRow(i)
			if which == upper {
				copy(row, a[i*lda+i:])
			} else {
				for j := range row {
					row[j] = a[(i+j)*lda+i]
				}
			}
			bigs[k] = max(bigs[k], largest(row))
		}
	})
	big := slices.Max(bigs)
	if math.IsNaN(big) || math.IsInf(big, 0) {
		return nil, nil, fmt.Errorf("linalg: matrix has the element %v, must be finite", big)
	}
	// Scaled to size 1 by a power of two, so that squares neither overflow nor
	// vanish.
	_, exponent := math.Frexp(big)
	scaleUp, scaleBack := halves(-exponent), halves(exponent)
	parallel.Team(workers, func(k, of int) {
		for i := k; i < n; i += of {
			for _, s := range scaleUp {
				asm.Scale(upperRow(i), s, upperRow(i))
			}
		}
	})
	if vectors {
		values, rows, err = eigenpairs(ctx, n, w)
	} else {
		values, err = eigenvalues(ctx, n, w)
	}
	if err != nil {
		return nil, nil, err
	}
	for _, s := range scaleBack {
		asm.Scale(values, s, values)
	}
	return values, rows, nil
}

// square returns room for n x n elements, with anything in them, and what gives it back. What is small is kept for the
// next, as clearing and collecting it costs more than filling it.
func square(n int) (room []float64, done func()) {
	if 8*n*n >= 2<<20 {
		return memory.Fresh(n * n), func() {}
	}
	s := scratches.Get().(*scratch)
	return s.room(n * n), func() { scratches.Put(s) }
}

// eigenpairs returns eigenvalues and, in rows, eigenvectors of w, destroyed.
func eigenpairs(ctx context.Context, n int, w []float64) (values, rows []float64, err error) {
	t, err := tridiagonalize(ctx, n, w)
	if err != nil {
		return nil, nil, err
	}
	values, rows, err = divideAndConquer(ctx, t.d, t.e)
	if err != nil {
		return nil, nil, err
	}
	return values, rows, t.applyQ(ctx, n, rows)
}

// eigenvalues destroys w.
func eigenvalues(ctx context.Context, n int, w []float64) ([]float64, error) {
	if n >= bandFrom {
		d, e, err := bandTridiagonal(ctx, n, w)
		if err != nil {
			return nil, err
		}
		return d, qlValues(d, e)
	}
	t, err := tridiagonalize(ctx, n, w)
	if err != nil {
		return nil, err
	}
	return t.d, qlValues(t.d, t.e)
}

// halves returns two powers of two with product 2^e, each in range.
func halves(e int) [2]float64 {
	return [2]float64{math.Ldexp(1, e/2), math.Ldexp(1, e-e/2)}
}
