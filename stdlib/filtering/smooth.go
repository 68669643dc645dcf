package filtering

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// FixedLag returns the means of x_t given the observations up to t + lag (or to
// the end), T x d, from the ancestors of a filter's particles: row t-1 is the
// weighted mean of the states at t that the particles at t + lag come from. Small
// lags are noisy versions of the smoothing distribution's means, large ones
// suffer because ancestors coincide. The result must have been made with
// Settings.History. Cost O(T N lag).
func FixedLag(r *Result, lag int) (*mat.Dense, error) {
	if r == nil || r.History == nil {
		return nil, fmt.Errorf("filtering: result has no history, must have been made with Settings.History")
	}
	if lag < 0 {
		return nil, fmt.Errorf("filtering: lag is %d, must not be negative", lag)
	}
	h := r.History
	steps := len(h.X)
	_, d := h.X[0].Dims()
	out := mat.NewDense(steps, d, nil)
	for t := 1; t <= steps; t++ {
		end := min(t+lag, steps)
		for i, w := range h.W[end-1] {
			a := i
			for s := end; s > t; s-- {
				a = h.Ancestor[s-1][a]
			}
			vec.Axpy(out.RawRowView(t-1), w, h.X[t-1].RawRowView(a))
		}
	}
	return out, nil
}

// Trajectories are draws from the smoothing distribution: X[t-1] holds x_t of
// each of them (n x d).
type Trajectories struct {
	X []*mat.Dense
}

// Mean returns the mean of the trajectories, T x d.
func (s *Trajectories) Mean() *mat.Dense {
	n, d := s.X[0].Dims()
	out := mat.NewDense(len(s.X), d, nil)
	for t, X := range s.X {
		for i := range n {
			vec.Axpy(out.RawRowView(t), 1/float64(n), X.RawRowView(i))
		}
	}
	return out
}

// BackwardSimulation draws n trajectories from the joint smoothing distribution of
// x_1, ..., x_T, from the particles of a filter of m that was run with
// Settings.History (Godsill, Doucet & West 2004): going back from the last step,
// x_t is particle i with probability proportional to W_t,i p(x_(t+1) | x_t = X_i).
// Unlike [FixedLag] it does not suffer from common ancestors. The model's noise
// must be positive definite. Cost O(T N n d^2).
func BackwardSimulation(ctx context.Context, m *Model, r *Result, n int, rng *rand.Rand) (*Trajectories, error) {
	if rng == nil {
		return nil, fmt.Errorf("filtering: rng is nil, must be a source of random numbers")
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if r == nil || r.History == nil {
		return nil, fmt.Errorf("filtering: result has no history, must have been made with Settings.History")
	}
	if n < 1 {
		return nil, fmt.Errorf("filtering: number of trajectories is %d, must be at least 1", n)
	}
	h, d := r.History, m.Dim()
	steps := len(h.X)
	out := &Trajectories{X: make([]*mat.Dense, steps)}
	at := make([]int, n)
	resample(at, Multinomial, h.W[steps-1], rng)
	out.X[steps-1] = pickRows(h.X[steps-1], at)
	for t := steps - 1; t >= 1; t-- {
		X := h.X[t-1]
		particles, _ := X.Dims()
		means := mat.NewDense(particles, d, nil)
		m.Mean(means, t, X)
		density, err := newGaussianObservation(identity(d), m.Noise(t))
		if err != nil {
			return nil, fmt.Errorf("filtering: noise at step %d is not positive definite, must be to go back", t)
		}
		white := mat.NewDense(particles, d, nil) // L^-1 means
		linearMap(white, means, density.inv)
		logW := make([]float64, particles)
		vec.Log(logW, h.W[t-1])
		u := make([]float64, n)
		for i := range u {
			u[i] = rng.Float64()
		}
		next := out.X[t]
		inParallelOne(n, func(lo, hi int) {
			p := make([]float64, particles)
			for i := lo; i < hi && ctx.Err() == nil; i++ {
				z := density.whiten(next.RawRowView(i))
				for j := range p {
					var q float64
					for l, v := range white.RawRowView(j) {
						q += (v - z[l]) * (v - z[l])
					}
					p[j] = logW[j] - 0.5*q
				}
				vec.Offset(p, -vec.Max(p), p)
				vec.Exp(p, p)
				var s float64
				for j, v := range p {
					s += v
					p[j] = s
				}
				at[i] = locate(p, u[i]*s)
			}
		})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out.X[t-1] = pickRows(X, at)
	}
	return out, nil
}

func pickRows(X *mat.Dense, rows []int) *mat.Dense {
	_, d := X.Dims()
	out := mat.NewDense(len(rows), d, nil)
	for i, r := range rows {
		out.SetRow(i, X.RawRowView(r))
	}
	return out
}
