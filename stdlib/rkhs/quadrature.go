package rkhs

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
)

// maxNodes bounds the number of nodes of a product rule.
const maxNodes = 10_000_000

// Quadrature returns the product Gauss-Legendre rule with n nodes a side as a
// weighted sample: n^d nodes. Its embedding is that of the box, under any smooth
// kernel, to nearly full precision in few dimensions:
//
//	e, err := rkhs.Embed(kernel, nodes)
func (b *Box) Quadrature(n int) (Measure, error) {
	d := b.Dim()
	if err := checkNodes(n, d, 1); err != nil {
		return Measure{}, err
	}
	x, w := make([]float64, n), make([]float64, n)
	quad.Legendre{}.FixedLocations(x, w, 0, 1)
	X, W := productRule(x, w, d)
	rows, _ := X.Dims()
	for i := range rows {
		for j, u := range X.RawRowView(i) {
			X.Set(i, j, b.lower[j]+(b.upper[j]-b.lower[j])*u)
		}
	}
	return Measure{X: X, W: W}, nil
}

// Quadrature returns the product Gauss-Hermite rule with n nodes a direction for
// each component as a weighted sample: K n^d nodes, mapped through the square root
// of each covariance. See [Box.Quadrature].
func (m *Mixture) Quadrature(n int) (Measure, error) {
	d := m.Dim()
	if err := checkNodes(n, d, m.Len()); err != nil {
		return Measure{}, err
	}
	x, w := make([]float64, n), make([]float64, n)
	quad.Hermite{}.FixedLocations(x, w, math.Inf(-1), math.Inf(1))
	// gonum's rule is for the weight exp(-t^2); ours is for the standard normal
	// density: x = sqrt 2 t, and weights that sum to one.
	var total float64
	for i, t := range x {
		total += w[i]
		x[i] = math.Sqrt2 * t
	}
	for i := range w {
		w[i] /= total
	}
	Z, V := productRule(x, w, d)
	nodes, _ := Z.Dims()
	out := Measure{X: mat.NewDense(m.Len()*nodes, d, nil), W: make([]float64, m.Len()*nodes)}
	for j, weight := range m.weights {
		for i := range nodes {
			m.place(out.X.RawRowView(j*nodes+i), j, Z.RawRowView(i))
			out.W[j*nodes+i] = weight * V[i]
		}
	}
	return out, nil
}

func checkNodes(n, d, components int) error {
	if n < 1 {
		return fmt.Errorf("rkhs: number of nodes is %d, must be at least 1", n)
	}
	total := float64(components)
	for range d {
		total *= float64(n)
	}
	if total > maxNodes {
		return fmt.Errorf("rkhs: product rule has %.3g nodes, must have at most %d; use EmbedSample", total, maxNodes)
	}
	return nil
}

// productRule returns all combinations of d nodes of a rule, and the products of
// their weights.
func productRule(x, w []float64, d int) (*mat.Dense, []float64) {
	n := 1
	for range d {
		n *= len(x)
	}
	X, W := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		W[i] = 1
		for j, r := 0, i; j < d; j++ {
			X.Set(i, j, x[r%len(x)])
			W[i] *= w[r%len(x)]
			r /= len(x)
		}
	}
	return X, W
}
