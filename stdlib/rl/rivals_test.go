package rl

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// gradientMethods make the policy gradients.
var gradientMethods = map[string]func(System, *PolicyGradientSettings, *rand.Rand) (*PolicyGradient, error){
	"REINFORCE": NewREINFORCE, "PPO": NewPPO, "NPG": NewNPG, "TRPO": NewTRPO, "DualAC": NewDualAC,
}

// Generalized advantages against their definition, a double sum.
func TestAdvantages(t *testing.T) {
	const discount, lambda, scale = 0.9, 0.8, 0.5
	rng := rand.New(rand.NewPCG(1, 9))
	e := &Episode{Rewards: make([]float64, 7)}
	values := make([]float64, 8)
	for i := range values {
		values[i] = rng.NormFloat64()
	}
	for i := range e.Rewards {
		e.Rewards[i] = rng.NormFloat64()
	}
	for s, got := range advantages(e, values, discount, lambda, scale) {
		want, weight := 0.0, 1.0
		for u := s; u < e.Len(); u++ {
			want += weight * (scale*e.Rewards[u] + discount*values[u+1] - values[u])
			weight *= discount * lambda
		}
		near(t, "advantage", got, want, 1e-12)
	}
}

// A baseline of returns that are linear in its features has no error.
func TestBaselineFitsWhatIsLinear(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	e := &Episode{Terminated: true, Rewards: make([]float64, 50), Inputs: mat.NewDense(51, 2, nil)}
	value := func(step int) float64 {
		x, s := e.Inputs.RawRowView(step), float64(step)/100
		return 2*x[0] - x[1] + 0.5*x[0]*x[0] + 3*s - s*s*s + 1
	}
	for i := range 51 {
		e.Inputs.Set(i, 0, rng.NormFloat64())
		e.Inputs.Set(i, 1, rng.NormFloat64())
	}
	for i := range e.Rewards {
		next := 0.0
		if i < 49 {
			next = value(i + 1)
		}
		e.Rewards[i] = value(i) - 0.9*next
	}
	var b baseline
	if err := b.fit([]*Episode{e}, 0.9, 1); err != nil {
		t.Fatal(err)
	}
	for i, v := range b.values(e)[:50] {
		near(t, "value", v, value(i), 1e-2)
	}
	if end := b.values(e)[50]; end != 0 {
		t.Errorf("the terminal state is worth %v, want 0", end)
	}
}

// Every method balances the pole for longer, and a step of TRPO keeps within its bound.
func TestPolicyGradientsLearnCartPole(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	t.Parallel()
	for name, make := range gradientMethods {
		set := DefaultPolicyGradientSettings()
		set.Episodes, set.EpisodeSteps = 5, 100
		if name == "REINFORCE" {
			set.Rate = 0.03
		}
		l, err := make(NewCartPole(), set, rand.New(rand.NewPCG(3, 9)))
		if err != nil {
			t.Fatal(err)
		}
		var c Curve
		for range 30 {
			p, err := l.Iterate(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			c = append(c, p)
			if name == "TRPO" && p.Divergence > 0.0101 {
				t.Errorf("TRPO: a step has the divergence %v", p.Divergence)
			}
		}
		t.Logf("%s: %.0f, then %.0f after %d steps", name, c[0].Return, c.Final(3), c[29].Steps)
		if c.Final(3) < 2.5*c[0].Return {
			t.Errorf("%s: the return goes from %v to %v only", name, c[0].Return, c.Final(3))
		}
	}
}

// The pendulum's return grows by 400 within 100,000 steps.
func TestNaturalGradientsSwingThePendulum(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	t.Parallel()
	for _, name := range []string{"TRPO", "NPG"} {
		set := DefaultPolicyGradientSettings()
		set.RewardScale = 0.1
		l, err := gradientMethods[name](NewPendulum(), set, rand.New(rand.NewPCG(4, 9)))
		if err != nil {
			t.Fatal(err)
		}
		c, err := Train(context.Background(), l, 100000, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: from %.0f to %.0f", name, c[:5].Final(5), c.Final(5))
		if gain := c.Final(5) - c[:5].Final(5); gain < 400 {
			t.Errorf("%s: the return grows by %v, want 400", name, gain)
		}
	}
}

func TestDDPGSwingsThePendulum(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	t.Parallel()
	set := DefaultDDPGSettings()
	set.ActorRate, set.Target, set.RewardScale = 1e-3, 5e-3, 0.1
	l, err := NewDDPG(NewPendulum(), set, rand.New(rand.NewPCG(5, 9)))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Train(context.Background(), l, 6000, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("from %.0f to %.0f", c[:5].Final(5), c.Final(5))
	if gain := c.Final(5) - c[:5].Final(5); gain < 400 {
		t.Errorf("the return grows by %v, want 400", gain)
	}
	if a := l.Actor().Mode([]float64{1, 0, 0}); len(a) != 1 || math.Abs(a[0]) > 2 {
		t.Errorf("upright it does %v", a)
	}
}

func TestRivalsResume(t *testing.T) {
	set := DefaultPolicyGradientSettings()
	set.Episodes, set.EpisodeSteps = 4, 50
	for _, make := range gradientMethods {
		resumes(t, func(seed uint64) Learner {
			l, err := make(NewPendulum(), set, rand.New(rand.NewPCG(seed, 9)))
			if err != nil {
				t.Fatal(err)
			}
			return l
		})
	}
	ddpg := DefaultDDPGSettings()
	ddpg.Replay, ddpg.Warmup = 150, 50
	resumes(t, func(seed uint64) Learner {
		l, err := NewDDPG(NewPendulum(), ddpg, rand.New(rand.NewPCG(seed, 9)))
		if err != nil {
			t.Fatal(err)
		}
		return l
	})
}

func TestCurves(t *testing.T) {
	c := Curve{{Steps: 10, Return: 1}, {Steps: 20, Return: 3}, {Steps: 40, Return: 5}}
	for i, want := range []float64{1, 1, 2, 3, 5} {
		near(t, "curve", c.At([]int{5, 10, 20, 35, 100}, 20)[i], want, 0)
	}
	near(t, "final", c.Final(2), 4, 0)
}

func TestBadRivalSettings(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	gradient, ddpg := DefaultPolicyGradientSettings(), DefaultDDPGSettings()
	gradient.Clip = -1
	if _, err := NewPPO(NewPendulum(), gradient, rng); err == nil || err.Error() != "rl: clip is -1, must be positive" {
		t.Errorf("error %v", err)
	}
	ddpg.Target = 2
	if _, err := NewDDPG(NewPendulum(), ddpg, rng); err == nil || err.Error() != "rl: target is 2, must be above 0 and at most 1" {
		t.Errorf("error %v", err)
	}
	if _, err := NewDDPG(NewCartPole(), nil, rng); err == nil {
		t.Error("DDPG took choices")
	}
}
