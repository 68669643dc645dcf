package embedding

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// A Batch holds the N samples of a step. The residual of sample i, whose conditional
// expectation the loss is about, is an affine functional of f,
//
//	r_i = Offset_i + sum over terms of sum_j Mix_ij f(X_j).
type Batch struct {
	N      int
	Terms  []Term
	Offset []float64  // N numbers, nil for 0
	Dual   *mat.Dense // N rows: the condition (x, y) at which u is taken
	Y      []float64  // N targets of the loss, nil for 0
}

// A Term is a part of the residuals. Without Mix, X has m rows for each of the N samples,
// those of sample i from row i m on, and Weights are their factors in the order of rows;
// nil is 1/m, a mean. With Mix, N x rows of X, all samples share the points.
type Term struct {
	X       *mat.Dense
	Weights []float64
	Mix     *mat.Dense
}

var errNoBatch = errors.New("embedding: the batch is nil")

// check returns the number of points of all terms and their dimension.
func (b *Batch) check() (rows, d int, err error) {
	if b == nil {
		return 0, 0, errNoBatch
	}
	if b.N < 1 {
		return 0, 0, fmt.Errorf("embedding: a batch has %d samples, must be at least 1", b.N)
	}
	if len(b.Terms) == 0 {
		return 0, 0, fmt.Errorf("embedding: a batch has no terms, must have at least 1")
	}
	for k, t := range b.Terms {
		n, dim, err := t.check(b.N)
		if err != nil {
			return 0, 0, fmt.Errorf("embedding: term %d %w", k, err)
		}
		if k > 0 && dim != d {
			return 0, 0, fmt.Errorf("embedding: term %d has points of dimension %d, must be %d as those of term 0", k, dim, d)
		}
		rows, d = rows+n, dim
	}
	for _, v := range []struct {
		name string
		x    []float64
	}{{"offsets", b.Offset}, {"targets", b.Y}} {
		if v.x == nil {
			continue
		}
		if len(v.x) != b.N {
			return 0, 0, fmt.Errorf("embedding: %d %s for %d samples", len(v.x), v.name, b.N)
		}
		if i := notFinite(v.x); i >= 0 {
			return 0, 0, fmt.Errorf("embedding: %s[%d] is %v, must be finite", v.name, i, v.x[i])
		}
	}
	return rows, d, nil
}

func (t *Term) check(samples int) (n, d int, err error) {
	if t.X == nil || t.X.IsEmpty() {
		return 0, 0, fmt.Errorf("has no points")
	}
	n, d = t.X.Dims()
	if i, j := notFiniteAt(t.X); i >= 0 {
		return 0, 0, fmt.Errorf("has %v in row %d of X, column %d, must be finite", t.X.At(i, j), i, j)
	}
	if t.Mix != nil {
		if r, c := t.Mix.Dims(); r != samples || c != n {
			return 0, 0, fmt.Errorf("has a Mix of %d x %d, must be %d x %d", r, c, samples, n)
		}
		if i, j := notFiniteAt(t.Mix); i >= 0 {
			return 0, 0, fmt.Errorf("has %v in Mix[%d,%d], must be finite", t.Mix.At(i, j), i, j)
		}
		return n, d, nil
	}
	if n%samples != 0 {
		return 0, 0, fmt.Errorf("has %d points for %d samples, must be as many for each", n, samples)
	}
	if t.Weights != nil && len(t.Weights) != n {
		return 0, 0, fmt.Errorf("has %d weights for %d points", len(t.Weights), n)
	}
	if i := notFinite(t.Weights); i >= 0 {
		return 0, 0, fmt.Errorf("has the weight %v at %d, must be finite", t.Weights[i], i)
	}
	return n, d, nil
}

// add adds the term's part to the residuals, f being the values at its points.
func (t *Term) add(r, f []float64) {
	if t.Mix != nil {
		for i := range r {
			for j, w := range t.Mix.RawRowView(i) {
				r[i] += w * f[j]
			}
		}
		return
	}
	m := len(f) / len(r)
	for i := range r {
		for j := i * m; j < (i+1)*m; j++ {
			r[i] += t.weight(j, m) * f[j]
		}
	}
}

