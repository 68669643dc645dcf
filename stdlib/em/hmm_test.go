package em

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

var ctx = context.Background()

func near(t *testing.T, name string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*max(1, math.Abs(want))) {
		t.Errorf("%s is %.16g, want %.16g", name, got, want)
	}
}

// umbrella is the umbrella world of Russell & Norvig, chapter 15.
func umbrella() (*Model, *mat.Dense) {
	return &Model{
		Start:      []float64{.5, .5},
		Transition: mat.NewDense(2, 2, []float64{.7, .3, .3, .7}),
		Output:     &Categorical{Prob: mat.NewDense(2, 2, []float64{.9, .1, .2, .8})},
	}, Symbols([]int{0, 0, 1, 0, 0})
}

// TestUmbrella compares with hmmlearn 0.3.3: CategoricalHMM's score, decode and
// predict_proba.
func TestUmbrella(t *testing.T) {
	m, x := umbrella()
	p, err := m.Smooth(x)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "log-likelihood", p.LogLikelihood, -3.3725020443321747, 1e-15)
	near(t, "posterior", p.State.At(0, 0), 0.8673388895754849, 1e-15)
	near(t, "posterior", p.State.At(2, 0), 0.30748357600661785, 1e-15)
	path, logp, err := m.Viterbi(x)
	if err != nil || !slices.Equal(path, []int{0, 0, 1, 0, 0}) {
		t.Error(path, err)
	}
	near(t, "Viterbi", logp, -4.459028291034797, 1e-15)
	if !slices.Equal(p.Decode(), []int{0, 0, 1, 0, 0}) {
		t.Error(p.Decode())
	}
}

// randomModel draws a model of s states with zeros in its transition, and Gaussian
// or categorical outputs.
func randomModel(s int, kind Kind, rng *rand.Rand) *Model {
	law := func(n int, zeros bool) []float64 {
		p := make([]float64, n)
		for j := range p {
			if !zeros || rng.Float64() < 0.7 {
				p[j] = rng.Float64()
			}
		}
		p[rng.IntN(n)] += 0.1
		normalise(p)
		return p
	}
	m := &Model{Start: law(s, true), Transition: mat.NewDense(s, s, nil)}
	for j := range s {
		m.Transition.SetRow(j, law(s, true))
	}
	if kind == "" {
		prob := mat.NewDense(s, 3, nil)
		for j := range s {
			prob.SetRow(j, law(3, false))
		}
		m.Output = &Categorical{Prob: prob}
		return m
	}
	const d = 2
	g := &Gaussian{Means: mat.NewDense(s, d, nil), Kind: kind}
	n := s
	if kind == Tied {
		n = 1
	}
	for j := range s {
		g.Means.SetRow(j, []float64{3 * rng.NormFloat64(), 3 * rng.NormFloat64()})
	}
	switch kind {
	case Full, Tied:
		for range n {
			a, b := 0.5+rng.Float64(), 0.5+rng.Float64()
			g.Covariances = append(g.Covariances, mat.NewSymDense(d, []float64{a, 0.3, 0.3, b}))
		}
	default:
		g.Variances = mat.NewDense(s, d, nil)
		for j := range s {
			a, b := 0.5+rng.Float64(), 0.5+rng.Float64()
			if kind == Spherical {
				b = a
			}
			g.Variances.SetRow(j, []float64{a, b})
		}
	}
	m.Output = g
	return m
}

var kinds = []Kind{"", Spherical, Diagonal, Full, Tied}

