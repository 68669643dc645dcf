package filtering

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Sampler is a state-space model that is known only by how to draw from it: its
// noise need not be Gaussian or added, and states may be discrete. Only the
// bootstrap filter ([MonteCarlo]) runs on it, since the others need the
// distribution of the next state. Functions work on all particles in one call.
type Sampler struct {
	// Dim is the dimension of the state.
	Dim int
	// Start draws x_1 into each row of X.
	Start func(X *mat.Dense, rng *rand.Rand)
	// Move replaces each row x_t of X by a draw of x_(t+1).
	Move func(X *mat.Dense, t int, rng *rand.Rand)
	// LogLik writes log p(y_t = y | x_t = X_i) to dst[i]; -Inf is allowed.
	LogLik func(dst []float64, t int, X *mat.Dense, y []float64)
}

func (m *Sampler) run() (system, error) {
	switch {
	case m == nil:
		return nil, fmt.Errorf("filtering: model is nil")
	case m.Dim < 1:
		return nil, fmt.Errorf("filtering: dimension is %d, must be at least 1", m.Dim)
	case m.Start == nil || m.Move == nil || m.LogLik == nil:
		return nil, fmt.Errorf("filtering: sampled model lacks a function")
	}
	return &samplerRun{model: m}, nil
}

// mover is a system that moves particles itself.
type mover interface {
	// move turns the particles from of the step before, by their ancestors, into
	// those of step t.
	move(X, from *mat.Dense, ancestor []int, t int, rng *rand.Rand) error
}

// samplerRun is a run of a Sampler. Its predictive holds the weights of the
// ancestors only.
type samplerRun struct {
	model *Sampler
}

func (r *samplerRun) width() int               { return r.model.Dim }
func (r *samplerRun) accept(*mat.Dense, []int) {}

func (r *samplerRun) initial() (*predictive, error) {
	p := new(predictive)
	p.resize(1, r.model.Dim)
	p.w[0] = 1
	return p, nil
}

func (r *samplerRun) predict(p *predictive, _ int, X *mat.Dense, w []float64) error {
	n, d := X.Dims()
	p.w = w
	p.resize(n, d)
	return nil
}

func (r *samplerRun) move(X, from *mat.Dense, ancestor []int, t int, rng *rand.Rand) error {
	if t == 1 {
		r.model.Start(X, rng)
	} else {
		for i, a := range ancestor {
			copy(X.RawRowView(i), from.RawRowView(a))
		}
		r.model.Move(X, t-1, rng)
	}
	n, _ := X.Dims()
	for i := range n {
		for _, v := range X.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("filtering: state of particle %d at step %d is %v, must be finite", i, t, v)
			}
		}
	}
	return nil
}

func (r *samplerRun) logLik(dst []float64, t int, X *mat.Dense, y []float64) error {
	r.model.LogLik(dst, t, X, y)
	return nil
}
