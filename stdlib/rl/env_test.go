package rl

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/oracle"
)

// reference is testdata/gymnasium.json, which testdata/reference.py wrote.
type reference struct {
	Walks []struct {
		Name       string
		States     [][]float64
		Actions    []float64
		Rewards    []float64
		Terminated []bool
	}
	Tables []struct {
		Name  string
		Table [][][][4]any
	}
}

func loadReference(t *testing.T) (r reference) {
	t.Helper()
	oracle.Read(t, "gymnasium.json", &r)
	return r
}

func systems() []System {
	lake, err := NewFrozenLake(nil, true)
	if err != nil {
		panic(err)
	}
	world, err := NewGridWorld(4, 4)
	if err != nil {
		panic(err)
	}
	one := mat.NewDense(1, 1, []float64{1})
	return []System{
		NewPendulum(), NewCartPole(), NewMountainCar(), NewMountainCarContinuous(), NewAcrobot(), NewCartPoleSwingUp(), NewCartDoublePendulum(),
		NewSwimmer(), NewHopper(), NewCheetah(), NewNavigation(), NewArm(), NewPUMA(), NewCliff(), lake, world,
		&LinearQuadratic{A: one, B: one, Q: one, R: one, Noise: 0.1, Spread: 1, Steps: 50},
	}
}

// Each step from Gymnasium's state leads to Gymnasium's next state, and the first ten
// steps in a row do.
func TestStepsEqualGymnasium(t *testing.T) {
	known := map[string]System{}
	for _, s := range systems() {
		known[s.Name()] = s
	}
	for _, w := range loadReference(t).Walks {
		s := known[w.Name]
		tolerance := 1e-12
		if w.Name == "MountainCarContinuous-v0" {
			tolerance = 1e-7 // its state is float32
		}
		own := slices.Clone(w.States[0])
		for i, action := range w.Actions {
			if i < 10 {
				s.Step(own, []float64{action}, nil)
				compare(t, w.Name+" in a row", i, own, w.States[i+1], 3*tolerance)
			}
			state := slices.Clone(w.States[i])
			reward, end := s.Step(state, []float64{action}, nil)
			compare(t, w.Name, i, state, w.States[i+1], tolerance)
			if math.Abs(reward-w.Rewards[i]) > 1e-12*(1+math.Abs(reward)) || end != w.Terminated[i] {
				t.Errorf("%s step %d: reward %v and end %v, want %v and %v", w.Name, i, reward, end, w.Rewards[i], w.Terminated[i])
			}
		}
	}
}

func compare(t *testing.T, name string, step int, got, want []float64, tolerance float64) {
	t.Helper()
	for j := range want {
		if math.Abs(got[j]-want[j]) > tolerance*(1+math.Abs(want[j])) {
			t.Errorf("%s step %d: number %d of the state is %.17g, want %.17g", name, step, j, got[j], want[j])
		}
	}
}

func TestTablesEqualGymnasium(t *testing.T) {
	slippery, _ := NewFrozenLake(nil, true)
	dry, _ := NewFrozenLake(nil, false)
	for i, m := range []*MDP{NewCliff(), slippery, dry} {
		want := loadReference(t).Tables[i]
		if want.Name != m.Name() || len(want.Table) != m.States() || len(want.Table[0]) != m.Actions() {
			t.Fatalf("%s: table %s is %d x %d", m.Name(), want.Name, len(want.Table), len(want.Table[0]))
		}
		for s, row := range want.Table {
			for a, outcomes := range row {
				// By next state, reward and end, as the order of outcomes differs.
				sum := map[[3]any]float64{}
				for _, o := range outcomes {
					sum[[3]any{o[1], o[2], o[3]}] += o[0].(float64)
				}
				for _, o := range m.Outcomes(s, a) {
					sum[[3]any{float64(o.Next), o.Reward, o.End}] -= o.Probability
				}
				for k, p := range sum {
					// Gymnasium calls a step within the cliff an end or not by where it leads; so do we.
					if math.Abs(p) > 1e-12 {
						t.Errorf("%s state %d action %d: outcome %v has %v too much", m.Name(), s, a, k, -p)
					}
				}
			}
		}
	}
}

