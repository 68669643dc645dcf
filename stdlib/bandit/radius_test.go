package bandit

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(t *testing.T, name string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Abs(want)) {
		t.Errorf("%s is %.12g, want %.12g", name, got, want)
	}
}

// TestRadius checks values of an independent script.
func TestRadius(t *testing.T) {
	for _, c := range []struct {
		delta     float64
		n         int
		beta, phi float64
	}{
		{.1, 1, 4.80468243, 3.09989756}, {.05, 10, 8.07935666, 1.27116928}, {.01, 100, 11.77224319, 0.48522661},
		{1e-6, 1000, 24.79465224, 0.22268656}, {.5, 7, 6.42530916, 1.35491794}, {.1, 7, 6.42530916, 1.35491794},
	} {
		near(t, "beta", Beta(-math.Log(c.delta), c.n), c.beta, 1e-8)
		near(t, "phi", Radius(-math.Log(c.delta), c.n, 1), c.phi, 1e-8)
	}
	for _, n := range []int{1, 1023, 1024, 5000, 1 << 20, 1 << 30} {
		near(t, "loglog", loglog(n), 1.5*math.Log(1+math.Log(float64(n))), 1e-15)
	}
	if !math.IsNaN(Beta(1, 0)) {
		t.Error("beta of no rewards")
	}
}

// TestCrossing counts how often the mean of standard normal rewards ever leaves
// its bound in 2,000 steps. A probability of at most delta gives 2,000 delta
// crossings in 2,000 runs; the bound is far from tight.
func TestCrossing(t *testing.T) {
	const runs, steps = 2000, 2000
	rng := rand.New(rand.NewPCG(1, 0))
	deltas := []float64{0.1, 0.05}
	radius := make([][]float64, len(deltas))
	for k, d := range deltas {
		radius[k] = make([]float64, steps+1)
		for n := 1; n <= steps; n++ {
			radius[k][n] = float64(n) * Radius(-math.Log(d), n, 1)
		}
	}
	crossed := make([]float64, len(deltas))
	for range runs {
		var out [2]bool
		sum := 0.0
		for n := 1; n <= steps; n++ {
			sum += rng.NormFloat64()
			for k := range deltas {
				out[k] = out[k] || sum > radius[k][n]
			}
		}
		for k, o := range out {
			if o {
				crossed[k]++
			}
		}
	}
	t.Logf("crossed %v of %d at %v", crossed, runs, deltas)
	for k, d := range deltas {
		if crossed[k] > d*runs {
			t.Errorf("crossed %v times at delta = %v", crossed[k], d)
		}
	}
	// The printed radius, sigma^2 = 1/2, is not valid for unit variance: the
	// first reward alone leaves it too often.
	for delta, want := range map[float64]float64{1e-6: 1.600e-6, 1e-10: 6.16e-9} {
		tail := math.Erfc(Radius(-math.Log(delta), 1, math.Sqrt(0.5))/math.Sqrt2) / 2
		near(t, "tail of the printed radius", tail, want, 1e-3)
		if tail = math.Erfc(Radius(-math.Log(delta), 1, 1)/math.Sqrt2) / 2; tail > delta {
			t.Errorf("tail of the radius is %v at delta = %v", tail, delta)
		}
	}
}

// TestPValue checks values of an independent script. The last has 2 sigma^2 = 1.
func TestPValue(t *testing.T) {
	for _, c := range []struct {
		m0     float64
		n0     int
		m1     float64
		n1, k  int
		eps, s float64
		want   float64
	}{
		{0, 10, 2, 10, 1, 0, 1, 1},
		{0, 10, 2.5, 10, 1, 0, 1, 0.1140923228},
		{0, 20, 3, 20, 5, 0, 1, 1.243948565e-05},
		{0, 20, 3, 20, 5, .5, 1, 0.002403768971},
		{0, 40, 2, 15, 10, 0, math.Sqrt(0.5), 1.462740589e-05},
	} {
		near(t, "p", PValue(c.m0, c.n0, c.m1, c.n1, c.k, c.eps, c.s), c.want, 1e-8)
	}
	if p := PValue(0, 1000, 100, 1000, 1, 0, 1); math.Abs(p-1e-300) > 1e-310 {
		t.Errorf("p = %v, want it cut at 1e-300", p)
	}
	if !math.IsNaN(PValue(0, 0, 1, 1, 1, 0, 1)) {
		t.Error("p of no rewards")
	}
}

// slowP bisects on log gamma over the whole range, by the definition.
func slowP(m0 float64, n0 int, m float64, n, k int, eps, sigma float64) float64 {
	holds := func(x float64) bool {
		return m-Radius(x+math.Log(2*float64(k)), n, sigma) <= m0+Radius(x+math.Log(2), n0, sigma)+eps
	}
	if holds(0) {
		return 0
	}
	lo, hi := 0.0, maxLog
	for range 80 {
		if mid := (lo + hi) / 2; holds(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

func TestPValueSlow(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	between := 0
	for range 3000 {
		n0, n, k := 1+rng.IntN(100), 1+rng.IntN(100), 1+rng.IntN(20)
		m, eps := 6*rng.Float64(), float64(rng.IntN(2))*rng.Float64()
		tst := newTest(k, eps, 1, ByControl)
		tst.update(0, n0, m, n)
		want := slowP(0, n0, m, n, k, eps, 1)
		if math.Abs(tst.negLog-want) > 1e-10*max(1, want) {
			t.Fatalf("n %d %d, k %d, m %v, eps %v: -log p is %v, want %v", n0, n, k, m, eps, tst.negLog, want)
		}
		if want > 0 && want < math.Log(10) {
			between++
		}
	}
	if between < 20 {
		t.Errorf("only %d p-values in the region of the clip", between)
	}
}
