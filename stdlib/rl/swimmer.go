package rl

import (
	"math"
	"math/rand/v2"
)

// Swimmer is a chain of three links in a viscous fluid that is to swim along x, in
// place of MuJoCo's Swimmer (Coulom 2002). On each link acts the force -k l (v.n) n
// along its normal n and the moment -k w l^3/12. State: position of the free end
// and the three angles, then their velocities; seen: the angle of the first link,
// the two joints, and the five velocities. Actions: the torques at the two joints.
// The reward is the velocity of the centre of mass along x after the step, less
// 0.0001 |torque|^2; nothing terminates.
type Swimmer struct {
	Viscosity float64 // k
	MaxTorque float64
	Steps     int // of an episode, 0.04 s each, in four of the Runge-Kutta method
	body      *chain
}

// NewSwimmer returns three links of 1 m and 1 kg: viscosity 10, 5 N m at most, 1,000
// steps.
func NewSwimmer() *Swimmer {
	one := []float64{1, 1, 1}
	return &Swimmer{Viscosity: 10, MaxTorque: 5, Steps: 1000, body: newChain(one, one, []joint{{-1, 0}, {0, 1}, {1, 1}})}
}

// Name is Swimmer3.
func (w *Swimmer) Name() string { return "Swimmer3" }

// Dim is 10.
func (w *Swimmer) Dim() int { return 10 }

// Limit is Steps.
func (w *Swimmer) Limit() int { return w.Steps }

// Spaces: eight numbers are seen, two are the action.
func (w *Swimmer) Spaces() (observation, action Space) {
	return Box(8, math.Inf(-1), math.Inf(1)), Box(2, -w.MaxTorque, w.MaxTorque)
}

// Init draws each number from [-0.1, 0.1).
func (w *Swimmer) Init(s []float64, rng *rand.Rand) {
	for i := range s {
		s[i] = 0.2*rng.Float64() - 0.1
	}
}

// Step applies the torques for a step.
func (w *Swimmer) Step(s, action []float64, _ *rand.Rand) (float64, bool) {
	u := [2]float64{clip(action[0], w.MaxTorque), clip(action[1], w.MaxTorque)}
	var p point
	copy(p[:], s)
	for range 4 {
		p = rk4(p, 0.01, func(p point) point { return w.flow(p, u) })
	}
	copy(s, p[:])
	after := w.body.pose(s[:5], s[5:])
	return w.body.centre(&after) - 1e-4*(u[0]*u[0]+u[1]*u[1]), false
}

// flow returns the derivative of the state.
func (w *Swimmer) flow(s point, u [2]float64) (d point) {
	c := w.body
	p := c.pose(s[:5], s[5:])
	for i := range c.n {
		_, _, vx, vy := c.at(&p, &c.path[i])
		l := c.length[i]
		f := -w.Viscosity * l * (vy*p.cos[i] - vx*p.sin[i])
		c.push(&p, &c.path[i], -f*p.sin[i], f*p.cos[i])
		p.torque[i] -= w.Viscosity * p.speed[i] * l * l * l / 12
	}
	c.drive(&p, 1, u[0])
	c.drive(&p, 2, u[1])
	copy(d[:5], s[5:])
	c.accelerations(d[5:], &p)
	return d
}

// Observe shows angles and velocities.
func (w *Swimmer) Observe(o, s []float64) {
	o[0], o[1], o[2] = s[2], s[3]-s[2], s[4]-s[3]
	copy(o[3:], s[5:])
}

// Scene shows the links over marks one metre apart.
func (w *Swimmer) Scene(s []float64) Scene {
	p := w.body.pose(s[:5], s[5:])
	shapes := []Shape{}
	middle := math.Floor(s[0])
	for x := middle - 5; x <= middle+6; x++ {
		for y := math.Floor(s[1]) - 3; y <= s[1]+4; y++ {
			shapes = append(shapes, disc(x, y, 0.06, groundColor))
		}
	}
	return Scene{s[0] - 2.5, s[0] + 3.5, s[1] - 2, s[1] + 2, append(shapes, w.body.shapes(&p, 0.15)...)}
}
