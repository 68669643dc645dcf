package kernelmachine

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

var dualLosses = []DualLoss{
	Squared{}, Huber{Threshold: 0.7}, EpsilonInsensitive{Epsilon: 0.3}, EpsilonInsensitive{}, Quantile{Tau: 0.2},
	Hinge{}, SquaredHinge{}, SmoothHinge{Width: 0.5}, Logistic{},
}

// targetsOf are targets to try a loss with.
func targetsOf(l Loss) []float64 {
	switch l.(type) {
	case Classifier, DensityRatio:
		return []float64{-1, 1}
	}
	return []float64{-0.6, 0.45, 1.3}
}

// TestGradients compares gradients with finite differences, off the kinks.
func TestGradients(t *testing.T) {
	losses := []Loss{Embedding{}, Novelty{}, DensityRatio{}, DensityRatio{Divergence: NoveltyRatio{Rho: 0.5}}, DensityRatio{Pearson{}}}
	for _, l := range dualLosses {
		losses = append(losses, l)
	}
	const h = 1e-6
	for _, l := range losses {
		for _, y := range targetsOf(l) {
			for u := -2.517; u < 2.6; u += 0.0731 {
				g := make([]float64, 1)
				l.Gradient(g, []float64{u}, []float64{y})
				up, down := l.Value([]float64{u + h}, []float64{y}), l.Value([]float64{u - h}, []float64{y})
				if want := (up - down) / (2 * h); math.Abs(g[0]-want) > 1e-6*(1+math.Abs(want)) {
					t.Errorf("%T%+v at u = %v, y = %v: derivative is %v, want %v", l, l, u, y, g[0], want)
				}
			}
		}
	}
	for _, c := range []struct {
		l Loss
		y []float64
	}{{MultiLogistic{Classes: 3}, []float64{1}}, {Squared{Targets: 3}, []float64{1, -2, 0.5}}} {
		u, g := []float64{0.4, -1.2, 2}, make([]float64, 3)
		c.l.Gradient(g, u, c.y)
		for j := range u {
			v := u[j]
			u[j] = v + h
			up := c.l.Value(u, c.y)
			u[j] = v - h
			down := c.l.Value(u, c.y)
			u[j] = v
			if want := (up - down) / (2 * h); math.Abs(g[j]-want) > 1e-6 {
				t.Errorf("%T: derivative %d is %v, want %v", c.l, j, g[j], want)
			}
		}
	}
}

// TestConjugates compares conjugates with the numerical supremum of -a u - l(u), and
// the best dual variable with a search over a grid.
func TestConjugates(t *testing.T) {
	for _, l := range dualLosses {
		for _, y := range targetsOf(l) {
			value := func(a float64) float64 {
				best := math.Inf(-1)
				try := func(u float64) { best = max(best, -a*u-l.Value([]float64{u}, []float64{y})) }
				for u := -60.0; u <= 60; u += 1. / 64 {
					try(u)
				}
				for _, kink := range []float64{y, y - 0.3, y + 0.3} {
					try(kink)
				}
				return best
			}
			for a := -0.95; a < 1; a += 0.1 {
				if c := l.Conjugate(a, y); !math.IsInf(c, 1) && math.Abs(c-value(a)) > 1e-4 {
					t.Errorf("%T%+v: conjugate at %v, y = %v, is %v, want %v", l, l, a, y, c, value(a))
				}
			}
			for _, c := range [][3]float64{{0, 0.3, 0.5}, {0.1, -1.4, 2}, {0.15, 0.9, 0.1}} {
				a, u, q := c[0]*math.Copysign(1, y), c[1], c[2]
				// The dual in one variable: -l*(-b) - u (b-a) - q (b-a)^2/2.
				gain := func(b float64) float64 { return -l.Conjugate(b, y) - u*(b-a) - q*(b-a)*(b-a)/2 }
				got := l.Ascend(a, u, q, y)
				for b := -2.0; b <= 2; b += 1. / 512 {
					if gain(b) > gain(got)+1e-9 {
						t.Errorf("%T%+v: %v ascends from %v to %v, but %v is better", l, l, y, a, got, b)
						break
					}
				}
			}
		}
	}
}

// TestDivergences compares r* with the numerical supremum of v t - r(t).
func TestDivergences(t *testing.T) {
	for _, c := range []struct {
		d Divergence
		r func(t float64) float64
	}{
		{KL{}, func(t float64) float64 { return -math.Log(t) }},
		{NoveltyRatio{Rho: 0.5}, func(t float64) float64 { return max(0, 0.5-math.Log(t)) }},
		{NoveltyRatio{Rho: -1}, func(t float64) float64 { return max(0, -1-math.Log(t)) }},
		{Pearson{}, func(t float64) float64 { return (t - 1) * (t - 1) / 2 }},
	} {
		for v := -3.03; v < 0; v += 0.1 {
			best := math.Inf(-1)
			for s := 1e-4; s < 60; s *= 1.0005 {
				best = max(best, v*s-c.r(s))
			}
			value, slope := c.d.Conjugate(v)
			if math.Abs(value-best) > 1e-3*(1+math.Abs(best)) {
				t.Errorf("%T%+v: r*(%v) = %v, want %v", c.d, c.d, v, value, best)
			}
			up, _ := c.d.Conjugate(v + 1e-7)
			down, _ := c.d.Conjugate(v - 1e-7)
			if want := (up - down) / 2e-7; math.Abs(slope-want) > 1e-5*(1+math.Abs(want)) && math.Abs(up-2*value+down) < 1e-9 {
				t.Errorf("%T%+v: derivative of r* at %v is %v, want %v", c.d, c.d, v, slope, want)
			}
		}
	}
}

