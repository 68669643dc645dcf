package inference

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// SparseGPSettings are those of [SparseGaussianProcess]. Fields that are zero have the
// values of [DefaultSparseGPSettings].
type SparseGPSettings struct {
	Particles int      // sets Z of inducing inputs
	Inducing  int      // inducing inputs of a set, M
	Batch     int      // observations of a step
	Steps     int      // T
	Step      Schedule // gamma_t of the objective, in (0, 1]: the text's divided by n
	Noise     float64  // variance of the observations' noise, 1/beta

	// FITC adds to the noise of each observation what the inducing values leave of the prior variance there, k(x, x) -
	// k_m(x)'K_mm^-1 k_m(x): the fully independent training conditional (Snelson and Ghahramani 2006), as the text's formula
	// for the update has it. Its experiments, and the default, leave it out.
	FITC bool

	// Watch, if not nil, is called after every step with the observations visited so far and the posterior, which goes on
	// changing. An error ends the run.
	Watch func(visited int, p *SparseProcess) error
}

// DefaultSparseGPSettings returns 16 sets of 128 inducing inputs, 100 steps with batches of 128, gamma_t = 1/(1 + sqrt(t))
// and noise of variance 0.01.
func DefaultSparseGPSettings() *SparseGPSettings {
	return &SparseGPSettings{Particles: 16, Inducing: 128, Batch: 128, Steps: 100, Step: Root(1, 1), Noise: 0.01}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *SparseGPSettings) WithDefaults() *SparseGPSettings {
	return settings.Fill(s, DefaultSparseGPSettings())
}

func (s *SparseGPSettings) check(k rkhs.Kernel, X *mat.Dense, y []float64) error {
	if k == nil || X == nil {
		return fmt.Errorf("inference: kernel or points are nil")
	}
	n, _ := X.Dims()
	if err := (rkhs.Measure{X: X, W: y}).Validate(); err != nil {
		return err
	}
	if len(y) != n {
		return fmt.Errorf("inference: %d targets for %d points", len(y), n)
	}
	if err := checkAtLeast("Particles", s.Particles, 1); err != nil {
		return err
	}
	if s.Inducing < 1 || s.Inducing > n {
		return fmt.Errorf("inference: Inducing is %d, must be between 1 and the %d points", s.Inducing, n)
	}
	if err := checkAtLeast("Steps", s.Steps, 1); err != nil {
		return err
	}
	if s.Step == nil {
		return fmt.Errorf("inference: Step is nil, must be given")
	}
	if err := checkPositive("Noise", s.Noise); err != nil {
		return err
	}
	return checkBatch(s.Batch, n)
}

// SparseProcess is the posterior of a sparse Gaussian process: a mixture over sets of inducing inputs Z with weights, and for
// each a normal distribution of the values u there.
type SparseProcess struct {
	Weights []float64 // of the sets; they sum to one

	kernel rkhs.Kernel
	log    []float64
	sets   []*inducing
}

// An inducing is a set Z with the posterior of v = L^-1 u, K_mm = L L', in its natural parameters: v is standard normal a
// priori, so K_mm is factorized once and never inverted.
type inducing struct {
	z         *mat.Dense
	prior     *linalg.Cholesky // of K_mm, with L' as its factor
	precision *mat.SymDense    // of v
	linear    []float64        // precision times mean
	factor    *linalg.Cholesky // of precision
}

