package inference

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// logistic is a small logistic regression with labels drawn from weights of norm about 1.
func logistic(n, d int, rng *rand.Rand) *LogisticRegression {
	w := make([]float64, d)
	for k := range w {
		w[k] = rng.NormFloat64()
	}
	l := &LogisticRegression{X: mat.NewDense(n, d, nil), Y: make([]float64, n), Scale: 1}
	for i := range n {
		row := l.X.RawRowView(i)
		for k := range row {
			row[k] = rng.NormFloat64() / math.Sqrt(float64(k+1))
		}
		l.Y[i] = -1
		if rng.Float64() < vec.Logistic1(vec.Dot(row, w)) {
			l.Y[i] = 1
		}
	}
	return l
}

// TestGradients compares gradients with central differences, for more particles and observations than a block holds.
func TestGradients(t *testing.T) {
	rng := source(20)
	for _, model := range []Differentiable{bimodal(1), logistic(300, 4, rng), line([]float64{1, 2, 3}, 2)} {
		n, d := 40, model.Dim()
		batch := rng.Perm(model.Len())[:min(200, model.Len())]
		theta, grad := mat.NewDense(n, d, nil), mat.NewDense(n, d, nil)
		model.SamplePrior(theta, rng)
		for _, f := range []struct {
			name     string
			value    func(dst []float64, theta *mat.Dense)
			gradient func(dst, theta *mat.Dense)
		}{
			{"prior", model.LogPrior, model.LogPriorGradient},
			{"likelihood", func(dst []float64, theta *mat.Dense) { model.LogLikelihood(dst, theta, batch) },
				func(dst, theta *mat.Dense) { model.LogLikelihoodGradient(dst, theta, batch) }},
		} {
			f.gradient(grad, theta)
			up, down := make([]float64, n), make([]float64, n)
			for k := range d {
				const h = 1e-5
				shift := func(by float64) *mat.Dense {
					c := mat.DenseCopyOf(theta)
					for i := range n {
						c.Set(i, k, c.At(i, k)+by)
					}
					return c
				}
				f.value(up, shift(h))
				f.value(down, shift(-h))
				for i := range n {
					want := (up[i] - down[i]) / (2 * h)
					if got := grad.At(i, k); math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
						t.Errorf("%T, %s: derivative %d at particle %d is %v, by differences %v", model, f.name, k, i, got, want)
					}
				}
			}
		}
	}
}

// TestLogLikelihood writes the densities out.
func TestLogLikelihood(t *testing.T) {
	m := &TiedMixture{X: []float64{0.3, -4, 2, 60}, Weight: 0.3, Sigma: 1.5, Scale1: 2, Scale2: 0.5}
	theta := mat.NewDense(2, 2, []float64{0.4, -1, -3, 2})
	got := make([]float64, 2)
	m.LogLikelihood(got, theta, []int{0, 2, 2})
	normal := func(x, mean, s float64) float64 {
		return vec.Exp1(-0.5*(x-mean)*(x-mean)/(s*s)) / (s * math.Sqrt(2*math.Pi))
	}
	for i := range got {
		a, b := theta.At(i, 0), theta.At(i, 1)
		want := 0.0
		for _, x := range []float64{0.3, 2, 2} {
			want += vec.Log1(0.3*normal(x, a, 1.5) + 0.7*normal(x, a+b, 1.5))
		}
		if math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("log likelihood %v, want %v", got[i], want)
		}
		prior := make([]float64, 2)
		m.LogPrior(prior, theta)
		if want := vec.Log1(normal(a, 0, 2) * normal(b, 0, 0.5)); math.Abs(prior[i]-want) > 1e-12 {
			t.Errorf("log prior %v, want %v", prior[i], want)
		}
	}
	// An observation at which both densities are 0 in float64.
	m.LogLikelihood(got, theta, []int{3})
	if want := vec.Log1(0.3/(1.5*math.Sqrt(2*math.Pi))) - 0.5*59.6*59.6/2.25; math.Abs(got[0]-want) > 1e-9 {
		t.Errorf("log likelihood of a far observation %v, want %v", got[0], want)
	}
	// Odds too large for a product, and so many that a product is taken in chunks.
	far := &TiedMixture{X: make([]float64, 500), Weight: 0.5, Sigma: 0.1, Scale1: 1, Scale2: 1}
	for i := range far.X {
		far.X[i] = float64(i%5) / 4
	}
	for _, at := range [][]float64{{0, 1}, {0, 0.1}, {5, -6}} {
		far.LogLikelihood(got[:1], mat.NewDense(1, 2, at), everything(500))
		want := 0.0
		for _, x := range far.X {
			a, b := -50*(x-at[0])*(x-at[0]), -50*(x-at[0]-at[1])*(x-at[0]-at[1])
			want += vec.LogSumExp([]float64{a, b}) + vec.Log1(0.5/(0.1*math.Sqrt(2*math.Pi)))
		}
		if math.Abs(got[0]-want) > 1e-9*math.Abs(want) {
			t.Errorf("log likelihood at %v is %v, want %v", at, got[0], want)
		}
	}
	l := &LogisticRegression{X: mat.NewDense(2, 2, []float64{1, 2, -1, 0.5}), Y: []float64{1, -1}, Scale: 1}
	l.LogLikelihood(got, theta, []int{0, 1, 1})
	for i := range got {
		a, b := theta.At(i, 0), theta.At(i, 1)
		want := -vec.Log1(1+vec.Exp1(-(a+2*b))) - 2*vec.Log1(1+vec.Exp1(-a+0.5*b))
		if math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("logistic log likelihood %v, want %v", got[i], want)
		}
	}
}

