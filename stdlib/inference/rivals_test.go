package inference

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// plane is a conjugate model in two dimensions: theta ~ N(0, I), x ~ N(theta, diag(4, 1)); its posterior has independent
// coordinates with the returned means and deviations.
func plane(n int, rng *rand.Rand) (m *Functions, mean, sd [2]float64) {
	variance := [2]float64{4, 1}
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		for k := range 2 {
			x.Set(i, k, float64(k)-0.5+math.Sqrt(variance[k])*rng.NormFloat64())
		}
	}
	for k := range 2 {
		v := 1 / (1 + float64(n)/variance[k])
		mean[k], sd[k] = v*vec.Sum(mat.Col(nil, k, x))/variance[k], math.Sqrt(v)
	}
	m = &Functions{
		Parameters: 2, Observations: n,
		Sample: func(dst *mat.Dense, rng *rand.Rand) { normalPrior(dst, rng, func(int) float64 { return 1 }) },
		Prior: func(dst []float64, theta *mat.Dense) {
			for i := range dst {
				r := theta.RawRowView(i)
				dst[i] = -0.5 * (r[0]*r[0] + r[1]*r[1])
			}
		},
		Likelihood: func(dst []float64, theta *mat.Dense, batch []int) {
			clear(dst)
			for i := range dst {
				r := theta.RawRowView(i)
				for _, b := range batch {
					u, w := x.At(b, 0)-r[0], x.At(b, 1)-r[1]
					dst[i] -= 0.5 * (u*u/4 + w*w)
				}
			}
		},
		PriorGradient: func(dst, theta *mat.Dense) { dst.Scale(-1, theta) },
		LikelihoodGradient: func(dst, theta *mat.Dense, batch []int) {
			dst.Zero()
			n, _ := theta.Dims()
			for i := range n {
				r, g := theta.RawRowView(i), dst.RawRowView(i)
				for _, b := range batch {
					g[0] += (x.At(b, 0) - r[0]) / 4
					g[1] += x.At(b, 1) - r[1]
				}
			}
		},
	}
	return m, mean, sd
}

// moments returns mean and variance of both coordinates.
func moments(q rkhs.Measure) (mean, variance [2]float64) {
	for k := range 2 {
		mean[k] = q.Expect(func(x []float64) float64 { return x[k] })
		variance[k] = q.Expect(func(x []float64) float64 { return (x[k] - mean[k]) * (x[k] - mean[k]) })
	}
	return mean, variance
}

// TestRivalsOnNormal compares means and variances with those of a normal posterior, averaged over seeds (0.05 deviations and
// 15 percent for methods without noise, 0.15 and 30 percent for SGLD and SMC).
func TestRivalsOnNormal(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	const runs = 6
	model, mean, sd := plane(200, source(30))
	for _, c := range []struct {
		name             string
		shift, variation float64
		run              func(rng *rand.Rand) (rkhs.Measure, error)
	}{
		{"Langevin", 0.15, 0.3, func(rng *rand.Rand) (rkhs.Measure, error) {
			return Langevin(ctx, model, &LangevinSettings{Batch: 100, Step: Power(0.004, 100, 0.55), BurnIn: 500, Samples: 1000, Thin: 1, Chains: 10}, rng)
		}},
		{"MonteCarlo", 0.15, 0.3, func(rng *rand.Rand) (rkhs.Measure, error) { return MonteCarlo(ctx, model, nil, rng) }},
		{"SteinVariational", 0.1, 0.2, func(rng *rand.Rand) (rkhs.Measure, error) {
			return SteinVariational(ctx, model, &SteinSettings{Particles: 100, Batch: 200, Steps: 300, Step: Power(0.1, 100, 1)}, rng)
		}},
		{"NonparametricVariational", 0.05, 0.15, func(rng *rand.Rand) (rkhs.Measure, error) {
			q, err := NonparametricVariational(ctx, model, &NonparametricSettings{Components: 40, Batch: 200, Steps: 400, Step: Power(0.1, 50, 1.2), Deviation: 0.3}, rng)
			if err != nil {
				return rkhs.Measure{}, err
			}
			return rkhs.Measure{X: q.Sample(rng, 40000)}, nil
		}},
		{"MirrorDescent", 0.15, 0.3, func(rng *rand.Rand) (rkhs.Measure, error) {
			s := DefaultSettings()
			s.KernelSteps, s.Steps, s.Batch = 50, 300, 40
			q, err := MirrorDescent(ctx, model, s, rng)
			if err != nil {
				return rkhs.Measure{}, err
			}
			return q.Measure, nil
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var m, v [2]float64
			for seed := range uint64(runs) {
				q, err := c.run(source(40 + seed))
				check(t, err)
				a, b := moments(q)
				for k := range 2 {
					m[k] += a[k] / runs
					v[k] += b[k] / runs
				}
			}
			for k := range 2 {
				shift, ratio := (m[k]-mean[k])/sd[k], v[k]/(sd[k]*sd[k])
				t.Logf("coordinate %d: mean off by %.3f deviations, variance %.3f of the true one", k, shift, ratio)
				if math.Abs(shift) > c.shift || math.Abs(ratio-1) > c.variation {
					t.Errorf("coordinate %d: mean off by %v deviations and variance %v of the true one, want %v and 1 +- %v", k, shift, ratio, c.shift, c.variation)
				}
			}
		})
	}
}