// classes are two noisy half rings in the plane with labels -1 and 1.
func classes(n int, seed uint64) (*mat.Dense, []float64) {
	rng := newRand(seed)
	X, y := mat.NewDense(n, 2, nil), make([]float64, n)
	for i := range n {
		y[i] = float64(2*(i%2) - 1)
		a := math.Pi * rng.Float64()
		x0, x1 := math.Cos(a), math.Sin(a)
		if y[i] < 0 {
			x0, x1 = 1-x0, 0.3-x1
		}
		X.SetRow(i, []float64{x0 + 0.3*rng.NormFloat64(), x1 + 0.3*rng.NormFloat64()})
	}
	return X, y
}

// TestEveryMachineFindsTheBest trains a machine for each loss on 300 points and
// compares its mean loss with that of dual coordinate ascent, which is known to be best
// by its duality gap. f is no member of the space, so |f| is taken from the best one.
func TestEveryMachineFindsTheBest(t *testing.T) {
	const n, nu = 300, 0.02
	k := rkhs.Gaussian{Bandwidth: 1}
	for _, l := range dualLosses {
		t.Run(lossName(l), func(t *testing.T) {
			t.Parallel()
			X, y := classes(n, 1)
			if _, ok := l.(Classifier); !ok {
				data := radialWave(t, n, 2)
				X, y = data.X, data.Y
			}
			solver := DefaultSolverSettings()
			solver.Regularization, solver.Passes = nu, 200
			best, duality, err := KernelSDCA(ctx, l, k, X, y, solver, newRand(5))
			check(t, err)
			primal, dual := duality.Primal[199], duality.Dual[199]
			if gap := primal - dual; gap < -1e-12 || gap > 0.005*primal {
				t.Fatalf("best objective is between %v and %v", dual, primal)
			}
			settings := DefaultSettings()
			settings.Regularization, settings.Batch, settings.Block, settings.Passes = nu, 100, 128, 300
			settings.Average, settings.AverageFrom = true, 400
			settings.Step = HoldStep(3, 200, 100)
			m, err := New(l, k, settings, newRand(6))
			check(t, err)
			check(t, m.Fit(ctx, X, y))
			loss, err := m.MeanLoss(ctx, X, y)
			check(t, err)
			penalty := 0.0
			objective, err := best.Objective(ctx, X, y, nu)
			check(t, err)
			if math.Abs(objective-primal) > 1e-9 {
				t.Errorf("objective is %v, solver says %v", objective, primal)
			}
			bestLoss, err := best.MeanLoss(ctx, X, y)
			check(t, err)
			penalty = objective - bestLoss
			if got := loss + penalty; math.Abs(got-dual) > 0.02*dual {
				t.Errorf("objective is %v, best is %v", got, dual)
			}
		})
	}
}

func lossName(l Loss) string {
	p, _ := pack(l)
	return p.Type
}

// TestMultiLogistic: with two classes it is the logistic loss: its two outputs are
// opposite, and their difference minimises the logistic loss with half of nu.
func TestMultiLogistic(t *testing.T) {
	X, y := classes(200, 3)
	index := make([]float64, len(y))
	for i, v := range y {
		index[i] = (1 + v) / 2
	}
	const nu = 0.04
	k := rkhs.Gaussian{Bandwidth: 1}
	solver := DefaultSolverSettings()
	solver.Regularization, solver.Passes = nu/2, 100
	best, _, err := KernelSDCA(ctx, Logistic{}, k, X, y, solver, newRand(5))
	check(t, err)
	want, err := best.Outputs(ctx, X)
	check(t, err)
	settings := DefaultSettings()
	settings.Regularization, settings.Batch, settings.Block, settings.Passes = nu, 100, 128, 400
	settings.Step = HoldStep(4, 200, 100)
	settings.Average, settings.AverageFrom = true, 300
	m, err := New(MultiLogistic{Classes: 2}, k, settings, newRand(6))
	check(t, err)
	check(t, m.Fit(ctx, X, index))
	got, err := m.Outputs(ctx, X)
	check(t, err)
	for i := range y {
		if d := got.At(i, 1) - got.At(i, 0); math.Abs(d-want.At(i, 0)) > 0.1 || math.Abs(got.At(i, 0)+got.At(i, 1)) > 0.1 {
			t.Fatalf("outputs at point %d are %v, want a difference of %v", i, got.RawRowView(i), want.At(i, 0))
		}
	}
	labels, err := m.Predict(ctx, X)
	check(t, err)
	right := 0.0
	for i, v := range labels {
		if v == index[i] {
			right += 1. / 200
		}
	}
	if score, err := m.Score(ctx, X, index); err != nil || math.Abs(score-right) > 1e-9 || score < 0.85 {
		t.Errorf("score is %v, want %v; %v", score, right, err)
	}
}

