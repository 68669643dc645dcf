package inference

import (
	"fmt"
	"math"

	"gaucho/stdlib/vec"
)

// A Schedule gives the step size of steps t = 1, 2, ...
type Schedule func(t int) float64

// Constant returns gamma for every step.
func Constant(gamma float64) Schedule { return func(int) float64 { return gamma } }

// Harmonic returns eta/(shift + t): the step size of theorems 18 and 19 of Dai 2018 with eta = 2 and a shift of 0 or 1; a
// longer shift keeps a few observations from deciding everything in the first steps.
func Harmonic(eta, shift float64) Schedule {
	return func(t int) float64 { return eta / (shift + float64(t)) }
}

// Root returns eta/(shift + sqrt(t)), the step size of that text's experiments.
func Root(eta, shift float64) Schedule {
	return func(t int) float64 { return eta / (shift + math.Sqrt(float64(t))) }
}

// Power returns a (1 + t/b)^-c, the step size usual for Langevin dynamics (c = 0.55) and for stochastic variational
// inference (c from 0.5 to 1).
func Power(a, b, c float64) Schedule {
	return func(t int) float64 { return a * vec.Pow1(1+float64(t)/b, -c) }
}

// mirror returns the step size of mirror descent at t, at most 1.
func (s Schedule) mirror(t int) (float64, error) {
	g := s(t)
	if !(g > 0) || math.IsInf(g, 1) {
		return 0, fmt.Errorf("inference: step size at step %d is %v, must be positive", t, g)
	}
	return min(g, 1), nil
}
