package em

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/vec"
)

// None stands for 0 in settings whose zero value means another default: with a Tolerance of None all
// Iterations run, and a Window of None is one observation.
const None = settings.None

// Settings are the settings of [BaumWelch] and [FitMixture]. Zero fields have the values of [DefaultSettings]; None stands for 0
// in Iterations, Tolerance and MinVisits.
type Settings struct {
	// Iterations is the maximum number of iterations. Default 100; with None only the start is evaluated.
	Iterations int
	// Tolerance is the gain of the objective below which fitting stops. Default 1e-4; with None all iterations run.
	Tolerance float64
	// MinVisits is the expected number of visits below which a state is lost and keeps its parameters. Default 1e-6; with
	// None only a state without any visits is lost.
	MinVisits float64
	// StartPseudo and TransitionPseudo are added to every expected count: the parameters of Dirichlet priors, minus one. The
	// objective is then the log-posterior, up to a constant. Default 0.
	StartPseudo, TransitionPseudo float64
	// KeepStart, KeepTransition and KeepOutput leave these parameters unchanged.
	KeepStart, KeepTransition, KeepOutput bool
	// Progress, if not nil, is called with the number of iterations done and their maximum. The Report method of a
	// display.Progress fits.
	Progress func(done, total int)
}

// DefaultSettings returns the settings that nil stands for.
func DefaultSettings() *Settings {
	return &Settings{Iterations: 100, Tolerance: 1e-4, MinVisits: 1e-6}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *Settings) WithDefaults() *Settings { return settings.Fill(s, DefaultSettings()) }

// resolve returns the settings in effect, None as 0.
func (s *Settings) resolve() *Settings {
	out := s.WithDefaults()
	settings.Clear(&out.Tolerance, &out.MinVisits)
	settings.Clear(&out.Iterations)
	return out
}

// A Lost is a state that no observation was attributed to.
type Lost struct {
	Iteration, State int
}

// A Fit is what Baum-Welch found.
type Fit struct {
	Model *Model
	// LogLikelihood[t] is that of the model after t iterations, the start first.
	LogLikelihood []float64
	// Objective is LogLikelihood plus the log priors; it does not fall, or the fit
	// ends with a [Fall].
	Objective []float64
	// Converged says that the last iteration gained less than Tolerance, and no less
	// than rounding explains.
	Converged bool
	// Observations is their number in all sequences, without those missing.
	Observations int
	// Lost says which states kept their parameters, and when.
	Lost []Lost
}

// BaumWelch fits a model to a sequence by expectation maximisation from a start.
// O(n s^2 + n d s) an iteration, n d^2 s with covariance matrices. Errors: those
// of Smooth, settings out of range, a start below the floor of its output, a state
// whose variance shrinks to 0 where there is no floor, a [Fall], a cancelled context.
func BaumWelch(ctx context.Context, start Model, x *mat.Dense, settings *Settings) (*Fit, error) {
	return BaumWelchAll(ctx, start, []*mat.Dense{x}, settings)
}

// BaumWelchAll fits a model to several independent sequences.
func BaumWelchAll(ctx context.Context, start Model, x []*mat.Dense, settings *Settings) (*Fit, error) {
	settings = settings.resolve()
	if err := settings.check(); err != nil {
		return nil, err
	}
	if err := start.Check(); err != nil {
		return nil, err
	}
	if len(x) == 0 {
		return nil, fmt.Errorf("em: there are no sequences")
	}
	numbers, observations := 0, 0
	for q, seq := range x {
		if err := start.checkSequence(seq); err != nil {
			return nil, inSequence(err, q, len(x))
		}
		n, d := seq.Dims()
		numbers, observations = numbers+n*d, observations+observed(start.Output, seq)
	}
	if !settings.KeepOutput {
		if err := checkStart(start.Output); err != nil {
			return nil, err
		}
	}
	fit, ws := &Fit{Model: &start, Observations: observations}, &workspace{}
	for t := 0; ; t++ {
		e, err := expect(ctx, ws, fit.Model, x)
		if err != nil {
			return nil, err
		}
		fit.LogLikelihood = append(fit.LogLikelihood, e.logLik)
		fit.Objective = append(fit.Objective, e.logLik+settings.logPrior(fit.Model))
		if settings.Progress != nil {
			settings.Progress(t, settings.Iterations)
		}
		if fit.Converged, err = gain(fit.Objective, numbers, settings.Tolerance); err != nil {
			return nil, err
		}
		if fit.Converged || t == settings.Iterations {
			return fit, nil
		}
		next, lost, err := maximise(fit.Model, e, x, settings)
		if err != nil {
			return nil, fmt.Errorf("%w (iteration %d)", err, t+1)
		}
		for j, l := range lost {
			if l {
				fit.Lost = append(fit.Lost, Lost{t + 1, j})
			}
		}
		fit.Model = next
	}
}

