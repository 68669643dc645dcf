package filtering

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/dataset"
	"gaucho/stdlib/herding"
	"gaucho/stdlib/rkhs"
)

// TestNile: statsmodels 0.13.5 on the local level model of the Nile with
// variances 15099 and 1469.1 and x_1 ~ N(0, 1e7).
func TestNile(t *testing.T) {
	m := &LinearGaussian{A: identity(1), C: identity(1), Q: mat.NewSymDense(1, []float64{1469.1}),
		R: mat.NewSymDense(1, []float64{15099}), InitialMean: []float64{0}, InitialCov: mat.NewSymDense(1, []float64{1e7})}
	r := kalman(t, m, mat.NewDense(100, 1, dataset.Nile()))
	near(t, "log-likelihood", r.LogLikelihood, -641.5855784594156, 1e-9)
	near(t, "without the first term", r.LogLikelihood-r.Increments[0], -632.5442122782629, 1e-9)
	near(t, "last state", r.Means.At(99, 0), 798.3702926083578, 1e-9)
	near(t, "last variance", r.Covs[99].At(0, 0), 4032.157941808782, 1e-8)
}

func model(t testing.TB, m *LinearGaussian) *Model {
	t.Helper()
	out, err := m.Model()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func run(t testing.TB, m System, Y *mat.Dense, s *Settings, seed uint64) *Result {
	t.Helper()
	r, err := Run(ctx, m, Y, s, rand.New(rand.NewPCG(seed, 77)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// with returns the default settings with changes.
func with(change func(*Settings)) *Settings {
	s := DefaultSettings()
	change(s)
	return s
}

func bootstrap(n int) *Settings {
	return with(func(s *Settings) { s.Particles = n })
}

func herd(n int, step herding.Step, bandwidth2 float64, candidates int) *Settings {
	return with(func(s *Settings) {
		s.Particles, s.Points, s.Step = n, Herding, step
		s.Bandwidth, s.Candidates = math.Sqrt(bandwidth2), candidates
	})
}

// rmse is the root of the mean over time of squared Euclidean distances.
func rmse(a, b *mat.Dense) float64 {
	n, d := b.Dims()
	var s float64
	for i := range n {
		for j := range d {
			s += (a.At(i, j) - b.At(i, j)) * (a.At(i, j) - b.At(i, j))
		}
	}
	return math.Sqrt(s / float64(n))
}

func median(x []float64) float64 {
	x = slices.Clone(x)
	slices.Sort(x)
	return 0.5 * (x[(len(x)-1)/2] + x[len(x)/2])
}

// TestLikelihoodIsUnbiased: the mean over runs of the estimated likelihood over
// the exact one is 1, for every resampling scheme, with and without a threshold.
func TestLikelihoodIsUnbiased(t *testing.T) {
	m := linear3(t)
	_, Y, err := m.Simulate(10, rand.New(rand.NewPCG(5, 5)))
	if err != nil {
		t.Fatal(err)
	}
	exact := kalman(t, m, Y).LogLikelihood
	pf := model(t, m)
	const runs = 300
	check := func(name string, settings *Settings) {
		var s, s2 float64
		for i := range uint64(runs) {
			v := math.Exp(run(t, pf, Y, settings, i).LogLikelihood - exact)
			s += v
			s2 += v * v
		}
		mean := s / runs
		near(t, name, mean, 1, 4*math.Sqrt((s2/runs-mean*mean)/runs))
	}
	for r := Stratified; r <= Residual; r++ {
		for _, threshold := range []float64{1, .5} {
			if r != Stratified && threshold < 1 {
				continue
			}
			check(r.String(), with(func(s *Settings) { s.Particles, s.Resampling, s.Threshold = 200, r, threshold }))
		}
	}
	check("sequential QMC", with(func(s *Settings) { s.Particles, s.Points = 64, SequentialQMC }))
}

// TestFiltersConverge compares the four filters with the Kalman filter, and how
// their errors compare: Lacoste-Julien et al. 2015, Figure 2, left.
// Medians over batches of an independent program at N = 100: PF .33, QMC .21,
// FW .14, FCFW .08.
func TestFiltersConverge(t *testing.T) {
	m := linear3(t)
	pf := model(t, m)
	const batches, n = 5, 100
	errs := map[string][]float64{}
	mmds := map[string][]float64{}
	for b := range uint64(batches) {
		_, Y, err := m.Simulate(30, rand.New(rand.NewPCG(b, 6)))
		if err != nil {
			t.Fatal(err)
		}
		exact := kalman(t, m, Y)
		for name, s := range map[string]*Settings{
			"PF": bootstrap(n), "QMC": with(func(s *Settings) { s.Particles, s.Points, s.Skip = n, Sobol, 100+int(b)*1000 }),
			"SQMC": with(func(s *Settings) { s.Particles, s.Points = n, SequentialQMC }),
			"FW":   herd(n, herding.Fixed, 1, 1500), "FCFW": herd(n, herding.FullyCorrective, 1, 1500),
		} {
			s.History = true
			r := run(t, pf, Y, s, b)
			errs[name] = append(errs[name], rmse(r.Means, exact.Means))
			var sum float64
			for step := 2; step <= 30; step += 6 {
				p, err := rkhs.NewNormal(exact.PredictedMeans.RawRowView(step-1), exact.PredictedCovs[step-1])
				if err != nil {
					t.Fatal(err)
				}
				e, err := rkhs.Embed(rkhs.Gaussian{Bandwidth: 1}, p)
				if err != nil {
					t.Fatal(err)
				}
				d, err := rkhs.MMD(ctx, e, r.History.Predictive(step))
				if err != nil {
					t.Fatal(err)
				}
				sum += d
			}
			mmds[name] = append(mmds[name], sum)
		}
	}
	base := median(errs["PF"])
	if base < .15 || base > .6 {
		t.Errorf("RMSE of PF is %v", base)
	}
	for name, limit := range map[string]float64{"QMC": .85, "SQMC": .9, "FW": .6, "FCFW": .35} {
		if r := median(errs[name]) / base; r > limit {
			t.Errorf("RMSE of %s is %.3f that of PF, want at most %v", name, r, limit)
		}
	}
	if r := median(mmds["FCFW"]) / median(mmds["PF"]); r > .2 {
		t.Errorf("predictive MMD of FCFW is %.3f that of PF", r)
	}
}

// TestBootstrapRate: errors fall like N^(-1/2).
func TestBootstrapRate(t *testing.T) {
	m := linear3(t)
	pf := model(t, m)
	var x, y []float64
	for _, n := range []int{20, 60, 200, 600} {
		var e []float64
		for b := range uint64(10) {
			_, Y, err := m.Simulate(50, rand.New(rand.NewPCG(b, 9)))
			if err != nil {
				t.Fatal(err)
			}
			e = append(e, rmse(run(t, pf, Y, bootstrap(n), b).Means, kalman(t, m, Y).Means))
		}
		x, y = append(x, math.Log(float64(n))), append(y, math.Log(median(e)))
	}
	var mx, my, sxy, sxx float64
	for i := range x {
		mx += x[i] / 4
		my += y[i] / 4
	}
	for i := range x {
		sxy += (x[i] - mx) * (y[i] - my)
		sxx += (x[i] - mx) * (x[i] - mx)
	}
	if s := sxy / sxx; s < -.65 || s > -.35 {
		t.Errorf("slope is %v, want -1/2", s)
	}
}

// TestFifteenDimensions: in 15 dimensions herding still gains, but the MMD with
// bandwidth 1 no longer distinguishes the filters (Figure 2, middle).
func TestFifteenDimensions(t *testing.T) {
	m, err := LinearBenchmark(15)
	if err != nil {
		t.Fatal(err)
	}
	pf := model(t, m)
	errs := map[string][]float64{}
	for b := range uint64(5) {
		_, Y, err := m.Simulate(40, rand.New(rand.NewPCG(b, 16)))
		if err != nil {
			t.Fatal(err)
		}
		exact := kalman(t, m, Y)
		for name, s := range map[string]*Settings{"PF": bootstrap(50), "FW": herd(50, herding.Fixed, 1, 2000), "FCFW": herd(50, herding.FullyCorrective, 1, 2000)} {
			errs[name] = append(errs[name], rmse(run(t, pf, Y, s, b).Means, exact.Means))
		}
	}
	for name, limit := range map[string]float64{"FW": .85, "FCFW": .95} {
		if r := median(errs[name]) / median(errs["PF"]); r > limit {
			t.Errorf("RMSE of %s is %.3f that of PF, want at most %v", name, r, limit)
		}
	}
}

// TestJumpFilters compares the particle filters of the jump model with the exact
// one; Lacoste-Julien et al. 2015, Figure 2.
func TestJumpFilters(t *testing.T) {
	m := JumpBenchmark()
	const batches, n = 12, 100
	errs, modes := map[string][]float64{}, map[string][]float64{}
	for b := range uint64(batches) {
		_, _, Y, err := m.Simulate(10, rand.New(rand.NewPCG(b, 8)))
		if err != nil {
			t.Fatal(err)
		}
		exact, err := ExactJump(ctx, m, Y, 0)
		if err != nil {
			t.Fatal(err)
		}
		for name, s := range map[string]*Settings{"PF": bootstrap(n), "FW": herd(n, herding.Fixed, 1, 2000), "FCFW": herd(n, herding.FullyCorrective, 1, 2000)} {
			r := run(t, m, Y, s, b)
			errs[name] = append(errs[name], rmse(mat.DenseCopyOf(r.Means.Slice(0, 10, 0, 2)), exact.Means))
			var e float64
			for i := range 10 {
				e += math.Pow(r.Means.At(i, 2)-exact.Modes.At(i, 1), 2)
			}
			modes[name] = append(modes[name], math.Sqrt(e))
		}
		if b == 0 { // the other way to run it, and many particles
			free := herd(n, herding.Fixed, 1, 1000)
			free.IgnoreLabels = true
			run(t, m, Y, free, b)
			many := run(t, m, Y, bootstrap(200000), b)
			near(t, "mean with many particles", rmse(mat.DenseCopyOf(many.Means.Slice(0, 10, 0, 2)), exact.Means), 0, .02)
			near(t, "log-likelihood with many particles", many.LogLikelihood, exact.LogLikelihood, .08)
		}
	}
	for name, limit := range map[string]float64{"FW": .6, "FCFW": .35} {
		if r := median(errs[name]) / median(errs["PF"]); r > limit {
			t.Errorf("RMSE of %s is %.3f that of PF, want at most %v", name, r, limit)
		}
	}
	if r := median(modes["FCFW"]) / median(modes["PF"]); r > .4 {
		t.Errorf("error of the mode probabilities of FCFW is %.3f that of PF", r)
	}
}

// nonlinearData draws the nonlinear benchmark.
func nonlinearData(t testing.TB, steps int, seed uint64) *mat.Dense {
	t.Helper()
	_, Y, err := NonlinearBenchmark().Simulate(steps, 1, func(dst []float64, _ int, x []float64, rng *rand.Rand) {
		dst[0] = .05*x[0]*x[0] + rng.NormFloat64()
	}, rand.New(rand.NewPCG(seed, 10)))
	if err != nil {
		t.Fatal(err)
	}
	return Y
}

// TestNonlinearFilters: at a bandwidth^2 of .1 herding beats the bootstrap filter;
// at 1 the fully corrective form uses few particles (appendix C.2.1).
func TestNonlinearFilters(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	m := NonlinearBenchmark()
	errs := map[string][]float64{}
	var active []float64
	for b := range uint64(6) {
		Y := nonlinearData(t, 50, b)
		reference := run(t, m, Y, bootstrap(50000), 1000+b)
		for name, s := range map[string]*Settings{"PF": bootstrap(100),
			"FW": herd(100, herding.Fixed, .1, 2000), "FCFW": herd(100, herding.FullyCorrective, .1, 2000)} {
			r := run(t, m, Y, s, b)
			errs[name] = append(errs[name], rmse(r.Means, reference.Means))
		}
		wide := run(t, m, Y, herd(100, herding.FullyCorrective, 1, 1000), b)
		for _, a := range wide.Active {
			active = append(active, float64(a))
		}
		if b == 0 {
			guarded := herd(100, herding.FullyCorrective, 1, 1000)
			guarded.MinActive = .8
			for i, a := range run(t, m, Y, guarded, b).Active {
				if a < 80 {
					t.Errorf("%d particles at step %d, want 80", a, i+1)
				}
			}
		}
	}
	for name, limit := range map[string]float64{"FW": .75, "FCFW": .6} {
		if r := median(errs[name]) / median(errs["PF"]); r > limit {
			t.Errorf("RMSE of %s is %.3f that of PF, want at most %v", name, r, limit)
		}
	}
	if a := median(active); a > 60 {
		t.Errorf("FCFW with bandwidth 1 uses %v particles", a)
	}
}

// TestScaledKernels runs herding with scaled and whitened coordinates.
func TestScaledKernels(t *testing.T) {
	m := linear3(t)
	pf := model(t, m)
	_, Y, err := m.Simulate(20, rand.New(rand.NewPCG(1, 11)))
	if err != nil {
		t.Fatal(err)
	}
	exact := kalman(t, m, Y)
	base := rmse(run(t, pf, Y, herd(100, herding.Fixed, 1, 1000), 1).Means, exact.Means)
	for name, change := range map[string]func(*Settings){
		"whitened":     func(s *Settings) { s.Whiten = true },
		"scaled":       func(s *Settings) { s.Scale = []float64{1, 1, .5} },
		"scaled by 1":  func(s *Settings) { s.Scale = []float64{1, 1, 1} },
		"scaled white": func(s *Settings) { s.Scale, s.Whiten = []float64{1, 1, 0}, true },
	} {
		s := herd(100, herding.Fixed, 1, 1000)
		change(s)
		e := rmse(run(t, pf, Y, s, 1).Means, exact.Means)
		if e > 4*base {
			t.Errorf("%s: RMSE %v, plain %v", name, e, base)
		}
		if name == "scaled by 1" {
			near(t, name, e, base, 1e-9)
		}
	}
}

func TestResampling(t *testing.T) {
	w := []float64{.05, .5, 0, .2, .25}
	const n, runs = 20, 20000
	rng := rand.New(rand.NewPCG(1, 12))
	for r := Stratified; r <= Residual; r++ {
		count := make([]float64, 5)
		dst := make([]int, n)
		for range runs {
			if err := Resample(dst, r, w, rng); err != nil {
				t.Fatal(err)
			}
			inRun := make([]float64, 5)
			for _, i := range dst {
				inRun[i]++
				count[i]++
			}
			for i, c := range inRun {
				switch {
				case r == Systematic && math.Abs(c-n*w[i]) >= 1,
					r == Stratified && math.Abs(c-n*w[i]) >= 2,
					r == Residual && c < math.Floor(n*w[i]):
					t.Fatalf("%v: %v copies of index %d", r, c, i)
				}
			}
		}
		for i, c := range count {
			near(t, r.String(), c/runs, n*w[i], 5*math.Sqrt(n*w[i]*(1-w[i])/runs)+1e-12)
		}
	}
	// Weights that fall short of one by rounding leave no draw without index.
	short := []float64{.5, .5 - 1e-12, 0}
	dst := make([]int, 1000)
	for r := Stratified; r <= Residual; r++ {
		if err := Resample(dst, r, short, rng); err != nil {
			t.Fatal(err)
		}
		if slices.Max(dst) > 1 {
			t.Errorf("%v draws an index without weight", r)
		}
	}
	if err := Resample(dst, Stratified, []float64{.5, .6}, rng); err == nil || err.Error() != "filtering: weights sum to 1.1, must sum to 1" {
		t.Errorf("error is %v", err)
	}
	if err := Resample(dst, Stratified, []float64{1.5, -.5}, rng); err == nil {
		t.Error("no error for a negative weight")
	}
	near(t, "effective size", EffectiveSize([]float64{.25, .25, .25, .25}), 4, 1e-12)
}

func TestFilterErrors(t *testing.T) {
	pf := model(t, linear3(t))
	Y := mat.NewDense(3, 1, nil)
	for _, c := range []struct {
		change func(*Settings)
		want   string
	}{
		{func(s *Settings) { s.Particles = -1 }, "filtering: number of particles is -1, must be at least 1"},
		{func(s *Settings) { s.Points = 9 }, "filtering: points are Points(9), must be one of the four of this package"},
		{func(s *Settings) { s.Resampling = 9 }, "filtering: resampling is Resampling(9), must be one of the five of this package"},
		{func(s *Settings) { s.Threshold = 2 }, "filtering: threshold is 2, must be above 0 and at most 1; resampling may be Never"},
		{func(s *Settings) { s.Points, s.Skip = Sobol, -1 }, "filtering: number of points to skip is -1, must be at least 1"},
		{func(s *Settings) { s.Points, s.Bandwidth = Herding, -1 }, "filtering: bandwidth is -1, must be positive and finite"},
		{func(s *Settings) { s.Points, s.Candidates = Herding, -1 }, "filtering: number of candidates is -1, must be at least 1"},
		{func(s *Settings) { s.Points, s.Scale = Herding, []float64{1} }, "filtering: 1 scales for states of dimension 3"},
		{func(s *Settings) { s.Points, s.MinActive = Herding, 2 }, "filtering: least share of active particles is 2, must be from 0 to 1"},
	} {
		if _, err := Run(ctx, pf, Y, with(c.change), rand.New(rand.NewPCG(1, 1))); err == nil || err.Error() != c.want {
			t.Errorf("error is %v, want %s", err, c.want)
		}
	}
	// An observation that no particle explains: the step is named, and what was
	// found before stays.
	strict := *pf
	strict.LogLik = func(dst []float64, t int, X *mat.Dense, y []float64) {
		for i := range dst {
			dst[i] = 0
			if t == 3 {
				dst[i] = math.Inf(-1)
			}
		}
	}
	r, err := Run(ctx, &strict, Y, nil, rand.New(rand.NewPCG(1, 1)))
	var degenerate *DegenerateError
	if !errors.As(err, &degenerate) || degenerate.Step != 3 {
		t.Fatalf("error is %v", err)
	}
	if len(r.Increments) != 2 || math.IsNaN(r.Means.At(1, 0)) {
		t.Errorf("result up to the error: %v", r.Increments)
	}
	for _, c := range []struct {
		change func(*Model)
		want   string
	}{
		{func(m *Model) {
			m.LogLik = func(dst []float64, t int, X *mat.Dense, y []float64) { clear(dst); dst[4] = math.NaN() }
		}, "filtering: log-likelihood of particle 4 at step 1 is NaN, must be finite or -Inf"},
		{func(m *Model) {
			m.Mean = func(dst *mat.Dense, t int, X *mat.Dense) { dst.Zero(); dst.Set(7, 1, math.Inf(1)) }
		}, "filtering: predicted mean of particle 7 at step 1 is +Inf, must be finite"},
		{func(m *Model) { m.Noise = func(int) *mat.SymDense { return mat.NewSymDense(1, nil) } },
			"filtering: noise covariance at step 1: rkhs: covariance is 1 x 1, must be 3 x 3"},
		{func(m *Model) { m.Mean = nil }, "filtering: model has no mean function"},
	} {
		m := *pf
		c.change(&m)
		if _, err := Run(ctx, &m, Y, nil, rand.New(rand.NewPCG(1, 1))); err == nil || err.Error() != c.want {
			t.Errorf("error is %v, want %s", err, c.want)
		}
	}
	bad := mat.NewDense(2, 1, []float64{0, math.NaN()})
	if _, err := Run(ctx, pf, bad, nil, rand.New(rand.NewPCG(1, 1))); err == nil || err.Error() != "filtering: observation 0 at step 2 is NaN, must be finite" {
		t.Errorf("error is %v", err)
	}
	if _, err := Run(ctx, pf, mat.NewDense(2, 2, nil), nil, rand.New(rand.NewPCG(1, 1))); err == nil || err.Error() != "filtering: observation has dimension 2, must be 1" {
		t.Errorf("error is %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	for p := MonteCarlo; p <= Herding; p++ {
		if _, err := Run(cancelled, pf, Y, with(func(s *Settings) { s.Points = p }), rand.New(rand.NewPCG(1, 1))); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: error after cancelling is %v", p, err)
		}
	}
}

// TestProcessorsDoNotMatter runs each filter on one and on several processors.
func TestProcessorsDoNotMatter(t *testing.T) {
	m := linear3(t)
	pf := model(t, m)
	_, Y, err := m.Simulate(4, rand.New(rand.NewPCG(1, 13)))
	if err != nil {
		t.Fatal(err)
	}
	var want [][]float64
	for _, procs := range []int{1, 2, 5} {
		before := runtime.GOMAXPROCS(procs)
		var got [][]float64
		for p := MonteCarlo; p <= Herding; p++ {
			n := 20000
			if p == Herding {
				n = 50
			}
			s := with(func(s *Settings) { s.Points, s.Particles = p, n })
			got = append(got, run(t, pf, Y, s, 1).Means.RawMatrix().Data)
		}
		runtime.GOMAXPROCS(before)
		if want == nil {
			want = got
			continue
		}
		for i := range got {
			if !slices.Equal(got[i], want[i]) {
				t.Errorf("%v: %d processors give another result", Points(i), procs)
			}
		}
	}
}

// TestSteps walks through a filter by hand and stops early.
func TestSteps(t *testing.T) {
	m := linear3(t)
	_, Y, err := m.Simulate(10, rand.New(rand.NewPCG(1, 14)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewFilter(model(t, m), bootstrap(200), rand.New(rand.NewPCG(1, 77)))
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, model(t, m), Y, with(func(s *Settings) { s.Particles, s.History = 200, true }), 1)
	for step, err := range f.Steps(ctx, Y) {
		if err != nil {
			t.Fatal(err)
		}
		if step != f.Time() {
			t.Fatalf("step %d, time %d", step, f.Time())
		}
		for j, v := range f.Mean() {
			near(t, "mean", v, r.Means.At(step-1, j), 1e-12)
		}
		if f.EffectiveSize() != r.EffectiveSize[step-1] || f.Increment() != r.Increments[step-1] {
			t.Error("steps and run differ")
		}
		if !slices.Equal(f.Ancestors(), r.History.Ancestor[step-1]) {
			t.Error("ancestors differ")
		}
		if step == 7 {
			break
		}
	}
	if f.Time() != 7 || f.Evaluations() != 1400 {
		t.Errorf("time %d, %d evaluations", f.Time(), f.Evaluations())
	}
	path := r.History.Trajectory(10, 3)
	if n, d := path.Dims(); n != 10 || d != 3 || path.At(9, 1) != r.History.X[9].At(3, 1) {
		t.Errorf("trajectory %d x %d", n, d)
	}
}
