package boosting

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// TestClosedForm compares the path in closed form with the loop: iterates,
// averages, functions, series, predictions.
func TestClosedForm(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	const T = 60
	for _, k := range []rkhs.Kernel{rkhs.Min{Offset: 1}, rkhs.Gaussian{Bandwidth: 0.3}} {
		x, z := uniformRows(40, 1, rng), uniformRows(7, 1, rng)
		d := design(t, k, x)
		target := Kink(x)
		y := Squared{}.Draw(target, 0.5, rng)
		// Step 1.2 makes 1 - step mu_1 negative.
		for _, step := range []float64{0.75, 1.2} {
			loop := run(t, d, y, func(s *Settings) { s.Step, s.Iterations, s.Target, s.Keep = step, T, target, true })
			p, err := NewSquaredPath(bg, d, y, step)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "iterate", p.At(T), loop.Last, 1e-11)
			near(t, "average", p.Averaged(T), loop.Averaged, 1e-11)
			trace, err := p.Trace(bg, T, target)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "losses", trace.Loss, loop.Loss, 1e-12)
			near(t, "norms", trace.Norm, loop.Norm, 1e-9)
			near(t, "errors", trace.Error, loop.Error, 1e-12)
			near(t, "errors of averages", trace.AveragedError, loop.AveragedError, 1e-12)
			all, err := p.Predict(bg, z, []int{0, 1, 17, T})
			if err != nil {
				t.Fatal(err)
			}
			near(t, "prediction of iterate 0", all.RawRowView(0), make([]float64, 7), 0)
			for i, s := range []int{1, 17, T} {
				want, err := loop.At(s).Predict(bg, z)
				if err != nil {
					t.Fatal(err)
				}
				near(t, "predictions", all.RawRowView(i+1), want, 1e-10)
				one, err := p.Model(s).Predict(bg, z)
				if err != nil {
					t.Fatal(err)
				}
				near(t, "predictions of the model", one, want, 1e-10)
			}
		}
	}
}

// TestAverageShrinkage compares with the sum, for small and large products.
func TestAverageShrinkage(t *testing.T) {
	for _, mu := range []float64{0, 1e-12, 1e-7, 3e-6, 1e-3, 0.5, 1.3, 1.7} {
		for _, n := range []int{1, 2, 7, 100} {
			want := 0.0
			for s := 1; s <= n; s++ {
				want += shrinkage(1, mu, s) / float64(n)
			}
			if got := averageShrinkage(1, mu, n); math.Abs(got-want) > 1e-9*math.Abs(want) {
				t.Errorf("mean over %d iterations at %v is %v, want %v", n, mu, got, want)
			}
		}
	}
}

// TestExactRisk compares with the average error over drawn data, within four
// standard errors.
func TestExactRisk(t *testing.T) {
	const n, trials = 150, 500
	rng := rand.New(rand.NewPCG(2, 5))
	x := Grid(n)
	d, target := design(t, rkhs.Min{Offset: 1}, x), Kink(x)
	s := spectrum(t, d)
	times := []int{1, 5, 20, 80, 300, 1000}
	sum, squares := make([]float64, 12), make([]float64, 12)
	for range trials {
		p, err := NewSquaredPath(bg, d, Squared{}.Draw(target, 0.5, rng), 0.75)
		if err != nil {
			t.Fatal(err)
		}
		for i, at := range times {
			for j, f := range [][]float64{p.At(at), p.Averaged(at)} {
				e := vec.SquaredDistance(f, target) / n
				sum[2*i+j] += e / trials
				squares[2*i+j] += e * e / trials
			}
		}
	}
	for i, at := range times {
		last, averaged := s.ExactRisk(target, 0.5, 0.75, at)
		for j, want := range []float64{last.Total(), averaged.Total()} {
			mean := sum[2*i+j]
			se := math.Sqrt((squares[2*i+j] - mean*mean) / (trials - 1))
			if math.Abs(mean-want) > 4*se {
				t.Errorf("iteration %d: risk %v +- %v, want %v", at, mean, se, want)
			}
		}
	}
}

// TestRidge compares with a direct solution, and its risk with the boosting risk.
func TestRidge(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	const n, lambda = 40, 0.02
	x := uniformRows(n, 2, rng)
	y := Squared{}.Draw(make([]float64, n), 1, rng)
	k := rkhs.Gaussian{Bandwidth: 0.3}
	g, err := rkhs.Gram(bg, k, x, nil)
	if err != nil {
		t.Fatal(err)
	}
	g.Scale(1.0/n, g)
	c, err := linalg.NewCholeskyDense(g, lambda)
	if err != nil {
		t.Fatal(err)
	}
	want := linalg.MulVec(nil, g, c.SolveVecTo(nil, y))
	m, err := Ridge(bg, design(t, k, x), y, lambda)
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Predict(bg, x)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "ridge regression", got, want, 1e-11)
	if _, err := Ridge(bg, design(t, k, x), y, 0); err == nil {
		t.Error("no error for lambda 0")
	}
}