// TestBruteForce sums over all s^n paths.
func TestBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for trial := range 60 {
		s, n := 2+trial%2, 1+rng.IntN(7)
		m := randomModel(s, kinds[trial%len(kinds)], rng)
		x, _, err := m.Sample(n, rng)
		if err != nil {
			t.Fatal(err)
		}
		logB := make([]float64, n*s)
		if err := m.Output.LogDensity(logB, x); err != nil {
			t.Fatal(err)
		}
		state, pairs := mat.NewDense(n, s, nil), mat.NewDense(s, s, nil)
		total, best, bestPath := 0.0, -1.0, []int(nil)
		path := make([]int, n)
		for code := range int(math.Pow(float64(s), float64(n))) {
			for i, c := 0, code; i < n; i++ {
				path[i], c = c%s, c/s
			}
			w := m.Start[path[0]]
			for i, z := range path {
				w *= math.Exp(logB[i*s+z])
				if i > 0 {
					w *= m.Transition.At(path[i-1], z)
				}
			}
			total += w
			if w > best {
				best, bestPath = w, slices.Clone(path)
			}
			for i, z := range path {
				state.Set(i, z, state.At(i, z)+w)
				if i > 0 {
					pairs.Set(path[i-1], z, pairs.At(path[i-1], z)+w)
				}
			}
		}
		p, err := m.Smooth(x)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "log-likelihood", p.LogLikelihood, math.Log(total), 1e-12)
		for i := range n {
			for j := range s {
				near(t, "posterior", p.State.At(i, j), state.At(i, j)/total, 1e-12)
			}
		}
		for j := range s {
			for k := range s {
				near(t, "pairs", p.Pairs.At(j, k), pairs.At(j, k)/total, 1e-12)
			}
		}
		got, logp, err := m.Viterbi(x)
		if err != nil || !slices.Equal(got, bestPath) {
			t.Fatalf("path %v, want %v; %v", got, bestPath, err)
		}
		near(t, "Viterbi", logp, math.Log(best), 1e-12)
	}
}

// TestLong: densities that underflow in every state, over 10^5 steps; and a
// left-to-right model whose excluded states would explain the data better.
func TestLong(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	const n, d = 100000, 5
	g := &Gaussian{Means: mat.NewDense(2, d, nil), Kind: Spherical, Variances: mat.NewDense(2, d, nil)}
	for a := range d {
		g.Means.Set(0, a, -20)
		g.Means.Set(1, a, 20)
		g.Variances.Set(0, a, 0.1)
		g.Variances.Set(1, a, 0.1)
	}
	m := &Model{Start: []float64{.5, .5}, Transition: mat.NewDense(2, 2, []float64{.99, .01, .01, .99}), Output: g}
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for a := range d {
			x.Set(i, a, rng.NormFloat64()) // about 4000 units of log density from both
		}
	}
	checkPosterior(t, m, x)

	right := &Model{Start: []float64{1, 0}, Transition: mat.NewDense(2, 2, []float64{1, 0, 0, 1}), Output: g}
	y := mat.NewDense(1000, d, nil)
	for i := range 1000 {
		for a := range d {
			y.Set(i, a, 20)
		}
	}
	p := checkPosterior(t, right, y)
	if p.State.At(500, 0) != 1 || p.Pairs.At(0, 0) != 999 {
		t.Errorf("posterior of the only state is %v, pairs %v", p.State.At(500, 0), p.Pairs.At(0, 0))
	}
}

func checkPosterior(t *testing.T, m *Model, x *mat.Dense) *Posterior {
	t.Helper()
	p, err := m.Smooth(x)
	if err != nil {
		t.Fatal(err)
	}
	n, s := p.State.Dims()
	for i := range n {
		sum := 0.0
		for j := range s {
			sum += p.State.At(i, j)
		}
		if !(math.Abs(sum-1) < 1e-9) {
			t.Fatalf("posterior at %d sums to %v", i, sum)
		}
	}
	if total := mat.Sum(p.Pairs); math.Abs(total-float64(n-1)) > 1e-6*float64(n) {
		t.Errorf("pairs sum to %v, want %d", total, n-1)
	}
	if math.IsNaN(p.LogLikelihood) || math.IsInf(p.LogLikelihood, 0) {
		t.Errorf("log-likelihood is %v", p.LogLikelihood)
	}
	return p
}

// lcg is a stream of uniform numbers that is easy to have in any language.
type lcg uint64

