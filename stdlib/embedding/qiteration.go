package embedding

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/kernelmachine"
)

// QSettings of [QIteration]; fields that are zero have the values of [DefaultQSettings], and
// None is 0 for Discount, Epsilon and Explore.
type QSettings struct {
	Discount float64
	// Epsilon is the probability with which the policy draws its action uniformly; otherwise it
	// takes the best one.
	Epsilon float64
	// Explore is that probability for the actions a at which q is learnt. The text's policy
	// draws them too, Explore = Epsilon; what it rarely does is hardly learnt then.
	Explore float64
	// Steps is the number of steps of the solver, Batch that of samples in a step.
	Steps, Batch int
	// Solver are the settings of the solver.
	Solver *Settings
}

// DefaultQSettings returns the discount 0.9, epsilon 0.1, all actions explored alike and
// 20,000 steps of 20 samples with the default solver, which takes the mean of the second half.
func DefaultQSettings() *QSettings {
	solver := DefaultSettings()
	solver.AverageFrom = 10000
	return &QSettings{Discount: 0.9, Epsilon: 0.1, Explore: 1, Steps: 20000, Batch: 20, Solver: solver}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *QSettings) WithDefaults() *QSettings { return settings.Fill(s, DefaultQSettings()) }

// resolve returns the settings in effect, None as 0.
func (s *QSettings) resolve() *QSettings {
	out := s.WithDefaults()
	settings.Clear(&out.Discount, &out.Epsilon, &out.Explore)
	return out
}

func (s *QSettings) check() error {
	if !(s.Discount >= 0 && s.Discount < 1) {
		return fmt.Errorf("embedding: discount is %v, must be from 0 to below 1", s.Discount)
	}
	if !(s.Epsilon >= 0 && s.Epsilon <= 1) {
		return fmt.Errorf("embedding: epsilon is %v, must be from 0 to 1", s.Epsilon)
	}
	if !(s.Explore >= 0 && s.Explore <= 1) {
		return fmt.Errorf("embedding: explore is %v, must be from 0 to 1", s.Explore)
	}
	for _, c := range []struct {
		name string
		n    int
	}{{"number of steps", s.Steps}, {"batch", s.Batch}} {
		if c.n < 1 {
			return fmt.Errorf("embedding: %s is %d, must be at least 1", c.name, c.n)
		}
	}
	return s.Solver.resolve().check()
}

// A Simulator draws transitions of a decision process with finitely many actions, a batch at
// a time.
type Simulator interface {
	// Actions returns their number.
	Actions() int
	// States draws n states to learn at, n x d.
	States(n int, rng *rand.Rand) *mat.Dense
	// Next returns what follows on the rows of states under the actions: the next states, the
	// rewards, and where the process ended; nil for nowhere.
	Next(states *mat.Dense, actions []int, rng *rand.Rand) (next *mat.Dense, rewards []float64, end []bool)
}

// QIteration is policy iteration with action values learnt by dual embedding (Dai 2018,
// Algorithm 9 with the policy improved after every step): steps of a [Solver] move q, in place,
// towards the solution of
//
//	q(s, a) = R + discount E q(s', a'),  a' from the policy at s',
//
// where the policy is epsilon-greedy for q as it is, s is drawn by the simulator and a by the
// policy or explored. q and u are functions of rows (s, a) with the action as a number in the
// last column. [Greedy] acts by the mean of q. Besides the solver's steps, a step asks q at two
// states for each action and sample.
func QIteration(ctx context.Context, process Simulator, q, u Function, s *QSettings, rng *rand.Rand) error {
	if rng == nil {
		return fmt.Errorf("embedding: rng is nil, must be a source of random numbers")
	}
	s = s.resolve()
	if err := s.check(); err != nil {
		return err
	}
	actions := process.Actions()
	if actions < 1 {
		return fmt.Errorf("embedding: the process has %d actions, must have at least 1", actions)
	}
	solver, err := NewSolver(kernelmachine.Squared{}, q, u, s.Solver)
	if err != nil {
		return err
	}
	draw := func(states *mat.Dense, epsilon float64) ([]int, error) {
		out, err := greedy(ctx, q.Values, states, actions)
		for i := range out {
			if rng.Float64() < epsilon {
				out[i] = rng.IntN(actions)
			}
		}
		return out, err
	}
	return solver.Run(ctx, s.Steps, func(int) (*Batch, error) {
		states := process.States(s.Batch, rng)
		now, err := draw(states, s.Explore)
		if err != nil {
			return nil, err
		}
		next, rewards, end := process.Next(states, now, rng)
		after, err := draw(next, s.Epsilon)
		if err != nil {
			return nil, err
		}
		return Bellman(&Transitions{States: withActions(states, now), Next: withActions(next, after), End: end}, rewards, s.Discount)
	})
}

// Greedy returns the action from 0 to actions-1 with the largest mean value of q at each row
// of states, the first of equals. q is a function of rows (s, a).
func Greedy(ctx context.Context, q Function, states *mat.Dense, actions int) ([]int, error) {
	if actions < 1 {
		return nil, fmt.Errorf("embedding: there are %d actions, must be at least 1", actions)
	}
	if q == nil || states == nil {
		return nil, fmt.Errorf("embedding: the function or the states are nil")
	}
	return greedy(ctx, q.Mean, states, actions)
}

// greedy is Greedy for values.
func greedy(ctx context.Context, at func(context.Context, *mat.Dense) ([]float64, error), states *mat.Dense, actions int) ([]int, error) {
	n, d := states.Dims()
	all := mat.NewDense(n*actions, d+1, nil)
	for i := range n {
		for a := range actions {
			row := all.RawRowView(i*actions + a)
			row[copy(row, states.RawRowView(i))] = float64(a)
		}
	}
	values, err := at(ctx, all)
	if err != nil {
		return nil, err
	}
	best := make([]int, n)
	for i := range best {
		row := values[i*actions : (i+1)*actions]
		for a, v := range row {
			if v > row[best[i]] {
				best[i] = a
			}
		}
	}
	return best, nil
}

// withActions appends actions to states as a column.
func withActions(states *mat.Dense, actions []int) *mat.Dense {
	n, d := states.Dims()
	out := mat.NewDense(n, d+1, nil)
	for i := range n {
		row := out.RawRowView(i)
		row[copy(row, states.RawRowView(i))] = float64(actions[i])
	}
	return out
}