// TestGibbsJointly is Geweke's test: parameters and data drawn from each other in turn have the prior's law.
func TestGibbsJointly(t *testing.T) {
	t.Parallel()
	rng := source(31)
	m := &TiedMixture{Weight: 0.3, Sigma: 1.5, Scale1: 1.2, Scale2: 0.8}
	theta := []float64{0.5, 0.5}
	const rounds = 200000
	var first, second [2]float64
	for range rounds {
		m.Simulate(4, theta[0], theta[1], rng)
		m.sweep(theta, rng)
		for k, v := range theta {
			first[k] += v / rounds
			second[k] += v * v / rounds
		}
	}
	for k, scale := range []float64{1.2, 0.8} {
		if math.Abs(first[k]) > 0.03 || math.Abs(second[k]/(scale*scale)-1) > 0.04 {
			t.Errorf("theta_%d has mean %v and second moment %v, want 0 and %v", k+1, first[k], second[k], scale*scale)
		}
	}
}

// TestGibbsPosterior compares samples with a grid for so few data that the sampler goes between the modes.
func TestGibbsPosterior(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	rng := source(32)
	m := &TiedMixture{Weight: 0.3, Sigma: 1.5, Scale1: 1, Scale2: 1}
	m.Simulate(15, 1, -2, rng)
	grid, err := NewGrid(2, 161, -4, 4)
	check(t, err)
	truth, err := grid.Posterior(ctx, m)
	check(t, err)
	q, err := m.Gibbs(ctx, 100, 40000, rng)
	check(t, err)
	for k := range 2 {
		want := truth.Expect(func(x []float64) float64 { return x[k] })
		variance := truth.Expect(func(x []float64) float64 { return (x[k] - want) * (x[k] - want) })
		mean, v := moments(q)
		if math.Abs(mean[k]-want) > 0.05*math.Sqrt(variance) || math.Abs(v[k]/variance-1) > 0.15 {
			t.Errorf("theta_%d has mean %v and variance %v, want %v and %v", k+1, mean[k], v[k], want, variance)
		}
	}
}

// TestOneMode is what section 4.6.1 of Dai 2018 sees of the rivals: a run of Gibbs sampling, of SGLD or of variational inference
// has one mode, and a perfect fit of one mode has total variation 0.45.
func TestOneMode(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	model := bimodal(1)
	const runs = 6
	stuck := map[string]int{}
	for seed := range uint64(runs) {
		share := func(name string, q rkhs.Measure) {
			p := q.Expect(func(x []float64) float64 {
				if firstMode(x) {
					return 1
				}
				return 0
			})
			if max(p, 1-p) > 0.95 {
				stuck[name]++
			}
		}
		q, err := model.Gibbs(ctx, 50, 500, source(50+seed))
		check(t, err)
		share("Gibbs", q)
		s := DefaultLangevinSettings()
		s.Samples = 1500
		if q, err = Langevin(ctx, model, s, source(60+seed)); err != nil {
			t.Fatal(err)
		}
		share("SGLD", q)
	}
	for name, n := range stuck {
		t.Logf("%s: %d of %d runs in one mode", name, n, runs)
	}
	if stuck["Gibbs"] < runs-2 || stuck["SGLD"] < runs-2 {
		t.Errorf("runs in one mode: %v of %d, want at least %d", stuck, runs, runs-2)
	}
	grid, err := NewGrid(2, 161, -4, 4)
	check(t, err)
	truth, err := grid.Posterior(ctx, model)
	check(t, err)
	v, err := model.Variational(ctx, nil, source(70))
	check(t, err)
	on, err := grid.Evaluate(ctx, v)
	check(t, err)
	if tv := truth.TotalVariation(on); tv < 0.45 {
		t.Errorf("total variation of a fit of one mode %v, want at least 0.45", tv)
	}
}

