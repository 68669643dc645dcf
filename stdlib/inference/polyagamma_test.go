package inference

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

// TestPolyaGamma compares means, variances and Laplace transforms with their closed forms (Polson, Scott and Windle 2013, section
// 2): E exp(-t w) = cosh(z/2) / cosh(sqrt(z^2/4 + t/2)).
func TestPolyaGamma(t *testing.T) {
	t.Parallel()
	rng := source(1)
	const n = 100000
	for _, z := range []float64{0, 0.3, 2, -3, 3.2, 9, 40, 1200} {
		a := math.Max(math.Abs(z), 1e-4)
		mean := math.Tanh(a/2) / (2 * a)
		c := math.Cosh(min(a/2, 300))
		variance := (math.Tanh(a/2) - a/2/(c*c)) / (2 * a * a * a)
		if z == 0 {
			variance = 1.0 / 24
		}
		var m, v, laplace float64
		const at = 1.7
		for range n {
			w := polyaGamma(z, rng)
			m += w / n
			v += (w - mean) * (w - mean) / n
			laplace += math.Exp(-at*w) / n
		}
		if math.Abs(m-mean) > 5*math.Sqrt(variance/n) || math.Abs(v/variance-1) > 0.1 {
			t.Errorf("z = %v: mean %v and variance %v, want %v and %v", z, m, v, mean, variance)
		}
		b := math.Sqrt(a*a/4 + at/2)
		want := math.Exp(a/2-b) * (1 + math.Exp(-a)) / (1 + math.Exp(-2*b))
		if math.Abs(laplace-want) > 5*at*math.Sqrt(variance/n) {
			t.Errorf("z = %v: Laplace transform %v, want %v", z, laplace, want)
		}
	}
}

// TestLogisticGibbs compares samples with a posterior on a grid that is not normal: few observations.
func TestLogisticGibbs(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := logistic(12, 2, source(2))
	l.Scale = 2
	grid, err := NewGrid(2, 201, -12, 12)
	check(t, err)
	truth, err := grid.Posterior(ctx, l)
	check(t, err)
	q, err := l.Gibbs(ctx, 100, 30000, source(3))
	check(t, err)
	mean, variance := moments(q)
	for k := range 2 {
		want := truth.Expect(func(x []float64) float64 { return x[k] })
		v := truth.Expect(func(x []float64) float64 { return (x[k] - want) * (x[k] - want) })
		size := ChainSize(mat.Col(nil, k, q.X))
		t.Logf("coordinate %d: mean %.3f and variance %.3f, on the grid %.3f and %.3f; %.0f effective samples", k, mean[k], variance[k], want, v, size)
		if math.Abs(mean[k]-want) > 5*math.Sqrt(v/size) || math.Abs(variance[k]/v-1) > 0.08 {
			t.Errorf("coordinate %d has mean %v and variance %v, want %v and %v", k, mean[k], variance[k], want, v)
		}
	}
	if _, err := l.Gibbs(ctx, 0, 0, source(4)); err == nil {
		t.Error("no error for 0 samples")
	}
}

// TestChainSize is on autoregressions, of which n samples are worth n (1-r)/(1+r).
func TestChainSize(t *testing.T) {
	t.Parallel()
	rng := source(5)
	const n = 200000
	for _, r := range []float64{-0.5, 0, 0.5, 0.95} {
		x := make([]float64, n)
		for i := 1; i < n; i++ {
			x[i] = r*x[i-1] + rng.NormFloat64()
		}
		want := n * (1 - r) / (1 + r)
		if got := ChainSize(x); math.Abs(got/want-1) > 0.1 {
			t.Errorf("autoregression %v: %v effective samples, want %v", r, got, want)
		}
	}
	if got := ChainSize([]float64{1, 1, 1}); !math.IsNaN(got) {
		t.Errorf("constant chain is worth %v, want NaN", got)
	}
}

// TestMarginal integrates a two-dimensional estimate over the other coordinate.
func TestMarginal(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	q, err := NewKDE(rkhs.Measure{X: mat.NewDense(3, 2, []float64{0, 1, 1, -1, 0.5, 0.2}), W: []float64{0.5, 0.2, 0.3}}, 0.4)
	check(t, err)
	grid, err := NewGrid(2, 200, -4, 4)
	check(t, err)
	on, err := grid.Evaluate(ctx, q)
	check(t, err)
	for k := range 2 {
		x, want := on.Marginal(k)
		got, err := q.Marginal(ctx, k, x)
		check(t, err)
		for i := range x {
			if math.Abs(got[i]-want[i]) > 1e-6 {
				t.Fatalf("marginal %d at %v is %v, want %v", k, x[i], got[i], want[i])
			}
		}
	}
	if _, err := q.Marginal(ctx, 2, nil); err == nil {
		t.Error("no error for coordinate 2 of 2")
	}
}
