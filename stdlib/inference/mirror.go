package inference

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// None is 0 in settings whose zero means another default: no burn-in, no kernel steps.
const None = settings.None

// Settings say how particle mirror descent goes. m_t, the number of particles of step t, grows linearly from First to Particles
// over the kernel steps; their bandwidth is KernelBandwidth(Bandwidth, m_t, d). Fields that are zero have the values of
// [DefaultSettings].
type Settings struct {
	Particles int // m
	First     int // particles of the first kernel step
	Batch     int // observations of a step, B

	KernelSteps int      // first steps, by kernel density estimates; None skips them
	KernelStep  Schedule // their gamma_t, for t = 1, 2, ...
	Bandwidth   float64  // factor c of the bandwidth c m^(-1/(d+4)), in the unit of theta

	Steps int      // later steps, which weigh particles drawn once; None skips them
	Step  Schedule // their gamma_t, for t = 1, 2, ... from the first of them

	// MinSize cuts gamma in a kernel step so that the effective number of particles is at least this share of them; None
	// never cuts. Without it the first steps, of which the likelihood has the power gamma N/B, can lose a mode for ever.
	MinSize float64

	// Watch, if not nil, is called after every step with the number of observations visited so far, repeated visits counted,
	// and the estimate, which it may keep. An error ends the run.
	Watch func(visited int, q *KDE) error
}

// DefaultSettings returns 1,500 particles in batches of 10: 200 kernel steps from 1,000 particles with gamma_t = 1/(100+t)
// and bandwidth 0.2 m^(-1/(d+4)), then 1,800 steps of weights with gamma_t = 2/(100+t), and MinSize 0.1. It is for parameters
// of unit scale and about a thousand observations: gamma_1 N/B times the spread of a log likelihood should not be much above
// 1.
func DefaultSettings() *Settings {
	return &Settings{Particles: 1500, First: 1000, Batch: 10, KernelSteps: 200, KernelStep: Harmonic(1, 100), Bandwidth: 0.2,
		Steps: 1800, Step: Harmonic(2, 100), MinSize: 0.1}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *Settings) WithDefaults() *Settings { return settings.Fill(s, DefaultSettings()) }

// resolve returns the settings in effect for n observations, None as 0.
func (s *Settings) resolve(n int) *Settings {
	defaults := DefaultSettings()
	out := fill(s, defaults, &defaults.Batch, n)
	settings.Clear(&out.MinSize)
	settings.Clear(&out.KernelSteps, &out.Steps)
	return out
}

func (s *Settings) check(m Model) error {
	if err := validate(m, false); err != nil {
		return err
	}
	if err := checkAtLeast("Particles", s.Particles, 1); err != nil {
		return err
	}
	if err := checkBatch(s.Batch, m.Len()); err != nil {
		return err
	}
	if s.KernelSteps < 0 || s.Steps < 0 || s.KernelSteps+s.Steps == 0 {
		return fmt.Errorf("inference: KernelSteps is %d and Steps is %d, must not be negative nor both 0", s.KernelSteps, s.Steps)
	}
	if s.KernelSteps > 0 {
		if s.KernelStep == nil {
			return fmt.Errorf("inference: KernelStep is nil, must be given for %d kernel steps", s.KernelSteps)
		}
		if err := checkAtLeast("First", s.First, 1); err != nil {
			return err
		}
	}
	if s.Steps > 0 && s.Step == nil {
		return fmt.Errorf("inference: Step is nil, must be given for %d steps", s.Steps)
	}
	if !(s.MinSize >= 0 && s.MinSize < 1) {
		return fmt.Errorf("inference: MinSize is %v, must be in [0, 1)", s.MinSize)
	}
	return checkPositive("Bandwidth", s.Bandwidth)
}

// MirrorDescent approximates the posterior of a model by particle mirror descent (Algorithm 3 of Dai 2018). Kernel steps draw
// particles from the density estimate q_t (the prior at first) and weigh them by
//
//	exp gamma_t [log p(theta) - log q_t(theta) + N/B sum_b log p(x_b | theta)];
//
// later ones keep particles theta_i drawn from pi, the last estimate (the prior if there was none), and give them log weights
//
//	a_i <- (1-gamma_t) a_i + gamma_t [log p(theta_i) - log pi(theta_i) + N/B sum_b log p(x_b | theta_i)].
//
// The result has Particles weighted particles, its weights sum to one, and the bandwidth of their number. Nil settings are
// the defaults. A kernel step costs m_t m_(t-1) exponentials and likelihoods of m_t particles and B observations, a
// later step only the latter; memory is of order m d. Errors: invalid settings or model, a log density that is NaN or +Inf,
// no particle with positive likelihood, a step size that is not positive.
func MirrorDescent(ctx context.Context, m Model, s *Settings, rng *rand.Rand) (*KDE, error) {
	if rng == nil {
		return nil, fmt.Errorf("inference: rng is nil, must be a source of random numbers")
	}
	s = s.resolve(observations(m))
	if err := s.check(m); err != nil {
		return nil, err
	}
	d := &descent{Settings: s, model: m, rng: rng, batches: newBatcher(m.Len(), s.Batch, rng)}
	for t := 1; t <= s.KernelSteps; t++ {
		if err := d.kernelStep(ctx, t); err != nil {
			return nil, err
		}
	}
	for t := 1; t <= s.Steps; t++ {
		if err := d.weightStep(ctx, t); err != nil {
			return nil, err
		}
	}
	return d.estimate, nil
}