// SparseGaussianProcess approximates the posterior of a Gaussian process with a given kernel by particle mirror descent over
// inducing inputs Z and values u there (section 4.6.3 and appendix B.6.1 of Dai 2018): y_i ~ N(K_im K_mm^-1 u, Noise). Sets Z are
// drawn once from the rows of X, without replacement within a set; for each the step has a closed form in the distribution of u,
//
//	precision <- (1-gamma) precision + gamma K_mm^-1 + gamma n/B sum_i a_i a_i'/Noise,   a_i = K_mm^-1 k_mi,
//
// and the weights get log w <- (1-gamma) log w + log of the step's normaliser, of which the text drops factors that depend on
// Z; they are here. With gamma_t = 1/t and batches that do not overlap one pass gives the exact posterior of u for each set.
// With one particle it is stochastic variational inference with natural gradients (Hensman, Fusi and Lawrence 2013). Nil
// settings are the defaults. A step costs B M^2 + M^3 for each particle, memory M^2.
func SparseGaussianProcess(ctx context.Context, k rkhs.Kernel, X *mat.Dense, y []float64, s *SparseGPSettings, rng *rand.Rand) (*SparseProcess, error) {
	if rng == nil {
		return nil, fmt.Errorf("inference: rng is nil, must be a source of random numbers")
	}
	defaults := DefaultSparseGPSettings()
	defaults.Inducing = min(defaults.Inducing, max(1, len(y)))
	s = fill(s, defaults, &defaults.Batch, len(y))
	if err := s.check(k, X, y); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	p := &SparseProcess{kernel: k, log: make([]float64, s.Particles), Weights: make([]float64, s.Particles)}
	vec.Fill(p.Weights, 1/float64(s.Particles))
	for range s.Particles {
		z := mat.NewDense(s.Inducing, d, nil)
		for i, at := range rng.Perm(n)[:s.Inducing] {
			z.SetRow(i, X.RawRowView(at))
		}
		set, err := newInducing(ctx, k, z)
		if err != nil {
			return nil, err
		}
		p.sets = append(p.sets, set)
	}
	batches := newBatcher(n, s.Batch, rng)
	points, targets := mat.NewDense(s.Batch, d, nil), make([]float64, s.Batch)
	for t := 1; t <= s.Steps; t++ {
		gamma, err := s.Step.mirror(t)
		if err != nil {
			return nil, err
		}
		for i, b := range batches.next() {
			points.SetRow(i, X.RawRowView(b))
			targets[i] = y[b]
		}
		if err := p.step(ctx, s, points, targets, gamma, gamma*batches.scale()/s.Noise); err != nil {
			return nil, err
		}
		if s.Watch != nil {
			if err := s.Watch(t*s.Batch, p); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

func newInducing(ctx context.Context, k rkhs.Kernel, z *mat.Dense) (*inducing, error) {
	gram, err := rkhs.Gram(ctx, k, z, z)
	if err != nil {
		return nil, err
	}
	m, _ := z.Dims()
	prior, err := linalg.NewCholeskyDense(gram, 1e-6*mat.Trace(gram)/float64(m))
	if err != nil {
		return nil, fmt.Errorf("inference: Gram matrix of inducing inputs: %w", err)
	}
	eye := mat.NewSymDense(m, nil)
	for i := range m {
		eye.SetSym(i, i, 1)
	}
	factor, err := linalg.NewCholesky(eye)
	return &inducing{z, prior, eye, make([]float64, m), factor}, err
}

// weights returns L^-1 k_m(x) for the rows of X, in columns, M x n.
func (s *inducing) weights(ctx context.Context, k rkhs.Kernel, X *mat.Dense) (*mat.Dense, error) {
	cross, err := rkhs.Gram(ctx, k, s.z, X)
	if err != nil {
		return nil, err
	}
	return s.prior.HalfSolveTo(cross, cross), nil
}

// step does a step of all sets; scale is gamma n/B over the noise.
func (p *SparseProcess) step(ctx context.Context, settings *SparseGPSettings, X *mat.Dense, y []float64, gamma, scale float64) error {
	gains, errs := make([]float64, len(p.sets)), make([]error, len(p.sets))
	parallel.Blocks(len(p.sets), 1, func(j, _, _ int) {
		a, err := p.sets[j].weights(ctx, p.kernel, X)
		if err != nil {
			errs[j] = err
			return
		}
		own, lost := y, 0.0
		if settings.FITC {
			own, lost = scaleResiduals(a, y, p.kernel, X, settings.Noise, scale)
		}
		gains[j], errs[j] = p.sets[j].step(a, own, gamma, scale)
		gains[j] -= lost
	})
	for j, err := range errs {
		if err != nil {
			return err
		}
		p.log[j] = (1-gamma)*p.log[j] + gains[j]
	}
	// Without FITC the factor of the noise is the same for all sets.
	w, err := weigh(p.log, 1)
	p.Weights = w
	return err
}

// scaleResiduals divides the columns a_i of a and the targets, in a copy, by what the noise of FITC is larger than noise by, in
// deviations. It returns minus the logarithm of the factor of the step's normaliser that depends on the observation's noise
// and target alone.
func scaleResiduals(a *mat.Dense, y []float64, k rkhs.Kernel, X *mat.Dense, noise, scale float64) (own []float64, lost float64) {
	own = make([]float64, len(y))
	root := make([]float64, len(y))
	for i, explained := range columnSquares(a) {
		x := X.RawRowView(i)
		ratio := 1 + max(k.Eval(x, x)-explained, 0)/noise
		root[i] = 1 / math.Sqrt(ratio)
		own[i] = y[i] * root[i]
		lost += 0.5 * scale * (noise*vec.Log1(ratio) + own[i]*own[i])
	}
	m, _ := a.Dims()
	for r := range m {
		vec.Mul(a.RawRowView(r), a.RawRowView(r), root)
	}
	return own, lost
}

// step returns the logarithm of the step's normaliser, but for what does not depend on the set; a are the observations' weights.
func (s *inducing) step(a *mat.Dense, y []float64, gamma, scale float64) (float64, error) {
	half := s.factor.HalfSolveVecTo(nil, s.linear)
	gain := 0.5 * (1 - gamma) * (s.factor.LogDet() - vec.Dot(half, half))
	linalg.SymRankK(s.precision, scale, a, 1-gamma)
	m := len(s.linear)
	for i := range m {
		s.precision.SetSym(i, i, s.precision.At(i, i)+gamma)
		s.linear[i] = (1-gamma)*s.linear[i] + scale*vec.Dot(a.RawRowView(i), y)
	}
	var err error
	if s.factor, err = linalg.NewCholesky(s.precision); err != nil {
		return 0, fmt.Errorf("inference: precision of inducing values: %w", err)
	}
	half = s.factor.HalfSolveVecTo(half, s.linear)
	return gain + 0.5*(vec.Dot(half, half)-s.factor.LogDet()), nil
}

// At returns the posterior mean and variance of the function at the rows of X; for an observation add the noise to the variance.
// Cost P n M^2.
func (p *SparseProcess) At(ctx context.Context, X *mat.Dense) (mean, variance []float64, err error) {
	n, _ := X.Dims()
	mean, variance = make([]float64, n), make([]float64, n)
	second := make([]float64, n)
	for j, s := range p.sets {
		a, err := s.weights(ctx, p.kernel, X)
		if err != nil {
			return nil, nil, err
		}
		v := s.factor.SolveVecTo(nil, s.linear)
		reduced := s.factor.HalfSolveTo(nil, a)
		explained, left := columnSquares(a), columnSquares(reduced)
		at := linalg.MulTransVec(nil, a, v)
		for i, f := range at {
			own := p.kernel.Eval(X.RawRowView(i), X.RawRowView(i)) - explained[i] + left[i]
			mean[i] += p.Weights[j] * f
			second[i] += p.Weights[j] * (max(own, 0) + f*f)
		}
	}
	for i := range variance {
		variance[i] = max(second[i]-mean[i]*mean[i], 0)
	}
	return mean, variance, nil
}

// columnSquares returns the squared norms of the columns.
func columnSquares(a *mat.Dense) []float64 {
	rows, n := a.Dims()
	out := make([]float64, n)
	for i := range rows {
		for j, v := range a.RawRowView(i) {
			out[j] += v * v
		}
	}
	return out
}

// Inducing returns a copy of the inducing inputs of set j, M x d, and the posterior mean of the values there.
func (p *SparseProcess) Inducing(j int) (z *mat.Dense, mean []float64) {
	s := p.sets[j]
	v := s.factor.SolveVecTo(nil, s.linear)
	u := s.prior.U()
	mean = make([]float64, len(v))
	for i := range mean {
		for r := range i + 1 {
			mean[i] += u.At(r, i) * v[r]
		}
	}
	return mat.DenseCopyOf(s.z), mean
}
