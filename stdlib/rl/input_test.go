package rl

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// broken is a pendulum that returns numbers that are none, from a step on.
type broken struct {
	System
	seen, reward float64
}

func (b broken) Observe(o, x []float64) {
	b.System.Observe(o, x)
	o[1] += b.seen
}

func (b broken) Step(x, a []float64, rng *rand.Rand) (float64, bool) {
	r, end := b.System.Step(x, a, rng)
	return r + b.reward, end
}

// half is a pendulum with torques from 0 to 10.
type half struct{ System }

func (h half) Spaces() (observation, action Space) {
	observation, _ = h.System.Spaces()
	return observation, Box(1, 0, 10)
}

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 60)) }

// TestNumbersThatAreNone: learners, rollouts and evaluations say where an environment
// has returned NaN, in place of learning from it.
func TestNumbersThatAreNone(t *testing.T) {
	ctx := context.Background()
	learners := map[string]func(System) (Learner, error){
		"PPO":   func(s System) (Learner, error) { return NewPPO(s, nil, source(1)) },
		"TRPO":  func(s System) (Learner, error) { return NewTRPO(s, nil, source(1)) },
		"SBEED": func(s System) (Learner, error) { return NewSBEED(s, nil, source(1)) },
		"DDPG":  func(s System) (Learner, error) { return NewDDPG(s, nil, source(1)) },
		"SAC":   func(s System) (Learner, error) { return NewSAC(s, nil, source(1)) },
		"A2C":   func(s System) (Learner, error) { return NewA2C(s, nil, source(1)) },
	}
	for want, system := range map[string]System{
		"the reward of step 0 is NaN, must be finite":          broken{NewPendulum(), 0, math.NaN()},
		"number 1 of the observation is NaN, must be finite":   broken{NewPendulum(), math.NaN(), 0},
		"the reward of step 0 is +Inf, must be finite":         broken{NewPendulum(), 0, math.Inf(1)},
		"number 1 of the observation is -Inf, must be finite ": broken{NewPendulum(), math.Inf(-1), 0},
	} {
		for name, make := range learners {
			l, err := make(system)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Train(ctx, l, 1000, nil); err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
				t.Errorf("%s: error is %v, want %q", name, err, want)
			}
		}
		p, err := NewPolicy(NewPendulum(), nil, source(2))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Evaluate(ctx, system, p, 2, source(3)); err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("evaluation: error is %v, want %q", err, want)
		}
	}
}

func panics(f func()) (said string) {
	defer func() { said = fmt.Sprint(recover()) }()
	f()
	return ""
}

// TestWrongObservations: actors refuse what is no observation of their system.
func TestWrongObservations(t *testing.T) {
	p, err := NewPolicy(NewPendulum(), nil, source(4))
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewDDPG(NewPendulum(), nil, source(4))
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSBEED(NewPendulum(), nil, source(4))
	if err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string][]float64{
		"the observation has 1 numbers, must have 3":    {1},
		"the observation has 4 numbers, must have 3":    {1, 0, 0, 0},
		"number 2 of the observation is NaN, must be f": {1, 0, math.NaN()},
	} {
		for name, f := range map[string]func(){
			"Act": func() { p.Act(o, source(1)) }, "Mode": func() { p.Mode(o) },
			"DDPG": func() { d.Actor().Act(o, nil) }, "value": func() { s.ValueOf(o) },
		} {
			if said := panics(f); !strings.Contains(said, want) {
				t.Errorf("%s says %q, want %q", name, said, want)
			}
		}
	}
	if said := panics(func() { p.Act([]float64{1, 0, 0}, nil) }); !strings.Contains(said, "rng is nil") {
		t.Errorf("Act without rng says %q", said)
	}
}