// TestLaplace compares the mode and curvature with the posterior on a grid: for many observations they are its mean and
// covariance; and the gradient at the mode is 0.
func TestLaplace(t *testing.T) {
	ctx := context.Background()
	l := logistic(600, 2, source(21))
	q, err := l.Laplace(ctx)
	check(t, err)
	mode := mat.NewDense(1, 2, q.Mean())
	g, p := mat.NewDense(1, 2, nil), mat.NewDense(1, 2, nil)
	l.LogLikelihoodGradient(g, mode, everything(600))
	l.LogPriorGradient(p, mode)
	g.Add(g, p)
	if mat.Norm(g, 2) > 1e-5 {
		t.Errorf("gradient at the mode %v", g)
	}
	grid, err := NewGrid(2, 121, -3, 3)
	check(t, err)
	truth, err := grid.Posterior(ctx, l)
	check(t, err)
	on, err := grid.Evaluate(ctx, q)
	check(t, err)
	if v := truth.TotalVariation(on); v > 0.05 {
		t.Errorf("total variation of the normal approximation %v, want at most 0.05", v)
	}
	sure, err := l.Predict(rkhs.Measure{X: mode}, mat.NewDense(1, 2, []float64{1, -1}))
	check(t, err)
	if want := vec.Logistic1(mode.At(0, 0) - mode.At(0, 1)); math.Abs(sure[0]-want) > 1e-14 {
		t.Errorf("probability %v, want %v", sure[0], want)
	}
}

// TestLaplaceOfManyObservations finds modes whose last steps gain less than rounding leaves of the log posterior: there the
// gradient is 0 but for rounding.
func TestLaplaceOfManyObservations(t *testing.T) {
	const n, d = 20_000, 4
	for seed := range uint64(20) {
		l := logistic(n, d, source(seed))
		q, err := l.Laplace(context.Background())
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		mode := mat.NewDense(1, d, q.Mean())
		g, p := mat.NewDense(1, d, nil), mat.NewDense(1, d, nil)
		l.LogLikelihoodGradient(g, mode, everything(n))
		l.LogPriorGradient(p, mode)
		if g.Add(g, p); mat.Norm(g, 2) > 1e-5 {
			t.Errorf("seed %d: gradient at the mode %v", seed, g.RawRowView(0))
		}
	}
}

// TestKDE compares the density with a plain sum, and draws with moments.
func TestKDE(t *testing.T) {
	ctx := context.Background()
	q, err := NewKDE(rkhs.Measure{X: mat.NewDense(3, 2, []float64{0, 0, 1, 2, -3, 1}), W: []float64{0.5, 0.2, 0.3}}, 0.7)
	check(t, err)
	X := mat.NewDense(2, 2, []float64{0.5, 0.5, -2, 7})
	got := make([]float64, 2)
	check(t, q.LogDensity(ctx, got, X))
	same, err := rkhs.NewIsotropicMixture(q.W, q.X, []float64{0.49, 0.49, 0.49})
	check(t, err)
	want := make([]float64, 2)
	check(t, same.LogDensity(ctx, want, X))
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-11 {
			t.Errorf("log density %v, want %v", got[i], want[i])
		}
	}
	draws := rkhs.Uniform(q.Draw(100000, source(22)))
	for k, m := range draws.Mean() {
		if math.Abs(m-q.Mean()[k]) > 0.01 {
			t.Errorf("mean of coordinate %d of draws %v, want %v", k, m, q.Mean()[k])
		}
	}
	second := draws.Expect(func(x []float64) float64 { return x[0] * x[0] })
	if want := 0.2 + 2.7 + 0.49; math.Abs(second-want) > 0.02 {
		t.Errorf("second moment of draws %v, want %v", second, want)
	}
	if got := EffectiveSize([]float64{2, 2, 0, 0}); got != 2 {
		t.Errorf("effective size %v, want 2", got)
	}
	for _, a := range systematic([]float64{0, 1, 0, 0}, 4, 100, source(1)) {
		if a != 1 {
			t.Fatalf("ancestor %d of weight 0", a)
		}
	}
}

