package rl

import (
	"math"
	"math/rand/v2"

	"gaucho/stdlib/vec"
)

// Arm is six decoupled joints under gravity, the small stand-in for the [PUMA] of
// Dai 2018, section 5.6.3. Joint i has the acceleration (u_i - 0.5 v_i - g_i sin q_i) /
// I_i, with I = (1, 1.5, 0.8, 0.3, 0.3, 0.1) and g = (0, 5, 2, 0.5, 0.5, 0), in semi-implicit
// Euler steps of 0.02 s with normal noise on the velocities. State and observation:
// six angles q and six velocities v; actions: six torques u. The cost of the state
// before the step is 1/100 of sum_{i<=4} (q_i - pi/4)^2 + sum_{i>4} (q_i + pi/4)^2 + |v|^2.
type Arm struct {
	Noise     float64 // standard deviation of the velocities' noise in a step
	MaxTorque float64
	Steps     int // of an episode
}

// NewArm returns the arm with noise 0.02 and torques up to 20 N m; 200 steps.
func NewArm() *Arm { return &Arm{Noise: 0.02, MaxTorque: 20, Steps: 200} }

const armJoints = 6

var (
	armInertia = [armJoints]float64{1, 1.5, 0.8, 0.3, 0.3, 0.1}
	armWeight  = [armJoints]float64{0, 5, 2, 0.5, 0.5, 0}
	armTarget  = [armJoints]float64{math.Pi / 4, math.Pi / 4, math.Pi / 4, math.Pi / 4, -math.Pi / 4, -math.Pi / 4}
)

// Name is Arm6.
func (a *Arm) Name() string { return "Arm6" }

// Dim is 12.
func (a *Arm) Dim() int { return 2 * armJoints }

// Limit is Steps.
func (a *Arm) Limit() int { return a.Steps }

// Spaces: the state is seen, six numbers are the action.
func (a *Arm) Spaces() (observation, action Space) {
	return Box(2*armJoints, math.Inf(-1), math.Inf(1)), Box(armJoints, -a.MaxTorque, a.MaxTorque)
}

// Init draws angles from [-pi/2, pi/2) and velocities from N(0, 0.5^2).
func (a *Arm) Init(s []float64, rng *rand.Rand) {
	for i := range armJoints {
		s[i] = math.Pi * (rng.Float64() - 0.5)
		s[armJoints+i] = 0.5 * rng.NormFloat64()
	}
}

// Step applies the torques for a step.
func (a *Arm) Step(s, action []float64, rng *rand.Rand) (float64, bool) {
	const dt = 0.02
	cost := 0.0
	q, v := s[:armJoints], s[armJoints:]
	for i := range q {
		off := q[i] - armTarget[i]
		cost += off*off + v[i]*v[i]
		torque := clip(action[i], a.MaxTorque) - 0.5*v[i] - armWeight[i]*vec.Sin1(q[i])
		v[i] += dt * torque / armInertia[i]
		if a.Noise > 0 {
			v[i] += a.Noise * rng.NormFloat64()
		}
		q[i] += dt * v[i]
	}
	return -cost / 100, false
}

// Observe shows the state.
func (a *Arm) Observe(o, s []float64) { copy(o, s) }

// Scene shows each joint as a hand that hangs from a dial, and where it should be.
func (a *Arm) Scene(s []float64) Scene {
	var shapes []Shape
	for i := range armJoints {
		x, y := float64(i%3)*2.4, -2.4*float64(i/3)
		hand := func(q, width float64, b Shape) Shape {
			sin, cos := vec.SinCos1(q)
			return line(x, y, x+sin, y-cos, width, b.Color)
		}
		shapes = append(shapes, hand(armTarget[i], 0.05, Shape{Color: goalColor}), hand(s[i], 0.15, Shape{Color: bodyColor}), disc(x, y, 0.12, inkColor))
	}
	return Scene{-1.2, 6, -3.6, 1.2, shapes}
}
