package filtering

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

// A System is a state-space model that the filters of this package can run:
// [Model], [JumpMarkov], [ConditionallyLinear] or [Sampler].
type System interface {
	// run prepares a run of the filter: what it returns may keep state.
	run() (system, error)
}

// Model is a state-space model with additive Gaussian noise,
//
//	x_1 from Initial,  x_(t+1) = Mean_t(x_t) + v_t,  v_t ~ N(0, Noise(t)),
//
// and any likelihood of the observation y_t given x_t. Its functions work on all
// particles in one call, from one goroutine at a time: rows of X are states. They
// must not keep their arguments. Time t counts from 1.
//
// The distribution of x_(t+1) given weighted particles at time t is then a
// Gaussian mixture, which is what makes quasi-Monte Carlo and herding filters
// possible (Lacoste-Julien et al. 2015, equation 4).
type Model struct {
	// Initial is the distribution of x_1; its dimension d is the model's.
	Initial *rkhs.Mixture
	// Mean writes E[x_(t+1) | x_t = X_i] to row i of dst (n x d).
	Mean func(dst *mat.Dense, t int, X *mat.Dense)
	// Noise returns the covariance of x_(t+1) given x_t (d x d), positive
	// semi-definite. A filter factors it again only when the pointer changes.
	Noise func(t int) *mat.SymDense
	// LogLik writes log p(y_t = y | x_t = X_i) to dst[i]; -Inf is allowed.
	LogLik func(dst []float64, t int, X *mat.Dense, y []float64)
	// Observations is the dimension that observations must have; 0 leaves that
	// to LogLik.
	Observations int
}

// Validate returns an error if a part of the model is missing.
func (m *Model) Validate() error {
	switch {
	case m == nil:
		return fmt.Errorf("filtering: model is nil")
	case m.Initial == nil:
		return fmt.Errorf("filtering: model has no initial distribution")
	case m.Mean == nil:
		return fmt.Errorf("filtering: model has no mean function")
	case m.Noise == nil:
		return fmt.Errorf("filtering: model has no noise covariance")
	case m.LogLik == nil:
		return fmt.Errorf("filtering: model has no log-likelihood")
	}
	return nil
}

// Dim returns the dimension of the state.
func (m *Model) Dim() int { return m.Initial.Dim() }

func (m *Model) run() (system, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return &modelRun{model: m}, nil
}

// modelRun is a run of a Model.
type modelRun struct {
	model *Model
	noise *mat.SymDense // the covariance that root belongs to
	root  *mat.Dense
}

func (r *modelRun) width() int               { return r.model.Dim() }
func (r *modelRun) accept(*mat.Dense, []int) {}

func (r *modelRun) logLik(dst []float64, t int, X *mat.Dense, y []float64) error {
	if p := r.model.Observations; p > 0 && len(y) != p {
		return fmt.Errorf("filtering: observation has dimension %d, must be %d", len(y), p)
	}
	r.model.LogLik(dst, t, X, y)
	return nil
}

func (r *modelRun) initial() (*predictive, error) { return fromMixture(r.model.Initial), nil }

func (r *modelRun) predict(p *predictive, t int, X *mat.Dense, w []float64) error {
	n, d := X.Dims()
	p.w = w
	p.resize(n, d)
	r.model.Mean(p.means, t, X)
	cov := r.model.Noise(t)
	if cov != r.noise || cov == nil {
		root, err := covarianceRoot(cov, d)
		if err != nil {
			return fmt.Errorf("filtering: noise covariance at step %d: %w", t, err)
		}
		r.noise, r.root = cov, root
	}
	p.covs, p.roots, p.class = append(p.covs[:0], cov), append(p.roots[:0], r.root), p.class[:0]
	return nil
}

// covarianceRoot checks a covariance and returns a square root of it.
func covarianceRoot(cov *mat.SymDense, d int) (*mat.Dense, error) {
	if cov == nil {
		return nil, fmt.Errorf("it is nil")
	}
	p, err := rkhs.NewSharedMixture([]float64{1}, mat.NewDense(1, d, nil), cov)
	if err != nil {
		return nil, err
	}
	root, _ := p.Root(0)
	return root, nil
}
