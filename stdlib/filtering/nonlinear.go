package filtering

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

// Nonlinear is a model with Gaussian noise and nonlinear functions,
//
//	x_(t+1) = Move(x_t) + v_t, v_t ~ N(0, Q),  y_t = Observe(x_t) + e_t, e_t ~ N(0, R),
//
// for [ExtendedKalman] and [UnscentedKalman], which approximate the filtering
// distribution by a Gaussian, and by [Nonlinear.Model] for particle filters. t
// counts from 1.
type Nonlinear struct {
	InitialMean []float64
	InitialCov  *mat.SymDense
	Q, R        *mat.SymDense
	// Move writes the mean of x_(t+1) given x_t = x to dst (d numbers), Observe
	// that of y_t (p numbers).
	Move    func(dst []float64, t int, x []float64)
	Observe func(dst []float64, t int, x []float64)
	// MoveJacobian (d x d) and ObserveJacobian (p x d) write the derivatives; nil
	// means central differences.
	MoveJacobian    func(dst *mat.Dense, t int, x []float64)
	ObserveJacobian func(dst *mat.Dense, t int, x []float64)
}

// Validate returns an error if a part is missing or shapes do not agree.
func (m *Nonlinear) Validate() error {
	if m == nil || m.Q == nil || m.R == nil || m.InitialCov == nil {
		return fmt.Errorf("filtering: nonlinear model lacks a matrix")
	}
	if m.Move == nil || m.Observe == nil {
		return fmt.Errorf("filtering: nonlinear model lacks a function")
	}
	return checkGaussians(m.InitialMean, m.InitialCov, m.Q, m.R)
}

// Model returns the same model for particle filters. Its functions are called
// once per particle.
func (m *Nonlinear) Model() (*Model, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	initial, err := rkhs.NewNormal(m.InitialMean, m.InitialCov)
	if err != nil {
		return nil, err
	}
	p := m.R.SymmetricDim()
	obs, err := newGaussianObservation(identity(p), m.R)
	if err != nil {
		return nil, err
	}
	q := mat.NewSymDense(len(m.InitialMean), nil)
	q.CopySym(m.Q)
	return &Model{
		Initial: initial,
		Noise:   func(int) *mat.SymDense { return q },
		Mean: func(dst *mat.Dense, t int, X *mat.Dense) {
			n, _ := X.Dims()
			for i := range n {
				m.Move(dst.RawRowView(i), t, X.RawRowView(i))
			}
		},
		LogLik: func(dst []float64, t int, X *mat.Dense, y []float64) {
			z, predicted := obs.whiten(y), make([]float64, p)
			for i := range dst {
				m.Observe(predicted, t, X.RawRowView(i))
				dst[i] = obs.at(z, predicted)
			}
		},
		Observations: p,
	}, nil
}

// jacobian writes the derivative of f at x to dst, by central differences if
// there is no exact one.
func jacobian(dst *mat.Dense, exact func(*mat.Dense, int, []float64), f func([]float64, int, []float64), t int, x []float64) {
	if exact != nil {
		exact(dst, t, x)
		return
	}
	r, d := dst.Dims()
	up, down := make([]float64, r), make([]float64, r)
	moved := append([]float64(nil), x...)
	for j := range d {
		h := 6e-6 * math.Max(1, math.Abs(x[j])) // cube root of the rounding unit
		moved[j] = x[j] + h
		f(up, t, moved)
		moved[j] = x[j] - h
		f(down, t, moved)
		moved[j] = x[j]
		for i := range r {
			dst.Set(i, j, (up[i]-down[i])/(2*h))
		}
	}
}

// ExtendedKalman filters by linearising the model at the latest mean. It is exact
// for linear models and no more than a guess for strongly nonlinear ones. Cost
// O(T (d^3 + p^3)) and, without Jacobians, 2d evaluations of each function a step.
func ExtendedKalman(ctx context.Context, m *Nonlinear, Y *mat.Dense) (*KalmanResult, error) {
	return gaussianFilter(ctx, m, Y, func(b belief, t int) (belief, error) {
		d := len(b.mean)
		A := mat.NewDense(d, d, nil)
		jacobian(A, m.MoveJacobian, m.Move, t, b.mean)
		out := b.predict(A, m.Q)
		m.Move(out.mean, t, b.mean)
		return out, nil
	}, func(b belief, t int, y []float64) (belief, float64, error) {
		p := len(y)
		C, predicted := mat.NewDense(p, len(b.mean), nil), make([]float64, p)
		jacobian(C, m.ObserveJacobian, m.Observe, t, b.mean)
		m.Observe(predicted, t, b.mean)
		return b.update(C, m.R, y, predicted)
	})
}

// gaussianFilter runs a filter that keeps a Gaussian.
func gaussianFilter(ctx context.Context, m *Nonlinear, Y *mat.Dense,
	predict func(b belief, t int) (belief, error),
	update func(b belief, t int, y []float64) (belief, float64, error)) (*KalmanResult, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if err := checkObservations(Y, m.R.SymmetricDim()); err != nil {
		return nil, err
	}
	steps, _ := Y.Dims()
	out := newKalmanResult(steps, len(m.InitialMean))
	b := belief{mean: append([]float64(nil), m.InitialMean...), cov: mat.NewSymDense(len(m.InitialMean), nil)}
	b.cov.CopySym(m.InitialCov)
	for t := 1; t <= steps; t++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if t > 1 {
			var err error
			if b, err = predict(b, t-1); err != nil {
				return nil, fmt.Errorf("filtering: step %d: %w", t, err)
			}
		}
		for j, v := range b.mean {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("filtering: predicted mean %d at step %d is %v, must be finite", j, t, v)
			}
		}
		filtered, l, err := update(b, t, Y.RawRowView(t-1))
		if err != nil {
			return nil, fmt.Errorf("filtering: step %d: %w", t, err)
		}
		out.record(t, b, filtered, l)
		b = filtered
	}
	return out, nil
}
