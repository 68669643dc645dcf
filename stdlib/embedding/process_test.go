package embedding

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/rl"
)

// walk is a chain of five states where one moves to the left (action 0) or right as meant
// with probability 0.8, otherwise the other way, and stays at the ends; rewards are s/4.
func walk() *rl.MDP {
	const n = 5
	table, start := make([][][]rl.Transition, n), make([]float64, n)
	for s := range table {
		start[s] = 1.0 / n
		for a := range 2 {
			left, right := max(s-1, 0), min(s+1, n-1)
			p := []float64{0.8, 0.2}[a]
			table[s] = append(table[s], []rl.Transition{{Probability: p, Next: left, Reward: float64(s) / 4}, {Probability: 1 - p, Next: right, Reward: float64(s) / 4}})
		}
	}
	return must(rl.NewMDP("walk", table, start, 0))
}

const walkDiscount = 0.9

// walkPolicy moves right with probability 0.7.
func walkPolicy() *mat.Dense {
	p := mat.NewDense(5, 2, nil)
	for s := range 5 {
		p.SetRow(s, []float64{0.3, 0.7})
	}
	return p
}

// draws returns samples of the walk from uniform states: with actions drawn with the given
// probability of going right, and ratios to the policy's if asked for.
func draws(m *rl.MDP, rng *rand.Rand, n int, right float64, ratios bool) (t, again *Transitions, rewards []float64) {
	states, next, other, w := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil), make([]float64, n)
	action := make([]float64, 1)
	for i := range n {
		s := float64(rng.IntN(5))
		states.Set(i, 0, s)
		for _, to := range []*mat.Dense{next, other} {
			action[0], w[i] = 0, 0.3/(1-right)
			if rng.Float64() < right {
				action[0], w[i] = 1, 0.7/right
			}
			at := []float64{s}
			m.Step(at, action, rng)
			to.Set(i, 0, at[0])
			if to == next && ratios {
				break
			}
		}
		rewards = append(rewards, s/4)
	}
	if !ratios {
		w = nil
	}
	return &Transitions{States: states, Next: next, Weights: w}, &Transitions{States: states, Next: other, Weights: w}, rewards
}

var five = mat.NewDense(5, 1, []float64{0, 1, 2, 3, 4})

func worst(a, b []float64) float64 {
	w := 0.0
	for i := range a {
		w = max(w, math.Abs(a[i]-b[i]))
	}
	return w
}

// TestPolicyEvaluation compares values on the chain, with its own actions and with those of
// a uniform policy, with the linear solve.
func TestPolicyEvaluation(t *testing.T) {
	t.Parallel()
	m := walk()
	truth := must(rl.EvaluatePolicy(m, walkPolicy(), walkDiscount, 0))
	near(t, "exact value", truth, []float64{4.68, 5.51, 6.57, 7.49, 8.06}, 0.006)
	const steps, batch = 40000, 25
	for _, c := range []struct {
		name      string
		right     float64
		ratios    bool
		tolerance float64
		least     float64 // of the error
	}{
		{"on policy", 0.7, false, 0.03, 0},
		{"off policy", 0.5, true, 0.03, 0},
		{"off policy without ratios", 0.5, false, math.Inf(1), 0.1},
	} {
		rng := rand.New(rand.NewPCG(11, 1))
		settings := DefaultSettings()
		settings.Eta, settings.Shift, settings.DualFactor, settings.AverageFrom = 20, 20, 2, steps/2
		v, u := must(NewTable(5)), must(NewTable(5))
		s := must(NewSolver(kernelmachine.Squared{}, v, u, settings))
		err := s.Run(ctx, steps, func(int) (*Batch, error) {
			tr, _, rewards := draws(m, rng, batch, c.right, c.ratios)
			return Bellman(tr, rewards, walkDiscount)
		})
		if err != nil {
			t.Fatal(err)
		}
		if e := worst(must(v.Mean(ctx, five)), truth); e > c.tolerance || e < c.least {
			t.Errorf("%s: largest error %v, want from %v to %v", c.name, e, c.least, c.tolerance)
		}
	}
}

// TestResidualGradient compares the limit of the residual gradient with the exact minimiser
// of the mean squared residual, which is not the value, and that of its two-sample form and
// of TD(0) with the value.
func TestResidualGradient(t *testing.T) {
	t.Parallel()
	m := walk()
	truth := must(rl.EvaluatePolicy(m, walkPolicy(), walkDiscount, 0))
	biased := []float64{4.89, 5.16, 5.39, 5.57, 5.67} // from the linear solve of the normal equations
	const steps, batch = 40000, 25
	for _, c := range []struct {
		name string
		want []float64
		take func(d *Descent, first, second *Transitions, rewards []float64) error
		near float64
	}{
		{"one draw", biased, func(d *Descent, a, _ *Transitions, r []float64) error {
			return d.Step(ctx, must(Bellman(a, r, walkDiscount)))
		}, 0.05},
		{"two draws", truth, func(d *Descent, a, b *Transitions, r []float64) error {
			return d.Pair(ctx, must(Bellman(a, r, walkDiscount)), must(Bellman(b, r, walkDiscount)))
		}, 0.15},
		{"TD(0)", truth, func(d *Descent, a, _ *Transitions, r []float64) error {
			value := must(Bellman(a, r, walkDiscount))
			return d.Pair(ctx, value, &Batch{N: value.N, Terms: value.Terms[1:]})
		}, 0.03},
	} {
		rng := rand.New(rand.NewPCG(12, 1))
		settings := DefaultSettings()
		settings.Eta, settings.Shift, settings.AverageFrom = 40, 40, steps/2
		v := must(NewTable(5))
		d := must(NewDescent(kernelmachine.Squared{}, v, settings))
		for range steps {
			a, b, r := draws(m, rng, batch, 0.7, false)
			if err := c.take(d, a, b, r); err != nil {
				t.Fatal(err)
			}
		}
		if e := worst(must(v.Mean(ctx, five)), c.want); e > c.near {
			t.Errorf("%s: %.3f, want %.3f within %v", c.name, must(v.Mean(ctx, five)), c.want, c.near)
		}
	}
}