// TestGrid has a density with known values.
func TestGrid(t *testing.T) {
	ctx := context.Background()
	grid, err := NewGrid(2, 200, -8, 8)
	check(t, err)
	at := func(x, y, v float64) *GridDensity {
		m, err := rkhs.NewIsotropicMixture([]float64{1}, mat.NewDense(1, 2, []float64{x, y}), []float64{v})
		check(t, err)
		q, err := grid.Evaluate(ctx, m)
		check(t, err)
		return q
	}
	p, q := at(0, 0, 1), at(1, 0, 1)
	if want := math.Erf(0.5 / math.Sqrt2); math.Abs(p.TotalVariation(q)-want) > 1e-3 {
		t.Errorf("total variation %v, want %v", p.TotalVariation(q), want)
	}
	if math.Abs(p.Divergence(q)-0.5) > 1e-9 {
		t.Errorf("divergence %v, want 0.5", p.Divergence(q))
	}
	if want := 1 + vec.Log1(2*math.Pi); math.Abs(p.Entropy()-want) > 1e-9 {
		t.Errorf("entropy %v, want %v", p.Entropy(), want)
	}
	if m := q.Mass(func(x []float64) bool { return x[0] > 1 }); math.Abs(m-0.5) > 0.02 {
		t.Errorf("mass %v, want 0.5", m)
	}
	if m := q.Expect(func(x []float64) float64 { return x[0] }); math.Abs(m-1) > 1e-9 {
		t.Errorf("mean %v, want 1", m)
	}
	x, f := q.Marginal(0)
	for i := range x {
		if want := vec.Exp1(-0.5*(x[i]-1)*(x[i]-1)) / math.Sqrt(2*math.Pi); math.Abs(f[i]-want) > 1e-9 {
			t.Fatalf("marginal at %v is %v, want %v", x[i], f[i], want)
		}
	}
	m := q.Matrix()
	row, col := 100, 112
	if want := vec.Exp1(q.Log[row*200+col]); m.At(row, col) != want || grid.X.At(row*200+col, 0) != x[col] {
		t.Error("the matrix does not have the first coordinate along its rows")
	}
}

// TestMirrorStep checks the exact step: the whole posterior at once with all observations and step 1, and inequality (a) of
// theorem 15 with the expectation over all batches of one observation.
func TestMirrorStep(t *testing.T) {
	ctx := context.Background()
	model := NewTiedMixture(nil)
	model.Simulate(30, 1, -2, source(23))
	grid, err := NewGrid(2, 60, -4, 4)
	check(t, err)
	truth, err := grid.Posterior(ctx, model)
	check(t, err)
	q, err := grid.Prior(model)
	check(t, err)
	whole, err := q.MirrorStep(model, everything(30), 1)
	check(t, err)
	for i := range whole.Log {
		if math.Abs(whole.Log[i]-truth.Log[i]) > 1e-10 {
			t.Fatalf("log density in cell %d is %v, want %v", i, whole.Log[i], truth.Log[i])
		}
	}
	rng := source(24)
	prior := append([]float64(nil), q.Log...)
	part := make([]float64, len(q.Log))
	for step := 1; step <= 6; step++ {
		gamma := 2 / float64(step+1)
		after, square := 0.0, 0.0
		for b := range 30 {
			next, err := q.MirrorStep(model, []int{b}, gamma)
			check(t, err)
			after += truth.Divergence(next) / 30
			model.LogLikelihood(part, grid.X, []int{b})
			// The gradient is defined up to a constant; half its range bounds the norm.
			lo, hi := math.Inf(1), math.Inf(-1)
			for i := range part {
				g := q.Log[i] - prior[i] - 30*part[i]
				lo, hi = min(lo, g), max(hi, g)
			}
			square += 0.25 * (hi - lo) * (hi - lo) / 30
		}
		if bound := (1-gamma)*truth.Divergence(q) + 0.5*gamma*gamma*square; after > bound {
			t.Errorf("step %d: expected divergence %v, want at most %v", step, after, bound)
		}
		if q, err = q.MirrorStep(model, []int{rng.IntN(30)}, gamma); err != nil {
			t.Fatal(err)
		}
	}
}