func (s *lcg) float64() float64 {
	*s = *s*6364136223846793005 + 1442695040888963407
	return float64(*s>>11) / (1 << 53)
}

// chain draws 1,000 symbols of a chain, by cumulative sums: a number for the first state,
// then for each step one for the symbol and one for the next state.
func chain(seed lcg) []int {
	const n = 1000
	prob := [2][3]float64{{.7, .2, .1}, {.1, .3, .6}}
	stay := [2]float64{.9, .2} // transition to state 0
	z, out := 0, make([]int, n)
	if seed.float64() >= .6 {
		z = 1
	}
	for i := range out {
		u := seed.float64()
		for out[i] = 0; out[i] < 2 && u >= prob[z][out[i]]; out[i]++ {
			u -= prob[z][out[i]]
		}
		if u = seed.float64(); u >= stay[z] {
			z = 1
		} else {
			z = 0
		}
	}
	return out
}

// TestHmmlearn compares fits with hmmlearn 0.3.3, of which monitor_.history and
// the fitted values are held here: CategoricalHMM(2, n_iter=50) and
// GaussianHMM(2, 'diag', n_iter=20) with all priors off, from the starts below.
func TestHmmlearn(t *testing.T) {
	symbols := chain(42)
	counts, noise := [3]int{}, lcg(7)
	values := make([]float64, len(symbols))
	for i, k := range symbols {
		counts[k]++
		values[i] = []float64{0, 1, 3}[k] + noise.float64() - 0.5
	}
	if counts != [3]int{486, 256, 258} || !slices.Equal(symbols[:10], []int{0, 0, 0, 0, 0, 0, 1, 1, 0, 2}) {
		t.Fatalf("the chain is not that of the reference: %v, %v", counts, symbols[:10])
	}
	s := &Settings{Iterations: 50, Tolerance: -1}
	start := Model{
		Start:      []float64{.5, .5},
		Transition: mat.NewDense(2, 2, []float64{.6, .4, .3, .7}),
		Output:     &Categorical{Prob: mat.NewDense(2, 3, []float64{.5, .3, .2, .2, .3, .5})},
	}
	fit, err := BaumWelch(ctx, start, Symbols(symbols), s)
	if err != nil {
		t.Fatal(err)
	}
	for iteration, want := range map[int]float64{1: -1090.132862324818, 2: -1036.789422809901, 10: -1018.1467470994396, 50: -1014.74662000657} {
		near(t, fmt.Sprint("log-likelihood before M-step ", iteration), fit.LogLikelihood[iteration-1], want, 1e-12)
	}
	near(t, "last log-likelihood", fit.LogLikelihood[50], -1014.7452455558166, 1e-12)
	near(t, "A00", fit.Model.Transition.At(0, 0), 0.9129095210829594, 1e-11)
	near(t, "A11", fit.Model.Transition.At(1, 1), 0.8096832738362548, 1e-11)
	near(t, "B00", fit.Model.Output.(*Categorical).Prob.At(0, 0), 0.6485325084182239, 1e-11)

	start.Output = &Gaussian{Means: mat.NewDense(2, 1, []float64{0, 2}), Kind: Diagonal, Variances: mat.NewDense(2, 1, []float64{1, 1})}
	s.Iterations = 20
	fit, err = BaumWelch(ctx, start, mat.NewDense(len(values), 1, values), s)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "Gaussian, first", fit.LogLikelihood[0], -1633.9268851600143, 1e-12)
	near(t, "Gaussian, second", fit.LogLikelihood[1], -1411.0517727849885, 1e-12)
	near(t, "Gaussian, last", fit.LogLikelihood[19], -1220.296112381922, 1e-12)
}