// A descent is the state of a run.
type descent struct {
	*Settings
	model    Model
	rng      *rand.Rand
	batches  *batcher
	visited  int
	estimate *KDE // q_t; nil for the prior

	theta  *mat.Dense // frozen particles of the later steps
	offset []float64  // log p - log pi at them
	log    []float64  // a_i
	value  []float64  // the bracket
}

// draw returns n particles from q_t and log p - log q_t at them.
func (d *descent) draw(ctx context.Context, n int) (theta *mat.Dense, offset []float64, err error) {
	offset = make([]float64, n)
	if d.estimate == nil {
		theta = mat.NewDense(n, d.model.Dim(), nil)
		d.model.SamplePrior(theta, d.rng)
		return theta, offset, nil
	}
	theta = d.estimate.Draw(n, d.rng)
	d.model.LogPrior(offset, theta)
	if err := checkValues("log prior", offset); err != nil {
		return nil, nil, err
	}
	density := make([]float64, n)
	if err := d.estimate.LogDensity(ctx, density, theta); err != nil {
		return nil, nil, err
	}
	vec.Axpy(offset, -1, density)
	return theta, offset, nil
}

// scaled sets value to N/B times the log likelihood of the next batch, plus offset.
func (d *descent) scaled(value []float64, theta *mat.Dense, offset []float64) error {
	batch := d.batches.next()
	d.visited += len(batch)
	d.model.LogLikelihood(value, theta, batch)
	if err := checkValues("log likelihood", value); err != nil {
		return err
	}
	vec.Scale(value, d.batches.scale(), value)
	vec.Add(value, value, offset)
	return nil
}

func (d *descent) kernelStep(ctx context.Context, t int) error {
	gamma, err := d.KernelStep.mirror(t)
	if err != nil {
		return err
	}
	m := d.Particles
	if d.KernelSteps > 1 {
		m = d.First + (d.Particles-d.First)*(t-1)/(d.KernelSteps-1)
	}
	theta, offset, err := d.draw(ctx, m)
	if err != nil {
		return err
	}
	value := make([]float64, m)
	if err := d.scaled(value, theta, offset); err != nil {
		return err
	}
	w, err := weigh(value, d.tempered(value, gamma))
	if err != nil {
		return err
	}
	return d.publish(ctx, theta, w)
}

// tempered returns the largest step size up to gamma at which weights exp(gamma v) keep the effective size.
func (d *descent) tempered(v []float64, gamma float64) float64 {
	least := d.MinSize * float64(len(v))
	enough := func(g float64) bool {
		w, err := weigh(v, g)
		return err != nil || EffectiveSize(w) >= least
	}
	if least == 0 || enough(gamma) {
		return gamma
	}
	lo, hi := 0.0, gamma
	for range 30 {
		if mid := 0.5 * (lo + hi); enough(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return hi
	}
	return lo
}

func (d *descent) weightStep(ctx context.Context, t int) error {
	gamma, err := d.Step.mirror(t)
	if err != nil {
		return err
	}
	if d.theta == nil {
		if d.theta, d.offset, err = d.draw(ctx, d.Particles); err != nil {
			return err
		}
		d.log, d.value = make([]float64, d.Particles), make([]float64, d.Particles)
	}
	if err := d.scaled(d.value, d.theta, d.offset); err != nil {
		return err
	}
	for i, v := range d.value {
		d.log[i] = (1-gamma)*d.log[i] + gamma*v
	}
	w, err := weigh(d.log, 1)
	if err != nil {
		return err
	}
	return d.publish(ctx, d.theta, w)
}

func (d *descent) publish(ctx context.Context, theta *mat.Dense, w []float64) error {
	m, dim := theta.Dims()
	d.estimate = &KDE{rkhs.Measure{X: theta, W: w}, KernelBandwidth(d.Bandwidth, m, dim)}
	if d.Watch != nil {
		if err := d.Watch(d.visited, d.estimate); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// weigh returns exp(power v), normalised to sum to one.
func weigh(v []float64, power float64) ([]float64, error) {
	w := make([]float64, len(v))
	top := vec.Max(v)
	if top < -1e199 || math.IsNaN(top) {
		return nil, fmt.Errorf("inference: log weight of the best particle is %v: no particle has positive prior and likelihood", top)
	}
	vec.Offset(w, -top, v)
	vec.Scale(w, power, w)
	vec.Exp(w, w)
	vec.Scale(w, 1/vec.Sum(w), w)
	return w, nil
}
