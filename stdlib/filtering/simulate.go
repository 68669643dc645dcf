package filtering

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Simulate draws T steps of the model: states (T x d) and observations (T x p).
func (m *LinearGaussian) Simulate(steps int, rng *rand.Rand) (X, Y *mat.Dense, err error) {
	if rng == nil {
		return nil, nil, fmt.Errorf("filtering: rng is nil, must be a source of random numbers")
	}
	if err := m.Validate(); err != nil {
		return nil, nil, err
	}
	if steps < 1 {
		return nil, nil, fmt.Errorf("filtering: number of steps is %d, must be at least 1", steps)
	}
	X, Y = mat.NewDense(steps, len(m.InitialMean), nil), mat.NewDense(steps, m.R.SymmetricDim(), nil)
	x := drawNormal(m.InitialMean, m.InitialCov, rng)
	for t := range steps {
		X.SetRow(t, x)
		Y.SetRow(t, drawNormal(product(m.C, x), m.R, rng))
		x = drawNormal(product(m.A, x), m.Q, rng)
	}
	return X, Y, nil
}

// Simulate draws T steps of the states (T x d), and the observations (T x p) that
// observe draws: it writes y_t, of dimension p, to dst for the state x_t.
func (m *Model) Simulate(steps, p int, observe func(dst []float64, t int, x []float64, rng *rand.Rand), rng *rand.Rand) (X, Y *mat.Dense, err error) {
	if rng == nil {
		return nil, nil, fmt.Errorf("filtering: rng is nil, must be a source of random numbers")
	}
	if err := m.Validate(); err != nil {
		return nil, nil, err
	}
	if steps < 1 || p < 1 {
		return nil, nil, fmt.Errorf("filtering: %d steps with observations of dimension %d, both must be at least 1", steps, p)
	}
	d := m.Dim()
	X, Y = mat.NewDense(steps, d, nil), mat.NewDense(steps, p, nil)
	x := m.Initial.Sample(rng, 1)
	mean := mat.NewDense(1, d, nil)
	for t := 1; t <= steps; t++ {
		X.SetRow(t-1, x.RawRowView(0))
		observe(Y.RawRowView(t-1), t, x.RawRowView(0), rng)
		m.Mean(mean, t, x)
		x.SetRow(0, drawNormal(mean.RawRowView(0), m.Noise(t), rng))
	}
	return X, Y, nil
}
