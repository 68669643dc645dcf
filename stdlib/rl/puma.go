package rl

import (
	"math"
	"math/rand/v2"

	"gaucho/stdlib/vec"
)

// PUMA is the arm of a PUMA-560 with its published masses and lengths (Armstrong, Khatib &
// Burdick 1986, as Corke's Robotics Toolbox has them), by recursive Newton-Euler steps;
// [Arm] is its stand-in of decoupled joints. State and observation: six angles and six
// velocities; actions: the torques at the joints. A step of 0.02 s is four of the
// Runge-Kutta method, then normal noise on the velocities. The cost is that of Arm.
type PUMA struct {
	Friction  float64 // torque by velocity, at each joint
	Noise     float64 // standard deviation of the velocities' noise in a step
	MaxTorque float64
	Steps     int // of an episode
}

// NewPUMA returns the arm without friction, with noise 0.02 and torques up to 100 N m; 200
// steps.
func NewPUMA() *PUMA { return &PUMA{Noise: 0.02, MaxTorque: 100, Steps: 200} }

// A pumaLink is a link of the PUMA-560, in the standard notation of Denavit and Hartenberg.
type pumaLink struct {
	sinAlpha, cosAlpha, a, d float64
	mass                     float64
	centre, inertia          vector  // of mass, in the frame at the link's end; the diagonal about it
	motor                    float64 // inertia seen through the gear
}

var pumaLinks = [armJoints]pumaLink{
	{1, 0, 0, 0, 0, vector{}, vector{0, 0.35, 0}, 200e-6 * 62.6111 * 62.6111},
	{0, 1, 0.4318, 0, 17.4, vector{-0.3638, 0.006, 0.2275}, vector{0.13, 0.524, 0.539}, 200e-6 * 107.815 * 107.815},
	{-1, 0, 0.0203, 0.15005, 4.8, vector{-0.0203, -0.0141, 0.070}, vector{0.066, 0.086, 0.0125}, 200e-6 * 53.7063 * 53.7063},
	{1, 0, 0, 0.4318, 0.82, vector{0, 0.019, 0}, vector{1.8e-3, 1.3e-3, 1.8e-3}, 33e-6 * 76.0364 * 76.0364},
	{-1, 0, 0, 0, 0.34, vector{}, vector{0.3e-3, 0.4e-3, 0.3e-3}, 33e-6 * 71.923 * 71.923},
	{0, 1, 0, 0, 0.09, vector{0, 0, 0.032}, vector{0.15e-3, 0.15e-3, 0.04e-3}, 33e-6 * 76.686 * 76.686},
}

// A vector is one of space.
type vector [3]float64

func (v vector) plus(w vector) vector { return vector{v[0] + w[0], v[1] + w[1], v[2] + w[2]} }

func (v vector) times(s float64) vector { return vector{s * v[0], s * v[1], s * v[2]} }

func (v vector) cross(w vector) vector {
	return vector{v[1]*w[2] - v[2]*w[1], v[2]*w[0] - v[0]*w[2], v[0]*w[1] - v[1]*w[0]}
}

func (v vector) dot(w vector) float64 { return v[0]*w[0] + v[1]*w[1] + v[2]*w[2] }

// joints holds a number for each joint.
type joints [armJoints]float64

// pumaTorques returns the torques that bring the accelerations qdd to joints at q with
// the velocities qd, under gravity g (Luh, Walker & Paul 1980). sin and cos are of q.
func pumaTorques(sin, cos, qd, qdd joints, g float64) (torque joints) {
	var force, moment [armJoints]vector // of each link, in its frame
	var spin, spun, moved vector        // angular velocity and acceleration, and the linear one
	moved[2] = g
	// out brings a vector from the frame before link i to its own, in the other direction.
	out := func(i int, v vector) vector {
		l := &pumaLinks[i]
		return vector{
			cos[i]*v[0] + sin[i]*v[1],
			l.cosAlpha*(cos[i]*v[1]-sin[i]*v[0]) + l.sinAlpha*v[2],
			l.sinAlpha*(sin[i]*v[0]-cos[i]*v[1]) + l.cosAlpha*v[2],
		}
	}
	in := func(i int, v vector) vector {
		l := &pumaLinks[i]
		y, z := l.cosAlpha*v[1]-l.sinAlpha*v[2], l.sinAlpha*v[1]+l.cosAlpha*v[2]
		return vector{cos[i]*v[0] - sin[i]*y, sin[i]*v[0] + cos[i]*y, z}
	}
	reach := func(i int) vector {
		l := &pumaLinks[i]
		return vector{l.a, l.d * l.sinAlpha, l.d * l.cosAlpha}
	}
	for i := range pumaLinks {
		l := &pumaLinks[i]
		turn := vector{0, 0, qd[i]}
		spun = out(i, spun.plus(vector{0, 0, qdd[i]}).plus(spin.cross(turn)))
		spin = out(i, spin.plus(turn))
		arm := reach(i)
		moved = out(i, moved).plus(spun.cross(arm)).plus(spin.cross(spin.cross(arm)))
		centre := moved.plus(spun.cross(l.centre)).plus(spin.cross(spin.cross(l.centre)))
		force[i] = centre.times(l.mass)
		own := vector{l.inertia[0] * spin[0], l.inertia[1] * spin[1], l.inertia[2] * spin[2]}
		moment[i] = vector{l.inertia[0] * spun[0], l.inertia[1] * spun[1], l.inertia[2] * spun[2]}.plus(spin.cross(own))
	}
	var f, n vector // that the next link takes, in the frame of this one
	for i := armJoints - 1; i >= 0; i-- {
		l, arm := &pumaLinks[i], reach(i)
		n = n.plus(arm.cross(f)).plus(arm.plus(l.centre).cross(force[i])).plus(moment[i])
		f = f.plus(force[i])
		torque[i] = n.dot(out(i, vector{0, 0, 1})) + l.motor*qdd[i]
		f, n = in(i, f), in(i, n)
	}
	return torque
}

