package em

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/vec"
)

// A Model is a hidden Markov model of s states.
type Model struct {
	Start      []float64  // law of the first state, s numbers that sum to 1
	Transition *mat.Dense // s x s; row j is the law of the state after j
	Output     Output     // law of an observation in each state
}

// An Output is the law of an observation given the state.
type Output interface {
	// States returns the number of states, Dim the number of columns of an
	// observation.
	States() int
	Dim() int
	// Check says what is wrong with the parameters.
	Check() error
	// LogDensity sets dst[i*s+j] to the log density of row i of x in state j,
	// -Inf where it is 0. It fails when x holds what the output cannot emit.
	LogDensity(dst []float64, x *mat.Dense) error
	// Fit returns the output with the largest expected log density of the
	// sequences x under the weights: weight[q] is n x s, row i the probabilities
	// of the states at row i of x[q]. States whose lost flag is set keep their
	// parameters.
	Fit(x, weight []*mat.Dense, lost []bool) (Output, error)
	// Draw sets dst to an observation of a state.
	Draw(dst []float64, state int, rng *rand.Rand)
	// Parameters returns the number of free parameters.
	Parameters() int
}

// States returns the number of states.
func (m *Model) States() int { return len(m.Start) }

// Parameters returns the number of free parameters.
func (m *Model) Parameters() int {
	s := m.States()
	return s - 1 + s*(s-1) + m.Output.Parameters()
}

// Check says what is wrong with a model: sizes that differ, laws that do not sum
// to 1 within 1e-8, parameters of the output out of range.
func (m *Model) Check() error {
	s := len(m.Start)
	if s == 0 {
		return fmt.Errorf("em: start has no states")
	}
	if err := checkLaw("start", m.Start); err != nil {
		return err
	}
	if m.Transition == nil {
		return fmt.Errorf("em: transition is nil, must be %d x %d", s, s)
	}
	if r, c := m.Transition.Dims(); r != s || c != s {
		return fmt.Errorf("em: transition is %d x %d, must be %d x %d", r, c, s, s)
	}
	for j := range s {
		if err := checkLaw(fmt.Sprintf("row %d of transition", j), m.Transition.RawRowView(j)); err != nil {
			return err
		}
	}
	if m.Output == nil {
		return fmt.Errorf("em: output is nil")
	}
	if err := m.Output.Check(); err != nil {
		return err
	}
	if m.Output.States() != s {
		return fmt.Errorf("em: output has %d states, must have %d", m.Output.States(), s)
	}
	return nil
}

func checkLaw(name string, p []float64) error {
	sum := 0.0
	for j, v := range p {
		if !(v >= 0 && v <= 1+1e-8) {
			return fmt.Errorf("em: %s has %v at %d, must be a probability", name, v, j)
		}
		sum += v
	}
	if math.Abs(sum-1) > 1e-8 {
		return fmt.Errorf("em: %s sums to %v, must be 1", name, sum)
	}
	return nil
}

// checkSequence says what is wrong with observations.
func (m *Model) checkSequence(x *mat.Dense) error {
	if x == nil || x.IsEmpty() {
		return fmt.Errorf("em: sequence is empty")
	}
	n, d := x.Dims()
	if d != m.Output.Dim() {
		return fmt.Errorf("em: sequence has %d columns, must have %d", d, m.Output.Dim())
	}
	missing, ok := m.Output.(takesMissing)
	errs := make([]error, parallel.Count(n, rowBlock))
	parallel.Blocks(n, rowBlock, func(b, lo, hi int) {
		for i := lo; i < hi && errs[b] == nil; i++ {
			row := x.RawRowView(i)
			if ok && missing.isMissing(row) {
				continue
			}
			for _, v := range row {
				if v-v != 0 { // NaN or infinite
					errs[b] = m.notFinite(i, v)
					break
				}
			}
		}
	})
	return cmp.Or(errs...)
}

// notFinite is the error of a number that is none.
func (m *Model) notFinite(i int, v float64) error {
	if _, ok := m.Output.(takesMissing); ok {
		return fmt.Errorf("em: observation %d has %v, must be finite or NaN alone", i, v)
	}
	if math.IsNaN(v) {
		return fmt.Errorf("em: observation %d has NaN, must be finite; em.Missing takes observations that are missing", i)
	}
	return fmt.Errorf("em: observation %d has %v, must be finite", i, v)
}

// Sample draws n observations and the states that emitted them.
func (m *Model) Sample(n int, rng *rand.Rand) (x *mat.Dense, states []int, err error) {
	if err := m.Check(); err != nil {
		return nil, nil, err
	}
	if n < 1 {
		return nil, nil, fmt.Errorf("em: n is %d, must be at least 1", n)
	}
	if rng == nil {
		return nil, nil, fmt.Errorf("em: rng is nil, must be a source of random numbers")
	}
	x, states = mat.NewDense(n, m.Output.Dim(), nil), make([]int, n)
	law, output := m.Start, m.Output.Draw
	if g, ok := m.Output.(interface {
		drawer() func([]float64, int, *rand.Rand)
	}); ok {
		output = g.drawer()
	}
	for i := range n {
		states[i] = draw(law, rng)
		output(x.RawRowView(i), states[i], rng)
		law = m.Transition.RawRowView(states[i])
	}
	return x, states, nil
}

// draw returns an index with the probabilities of a law.
func draw(law []float64, rng *rand.Rand) int {
	u, last := rng.Float64(), 0
	for j, p := range law {
		if p > 0 {
			if last = j; u < p {
				return j
			}
			u -= p
		}
	}
	return last // rounding
}

// AIC returns Akaike's criterion 2k - 2 log L for a log-likelihood of the model.
func (m *Model) AIC(logLikelihood float64) float64 {
	return 2*float64(m.Parameters()) - 2*logLikelihood
}

// BIC returns Schwarz's criterion k log n - 2 log L for a log-likelihood of the
// model on n observations.
func (m *Model) BIC(logLikelihood float64, n int) float64 {
	return float64(m.Parameters())*vec.Log1(float64(n)) - 2*logLikelihood
}
