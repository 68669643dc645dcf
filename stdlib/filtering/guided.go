package filtering

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"
)

// Proposal makes a guided or auxiliary particle filter of a [Model]: where the
// bootstrap filter moves particles blindly and weighs them afterwards, it looks at
// the next observation before it chooses ancestors, before it moves them, or both.
// Its functions work on all particles in one call. t is the step of the
// observation y, so x_t is drawn given x_(t-1) = X_i; at t = 1 states come from
// the model's initial distribution.
type Proposal struct {
	// Mean and Noise replace those of the model as a Gaussian from which x_t is
	// drawn, given x_(t-1) and y: Mean writes to row i of dst, Noise must be
	// positive definite. Weights are corrected by the ratio of densities, so the
	// likelihood stays unbiased if the proposal has no lighter tails. Nil: the
	// model's own.
	Mean  func(dst *mat.Dense, t int, X *mat.Dense, y []float64)
	Noise func(t int) *mat.SymDense
	// LogWeight writes the logarithm of what ancestors' weights are multiplied by
	// before resampling, an approximation of p(y | x_(t-1) = X_i). Nil: 1.
	LogWeight func(dst []float64, t int, X *mat.Dense, y []float64)
}

// Auxiliary returns the proposal of the auxiliary particle filter of Pitt and
// Shephard (1999): ancestors are chosen by the likelihood of y at their predicted
// means. It can fail badly where the likelihood is much narrower than the
// prediction: the likelihood estimate then has a heavy left tail.
func Auxiliary(m *Model) *Proposal {
	return &Proposal{LogWeight: func(dst []float64, t int, X *mat.Dense, y []float64) {
		n, d := X.Dims()
		mean := mat.NewDense(n, d, nil)
		m.Mean(mean, t-1, X)
		m.LogLik(dst, t, mean, y)
	}}
}

// Optimal returns the proposal p(x_t | x_(t-1), y_t) and the ancestors' weights
// p(y_t | x_(t-1)) of a model whose observations are linear, y = C x + e with
// e ~ N(0, R), whatever its Mean: the fully adapted filter. The model's noise must
// be positive definite and the same at all times.
func Optimal(m *Model, C *mat.Dense, R *mat.SymDense) (*Proposal, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	q, d := m.Noise(1), m.Dim()
	if p, c := C.Dims(); c != d || R.SymmetricDim() != p {
		return nil, fmt.Errorf("filtering: C is %d x %d and R %d x %d, must be p x %d and p x p", p, c, R.SymmetricDim(), R.SymmetricDim(), d)
	}
	prior := belief{mean: make([]float64, d), cov: q}
	after, _, err := prior.update(C, R, make([]float64, R.SymmetricDim()), make([]float64, R.SymmetricDim()))
	if err != nil {
		return nil, fmt.Errorf("filtering: %w", err)
	}
	S := congruence(C, q)
	S.AddSym(S, R)
	evidence, err := newGaussianObservation(C, S)
	if err != nil {
		return nil, err
	}
	// Gain K = P' C' R^-1 with the covariance P' after the observation.
	chol, err := linalg.NewCholesky(R)
	if err != nil {
		return nil, fmt.Errorf("filtering: R is not positive definite, must be")
	}
	gain := gainOf(chol, linalg.MulTransB(nil, mat.DenseCopyOf(after.cov), C))
	return &Proposal{
		Noise: func(int) *mat.SymDense { return after.cov },
		Mean: func(dst *mat.Dense, t int, X *mat.Dense, y []float64) {
			m.Mean(dst, t-1, X)
			n, _ := X.Dims()
			e := make([]float64, len(y))
			for i := range n {
				x := dst.RawRowView(i)
				vec.Sub(e, y, product(C, x))
				vec.Add(x, x, product(gain, e))
			}
		},
		LogWeight: func(dst []float64, t int, X *mat.Dense, y []float64) {
			n, d := X.Dims()
			mean := mat.NewDense(n, d, nil)
			m.Mean(mean, t-1, X)
			evidence.logLik(dst, mean, y)
		},
	}, nil
}