// Without force and friction nothing moves the energy in ten seconds.
func TestEnergyIsConserved(t *testing.T) {
	drift := func(name string, seconds, dt float64, state []float64, energy func([]float64) float64, step func()) {
		t.Helper()
		start, scale := energy(state), 0.0
		for at := 0.0; at < seconds; at += dt {
			step()
			scale = max(scale, math.Abs(energy(state)-start))
		}
		if scale > 1e-4 {
			t.Errorf("%s: energy %v drifts by %v in %v s", name, start, scale, seconds)
		}
	}
	up := NewCartPoleSwingUp()
	up.Friction = 0
	s := []float64{0, 0.3, 0.5, 2}
	drift("swing-up", 10, up.Seconds, s, up.energy, func() { up.Step(s, []float64{0}, nil) })

	double := NewCartDoublePendulum()
	double.Friction, double.JointFriction = 0, 0
	d := point{0, 0.05, -0.02, 0.1, 0.2, -0.1} // it falls, in shorter steps
	drift("double pendulum", 10, 0.001, d[:], double.energy, func() { d = rk4(d, 0.001, func(p point) point { return double.flow(p, 0) }) })

	acrobot := NewAcrobot()
	a := point{0.3, -0.2, 0.1, 0.2}
	drift("acrobot", 10, 0.01, a[:], acrobot.energy, func() { a = rk4(a, 0.01, func(p point) point { return acrobot.flow(p, 0) }) })

	swimmer := NewSwimmer()
	swimmer.Viscosity = 0
	w := []float64{0, 0, 0.1, 0.5, -0.3, 0.1, 0.2, 0.5, -0.4, 0.3}
	drift("swimmer", 10, 0.04, w, func(s []float64) float64 { p := swimmer.body.pose(s[:5], s[5:]); return swimmer.body.energy(&p, 0) },
		func() { swimmer.Step(w, []float64{0, 0}, nil) })
}

// A swimmer's momentum moves only by the fluid, and a chain in free fall has its
// centre of mass fall freely.
func TestChainFallsFreely(t *testing.T) {
	c := NewCheetah().body
	rng := rand.New(rand.NewPCG(1, 3))
	q, v, a := make([]float64, c.n+2), make([]float64, c.n+2), make([]float64, c.n+2)
	for i := range q {
		q[i], v[i] = rng.NormFloat64(), rng.NormFloat64()
	}
	p := c.pose(q, v)
	c.weigh(&p, 9.81)
	for i := 1; i < c.n; i++ {
		c.drive(&p, i, 10*rng.NormFloat64())
	}
	c.accelerations(a, &p)
	ax, ay := c.total*a[0], c.total*a[1]
	spin := 0.0
	for j := range c.n {
		ax += -c.moment[j] * (p.sin[j]*a[2+j] + p.cos[j]*v[2+j]*v[2+j])
		ay += c.moment[j] * (p.cos[j]*a[2+j] - p.sin[j]*v[2+j]*v[2+j])
		spin += a[2+j]
	}
	if math.Abs(ax/c.total) > 1e-10 || math.Abs(ay/c.total+9.81) > 1e-10 {
		t.Errorf("the centre of mass accelerates by (%v, %v), want (0, -9.81)", ax/c.total, ay/c.total)
	}
}

// The reward at rest upright, from the specification of the stand-in.
func TestDoublePendulumUpright(t *testing.T) {
	d := NewCartDoublePendulum()
	reward, end := d.Step(make([]float64, 6), []float64{0}, nil)
	if math.Abs(reward-9.36) > 1e-12 || end {
		t.Errorf("reward %v and end %v at rest upright, want 9.36 and false", reward, end)
	}
}

// Bodies with legs stand or fall as bodies do: no number explodes under random or
// extreme torques, and feet do not sink in.
func TestWalkersStayOnTheFloor(t *testing.T) {
	for _, w := range []*Walker{NewHopper(), NewCheetah()} {
		rng := rand.New(rand.NewPCG(2, 3))
		s, action := make([]float64, w.Dim()), make([]float64, w.body.n-1)
		_, space := w.Spaces()
		w.Init(s, rng)
		deepest, fastest := 0.0, 0.0
		for step := range 500 {
			if step%20 == 0 {
				space.Sample(action, rng)
			}
			reward, _ := w.Step(s, action, rng)
			if reward-reward != 0 {
				t.Fatalf("%s: reward %v at step %d", w.Name(), reward, step)
			}
			p := w.body.pose(s[:w.body.n+2], s[w.body.n+2:])
			for i := range w.feet {
				_, y, vx, vy := w.body.at(&p, &w.feet[i])
				deepest, fastest = min(deepest, y), max(fastest, math.Hypot(vx, vy))
			}
		}
		if deepest < -0.1 || fastest > 60 {
			t.Errorf("%s: goes %v m into the floor and as fast as %v m/s", w.Name(), -deepest, fastest)
		}
	}
}

