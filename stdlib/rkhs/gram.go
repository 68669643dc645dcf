package rkhs

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/linalg"
)

// Gram returns the matrix of k(x_i, y_j) for the rows of X (n x d) and Y
// (m x d), n x m and not divided by n; a nil Y means X. Cost O(n m d) over all
// cores. The points must be finite and of equal dimension.
func Gram(ctx context.Context, k Kernel, X, Y *mat.Dense) (*mat.Dense, error) {
	if Y == nil {
		Y = X
	}
	if err := checkPair(k, X, Y); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	m, _ := Y.Dims()
	dst := mat.NewDense(n, m, nil)
	if err := GramTo(ctx, dst, k, X, Y); err != nil {
		return nil, err
	}
	return dst, nil
}

// GramTo is [Gram] into a given n x m matrix; fresh memory can cost as much as
// the arithmetic.
func GramTo(ctx context.Context, dst *mat.Dense, k Kernel, X, Y *mat.Dense) error {
	if Y == nil {
		Y = X
	}
	if err := checkPair(k, X, Y); err != nil {
		return err
	}
	n, _ := X.Dims()
	m, _ := Y.Dims()
	if r, c := dst.Dims(); r != n || c != m {
		return fmt.Errorf("rkhs: destination is %d x %d, must be %d x %d", r, c, n, m)
	}
	if r, ok := radialOf(k); ok {
		_, err := r.Gram(ctx, dst, X, linalg.NewPoints(Y))
		return err
	}
	if p, ok := k.(productKernel); ok {
		return p.gram(ctx, dst, X, Y)
	}
	points := NewPoints(k, Y)
	parallel.Blocks(n, 8, func(_, lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		for i := lo; i < hi; i++ {
			points.Column(dst.RawRowView(i), 0, X.RawRowView(i))
		}
	})
	return ctx.Err()
}

// productKernel is a kernel that is a function of inner products, whose Gram
// matrix is a matrix product.
type productKernel interface {
	gram(ctx context.Context, dst, X, Y *mat.Dense) error
}

func (Linear) gram(ctx context.Context, dst, X, Y *mat.Dense) error {
	linalg.MulTransB(dst, X, Y)
	return ctx.Err()
}

func (k Polynomial) gram(ctx context.Context, dst, X, Y *mat.Dense) error {
	linalg.MulTransB(dst, X, Y)
	n, _ := X.Dims()
	parallel.Blocks(n, 8, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row := dst.RawRowView(i)
			for j, v := range row {
				row[j] = power(k.Scale*v+k.Offset, k.Degree)
			}
		}
	})
	return ctx.Err()
}

func (f Fisher) gram(ctx context.Context, dst, X, Y *mat.Dense) error {
	if _, d := X.Dims(); d != f.inverse.SymmetricDim() {
		return fmt.Errorf("rkhs: points have dimension %d, must be %d as the Fisher information", d, f.inverse.SymmetricDim())
	}
	linalg.MulTransB(dst, linalg.Mul(nil, X, mat.DenseCopyOf(f.inverse)), Y)
	return ctx.Err()
}

// Diagonal returns k(x_i, x_i) for the rows of X.
func Diagonal(k Kernel, X *mat.Dense) []float64 {
	n, _ := X.Dims()
	dst := make([]float64, n)
	for i := range dst {
		x := X.RawRowView(i)
		dst[i] = k.Eval(x, x)
	}
	return dst
}

func checkPair(k Kernel, X, Y *mat.Dense) error {
	if err := Validate(k); err != nil {
		return err
	}
	if err := finite("points", X); err != nil {
		return err
	}
	if X == Y {
		return nil
	}
	if err := finite("points", Y); err != nil {
		return err
	}
	_, d := X.Dims()
	if _, e := Y.Dims(); d != e {
		return fmt.Errorf("rkhs: points have dimensions %d and %d, must be equal", d, e)
	}
	return nil
}
