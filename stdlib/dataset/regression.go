package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// Regression is a data set with targets that are numbers, or classes as numbers: the rows
// of X (n x d), the targets Y, and for some the values Truth of the function that they come from.
type Regression struct {
	Name  string
	X     *mat.Dense
	Y     []float64
	Truth []float64
}

// Len returns the number of points.
func (r *Regression) Len() int { return len(r.Y) }

// RadialWave generates n points uniform on [-5, 5]^2 with targets
//
//	y = cos(0.5 pi |x|) exp(-0.1 pi |x|) + 0.1 e,  e standard normal
//
// (Dai 2018, section 3.6.1, where n = 2^20).
func RadialWave(n int, rng *rand.Rand) (*Regression, error) {
	if err := checkSize(n); err != nil {
		return nil, err
	}
	out := &Regression{Name: "radial wave", X: mat.NewDense(n, 2, nil), Y: make([]float64, n), Truth: make([]float64, n)}
	for i := range n {
		a, b := -5+10*rng.Float64(), -5+10*rng.Float64()
		out.X.SetRow(i, []float64{a, b})
		r := math.Hypot(a, b)
		out.Truth[i] = vec.Cos1(0.5*math.Pi*r) * vec.Exp1(-0.1*math.Pi*r)
		out.Y[i] = out.Truth[i] + 0.1*rng.NormFloat64()
	}
	return out, nil
}

// Rows returns the given rows as a data set of their own.
func (r *Regression) Rows(index []int) *Regression {
	_, d := r.X.Dims()
	out := &Regression{Name: r.Name, X: mat.NewDense(max(len(index), 1), d, nil), Y: make([]float64, len(index))}
	if r.Truth != nil {
		out.Truth = make([]float64, len(index))
	}
	for at, i := range index {
		out.X.SetRow(at, r.X.RawRowView(i))
		out.Y[at] = r.Y[i]
		if r.Truth != nil {
			out.Truth[at] = r.Truth[i]
		}
	}
	return out
}

// Split returns the given number of points, drawn without replacement, and the rest.
func (r *Regression) Split(count int, rng *rand.Rand) (part, rest *Regression, err error) {
	if count < 1 || count >= r.Len() {
		return nil, nil, fmt.Errorf("dataset: part has %d of %d points, must leave points on both sides", count, r.Len())
	}
	order := rng.Perm(r.Len())
	return r.Rows(order[:count]), r.Rows(order[count:]), nil
}
