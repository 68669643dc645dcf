package rl

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/internal/scale"
	"gaucho/stdlib/rkhs"
)

// probeSteps is the number of steps by which the scale of what is seen is measured.
const probeSteps = 1000

// probe plays steps under random actions, of [Space.Sample] drawn towards the middle by
// half, and returns what is seen, encoded, and the rewards; ends holds the numbers of
// steps at which episodes ended. It stops at a number that is not finite, of which who
// plays the system will hear.
func probe(system System, input *encoder, steps int, rng *rand.Rand) (seen *mat.Dense, rewards []float64, ends []int) {
	observation, action := system.Spaces()
	centre, _ := middle(action)
	state, o, a := make([]float64, system.Dim()), make([]float64, observation.Dim()), make([]float64, action.Dim())
	limit := system.Limit()
	if limit == 0 {
		limit = 200
	}
	var rows []float64
	for elapsed := limit; len(rewards) < steps; elapsed++ {
		if elapsed == limit {
			system.Init(state, rng)
			elapsed = 0
		}
		system.Observe(o, state)
		if input.check(o) != nil {
			break
		}
		n := len(rows)
		rows = append(rows, make([]float64, input.width())...)
		input.encode(rows[n:], o)
		if action.Sample(a, rng); action.N == 0 {
			for i, c := range centre {
				a[i] = c + (a[i]-c)/2
			}
		}
		r, terminated := system.Step(state, a, rng)
		if rewards = append(rewards, r); terminated {
			elapsed = limit - 1
		}
		if elapsed == limit-1 {
			ends = append(ends, len(rewards))
		}
	}
	if len(rows) == 0 {
		return nil, rewards, ends
	}
	return mat.NewDense(len(rows)/input.width(), input.width(), rows), rewards, ends
}

// medianBandwidth returns the median distance of what is seen in a probe, 1 where there
// is none.
func medianBandwidth(system System, input *encoder, rng *rand.Rand) float64 {
	seen, _, _ := probe(system, input, probeSteps, rng)
	if seen == nil {
		return 1
	}
	median, err := rkhs.MedianBandwidth(seen, 500, rng)
	if err != nil { // all are the same
		return 1
	}
	return median
}

// Normalized is a system that shows observations of mean 0 and standard deviation 1,
// no further than Bound from 0; it is made by [Normalize]. Its exported fields are all
// that a policy which was learnt on it needs to be used again.
type Normalized struct {
	System
	Centre, Scale []float64 // of the observations of System
	Bound         float64
	// Return is the standard deviation of discounted returns under random actions: 1
	// over it is a good RewardScale for a method that learns values with a network.
	Return float64
}

// Normalize measures a system whose observations are a box over the given number of
// steps under random actions and returns it with normalized observations, within 10. A
// dimension that does not change keeps its scale. Discount is that of Return. The
// measure is not taken again: what a learner has kept holds.
func Normalize(system System, discount float64, steps int, rng *rand.Rand) (*Normalized, error) {
	if err := checkGiven(system, rng); err != nil {
		return nil, err
	}
	observation, _ := system.Spaces()
	if observation.N > 0 {
		return nil, fmt.Errorf("rl: observations of %s are choices, must be a box to be normalized", system.Name())
	}
	if steps < 2 {
		return nil, fmt.Errorf("rl: number of steps is %d, must be at least 2", steps)
	}
	if err := checkDiscount(discount); err != nil {
		return nil, err
	}
	d := observation.Dim()
	plain := &encoder{space: observation, scale: make([]float64, d)}
	for i := range plain.scale {
		plain.scale[i] = 1
	}
	seen, rewards, ends := probe(system, plain, steps, rng)
	if seen == nil || len(rewards) < steps {
		return nil, fmt.Errorf("rl: step %d of %s shows a number that is not finite", len(rewards), system.Name())
	}
	n := &Normalized{System: system, Bound: 10, Centre: make([]float64, d), Scale: make([]float64, d)}
	for i := range d {
		if n.Centre[i], n.Scale[i] = spreadOf(mat.Col(nil, i, seen)); n.Scale[i] < 1e-8 {
			n.Scale[i] = 1
		}
	}
	n.Return = deviationOfReturns(rewards, ends, discount)
	return n, nil
}

// deviationOfReturns returns the standard deviation of discounted returns in a probe, 1
// where they are all the same.
func deviationOfReturns(rewards []float64, ends []int, discount float64) float64 {
	var returns []float64
	at := 0
	for _, end := range ends {
		sum := 0.0
		for ; at < end; at++ { // as a running return: every step counts
			sum = rewards[at] + discount*sum
			returns = append(returns, sum)
		}
	}
	if _, deviation := spreadOf(returns); deviation > 0 {
		return deviation
	}
	return 1
}

// spreadOf returns the mean and the standard deviation of numbers, which is 0 where they are constant but for rounding.
func spreadOf(x []float64) (mean, deviation float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		deviation += (v - mean) * (v - mean) / float64(len(x))
	}
	if scale.Constant(x) {
		return mean, 0
	}
	return mean, math.Sqrt(deviation)
}

// Spaces: observations are a box without bounds, so that nobody scales them again.
func (n *Normalized) Spaces() (observation, action Space) {
	observation, action = n.System.Spaces()
	return Box(observation.Dim(), math.Inf(-1), math.Inf(1)), action
}

// Observe shows the normalized observation of a state.
func (n *Normalized) Observe(observation, state []float64) {
	n.System.Observe(observation, state)
	for i, c := range n.Centre {
		observation[i] = clip((observation[i]-c)/n.Scale[i], n.Bound)
	}
}