// Guided runs a particle filter with the given proposal. Of the settings it uses
// Particles, Resampling, Threshold, History and Progress; nil means
// [DefaultSettings]. One step costs what the proposal's functions cost, and two
// Gaussian densities a particle if the proposal moves.
func Guided(ctx context.Context, m *Model, proposal *Proposal, Y *mat.Dense, settings *Settings, rng *rand.Rand) (*Result, error) {
	settings = settings.WithDefaults()
	if proposal == nil {
		return nil, fmt.Errorf("filtering: proposal is nil")
	}
	if (proposal.Mean == nil) != (proposal.Noise == nil) {
		return nil, fmt.Errorf("filtering: proposal must have both Mean and Noise, or neither")
	}
	if settings.Points != MonteCarlo {
		return nil, fmt.Errorf("filtering: points are %v, must be %v in a guided filter", settings.Points, MonteCarlo)
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return Run(ctx, &guidedSystem{model: m, proposal: proposal, data: Y}, Y, settings, rng)
}

// guidedSystem is a model together with its proposal and data.
type guidedSystem struct {
	model    *Model
	proposal *Proposal
	data     *mat.Dense
}

func (g *guidedSystem) run() (system, error) {
	return &guidedRun{modelRun: modelRun{model: g.model}, g: g}, nil
}

// guidedRun samples from the mixture of proposals with the weights that LogWeight
// makes, and corrects the likelihoods for both: particle x from ancestor a has
//
//	log p(y|x) + log p(x|a) - log q(x|a) + log W_a - log V_a
//
// with W the weights of the ancestors and V those that they were drawn with.
type guidedRun struct {
	modelRun
	g          *guidedSystem
	logWeight  []float64  // of the ancestors, log W_a - log V_a
	drawn      []float64  // V
	own        *mat.Dense // means of the model; nil if the proposal does not move
	means      *mat.Dense // means of the proposal
	component  []int
	correction []float64
}

func (r *guidedRun) predict(p *predictive, t int, X *mat.Dense, w []float64) error {
	y := r.g.data.RawRowView(t) // of step t+1
	if err := r.modelRun.predict(p, t, X, w); err != nil {
		return err
	}
	n, d := X.Dims()
	r.logWeight = grow(r.logWeight, n)
	clear(r.logWeight)
	if f := r.g.proposal.LogWeight; f != nil {
		f(r.logWeight, t+1, X, y)
		for i, v := range r.logWeight {
			if math.IsNaN(v) || math.IsInf(v, 1) {
				return fmt.Errorf("filtering: log-weight of particle %d at step %d is %v, must be finite or -Inf", i, t+1, v)
			}
		}
		scaled := make([]float64, n)
		for i, v := range w {
			scaled[i] = vec.Log1(v) + r.logWeight[i]
		}
		total := vec.LogSumExp(scaled)
		if math.IsInf(total, -1) {
			return &DegenerateError{Step: t + 1}
		}
		var s float64
		r.drawn = grow(r.drawn, n)
		p.w = r.drawn
		for i, v := range scaled {
			p.w[i] = vec.Exp1(v - total)
			s += p.w[i]
			if p.w[i] == 0 { // never an ancestor
				r.logWeight[i] = 0
				continue
			}
			r.logWeight[i] = total - r.logWeight[i]
		}
		vec.Scale(p.w, 1/s, p.w)
	}
	r.own = nil
	if r.g.proposal.Mean == nil {
		return nil
	}
	r.own = mat.DenseCopyOf(p.means)
	r.g.proposal.Mean(p.means, t+1, X, y)
	r.means = mat.DenseCopyOf(p.means)
	cov := r.g.proposal.Noise(t + 1)
	root, err := covarianceRoot(cov, d)
	if err != nil {
		return fmt.Errorf("filtering: noise of the proposal at step %d: %w", t+1, err)
	}
	p.covs, p.roots = append(p.covs[:0], cov), append(p.roots[:0], root)
	return nil
}

func (r *guidedRun) accept(X *mat.Dense, component []int) {
	r.component = append(r.component[:0], component...)
	r.correction = grow(r.correction, len(component))
	clear(r.correction)
	if r.logWeight == nil { // the first step
		return
	}
	for i, a := range component {
		r.correction[i] = r.logWeight[a]
	}
}

// densities adds log p(x|a) - log q(x|a).
func (r *guidedRun) densities(dst []float64, t int, X *mat.Dense) error {
	_, d := X.Dims()
	model, err1 := newGaussianObservation(identity(d), r.model.Noise(t-1))
	proposal, err2 := newGaussianObservation(identity(d), r.g.proposal.Noise(t))
	if err1 != nil || err2 != nil {
		return fmt.Errorf("filtering: noise of model and proposal at step %d must be positive definite", t)
	}
	for i, a := range r.component {
		x := X.RawRowView(i)
		dst[i] += model.at(model.whiten(x), r.own.RawRowView(a)) - proposal.at(proposal.whiten(x), r.means.RawRowView(a))
	}
	return nil
}

func (r *guidedRun) logLik(dst []float64, t int, X *mat.Dense, y []float64) error {
	if err := r.modelRun.logLik(dst, t, X, y); err != nil {
		return err
	}
	vec.Add(dst, dst, r.correction)
	if r.own != nil {
		return r.densities(dst, t, X)
	}
	return nil
}