// TestMonotone fits models of every kind to data of others with other transitions: the objective
// does not fall.
func TestMonotone(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for trial := range 20 {
		kind := kinds[trial%len(kinds)]
		var x []*mat.Dense
		start := randomModel(3, kind, rng)
		for range 1 + trial%3 {
			other := randomModel(3, kind, rng)
			other.Output = start.Output
			seq, _, err := other.Sample(300, rng)
			if err != nil {
				t.Fatal(err)
			}
			x = append(x, seq)
		}
		if g, ok := start.Output.(*Gaussian); ok {
			moved := *g
			moved.Means = mat.DenseCopyOf(g.Means)
			moved.Means.Apply(func(_, _ int, v float64) float64 { return v + 0.5*rng.NormFloat64() }, moved.Means)
			start.Output = &moved
		}
		for j := range 3 { // no zeros: data of another model must be possible
			start.Start[j] = 1.0 / 3
			row := start.Transition.RawRowView(j)
			for k := range row {
				row[k] = row[k]*0.7 + 0.1
			}
		}
		s := DefaultSettings()
		s.Iterations, s.Tolerance = 25, -1
		if trial%2 == 1 {
			s.StartPseudo, s.TransitionPseudo = 0.5, 1
		}
		fit, err := BaumWelchAll(ctx, *start, x, s)
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < len(fit.Objective); i++ {
			if fit.Objective[i] < fit.Objective[i-1]-1e-9*math.Abs(fit.Objective[i-1]) {
				t.Errorf("%q, iteration %d: objective falls from %v to %v", kind, i, fit.Objective[i-1], fit.Objective[i])
			}
		}
		if fit.Converged || len(fit.Objective) != 26 {
			t.Errorf("%d iterations, converged %v", len(fit.Objective)-1, fit.Converged)
		}
		if err := fit.Model.Check(); err != nil {
			t.Error(err)
		}
	}
}

