package em

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestMixing checks the constants of the symmetric chain in closed form, a chain
// that is not reversible, and one with two stationary laws.
func TestMixing(t *testing.T) {
	for _, zeta := range []float64{.2, .5, .9} {
		m := (&Symmetric{Mean: []float64{1}, Zeta: zeta, Sigma: 1}).Model()
		c, err := m.Mixing()
		if err != nil {
			t.Fatal(err)
		}
		rho := math.Abs(2*zeta - 1)
		near(t, "epsilon", c.Epsilon, 1-rho, 1e-12)
		near(t, "rho", c.Rho, rho, 1e-12)
		near(t, "rho of the filter", c.RhoFilter, (1+rho)/2, 1e-12)
		if !c.Reversible || !c.StartsStationary {
			t.Errorf("%+v, want a reversible chain at its law", c)
		}
	}
	m := &Model{Start: []float64{1, 0, 0}, Transition: mat.NewDense(3, 3, []float64{.1, .8, .1, .1, .1, .8, .8, .1, .1}),
		Output: &Categorical{Prob: mat.NewDense(3, 1, []float64{1, 1, 1})}}
	c, err := m.Mixing()
	if err != nil {
		t.Fatal(err)
	}
	near(t, "stationary", c.Stationary[0], 1.0/3, 1e-12)
	near(t, "epsilon", c.Epsilon, 0.3, 1e-12)
	if c.Reversible || c.StartsStationary {
		t.Errorf("%+v, want a chain that is neither reversible nor at its law", c)
	}
	m.Transition = mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
	if _, err := m.Mixing(); err == nil {
		t.Error("no error for a chain that stays where it is")
	}
}

// TestForecast compares with powers of the transition applied to the filter, and
// the smoothing kernel with the posterior's pairs of a sum over paths.
func TestForecast(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 30))
	m := randomModel(3, Diagonal, rng)
	x, _, err := m.Sample(6, rng)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Smooth(x)
	if err != nil {
		t.Fatal(err)
	}
	laws, err := m.Forecast(x, 4)
	if err != nil {
		t.Fatal(err)
	}
	var power mat.Dense
	power.CloneFrom(m.Transition)
	for range 3 {
		power.Mul(mat.DenseCopyOf(&power), m.Transition)
	}
	for k := range 3 {
		want := 0.0
		for j := range 3 {
			want += p.Filter.At(5, j) * power.At(j, k)
		}
		near(t, "forecast", laws.At(3, k), want, 1e-12)
	}
	kernel, err := m.Kernel(x, 3)
	if err != nil {
		t.Fatal(err)
	}
	for k := range 3 { // the posterior is carried over by the kernel
		want := 0.0
		for j := range 3 {
			if v := p.State.At(2, j); v > 0 {
				want += v * kernel.At(j, k)
			}
		}
		near(t, "posterior by the kernel", p.State.At(3, k), want, 1e-10)
	}
}

// TestFilterStability checks lemma 13 for the symmetric model: filters from two
// starts approach each other.
func TestFilterStability(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 30))
	for _, rho := range []float64{.3, .6, .9} {
		s := &Symmetric{Mean: []float64{1}, Zeta: (1 + rho) / 2, Sigma: 1}
		epsilon, filter := 1-rho, (1+rho)/2
		for range 100 {
			x, _, err := s.Sample(6, rng)
			if err != nil {
				t.Fatal(err)
			}
			a, b := s.Model(), s.Model()
			u, v := rng.Float64(), rng.Float64()
			a.Start, b.Start = []float64{u, 1 - u}, []float64{v, 1 - v}
			p, err := a.Smooth(x)
			if err != nil {
				t.Fatal(err)
			}
			q, err := b.Smooth(x)
			if err != nil {
				t.Fatal(err)
			}
			first := math.Abs(p.Filter.At(0, 0) - q.Filter.At(0, 0))
			for i := range 6 {
				gap := math.Abs(p.Filter.At(i, 0) - q.Filter.At(i, 0))
				if bound := math.Pow(filter, float64(i)) / (epsilon * epsilon) * 2 * first; gap > bound*(1+1e-9) {
					t.Fatalf("rho %v: filters differ by %v at step %d, bound %v", rho, gap, i, bound)
				}
			}
		}
	}
}

