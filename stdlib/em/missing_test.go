package em

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// withHoles draws a sequence and takes a part of it away.
func withHoles(t *testing.T, m *Model, n int, rng *rand.Rand) *mat.Dense {
	t.Helper()
	x, _, err := m.Sample(n, rng)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if rng.Float64() < 0.4 {
			for a := range m.Output.Dim() {
				x.Set(i, a, math.NaN())
			}
		}
	}
	return x
}

// pathSum returns the likelihood by a sum over all paths, with a density of 1 for what
// is missing, and the best path.
func pathSum(t *testing.T, m *Model, x *mat.Dense) (total float64, best []int) {
	t.Helper()
	n, _ := x.Dims()
	s, most := m.States(), -1.0
	path := make([]int, n)
	for code := range int(math.Pow(float64(s), float64(n))) {
		w := 1.0
		for i, c := 0, code; i < n; i++ {
			path[i], c = c%s, c/s
			if i == 0 {
				w *= m.Start[path[0]]
			} else {
				w *= m.Transition.At(path[i-1], path[i])
			}
			if math.IsNaN(x.At(i, 0)) {
				continue
			}
			dst := make([]float64, s)
			if err := m.Output.LogDensity(dst, mat.DenseCopyOf(x.Slice(i, i+1, 0, m.Output.Dim()))); err != nil {
				t.Fatal(err)
			}
			w *= math.Exp(dst[path[i]])
		}
		total += w
		if w > most {
			most, best = w, slices.Clone(path)
		}
	}
	return total, best
}

// TestMissing compares likelihoods and paths with sums over all paths, and finds the
// gradient of that sum to be 0 where the fit has converged.
func TestMissing(t *testing.T) {
	rng := rand.New(rand.NewPCG(90, 0))
	for trial := range 15 {
		m := randomModel(2, kinds[trial%len(kinds)], rng)
		x := withHoles(t, m, 7, rng)
		x.Set(0, 0, math.NaN()) // the first and one more at least
		if m.Output.Dim() == 2 {
			x.Set(0, 1, math.NaN())
		}
		want, path := pathSum(t, m, x)
		m.Output = &Missing{m.Output}
		got, err := m.LogLikelihood(x)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "log-likelihood", got, math.Log(want), 1e-11)
		if p, err := m.Predict(x); err != nil || !slices.Equal(p, path) {
			t.Errorf("path is %v, want %v; %v", p, path, err)
		}
	}
	truth := &Model{Start: []float64{.5, .5}, Transition: mat.NewDense(2, 2, []float64{.8, .2, .3, .7}), Output: unit(mat.NewDense(2, 1, []float64{-1, 1}), Diagonal)}
	x := withHoles(t, truth, 9, rng)
	start := *truth
	g := unit(mat.NewDense(2, 1, []float64{-2, 1.5}), Diagonal)
	g.Known = true // of so few observations a state could shrink to one
	start.Output = &Missing{g}
	fit, err := BaumWelch(ctx, start, x, &Settings{Iterations: 3000, Tolerance: 1e-14})
	if err != nil {
		t.Fatal(err)
	}
	checkRises(t, "missing", fit.Objective, 9)
	g = fit.Model.Output.(*Missing).Output.(*Gaussian)
	plain := &Model{Start: fit.Model.Start, Transition: fit.Model.Transition, Output: g}
	for j := range 2 {
		const h = 1e-5
		at := g.Means.At(j, 0)
		g.Means.Set(j, 0, at+h)
		up, _ := pathSum(t, plain, x)
		g.Means.Set(j, 0, at-h)
		down, _ := pathSum(t, plain, x)
		g.Means.Set(j, 0, at)
		near(t, "derivative of the log-likelihood", (math.Log(up)-math.Log(down))/(2*h), 0, 1e-5)
	}
	seen := 0
	for i := range 9 {
		if !math.IsNaN(x.At(i, 0)) {
			seen++
		}
	}
	if fit.Observations != seen {
		t.Errorf("%d observations, want %d", fit.Observations, seen)
	}
}

