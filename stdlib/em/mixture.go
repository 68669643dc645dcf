package em

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// A Mixture is a law of independent observations: component j with probability
// Weights[j], and then the output's law in state j.
type Mixture struct {
	Weights []float64
	Output  Output
}

// Check says what is wrong with a mixture, as Model.Check does.
func (m *Mixture) Check() error {
	if err := checkLaw("weights", m.Weights); err != nil {
		return err
	}
	if m.Output == nil {
		return fmt.Errorf("em: output is nil")
	}
	if err := m.Output.Check(); err != nil {
		return err
	}
	if m.Output.States() != len(m.Weights) {
		return fmt.Errorf("em: output has %d states, must have %d", m.Output.States(), len(m.Weights))
	}
	return nil
}

// Parameters returns the number of free parameters.
func (m *Mixture) Parameters() int { return len(m.Weights) - 1 + m.Output.Parameters() }

// AIC returns Akaike's criterion 2k - 2 log L for a log-likelihood of the mixture.
func (m *Mixture) AIC(logLikelihood float64) float64 {
	return 2*float64(m.Parameters()) - 2*logLikelihood
}

// BIC returns Schwarz's criterion k log n - 2 log L for a log-likelihood of n
// observations.
func (m *Mixture) BIC(logLikelihood float64, n int) float64 {
	return float64(m.Parameters())*vec.Log1(float64(n)) - 2*logLikelihood
}

// Sample draws n observations and their components.
func (m *Mixture) Sample(n int, rng *rand.Rand) (x *mat.Dense, components []int, err error) {
	model, err := m.model()
	if err != nil {
		return nil, nil, err
	}
	return model.Sample(n, rng)
}

// model returns the mixture as a chain without memory.
func (m *Mixture) model() (*Model, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	s := len(m.Weights)
	model := &Model{Start: m.Weights, Transition: mat.NewDense(s, s, nil), Output: m.Output}
	for j := range s {
		model.Transition.SetRow(j, m.Weights)
	}
	return model, nil
}

// Posterior returns the probabilities of the components given each observation, n
// x s, and the log-likelihood. O(n s d), O(n s d^2) with covariance matrices.
func (m *Mixture) Posterior(x *mat.Dense) (*mat.Dense, float64, error) {
	model, err := m.model()
	if err != nil {
		return nil, 0, err
	}
	if err := model.checkSequence(x); err != nil {
		return nil, 0, err
	}
	return m.posterior(model, &workspace{}, x)
}

func (m *Mixture) posterior(model *Model, ws *workspace, x *mat.Dense) (*mat.Dense, float64, error) {
	n, _ := x.Dims()
	s := len(m.Weights)
	shift, err := model.densities(ws, x)
	if err != nil {
		return nil, 0, err
	}
	out, sums := mat.NewDense(n, s, nil), make([]float64, n)
	for i := range n {
		row, b, sum := out.RawRowView(i), ws.b[i*s:i*s+s], 0.0
		for j, w := range m.Weights {
			row[j] = w * b[j]
			sum += row[j]
		}
		if sum < least { // the components with weight fit far worse than others
			more, ok := rescale(b, ws.logB[i*s:i*s+s], m.Weights)
			if !ok {
				return nil, 0, fmt.Errorf("em: observation %d has probability 0", i)
			}
			shift, sum = shift+more, 0
			for j, w := range m.Weights {
				row[j] = w * b[j]
				sum += row[j]
			}
		}
		for j := range row {
			row[j] /= sum
		}
		sums[i] = sum
	}
	vec.Log(sums, sums)
	return out, shift + vec.Sum(sums), nil
}

// A MixtureFit is what FitMixture found; the fields are those of Fit.
type MixtureFit struct {
	Mixture       *Mixture
	LogLikelihood []float64
	Objective     []float64
	Converged     bool
	Observations  int
	Lost          []Lost
}

