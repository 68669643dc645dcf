package rl

import (
	"math"
	"math/rand/v2"

	"gaucho/stdlib/vec"
)

// Pendulum is the swing-up of a rod by a motor that cannot lift it at once, the
// dynamics of Gymnasium's Pendulum-v1. State: the angle from upright and its
// velocity; seen: cosine, sine and velocity; action: the torque, in newton metres.
// The reward is minus the cost wrap(angle)^2 + 0.1 velocity^2 + 0.001 torque^2 of
// the state before the step; nothing terminates.
type Pendulum struct {
	Gravity, Mass, Length float64
	MaxTorque, MaxSpeed   float64
	Seconds               float64 // of a step
	// LateClip moves the angle by the velocity before that is clipped, as
	// Pendulum-v0 did.
	LateClip bool
	Steps    int // of an episode
}

// NewPendulum returns the pendulum as published: 200 steps of 0.05 s, 2 N m at
// most.
func NewPendulum() *Pendulum {
	return &Pendulum{Gravity: 10, Mass: 1, Length: 1, MaxTorque: 2, MaxSpeed: 8, Seconds: 0.05, Steps: 200}
}

// Name is Pendulum-v1, with LateClip Pendulum-v0.
func (p *Pendulum) Name() string {
	if p.LateClip {
		return "Pendulum-v0"
	}
	return "Pendulum-v1"
}

// Dim is 2.
func (p *Pendulum) Dim() int { return 2 }

// Limit is Steps.
func (p *Pendulum) Limit() int { return p.Steps }

// Spaces: three numbers are seen, one is the action.
func (p *Pendulum) Spaces() (observation, action Space) {
	return Space{Low: []float64{-1, -1, -p.MaxSpeed}, High: []float64{1, 1, p.MaxSpeed}}, Box(1, -p.MaxTorque, p.MaxTorque)
}

// Init draws the angle from [-pi, pi) and the velocity from [-1, 1).
func (p *Pendulum) Init(s []float64, rng *rand.Rand) {
	s[0], s[1] = math.Pi*(2*rng.Float64()-1), 2*rng.Float64()-1
}

// Step applies the torque for a step.
func (p *Pendulum) Step(s, action []float64, _ *rand.Rand) (float64, bool) {
	u, th, speed := clip(action[0], p.MaxTorque), s[0], s[1]
	angle := wrap(th)
	cost := angle*angle + 0.1*(speed*speed) + 0.001*(u*u)
	fast := speed + (3*p.Gravity/(2*p.Length)*vec.Sin1(th)+3/(p.Mass*p.Length*p.Length)*u)*p.Seconds
	s[1] = clip(fast, p.MaxSpeed)
	if !p.LateClip {
		fast = s[1]
	}
	s[0] = th + fast*p.Seconds
	return -cost, false
}

// Observe shows cosine, sine and velocity.
func (p *Pendulum) Observe(o, s []float64) {
	o[1], o[0] = vec.SinCos1(s[0])
	o[2] = s[1]
}

// Scene shows the rod.
func (p *Pendulum) Scene(s []float64) Scene {
	sin, cos := vec.SinCos1(s[0])
	return Scene{-1.3, 1.3, -1.3, 1.3, []Shape{
		line(0, 0, -sin, cos, 0.2, bodyColor),
		disc(0, 0, 0.1, inkColor),
	}}
}