// TestConditionalCovariances compares with sums over all chains, with differences
// of the posterior mean, and with the bounds of lemma 6 (corrected for pairs).
func TestConditionalCovariances(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 30))
	for range 200 {
		n := 3 + rng.IntN(6)
		gamma, zeta := make([]float64, n), .05+.9*rng.Float64()
		for i := range gamma {
			gamma[i] = 2 * rng.NormFloat64()
		}
		i := rng.IntN(n - 1)
		l := 1 + rng.IntN(n-1-i)
		got, err := ConditionalCovariances(gamma, zeta, i, l)
		if err != nil {
			t.Fatal(err)
		}
		mean := func(f func(z []float64) float64) float64 {
			total, sum, z := 0.0, 0.0, make([]float64, n)
			for code := range 1 << n {
				w := 1.0
				for j := range z {
					z[j] = float64(2*(code>>j&1) - 1)
					w *= math.Exp(gamma[j] * z[j])
					if j > 0 && z[j] == z[j-1] {
						w *= zeta
					} else if j > 0 {
						w *= 1 - zeta
					}
				}
				total += w
				sum += w * f(z)
			}
			return sum / total
		}
		cov := func(f, g func(z []float64) float64) float64 {
			return mean(func(z []float64) float64 { return f(z) * g(z) }) - mean(f)*mean(g)
		}
		at := func(j int) func([]float64) float64 { return func(z []float64) float64 { return z[j] } }
		pair := func(j int) func([]float64) float64 { return func(z []float64) float64 { return z[j] * z[j+1] } }
		rho := math.Abs(2*zeta - 1)
		near(t, "states", got.States, cov(at(i), at(i+l)), 1e-10)
		if math.Abs(got.States) > math.Pow(rho, float64(l))*(1+1e-9) {
			t.Errorf("covariance %v above rho^%d", got.States, l)
		}
		if i+l+1 < n {
			near(t, "mixed", got.Mixed, cov(at(i), pair(i+l)), 1e-10)
			near(t, "pairs", got.Pairs, cov(pair(i), pair(i+l)), 1e-10)
			if math.Abs(got.Pairs) > math.Pow(rho, float64(l-1))*(1+1e-9) {
				t.Errorf("covariance of pairs %v above rho^%d", got.Pairs, l-1)
			}
		}
		const h = 1e-5
		up, down := append([]float64(nil), gamma...), append([]float64(nil), gamma...)
		up[i+l] += h
		down[i+l] -= h
		a, _, _ := SmoothSymmetric(up, zeta)
		b, _, _ := SmoothSymmetric(down, zeta)
		near(t, "derivative", (a[i]-b[i])/(2*h), got.States, 1e-6)
	}
	// The printed bound 2 rho^l for pairs is false: zeta = 1/2, l = 1.
	gamma := []float64{1, .5, -1, 0}
	c, err := ConditionalCovariances(gamma, .5, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	m, _, _ := SmoothSymmetric(gamma, .5)
	near(t, "pairs of a chain without memory", c.Pairs, m[0]*m[2]*(1-m[1]*m[1]), 1e-12)
	near(t, "variance", SignVariance(.7), 1/(math.Cosh(.7)*math.Cosh(.7)), 1e-14)
	beta := math.Atanh(2*.3 - 1)
	top := 2*math.Cosh(.8) + 2*math.Cosh(-1)
	bottom := math.Exp(beta)*2*math.Cosh(.4-.5) + math.Exp(-beta)*2*math.Cosh(.4+.5)
	near(t, "pair variance", PairVariance(.4, -.5, .3), top/(bottom*bottom), 1e-12)
}

// TestLowerBound checks eq. 2.9: the log-likelihood is at least Q plus the
// posterior's entropy, with equality at the posterior's own parameters; and
// concavity.
func TestLowerBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 30))
	x, _, err := (&Symmetric{Mean: []float64{1, -.5}, Zeta: .2, Sigma: 1}).Sample(60, rng)
	if err != nil {
		t.Fatal(err)
	}
	random := func() Symmetric {
		return Symmetric{Mean: []float64{rng.NormFloat64(), rng.NormFloat64()}, Zeta: .05 + .9*rng.Float64(), Sigma: 1}
	}
	logLik := func(m *Symmetric) float64 {
		v, err := m.Model().LogLikelihood(x)
		if err != nil {
			t.Fatal(err)
		}
		return v / 60
	}
	for range 30 {
		at := random()
		gamma := make([]float64, 60)
		for i := range gamma {
			gamma[i] = at.Mean[0]*x.At(i, 0) + at.Mean[1]*x.At(i, 1)
		}
		sign, same, _ := SmoothSymmetric(gamma, at.Zeta)
		q := func(m *Symmetric) float64 {
			a, b, err := m.Expected(x, sign, same)
			if err != nil {
				t.Fatal(err)
			}
			return a + b
		}
		entropy := logLik(&at) - q(&at)
		if entropy < -1e-10 || entropy > math.Ln2 {
			t.Fatalf("entropy %v of 60 signs, per sign", entropy)
		}
		for range 30 {
			m := random()
			if l := logLik(&m); l < q(&m)+entropy-1e-10 {
				t.Fatalf("log-likelihood %v below its bound %v", l, q(&m)+entropy)
			}
		}
	}
	mean, beta := Concavity(2, .6)
	near(t, "concavity in the mean", mean, .25, 1e-15)
	near(t, "concavity in beta", beta, 1-.36, 1e-15)
}