// TestRecovery: three states with means 6 sigma apart, 5,000 steps, start within 2
// sigma and a uniform transition.
func TestRecovery(t *testing.T) {
	for _, kind := range []Kind{Spherical, Full} {
		rng := rand.New(rand.NewPCG(4, 0))
		h := 3 * math.Sqrt(3)
		means := mat.NewDense(3, 2, []float64{0, 0, 6, 0, 3, h})
		truth := &Model{
			Start:      []float64{1, 0, 0},
			Transition: mat.NewDense(3, 3, []float64{.8, .1, .1, .1, .8, .1, .1, .1, .8}),
			Output:     &Gaussian{Means: means, Kind: Diagonal, Variances: mat.NewDense(3, 2, []float64{1, 1, 1, 1, 1, 1})},
		}
		x, states, err := truth.Sample(5000, rng)
		if err != nil {
			t.Fatal(err)
		}
		g := &Gaussian{Means: mat.NewDense(3, 2, []float64{-1, 1, 5, 1, 4, h - 1}), Kind: kind, Variances: mat.NewDense(3, 2, []float64{1, 1, 1, 1, 1, 1})}
		if kind == Full {
			eye := mat.NewSymDense(2, []float64{1, 0, 0, 1})
			g.Covariances = []*mat.SymDense{eye, eye, eye}
		}
		third := 1.0 / 3
		start := Model{Start: []float64{third, third, third}, Transition: mat.NewDense(3, 3, []float64{third, third, third, third, third, third, third, third, third}), Output: g}
		fit, err := BaumWelch(ctx, start, x, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := fit.Model.Output.(*Gaussian).Means
		for j := range 3 {
			if e := math.Hypot(got.At(j, 0)-means.At(j, 0), got.At(j, 1)-means.At(j, 1)); e > 0.12 {
				t.Errorf("mean of state %d is off by %v", j, e)
			}
			for k := range 3 {
				if e := math.Abs(fit.Model.Transition.At(j, k) - truth.Transition.At(j, k)); e > 0.04 {
					t.Errorf("transition %d %d is off by %v", j, k, e)
				}
			}
		}
		path, _, err := fit.Model.Viterbi(x)
		if err != nil {
			t.Fatal(err)
		}
		wrong := 0
		for i := range path {
			if path[i] != states[i] {
				wrong++
			}
		}
		if !fit.Converged || wrong > 25 || len(fit.Lost) > 0 {
			t.Errorf("converged %v, %d states wrong, lost %v", fit.Converged, wrong, fit.Lost)
		}
	}
}

// TestLost: a state that nothing can belong to keeps its parameters and is named.
func TestLost(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	x := mat.NewDense(200, 1, nil)
	for i := range 200 {
		x.Set(i, 0, rng.NormFloat64())
	}
	start := Model{
		Start:      []float64{.5, .5},
		Transition: mat.NewDense(2, 2, []float64{.5, .5, .25, .75}),
		Output:     &Gaussian{Means: mat.NewDense(2, 1, []float64{0, 1000}), Kind: Diagonal, Variances: mat.NewDense(2, 1, []float64{1, 1})},
	}
	fit, err := BaumWelch(ctx, start, x, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := fit.Model.Output.(*Gaussian)
	if len(fit.Lost) == 0 || fit.Lost[0] != (Lost{1, 1}) || g.Means.At(1, 0) != 1000 || fit.Model.Transition.At(1, 1) != 0.75 {
		t.Errorf("lost %v, mean %v, row %v", fit.Lost, g.Means.At(1, 0), fit.Model.Transition.RawRowView(1))
	}
	if start.Transition.At(0, 0) != 0.5 {
		t.Error("the start was changed")
	}
}

func TestErrors(t *testing.T) {
	change := func(f func(*Model)) *Model { m, _ := umbrella(); f(m); return m }
	gauss := func(f func(*Gaussian)) *Model {
		g := &Gaussian{Means: mat.NewDense(2, 1, []float64{0, 1}), Kind: Diagonal, Variances: mat.NewDense(2, 1, []float64{1, 1})}
		f(g)
		return change(func(m *Model) { m.Output = g })
	}
	_, x := umbrella()
	for _, c := range []struct {
		m    *Model
		x    *mat.Dense
		want string
	}{
		{change(func(m *Model) { m.Start = nil }), x, "start has no states"},
		{change(func(m *Model) { m.Start = []float64{.5, .6} }), x, "start sums to 1.1"},
		{change(func(m *Model) { m.Start = []float64{-.5, 1.5} }), x, "start has -0.5 at 0"},
		{change(func(m *Model) { m.Transition = mat.NewDense(2, 1, nil) }), x, "transition is 2 x 1"},
		{change(func(m *Model) { m.Transition.Set(1, 0, .4) }), x, "row 1 of transition sums to 1.1"},
		{change(func(m *Model) { m.Output = &Categorical{Prob: mat.NewDense(1, 2, []float64{.5, .5})} }), x, "output has 1 states"},
		{change(func(m *Model) { m.Output.(*Categorical).Prob.Set(0, 0, .8) }), x, "row 0 of the symbols' probabilities sums to 0.9"},
		{change(func(*Model) {}), &mat.Dense{}, "sequence is empty"},
		{change(func(*Model) {}), nil, "sequence is empty"},
		{change(func(*Model) {}), mat.NewDense(2, 2, nil), "sequence has 2 columns"},
		{change(func(*Model) {}), Symbols([]int{0, 2}), "observation 1 is 2, must be a symbol from 0 to 1"},
		{change(func(*Model) {}), mat.NewDense(1, 1, []float64{math.NaN()}), "observation 0 has NaN"},
		{gauss(func(g *Gaussian) { g.Variances.Set(1, 0, 0) }), x, "variance of state 1 is 0"},
		{gauss(func(g *Gaussian) { g.Kind = "round" }), x, `kind of covariance is "round"`},
		{gauss(func(g *Gaussian) { g.Kind = Full }), x, "0 covariances, must be 2"},
		{gauss(func(g *Gaussian) {
			g.Kind, g.Covariances = Tied, []*mat.SymDense{mat.NewSymDense(1, []float64{-1})}
		}), x, "must be positive definite"},
		{change(func(m *Model) {
			m.Start, m.Transition = []float64{1, 0}, mat.NewDense(2, 2, []float64{1, 0, 0, 1})
			m.Output = &Categorical{Prob: mat.NewDense(2, 2, []float64{1, 0, 0, 1})}
		}), Symbols([]int{0, 1}), "observation 1 has probability 0 given"},
		{change(func(m *Model) { m.Output = &Categorical{Prob: mat.NewDense(2, 2, []float64{1, 0, 1, 0})} }), Symbols([]int{0, 1}), "observation 1 has probability 0 in every state"},
	} {
		_, err := c.m.Smooth(c.x)
		_, fitErr := BaumWelch(ctx, *c.m, c.x, nil)
		if err == nil || !strings.HasPrefix(err.Error(), "em: ") || !strings.Contains(err.Error(), c.want) || fitErr == nil || fitErr.Error() != err.Error() {
			t.Errorf("errors are %v and %v, want %s", err, fitErr, c.want)
		}
	}
	m := gauss(func(*Gaussian) {})
	same := mat.NewDense(20, 1, nil)
	if _, err := BaumWelch(ctx, *m, same, nil); err == nil || !strings.Contains(err.Error(), "variance of state 0 is 0") {
		t.Errorf("variance that shrinks: error is %v", err)
	}
	m.Output.(*Gaussian).Floor = []float64{1e-3}
	if _, err := BaumWelch(ctx, *m, same, nil); err != nil {
		t.Errorf("variance with a floor: error is %v", err)
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := BaumWelch(done, *m, x, nil); err != context.Canceled {
		t.Errorf("cancelled: error is %v", err)
	}
	if _, err := BaumWelchAll(ctx, *m, nil, nil); err == nil {
		t.Error("no sequences, no error")
	}
	if _, err := BaumWelch(ctx, *m, x, &Settings{Iterations: -2}); err == nil {
		t.Error("iterations -1, no error")
	}
}

// TestCores: the same bits on one core and on several.
func TestCores(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	m := randomModel(3, Diagonal, rng)
	x, _, err := m.Sample(3*rowBlock+5, rng)
	if err != nil {
		t.Fatal(err)
	}
	var want float64
	for _, cores := range []int{1, 4} {
		before := runtime.GOMAXPROCS(cores)
		fit, err := BaumWelch(ctx, *m, x, &Settings{Iterations: 3, Tolerance: -1})
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		got := fit.LogLikelihood[3] + fit.Model.Output.(*Gaussian).Variances.At(0, 0)
		if cores == 1 {
			want = got
		} else if got != want {
			t.Errorf("%v on %d cores, %v on one", got, cores, want)
		}
	}
}

// TestPartialSettings: a literal with a tolerance runs the default number of iterations.
func TestPartialSettings(t *testing.T) {
	m, x := umbrella()
	changed := DefaultSettings()
	changed.Tolerance = 1e-8
	a, err := BaumWelch(ctx, *m, x, &Settings{Tolerance: 1e-8})
	if err != nil {
		t.Fatal(err)
	}
	b, err := BaumWelch(ctx, *m, x, changed)
	if err != nil || !slices.Equal(a.LogLikelihood, b.LogLikelihood) || len(a.LogLikelihood) < 3 {
		t.Errorf("%d likelihoods with a literal, %d with the defaults changed, %v", len(a.LogLikelihood), len(b.LogLikelihood), err)
	}
	all, err := BaumWelch(ctx, *m, x, &Settings{Tolerance: None, Iterations: 300})
	if err != nil || len(all.LogLikelihood) != 301 || all.Converged {
		t.Errorf("without a tolerance: %d likelihoods, %v", len(all.LogLikelihood), err)
	}
	start, err := BaumWelch(ctx, *m, x, &Settings{Iterations: None})
	if err != nil || len(start.LogLikelihood) != 1 {
		t.Errorf("without iterations: %v, %v", start, err)
	}
}
