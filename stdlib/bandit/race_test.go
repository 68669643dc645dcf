package bandit

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

var ctx = context.Background()

func mustRun(t testing.TB, arms Arms, delta float64, s *Settings, rng *rand.Rand) Result {
	t.Helper()
	r, err := BestArm(ctx, arms, delta, s, rng)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRunningP compares the p-value with the minimum over all moments and arms
// of the slow one.
func TestRunningP(t *testing.T) {
	for _, sampler := range []Sampler{Adaptive, Uniform} {
		s := DefaultSettings()
		s.Sampler, s.Epsilon, s.Budget = sampler, 0.1, 400
		r, err := NewRace(Gaussian{Means: []float64{0, 1, 1.1, -1}, Sigma: 1}, 1e-12, s, rand.New(rand.NewPCG(3, 0)))
		if err != nil {
			t.Fatal(err)
		}
		want, last := 0.0, -1.0
		var pulls []int
		// Rewards that look at the p-value before every pull.
		inner := r.arms
		look := func() {
			res := r.Result()
			for i := 1; i < 4; i++ {
				if res.Pulls[0] > 0 && res.Pulls[i] > 0 {
					want = max(want, slowP(res.Means[0], res.Pulls[0], res.Means[i], res.Pulls[i], 3, 0.1, 1))
				}
			}
			if math.Abs(r.test.negLog-want) > 1e-9*max(1, want) {
				t.Fatalf("%s after %d pulls: -log P is %v, want %v", sampler, res.Total, r.test.negLog, want)
			}
			if r.test.negLog < last {
				t.Fatal("P has risen")
			}
			last = r.test.negLog
		}
		r.arms = SubGaussian{N: 4, Sigma: 1, Draw: func(i int, rng *rand.Rand) float64 {
			look()
			pulls = append(pulls, i)
			return inner.Pull(i, rng)
		}}
		for r.Step() {
		}
		look()
		if want < 3 || len(pulls) != 400 {
			t.Errorf("%s: -log P is %v after %d pulls", sampler, want, len(pulls))
		}
	}
}

// TestNullP runs races that never stop under the null, all means equal: P <= a at
// the end with probability at most a.
func TestNullP(t *testing.T) {
	const runs = 300
	for _, k := range []int{1, 5} {
		s := DefaultSettings()
		s.Budget = 400
		rng := rand.New(rand.NewPCG(4, uint64(k)))
		small := 0
		for range runs {
			if mustRun(t, Gaussian{Means: make([]float64, k+1), Sigma: 1}, 1e-9, s, rng).P <= 0.1 {
				small++
			}
		}
		if small > runs/10 {
			t.Errorf("K = %d: P <= 0.1 in %d of %d runs", k, small, runs)
		}
	}
}

// TestProposition2 runs the four scenarios: the answer is in S* (or 0 under the
// null), and rounds are within the bound.
func TestProposition2(t *testing.T) {
	for _, c := range []struct {
		means   []float64
		epsilon float64
		right   []int
		pulls   float64 // mean of an independent prototype, 0 if it has none
	}{
		{[]float64{0, 1, .9, .85, .5, .1, 0}, .3, []int{1, 2, 3}, 2161},
		{[]float64{0, 1, .95, .25, .1}, .2, []int{1, 2}, 4062},
		{[]float64{0, .1, .05, -.2, 0}, .4, []int{0}, 3044},
		{[]float64{0, 0, 0, 0, 0}, .3, []int{0}, 4155},
		{[]float64{0, 1, 0, 0}, 0, []int{1}, 0},
	} {
		const runs, delta = 40, 0.1
		s := DefaultSettings()
		s.Epsilon = c.epsilon
		bound, err := RoundBound(c.means, delta, c.epsilon, 1)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(5, 0))
		wrong, late, mean := 0, 0, 0.0
		for range runs {
			r := mustRun(t, Gaussian{Means: c.means, Sigma: 1}, delta, s, rng)
			ok := false
			for _, i := range c.right {
				ok = ok || r.Best == i
			}
			if !ok || !r.Stopped {
				wrong++
			}
			if float64(r.Rounds) > bound {
				late++
			}
			mean += float64(r.Total) / runs
		}
		t.Logf("%v: %.0f pulls, bound %.0f rounds", c.means, mean, bound)
		if wrong > 1 || late > delta*runs {
			t.Errorf("means %v, epsilon %v: %d wrong, %d late of %d", c.means, c.epsilon, wrong, late, runs)
		}
		if c.pulls > 0 && math.Abs(mean/c.pulls-1) > 0.1 {
			t.Errorf("means %v, epsilon %v: %.0f pulls, the prototype took %v", c.means, c.epsilon, mean, c.pulls)
		}
	}
}

