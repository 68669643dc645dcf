package rl

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/internal/scale"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"
)

// A baseline is the linear control variate of Duan et al. 2016: the value as a linear
// function of inputs, their squares and a cubic of time, by ridge regression. Its
// fields are its whole state.
type baseline struct {
	Weights []float64
}

// baselineUnit is the number of steps that count as 1 in the cubic.
const baselineUnit = 100

// features sets dst to the features of an input at a step, and returns it.
func (b *baseline) features(dst, input []float64, step int) []float64 {
	dst = append(dst[:0], input...)
	for _, x := range input {
		dst = append(dst, x*x)
	}
	t := float64(step) / baselineUnit
	return append(dst, t, t*t, t*t*t, 1)
}

// values returns the values along an episode, one more than steps; all 0 before the
// first fit, and 0 at a terminal state.
func (b *baseline) values(e *Episode) []float64 {
	out := make([]float64, e.Len()+1)
	if b.Weights == nil {
		return out
	}
	var row []float64
	for t := range out {
		row = b.features(row, e.Inputs.RawRowView(t), t)
		out[t] = vec.Dot(b.Weights, row)
	}
	if e.Terminated {
		out[e.Len()] = 0
	}
	return out
}

// fit fits the baseline to the discounted returns of episodes. What lies beyond a cut
// is worth what the last fit says.
func (b *baseline) fit(episodes []*Episode, discount, scale float64) error {
	var rows, targets []float64
	var row []float64
	for _, e := range episodes {
		sum := b.values(e)[e.Len()]
		at := len(targets)
		targets = append(targets, make([]float64, e.Len())...)
		for t := e.Len() - 1; t >= 0; t-- {
			sum = scale*e.Rewards[t] + discount*sum
			targets[at+t] = sum
		}
		for t := range e.Len() {
			row = b.features(row, e.Inputs.RawRowView(t), t)
			rows = append(rows, row...)
		}
	}
	x := mat.NewDense(len(targets), len(row), rows)
	c, err := linalg.NewCholeskyDense(linalg.MulTransA(nil, x, x), 1e-5*float64(len(targets)))
	if err != nil {
		return fmt.Errorf("rl: the baseline: %w", err)
	}
	b.Weights = c.SolveVecTo(nil, linalg.MulTransVec(nil, x, targets))
	return nil
}

// advantages returns generalized advantage estimates, one a step (Schulman et al. 2016,
// equation 16): sum_l (discount lambda)^l (r + discount V(s') - V(s)) at l steps ahead.
func advantages(e *Episode, values []float64, discount, lambda, scale float64) []float64 {
	out := make([]float64, e.Len())
	sum := 0.0
	for t := e.Len() - 1; t >= 0; t-- {
		sum = scale*e.Rewards[t] + discount*values[t+1] - values[t] + discount*lambda*sum
		out[t] = sum
	}
	return out
}

// standardize brings numbers to mean 0 and variance 1; those that are constant but for rounding become 0.
func standardize(x []float64) {
	if scale.Constant(x) {
		clear(x)
		return
	}
	vec.Offset(x, -vec.Sum(x)/float64(len(x)), x)
	if sd := math.Sqrt(vec.Dot(x, x) / float64(len(x))); sd > 0 {
		vec.Scale(x, 1/sd, x)
	}
}

// steps returns the inputs before each step and the actions of episodes, in rows.
func steps(episodes []*Episode) (inputs, actions *mat.Dense) {
	n := countSteps(episodes)
	_, d := episodes[0].Inputs.Dims()
	_, k := episodes[0].Actions.Dims()
	inputs, actions = mat.NewDense(n, d, nil), mat.NewDense(n, k, nil)
	at := 0
	for _, e := range episodes {
		for t := range e.Len() {
			copy(inputs.RawRowView(at), e.Inputs.RawRowView(t))
			copy(actions.RawRowView(at), e.Actions.RawRowView(t))
			at++
		}
	}
	return inputs, actions
}
