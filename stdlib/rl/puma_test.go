package rl

import (
	"math"
	"math/rand/v2"
	"testing"

	"gaucho/stdlib/vec"
)

// The numbers that Corke prints for the pose qn = (0, pi/4, pi, 0, pi/4, 0) (Robotics,
// Vision and Control, section 9.2): the load of gravity and the mass matrix.
func TestPUMAEqualsCorke(t *testing.T) {
	var sin, cos joints
	for i, q := range []float64{0, math.Pi / 4, math.Pi, 0, math.Pi / 4, 0} {
		sin[i], cos[i] = vec.SinCos1(q)
	}
	load := pumaTorques(sin, cos, joints{}, joints{}, 9.81)
	for i, want := range []float64{0, 31.6399, 6.0351, 0, 0.0283, 0} {
		if math.Abs(load[i]-want) > 5e-5 {
			t.Errorf("gravity asks %v of joint %d, want %v", load[i], i, want)
		}
	}
	m := pumaInertia(sin, cos)
	for at, want := range map[[2]int]float64{
		{0, 0}: 3.6594, {0, 1}: -0.4044, {0, 2}: 0.1006, {1, 1}: 4.4137, {1, 2}: 0.3509, {2, 2}: 0.9378,
		{3, 3}: 0.1925, {4, 4}: 0.1713, {5, 5}: 0.1941, {1, 4}: 0.0024, {2, 4}: 0.0015,
	} {
		if got := m[at[0]][at[1]]; math.Abs(got-want) > 6e-5 || math.Abs(got-m[at[1]][at[0]]) > 1e-12 {
			t.Errorf("mass matrix at %v is %v and %v, want %v", at, got, m[at[1]][at[0]], want)
		}
	}
}

// What moves by torques u asks for the torques u.
func TestPUMAForwardInvertsBackward(t *testing.T) {
	rng, p := rand.New(rand.NewPCG(1, 11)), &PUMA{}
	for range 20 {
		var q, qd, u, sin, cos joints
		for i := range q {
			q[i], qd[i], u[i] = 2*rng.NormFloat64(), rng.NormFloat64(), 10*rng.NormFloat64()
			sin[i], cos[i] = vec.SinCos1(q[i])
		}
		for i, got := range pumaTorques(sin, cos, qd, p.accelerations(q, qd, u), 9.81) {
			near(t, "torque", got, u[i], 1e-10)
		}
	}
}

// Without gravity's work and friction the kinetic energy moves by the torques' power
// alone: what the Coriolis terms do, they do at no cost.
func TestPUMAPower(t *testing.T) {
	rng, p := rand.New(rand.NewPCG(2, 11)), &PUMA{}
	kinetic := func(q, v joints) float64 {
		var sin, cos joints
		for i := range q {
			sin[i], cos[i] = vec.SinCos1(q[i])
		}
		e, m := 0.0, pumaInertia(sin, cos)
		for i := range q {
			for j := range q {
				e += v[i] * m[i][j] * v[j] / 2
			}
		}
		return e
	}
	for range 10 {
		var q, v, u, sin, cos joints
		for i := range q {
			q[i], v[i], u[i] = 2*rng.NormFloat64(), rng.NormFloat64(), 10*rng.NormFloat64()
			sin[i], cos[i] = vec.SinCos1(q[i])
		}
		a, load := p.accelerations(q, v, u), pumaTorques(sin, cos, joints{}, joints{}, 9.81)
		power := 0.0
		for i := range q {
			power += v[i] * (u[i] - load[i])
		}
		const h = 1e-5
		at := func(h float64) float64 {
			x, w := q, v
			for i := range x {
				x[i] += h*v[i] + h*h/2*a[i]
				w[i] += h * a[i]
			}
			return kinetic(x, w)
		}
		near(t, "power", (at(h)-at(-h))/(2*h), power, 1e-6)
	}
}