func (s *Settings) check() error {
	switch {
	case s.Iterations < 0:
		return fmt.Errorf("em: iterations is %d, must be at least 0", s.Iterations)
	case math.IsNaN(s.Tolerance):
		return fmt.Errorf("em: tolerance is NaN")
	case !(s.MinVisits >= 0):
		return fmt.Errorf("em: min visits is %v, must be at least 0", s.MinVisits)
	case !(s.StartPseudo >= 0) || !(s.TransitionPseudo >= 0):
		return fmt.Errorf("em: pseudo-counts are %v and %v, must be at least 0", s.StartPseudo, s.TransitionPseudo)
	}
	return nil
}

func inSequence(err error, q, of int) error {
	if of == 1 {
		return err
	}
	return fmt.Errorf("%w (sequence %d)", err, q)
}

// logPrior returns the log of the priors, but for a constant. Known parameters have
// none; that of the output is its own.
func (s *Settings) logPrior(m *Model) float64 {
	sum := 0.0
	add := func(pseudo float64, p []float64) {
		for _, v := range p {
			sum += pseudo * vec.Log1(v)
		}
	}
	if s.StartPseudo > 0 && !s.KeepStart {
		add(s.StartPseudo, m.Start)
	}
	if s.TransitionPseudo > 0 && !s.KeepTransition {
		for j := range m.Start {
			add(s.TransitionPseudo, m.Transition.RawRowView(j))
		}
	}
	if o, ok := m.Output.(interface{ logPrior() float64 }); ok && !s.KeepOutput {
		sum += o.logPrior()
	}
	return sum
}

// expectation holds what the M-step needs.
type expectation struct {
	state  []*mat.Dense // of each sequence
	pairs  *mat.Dense
	first  []float64 // sum over sequences of the first step's posterior
	total  []float64 // sum over all steps
	logLik float64
}

func expect(ctx context.Context, ws *workspace, m *Model, x []*mat.Dense) (*expectation, error) {
	s := m.States()
	e := &expectation{pairs: mat.NewDense(s, s, nil), first: make([]float64, s), total: make([]float64, s)}
	for q, seq := range x {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, err := m.smooth(ws, seq, true)
		if err != nil {
			return nil, inSequence(err, q, len(x))
		}
		e.state = append(e.state, p.State)
		e.pairs.Add(e.pairs, p.Pairs)
		vec.Add(e.first, e.first, p.State.RawRowView(0))
		addRows(e.total, p.State)
		e.logLik += p.LogLikelihood
	}
	return e, nil
}

// addRows adds the rows of a matrix to sum, one after another: a loop, as rows are
// too short for vec.
func addRows(sum []float64, m *mat.Dense) {
	raw := m.RawMatrix()
	for i := range raw.Rows {
		for j, v := range raw.Data[i*raw.Stride : i*raw.Stride+len(sum)] {
			sum[j] += v
		}
	}
}

// maximise does the M-step. A row of the transition whose state is never left
// keeps its law, as a state without visits keeps all its parameters.
func maximise(m *Model, e *expectation, x []*mat.Dense, set *Settings) (*Model, []bool, error) {
	s := m.States()
	next := &Model{Start: m.Start, Transition: m.Transition, Output: m.Output}
	lost := make([]bool, s)
	for j, v := range e.total {
		lost[j] = v <= set.MinVisits
	}
	if !set.KeepStart {
		next.Start = make([]float64, s)
		vec.Offset(next.Start, set.StartPseudo, e.first)
		normalise(next.Start)
	}
	if !set.KeepTransition {
		next.Transition = mat.NewDense(s, s, nil)
		for j := range s {
			row := next.Transition.RawRowView(j)
			vec.Offset(row, set.TransitionPseudo, e.pairs.RawRowView(j))
			if lost[j] || vec.Sum(row) <= set.MinVisits {
				copy(row, m.Transition.RawRowView(j))
				continue
			}
			normalise(row)
		}
	}
	if set.KeepOutput {
		return next, lost, nil
	}
	var err error
	next.Output, err = m.Output.Fit(x, e.state, lost)
	return next, lost, err
}
