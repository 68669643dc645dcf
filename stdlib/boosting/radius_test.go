package boosting

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
)

// TestCriticalRadiusClosedForms: n equal eigenvalues mu have delta = sigma if
// sigma^2 <= mu, else delta^2 = sigma sqrt(mu); k of them have delta^2 = sigma^2
// k/n if that is at most mu.
func TestCriticalRadiusClosedForms(t *testing.T) {
	same := func(k int, mu float64) []float64 {
		v := make([]float64, k)
		for j := range v {
			v[j] = mu
		}
		return v
	}
	for _, c := range []struct {
		values      []float64
		n           int
		sigma, want float64 // delta^2
		dimension   int
	}{
		{same(20, 1), 20, 0.5, 0.25, 20},
		{same(20, 0.01), 20, 0.5, 0.05, 1},
		{same(4, 1), 20, 0.5, 0.05, 5},
		{append(same(4, 1), same(16, 0)...), 20, 0.5, 0.05, 5},
		{[]float64{1}, 1, 1, 1, 1},
	} {
		r, err := CriticalRadius(c.values, c.n, c.sigma)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(r.Squared()-c.want) > 1e-14 || r.Dimension != c.dimension {
			t.Errorf("delta^2 = %v, dimension %d, want %v and %d", r.Squared(), r.Dimension, c.want, c.dimension)
		}
	}
}

// TestCriticalRadius compares with bisection, checks the prototype's values, the
// root's equation, the rates, and regularity.
func TestCriticalRadius(t *testing.T) {
	sigma := math.Sqrt(0.5)
	for _, c := range []struct {
		name       string
		kernel     rkhs.Kernel
		first      float64 // delta^2 at n = 64
		last       float64 // at n = 512
		least, top float64 // slope
	}{
		{"Sobolev", rkhs.Min{Offset: 1}, 0.03145, 0.00759, -0.717, -0.617},
		{"Sobolev/2", rkhs.Scaled{Factor: 0.5, Kernel: rkhs.Min{Offset: 1}}, 0.02542, 0, -0.717, -0.617},
		{"Gaussian", rkhs.Gaussian{Bandwidth: 0.2}, 0.03791, 0.00619, -1, -0.82},
	} {
		var ns, squares []float64
		for _, n := range []int{64, 128, 256, 512} {
			d := design(t, c.kernel, Grid(n))
			some, err := d.CriticalRadius(bg, sigma) // from the largest eigenvalues
			if err != nil {
				t.Fatal(err)
			}
			s := spectrum(t, d)
			r, err := CriticalRadius(s.Values, n, sigma)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(some.Delta-r.Delta) > 1e-9*r.Delta || some.Dimension != r.Dimension {
				t.Errorf("%s, n = %d: %+v from the largest eigenvalues, %+v from all", c.name, n, some, r)
			}
			if e := Complexity(s.Values, n, r.Delta) - r.Squared()/sigma; math.Abs(e) > 1e-10 {
				t.Errorf("%s, n = %d: R(delta) - delta^2/sigma = %v", c.name, n, e)
			}
			lo, hi := 1e-9, 10.0
			for range 200 {
				if mid := math.Sqrt(lo * hi); Complexity(s.Values, n, mid) <= mid*mid/sigma {
					hi = mid
				} else {
					lo = mid
				}
			}
			if math.Abs(hi-r.Delta) > 1e-12 {
				t.Errorf("%s, n = %d: delta %v, %v by bisection", c.name, n, r.Delta, hi)
			}
			if r.Tail > 1 {
				t.Errorf("%s, n = %d: tail %v", c.name, n, r.Tail)
			}
			ns, squares = append(ns, float64(n)), append(squares, r.Squared())
		}
		if math.Abs(squares[0]-c.first) > 1e-5 || c.last > 0 && math.Abs(squares[3]-c.last) > 1e-5 {
			t.Errorf("%s: delta^2 from %v to %v, want %v to %v", c.name, squares[0], squares[3], c.first, c.last)
		}
		slope, err := study.LogLogSlope(ns, squares)
		if err != nil || slope.Slope < c.least || slope.Slope > c.top {
			t.Errorf("%s: slope %v of delta^2 in n, %v; want from %v to %v", c.name, slope.Slope, err, c.least, c.top)
		}
	}
}

