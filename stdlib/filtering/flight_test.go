package filtering

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/herding"
)

// TestCamera: projection undoes back-projection, and rotations agree with the
// exponential of a matrix.
func TestCamera(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 30))
	for range 100 {
		pose := []float64{rng.NormFloat64() * 5, rng.NormFloat64() * 5, 30 + rng.NormFloat64(),
			.2 * rng.NormFloat64(), .2 * rng.NormFloat64(), rng.NormFloat64()}
		u := [2]float64{rng.Float64() - .5, rng.Float64() - .5}
		back := project(pose, backProject(pose, u))
		near(t, "pixel", back[0], u[0], 1e-12)
		near(t, "pixel", back[1], u[1], 1e-12)
		a := pose[3:]
		var e mat.Dense
		e.Exp(mat.NewDense(3, 3, []float64{0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0}))
		v := [3]float64{1, -2, .5}
		r := rotate(a, v, false)
		for i, want := range product(&e, v[:]) {
			near(t, "rotation", r[i], want, 1e-12)
		}
		if b := rotate(a, r, true); math.Abs(b[0]-v[0]) > 1e-12 {
			t.Errorf("rotation back gives %v", b)
		}
	}
}

// TestFlight: all filters follow the flight from its known start, and drift.
func TestFlight(t *testing.T) {
	const steps = 60
	var early, late float64
	for seed := range uint64(4) {
		flight := NewFlight(steps, rand.New(rand.NewPCG(seed, 31)))
		for name, s := range map[string]*Settings{
			"PF": bootstrap(300),
			"FW": with(func(s *Settings) { s.Points, s.Whiten, s.Particles, s.Candidates = Herding, true, 50, 1000 }),
			"FCFW": with(func(s *Settings) {
				s.Points, s.Whiten, s.Particles, s.Candidates, s.Step = Herding, true, 50, 1000, herding.FullyCorrective
			}),
		} {
			r := run(t, FlightModel(), flight.Y, s, seed)
			e := func(t int) float64 {
				return math.Hypot(math.Hypot(r.Means.At(t, 0)-flight.Truth.At(t, 0), r.Means.At(t, 1)-flight.Truth.At(t, 1)), r.Means.At(t, 2)-flight.Truth.At(t, 2))
			}
			near(t, name+" at the start", e(0), 0, 1e-9)
			early += e(4)
			late += e(steps - 1)
			// Speed alone would leave an error of about speed deviation x time, 1 m,
			// and a random walk on top of it.
			if v := e(steps - 1); v > 4 {
				t.Errorf("%s is %v m off after %v s", name, v, steps*flightStep)
			}
		}
	}
	if early > late {
		t.Errorf("errors shrink from %v to %v", early, late)
	}
}