// TestQuantileAndNovelty: a share tau of targets is below a quantile, a share nu of
// points is novel.
func TestQuantileAndNovelty(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	data := radialWave(t, 1000, 7)
	settings := DefaultSettings()
	settings.Regularization, settings.Batch, settings.Block, settings.Passes = 1e-4, 100, 128, 40
	settings.Step = HoldStep(3, 200, 40)
	settings.Average, settings.AverageFrom = true, 300
	for _, tau := range []float64{0.1, 0.5, 0.8} {
		m, err := New(Quantile{Tau: tau}, rkhs.Gaussian{Bandwidth: 1}, settings, newRand(1))
		check(t, err)
		check(t, m.Fit(ctx, data.X, data.Y))
		q, err := m.Predict(ctx, data.X)
		check(t, err)
		below := 0.0
		for i, v := range q {
			if data.Y[i] <= v {
				below += 1. / 1000
			}
		}
		if math.Abs(below-tau) > 0.02 {
			t.Errorf("%.3f of the targets are below the quantile %v", below, tau)
		}
	}
	X := mat.NewDense(1000, 2, nil)
	rng := newRand(8)
	for i := range 1000 {
		X.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64()})
	}
	for _, nu := range []float64{0.05, 0.2} {
		settings.Regularization, settings.Batch, settings.Block, settings.Passes = nu, 250, 512, 250
		settings.Step, settings.Average = HoldStep(1, 400, 0.5/nu), false
		m, err := New(Novelty{}, rkhs.Gaussian{Bandwidth: 1}, settings, newRand(1))
		check(t, err)
		check(t, m.Fit(ctx, X, make([]float64, 1000)))
		label, err := m.Predict(ctx, X)
		check(t, err)
		novel := 0.0
		for _, v := range label {
			if v < 0 {
				novel += 1. / 1000
			}
		}
		if math.Abs(novel-nu) > 0.02 {
			t.Errorf("%.3f of the points are novel, want %v", novel, nu)
		}
		if far, err := m.Predict(ctx, mat.NewDense(1, 2, []float64{6, 6})); err != nil || far[0] != -1 {
			t.Errorf("a point far off has the label %v; %v", far, err)
		}
	}
}

// TestDensityRatio: log p/q for p = N(0,1) and q = N(1,1) is 1/2 - x.
func TestDensityRatio(t *testing.T) {
	worst := 0.0
	for seed := range uint64(3) {
		rng := newRand(20 + seed)
		settings := DefaultSettings()
		settings.Regularization, settings.Batch, settings.Block = 1e-3, 64, 32
		settings.Step = HoldStep(0.5, 0, 1/0.0205)
		m, err := New(DensityRatio{}, rkhs.Gaussian{Bandwidth: 2}, settings, rng)
		check(t, err)
		P, Q := mat.NewDense(16000, 1, nil), mat.NewDense(16000, 1, nil)
		for i := range 16000 {
			P.Set(i, 0, rng.NormFloat64())
			Q.Set(i, 0, 1+rng.NormFloat64())
		}
		check(t, m.FitStream(ctx, PairBatches(P, Q, 64)))
		if m.Steps() != 500 {
			t.Fatalf("%d steps, want 500", m.Steps())
		}
		grid := mat.NewDense(61, 1, nil)
		for i := range 61 {
			grid.Set(i, 0, -1+float64(i)/20)
		}
		f, err := m.Predict(ctx, grid)
		check(t, err)
		mean := 0.0
		for i, v := range f {
			mean += math.Abs(v-(0.5-grid.At(i, 0))) / 61
		}
		worst = max(worst, mean)
	}
	t.Logf("worst mean error %.3f", worst)
	if worst > 0.15 {
		t.Errorf("mean error of the log ratio is %.3f, want at most 0.15", worst)
	}
}

// TestEmbedding: with a regularisation of 1 the machine is the mean embedding.
func TestEmbedding(t *testing.T) {
	data := radialWave(t, 400, 9)
	ones := make([]float64, 400)
	for i := range ones {
		ones[i] = 1
	}
	k := rkhs.Gaussian{Bandwidth: 2}
	settings := DefaultSettings()
	settings.Regularization, settings.Batch, settings.Block, settings.Passes = 1, 400, 256, 200
	settings.Step = TheoryStep(1)
	m, err := New(Embedding{}, k, settings, newRand(1))
	check(t, err)
	check(t, m.Fit(ctx, data.X, ones))
	got, err := m.Predict(ctx, data.X)
	check(t, err)
	want := make([]float64, 400)
	check(t, rkhs.WeightedSum(ctx, want, k, data.X, rkhs.Uniform(data.X)))
	for i, v := range want {
		if math.Abs(got[i]-v) > 0.02 {
			t.Fatalf("embedding at point %d is %v, want %v", i, got[i], v)
		}
	}
}
