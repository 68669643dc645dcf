package rl

import (
	"math"
	"math/rand/v2"

	"gaucho/stdlib/vec"
)

// Navigation is a walk in the plane towards a small goal at the origin (Dai 2018,
// section 5.6.2): s' ~ N(s + a, Variance I), s ~ N(0, 0.2 I) at the start, reward exp(-100
// |s|^2) of the state before the step. The state is seen. Nothing terminates.
type Navigation struct {
	Variance float64
	MaxStep  float64 // of each number of the action
	Steps    int     // of an episode
}

// NewNavigation returns the dissertation's: variance 0.1; steps up to 1, 100 of them.
func NewNavigation() *Navigation { return &Navigation{Variance: 0.1, MaxStep: 1, Steps: 100} }

// Name is Navigation.
func (n *Navigation) Name() string { return "Navigation" }

// Dim is 2.
func (n *Navigation) Dim() int { return 2 }

// Limit is Steps.
func (n *Navigation) Limit() int { return n.Steps }

// Spaces: the state is seen, two numbers are the action.
func (n *Navigation) Spaces() (observation, action Space) {
	return Box(2, math.Inf(-1), math.Inf(1)), Box(2, -n.MaxStep, n.MaxStep)
}

// Init draws the state from N(0, 0.2 I).
func (n *Navigation) Init(s []float64, rng *rand.Rand) {
	sd := math.Sqrt(0.2)
	s[0], s[1] = sd*rng.NormFloat64(), sd*rng.NormFloat64()
}

// Step moves by the action and the noise.
func (n *Navigation) Step(s, action []float64, rng *rand.Rand) (float64, bool) {
	reward := vec.Exp1(-100 * (s[0]*s[0] + s[1]*s[1]))
	sd := math.Sqrt(n.Variance)
	for i := range s {
		s[i] += clip(action[i], n.MaxStep) + sd*rng.NormFloat64()
	}
	return reward, false
}

// Observe shows the state.
func (n *Navigation) Observe(o, s []float64) { copy(o, s) }

// Scene shows the walker and the goal.
func (n *Navigation) Scene(s []float64) Scene {
	return Scene{-2, 2, -2, 2, []Shape{disc(0, 0, 0.3, goalColor), disc(s[0], s[1], 0.12, bodyColor)}}
}