// TestNothingGiven: nil arguments are errors that name them.
func TestNothingGiven(t *testing.T) {
	ctx, pendulum := context.Background(), NewPendulum()
	p, err := NewPolicy(pendulum, nil, source(5))
	if err != nil {
		t.Fatal(err)
	}
	first := func(_ any, err error) error { return err }
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"policy":        {first(NewPolicy(nil, nil, source(1))), "system is nil"},
		"policy's rng":  {first(NewPolicy(pendulum, nil, nil)), "rng is nil"},
		"PPO":           {first(NewPPO(nil, nil, source(1))), "system is nil"},
		"dual AC":       {first(NewDualAC(pendulum, nil, nil)), "rng is nil"},
		"SBEED":         {first(NewSBEED(pendulum, nil, nil)), "rng is nil"},
		"PCL":           {first(NewPCL(nil, nil, source(1))), "system is nil"},
		"DDPG":          {first(NewDDPG(nil, nil, nil)), "system is nil"},
		"vector":        {first(NewVector(nil, 1, source(1))), "system is nil"},
		"rollout":       {first(Rollout(ctx, pendulum, nil, 1, 0, source(1))), "policy is nil"},
		"evaluation":    {first(Evaluate(ctx, nil, p, 1, source(1))), "system is nil"},
		"other system":  {first(Evaluate(ctx, NewCartPole(), p, 1, source(1))), "must be 4 and 2 for CartPole"},
		"learner":       {first(Train(ctx, nil, 1, nil)), "learner is nil"},
		"linear policy": {first(NewLinearPolicy(nil, mat.NewDense(1, 1, nil), nil, nil)), "is nil"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: error is %v, want %q", name, c.err, c.want)
		}
	}
	if said := panics(func() { NewEnv(nil, source(1)) }); !strings.Contains(said, "system is nil") {
		t.Errorf("NewEnv says %q", said)
	}
	if _, _, err := QLearning(ctx, nil, nil, source(1)); err == nil {
		t.Error("QLearning took no process")
	}
}

// TestBoxFromZero: policies begin in the middle of a box that is not symmetric, within
// it, and the linear policy is exact there.
func TestBoxFromZero(t *testing.T) {
	system := half{NewPendulum()}
	p, err := NewPolicy(system, nil, source(6))
	if err != nil {
		t.Fatal(err)
	}
	rng, o := source(7), []float64{1, 0, 0}
	mean, outside := 0.0, 0
	for range 4000 {
		a := p.Act(o, rng)[0]
		mean += a / 4000
		if a < 0 || a > 10 {
			outside++
		}
	}
	if math.Abs(mean-5) > 0.4 { // the standard deviation is 2.5, its mean's 0.04; the net begins near 0, not at it
		t.Errorf("mean action is %v, want 5", mean)
	}
	if outside > 260 { // 4.6% are two standard deviations off: 182, with standard deviation 13
		t.Errorf("%d of 4000 first actions are outside of the box", outside)
	}
	if std := p.Std()[0]; math.Abs(std-2.5) > 1e-12 {
		t.Errorf("standard deviation is %v, want half of half the width", std)
	}
	d, err := NewDDPG(system, nil, source(8))
	if err != nil {
		t.Fatal(err)
	}
	if a := d.Actor().Mode(o)[0]; math.Abs(a-5) > 0.5 {
		t.Errorf("DDPG begins at %v, want near 5", a)
	}
	linear, err := NewLinearPolicy(system, mat.NewDense(1, 3, []float64{1, 2, 0.25}), []float64{3}, []float64{0.5})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "linear policy", linear.Mode([]float64{0.5, -1, 2})[0], 0.5-2+0.5+3, 1e-12)
	data, err := linear.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var read Policy
	if err := read.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	near(t, "policy read back", read.Mode([]float64{0.5, -1, 2})[0], 2, 1e-12)
}

// TestConstantNumbersHaveNoSpread: returns and advantages that are the same but for rounding are not blown up.
func TestConstantNumbersHaveNoSpread(t *testing.T) {
	for _, v := range []float64{0.1, 1, 36.6, -3} {
		for n := 1; n < 200; n++ {
			x, ends := make([]float64, n), make([]int, n)
			for i := range x {
				x[i], ends[i] = v, i+1
			}
			if got := deviationOfReturns(x, ends, 0.99); got != 1 {
				t.Fatalf("%d returns of %v have deviation %v, want 1 for none", n, v, got)
			}
			if standardize(x); slices.ContainsFunc(x, func(v float64) bool { return v != 0 }) {
				t.Fatalf("%d times %v is standardized to %v", n, v, x[0])
			}
		}
	}
}
