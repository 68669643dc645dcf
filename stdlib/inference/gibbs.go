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

// Gibbs samples the posterior by Gibbs sampling over theta_1, theta_2 and the observations' components, from a draw of the
// prior: samples sweeps after burnIn of them. It returns samples of equal weight, samples x 2, in their order. A sweep
// visits all N observations.
func (m *TiedMixture) Gibbs(ctx context.Context, burnIn, samples int, rng *rand.Rand) (rkhs.Measure, error) {
	if rng == nil {
		return rkhs.Measure{}, fmt.Errorf("inference: rng is nil, must be a source of random numbers")
	}
	return gibbs(ctx, m, burnIn, samples, rng, func(theta []float64) error {
		m.sweep(theta, rng)
		return nil
	})
}

// gibbs runs sweeps, which change theta, from a draw of the prior and returns the states after each but the first burnIn.
func gibbs(ctx context.Context, m Model, burnIn, samples int, rng *rand.Rand, sweep func(theta []float64) error) (rkhs.Measure, error) {
	if err := m.Validate(); err != nil {
		return rkhs.Measure{}, err
	}
	if err := checkAtLeast("burn-in", burnIn, 0); err != nil {
		return rkhs.Measure{}, err
	}
	if err := checkAtLeast("number of samples", samples, 1); err != nil {
		return rkhs.Measure{}, err
	}
	out, theta := mat.NewDense(samples, m.Dim(), nil), mat.NewDense(1, m.Dim(), nil)
	m.SamplePrior(theta, rng)
	for t := -burnIn; t < samples; t++ {
		if ctx.Err() != nil {
			return rkhs.Measure{}, ctx.Err()
		}
		if err := sweep(theta.RawRowView(0)); err != nil {
			return rkhs.Measure{}, err
		}
		if t >= 0 {
			out.SetRow(t, theta.RawRowView(0))
		}
	}
	return rkhs.Measure{X: out}, nil
}

// sweep draws the components, then theta_1, then theta_2, given the others.
func (m *TiedMixture) sweep(t []float64, rng *rand.Rand) {
	inverse := 1 / (m.Sigma * m.Sigma)
	c0, c1 := m.logOdds().at(t[0], t[1])
	p := make([]float64, len(m.X))
	for i, x := range m.X {
		p[i] = c0 + c1*x
	}
	vec.Logistic(p, p)
	var total, second, count float64 // of x, of x in the second component, and how many these are
	for i, x := range m.X {
		total += x
		if rng.Float64() < p[i] {
			second += x
			count++
		}
	}
	draw := func(precision, linear float64) float64 {
		return linear/precision + rng.NormFloat64()/math.Sqrt(precision)
	}
	t[0] = draw(1/(m.Scale1*m.Scale1)+float64(len(m.X))*inverse, inverse*(total-count*t[1]))
	t[1] = draw(1/(m.Scale2*m.Scale2)+count*inverse, inverse*(second-count*t[0]))
}

// VariationalSettings are those of the stochastic variational methods. Fields that are
// zero have the values of [DefaultVariationalSettings].
type VariationalSettings struct {
	Batch int
	Steps int
	Step  Schedule // rho_t, in (0, 1]; larger values are taken as 1

	// Watch, if not nil, is called after every step with the observations visited so far and the approximation, which it may
	// keep. An error ends the run.
	Watch func(visited int, q *rkhs.Mixture) error
}

// DefaultVariationalSettings returns 1,000 steps with batches of 100 and rho_t = (1 + t/10)^-0.7.
func DefaultVariationalSettings() *VariationalSettings {
	return &VariationalSettings{Batch: 100, Steps: 1000, Step: Power(1, 10, 0.7)}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *VariationalSettings) WithDefaults() *VariationalSettings {
	return settings.Fill(s, DefaultVariationalSettings())
}

func (s *VariationalSettings) check(m Model) error {
	if err := m.Validate(); err != nil {
		return err
	}
	if err := checkAtLeast("Steps", s.Steps, 1); err != nil {
		return err
	}
	if s.Step == nil {
		return fmt.Errorf("inference: Step is nil, must be given")
	}
	return checkBatch(s.Batch, m.Len())
}

// steps runs natural-gradient steps: step gets the batch, N/B and rho_t, and returns the approximation.
func (s *VariationalSettings) steps(ctx context.Context, m Model, rng *rand.Rand, step func(batch []int, scale, rho float64) (*rkhs.Mixture, error)) (*rkhs.Mixture, error) {
	batches := newBatcher(m.Len(), s.Batch, rng)
	var q *rkhs.Mixture
	for t := 1; t <= s.Steps; t++ {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		rho, err := s.Step.mirror(t)
		if err != nil {
			return nil, err
		}
		if q, err = step(batches.next(), batches.scale(), rho); err != nil {
			return nil, err
		}
		if s.Watch != nil {
			if err := s.Watch(t*s.Batch, q); err != nil {
				return nil, err
			}
		}
	}
	return q, nil
}

// Variational is stochastic variational inference (Hoffman, Blei, Wang and Paisley 2013) with independent normal theta_1 and
// theta_2 and independent components, from a draw of the prior: a single normal distribution, which finds one mode.
// Nil settings are the defaults. Cost B a step.
func (m *TiedMixture) Variational(ctx context.Context, s *VariationalSettings, rng *rand.Rand) (*rkhs.Mixture, error) {
	if rng == nil {
		return nil, fmt.Errorf("inference: rng is nil, must be a source of random numbers")
	}
	defaults := DefaultVariationalSettings()
	s = fill(s, defaults, &defaults.Batch, m.Len())
	if err := s.check(m); err != nil {
		return nil, err
	}
	inverse := 1 / (m.Sigma * m.Sigma)
	odds := m.logOdds()
	prior := [2]float64{1 / (m.Scale1 * m.Scale1), 1 / (m.Scale2 * m.Scale2)}
	first := mat.NewDense(1, 2, nil)
	m.SamplePrior(first, rng)
	mean := first.RawRowView(0)
	precision := prior
	linear := [2]float64{prior[0] * mean[0], prior[1] * mean[1]}
	r := make([]float64, s.Batch)
	return s.steps(ctx, m, rng, func(batch []int, scale, rho float64) (*rkhs.Mixture, error) {
		c0, c1 := odds.at(mean[0], mean[1])
		c0 -= 0.5 * inverse / precision[1]
		for j, b := range batch {
			r[j] = c0 + c1*m.X[b]
		}
		vec.Logistic(r, r)
		var count, l1, l2 float64
		for j, b := range batch {
			count += r[j]
			l1 += m.X[b] - r[j]*mean[1]
			l2 += r[j] * (m.X[b] - mean[0])
		}
		target := [2]float64{prior[0] + float64(len(m.X))*inverse, prior[1] + scale*inverse*count}
		for k, l := range [2]float64{l1, l2} {
			precision[k] = (1-rho)*precision[k] + rho*target[k]
			linear[k] = (1-rho)*linear[k] + rho*scale*inverse*l
			mean[k] = linear[k] / precision[k]
		}
		cov := mat.NewSymDense(2, []float64{1 / precision[0], 0, 0, 1 / precision[1]})
		return rkhs.NewNormal(mean, cov)
	})
}
