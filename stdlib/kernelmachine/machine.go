package kernelmachine

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/rkhs"
)

// None is 0 in settings whose zero means another default: no regularization, no cache.
const None = settings.None

// Settings of a [Machine]; fields that are zero have the values of [DefaultSettings].
type Settings struct {
	// Regularization is nu of the objective E l(f(x), y) + nu/2 |f|^2. The posterior
	// mean of a Gaussian process with n points has the noise variance over n here. None is 0.
	Regularization float64
	// Step gives step sizes; nil chooses them from the first batch: 1/nu over
	// t + t0, with t0 such that the first is as long as the kernel's largest
	// eigenvalue and the noise of batches and blocks bear.
	Step *Step
	// Batch is the number of points in a step, Block the number of random features.
	Batch, Block int
	// Passes is how often Fit goes through the points, each time in another order.
	Passes int
	// Average makes outputs those of the mean of the functions after step
	// AverageFrom, instead of the last.
	Average     bool
	AverageFrom int
	// Precondition multiplies a step by the inverse of the batch's covariance of the
	// block's features, shifted by nu + 1e-7. Cost Block^3 a step.
	Precondition bool
	// Cache is the memory in bytes in which frequencies of features are kept; those
	// that do not fit are made again from the seed whenever they are needed. None keeps none.
	Cache int
	// Progress, if not nil, is called after each step of Fit with how many of how many are
	// done.
	Progress func(done, all int) `json:"-"`
}

// DefaultSettings returns nu = 1e-6, chosen step sizes, batches and blocks of 256,
// one pass, the last iterate, no preconditioning and a cache of 16 MB.
func DefaultSettings() *Settings {
	return &Settings{Regularization: 1e-6, Batch: 256, Block: 256, Passes: 1, Cache: 16 << 20}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *Settings) WithDefaults() *Settings { return settings.Fill(s, DefaultSettings()) }

// resolve returns the settings in effect, None as 0.
func (s *Settings) resolve() *Settings {
	out := s.WithDefaults()
	settings.Clear(&out.Regularization)
	settings.Clear(&out.Cache)
	return out
}

func (s *Settings) check() error {
	if !(s.Regularization >= 0) || math.IsInf(s.Regularization, 1) {
		return fmt.Errorf("kernelmachine: regularization is %v, must be finite and not negative", s.Regularization)
	}
	for _, c := range []struct {
		name  string
		v     int
		least int
	}{{"batch", s.Batch, 1}, {"block", s.Block, 1}, {"number of passes", s.Passes, 1}, {"first averaged step", s.AverageFrom, 0}, {"cache", s.Cache, 0}} {
		if c.v < c.least {
			return fmt.Errorf("kernelmachine: %s is %d, must be at least %d", c.name, c.v, c.least)
		}
	}
	if s.Step != nil {
		return s.Step.check()
	}
	return nil
}

// A Machine learns a function of a reproducing kernel Hilbert space by functional
// gradients that are stochastic twice, in the points and in the kernel (Dai et al.
// 2014, Algorithms 1 and 2): step t draws a batch of points and block t of the
// kernel's random features, and adds to the function the features times
//
//	-gamma_t l'(f(x), y) phi(x),
//
// after it shrank what was there by 1 - gamma_t nu. The machine keeps the
// coefficients and the seed: features are made again from it. Memory is one number
// for each feature and output, whatever the dimension and the number of points.
//
// One goroutine at a time may train a machine; any number may ask it when none
// does.
type Machine struct {
	loss     Loss
	kernel   rkhs.Kernel
	settings Settings
	seed     uint64
	norma    bool

	d     int // 0 before the first step
	basis basis
	step  Step // the sequence in use
	state
}

// New returns an untrained machine for a loss and a kernel that has random features
// ([rkhs.NewFeatureSource]). One number is drawn from rng, the seed of all features
// and orders.
func New(loss Loss, k rkhs.Kernel, settings *Settings, rng *rand.Rand) (*Machine, error) {
	if rng == nil {
		return nil, fmt.Errorf("kernelmachine: rng is nil, must be a source of random numbers")
	}
	m, err := newMachine(loss, k, settings.resolve())
	if err != nil {
		return nil, err
	}
	source, err := rkhs.NewFeatureSource(k)
	if err != nil {
		return nil, err
	}
	if least := rkhs.MinWidth(source); m.settings.Block < least {
		return nil, fmt.Errorf("kernelmachine: block is %d, must be at least %d for this kernel", m.settings.Block, least)
	}
	m.seed = rng.Uint64()
	return m, nil
}

// NewNORMA returns an untrained machine that takes the same steps with the kernel
// itself in place of random features (Kivinen, Smola and Williamson 2004, Online
// learning with kernels). It keeps all points that it saw. One number is drawn from
// rng, the seed of the orders of points; Block, Cache and Precondition of the
// settings have no meaning.
func NewNORMA(loss Loss, k rkhs.Kernel, settings *Settings, rng *rand.Rand) (*Machine, error) {
	if rng == nil {
		return nil, fmt.Errorf("kernelmachine: rng is nil, must be a source of random numbers")
	}
	m, err := newMachine(loss, k, settings.resolve())
	if err != nil {
		return nil, err
	}
	m.norma, m.seed = true, rng.Uint64()
	return m, nil
}