// TestGapSlope: pulls grow as gap^-2 (K = 5), and T gap^2/(K+1) is what an independent
// prototype saw, 63 to 70; uniform sampling takes longer, much so for K = 20.
func TestGapSlope(t *testing.T) {
	mean := func(k int, gap float64, sampler Sampler, runs int) float64 {
		s := DefaultSettings()
		s.Sampler = sampler
		means := make([]float64, k+1)
		means[k] = gap
		rng := rand.New(rand.NewPCG(6, uint64(k)))
		sum := 0.0
		for range runs {
			r := mustRun(t, Gaussian{Means: means, Sigma: 1}, 0.1, s, rng)
			if r.Best != k {
				t.Errorf("K = %d, gap %v: answer %d", k, gap, r.Best)
			}
			sum += float64(r.Total) / float64(runs)
		}
		return sum
	}
	wide, narrow := mean(5, 1, Adaptive, 60), mean(5, 0.25, Adaptive, 60)
	slope := math.Log(narrow/wide) / math.Log(0.25)
	if slope < -2.15 || slope > -1.85 {
		t.Errorf("slope of pulls in the gap is %v, want -2", slope)
	}
	for _, x := range []float64{wide / 6, narrow * 0.0625 / 6} {
		if x < 58 || x > 75 {
			t.Errorf("T gap^2/(K+1) is %v, want 63 to 70", x)
		}
	}
	if ratio := mean(5, 0.5, Uniform, 40) / mean(5, 0.5, Adaptive, 40); ratio < 1.2 {
		t.Errorf("uniform over adaptive is %v at K = 5, want at least 1.2", ratio)
	}
	if ratio := mean(20, 0.5, Uniform, 20) / mean(20, 0.5, Adaptive, 20); ratio < 1.8 {
		t.Errorf("uniform over adaptive is %v at K = 20, want at least 1.8", ratio)
	}
}

// TestLUCB: with epsilon = 0 and the same split, LUCB and algorithm 1 are the same.
func TestLUCB(t *testing.T) {
	for seed := range uint64(30) {
		arms := Bernoulli{Means: []float64{.3, .5, .9, .6}}
		s := DefaultSettings()
		s.Split = Symmetric
		a := mustRun(t, arms, 0.05, s, rand.New(rand.NewPCG(seed, 7)))
		s.Sampler = LUCB
		b := mustRun(t, arms, 0.05, s, rand.New(rand.NewPCG(seed, 7)))
		if a.Best != b.Best || a.Total != b.Total || a.P != b.P || a.Stopped != b.Stopped {
			t.Fatalf("seed %d: %+v and %+v", seed, a, b)
		}
	}
}

