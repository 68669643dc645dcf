package dataset

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
)

// PCA is a projection onto the directions in which points vary most.
type PCA struct {
	mean       []float64
	directions *mat.Dense // d x k
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
	p := &PCA{make([]float64, d), mat.NewDense(d, k, nil)}
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
