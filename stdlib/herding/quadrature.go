package herding

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

// Quadrature is Bayesian quadrature on points that come and go: the weights
// K^-1 z and the variance |mu_p|^2 - z'K^-1 z, kept through one Cholesky factor
// that is extended when a point is added and downdated when one is removed, in
// O(n^2) each.
type Quadrature struct {
	target rkhs.Embedding
	norm2  float64
	x      [][]float64
	z      []float64
	factor cholesky
}

// NewQuadrature returns the quadrature without points for a target.
func NewQuadrature(ctx context.Context, target rkhs.Embedding) (*Quadrature, error) {
	if target == nil {
		return nil, fmt.Errorf("herding: target is nil")
	}
	norm2, err := target.Norm2(ctx)
	if err != nil {
		return nil, err
	}
	return &Quadrature{target: target, norm2: norm2}, nil
}

// Len returns the number of points.
func (q *Quadrature) Len() int { return len(q.x) }

// Add appends a point. It returns an error, and changes nothing, if the point
// lies in the span of the others up to rounding (1e-12 of k(x, x)).
func (q *Quadrature) Add(ctx context.Context, x []float64) error {
	var z [1]float64
	point := append([]float64(nil), x...)
	if len(x) == 0 {
		return fmt.Errorf("herding: point is empty")
	}
	if err := q.target.EvalTo(ctx, z[:], mat.NewDense(1, len(x), point)); err != nil {
		return err
	}
	k := q.target.Kernel()
	column := make([]float64, len(q.x))
	for i, y := range q.x {
		column[i] = k.Eval(y, point)
	}
	d := k.Eval(point, point)
	work := make([]float64, len(q.x))
	pivot := q.factor.pivot(work, column, d)
	if !(pivot > dependence*d) {
		return fmt.Errorf("herding: point lies in the span of the %d points, its pivot is %.3g of k(x,x)", len(q.x), pivot/d)
	}
	q.factor.extend(work, pivot)
	q.x = append(q.x, point)
	q.z = append(q.z, z[0])
	return nil
}

// Remove removes point i; later points move up.
func (q *Quadrature) Remove(i int) error {
	if i < 0 || i >= len(q.x) {
		return fmt.Errorf("herding: point is %d, must be from 0 to %d", i, len(q.x)-1)
	}
	q.factor.delete(i)
	q.x = append(q.x[:i], q.x[i+1:]...)
	q.z = append(q.z[:i], q.z[i+1:]...)
	return nil
}

// Weights returns K^-1 z.
func (q *Quadrature) Weights() []float64 {
	w := append([]float64(nil), q.z...)
	q.factor.solveLower(w, w)
	q.factor.solveUpper(w, w)
	return w
}

// Variance returns the squared MMD, the posterior variance of the integral.
func (q *Quadrature) Variance() float64 {
	y := append([]float64(nil), q.z...)
	q.factor.solveLower(y, y)
	v := q.norm2
	for _, b := range y {
		v -= b * b
	}
	return math.Max(v, 0)
}

// Measure returns points and weights.
func (q *Quadrature) Measure() rkhs.Measure {
	if len(q.x) == 0 {
		return rkhs.Measure{}
	}
	X := mat.NewDense(len(q.x), len(q.x[0]), nil)
	for i, x := range q.x {
		X.SetRow(i, x)
	}
	return rkhs.Measure{X: X, W: q.Weights()}
}