// TestDesirability compares the desirability of a 5 x 5 grid with an exit in a corner with
// the linear solve.
func TestDesirability(t *testing.T) {
	const side, steps, batch, cost = 5, 40000, 25, 0.1
	n := side * side
	passive, exit, costs := mat.NewDense(n, n, nil), make([]bool, n), make([]float64, n)
	moves := func(s int) (to [4]int) {
		r, c := s/side, s%side
		for k, d := range [4][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			r, c := min(max(r+d[0], 0), side-1), min(max(c+d[1], 0), side-1)
			to[k] = r*side + c
		}
		return to
	}
	for s := range n {
		costs[s] = cost
		for _, next := range moves(s) {
			passive.Set(s, next, passive.At(s, next)+0.25)
		}
	}
	exit[0], costs[0] = true, 0
	want, _, err := rl.LinearControl(passive, costs, exit, 1)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(13, 1))
	settings := DefaultSettings()
	settings.Eta, settings.Shift, settings.DualFactor, settings.AverageFrom = 200, 100, 2, steps/2
	z, u := must(NewTable(n)), must(NewTable(n))
	s := must(NewSolver(kernelmachine.Squared{}, z, u, settings))
	err = s.Run(ctx, steps, func(int) (*Batch, error) {
		states, next, end, c := mat.NewDense(batch, 1, nil), mat.NewDense(batch, 1, nil), make([]bool, batch), make([]float64, batch)
		for i := range batch {
			at := 1 + rng.IntN(n-1)
			to := moves(at)[rng.IntN(4)]
			states.Set(i, 0, float64(at))
			next.Set(i, 0, float64(to))
			end[i], c[i] = to == 0, cost
		}
		return Desirability(&Transitions{States: states, Next: next, End: end}, c, 0)
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range z.MeanWeights() {
		if i > 0 {
			if e := v/math.Exp(-want[i]) - 1; math.Abs(e) > 0.05 {
				t.Errorf("desirability of state %d is off by %.3f of it", i, e)
			}
		}
	}
	// The best law goes to the likeliest neighbour: on a shortest path to the corner.
	z.Weights()[0] = 1
	w := z.MeanWeights()
	w[0] = 1
	for at := 1; at < n; at++ {
		best := moves(at)[0]
		for _, to := range moves(at) {
			if w[to] > w[best] {
				best = to
			}
		}
		if best/side+best%side != at/side+at%side-1 {
			t.Errorf("the likeliest successor of state %d is %d", at, best)
		}
	}
}

// TestHittingTimes compares hitting times of a random chain with the linear solves, and
// their inverse on the diagonal with the stationary law.
func TestHittingTimes(t *testing.T) {
	const n, steps, batch = 5, 40000, 25
	rng := rand.New(rand.NewPCG(14, 1))
	law := mat.NewDense(n, n, nil)
	for s := range n {
		row := law.RawRowView(s)
		for j := range row {
			row[j] = 0.1 + rng.Float64()
		}
		sum := mat.Sum(law.RowView(s))
		for j := range row {
			row[j] /= sum
		}
	}
	want := exactHitting(law)
	settings := DefaultSettings()
	settings.Eta, settings.Shift, settings.DualFactor, settings.AverageFrom = 300, 100, 2, steps/2
	h, u := must(NewTable(n, n)), must(NewTable(n, n))
	s := must(NewSolver(kernelmachine.Squared{}, h, u, settings))
	err := s.Run(ctx, steps, func(int) (*Batch, error) {
		states, next, targets := mat.NewDense(batch, 1, nil), mat.NewDense(batch, 1, nil), mat.NewDense(batch, 1, nil)
		for i := range batch {
			from, v, to := rng.IntN(n), rng.Float64(), 0
			for v -= law.At(from, 0); v > 0 && to < n-1; v -= law.At(from, to) {
				to++
			}
			states.Set(i, 0, float64(from))
			next.Set(i, 0, float64(to))
			targets.Set(i, 0, float64(rng.IntN(n)))
		}
		return HittingTimes(&Transitions{States: states, Next: next}, targets)
	})
	if err != nil {
		t.Fatal(err)
	}
	got := h.MeanWeights()
	for i, v := range got {
		if e := v/want[i] - 1; math.Abs(e) > 0.03 {
			t.Errorf("hitting time of %d from %d is off by %.4f of it", i%n, i/n, e)
		}
	}
	stationary := make([]float64, n)
	for s := range n {
		stationary[s] = 1 / got[s*n+s]
	}
	next := mat.NewVecDense(n, nil)
	next.MulVec(law.T(), mat.NewVecDense(n, stationary))
	near(t, "stationary law after a step", next.RawVector().Data, stationary, 0.01)
}

// exactHitting solves h = 1 + P_masked h for each target.
func exactHitting(law *mat.Dense) []float64 {
	n, _ := law.Dims()
	out := make([]float64, n*n)
	for target := range n {
		a, b := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
		for s := range n {
			b.SetVec(s, 1)
			for j := range n {
				if j != target {
					a.Set(s, j, -law.At(s, j))
				}
			}
			a.Set(s, s, a.At(s, s)+1)
		}
		var h mat.VecDense
		if err := h.SolveVec(a, b); err != nil {
			panic(err)
		}
		for s := range n {
			out[s*n+target] = h.AtVec(s)
		}
	}
	return out
}