// TestLocalComplexity checks that the surrogate R is within [0.8, sqrt(2)] of the
// simulated complexity, and one supremum against projected ascent.
func TestLocalComplexity(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for _, n := range []int{100, 400} {
		s := spectrum(t, design(t, rkhs.Min{Offset: 1}, Grid(n)))
		r, err := CriticalRadius(s.Values, n, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, delta := range []float64{1 / math.Sqrt(float64(n)), r.Delta, 0.3, 1} {
			mean, stderr, err := s.LocalComplexity(bg, delta, 200, GaussianNoise, rng)
			if err != nil {
				t.Fatal(err)
			}
			if q := mean / Complexity(s.Values, n, delta); q < 0.8 || q > math.Sqrt2 {
				t.Errorf("n = %d, delta = %v: complexity over R is %v", n, delta, q)
			}
			signs, se, err := s.LocalComplexity(bg, delta, 200, RademacherNoise, rng)
			if err != nil || math.Abs(signs-mean) > 5*(se+stderr) {
				t.Errorf("n = %d, delta = %v: %v with signs, %v with normals, %v", n, delta, signs, mean, err)
			}
		}
	}
	// Two coordinates: the supremum over the intersection of two ellipses, by angle.
	s := &Spectrum{N: 2, Values: []float64{1, 0.2}, Vectors: mat.NewDense(2, 2, []float64{1, 0, 0, 1})}
	theta, delta := []float64{0.7, -1.1}, 0.6
	best := 0.0
	for i := range 100000 {
		a := 2 * math.Pi * float64(i) / 100000
		u, v := math.Cos(a), math.Sin(a)
		scale := 1 / math.Max(math.Sqrt(u*u/1+v*v/0.2), 1/delta)
		best = math.Max(best, scale*(theta[0]*u+theta[1]*v))
	}
	if got := s.supremum(theta, delta); math.Abs(got-best) > 1e-6 {
		t.Errorf("supremum %v, %v by angle", got, best)
	}
}

func TestRadiusBadInput(t *testing.T) {
	for says, f := range map[string]func() error{
		"0 eigenvalues, must be from 1 to n = 3": func() error { _, err := CriticalRadius(nil, 3, 1); return err },
		"sigma is 0, must be positive":           func() error { _, err := CriticalRadius([]float64{1}, 3, 0); return err },
		"eigenvalue 2 is 2, must be":             func() error { _, err := CriticalRadius([]float64{1, 2}, 3, 1); return err },
		"eigenvalues are all 0":                  func() error { _, err := CriticalRadius([]float64{0}, 3, 1); return err },
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one with %q", err, says)
		}
	}
}

func TestStopRules(t *testing.T) {
	c := Logistic{}.Constants(1)
	for _, r := range []struct {
		name      string
		got, want int
	}{
		{"cap", TheoremCap(0.001, Squared{}.Constants(1)), 125},
		{"cap, logistic", TheoremCap(0.001, c), 98},
		{"corollary", CorollaryStop(0.005, c), 25},
		{"corollary, at least 1", CorollaryStop(10, c), 1},
		{"calibrated", CalibratedStop(0.01, 0.75), 133},
		{"power", PowerStop(100, 7, 2.0/3), 78},
		{"polynomial", PolynomialStop(1000, 1), 99},
		{"exponential", ExponentialStop(1000, 1), 144},
	} {
		if r.got != r.want {
			t.Errorf("%s: stop at %d, want %d", r.name, r.got, r.want)
		}
	}
}
