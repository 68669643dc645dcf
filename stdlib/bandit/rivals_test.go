package bandit

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// TestRivals: every sampler finds the best of five arms with error probability at
// most delta (of 80 runs at delta = 0.1, at least 66 are right with probability 0.98
// if the error is 0.1), for normal, Bernoulli and bounded rewards, and the
// adaptive ones take fewer pulls than uniform sampling.
func TestRivals(t *testing.T) {
	const runs = 80
	for name, arms := range map[string]Arms{
		"normal":    Gaussian{Means: []float64{0, 1, .2, -.3, .1}, Sigma: 1},
		"Bernoulli": Bernoulli{Means: []float64{.3, .8, .4, .2, .35}},
		"bounded": Bounded{N: 5, Low: -1, High: 1, Draw: func(arm int, rng *rand.Rand) float64 {
			return []float64{0, 0.8, 0, 0.2, -0.2}[arm] + 0.4*rng.Float64() - 0.2
		}},
	} {
		pulls := map[Sampler]float64{}
		for _, sampler := range Samplers {
			right := 0
			for r := range runs {
				s := DefaultSettings()
				s.Sampler = sampler
				res, err := BestArm(context.Background(), arms, 0.1, s, rand.New(rand.NewPCG(uint64(r), 3)))
				if err != nil {
					t.Fatal(err)
				}
				if !res.Stopped || res.Total >= s.Budget {
					t.Fatalf("%s, %s: did not stop", name, sampler)
				}
				if res.Best == 1 {
					right++
				}
				pulls[sampler] += float64(res.Total) / runs
			}
			if right < 66 {
				t.Errorf("%s, %s: %d of %d runs are right", name, sampler, right, runs)
			}
		}
		t.Logf("%s: pulls %v", name, pulls)
		for _, sampler := range []Sampler{Adaptive, LUCB, TopTwo} {
			if pulls[sampler] >= pulls[Uniform] {
				t.Errorf("%s: %s takes %v pulls, uniform %v", name, sampler, pulls[sampler], pulls[Uniform])
			}
		}
	}
}

// TestElimination: the arms that go are the worst first, an eliminated one is not
// pulled again, and a coarse epsilon ends it early.
func TestElimination(t *testing.T) {
	s := DefaultSettings()
	s.Sampler = Elimination
	arms := Gaussian{Means: []float64{0, 3, 2, 1}, Sigma: 1}
	r, err := NewRace(arms, 0.05, s, rand.New(rand.NewPCG(1, 4)))
	if err != nil {
		t.Fatal(err)
	}
	for r.Step() {
	}
	res := r.Result()
	if res.Best != 1 || !(res.Pulls[0] < res.Pulls[3] && res.Pulls[3] < res.Pulls[2]) || res.Pulls[1] < res.Pulls[2] {
		t.Errorf("best %d after pulls %v", res.Best, res.Pulls)
	}
	s.Epsilon = 1.5
	early, err := BestArm(context.Background(), arms, 0.05, s, rand.New(rand.NewPCG(1, 4)))
	if err != nil || early.Total >= res.Total || arms.Means[early.Best] < 1.5 {
		t.Errorf("%+v with epsilon 1.5, %v; %d pulls without", early, err, res.Total)
	}
}

// TestLilDelta: the bound on the error of theorem 2 at the chosen confidence is the
// probability asked for.
func TestLilDelta(t *testing.T) {
	c := 2.01 / 0.01 * math.Pow(1/math.Log(1.01), 1.01)
	for _, nu := range []float64{0.5, 0.1, 1e-3} {
		d := lilDelta(nu)
		if got := 4*math.Sqrt(c*d) + 4*c*d; math.Abs(got-nu) > 1e-12 {
			t.Errorf("error bound %v, want %v", got, nu)
		}
	}
}

// TestTopTwo: the leader is pulled about half of the time, the others the more the
// closer they are.
func TestTopTwo(t *testing.T) {
	s := DefaultSettings()
	s.Sampler, s.Budget = TopTwo, 20000
	r, err := NewRace(Gaussian{Means: []float64{.5, 1, .9, 0}, Sigma: 1}, 1e-12, s, rand.New(rand.NewPCG(2, 4)))
	if err != nil {
		t.Fatal(err)
	}
	for r.Step() {
	}
	n := r.Result().Pulls
	if share := float64(n[1]) / float64(r.Result().Total); math.Abs(share-.5) > .15 {
		t.Errorf("the best arm has %v of the pulls, want about a half: %v", share, n)
	}
	if !(n[2] > n[0] && n[0] > n[3]) {
		t.Errorf("pulls %v, want the closer the more", n)
	}
}
