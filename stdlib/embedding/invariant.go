package embedding

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

// Invariant is the Haar-integral kernel of a finite group, the mean of a base kernel over the
// orbits of both points (Dai 2018, section 5.5.1). Its functions are invariant, and learning
// with it is the problem of [Invariance] with all copies of each point.
type Invariant struct {
	Kernel rkhs.Kernel
	// Orbit returns the copies of x in its rows, those of all elements of the group.
	Orbit func(x []float64) *mat.Dense
}

// Eval returns the mean of the base kernel over pairs of copies.
func (k Invariant) Eval(x, y []float64) float64 {
	a, b := k.Orbit(x), k.Orbit(y)
	n, _ := a.Dims()
	m, _ := b.Dims()
	sum := 0.0
	for i := range n {
		for j := range m {
			sum += k.Kernel.Eval(a.RawRowView(i), b.RawRowView(j))
		}
	}
	return sum / float64(n*m)
}

// Invariance returns the batch of learning with invariances: f is a function of z, of which
// copies has m draws given each of the N points x (rows i m to (i+1) m - 1 for point i), and
// the loss is that of the mean of f over the law of z given x and the target y (Dai 2018,
// equation 5.2). With m > 1 residuals are means over draws, which still are unbiased. The
// dual function takes the rows of dual, (x, y) put together by [Join].
func Invariance(copies, dual *mat.Dense, y []float64) (*Batch, error) {
	if copies == nil || dual == nil {
		return nil, fmt.Errorf("embedding: copies or dual are nil, must be matrices")
	}
	n, _ := dual.Dims()
	if len(y) != n {
		return nil, fmt.Errorf("embedding: %d targets for %d conditions", len(y), n)
	}
	b := &Batch{N: n, Terms: []Term{{X: copies}}, Dual: dual, Y: y}
	_, _, err := b.check()
	return b, err
}