// FitMixture fits a mixture to the rows of x by expectation maximisation from a
// start (Dempster, Laird & Rubin 1977). The objective does not fall. StartPseudo
// and KeepStart of the settings are for the weights; those for transitions are not
// used. O(n s d) an iteration, O(n s d^2) with covariance matrices. Errors are
// those of BaumWelch.
func FitMixture(ctx context.Context, start Mixture, x *mat.Dense, settings *Settings) (*MixtureFit, error) {
	settings = settings.resolve()
	if err := settings.check(); err != nil {
		return nil, err
	}
	model, err := start.model()
	if err != nil {
		return nil, err
	}
	if err := model.checkSequence(x); err != nil {
		return nil, err
	}
	if !settings.KeepOutput {
		if err := checkStart(start.Output); err != nil {
			return nil, err
		}
	}
	n, d := x.Dims()
	numbers := n * d
	fit, ws := &MixtureFit{Mixture: &start, Observations: observed(start.Output, x)}, &workspace{}
	prior := *settings
	prior.TransitionPseudo = 0
	for t := 0; ; t++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		model.Start, model.Output = fit.Mixture.Weights, fit.Mixture.Output
		post, logLik, err := fit.Mixture.posterior(model, ws, x)
		if err != nil {
			return nil, err
		}
		fit.LogLikelihood = append(fit.LogLikelihood, logLik)
		fit.Objective = append(fit.Objective, logLik+prior.logPrior(model))
		if settings.Progress != nil {
			settings.Progress(t, settings.Iterations)
		}
		if fit.Converged, err = gain(fit.Objective, numbers, settings.Tolerance); err != nil {
			return nil, err
		}
		if fit.Converged || t == settings.Iterations {
			return fit, nil
		}
		if err := fit.step(post, x, settings, t); err != nil {
			return nil, fmt.Errorf("%w (iteration %d)", err, t+1)
		}
	}
}

// step does the M-step.
func (fit *MixtureFit) step(post, x *mat.Dense, settings *Settings, t int) error {
	old := fit.Mixture
	s := len(old.Weights)
	total, lost := make([]float64, s), make([]bool, s)
	addRows(total, post)
	for j, v := range total {
		if v <= settings.MinVisits {
			lost[j] = true
			fit.Lost = append(fit.Lost, Lost{t + 1, j})
		}
	}
	next := &Mixture{Weights: old.Weights, Output: old.Output}
	if !settings.KeepStart {
		next.Weights = make([]float64, s)
		vec.Offset(next.Weights, settings.StartPseudo, total)
		normalise(next.Weights)
	}
	if !settings.KeepOutput {
		var err error
		if next.Output, err = old.Output.Fit([]*mat.Dense{x}, []*mat.Dense{post}, lost); err != nil {
			return err
		}
	}
	fit.Mixture = next
	return nil
}

// BestMixture fits from several starts and returns the fit with the largest last
// objective, as BestOf does.
func BestMixture(ctx context.Context, starts []*Mixture, x *mat.Dense, settings *Settings) (*MixtureFit, error) {
	return best(ctx, len(starts), func(i int) (*MixtureFit, float64, error) {
		fit, err := FitMixture(ctx, *starts[i], x, settings)
		if err != nil {
			return nil, 0, err
		}
		return fit, fit.Objective[len(fit.Objective)-1], nil
	})
}

// StartMixture returns a Gaussian mixture to start FitMixture from, by the
// clusters of StartGaussian: their means, shares (with one added to each count) and
// the variance within them. Errors are those of StartGaussian.
func StartMixture(x *mat.Dense, components int, kind Kind, rng *rand.Rand) (*Mixture, error) {
	c, err := newClusters([]*mat.Dense{x}, components, kind, rng)
	if err != nil {
		return nil, err
	}
	m := &Mixture{Weights: make([]float64, components), Output: c.gaussian(kind)}
	vec.Fill(m.Weights, 1)
	for _, j := range c.label {
		m.Weights[j]++
	}
	normalise(m.Weights)
	return m, nil
}
