package inference

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/rkhs"
)

// LangevinSettings are those of [Langevin]. Fields that are zero have the values of
// [DefaultLangevinSettings]; None is 0 for BurnIn.
type LangevinSettings struct {
	Batch   int
	Step    Schedule // e_t
	BurnIn  int      // steps that are thrown away; None keeps all
	Samples int      // kept of each chain
	Thin    int      // steps for each sample kept
	Chains  int      // that go side by side, each from a draw of the prior

	// Watch, if not nil, is called after every step with the observations visited so far by a chain and the chains'
	// states, which it must not change or keep. An error ends the run.
	Watch func(visited int, theta *mat.Dense) error
}

// DefaultLangevinSettings returns one chain with batches of 10, e_t = 0.02 (1 + t/10)^-0.55, and 5,000 samples after 1,000
// steps.
func DefaultLangevinSettings() *LangevinSettings {
	return &LangevinSettings{Batch: 10, Step: Power(0.02, 10, 0.55), BurnIn: 1000, Samples: 5000, Thin: 1, Chains: 1}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *LangevinSettings) WithDefaults() *LangevinSettings {
	return settings.Fill(s, DefaultLangevinSettings())
}

// resolve returns the settings in effect for n observations, None as 0.
func (s *LangevinSettings) resolve(n int) *LangevinSettings {
	defaults := DefaultLangevinSettings()
	out := fill(s, defaults, &defaults.Batch, n)
	settings.Clear(&out.BurnIn)
	return out
}

// Langevin samples by stochastic gradient Langevin dynamics (SGLD, Welling and Teh 2011),
//
//	theta <- theta + e_t/2 [grad log p(theta) + N/B sum_b grad log p(x_b | theta)] + N(0, e_t I),
//
// and returns the samples with equal weights, those of the first chain first. All chains see the same batches. Nil settings
// are the defaults. It has a gradient of a batch for each step and chain, and no correction for the noise of batches:
// the law is the posterior's in the limit of small steps only. An iterate that is not finite is an error.
func Langevin(ctx context.Context, m Differentiable, s *LangevinSettings, rng *rand.Rand) (rkhs.Measure, error) {
	if rng == nil {
		return rkhs.Measure{}, fmt.Errorf("inference: rng is nil, must be a source of random numbers")
	}
	s = s.resolve(observations(m))
	if err := s.check(m); err != nil {
		return rkhs.Measure{}, err
	}
	d := m.Dim()
	theta, prior, grad := mat.NewDense(s.Chains, d, nil), mat.NewDense(s.Chains, d, nil), mat.NewDense(s.Chains, d, nil)
	m.SamplePrior(theta, rng)
	batches := newBatcher(m.Len(), s.Batch, rng)
	out := mat.NewDense(s.Chains*s.Samples, d, nil)
	for t := 1; t <= s.BurnIn+s.Samples*s.Thin; t++ {
		if ctx.Err() != nil {
			return rkhs.Measure{}, ctx.Err()
		}
		e := s.Step(t)
		if err := checkPositive(fmt.Sprintf("step size at step %d", t), e); err != nil {
			return rkhs.Measure{}, err
		}
		m.LogPriorGradient(prior, theta)
		m.LogLikelihoodGradient(grad, theta, batches.next())
		scale, noise := batches.scale(), math.Sqrt(e)
		for c := range s.Chains {
			row, p, g := theta.RawRowView(c), prior.RawRowView(c), grad.RawRowView(c)
			for k := range row {
				row[k] += 0.5*e*(p[k]+scale*g[k]) + noise*rng.NormFloat64()
				if math.IsNaN(row[k]) || math.IsInf(row[k], 0) {
					return rkhs.Measure{}, fmt.Errorf("inference: step %d of size %v leads to %v: the step size is too large", t, e, row[k])
				}
			}
			if kept := t - s.BurnIn; kept > 0 && kept%s.Thin == 0 {
				out.SetRow(c*s.Samples+kept/s.Thin-1, row)
			}
		}
		if s.Watch != nil {
			if err := s.Watch(t*s.Batch, theta); err != nil {
				return rkhs.Measure{}, err
			}
		}
	}
	return rkhs.Measure{X: out}, nil
}

func (s *LangevinSettings) check(m Model) error {
	if err := validate(m, true); err != nil {
		return err
	}
	if err := checkBatch(s.Batch, m.Len()); err != nil {
		return err
	}
	if s.Step == nil {
		return fmt.Errorf("inference: Step is nil, must be given")
	}
	for _, c := range []struct {
		name     string
		v, least int
	}{{"BurnIn", s.BurnIn, 0}, {"Samples", s.Samples, 1}, {"Thin", s.Thin, 1}, {"Chains", s.Chains, 1}} {
		if err := checkAtLeast(c.name, c.v, c.least); err != nil {
			return err
		}
	}
	return nil
}
