package nn

import (
	"math"

	"gaucho/stdlib/vec"
)

// An Optimizer moves parameters against a gradient.
type Optimizer interface {
	Step(params, grad []float64)
}

var (
	_ Optimizer = (*Adam)(nil)
	_ Optimizer = (*SGD)(nil)
)

// Adam is the method of Kingma & Ba 2015, algorithm 1. Its fields are its whole
// state: saved and read back by any encoder that keeps the bits, it goes on as if
// nothing had been.
type Adam struct {
	Rate         float64 // alpha
	Beta1, Beta2 float64
	Epsilon      float64
	Steps        int       // t
	First        []float64 // m, the mean of gradients
	Second       []float64 // v, the mean of their squares
}

// NewAdam returns Adam with the paper's constants: 0.9, 0.999 and 1e-8.
func NewAdam(rate float64) *Adam {
	return &Adam{Rate: rate, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8}
}

// Step does one step.
func (a *Adam) Step(params, grad []float64) {
	if a.First == nil {
		a.First, a.Second = make([]float64, len(params)), make([]float64, len(params))
	}
	a.Steps++
	t := float64(a.Steps)
	rate := a.Rate / (1 - vec.Pow1(a.Beta1, t))
	second := 1 / (1 - vec.Pow1(a.Beta2, t))
	m, v := a.First[:len(params)], a.Second[:len(params)]
	for i, g := range grad[:len(params)] {
		m[i] += (1 - a.Beta1) * (g - m[i])
		v[i] += (1 - a.Beta2) * (g*g - v[i])
		params[i] -= rate * m[i] / (math.Sqrt(second*v[i]) + a.Epsilon)
	}
}

// SGD is gradient descent with heavy-ball momentum: velocity = momentum velocity -
// rate gradient is added to the parameters. Its fields are its whole state.
type SGD struct {
	Rate     float64
	Momentum float64 // 0 for none
	Velocity []float64
}

// Step does one step.
func (s *SGD) Step(params, grad []float64) {
	if s.Velocity == nil {
		s.Velocity = make([]float64, len(params))
	}
	for i, g := range grad[:len(params)] {
		s.Velocity[i] = s.Momentum*s.Velocity[i] - s.Rate*g
		params[i] += s.Velocity[i]
	}
}
