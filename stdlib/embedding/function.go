package embedding

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"
)

// A Function is one of the two sides of a saddle point, f or u. It starts as 0, but for a
// network. One goroutine at a time may use a Function.
type Function interface {
	// Forward returns the values at the n rows of X, which it remembers for Move. The
	// values belong to the function and hold until its next Forward.
	Forward(ctx context.Context, X *mat.Dense) ([]float64, error)
	// Move takes a step at the points of the last Forward, with a coefficient for each:
	// f <- keep f + sum_i c_i g_i, for the gradient g_i of f -> f(x_i).
	Move(ctx context.Context, keep float64, c []float64) error
	// Norm returns the norm of f in its space, NaN where it has none.
	Norm() float64
	// Scale multiplies f by a factor.
	Scale(factor float64)
	// Count takes f as it is into its mean, with a weight.
	Count(weight float64)
	// Values returns f at the rows of X.
	Values(ctx context.Context, X *mat.Dense) ([]float64, error)
	// Mean returns, at the rows of X, the weighted mean of the functions that Count saw; f
	// itself if it saw none.
	Mean(ctx context.Context, X *mat.Dense) ([]float64, error)
}

// weights are parameters and their running mean.
type weights struct {
	w, sum []float64
	total  float64
}

func newWeights(n int) weights { return weights{w: make([]float64, n), sum: make([]float64, n)} }

// Norm returns the length of the vector of weights.
func (w *weights) Norm() float64 { return math.Sqrt(vec.Dot(w.w, w.w)) }

// Scale multiplies the weights by a factor.
func (w *weights) Scale(factor float64) { vec.Scale(w.w, factor, w.w) }

// Count takes the weights as they are into their mean.
func (w *weights) Count(weight float64) {
	vec.Axpy(w.sum, weight, w.w)
	w.total += weight
}

// Weights returns the weights, not a copy.
func (w *weights) Weights() []float64 { return w.w }

// MeanWeights returns the mean of the weights that Count saw, or a copy of the weights if it
// saw none.
func (w *weights) MeanWeights() []float64 {
	out := append([]float64(nil), w.w...)
	if w.total > 0 {
		vec.Scale(out, 1/w.total, w.sum)
	}
	return out
}

// Linear is a function w'phi(x) of fixed features (Dai 2018, equation C.7).
type Linear struct {
	features kernelmachine.FeatureMap
	phi      *mat.Dense
	values   []float64
	step     []float64
	weights
}

var _ Function = (*Linear)(nil)

// featuresTo is what a FeatureMap has that can use memory again.
type featuresTo interface {
	MapTo(ctx context.Context, dst, X *mat.Dense) error
}

// NewLinear returns the zero function of the features. Functions may share features. A
// step with n points costs O(n p d) for p features.
func NewLinear(features kernelmachine.FeatureMap) *Linear {
	p := features.Len()
	return &Linear{features: features, weights: newWeights(p), step: make([]float64, p)}
}

// Forward returns the values at the rows of X.
func (l *Linear) Forward(ctx context.Context, X *mat.Dense) ([]float64, error) {
	if err := l.mapped(ctx, X); err != nil {
		return nil, err
	}
	n, _ := l.phi.Dims()
	l.values = grow(l.values, n)
	return linalg.MulVec(l.values, l.phi, l.w), nil
}

func (l *Linear) mapped(ctx context.Context, X *mat.Dense) (err error) {
	to, ok := l.features.(featuresTo)
	if !ok {
		l.phi, err = l.features.Map(ctx, X)
		return err
	}
	n, _ := X.Dims()
	if l.phi == nil || l.phi.RawMatrix().Rows != n {
		l.phi = mat.NewDense(n, len(l.w), nil)
	}
	return to.MapTo(ctx, l.phi, X)
}

// Move sets w to keep w + Phi'c.
func (l *Linear) Move(_ context.Context, keep float64, c []float64) error {
	n := 0
	if l.phi != nil {
		n, _ = l.phi.Dims()
	}
	if n == 0 || len(c) != n {
		return fmt.Errorf("embedding: %d coefficients for %d points", len(c), n)
	}
	linalg.MulTransVec(l.step, l.phi, c)
	if keep != 1 {
		l.Scale(keep)
	}
	vec.Add(l.w, l.w, l.step)
	return nil
}

