package embedding

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// Transitions are N steps of a process: row i of Next followed on row i of States. What one
// wants to know of the process is a function of states with a linear equation in the law of
// the next one.
type Transitions struct {
	States, Next *mat.Dense // N x d
	End          []bool     // true where the process ended and f(next) counts as 0; nil for nowhere
	// Weights are ratios pi(a|s)/b(a|s) of the probability of the action under the policy that
	// is asked about and under the one that acted; nil for 1.
	Weights []float64
}

func (t *Transitions) check() (n int, err error) {
	if t == nil {
		return 0, fmt.Errorf("embedding: transitions are nil")
	}
	if t.States == nil || t.Next == nil {
		return 0, fmt.Errorf("embedding: transitions have no states or no next states")
	}
	n, d := t.States.Dims()
	if m, k := t.Next.Dims(); m != n || k != d {
		return 0, fmt.Errorf("embedding: next states are %d x %d, must be %d x %d as the states", m, k, n, d)
	}
	if t.End != nil && len(t.End) != n {
		return 0, fmt.Errorf("embedding: %d ends for %d transitions", len(t.End), n)
	}
	if t.Weights != nil && len(t.Weights) != n {
		return 0, fmt.Errorf("embedding: %d weights for %d transitions", len(t.Weights), n)
	}
	return n, nil
}

// weight is that of transition i.
func (t *Transitions) weight(i int) float64 {
	if t.Weights == nil {
		return 1
	}
	return t.Weights[i]
}

// Bellman returns the batch of policy evaluation for the loss Squared: f is the value of the
// policy that drew the transitions, and its residuals
//
//	w (R + discount f(next) - f(state)),
//
// with the rewards R of the N transitions, have the mean 0 given the state (Dai 2018,
// equations 5.3 and 5.18). u is a function of the state. States may hold the action too: f is
// then the value of actions, and Next holds the next action. Weights make it off-policy.
func Bellman(t *Transitions, rewards []float64, discount float64) (*Batch, error) {
	n, err := t.check()
	if err != nil {
		return nil, err
	}
	if len(rewards) != n {
		return nil, fmt.Errorf("embedding: %d rewards for %d transitions", len(rewards), n)
	}
	if !(discount >= 0 && discount <= 1) {
		return nil, fmt.Errorf("embedding: discount is %v, must be from 0 to 1", discount)
	}
	offset, here, there := slices.Clone(rewards), make([]float64, n), make([]float64, n)
	for i := range n {
		w := t.weight(i)
		offset[i] *= w
		here[i] = -w
		if t.End == nil || !t.End[i] {
			there[i] = w * discount
		}
	}
	return &Batch{N: n, Terms: []Term{{X: t.Next, Weights: there}, {X: t.States, Weights: here}}, Offset: offset, Dual: t.States}, nil
}

// Desirability returns the batch of linearly solvable control with a first exit, for the
// loss Squared: f is the desirability z = exp(-V) of states that are no exits, and its
// residuals z(state) - exp(-cost) z(next) have the mean 0 under the passive law (Dai 2018,
// equations 5.4 and 5.19). Where End is true, next is an exit, at which exitCost is paid, and
// z = exp(-exitCost) there; these known values are what keeps z from 0, which solves the
// equation too. The best law of the next state is passive(next) z(next), normalised.
func Desirability(t *Transitions, costs []float64, exitCost float64) (*Batch, error) {
	n, err := t.check()
	if err != nil {
		return nil, err
	}
	if len(costs) != n {
		return nil, fmt.Errorf("embedding: %d costs for %d transitions", len(costs), n)
	}
	if exitCost-exitCost != 0 {
		return nil, fmt.Errorf("embedding: cost of the exit is %v, must be finite", exitCost)
	}
	offset, here, there := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, c := range costs {
		w := t.weight(i)
		here[i] = w
		if t.End != nil && t.End[i] {
			offset[i] = -w * vec.Exp1(-c-exitCost)
		} else {
			there[i] = -w * vec.Exp1(-c)
		}
	}
	return &Batch{N: n, Terms: []Term{{X: t.Next, Weights: there}, {X: t.States, Weights: here}}, Offset: offset, Dual: t.States}, nil
}

// HittingTimes returns the batch for the mean number h(s, t) >= 1 of steps after which the
// process that starts in s first is in t, for the loss Squared: f is a function of the rows
// (s, t), targets holds a t for each of the N transitions, N x d, and the residuals
//
//	1 + 1[next != t] h(next, t) - h(s, t)
//
// have the mean 0 given s (Dai 2018, equations 5.6 and 5.20, with the mask in place of a
// renormalised law, whose equation has no solution). 1/h(s, s) is the stationary probability
// of s. No transition needs to hit its target.
func HittingTimes(t *Transitions, targets *mat.Dense) (*Batch, error) {
	if targets == nil {
		return nil, fmt.Errorf("embedding: targets are nil, must be a matrix")
	}
	n, err := t.check()
	if err != nil {
		return nil, err
	}
	_, d := t.States.Dims()
	if m, k := targets.Dims(); m != n || k != d {
		return nil, fmt.Errorf("embedding: targets are %d x %d, must be %d x %d as the states", m, k, n, d)
	}
	offset, here, there := make([]float64, n), make([]float64, n), make([]float64, n)
	now, next := mat.NewDense(n, 2*d, nil), mat.NewDense(n, 2*d, nil)
	for i := range n {
		target, w := targets.RawRowView(i), t.weight(i)
		copy(now.RawRowView(i)[copy(now.RawRowView(i), t.States.RawRowView(i)):], target)
		copy(next.RawRowView(i)[copy(next.RawRowView(i), t.Next.RawRowView(i)):], target)
		offset[i], here[i] = w, -w
		if !slices.Equal(t.Next.RawRowView(i), target) {
			there[i] = w
		}
	}
	return &Batch{N: n, Terms: []Term{{X: next, Weights: there}, {X: now, Weights: here}}, Offset: offset, Dual: now}, nil
}