// newMachine takes settings that are resolved.
func newMachine(loss Loss, k rkhs.Kernel, settings *Settings) (*Machine, error) {
	if err := settings.check(); err != nil {
		return nil, err
	}
	if err := validateLoss(loss); err != nil {
		return nil, err
	}
	if err := rkhs.Validate(k); err != nil {
		return nil, err
	}
	m := &Machine{loss: loss, kernel: k, settings: *settings}
	if settings.Step != nil {
		step := *settings.Step
		m.settings.Step = &step
	}
	return m, nil
}

// Loss returns the machine's loss.
func (m *Machine) Loss() Loss { return m.loss }

// Kernel returns the machine's kernel.
func (m *Machine) Kernel() rkhs.Kernel { return m.kernel }

// Steps returns the number of steps taken.
func (m *Machine) Steps() int { return m.t }

// Evaluations returns how often training evaluated a feature (a kernel, for NORMA) at a
// point: B R t times in step t, n R times where Fit follows all n points.
func (m *Machine) Evaluations() int { return m.drawn }

// StepSizes returns the step sizes in use, those of the settings or those chosen;
// Initial is 0 before the first step.
func (m *Machine) StepSizes() Step { return m.step }

// Offset returns r of [Novelty], its mean for a machine that averages; 0 for other
// losses.
func (m *Machine) Offset() float64 {
	if m.averaged > 0 {
		return m.offsets / float64(m.averaged)
	}
	return m.offset
}

// width is the number of coefficients of a step.
func (m *Machine) width() int {
	if m.norma {
		return m.settings.Batch
	}
	return m.settings.Block
}

// start gives the machine its dimension and step sizes, from its first batch.
func (m *Machine) start(ctx context.Context, X *mat.Dense) error {
	_, d := X.Dims()
	var err error
	step := Step{}
	if m.settings.Step != nil {
		step = *m.settings.Step
	} else if step, err = m.chooseStep(ctx, X); err != nil {
		return err
	}
	if err := m.open(d); err != nil {
		return err
	}
	m.step = step
	outputs, _ := m.loss.Dims()
	m.state = state{per: m.basis.panelBlocks(), width: m.width(), outputs: outputs, scale: 1}
	return nil
}

// open makes the basis for points of dimension d.
func (m *Machine) open(d int) error {
	if m.norma {
		m.basis = newSupports(m.kernel, d, m.settings.Batch)
	} else {
		source, err := rkhs.NewFeatureSource(m.kernel)
		if err != nil {
			return err
		}
		m.basis = newFeatures(source, d, m.settings.Block, m.seed, m.settings.Cache)
	}
	m.d = d
	return nil
}

// chooseStep returns step sizes for points like those of X. With lambda the
// largest eigenvalue of the Gram matrix over n and kappa its largest diagonal
// element, steps are 1/(L (lambda + 8 kappa/B + 8 kappa/R) + nu) or less: the
// second moment of an update adds to lambda the noise of B points and R features.
// A quarter of that noise is stable; the rest keeps its share of the error small.
func (m *Machine) chooseStep(ctx context.Context, X *mat.Dense) (Step, error) {
	n, d := X.Dims()
	n = min(n, 512)
	part := X.Slice(0, n, 0, d).(*mat.Dense)
	gram, err := rkhs.Gram(ctx, m.kernel, part, nil)
	if err != nil {
		return Step{}, err
	}
	kappa := 0.0
	for i := range n {
		kappa = max(kappa, gram.At(i, i))
	}
	noise := 8 / float64(m.settings.Batch)
	if !m.norma {
		noise += 8 / float64(m.settings.Block)
	}
	lambda := largestEigenvalue(gram) / float64(n)
	if m.settings.Precondition {
		lambda, kappa = 1, 0
	}
	nu := m.settings.Regularization
	initial := 1 / (smoothness(m.loss)*(lambda+noise*kappa) + nu)
	if !(initial > 0) || math.IsInf(initial, 1) {
		return Step{}, fmt.Errorf("kernelmachine: the kernel is %v at most on the first batch, which gives no step size", kappa)
	}
	if nu == 0 {
		return *ConstantStep(initial), nil
	}
	return *ShiftedStep(1/nu, 1/(nu*initial)), nil
}

// largestEigenvalue is that of a Gram matrix, to a few per cent.
func largestEigenvalue(gram *mat.Dense) float64 {
	n, _ := gram.Dims()
	v, w := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for i := range n {
		v.SetVec(i, 1+float64(i%7)/7)
	}
	value := 0.0
	for range 30 {
		w.MulVec(gram, v)
		norm := mat.Norm(w, 2)
		if norm == 0 {
			return 0
		}
		value = norm / mat.Norm(v, 2)
		v.ScaleVec(1/norm, w)
	}
	return value
}