// pumaInertia returns the mass matrix, by unit accelerations at rest without gravity.
func pumaInertia(sin, cos joints) (m [armJoints]joints) {
	for i := range m {
		var unit joints
		unit[i] = 1
		m[i] = pumaTorques(sin, cos, joints{}, unit, 0)
	}
	return m
}

// accelerations returns those of the joints under the torques u.
func (p *PUMA) accelerations(q, qd, u joints) joints {
	const gravity = 9.81
	var sin, cos joints
	for i := range q {
		sin[i], cos[i] = vec.SinCos1(q[i])
	}
	m, a := pumaInertia(sin, cos), pumaTorques(sin, cos, qd, joints{}, gravity)
	for i := range a {
		a[i] = u[i] - p.Friction*qd[i] - a[i]
	}
	// Elimination without pivots: m is positive definite.
	for k := range a {
		for i := k + 1; i < armJoints; i++ {
			f := m[i][k] / m[k][k]
			for j := k; j < armJoints; j++ {
				m[i][j] -= f * m[k][j]
			}
			a[i] -= f * a[k]
		}
	}
	for k := armJoints - 1; k >= 0; k-- {
		for j := k + 1; j < armJoints; j++ {
			a[k] -= m[k][j] * a[j]
		}
		a[k] /= m[k][k]
	}
	return a
}

// Name is PUMA560.
func (p *PUMA) Name() string { return "PUMA560" }

// Dim is 12.
func (p *PUMA) Dim() int { return 2 * armJoints }

// Limit is Steps.
func (p *PUMA) Limit() int { return p.Steps }

// Spaces: the state is seen, six numbers are the action.
func (p *PUMA) Spaces() (observation, action Space) {
	return Box(2*armJoints, math.Inf(-1), math.Inf(1)), Box(armJoints, -p.MaxTorque, p.MaxTorque)
}

// Init draws as [Arm] does.
func (p *PUMA) Init(s []float64, rng *rand.Rand) { NewArm().Init(s, rng) }

// Step applies the torques for a step.
func (p *PUMA) Step(s, action []float64, rng *rand.Rand) (float64, bool) {
	const dt, substeps = 0.02, 4
	cost := 0.0
	var q, v, u joints
	for i := range q {
		q[i], v[i], u[i] = s[i], s[armJoints+i], clip(action[i], p.MaxTorque)
		off := q[i] - armTarget[i]
		cost += off*off + v[i]*v[i]
	}
	move := func(x, by joints, h float64) joints {
		for i := range x {
			x[i] += h * by[i]
		}
		return x
	}
	h := dt / substeps
	for range substeps {
		a1 := p.accelerations(q, v, u)
		v2 := move(v, a1, h/2)
		a2 := p.accelerations(move(q, v, h/2), v2, u)
		v3 := move(v, a2, h/2)
		a3 := p.accelerations(move(q, v2, h/2), v3, u)
		v4 := move(v, a3, h)
		a4 := p.accelerations(move(q, v3, h), v4, u)
		for i := range q {
			q[i] += h / 6 * (v[i] + 2*v2[i] + 2*v3[i] + v4[i])
			v[i] += h / 6 * (a1[i] + 2*a2[i] + 2*a3[i] + a4[i])
		}
	}
	for i := range q {
		if p.Noise > 0 {
			v[i] += p.Noise * rng.NormFloat64()
		}
		s[i], s[armJoints+i] = q[i], v[i]
	}
	return -cost / 100, false
}

// Observe shows the state.
func (p *PUMA) Observe(o, s []float64) { copy(o, s) }

// Scene shows each joint as [Arm] does.
func (p *PUMA) Scene(s []float64) Scene { return NewArm().Scene(s) }
