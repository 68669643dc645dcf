package rl

import (
	"math"
	"math/rand/v2"

	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/vec"
)

// CartPole is the balance of Barto, Sutton & Anderson 1983 with the constants and
// the explicit Euler steps of Gymnasium's CartPole-v1. State and observation: the
// cart's position and velocity, the pole's angle from upright and its velocity.
// Action: 0 pushes left, 1 right. Every step is worth 1; the episode terminates
// when the cart is 2.4 m from the middle or the pole at 12 degrees.
type CartPole struct {
	Gravity, CartMass, PoleMass float64
	HalfLength                  float64
	Force                       float64
	Seconds                     float64 // of a step
	Steps                       int     // of an episode
}

// NewCartPole returns the cart as published: 500 steps of 0.02 s.
func NewCartPole() *CartPole {
	return &CartPole{Gravity: 9.8, CartMass: 1, PoleMass: 0.1, HalfLength: 0.5, Force: 10, Seconds: 0.02, Steps: 500}
}

// The bounds of the cart and the pole.
const (
	cartBound = 2.4
	poleBound = 12 * 2 * math.Pi / 360
)

// Name is CartPole-v1.
func (c *CartPole) Name() string { return "CartPole-v1" }

// Dim is 4.
func (c *CartPole) Dim() int { return 4 }

// Limit is Steps.
func (c *CartPole) Limit() int { return c.Steps }

// Spaces: the state is seen, there are two actions.
func (c *CartPole) Spaces() (observation, action Space) {
	high := []float64{2 * cartBound, math.Inf(1), 2 * poleBound, math.Inf(1)}
	return Space{Low: []float64{-high[0], -high[1], -high[2], -high[3]}, High: high}, Choices(2)
}

// Init draws each number from [-0.05, 0.05).
func (c *CartPole) Init(s []float64, rng *rand.Rand) {
	for i := range s {
		s[i] = 0.1*rng.Float64() - 0.05
	}
}

var _ BatchSystem = (*CartPole)(nil)

// Step pushes the cart for a step.
func (c *CartPole) Step(s, action []float64, _ *rand.Rand) (float64, bool) {
	sin, cos := vec.SinCos1(s[2])
	p := c.constants()
	return 1, p.push(s, action[0], sin, cos)
}

// StepAll pushes many carts for a step.
func (c *CartPole) StepAll(states, actions, rewards []float64, terminated []bool, _ []*rand.Rand) {
	const block = 64
	var angle, sin, cos [block]float64
	p := c.constants()
	for len(rewards) > 0 {
		n := min(block, len(rewards))
		for i := range n {
			angle[i] = states[4*i+2]
		}
		asm.SinCos(sin[:n], cos[:n], angle[:n])
		for i := range n {
			rewards[i] = 1
			terminated[i] = p.push(states[4*i:4*i+4], actions[i], sin[i], cos[i])
		}
		states, actions, rewards, terminated = states[4*n:], actions[n:], rewards[n:], terminated[n:]
	}
}

// Batched returns c.
func (c *CartPole) Batched() System { return c }

// cartConstants are what a step needs of a CartPole.
type cartConstants struct {
	force, total, moment, gravity, length, mass, dt float64
}

func (c *CartPole) constants() cartConstants {
	return cartConstants{c.Force, c.CartMass + c.PoleMass, c.PoleMass * c.HalfLength, c.Gravity, c.HalfLength, c.PoleMass, c.Seconds}
}

// push moves the state s on, with the sine and cosine of its angle, and reports
// whether it is out of bounds.
func (p *cartConstants) push(s []float64, action, sin, cos float64) bool {
	s = s[:4]
	force := p.force
	if action == 0 {
		force = -force
	}
	x, v, th, w := s[0], s[1], s[2], s[3]
	t := (force + p.moment*(w*w)*sin) / p.total
	turn := (p.gravity*sin - cos*t) / (p.length * (4.0/3 - p.mass*(cos*cos)/p.total))
	push := t - p.moment*turn*cos/p.total
	s[0], s[1], s[2], s[3] = x+p.dt*v, v+p.dt*push, th+p.dt*w, w+p.dt*turn
	return s[0] < -cartBound || s[0] > cartBound || s[2] < -poleBound || s[2] > poleBound
}

// Observe shows the state.
func (c *CartPole) Observe(o, s []float64) { copy(o, s) }

// Scene shows the cart and the pole.
func (c *CartPole) Scene(s []float64) Scene {
	sin, cos := vec.SinCos1(s[2])
	return cartScene(s[0], cartBound, [][2]float64{{s[0] + 2*c.HalfLength*sin, 2 * c.HalfLength * cos}})
}

// cartScene shows a cart at x on a rail, with rods from its middle through the
// given tips.
func cartScene(x, bound float64, tips [][2]float64) Scene {
	shapes := []Shape{
		line(-bound, 0, bound, 0, 0.03, groundColor),
		box(x-0.25, -0.12, x+0.25, 0.12, inkColor),
	}
	px, py := x, 0.0
	for i, t := range tips {
		shapes = append(shapes, line(px, py, t[0], t[1], 0.09, []Shape{{Color: bodyColor}, {Color: limbColor}}[i%2].Color))
		px, py = t[0], t[1]
	}
	return Scene{-bound, bound, -1.5, 1.5, shapes}
}