// TestMissingEdges: nothing seen, nothing missing, rows in part, no output.
func TestMissingEdges(t *testing.T) {
	rng := rand.New(rand.NewPCG(91, 0))
	m := randomModel(2, Spherical, rng)
	x, _, err := m.Sample(30, rng)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := BaumWelch(ctx, *m, x, &Settings{Iterations: 2})
	if err != nil {
		t.Fatal(err)
	}
	wrapped := *m
	wrapped.Output = &Missing{m.Output}
	fit, err := BaumWelch(ctx, wrapped, x, &Settings{Iterations: 2})
	if err != nil || !slices.Equal(fit.LogLikelihood, plain.LogLikelihood) {
		t.Errorf("nothing missing: %v, want %v; %v", fit, plain.LogLikelihood, err)
	}
	if a, b := fit.String(), plain.String(); a != b {
		t.Errorf("table is\n%s\nwant\n%s", a, b)
	}
	nothing := mat.NewDense(4, 2, slices.Repeat([]float64{math.NaN()}, 8))
	if fit, err = BaumWelch(ctx, wrapped, nothing, nil); err != nil || math.Abs(fit.LogLikelihood[0]) > 1e-12 {
		t.Errorf("nothing seen: %v, %v", fit, err)
	}
	part := mat.NewDense(1, 2, []float64{1, math.NaN()})
	if _, err := wrapped.Smooth(part); err == nil || !strings.Contains(err.Error(), "must be finite or NaN alone") {
		t.Errorf("a row in part: error is %v", err)
	}
	if _, err := m.Smooth(nothing); err == nil || !strings.Contains(err.Error(), "em.Missing takes observations that are missing") {
		t.Errorf("without Missing: error is %v", err)
	}
	wrapped.Output = &Missing{}
	if err := wrapped.Check(); err == nil {
		t.Error("no output, no error")
	}
}

// TestSorted: the same law with its states in order, whatever order they had.
func TestSorted(t *testing.T) {
	rng := rand.New(rand.NewPCG(92, 0))
	for trial := range 20 {
		m := randomModel(3, kinds[trial%len(kinds)], rng)
		x, _, err := m.Sample(20, rng)
		if err != nil {
			t.Fatal(err)
		}
		want, err := m.Score(x)
		if err != nil {
			t.Fatal(err)
		}
		sorted, err := m.Sorted()
		if err != nil {
			t.Fatal(err)
		}
		got, err := sorted.Score(x)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "score", got, want, 1e-12)
		again, err := sorted.Sorted()
		if err != nil || again.String() != sorted.String() {
			t.Errorf("sorted twice:\n%v\nwant\n%v; %v", again, sorted, err)
		}
		_, values := sorted.Output.(described).columns()
		if !slices.IsSortedFunc(values, func(a, b []float64) int { return slices.Compare(a, b) }) {
			t.Errorf("states are %v", values)
		}
	}
	mix := &Mixture{Weights: []float64{.2, .8}, Output: &GaussianMixture{
		Weights: mat.NewDense(2, 2, []float64{.7, .3, .4, .6}), Parts: unit(mat.NewDense(4, 1, []float64{5, 6, -1, 2}), Full)}}
	sorted, err := mix.Sorted()
	if err != nil {
		t.Fatal(err)
	}
	if sorted.Weights[0] != .8 || sorted.Output.(*GaussianMixture).Parts.Means.At(0, 0) != -1 {
		t.Errorf("sorted is %v", sorted)
	}
	points := mat.NewDense(3, 1, []float64{-2, 1, 7})
	a, err := mix.Score(points)
	if err != nil {
		t.Fatal(err)
	}
	b, err := sorted.Score(points)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "score of the mixture", b, a, 1e-14)
	labels, err := sorted.Predict(points)
	if err != nil || !slices.Equal(labels, []int{0, 0, 1}) {
		t.Errorf("components are %v, %v", labels, err)
	}
	if _, err := (&Model{Start: []float64{1}, Transition: mat.NewDense(1, 1, []float64{1}), Output: wrongFit{unit(mat.NewDense(1, 1, nil), Full)}}).Sorted(); err == nil {
		t.Error("an output of another package has been sorted")
	}
}

// TestNothingObserved: a sequence that is all missing has no observations.
func TestNothingObserved(t *testing.T) {
	m := Model{Start: []float64{1}, Transition: mat.NewDense(1, 1, []float64{1}), Output: &Missing{Output: &Poisson{Rate: mat.NewDense(1, 1, []float64{2})}}}
	f, err := BaumWelch(context.Background(), m, mat.NewDense(1, 1, []float64{math.NaN()}), nil)
	if err != nil || f.Observations != 0 {
		t.Errorf("%d observations, want 0, %v", f.Observations, err)
	}
}