// TestVariationalFixedPoint runs with all observations: the mean field's equations hold where it ends.
func TestVariationalFixedPoint(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	m := &TiedMixture{Weight: 0.3, Sigma: 1, Scale1: 1, Scale2: 1}
	m.Simulate(100, 1, -2, source(33))
	s := &VariationalSettings{Batch: 100, Steps: 1000, Step: Constant(1)}
	q, err := m.Variational(ctx, s, source(34))
	check(t, err)
	mean, cov := q.Component(0)
	var count, l1, l2 float64
	for _, x := range m.X {
		// E log densities of both components, up to what they share
		a := vec.Log1(0.3) - 0.5*(x-mean[0])*(x-mean[0])
		b := vec.Log1(0.7) - 0.5*((x-mean[0]-mean[1])*(x-mean[0]-mean[1])+cov.At(1, 1))
		r := 1 / (1 + vec.Exp1(a-b))
		count, l1, l2 = count+r, l1+x-r*mean[1], l2+r*(x-mean[0])
	}
	for k, want := range []float64{l1 / 101, l2 / (1 + count)} {
		if math.Abs(mean[k]-want) > 1e-6 {
			t.Errorf("mean of theta_%d is %v, want %v", k+1, mean[k], want)
		}
	}
	if math.Abs(cov.At(0, 0)-1.0/101) > 1e-9 || math.Abs(cov.At(1, 1)-1/(1+count)) > 1e-7 {
		t.Errorf("variances %v and %v, want %v and %v", cov.At(0, 0), cov.At(1, 1), 1.0/101, 1/(1+count))
	}
}

// TestLogisticFixedPoint is the same for the bound of Jaakkola and Jordan; the default run with batches comes near it.
func TestLogisticFixedPoint(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	const n = 800
	l := logistic(n, 3, source(35))
	l.Scale = 2
	fit, err := l.Variational(ctx, &VariationalSettings{Batch: n, Steps: 200, Step: Constant(1)}, source(36))
	check(t, err)
	mean, cov := fit.Component(0)
	precision, linear := mat.NewDense(3, 3, []float64{0.25, 0, 0, 0, 0.25, 0, 0, 0, 0.25}), make([]float64, 3)
	for i, y := range l.Y {
		x := l.X.RawRowView(i)
		xi2 := vec.Dot(x, mean) * vec.Dot(x, mean)
		for j := range 3 {
			for k := range 3 {
				xi2 += x[j] * x[k] * cov.At(j, k)
			}
		}
		xi := math.Sqrt(xi2)
		for j := range 3 {
			linear[j] += 0.5 * y * x[j]
			for k := range 3 {
				precision.Set(j, k, precision.At(j, k)+2*math.Tanh(xi/2)/(4*xi)*x[j]*x[k])
			}
		}
	}
	var product mat.Dense
	product.Mul(precision, cov)
	var want mat.VecDense
	want.MulVec(cov, mat.NewVecDense(3, linear))
	batches, err := l.Variational(ctx, nil, source(37))
	check(t, err)
	for j := range 3 {
		for k := range 3 {
			unit := 0.0
			if j == k {
				unit = 1
			}
			if math.Abs(product.At(j, k)-unit) > 1e-6 {
				t.Errorf("precision times covariance has %v at %d, %d, want %v", product.At(j, k), j, k, unit)
			}
		}
		if math.Abs(want.AtVec(j)-mean[j]) > 1e-6 {
			t.Errorf("mean of weight %d is %v, want %v", j, mean[j], want.AtVec(j))
		}
		if sd := math.Sqrt(cov.At(j, j)); math.Abs(batches.Mean()[j]-mean[j]) > sd {
			t.Errorf("mean of weight %d is %v with batches, want %v +- %v", j, batches.Mean()[j], mean[j], sd)
		}
	}
}

// TestEntropyGradient compares with central differences of the bound written out.
func TestEntropyGradient(t *testing.T) {
	t.Parallel()
	p := newComponents(bimodal(1), 7, 0.4, source(37))
	for j := range p.logScale {
		p.logScale[j] += 0.1 * float64(j)
	}
	bound := func() float64 {
		s2 := p.variances()
		sum := 0.0
		for j := range 7 {
			q := 0.0
			for k := range 7 {
				v := s2[j] + s2[k]
				r2 := vec.SquaredDistance(p.mean.RawRowView(j), p.mean.RawRowView(k))
				q += vec.Exp1(-0.5*r2/v) / (2 * math.Pi * v) / 7
			}
			sum -= vec.Log1(q) / 7
		}
		return sum
	}
	pull, spread := p.entropyGradient(p.variances())
	difference := func(x *float64) float64 {
		const h = 1e-5
		old := *x
		*x = old + h
		up := bound()
		*x = old - h
		down := bound()
		*x = old
		return 7 * (up - down) / (2 * h)
	}
	for j := range 7 {
		for k := range 2 {
			if want := difference(&p.mean.RawRowView(j)[k]); math.Abs(pull.At(j, k)-want) > 1e-7 {
				t.Errorf("derivative in coordinate %d of mean %d is %v, by differences %v", k, j, pull.At(j, k), want)
			}
		}
		if want := difference(&p.logScale[j]); math.Abs(2*p.variances()[j]*spread[j]-want) > 1e-7 {
			t.Errorf("derivative in log scale %d is %v, by differences %v", j, 2*p.variances()[j]*spread[j], want)
		}
	}
}

