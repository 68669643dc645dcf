package rkhs

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
)

// Centres are points y_1, ..., y_m whose kernel functions are summed at other points again
// and again: the centres of an expansion sum_j w_j k(y_j, .). They are prepared once for the
// kernels that depend on a distance.
type Centres struct {
	kernel Kernel
	y      *mat.Dense
	radial linalg.Radial
	packed *linalg.Points // nil for other kernels
}

// NewCentres prepares the rows of Y, m x d, for the kernel. Y must not change while the
// Centres are in use. The kernel must be valid (see [Validate]).
func NewCentres(k Kernel, Y *mat.Dense) *Centres {
	c := &Centres{kernel: k, y: Y}
	if r, ok := radialOf(k); ok {
		c.radial, c.packed = r, linalg.NewPoints(Y)
	}
	return c
}

// Mul sets dst = K W for K[i][j] = k(x_i, y_j), with the rows of X, n x d, and W, m x p. dst
// is n x p. Of kernels that depend on a distance no more of K is held than stays in cache, of
// others n x m numbers. Cost O(n m (d + p)) over all cores. The points are not checked.
func (c *Centres) Mul(ctx context.Context, dst, X, W *mat.Dense) error {
	n, d := X.Dims()
	m, e := c.y.Dims()
	rows, p := W.Dims()
	if d != e || rows != m {
		return fmt.Errorf("rkhs: %d weights for %d centres, points of dimension %d for %d, must be equal", rows, m, d, e)
	}
	if r, q := dst.Dims(); r != n || q != p {
		return fmt.Errorf("rkhs: destination is %d x %d, must be %d x %d", r, q, n, p)
	}
	if c.packed == nil {
		gram, err := Gram(ctx, c.kernel, X, c.y)
		if err != nil {
			return err
		}
		linalg.Mul(dst, gram, W)
		return nil
	}
	if out, w := dst.RawMatrix(), W.RawMatrix(); p == 1 && out.Stride == 1 && w.Stride == 1 {
		_, err := c.radial.MulVec(ctx, out.Data[:n], X, c.packed, w.Data[:m])
		return err
	}
	_, err := c.radial.Mul(ctx, dst, X, c.packed, W)
	return err
}
