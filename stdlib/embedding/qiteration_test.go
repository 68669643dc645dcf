package embedding

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rl"
	"gaucho/stdlib/vec"
)

// tabular is a finite process as a simulator, with uniform states.
type tabular struct{ m *rl.MDP }

func (s tabular) Actions() int { return s.m.Actions() }

func (s tabular) States(n int, rng *rand.Rand) *mat.Dense {
	out := mat.NewDense(n, 1, nil)
	for i := range n {
		out.Set(i, 0, float64(rng.IntN(s.m.States())))
	}
	return out
}

func (s tabular) Next(states *mat.Dense, actions []int, rng *rand.Rand) (*mat.Dense, []float64, []bool) {
	next, rewards, end := mat.DenseCopyOf(states), make([]float64, len(actions)), make([]bool, len(actions))
	for i, a := range actions {
		rewards[i], end[i] = s.m.Step(next.RawRowView(i), []float64{float64(a)}, rng)
	}
	return next, rewards, end
}

// TestQIteration compares the greedy policy on a random process with the best one.
func TestQIteration(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(31, 1))
	m := must(rl.RandomMDP(20, 4, 3, rng))
	settings := DefaultQSettings()
	settings.Steps, settings.Solver.AverageFrom, settings.Batch, settings.Solver.DualFactor = 8000, 4000, 40, 2
	settings.Solver.Eta, settings.Solver.Shift = 250, 50
	q, u := must(NewTable(20, 4)), must(NewTable(20, 4))
	if err := QIteration(ctx, tabular{m}, q, u, settings, rng); err != nil {
		t.Fatal(err)
	}
	all := mat.NewDense(20, 1, nil)
	for s := range 20 {
		all.Set(s, 0, float64(s))
	}
	policy := mat.NewDense(20, 4, nil)
	for s, a := range must(Greedy(ctx, q, all, 4)) {
		policy.Set(s, a, 1)
	}
	got := vec.Sum(must(rl.EvaluatePolicy(m, policy, 0.9, 0)))
	best := vec.Sum(must(rl.ValueIteration(ctx, m, 0.9, 0, 1e-10)).V)
	uniform := mat.NewDense(20, 4, nil)
	vec.Fill(uniform.RawMatrix().Data, 0.25)
	none := vec.Sum(must(rl.EvaluatePolicy(m, uniform, 0.9, 0)))
	if got < 0.95*best || none > 0.9*best {
		t.Errorf("the sum of values is %v, want at least 95 %% of the best, %v; %v for any action", got, best, none)
	}
	settings.Epsilon = 2
	if err := QIteration(ctx, tabular{m}, q, u, settings, rng); err == nil || err.Error() != "embedding: epsilon is 2, must be from 0 to 1" {
		t.Errorf("error %v", err)
	}
}