// Values returns the function at the rows of X. Cost O(n p d).
func (l *Linear) Values(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return l.times(ctx, X, l.w)
}

// Mean returns the mean function at the rows of X. Cost O(n p d).
func (l *Linear) Mean(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return l.times(ctx, X, l.MeanWeights())
}

func (l *Linear) times(ctx context.Context, X *mat.Dense, w []float64) ([]float64, error) {
	n, d := X.Dims()
	out := make([]float64, n)
	const rows = 512 // features of more points would not stay in cache
	for lo := 0; lo < n; lo += rows {
		hi := min(lo+rows, n)
		phi, err := l.features.Map(ctx, X.Slice(lo, hi, 0, d).(*mat.Dense))
		if err != nil {
			return nil, err
		}
		linalg.MulVec(out[lo:hi], phi, w)
	}
	return out, nil
}

// Table is a function of points whose coordinates are choices: a number for each
// combination.
type Table struct {
	sizes  []int
	cells  []int // of the last Forward
	values []float64
	weights
}

var _ Function = (*Table)(nil)

// NewTable returns the zero function of points with as many coordinates as there are
// sizes, coordinate j one of 0, 1, ..., sizes[j]-1. A step with n points costs O(n) and,
// where it shrinks or counts, the number of cells.
func NewTable(sizes ...int) (*Table, error) {
	cells := 1
	for j, n := range sizes {
		if n < 1 || cells > math.MaxInt32/n {
			return nil, fmt.Errorf("embedding: size %d is %d, must be positive and the table at most 2^31 cells", j, n)
		}
		cells *= n
	}
	if len(sizes) == 0 {
		return nil, fmt.Errorf("embedding: a table without sizes, must have at least one")
	}
	return &Table{sizes: append([]int(nil), sizes...), weights: newWeights(cells)}, nil
}

// index sets cells to those of the rows of X, the last coordinate running fastest.
func (t *Table) index(cells []int, X *mat.Dense) ([]int, error) {
	n, d := X.Dims()
	if d != len(t.sizes) {
		return nil, fmt.Errorf("embedding: points have dimension %d, must be %d as the table", d, len(t.sizes))
	}
	cells = cells[:0]
	for i := range n {
		cell := 0
		for j, v := range X.RawRowView(i) {
			k := int(v)
			if float64(k) != v || k < 0 || k >= t.sizes[j] {
				return nil, fmt.Errorf("embedding: coordinate %d of point %d is %v, must be a whole number from 0 to %d", j, i, v, t.sizes[j]-1)
			}
			cell = cell*t.sizes[j] + k
		}
		cells = append(cells, cell)
	}
	return cells, nil
}

// Forward returns the values at the rows of X.
func (t *Table) Forward(_ context.Context, X *mat.Dense) (_ []float64, err error) {
	if t.cells, err = t.index(t.cells, X); err != nil {
		return nil, err
	}
	t.values = grow(t.values, len(t.cells))
	for i, c := range t.cells {
		t.values[i] = t.w[c]
	}
	return t.values, nil
}

// Move adds the coefficients to the cells.
func (t *Table) Move(_ context.Context, keep float64, c []float64) error {
	if len(c) != len(t.cells) {
		return fmt.Errorf("embedding: %d coefficients for %d points", len(c), len(t.cells))
	}
	if keep != 1 {
		t.Scale(keep)
	}
	for i, cell := range t.cells {
		t.w[cell] += c[i]
	}
	return nil
}

// Values returns the cells of the rows of X.
func (t *Table) Values(_ context.Context, X *mat.Dense) ([]float64, error) { return t.pick(X, t.w) }

// Mean returns the mean of the cells of the rows of X.
func (t *Table) Mean(_ context.Context, X *mat.Dense) ([]float64, error) {
	return t.pick(X, t.MeanWeights())
}

func (t *Table) pick(X *mat.Dense, w []float64) ([]float64, error) {
	cells, err := t.index(nil, X)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(cells))
	for i, c := range cells {
		out[i] = w[c]
	}
	return out, nil
}