// TestSteinDirection writes the direction out.
func TestSteinDirection(t *testing.T) {
	t.Parallel()
	model := bimodal(1)
	theta := mat.NewDense(9, 2, nil)
	model.SamplePrior(theta, source(38))
	got := mat.NewDense(9, 2, nil)
	check(t, steinDirection(context.Background(), got, model, theta, newBatcher(1000, 1000, source(39)), source(40)))
	median, err := rkhs.MedianBandwidth(theta, 200, source(40))
	check(t, err)
	h2 := median * median / (2 * vec.Log1(10))
	grad, prior := mat.NewDense(9, 2, nil), mat.NewDense(9, 2, nil)
	model.LogLikelihoodGradient(grad, theta, everything(1000))
	model.LogPriorGradient(prior, theta)
	grad.Add(grad, prior)
	for i := range 9 {
		for k := range 2 {
			want := 0.0
			for j := range 9 {
				kernel := vec.Exp1(-0.5 * vec.SquaredDistance(theta.RawRowView(i), theta.RawRowView(j)) / h2)
				want += kernel * (grad.At(j, k) + (theta.At(i, k)-theta.At(j, k))/h2) / 9
			}
			if math.Abs(got.At(i, k)-want) > 1e-8*(1+math.Abs(want)) {
				t.Errorf("direction %d of particle %d is %v, want %v", k, i, got.At(i, k), want)
			}
		}
	}
}

func TestTrace(t *testing.T) {
	q := rkhs.Measure{X: mat.NewDense(4, 1, []float64{3, 1, 2, 10}), W: []float64{0.25, 0.25, 0.5, 0}}
	got := WeightedQuantiles(q, 0, 0.75, 0, 0.25, 0.5, 1)
	for i, want := range []float64{2, 1, 1, 2, 3} {
		if got[i] != want {
			t.Errorf("quantile %d is %v, want %v", i, got[i], want)
		}
	}
	var trace Trace
	trace.Record(10, q)
	trace.Record(20, rkhs.Uniform(q.X))
	name, x, middle, lo, hi := trace.Curve(0)
	if name != `$\theta_{1}$` || trace.Len() != 1 || x[1] != 20 || middle[0] != 2 || lo[0] != 1 || hi[1] != 3 || trace.Effective[1] != 4 {
		t.Errorf("curve %v %v %v %v %v, effective %v", name, x, middle, lo, hi, trace.Effective)
	}
}

func TestRivalErrors(t *testing.T) {
	ctx := context.Background()
	model := bimodal(1)
	blind := line(make([]float64, 200), 1)
	blind.PriorGradient = nil
	for name, c := range map[string]struct {
		run  func() error
		want string
	}{
		"no gradient": {func() error { _, err := Langevin(ctx, blind, nil, source(1)); return err }, "a gradient is nil"},
		"diverging": {func() error {
			s := DefaultLangevinSettings()
			s.Step = Constant(100)
			_, err := Langevin(ctx, line(make([]float64, 200), 1), s, source(1))
			return err
		}, "step size is too large"},
		"Langevin": {func() error {
			_, err := Langevin(ctx, model, &LangevinSettings{Batch: 10, Step: Constant(1), Samples: -1}, source(1))
			return err
		}, "Samples is -1, must be at least 1"},
		"Stein": {func() error {
			_, err := SteinVariational(ctx, model, &SteinSettings{Particles: 1}, source(1))
			return err
		}, "Particles is 1, must be at least 2"},
		"SMC": {func() error {
			_, err := MonteCarlo(ctx, model, &MonteCarloSettings{Batch: 1, Move: 1}, source(1))
			return err
		}, "Move is 1, must be between 0 and 1"},
		"Gibbs": {func() error { _, err := model.Gibbs(ctx, 1, 0, source(1)); return err }, "number of samples is 0"},
		"SVI": {func() error {
			_, err := model.Variational(ctx, &VariationalSettings{Batch: -1, Steps: 1, Step: Constant(1)}, source(1))
			return err
		}, "Batch is -1"},
		"NPV": {func() error {
			_, err := NonparametricVariational(ctx, model, &NonparametricSettings{Components: 1, Steps: 1, Step: Constant(1), Batch: 1, Deviation: -1}, source(1))
			return err
		}, "Deviation is -1, must be positive"},
	} {
		if err := c.run(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}
