package rl

import (
	"math"
	"math/rand/v2"

	"gaucho/stdlib/vec"
)

// Acrobot is two links with a motor at the joint between them, of which the tip is
// to swing above the height of one link (Sutton 1996), with the dynamics of
// Gymnasium's Acrobot-v1, where lengths and masses are 1. State: the first angle
// from hanging down, the second from the first, and their velocities; seen: cosine
// and sine of each, and the velocities. Actions 0, 1, 2 are torques of -1, 0, 1.
// Each step costs 1, the one that gets there nothing; that terminates.
type Acrobot struct {
	Torque float64
	Steps  int // of an episode
}

// NewAcrobot returns the acrobot as published: 500 steps of 0.2 s.
func NewAcrobot() *Acrobot { return &Acrobot{Torque: 1, Steps: 500} }

// Bounds of the velocities.
const (
	acrobotSpeed1 = 4 * math.Pi
	acrobotSpeed2 = 9 * math.Pi
)

// Name is Acrobot-v1.
func (a *Acrobot) Name() string { return "Acrobot-v1" }

// Dim is 4.
func (a *Acrobot) Dim() int { return 4 }

// Limit is Steps.
func (a *Acrobot) Limit() int { return a.Steps }

// Spaces: six numbers are seen, there are three actions.
func (a *Acrobot) Spaces() (observation, action Space) {
	return Space{
		Low:  []float64{-1, -1, -1, -1, -acrobotSpeed1, -acrobotSpeed2},
		High: []float64{1, 1, 1, 1, acrobotSpeed1, acrobotSpeed2},
	}, Choices(3)
}

// Init draws each number from [-0.1, 0.1).
func (a *Acrobot) Init(s []float64, rng *rand.Rand) {
	for i := range s {
		s[i] = 0.2*rng.Float64() - 0.1
	}
}

// Step applies the torque for a step of the Runge-Kutta method.
func (a *Acrobot) Step(s, action []float64, _ *rand.Rand) (float64, bool) {
	torque := a.Torque * (action[0] - 1)
	p := rk4(point{s[0], s[1], s[2], s[3]}, 0.2, func(p point) point { return a.flow(p, torque) })
	s[0], s[1] = turn(p[0]), turn(p[1])
	s[2], s[3] = clip(p[2], acrobotSpeed1), clip(p[3], acrobotSpeed2)
	if -vec.Cos1(s[0])-vec.Cos1(s[1]+s[0]) > 1 {
		return 0, true
	}
	return -1, false
}

// turn brings an angle into [-pi, pi] by whole turns.
func turn(x float64) float64 {
	for x > math.Pi {
		x -= 2 * math.Pi
	}
	for x < -math.Pi {
		x += 2 * math.Pi
	}
	return x
}

// flow returns the derivative of the state, for links with masses, lengths and
// moments of inertia 1 and centres in the middle.
func (a *Acrobot) flow(s point, torque float64) point {
	const g = 9.8
	t1, t2, w1, w2 := s[0], s[1], s[2], s[3]
	sin2, cos2 := vec.SinCos1(t2)
	d1 := 0.25 + (1 + 0.25 + cos2) + 2
	d2 := 0.25 + 0.5*cos2 + 1
	phi2 := 0.5 * g * vec.Sin1(t1+t2)
	phi1 := -0.5*w2*w2*sin2 - w2*w1*sin2 + 1.5*g*vec.Sin1(t1) + phi2
	a2 := (torque + d2/d1*phi1 - 0.5*w1*w1*sin2 - phi2) / (1.25 - d2*d2/d1)
	return point{w1, w2, -(d2*a2 + phi1) / d1, a2}
}

// Observe shows cosines, sines and velocities.
func (a *Acrobot) Observe(o, s []float64) {
	o[1], o[0] = vec.SinCos1(s[0])
	o[3], o[2] = vec.SinCos1(s[1])
	o[4], o[5] = s[2], s[3]
}

// Scene shows the links and the height to reach.
func (a *Acrobot) Scene(s []float64) Scene {
	sin1, cos1 := vec.SinCos1(s[0])
	sin2, cos2 := vec.SinCos1(s[0] + s[1])
	return Scene{-2.3, 2.3, -2.3, 2.3, []Shape{
		line(-2.3, 1, 2.3, 1, 0.02, goalColor),
		line(0, 0, sin1, -cos1, 0.15, bodyColor),
		line(sin1, -cos1, sin1+sin2, -cos1-cos2, 0.15, limbColor),
		disc(0, 0, 0.08, inkColor),
	}}
}
