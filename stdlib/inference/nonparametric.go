package inference

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/nn"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// NonparametricSettings are those of [NonparametricVariational]. Fields that are zero
// have the values of [DefaultNonparametricSettings].
type NonparametricSettings struct {
	Components int
	Batch      int
	Steps      int
	Step       Schedule // the rate of Adam, in the unit of theta
	Deviation  float64  // s_j at the start

	// Watch, if not nil, is called after every step with the observations visited so far and the approximation, which it may
	// keep. An error ends the run.
	Watch func(visited int, q *rkhs.Mixture) error
}

// DefaultNonparametricSettings returns 100 components that start with a deviation of 0.3, and 1,000 steps with batches of 100
// and rates 0.1 (1 + t/100)^-0.6.
func DefaultNonparametricSettings() *NonparametricSettings {
	return &NonparametricSettings{Components: 100, Batch: 100, Steps: 1000, Step: Power(0.1, 100, 0.6), Deviation: 0.3}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *NonparametricSettings) WithDefaults() *NonparametricSettings {
	return settings.Fill(s, DefaultNonparametricSettings())
}

// NonparametricVariational fits a mixture of m equal isotropic normal distributions N(mu_j, s_j^2 I), with means that start at
// draws of the prior, by stochastic gradients (Gershman, Hoffman and Blei 2012): it maximises
//
//	1/m sum_j [f(mu_j) + s_j^2/2 tr Hessian f(mu_j)] - 1/m sum_j log 1/m sum_k N(mu_j; mu_k, (s_j^2 + s_k^2) I),
//
// f the log posterior with the batch's likelihood times N/B: in the means without the second term, as they do, and in log s_j
// with it. Adam scales the gradients; the trace comes from central differences of the gradient. Nil settings are the
// defaults. A step costs 2d+1 gradients at m parameters, m^2 exponentials and m^2 d operations.
func NonparametricVariational(ctx context.Context, m Differentiable, s *NonparametricSettings, rng *rand.Rand) (*rkhs.Mixture, error) {
	if rng == nil {
		return nil, fmt.Errorf("inference: rng is nil, must be a source of random numbers")
	}
	defaults := DefaultNonparametricSettings()
	s = fill(s, defaults, &defaults.Batch, observations(m))
	if err := s.check(m); err != nil {
		return nil, err
	}
	p := newComponents(m, s.Components, s.Deviation, rng)
	batches := newBatcher(m.Len(), s.Batch, rng)
	means, scales := nn.NewAdam(0), nn.NewAdam(0)
	weights := make([]float64, s.Components)
	vec.Fill(weights, 1/float64(s.Components))
	var q *rkhs.Mixture
	for t := 1; t <= s.Steps; t++ {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		rate := s.Step(t)
		if err := checkPositive(fmt.Sprintf("step size at step %d", t), rate); err != nil {
			return nil, err
		}
		gradMean, gradScale := p.gradient(m, batches.next(), batches.scale())
		vec.Scale(gradMean.RawMatrix().Data, -1, gradMean.RawMatrix().Data)
		vec.Scale(gradScale, -1, gradScale)
		means.Rate, scales.Rate = rate, rate
		means.Step(p.mean.RawMatrix().Data, gradMean.RawMatrix().Data)
		scales.Step(p.logScale, gradScale)
		if s.Watch == nil && t < s.Steps {
			continue
		}
		var err error
		if q, err = rkhs.NewIsotropicMixture(weights, mat.DenseCopyOf(p.mean), p.variances()); err != nil {
			return nil, fmt.Errorf("inference: step %d with a step size of %v: %w", t, rate, err)
		}
		if s.Watch != nil {
			if err := s.Watch(t*s.Batch, q); err != nil {
				return nil, err
			}
		}
	}
	return q, nil
}

func (s *NonparametricSettings) check(m Model) error {
	if err := validate(m, true); err != nil {
		return err
	}
	if err := checkAtLeast("Components", s.Components, 1); err != nil {
		return err
	}
	if err := checkAtLeast("Steps", s.Steps, 1); err != nil {
		return err
	}
	if s.Step == nil {
		return fmt.Errorf("inference: Step is nil, must be given")
	}
	if err := checkPositive("Deviation", s.Deviation); err != nil {
		return err
	}
	return checkBatch(s.Batch, m.Len())
}

