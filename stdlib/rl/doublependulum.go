package rl

import (
	"math"
	"math/rand/v2"

	"gaucho/stdlib/vec"
)

// CartDoublePendulum balances two rods, one upon the other, on a cart: in place of
// MuJoCo's InvertedDoublePendulum, whose equations are not public in closed form.
// State: the cart's position, the angles of both rods from upright, and the three
// velocities; seen: position, sines and cosines, velocities. Action: the force in
// units of MaxForce. The reward is 10 - 0.01 X^2 - (Y-2)^2 - 0.001 w1^2 - 0.005 (w2 -
// w1)^2 for the tip (X, Y) and the velocities of the joints; the episode terminates
// when the tip is not above 1 m.
type CartDoublePendulum struct {
	CartMass, LowerMass, UpperMass float64
	LowerLength, UpperLength       float64
	Friction, JointFriction        float64
	Gravity                        float64
	MaxForce                       float64
	Steps                          int // of an episode, 0.05 s each, in five of the Runge-Kutta method
}

// NewCartDoublePendulum returns the stand-in for MuJoCo's model with about its
// masses: 1,000 steps.
func NewCartDoublePendulum() *CartDoublePendulum {
	return &CartDoublePendulum{
		CartMass: 10.5, LowerMass: 4.2, UpperMass: 4.2, LowerLength: 0.6, UpperLength: 0.6,
		Friction: 0.05, JointFriction: 0.05, Gravity: 9.81, MaxForce: 500, Steps: 1000,
	}
}

// Name is CartDoublePendulum.
func (c *CartDoublePendulum) Name() string { return "CartDoublePendulum" }

// Dim is 6.
func (c *CartDoublePendulum) Dim() int { return 6 }

// Limit is Steps.
func (c *CartDoublePendulum) Limit() int { return c.Steps }

// Spaces: eight numbers are seen, one is the action.
func (c *CartDoublePendulum) Spaces() (observation, action Space) {
	return Box(8, math.Inf(-1), math.Inf(1)), Box(1, -1, 1)
}

// Init draws positions and angles from [-0.1, 0.1); all is at rest.
func (c *CartDoublePendulum) Init(s []float64, rng *rand.Rand) {
	clear(s)
	for i := range 3 {
		s[i] = 0.2*rng.Float64() - 0.1
	}
}

// Step applies the force for a step.
func (c *CartDoublePendulum) Step(s, action []float64, _ *rand.Rand) (float64, bool) {
	force := c.MaxForce * clip(action[0], 1)
	p := point{s[0], s[1], s[2], s[3], s[4], s[5]}
	for range 5 {
		p = rk4(p, 0.01, func(p point) point { return c.flow(p, force) })
	}
	copy(s, p[:6])
	x, y := c.tip(s)
	w1, w2 := s[4], s[5]-s[4]
	return 10 - 0.01*x*x - (y-2)*(y-2) - 1e-3*w1*w1 - 5e-3*w2*w2, y <= 1
}

// tip returns where the upper rod ends.
func (c *CartDoublePendulum) tip(s []float64) (x, y float64) {
	sin1, cos1 := vec.SinCos1(s[1])
	sin2, cos2 := vec.SinCos1(s[2])
	return s[0] + c.LowerLength*sin1 + c.UpperLength*sin2, c.LowerLength*cos1 + c.UpperLength*cos2
}

// masses returns the coefficients of the mass matrix and of gravity.
func (c *CartDoublePendulum) masses() (a1, a2, i1, i2, h float64) {
	m1, m2, l1, l2 := c.LowerMass, c.UpperMass, c.LowerLength, c.UpperLength
	return (m1/2 + m2) * l1, m2 * l2 / 2, (m1/3 + m2) * l1 * l1, m2 * l2 * l2 / 3, m2 / 2 * l1 * l2
}

// flow returns the derivative of the state.
func (c *CartDoublePendulum) flow(s point, force float64) point {
	v, w1, w2 := s[3], s[4], s[5]
	sin1, cos1 := vec.SinCos1(s[1])
	sin2, cos2 := vec.SinCos1(s[2])
	sin12, cos12 := sin1*cos2-cos1*sin2, cos1*cos2+sin1*sin2
	a1, a2, i1, i2, h := c.masses()
	d := c.JointFriction
	// The mass matrix [m b1 b2; b1 i1 k; b2 k i2] and the right side.
	m, b1, b2, k := c.CartMass+c.LowerMass+c.UpperMass, a1*cos1, a2*cos2, h*cos12
	r0 := force - c.Friction*v + a1*w1*w1*sin1 + a2*w2*w2*sin2
	r1 := a1*c.Gravity*sin1 - h*w2*w2*sin12 - d*w1 + d*(w2-w1)
	r2 := a2*c.Gravity*sin2 + h*w1*w1*sin12 - d*(w2-w1)
	// Cramer's rule by cofactors.
	c00, c01, c02 := i1*i2-k*k, k*b2-b1*i2, b1*k-i1*b2
	c11, c12, c22 := m*i2-b2*b2, b1*b2-m*k, m*i1-b1*b1
	det := m*c00 + b1*c01 + b2*c02
	return point{v, w1, w2, (c00*r0 + c01*r1 + c02*r2) / det, (c01*r0 + c11*r1 + c12*r2) / det, (c02*r0 + c12*r1 + c22*r2) / det}
}

// Observe shows position, sines, cosines and velocities.
func (c *CartDoublePendulum) Observe(o, s []float64) {
	o[0] = s[0]
	o[1], o[3] = vec.SinCos1(s[1])
	o[2], o[4] = vec.SinCos1(s[2])
	copy(o[5:], s[3:])
}

// Scene shows the cart and the rods.
func (c *CartDoublePendulum) Scene(s []float64) Scene {
	sin1, cos1 := vec.SinCos1(s[1])
	x, y := c.tip(s)
	return cartScene(s[0], 2.4, [][2]float64{{s[0] + c.LowerLength*sin1, c.LowerLength * cos1}, {x, y}})
}