func TestEnvKeepsTheRules(t *testing.T) {
	for _, s := range systems() {
		rng := rand.New(rand.NewPCG(3, 3))
		env := NewEnv(s, rng)
		observation, action := s.Spaces()
		a := make([]float64, action.Dim())
		seen := env.Reset()
		for step := 1; ; step++ {
			if !observation.Contains(seen) {
				t.Fatalf("%s: %v is outside of the space of observations", s.Name(), seen)
			}
			action.Sample(a, rng)
			if !action.Contains(a) {
				t.Fatalf("%s: %v is no action", s.Name(), a)
			}
			before := slices.Clone(a)
			next, _, terminated, truncated := env.Step(a...)
			if !slices.Equal(a, before) || &next[0] == &seen[0] {
				t.Fatalf("%s: the action was changed, or the observation is not new", s.Name())
			}
			if truncated != (!terminated && step == s.Limit()) || env.Elapsed() != step {
				t.Fatalf("%s: truncated is %v at step %d", s.Name(), truncated, step)
			}
			if terminated || truncated {
				break
			}
			seen = next
		}
		mustPanic(t, "rl: the episode is over, Reset starts the next", func() { env.Step(a...) })
		env.Reset()
		b := env.Render(60, 40).Bounds()
		if b.Dx() != 60 || b.Dy() != 40 {
			t.Errorf("%s: a picture of %v", s.Name(), b)
		}
	}
}

func mustPanic(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		if r := recover(); r != want {
			t.Errorf("panic %v, want %v", r, want)
		}
	}()
	f()
}

func TestBadActions(t *testing.T) {
	cart := NewEnv(NewCartPole(), rand.New(rand.NewPCG(1, 1)))
	mustPanic(t, "rl: action is 2, must be a whole number from 0 to 1", func() { cart.Step(2) })
	mustPanic(t, "rl: action is 0.5, must be a whole number from 0 to 1", func() { cart.Step(0.5) })
	mustPanic(t, "rl: the action has 2 numbers, must have 1", func() { cart.Step(0, 1) })
	pendulum := NewEnv(NewPendulum(), rand.New(rand.NewPCG(1, 1)))
	mustPanic(t, "rl: a number of the action is NaN, must be finite", func() { pendulum.Step(math.NaN()) })
	if err := pendulum.SetState([]float64{1, math.Inf(1)}, 0); err == nil {
		t.Error("an infinite state was taken")
	}
	if err := pendulum.SetState([]float64{1, 2}, 200); err == nil {
		t.Error("a state after the limit was taken")
	}
}

// A vector's environments do what single ones do, whatever the number of cores.
func TestVectorEqualsSingleEnvironments(t *testing.T) {
	const n, steps = 600, 60
	for _, s := range []System{NewCartPole(), must(WithActionNoise(NewPendulum(), 0.1))} {
		_, action := s.Spaces()
		var first *Vector
		for _, cores := range []int{1, 3} {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
			v, err := NewVector(s, n, rand.New(rand.NewPCG(4, 3)))
			if err != nil {
				t.Fatal(err)
			}
			actions, rng := mat.NewDense(n, 1, nil), rand.New(rand.NewPCG(5, 3))
			key := rand.New(rand.NewPCG(4, 3)).Uint64()
			env := NewEnv(s, rand.New(rand.NewPCG(key, 17)))
			ends := 0
			for range steps {
				for i := range n {
					action.Sample(actions.RawRowView(i), rng)
				}
				v.Step(actions)
				seen, reward, terminated, truncated := env.Step(actions.At(17, 0))
				if reward != v.Rewards[17] || terminated != v.Terminated[17] || truncated != v.Truncated[17] {
					t.Fatalf("%s: environment 17 differs from a single one", s.Name())
				}
				if terminated || truncated {
					ends++
					if !slices.Equal(seen, v.Final.RawRowView(17)) {
						t.Fatalf("%s: final %v, want %v", s.Name(), v.Final.RawRowView(17), seen)
					}
					seen = env.Reset()
				}
				if !slices.Equal(seen, v.Observations.RawRowView(17)) {
					t.Fatalf("%s: observation %v, want %v", s.Name(), v.Observations.RawRowView(17), seen)
				}
			}
			if s.Name() == "CartPole-v1" && ends == 0 {
				t.Error("no episode came to its end")
			}
			if first == nil {
				first = v
			} else if !mat.Equal(first.Observations, v.Observations) {
				t.Errorf("%s: other results on another number of cores", s.Name())
			}
		}
	}
}

