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

// TestClosedFormEigenvalues: min(x, y) on the grid i/n has the eigenvalues 1/(4 n^2
// sin^2((2k-1) pi/(2 (2n+1)))).
func TestClosedFormEigenvalues(t *testing.T) {
	const n = 50
	s := spectrum(t, design(t, rkhs.Min{}, Grid(n)))
	for k, mu := range s.Values {
		v := math.Sin(float64(2*k+1) * math.Pi / (2 * (2*n + 1)))
		if want := 1 / (4 * n * n * v * v); math.Abs(mu-want) > 1e-10 {
			t.Errorf("eigenvalue %d is %v, want %v", k+1, mu, want)
		}
	}
	if lambda, err := design(t, rkhs.Min{Offset: 1}, Grid(1024)).LambdaMax(bg); err != nil || math.Abs(lambda-1.3515) > 1e-3 {
		t.Errorf("largest eigenvalue of 1 + min is %v, %v; want about 1.35", lambda, err)
	}
}

// TestProducts compares products of all kinds of designs with the stored matrix.
func TestProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 60
	x := uniformRows(n, 1, rng)
	for r := range 5 {
		x.Set(r, 0, x.At(40, 0)) // ties
	}
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	for _, k := range []rkhs.Kernel{rkhs.Min{Offset: 0.3}, rkhs.Scaled{Factor: 0.5, Kernel: rkhs.Min{Offset: 1}}, rkhs.Gaussian{Bandwidth: 0.1}} {
		g, err := rkhs.Gram(bg, k, x, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := linalg.MulVec(nil, g, v)
		vec.Scale(want, 1.0/n, want)
		d := design(t, k, x)
		near(t, "product", d.Mul(nil, v), want, 1e-12)
		if tr := mat.Trace(g) / n; math.Abs(d.Trace()-tr) > 1e-12 {
			t.Errorf("trace %v, want %v", d.Trace(), tr)
		}
		s := spectrum(t, d)
		product := s.Coordinates(v)
		for j, mu := range s.Values {
			product[j] *= mu
		}
		near(t, "product by the spectrum", s.Combine(product), want, 1e-12)
		all, err := NewNystrom(bg, k, x, mat.DenseCopyOf(x.Slice(5, n, 0, 1)))
		if err != nil {
			t.Fatal(err)
		}
		near(t, "product with all different points as centres", all.Mul(nil, v), want, 1e-7)
		near(t, "its eigenvalues", spectrum(t, all).Values[:20], s.Values[:20], 1e-7)
	}
}

// TestLowRank fits with few columns: Nystrom and random features come near the
// whole kernel, and iterates, predictions and the closed form agree among themselves.
func TestLowRank(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	const n, T = 300, 50
	k := rkhs.Gaussian{Bandwidth: 0.4}
	x := uniformRows(n, 2, rng)
	target := make([]float64, n)
	for i := range target {
		target[i] = math.Sin(3*x.At(i, 0)) * x.At(i, 1)
	}
	y := Squared{}.Draw(target, 0.1, rng)
	whole := run(t, design(t, k, x), y, func(s *Settings) { s.Iterations = T })
	centres, err := ChooseCentres(x, 60, rng)
	if err != nil {
		t.Fatal(err)
	}
	nystrom, err := NewNystrom(bg, k, x, centres)
	if err != nil {
		t.Fatal(err)
	}
	features, err := rkhs.NewRandomFeatures(k, 2, 600, rng)
	if err != nil {
		t.Fatal(err)
	}
	random, err := NewFeatures(bg, features, x)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		d     *Design
		limit float64
	}{{"Nystrom", nystrom, 1e-3}, {"random features", random, 0.1}} {
		p := run(t, c.d, y, func(s *Settings) { s.Iterations = T })
		if q := math.Sqrt(vec.SquaredDistance(p.Last, whole.Last) / n); q > c.limit {
			t.Errorf("%s: distance %v to the fit with the whole kernel, want at most %v", c.name, q, c.limit)
		}
		at, err := p.Model.Predict(bg, x)
		if err != nil {
			t.Fatal(err)
		}
		near(t, c.name+" predictions", at, p.Last, 1e-9)
		closed, err := NewSquaredPath(bg, c.d, y, 0.75)
		if err != nil {
			t.Fatal(err)
		}
		near(t, c.name+" closed form", closed.At(T), p.Last, 1e-6)
		r, err := c.d.CriticalRadius(bg, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		want, err := design(t, k, x).CriticalRadius(bg, 0.5)
		if err != nil || math.Abs(r.Delta/want.Delta-1) > 0.05 {
			t.Errorf("%s: critical radius %v, %v with the whole kernel, %v", c.name, r.Delta, want.Delta, err)
		}
		if top, err := c.d.LambdaMax(bg); err != nil || math.Abs(top-spectrum(t, c.d).Values[0]) > 1e-9 {
			t.Errorf("%s: largest eigenvalue %v, %v", c.name, top, err)
		}
	}
}
