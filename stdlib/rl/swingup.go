package rl

import (
	"math"
	"math/rand/v2"

	"gaucho/stdlib/vec"
)

// CartPoleSwingUp is a rod that hangs from a cart and is to be swung up: the
// constants of the PILCO benchmark (Deisenroth & Rasmussen 2011), equations from
// the Lagrangian. State, in the order of Dai 2018, section 5.6.3: the cart's
// position and velocity, the rod's velocity and its angle from hanging down.
// Seen: position, both velocities, cosine and sine of the angle. Action: the force,
// in newtons. The cost is 1/2 (x^2 + x'^2 + theta'^2 + (theta - pi)^2), with the
// angle wrapped, of the state before the step.
type CartPoleSwingUp struct {
	CartMass, RodMass, Length, Friction, Gravity float64
	MaxForce                                     float64
	Seconds                                      float64 // of a step
	Substeps                                     int     // of the Runge-Kutta method in a step
	Steps                                        int     // of an episode
}

// NewCartPoleSwingUp returns the benchmark's cart: steps of 0.1 s in ten substeps,
// 10 N at most; 100 steps.
func NewCartPoleSwingUp() *CartPoleSwingUp {
	return &CartPoleSwingUp{CartMass: 0.5, RodMass: 0.5, Length: 0.6, Friction: 0.1, Gravity: 9.82, MaxForce: 10, Seconds: 0.1, Substeps: 10, Steps: 100}
}

// Name is CartPoleSwingUp.
func (c *CartPoleSwingUp) Name() string { return "CartPoleSwingUp" }

// Dim is 4.
func (c *CartPoleSwingUp) Dim() int { return 4 }

// Limit is Steps.
func (c *CartPoleSwingUp) Limit() int { return c.Steps }

// Spaces: five numbers are seen, one is the action.
func (c *CartPoleSwingUp) Spaces() (observation, action Space) {
	o := Box(5, math.Inf(-1), math.Inf(1))
	o.Low[3], o.Low[4], o.High[3], o.High[4] = -1, -1, 1, 1
	return o, Box(1, -c.MaxForce, c.MaxForce)
}

// Init draws position and velocity of the cart from N(0, 0.5^2), the rod's velocity
// from N(0, 1) and its angle from [0, 2 pi).
func (c *CartPoleSwingUp) Init(s []float64, rng *rand.Rand) {
	s[0], s[1], s[2], s[3] = 0.5*rng.NormFloat64(), 0.5*rng.NormFloat64(), rng.NormFloat64(), 2*math.Pi*rng.Float64()
}

// Step applies the force for a step.
func (c *CartPoleSwingUp) Step(s, action []float64, _ *rand.Rand) (float64, bool) {
	off := wrap(s[3] - math.Pi)
	cost := 0.5 * (s[0]*s[0] + s[1]*s[1] + s[2]*s[2] + off*off)
	u := clip(action[0], c.MaxForce)
	p := point{s[0], s[1], s[2], s[3]}
	for range c.Substeps {
		p = rk4(p, c.Seconds/float64(c.Substeps), func(p point) point { return c.flow(p, u) })
	}
	copy(s, p[:4])
	return -cost, false
}

// flow returns the derivative of the state.
func (c *CartPoleSwingUp) flow(s point, u float64) point {
	v, w := s[1], s[2]
	sin, cos := vec.SinCos1(s[3])
	m, total, l := c.RodMass, c.CartMass+c.RodMass, c.Length
	force, d := u-c.Friction*v, 4*total-3*m*cos*cos
	return point{
		v,
		(2*m*l*w*w*sin + 3*m*c.Gravity*sin*cos + 4*force) / d,
		(-3*m*l*w*w*sin*cos - 6*total*c.Gravity*sin - 6*force*cos) / (l * d),
		w,
	}
}

// Observe shows position, velocities, cosine and sine.
func (c *CartPoleSwingUp) Observe(o, s []float64) {
	copy(o, s[:3])
	o[4], o[3] = vec.SinCos1(s[3])
}

// Scene shows the cart and the rod.
func (c *CartPoleSwingUp) Scene(s []float64) Scene {
	sin, cos := vec.SinCos1(s[3])
	return cartScene(s[0], 3, [][2]float64{{s[0] + c.Length*sin, -c.Length * cos}})
}
