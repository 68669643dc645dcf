package dataset

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
)

// PCA is a projection onto the directions in which points vary most.
type PCA struct {
	mean       []float64
	directions *mat.Dense // d x k
	variances  []float64  // along all d directions, falling
}

// NewPCA finds the k directions for the rows of X. Cost O(n d^2 + d^3).
func NewPCA(ctx context.Context, X *mat.Dense, k int) (*PCA, error) {
	if X == nil || X.IsEmpty() {
		return nil, fmt.Errorf("dataset: there are no points")
	}
	n, d := X.Dims()
	if k < 1 || k > d {
		return nil, fmt.Errorf("dataset: number of directions is %d, must be from 1 to the dimension, %d", k, d)
	}
	p := &PCA{make([]float64, d), mat.NewDense(d, k, nil), make([]float64, d)}
	for i := range n {
		for j, v := range X.RawRowView(i) {
			p.mean[j] += v / float64(n)
		}
	}
	centred := mat.NewDense(n, d, nil)
	for i := range n {
		row := centred.RawRowView(i)
		for j, v := range X.RawRowView(i) {
			row[j] = v - p.mean[j]
		}
	}
	values, vectors, err := linalg.SymEigen(ctx, linalg.SymRankKTrans(nil, 1/float64(n), centred, 0))
	if err != nil {
		return nil, err
	}
	rising := values[0] <= values[d-1]
	copy(p.variances, values)
	if rising {
		slices.Reverse(p.variances)
	}
	for j, v := range p.variances { // of a sample, as R's prcomp and scikit-learn have it
		p.variances[j] = max(v, 0) * float64(n) / float64(max(n-1, 1))
	}
	for c := range k {
		from := c
		if rising {
			from = d - 1 - c
		}
		for j := range d {
			p.directions.Set(j, c, vectors.At(j, from))
		}
	}
	return p, nil
}

// Variances returns the variance of the points along each of the k directions, n - 1 below the sum, widest first.
func (p *PCA) Variances() []float64 {
	_, k := p.directions.Dims()
	return slices.Clone(p.variances[:k])
}

// Shares returns how much of the variance of the points is along each of the k directions; all d have 1 together.
func (p *PCA) Shares() []float64 {
	shares, total := p.Variances(), 0.0
	for _, v := range p.variances {
		total += v
	}
	for c := range shares {
		if total > 0 {
			shares[c] /= total
		}
	}
	return shares
}

// Loadings returns the directions as unit vectors, d x k: what each coordinate has to do with each of them. The sign of a
// direction means nothing.
func (p *PCA) Loadings() *mat.Dense { return mat.DenseCopyOf(p.directions) }

// Project returns the coordinates of the rows of X, n x k, the widest first.
func (p *PCA) Project(X *mat.Dense) (*mat.Dense, error) {
	n, d := X.Dims()
	if d != len(p.mean) {
		return nil, fmt.Errorf("dataset: points have dimension %d, must be %d", d, len(p.mean))
	}
	centred := mat.NewDense(n, d, nil)
	for i := range n {
		row := centred.RawRowView(i)
		for j, v := range X.RawRowView(i) {
			row[j] = v - p.mean[j]
		}
	}
	return linalg.Mul(nil, centred, p.directions), nil
}