// TestTheory checks how the bounds move.
func TestTheory(t *testing.T) {
	th := SymmetricTheory(.2)
	near(t, "epsilon", th.Epsilon, .4, 1e-15)
	near(t, "ratio of truncations", th.Truncation(7, .5)/th.Truncation(6, .5), .8, 1e-12)
	near(t, "ratio of forgetting", th.Forgetting(7)/th.Forgetting(6), .8, 1e-12)
	near(t, "ratio of mixing", th.Mixes(7)/th.Mixes(6), .6, 1e-12)
	near(t, "window, linear in log n", th.Window(4000, .1)-th.Window(1000, .1), math.Log(4)/-math.Log(.8), 1e-10)
	near(t, "approximation", th.Approximation(3, 10)-th.Truncation(3, 1), .1, 1e-9)
	if !(th.Contraction(3, .5) < th.Contraction(2, .5)) {
		t.Error("kappa does not fall with the signal")
	}
	a, b := th.SampleErrors(1000, 10, 5, 1, 1, .1)
	c, d := th.SampleErrors(4000, 10, 5, 1, 1, .1)
	e, f := th.SampleErrors(1000, 40, 5, 1, 1, .1)
	near(t, "error of beta in n", b/d, 2, 1e-12)
	near(t, "error of beta in d", f, b, 1e-12)
	near(t, "error of the mean in d", e/a, 2, 1e-12)
	near(t, "error of the mean in n", a/c, 2*math.Sqrt(math.Log(1000)/math.Log(4000)), 1e-12)
	if !(th.TruncationError(4000, 10, 1, 1, .1) < th.TruncationError(1000, 10, 1, 1, .1)) {
		t.Error("truncation error does not fall with n")
	}
	near(t, "iterations", IterationsFor(1, 2e-6, .1), 6, 1e-12)
	near(t, "bound", PopulationBound(2, 1, .5, .1), .45, 1e-12)
	mm, mb, bm, bb := th.Stability(2, 1, .6)
	if mb != bm || math.Abs(bb/(bm/math.Sqrt(5))-4) > 1e-12 || math.Abs(mm/(bm/math.Sqrt(5))-5) > 1e-12 {
		t.Errorf("stability %v %v %v %v", mm, mb, bm, bb)
	}
}

// TestForgetting: posteriors from windows approach the posterior from all
// observations at least as fast as lemma 3 says; the truncated step too.
func TestForgetting(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 30))
	star := &Symmetric{Mean: make([]float64, 10), Zeta: .8, Sigma: 1}
	star.Mean[0] = .3
	x, _, err := star.Sample(2000, rng)
	if err != nil {
		t.Fatal(err)
	}
	gamma := make([]float64, 2000)
	for i := range gamma {
		gamma[i] = .3 * x.At(i, 0)
	}
	full, _, _ := SmoothSymmetric(gamma, .8)
	var ks, gaps []float64
	for _, k := range []int{5, 12, 20} {
		sign, _ := windowed(gamma, .8, k)
		gap := 0.0
		for i := 100; i < 1900; i++ {
			gap = max(gap, math.Abs(sign[i]-full[i])/2)
		}
		ks, gaps = append(ks, float64(k)), append(gaps, gap)
	}
	if gaps[2] > 1e-4 {
		t.Errorf("gap %v at k = 20, want below 1e-4", gaps[2])
	}
	if ratio := math.Pow(gaps[2]/gaps[0], 1/(ks[2]-ks[0])); ratio > .8 {
		t.Errorf("gap falls by %v a step, want at most 0.8", ratio)
	}
	star.Mean[0] = 1.5
	for range 20 {
		x, _, err := star.Sample(1000, rng)
		if err != nil {
			t.Fatal(err)
		}
		step := func(window int) []float64 {
			s := DefaultSymmetricSettings()
			s.Iterations, s.Window = 1, window
			fit, err := FitSymmetric(ctx, *star, x, s)
			if err != nil {
				t.Fatal(err)
			}
			return fit.Model().Mean
		}
		whole := step(0)
		for k, limit := range map[int]float64{8: 1e-5, 16: 1e-12} {
			q := 0.0
			for a, v := range step(k) {
				q += (v - whole[a]) * (v - whole[a])
			}
			if math.Sqrt(q) > limit {
				t.Errorf("windows of %d change the mean's step by %v, want at most %v", k, math.Sqrt(q), limit)
			}
		}
	}
}

