package rl

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// upright is an actor of the caller's own: a torque against angle and speed.
type upright struct{}

func (upright) Act(o []float64, _ *rand.Rand) []float64 { return upright{}.Mode(o) }
func (upright) Mode(o []float64) []float64              { return []float64{-10*o[1] - 2*o[2]} }

// TestEvaluateTakesAnyActor: the mean return is that of the episodes played by hand.
func TestEvaluateTakesAnyActor(t *testing.T) {
	got, err := Evaluate(context.Background(), NewPendulum(), upright{}, 3, source(1))
	if err != nil {
		t.Fatal(err)
	}
	key, want := source(1).Uint64(), 0.0
	for i := range 3 {
		env := NewEnv(NewPendulum(), rand.New(rand.NewPCG(key, uint64(i))))
		for over := false; !over; {
			_, r, terminated, truncated := env.Step(upright{}.Mode(env.Observation())...)
			want, over = want+r/3, terminated || truncated
		}
	}
	near(t, "mean return", got, want, 1e-10)
}

// wrong is an actor whose actions are none.
type wrong struct{ a []float64 }

func (w wrong) Act([]float64, *rand.Rand) []float64 { return w.a }
func (w wrong) Mode([]float64) []float64            { return w.a }

func TestEvaluateRefusesActionsThatAreNone(t *testing.T) {
	for want, a := range map[string][]float64{
		"the action has 2 numbers, must have 1":      {0, 1},
		"action is 2, must be a whole number from 0": {2},
		"is NaN, must be finite":                     {math.NaN()},
	} {
		if _, err := Evaluate(context.Background(), NewCartPole(), wrong{a}, 1, source(1)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := Evaluate(context.Background(), NewCartPole(), nil, 1, source(1)); err == nil {
		t.Error("nil is no actor")
	}
}

// still pays nothing but for actions: minus their square, and 1 for each step.
type still struct{ System }

func (s still) Step(x, a []float64, rng *rand.Rand) (float64, bool) {
	return 1 - a[0]*a[0], false
}

// TestBaselines: of a reward 1 - a^2 in a box [-2, 2] the idle policy has 200, and the
// uniform one 200 (1 - 4/3).
func TestBaselines(t *testing.T) {
	idle, random, err := Baselines(context.Background(), still{NewPendulum()}, 400, source(2))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "idle", idle, 200, 1e-9)
	near(t, "random", random, -200/3.0, 5*200*math.Sqrt(64/45.0/200/400)) // five standard errors
}

// TestTrainEvaluates: evaluations are apart from learning, whose bits they leave, at
// the steps asked for, and stop it early.
func TestTrainEvaluates(t *testing.T) {
	ctx := context.Background()
	system, err := WithLimit(NewPendulum(), 50)
	if err != nil {
		t.Fatal(err)
	}
	learner := func() Learner {
		l, err := NewTRPO(system, &PolicyGradientSettings{Episodes: 2}, source(3))
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	plain, err := Train(ctx, learner(), 1000, nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	c, err := Train(ctx, learner(), 1000, &TrainSettings{Every: 300, Episodes: 2, Observe: func(Progress) { seen++ }})
	if err != nil {
		t.Fatal(err)
	}
	var at []int
	for i, p := range c {
		if p.Return != plain[i].Return {
			t.Errorf("iteration %d: return %v with evaluation, %v without", i, p.Return, plain[i].Return)
		}
	}
	for _, p := range c.Evaluations() {
		at = append(at, p.Steps)
	}
	if len(at) != 4 || at[0] != 300 || at[1] != 600 || at[2] != 900 || at[3] != 1000 || seen != 10 {
		t.Errorf("evaluated at %v, observed %d iterations", at, seen)
	}
	c, err = Train(ctx, learner(), 1000, &TrainSettings{Every: 300, Episodes: 2, Stop: func(p Progress) bool { return p.Evaluated > -1e9 }})
	if err != nil || len(c) != 3 {
		t.Errorf("%d iterations, want 3: %v", len(c), err)
	}
}

// TestCheckpoint: training that is broken off goes on with the same bits.
func TestCheckpoint(t *testing.T) {
	ctx := context.Background()
	learner := func() Learner {
		l, err := NewA2C(NewCartPole(), nil, source(4))
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	whole, err := Train(ctx, learner(), 12800, &TrainSettings{Every: 2560})
	if err != nil {
		t.Fatal(err)
	}
	set := &TrainSettings{Every: 2560, Checkpoint: filepath.Join(t.TempDir(), "learner")}
	if _, err := Train(ctx, learner(), 5120, set); err != nil {
		t.Fatal(err)
	}
	resumed, err := Train(ctx, learner(), 12800, set)
	if err != nil {
		t.Fatal(err)
	}
	if len(whole) != len(resumed) {
		t.Fatalf("%d iterations, want %d", len(resumed), len(whole))
	}
	for i, p := range whole {
		if q := resumed[i]; p.Return != q.Return || p.Loss != q.Loss || p.Evaluated != q.Evaluated && p.Evaluated == p.Evaluated {
			t.Errorf("iteration %d: %+v, want %+v", i, q, p)
		}
	}
	if err := os.WriteFile(set.Checkpoint, []byte("no"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Train(ctx, learner(), 12800, set); err == nil || !strings.Contains(err.Error(), "is no checkpoint") {
		t.Errorf("error %v", err)
	}
}

// TestMedianBandwidth: the default is the median distance of what is seen, against a
// program that is slow and plain, within what chance does to 500 of 1,000 rows.
func TestMedianBandwidth(t *testing.T) {
	for _, system := range []System{NewPendulum(), NewCheetah(), NewCartPole()} {
		observation, _ := system.Spaces()
		input := newEncoder(observation)
		seen, _, _ := probe(system, &input, probeSteps, source(5))
		n, _ := seen.Dims()
		var distances []float64
		for i := range n {
			for j := range i {
				var d mat.VecDense
				d.SubVec(seen.RowView(i), seen.RowView(j))
				distances = append(distances, mat.Norm(&d, 2))
			}
		}
		below, got := 0, medianBandwidth(system, &input, source(5))
		for _, d := range distances {
			if d < got {
				below++
			}
		}
		near(t, system.Name()+": share of distances below", float64(below)/float64(len(distances)), 0.5, 0.05)
	}
}

// TestNormalize: the steps that were measured have mean 0 and deviation 1, and those of
// other episodes nearly.
func TestNormalize(t *testing.T) {
	n, err := Normalize(NewPendulum(), 0.99, 4000, source(6))
	if err != nil {
		t.Fatal(err)
	}
	observation, _ := n.Spaces()
	input := newEncoder(observation)
	for seed, tolerance := range map[uint64]float64{6: 1e-9, 7: 0.3} {
		seen, _, _ := probe(n, &input, 4000, source(seed))
		for j := range 3 {
			mean, deviation := spreadOf(mat.Col(nil, j, seen))
			near(t, "mean", mean, 0, tolerance)
			near(t, "deviation", deviation, 1, tolerance)
		}
	}
	// Rewards that are 1 have the returns (1 - discount^t) / (1 - discount) in step t.
	one := still{NewPendulum()}
	m, err := Normalize(paid{one}, 0.9, 400, source(8))
	if err != nil {
		t.Fatal(err)
	}
	var returns []float64
	for t := range 200 {
		returns = append(returns, (1-math.Pow(0.9, float64(t+1)))/0.1)
	}
	_, want := spreadOf(returns)
	near(t, "deviation of returns", m.Return, want, 1e-9)
}

type paid struct{ System }

func (paid) Step(_, _ []float64, _ *rand.Rand) (float64, bool) { return 1, false }

// TestDecay: rates fall as 1/(1 + steps/decay), for every learner.
func TestDecay(t *testing.T) {
	near(t, "rate at the start", fall(0, 100), 1, 0)
	near(t, "rate after as many steps", fall(100, 100), 0.5, 0)
	near(t, "rate without decay", fall(1e6, 0), 1, 0)
	system, err := WithLimit(NewPendulum(), 50)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSBEED(system, &SBEEDSettings{Updates: 1, Decay: 50}, source(9))
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPPO(system, &PolicyGradientSettings{Episodes: 1, Decay: 50}, source(9))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []Learner{s, p} {
		if _, err := l.Iterate(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	near(t, "SBEED's rate", s.PolicyAdam.Rate, s.settings.PolicyRate/2, 1e-15)
	near(t, "PPO's rate", p.PolicyAdam.Rate, p.settings.Rate/2, 1e-15)
}

// TestPPOKeepsItsPolicy: with the defaults an iteration of PPO, whose epochs end early,
// does not throw the policy away, neither one that is linear in features nor a network.
func TestPPOKeepsItsPolicy(t *testing.T) {
	system, err := WithLimit(NewCheetah(), 200)
	if err != nil {
		t.Fatal(err)
	}
	for _, hidden := range [][]int{nil, {64, 64}} {
		l, err := NewPPO(system, &PolicyGradientSettings{Policy: &PolicySettings{Hidden: hidden}}, source(10))
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			p, err := l.Iterate(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if p.Divergence > 0.1 {
				t.Errorf("hidden %v: an iteration moves the policy by %v", hidden, p.Divergence)
			}
		}
	}
}

// TestLearnersSay: a learner shows what it is.
func TestLearnersSay(t *testing.T) {
	short, err := WithLimit(NewPendulum(), 10)
	if err != nil {
		t.Fatal(err)
	}
	for want, learner := range map[string]func() (Learner, error){
		"A2C on Pendulum-v1, after 1280 steps":   func() (Learner, error) { return NewA2C(short, nil, source(1)) },
		"DDPG on Pendulum-v1, after 10 steps":    func() (Learner, error) { return NewDDPG(short, nil, source(1)) },
		"SAC on Pendulum-v1, after 10 steps":     func() (Learner, error) { return NewSAC(short, nil, source(1)) },
		"PPO on Pendulum-v1, after 2050 steps":   func() (Learner, error) { return NewPPO(short, nil, source(1)) },
		"SBEED on Pendulum-v1, after 10 steps":   func() (Learner, error) { return NewSBEED(short, &SBEEDSettings{Episodes: 1}, source(1)) },
		"DQN on MountainCar-v0, after 200 steps": func() (Learner, error) { return NewDQN(NewMountainCar(), nil, source(1)) },
	} {
		l, err := learner()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Iterate(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(l); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