// components are the parameters of the mixture.
type components struct {
	mean     *mat.Dense
	logScale []float64 // log s_j
}

func newComponents(m Model, count int, deviation float64, rng *rand.Rand) *components {
	p := &components{mat.NewDense(count, m.Dim(), nil), make([]float64, count)}
	m.SamplePrior(p.mean, rng)
	vec.Fill(p.logScale, vec.Log1(deviation))
	return p
}

func (p *components) variances() []float64 {
	v := make([]float64, len(p.logScale))
	vec.Scale(v, 2, p.logScale)
	vec.Exp(v, v)
	return v
}

// gradient returns m times the gradient of the objective in the means, without the trace, and in log s_j.
func (p *components) gradient(m Differentiable, batch []int, scale float64) (*mat.Dense, []float64) {
	n, d := p.mean.Dims()
	grad := posteriorGradient(m, p.mean, batch, scale)
	v := p.variances()
	trace := make([]float64, n)
	shifted := mat.NewDense(n, d, nil)
	for k := range d {
		for _, sign := range []float64{1, -1} {
			shifted.Copy(p.mean)
			for j := range n {
				shifted.Set(j, k, shifted.At(j, k)+sign*1e-4)
			}
			g := posteriorGradient(m, shifted, batch, scale)
			for j := range n {
				trace[j] += sign * g.At(j, k) / 2e-4
			}
		}
	}
	pull, spread := p.entropyGradient(v)
	grad.Add(grad, pull)
	for j := range trace {
		// d/d log s = 2 s^2 d/d s^2
		trace[j] = 2 * v[j] * (0.5*trace[j] + spread[j])
	}
	return grad, trace
}

func posteriorGradient(m Differentiable, theta *mat.Dense, batch []int, scale float64) *mat.Dense {
	n, d := theta.Dims()
	prior, grad := mat.NewDense(n, d, nil), mat.NewDense(n, d, nil)
	m.LogPriorGradient(prior, theta)
	m.LogLikelihoodGradient(grad, theta, batch)
	vec.Axpy(prior.RawMatrix().Data, scale, grad.RawMatrix().Data)
	return prior
}

// entropyGradient returns m times the gradient of the entropy's bound -1/m sum_j log q_j in mu_j and in s_j^2: with N_jk the
// density of component k at mu_j for the variance v = s_j^2 + s_k^2, r the distance of the means, q_j the mean of N_jk over
// k, they are 1/m sum_k N_jk (1/q_j + 1/q_k) (mu_j - mu_k)/v and -1/m sum_k N_jk (1/q_j + 1/q_k) (r^2/v - d)/(2v).
func (p *components) entropyGradient(s2 []float64) (*mat.Dense, []float64) {
	n, d := p.mean.Dims()
	log := mat.NewDense(n, n, nil) // log N_jk
	logQ := make([]float64, n)
	parallel.Blocks(n, 16, func(_, lo, hi int) {
		v := make([]float64, n)
		for j := lo; j < hi; j++ {
			row := log.RawRowView(j)
			vec.Offset(v, s2[j], s2)
			vec.Log(row, v)
			for k := range n {
				r2 := vec.SquaredDistance(p.mean.RawRowView(j), p.mean.RawRowView(k))
				row[k] = -0.5 * (r2/v[k] + float64(d)*row[k])
			}
			logQ[j] = vec.LogSumExp(row)
		}
	})
	pull, spread := mat.NewDense(n, d, nil), make([]float64, n)
	parallel.Blocks(n, 16, func(_, lo, hi int) {
		a, b := make([]float64, n), make([]float64, n)
		for j := lo; j < hi; j++ {
			row, out := log.RawRowView(j), pull.RawRowView(j)
			vec.Offset(a, -logQ[j], row)
			vec.Exp(a, a)
			vec.Sub(b, row, logQ)
			vec.Exp(b, b)
			vec.Add(a, a, b)
			for k, w := range a {
				v := s2[j] + s2[k]
				r2 := 0.0
				for i := range out {
					u := p.mean.At(j, i) - p.mean.At(k, i)
					r2 += u * u
					out[i] += w * u / v
				}
				spread[j] -= w * (r2/v - float64(d)) / (2 * v)
			}
		}
	})
	return pull, spread
}