func must(s System, err error) System {
	if err != nil {
		panic(err)
	}
	return s
}

func TestNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 3))
	spread := func(s System, number int) float64 {
		sum, sum2 := 0.0, 0.0
		for range 4000 {
			state := []float64{0.1, 0.2}
			s.Step(state, []float64{0.5}, rng)
			sum += state[number]
			sum2 += state[number] * state[number]
		}
		return math.Sqrt(sum2/4000 - sum/4000*sum/4000)
	}
	// Noise of 0.1 in the torque is 0.1*3*0.05 in the velocity.
	if sd := spread(must(WithActionNoise(NewPendulum(), 0.1)), 1); math.Abs(sd-0.015) > 0.001 {
		t.Errorf("action noise gives the velocity a standard deviation of %v, want 0.015", sd)
	}
	if sd := spread(must(WithStateNoise(NewPendulum(), 0, 0.3)), 1); math.Abs(sd-0.3) > 0.02 {
		t.Errorf("state noise has a standard deviation of %v, want 0.3", sd)
	}
	slipped, steps := 0, 4000
	s := must(WithSlip(NewCliff(), 0.4))
	for range steps {
		state := []float64{24}
		s.Step(state, []float64{1}, rng)
		if state[0] != 25 {
			slipped++
		}
	}
	if f := float64(slipped) / float64(steps); math.Abs(f-0.3) > 0.03 {
		t.Errorf("%v of the steps slip, want 0.3", f)
	}
	for want, err := range map[string]error{
		"rl: sigma is -1, must be at least 0":                                                           fails(WithActionNoise(NewPendulum(), -1)),
		"rl: there are 3 values of sigma, must be 1 or 2":                                               fails(WithStateNoise(NewPendulum(), 1, 2, 3)),
		"rl: probability is 2, must be from 0 to 1":                                                     fails(WithSlip(NewCartPole(), 2)),
		"rl: the actions of Pendulum-v1 are a box, must be choices; WithActionNoise makes a box random": fails(WithSlip(NewPendulum(), 0.1)),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func fails(_ System, err error) error { return err }

func TestFilm(t *testing.T) {
	env := NewEnv(NewPendulum(), rand.New(rand.NewPCG(7, 3)))
	film, err := Record(context.Background(), env, func([]float64) []float64 { return []float64{1} }, 5, 40, 30, 20)
	if err != nil {
		t.Fatal(err)
	}
	data, err := film.GIF()
	if err != nil || len(film.Frames) != 6 || !strings.HasPrefix(string(data), "GIF89a") {
		t.Errorf("%d frames, %d bytes, error %v", len(film.Frames), len(data), err)
	}
	if _, err := (&Film{FPS: 1}).GIF(); err == nil {
		t.Error("a film without frames has a GIF")
	}
}

func BenchmarkStep(b *testing.B) {
	for _, s := range systems() {
		b.Run(s.Name(), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			env := NewEnv(s, rng)
			_, action := s.Spaces()
			a := make([]float64, action.Dim())
			action.Sample(a, rng)
			for b.Loop() {
				if _, _, terminated, truncated := env.Step(a...); terminated || truncated {
					env.Reset()
				}
			}
		})
	}
}

func BenchmarkVectorCartPole(b *testing.B) {
	const n = 4096
	rng := rand.New(rand.NewPCG(1, 1))
	v, _ := NewVector(NewCartPole(), n, rng)
	actions := mat.NewDense(n, 1, nil)
	for i := range n {
		actions.Set(i, 0, float64(rng.IntN(2)))
	}
	for b.Loop() {
		v.Step(actions)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/step")
}