// TestPopulation: the truth is the operator's fixed point up to the stated error,
// and the operator contracts faster at a larger signal.
func TestPopulation(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 30))
	var rates []float64
	for _, eta := range []float64{1, 2} {
		star := Symmetric{Mean: []float64{eta, 0, 0}, Zeta: .2, Sigma: 1}
		p, err := NewPopulation(star, 60000, 12, .98, rng)
		if err != nil {
			t.Fatal(err)
		}
		at, err := p.Step(ctx, star)
		if err != nil {
			t.Fatal(err)
		}
		for a, v := range at.Next.Mean {
			if math.Abs(v-star.Mean[a]) > 5*at.MeanErr[a] {
				t.Errorf("mean %v of the step from the truth, want %v +- %v", v, star.Mean[a], at.MeanErr[a])
			}
		}
		if math.Abs(at.Next.Zeta-.2) > 5*at.ZetaErr || at.ZetaErr > .01 {
			t.Errorf("zeta %v +- %v of the step from the truth, want 0.2", at.Next.Zeta, at.ZetaErr)
		}
		kappa, err := p.Contraction(ctx, 4, rng)
		if err != nil {
			t.Fatal(err)
		}
		rates = append(rates, kappa)
	}
	if !(rates[1] < rates[0] && rates[0] < 1) {
		t.Errorf("contraction %v, want below 1 and falling with the signal", rates)
	}
}

// TestConvergence reads a path with a known rate, and finds the floor of a fit.
func TestConvergence(t *testing.T) {
	f := &SymmetricFit{}
	for i := range 40 {
		f.Path = append(f.Path, Symmetric{Mean: []float64{1 + math.Pow(.5, float64(i)), 0}, Zeta: .5, Sigma: 1})
	}
	c, err := f.Convergence([]float64{1, 0}, []float64{1, .1})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "rate", c.Rate, .5, 1e-9)
	near(t, "floor", c.Floor, .1, 1e-9)
	if want := 6; c.Reached != want { // sqrt(0.01 + 4^-5) is within 4.7% of 0.1
		t.Errorf("floor reached at %d, want %d", c.Reached, want)
	}
	if _, err := f.Convergence([]float64{1}, nil); err == nil {
		t.Error("no error for a limit of another length")
	}
}

// TestSpectralStart lands near the truth or its negative, and BestSymmetric keeps
// the better fit; the damped step has the same fixed point.
func TestSpectralStart(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 30))
	star := &Symmetric{Mean: []float64{1, 1, 0}, Zeta: .2, Sigma: 1}
	x, _, err := star.Sample(4000, rng)
	if err != nil {
		t.Fatal(err)
	}
	start, err := SpectralStart(ctx, x, 1)
	if err != nil {
		t.Fatal(err)
	}
	d := min(start.Distance(&Symmetric{Mean: []float64{1, 1, 0}, Zeta: .5}), start.Distance(&Symmetric{Mean: []float64{-1, -1, 0}, Zeta: .5}))
	if d > .25 {
		t.Errorf("distance %v of the start from the truth", d)
	}
	zero := Symmetric{Mean: make([]float64, 3), Zeta: .5, Sigma: 1} // a saddle
	fit, err := BestSymmetric(ctx, []Symmetric{zero, *start}, x, nil)
	if err != nil || fit.Path[0].Mean[0] == 0 {
		t.Errorf("the saddle won, %v", err)
	}
	damped := DefaultSymmetricSettings()
	damped.Damped, damped.Iterations = true, 300
	other, err := FitSymmetric(ctx, *start, x, damped)
	if err != nil {
		t.Fatal(err)
	}
	if q := other.Model().Distance(fit.Model()); q > 1e-8 {
		t.Errorf("damped steps end %v away", q)
	}
}
