package filtering

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/vec"
)

// PMMHSettings are the settings of [PMMH]. Fields that are zero have the values of
// [DefaultPMMHSettings].
type PMMHSettings struct {
	// Iterations is the length of the chain. Default 1000.
	Iterations int
	// Steps holds the standard deviations of the random walk's independent normal
	// steps, one for each parameter. There is no default.
	Steps []float64
	// Filter are the settings of the particle filter; its likelihood estimate
	// must be unbiased (MonteCarlo or SequentialQMC). About as many particles as
	// bring the standard deviation of its logarithm to one are best. Nil:
	// [DefaultSettings].
	Filter *Settings
	// Progress, if not nil, is called with how many iterations are done, and of how many. The Report method of a
	// display.Progress is such a function.
	Progress func(done, total int)
}

// DefaultPMMHSettings returns 1000 iterations with the given steps and the
// bootstrap filter.
func DefaultPMMHSettings(steps ...float64) *PMMHSettings {
	return &PMMHSettings{Iterations: 1000, Steps: steps}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *PMMHSettings) WithDefaults() *PMMHSettings { return settings.Fill(s, DefaultPMMHSettings()) }

// Chain is the output of [PMMH].
type Chain struct {
	// Parameters holds the chain, one iteration a row; LogPosterior the estimates
	// of the unnormalised log-posterior there.
	Parameters   *mat.Dense
	LogPosterior []float64
	// Accepted is the share of proposals that were accepted.
	Accepted float64
}

// PMMH samples the parameters of a state-space model given the observations Y by
// particle marginal Metropolis-Hastings (Andrieu, Doucet & Holenstein 2010): a
// random walk whose acceptance uses a particle filter's estimate of the
// likelihood. Because that is unbiased, the chain's stationary distribution is the
// exact posterior, with however few particles. model returns the model with given
// parameters (an error, or a log-prior of -Inf, rejects them); logPrior may leave
// out constants. One iteration costs one run of the filter.
func PMMH(ctx context.Context, model func(theta []float64) (System, error), logPrior func(theta []float64) float64,
	Y *mat.Dense, start []float64, settings *PMMHSettings, rng *rand.Rand) (*Chain, error) {
	settings = settings.WithDefaults()
	if len(settings.Steps) != len(start) || len(start) == 0 {
		return nil, fmt.Errorf("filtering: PMMH needs one step size for each of the %d parameters", len(start))
	}
	for j, s := range settings.Steps {
		if !(s >= 0) || math.IsInf(s, 1) {
			return nil, fmt.Errorf("filtering: step size %d is %v, must be finite and not negative", j, s)
		}
	}
	if settings.Iterations < 1 {
		return nil, fmt.Errorf("filtering: number of iterations is %d, must be at least 1", settings.Iterations)
	}
	filter := settings.Filter
	filter = filter.WithDefaults()
	if filter.Points != MonteCarlo && filter.Points != SequentialQMC {
		return nil, fmt.Errorf("filtering: points are %v, must give an unbiased likelihood: %v or %v", filter.Points, MonteCarlo, SequentialQMC)
	}
	var failed error // of the last model that could not be made
	posterior := func(theta []float64) (float64, error) {
		failed = nil
		prior := logPrior(theta)
		if math.IsInf(prior, -1) || math.IsNaN(prior) {
			return math.Inf(-1), nil
		}
		m, err := model(theta)
		if err != nil {
			failed = err
			return math.Inf(-1), nil
		}
		r, err := Run(ctx, m, Y, filter, rng)
		if err != nil {
			if _, degenerate := err.(*DegenerateError); degenerate {
				return math.Inf(-1), nil
			}
			return 0, err
		}
		return prior + r.LogLikelihood, nil
	}
	now := append([]float64(nil), start...)
	value, err := posterior(now)
	if err != nil {
		return nil, err
	}
	if failed != nil {
		return nil, fmt.Errorf("filtering: the model at the starting point %v: %w", start, failed)
	}
	if math.IsInf(value, -1) {
		return nil, fmt.Errorf("filtering: starting point %v has posterior density 0", start)
	}
	out := &Chain{Parameters: mat.NewDense(settings.Iterations, len(start), nil)}
	trial := make([]float64, len(start))
	accepted := 0
	for i := range settings.Iterations {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j := range trial {
			trial[j] = now[j] + settings.Steps[j]*rng.NormFloat64()
		}
		v, err := posterior(trial)
		if err != nil {
			return nil, err
		}
		if vec.Log1(rng.Float64()) < v-value {
			copy(now, trial)
			value = v
			accepted++
		}
		out.Parameters.SetRow(i, now)
		out.LogPosterior = append(out.LogPosterior, value)
		if settings.Progress != nil {
			settings.Progress(i+1, settings.Iterations)
		}
	}
	out.Accepted = float64(accepted) / float64(settings.Iterations)
	return out, nil
}
