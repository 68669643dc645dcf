package rl

import (
	"fmt"
	"math/rand/v2"
)

// WithActionNoise returns the system with normal noise of standard deviation
// sigma, one or one a dimension, added to every action of a box before it is
// clipped.
func WithActionNoise(s System, sigma ...float64) (System, error) {
	if s == nil {
		return nil, fmt.Errorf("rl: system is nil, must be an environment")
	}
	_, action := s.Spaces()
	if action.N > 0 {
		return nil, fmt.Errorf("rl: the actions of %s are choices, must be a box; WithSlip makes choices random", s.Name())
	}
	full, err := spread("sigma", sigma, action.Dim())
	return &actionNoise{s, full}, err
}

type actionNoise struct {
	System
	sigma []float64
}

func (n *actionNoise) Step(state, action []float64, rng *rand.Rand) (float64, bool) {
	var memory [8]float64
	noisy := append(memory[:0], action...)
	for i := range noisy {
		noisy[i] += n.sigma[i] * rng.NormFloat64()
	}
	return n.System.Step(state, noisy, rng)
}

// WithLimit returns the system with episodes that are cut off after the given number of
// steps, or after its own limit if that is less.
func WithLimit(s System, steps int) (System, error) {
	if s == nil {
		return nil, fmt.Errorf("rl: system is nil, must be an environment")
	}
	if steps < 1 {
		return nil, fmt.Errorf("rl: limit is %d steps, must be at least 1", steps)
	}
	if own := s.Limit(); own > 0 && own < steps {
		steps = own
	}
	return &limited{s, steps}, nil
}

type limited struct {
	System
	steps int
}

func (l *limited) Limit() int { return l.steps }

// WithSlip returns the system where, with the given probability, a uniformly
// random choice is taken in place of the action.
func WithSlip(s System, probability float64) (System, error) {
	if s == nil {
		return nil, fmt.Errorf("rl: system is nil, must be an environment")
	}
	_, action := s.Spaces()
	if action.N == 0 {
		return nil, fmt.Errorf("rl: the actions of %s are a box, must be choices; WithActionNoise makes a box random", s.Name())
	}
	if !(probability >= 0 && probability <= 1) {
		return nil, fmt.Errorf("rl: probability is %v, must be from 0 to 1", probability)
	}
	return &slip{s, probability, action.N}, nil
}

type slip struct {
	System
	probability float64
	n           int
}

func (s *slip) Step(state, action []float64, rng *rand.Rand) (float64, bool) {
	if rng.Float64() < s.probability {
		random := [1]float64{float64(rng.IntN(s.n))}
		return s.System.Step(state, random[:], rng)
	}
	return s.System.Step(state, action, rng)
}

// WithStateNoise returns the system with normal noise of standard deviation
// sigma, one or one a number of the state, added to the state after every step
// that does not end the episode.
func WithStateNoise(s System, sigma ...float64) (System, error) {
	if s == nil {
		return nil, fmt.Errorf("rl: system is nil, must be an environment")
	}
	full, err := spread("sigma", sigma, s.Dim())
	return &stateNoise{s, full}, err
}

type stateNoise struct {
	System
	sigma []float64
}

func (n *stateNoise) Step(state, action []float64, rng *rand.Rand) (float64, bool) {
	reward, terminated := n.System.Step(state, action, rng)
	for i, s := range n.sigma {
		if s > 0 && !terminated {
			state[i] += s * rng.NormFloat64()
		}
	}
	return reward, terminated
}

// spread returns n non-negative numbers: those given, or the only one given n
// times.
func spread(what string, values []float64, n int) ([]float64, error) {
	if len(values) != 1 && len(values) != n {
		return nil, fmt.Errorf("rl: there are %d values of %s, must be 1 or %d", len(values), what, n)
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = values[min(i, len(values)-1)]
		if !(out[i] >= 0) || out[i]-out[i] != 0 {
			return nil, fmt.Errorf("rl: %s is %v, must be at least 0", what, out[i])
		}
	}
	return out, nil
}