// TestBudget: pulls never exceed the budget, whatever the sampler.
func TestBudget(t *testing.T) {
	for _, sampler := range []Sampler{Adaptive, Uniform, LUCB} {
		for budget := 5; budget < 30; budget++ {
			s := DefaultSettings()
			s.Sampler, s.Budget, s.Epsilon, s.Initial = sampler, budget, 0.1, 1+budget%3
			r := mustRun(t, Gaussian{Means: make([]float64, 5), Sigma: 1}, 0.01, s, rand.New(rand.NewPCG(8, 0)))
			if r.Total != budget || r.Stopped {
				t.Errorf("%s: %d pulls of %d, stopped %v", sampler, r.Total, budget, r.Stopped)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 0))
	two := Gaussian{Means: []float64{0, 1}, Sigma: 1}
	set := func(f func(*Settings)) *Settings { s := DefaultSettings(); f(s); return s }
	for _, c := range []struct {
		arms  Arms
		delta float64
		s     *Settings
		want  string
	}{
		{nil, .1, nil, "arms is nil"},
		{Gaussian{Means: []float64{1}, Sigma: 1}, .1, nil, "1 arms"},
		{Gaussian{Means: []float64{1, 2}}, .1, nil, "scale of the arms is 0"},
		{Gaussian{Means: []float64{1, math.NaN()}, Sigma: 1}, .1, nil, "mean of arm 1 is NaN"},
		{Bernoulli{Means: []float64{1, 1.5}}, .1, nil, "mean of arm 1 is 1.5"},
		{Bounded{N: 2, High: 1}, .1, nil, "Draw is nil"},
		{SubGaussian{N: 2, Sigma: 1}, .1, nil, "Draw is nil"},
		{Bounded{N: 2, High: 1, Draw: func(int, *rand.Rand) float64 { return 2 }}, .1, nil, "reward of arm 0 is 2, must be in [0, 1]"},
		{SubGaussian{N: 2, Sigma: 1, Draw: func(int, *rand.Rand) float64 { return math.Inf(1) }}, .1, nil, "reward of arm 0 is +Inf"},
		{two, 0, nil, "delta is 0"}, {two, 1.1, nil, "delta is 1.1"}, {two, math.NaN(), nil, "delta is NaN"},
		{two, .1, set(func(s *Settings) { s.Epsilon = -1 }), "epsilon is -1"},
		{two, .1, set(func(s *Settings) { s.Budget = 1 }), "budget is 1"},
		{two, .1, set(func(s *Settings) { s.Initial = -1 }), "initial is -1"},
		{two, .1, set(func(s *Settings) { s.Factor = -1 }), "factor is -1"},
		{two, .1, set(func(s *Settings) { s.Sampler = "best" }), `sampler is "best"`},
		{two, .1, set(func(s *Settings) { s.Split = "half" }), `split is "half"`},
	} {
		if _, err := BestArm(ctx, c.arms, c.delta, c.s, rng); err == nil || !strings.HasPrefix(err.Error(), "bandit: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error is %v, want %s", err, c.want)
		}
	}
	if _, err := BestArm(ctx, two, .1, nil, nil); err == nil {
		t.Error("nil rng, no error")
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	s := set(func(s *Settings) { s.Budget = math.MaxInt })
	if _, err := BestArm(stopped, Gaussian{Means: []float64{0, 0}, Sigma: 1}, 1e-9, s, rng); err != context.Canceled {
		t.Errorf("cancelled: error is %v", err)
	}
	if _, err := RoundBound([]float64{1}, .1, 0, 1); err == nil {
		t.Error("bound without arms, no error")
	}
}

func BenchmarkBestArm(b *testing.B) {
	rng := rand.New(rand.NewPCG(10, 0))
	means := make([]float64, 50)
	for i := range means {
		means[i] = 5 * rng.Float64()
	}
	means[7] = 8
	s := DefaultSettings()
	s.Budget = 300
	pulls := 0
	for b.Loop() {
		pulls += mustRun(b, Gaussian{Means: means, Sigma: 1}, 0.01, s, rng).Total
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(pulls), "ns/pull")
}

// TestBestArmCancelled: a context that is cancelled ends a race before its first pull.
func TestBestArmCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := BestArm(ctx, Gaussian{Means: []float64{0, .3, 1}, Sigma: 1}, .05, nil, rand.New(rand.NewPCG(1, 1))); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want context.Canceled", err)
	}
}