// spread sets dst, a coefficient for each point, to the adjoint of add at c.
func (t *Term) spread(dst, c []float64) {
	if t.Mix != nil {
		clear(dst)
		for i, v := range c {
			for j, w := range t.Mix.RawRowView(i) {
				dst[j] += w * v
			}
		}
		return
	}
	m := len(dst) / len(c)
	for j := range dst {
		dst[j] = t.weight(j, m) * c[j/m]
	}
}

func (t *Term) weight(j, m int) float64 {
	if t.Weights != nil {
		return t.Weights[j]
	}
	return 1 / float64(m)
}

// A measured batch is one whose residuals are known; its memory serves the next one.
type measured struct {
	f         Function
	points    []float64
	residual  []float64
	spreadOut []float64
}

// forward sets the residuals of f at the batch.
func (m *measured) forward(ctx context.Context, b *Batch) error {
	rows, d, err := b.check()
	if err != nil {
		return err
	}
	values, err := m.f.Forward(ctx, m.stack(b, rows, d))
	if err != nil {
		return err
	}
	m.residual = b.residuals(grow(m.residual, b.N), values)
	return nil
}

// residuals sets r to the residuals, given the values of f at the points of all terms.
func (b *Batch) residuals(r, values []float64) []float64 {
	clear(r)
	copy(r, b.Offset)
	at := 0
	for k := range b.Terms {
		n, _ := b.Terms[k].X.Dims()
		b.Terms[k].add(r, values[at:at+n])
		at += n
	}
	return r
}

// stack puts the points of all terms below each other.
func (m *measured) stack(b *Batch, rows, d int) *mat.Dense {
	if len(b.Terms) == 1 {
		return b.Terms[0].X
	}
	m.points = grow(m.points, rows*d)
	at := 0
	for _, t := range b.Terms {
		n, _ := t.X.Dims()
		for i := range n {
			at += copy(m.points[at:], t.X.RawRowView(i))
		}
	}
	return mat.NewDense(rows, d, m.points)
}

// move takes the step f <- keep f + sum_i c_i d r_i/df at the points of the last forward.
func (m *measured) move(ctx context.Context, b *Batch, keep float64, c []float64) error {
	rows := 0
	for _, t := range b.Terms {
		n, _ := t.X.Dims()
		rows += n
	}
	m.spreadOut = grow(m.spreadOut, rows)
	at := 0
	for k := range b.Terms {
		n, _ := b.Terms[k].X.Dims()
		b.Terms[k].spread(m.spreadOut[at:at+n], c)
		at += n
	}
	return m.f.Move(ctx, keep, m.spreadOut)
}

func grow(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	return x[:n]
}

// notFinite returns the index of the first number that is NaN or infinite, or -1.
func notFinite(x []float64) int {
	for i, v := range x {
		if v-v != 0 {
			return i
		}
	}
	return -1
}

// notFiniteAt is notFinite for a matrix.
func notFiniteAt(x *mat.Dense) (i, j int) {
	n, _ := x.Dims()
	for i := range n {
		if j := notFinite(x.RawRowView(i)); j >= 0 {
			return i, j
		}
	}
	return -1, -1
}

// Join returns [X | columns]: the condition (x, y) of a dual function, each column
// multiplied by scale. A kernel of bandwidth b on X then has the bandwidth b/scale on the
// columns.
func Join(X *mat.Dense, scale float64, columns ...[]float64) (*mat.Dense, error) {
	if X == nil {
		return nil, fmt.Errorf("embedding: points are nil, must be a matrix")
	}
	n, d := X.Dims()
	out := mat.NewDense(n, d+len(columns), nil)
	for k, c := range columns {
		if len(c) != n {
			return nil, fmt.Errorf("embedding: column %d has %d numbers for %d points", k, len(c), n)
		}
	}
	if !(scale > 0) || math.IsInf(scale, 1) {
		return nil, fmt.Errorf("embedding: scale is %v, must be positive", scale)
	}
	for i := range n {
		row := out.RawRowView(i)
		copy(row, X.RawRowView(i))
		for k, c := range columns {
			row[d+k] = scale * c[i]
		}
	}
	return out, nil
}
