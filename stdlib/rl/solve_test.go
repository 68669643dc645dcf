package rl

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// smallMDP is the process of the specification: 20 states, 4 actions, 3 successors.
func smallMDP(t testing.TB) *MDP {
	m, err := RandomMDP(20, 4, 3, rand.New(rand.NewPCG(1, 7)))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func solved(t testing.TB, m *MDP, discount, lambda float64) *Solution {
	s, err := ValueIteration(context.Background(), m, discount, lambda, 1e-12)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func deviation(a, b []float64) float64 {
	worst := 0.0
	for i := range a {
		worst = max(worst, math.Abs(a[i]-b[i]))
	}
	return worst
}

func TestSmoothedBellmanIsAContraction(t *testing.T) {
	m, rng := smallMDP(t), rand.New(rand.NewPCG(2, 7))
	q := mat.NewDense(20, 4, nil)
	for range 100 {
		u, v, tu, tv := make([]float64, 20), make([]float64, 20), make([]float64, 20), make([]float64, 20)
		for i := range u {
			u[i], v[i] = 5*rng.NormFloat64(), 5*rng.NormFloat64()
		}
		for _, lambda := range []float64{0, 0.1, 2} {
			m.Backup(tu, q, u, 0.9, lambda)
			m.Backup(tv, q, v, 0.9, lambda)
			if ratio := deviation(tu, tv) / deviation(u, v); ratio > 0.9+1e-12 {
				t.Errorf("lambda %v: two values move apart by %v, want at most 0.9", lambda, ratio)
			}
		}
	}
}

func TestSmoothedValue(t *testing.T) {
	const discount, lambda = 0.9, 0.1
	m := smallMDP(t)
	hard, soft := solved(t, m, discount, 0), solved(t, m, discount, lambda)
	bias, bound := deviation(hard.V, soft.V), lambda*math.Log(4)/(1-discount)
	if bias > bound || bias < 0.1 {
		t.Errorf("the bias of smoothing is %v, must be within (0.1, %v]", bias, bound)
	}
	if c := Consistency(m, soft.V, soft.Policy, discount, lambda); c > 1e-10 {
		t.Errorf("the solution is consistent to %v, want 1e-10", c)
	}
	for _, s := range []struct {
		solution *Solution
		lambda   float64
	}{{hard, 0}, {soft, lambda}} {
		v, err := EvaluatePolicy(m, s.solution.Policy, discount, s.lambda)
		if err != nil {
			t.Fatal(err)
		}
		if d := deviation(v, s.solution.V); d > 1e-9 {
			t.Errorf("lambda %v: the value of the policy differs by %v", s.lambda, d)
		}
	}
}

// Values that the book prints: Sutton & Barto 2018, figure 4.1 and example 6.6.
func TestKnownValues(t *testing.T) {
	world, err := NewGridWorld(4, 4)
	if err != nil {
		t.Fatal(err)
	}
	uniform := mat.NewDense(16, 4, nil)
	for s := range 16 {
		vec.Fill(uniform.RawRowView(s), 0.25)
	}
	v, err := EvaluatePolicy(world, uniform, 1-1e-12, 0)
	if err != nil {
		t.Fatal(err)
	}
	if d := deviation(v, []float64{0, -14, -20, -22, -14, -18, -20, -20, -20, -20, -18, -14, -22, -20, -14, 0}); d > 1e-6 {
		t.Errorf("the random walk's values %v differ by %v", v, d)
	}
	if best := solved(t, NewCliff(), 1-1e-9, 0); math.Abs(best.V[36]+13) > 1e-6 {
		t.Errorf("the cliff's start is worth %v, want -13", best.V[36])
	}
	// FrozenLake with slips: the probability of reaching the goal from the start is 14/17.
	lake, _ := NewFrozenLake(nil, true)
	best, err := ValueIteration(context.Background(), lake, 1-1e-7, 0, 1e-4)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(best.V[0]-14.0/17) > 1e-3 {
		t.Errorf("the lake's start is worth %v, want 14/17", best.V[0])
	}
}

func TestTemporalDifferences(t *testing.T) {
	ctx := context.Background()
	m := smallMDP(t)
	s := DefaultTemporalSettings()
	s.Episodes, s.Discount, s.Rate, s.Decay, s.Explore = 4000, 0.9, 1, 0.1, 1
	q, _, err := QLearning(ctx, m, s, rand.New(rand.NewPCG(3, 7)))
	if err != nil {
		t.Fatal(err)
	}
	want := solved(t, m, 0.9, 0)
	if d := deviation(q.RawMatrix().Data, want.Q.RawMatrix().Data); d > 0.1 {
		t.Errorf("Q-learning is off by %v, want 0.1", d)
	}
	// On the cliff SARSA learns the way that is safe with random steps, Q-learning the
	// edge: example 6.6 of the book.
	s = DefaultTemporalSettings()
	s.Episodes, s.Discount, s.Rate = 3000, 1, 0.2
	cliff := NewCliff()
	_, offPolicy, err := QLearning(ctx, cliff, s, rand.New(rand.NewPCG(4, 7)))
	if err != nil {
		t.Fatal(err)
	}
	_, onPolicy, err := SARSA(ctx, cliff, s, rand.New(rand.NewPCG(4, 7)))
	if err != nil {
		t.Fatal(err)
	}
	if a, b := vec.Sum(onPolicy[1000:])/2000, vec.Sum(offPolicy[1000:])/2000; !(a > -35 && b < -35) {
		t.Errorf("mean returns on the cliff are %v (SARSA) and %v (Q-learning), want about -25 and -50", a, b)
	}
}

// The grid of the specification: 5 x 5 with an exit in a corner. V solves the
// Bellman equation of the control cost by brute iteration, too.
func TestLinearControl(t *testing.T) {
	const n = 25
	passive, cost, exit := mat.NewDense(n, n, nil), make([]float64, n), make([]bool, n)
	for s := range n {
		cost[s] = 0.3
		for _, m := range moves {
			r, c := min(max(s/5+m[0], 0), 4), min(max(s%5+m[1], 0), 4)
			passive.Set(s, r*5+c, passive.At(s, r*5+c)+0.25)
		}
	}
	exit[24], cost[24] = true, 0
	v, law, err := LinearControl(passive, cost, exit, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	brute := make([]float64, n)
	for range 5000 {
		for s := range n {
			if exit[s] {
				continue
			}
			sum := 0.0
			for to := range n {
				sum += passive.At(s, to) * math.Exp(-brute[to]/0.5)
			}
			brute[s] = cost[s] - 0.5*math.Log(sum)
		}
	}
	if d := deviation(v, brute); d > 1e-9 {
		t.Errorf("the costs differ from iteration's by %v", d)
	}
	for s := range n - 1 {
		next := argmax(law.RawRowView(s))
		if away := func(s int) int { return 8 - s/5 - s%5 }; away(next) != away(s)-1 {
			t.Errorf("from %d the likeliest next state is %d, which is not on a shortest path", s, next)
		}
	}
	if _, _, err := LinearControl(passive, cost, make([]bool, n), -1); err == nil {
		t.Error("a negative temperature was taken")
	}
}

// In one dimension the Riccati equation is quadratic: with A = B = Q = R = 1 and no
// discount to speak of, P is the golden ratio and K its inverse.
func TestRiccatiGoldenRatio(t *testing.T) {
	one := mat.NewDense(1, 1, []float64{1})
	l := &LinearQuadratic{A: one, B: one, Q: one, R: one}
	s, err := l.Riccati(context.Background(), 1-1e-12, 0)
	if err != nil {
		t.Fatal(err)
	}
	golden := (1 + math.Sqrt(5)) / 2
	if p, k := s.Cost.At(0, 0), s.Gain.At(0, 0); math.Abs(p-golden) > 1e-9 || math.Abs(k-1/golden) > 1e-9 {
		t.Errorf("P = %v and K = %v, want %v and %v", p, k, golden, 1/golden)
	}
}

// The solution satisfies the smoothed Bellman equation: the integral over actions is
// done by a sum on a grid.
func TestRiccatiWithEntropy(t *testing.T) {
	const discount, lambda = 0.9, 0.5
	l := &LinearQuadratic{
		A: mat.NewDense(2, 2, []float64{1, 0.1, -0.2, 0.9}), B: mat.NewDense(2, 1, []float64{0, 0.5}),
		Q: mat.NewDense(2, 2, []float64{1, 0.1, 0.1, 0.5}), R: mat.NewDense(1, 1, []float64{0.3}), Noise: 0.2,
	}
	s, err := l.Riccati(context.Background(), discount, lambda)
	if err != nil {
		t.Fatal(err)
	}
	value := func(x []float64) float64 { return -quadratic(s.Cost, x) + s.Constant }
	for _, x := range [][]float64{{0, 0}, {1, -0.5}, {-2, 0.3}} {
		sum, mean, second := 0.0, 0.0, 0.0
		const h = 0.01
		for u := -15.0; u <= 15; u += h {
			next := []float64{x[0] + 0.1*x[1], -0.2*x[0] + 0.9*x[1] + 0.5*u}
			expected := value(next) - l.Noise*l.Noise*mat.Trace(s.Cost)
			w := h * math.Exp((-quadratic(l.Q, x)-0.3*u*u+discount*expected-value(x))/lambda)
			sum, mean, second = sum+w, mean+w*u, second+w*u*u
		}
		if math.Abs(sum-1) > 1e-8 {
			t.Errorf("at %v the policy has the mass %v, want 1", x, sum)
		}
		want := -vec.Dot(s.Gain.RawRowView(0), x)
		if math.Abs(mean-want) > 1e-8 || math.Abs(second-mean*mean-s.Covariance.At(0, 0)) > 1e-8 {
			t.Errorf("at %v the policy is N(%v, %v), want N(%v, %v)", x, mean, second-mean*mean, want, s.Covariance.At(0, 0))
		}
	}
}

func TestBadTables(t *testing.T) {
	stay := func(p float64, next int) [][]Transition { return [][]Transition{{{Probability: p, Next: next}}} }
	for want, err := range map[string]error{
		"rl: the table has no states or no actions, must have some":            second(NewMDP("", nil, nil, 0)),
		"rl: probabilities of action 0 in state 0 sum to 0.5, must to 1":       second(NewMDP("", [][][]Transition{stay(0.5, 0)}, []float64{1}, 0)),
		"rl: action 0 in state 0 leads to state 3, must be from 0 to 0":        second(NewMDP("", [][][]Transition{stay(1, 3)}, []float64{1}, 0)),
		"rl: 1 probabilities of the start sum to 0.5, must be 1 that sum to 1": second(NewMDP("", [][][]Transition{stay(1, 0)}, []float64{0.5}, 0)),
		`rl: the map has the cell 'x', must be S, F, H or G`:                   second(NewFrozenLake([]string{"Sx"}, true)),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if _, err := ValueIteration(context.Background(), smallMDP(t), 1, 0, 1e-6); err == nil {
		t.Error("a discount of 1 was taken")
	}
}

func second(_ *MDP, err error) error { return err }