// TestRules checks the risks of the stopping rules against the prototype's, at
// three sizes (Sobolev space, variance 0.5): the calibrated rule is close to the
// oracle and to ridge regression, the corollary's averaged iterate obeys its bound.
func TestRules(t *testing.T) {
	const variance = 0.5
	want := map[int]struct{ calibrated, oracle, ridge float64 }{
		100: {0.01597, 0.01597, 0.01542}, 200: {0.00898, 0.00892, 0.00936}, 400: {0.00523, 0.00492, 0.00556},
	}
	for n, w := range want {
		x := Grid(n)
		target := Kink(x)
		s := spectrum(t, design(t, rkhs.Min{Offset: 1}, x))
		r, err := CriticalRadius(s.Values, n, math.Sqrt(variance))
		if err != nil {
			t.Fatal(err)
		}
		last, _ := s.ExactRisk(target, variance, 0.75, CalibratedStop(r.Squared(), 0.75))
		oracle := math.Inf(1)
		for i := 1; i < 1000; i++ {
			at, _ := s.ExactRisk(target, variance, 0.75, i)
			oracle = min(oracle, at.Total())
		}
		ridge := s.RidgeRisk(target, variance, r.Squared()).Total()
		near(t, "risks", []float64{last.Total(), oracle, ridge}, []float64{w.calibrated, w.oracle, w.ridge}, 1e-5)
		if last.Total() > 1.35*oracle {
			t.Errorf("n = %d: risk %v of the calibrated rule, oracle %v", n, last.Total(), oracle)
		}
		if q := last.Total() / ridge; q < 0.85 || q > 1.15 {
			t.Errorf("n = %d: boosting over ridge risk is %v", n, q)
		}
		_, averaged := s.ExactRisk(target, variance, 1, CorollaryStop(r.Squared(), Squared{}.Constants(1)))
		if q := averaged.Total() / r.Squared(); q < 1 || q > 2.6 {
			t.Errorf("n = %d: risk of the corollary's rule over delta^2 is %v", n, q)
		}
	}
}

// TestMinimax checks corollary 4, for the averaged iterate at T = 1/(delta_n^2 max(8, M)) with step m/M = 1. Above: the
// risk of a linear smoother is largest over the unit ball on an eigenfunction, so the worst risk is known exactly. Below:
// no estimator has a smaller worst risk than the Bayes risk of independent signs of a least favourable function, which are
// +-a seen in noise of variance s^2 each, so that their risk is a^2 (1 - E tanh((a/s)^2 + (a/s) Z)).
func TestMinimax(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	const variance = 0.5
	for _, n := range []int{64, 256, 1024} {
		s := spectrum(t, design(t, rkhs.Min{Offset: 1}, Grid(n)))
		r, err := CriticalRadius(s.Values, n, math.Sqrt(variance))
		if err != nil {
			t.Fatal(err)
		}
		f, err := s.LeastFavourable(r, rng)
		if err != nil {
			t.Fatal(err)
		}
		if norm := s.Norm(f); norm > 1+1e-9 {
			t.Errorf("n = %d: norm %v", n, norm)
		}
		if q := vec.Dot(f, f) / float64(n); math.Abs(q-r.Squared()) > 1e-12 {
			t.Errorf("n = %d: squared empirical norm %v, want %v", n, q, r.Squared())
		}
		stop, worst := int(1/(8*r.Squared())), 0.0
		for j := range 30 {
			theta := make([]float64, len(s.Values))
			theta[j] = math.Sqrt(s.Values[j])
			_, averaged := s.ExactRisk(s.Combine(theta), variance, 1, stop)
			worst = max(worst, averaged.Total()/r.Squared())
		}
		ratio := math.Sqrt(r.Squared()/float64(r.Dimension-1)) / math.Sqrt(variance/float64(n))
		signs, weights := 0.0, 0.0
		for z := -8.0; z <= 8; z += 0.001 {
			w := math.Exp(-z * z / 2)
			signs, weights = signs+w*(1-math.Tanh(ratio*ratio+ratio*z)), weights+w
		}
		least := signs / weights
		t.Logf("n = %d: worst risk over delta^2 %.3f, of any estimator at least %.3f", n, worst, least)
		if worst > 4 || least < 0.05 || least > worst {
			t.Errorf("n = %d: worst risk over delta^2 is %v, of any estimator at least %v", n, worst, least)
		}
	}
}

// TestRandomDesign checks corollary 3: the error at fresh points is close to that
// at the sample.
func TestRandomDesign(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	grid := Grid(10000)
	truth := Kink(grid)
	for _, n := range []int{100, 400} {
		ratio := 0.0
		const trials = 40
		for range trials {
			x := uniformRows(n, 1, rng)
			target := Kink(x)
			p := run(t, design(t, rkhs.Min{Offset: 1}, x), Squared{}.Draw(target, 0.5, rng), func(s *Settings) {
				s.Iterations, s.Target = PowerStop(n, 7, 2.0/3), target
			})
			f, err := p.AveragedModel.Predict(bg, grid)
			if err != nil {
				t.Fatal(err)
			}
			ratio += vec.SquaredDistance(f, truth) / 10000 / p.AveragedError[len(p.AveragedError)-1] / trials
		}
		if ratio < 0.9 || ratio > 1.2 {
			t.Errorf("n = %d: error at fresh points over that at the sample is %v", n, ratio)
		}
	}
}

func BenchmarkPath(b *testing.B) {
	const n = 2000
	rng := rand.New(rand.NewPCG(6, 5))
	x := mat.NewDense(n, 5, nil)
	for i := range x.RawMatrix().Data {
		x.RawMatrix().Data[i] = rng.NormFloat64()
	}
	d := design(b, rkhs.Gaussian{Bandwidth: 2}, x)
	y := Logistic{}.Draw(make([]float64, n), rng)
	b.Run("step", func(b *testing.B) {
		s := DefaultSettings()
		s.Loss = Logistic{}
		booster, err := NewBooster(bg, d, y, s)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if err := booster.Step(); err != nil {
				b.Fatal(err)
			}
		}
	})
	p, err := NewSquaredPath(bg, d, y, 0.75)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("trace-1000", func(b *testing.B) {
		for b.Loop() {
			if _, err := p.Trace(bg, 1000, y); err != nil {
				b.Fatal(err)
			}
		}
	})
}
