package rkhs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
)

func typeName(v any) string { return fmt.Sprintf("%T", v) }

// TestEmbeddingsAgreeWithQuadrature integrates k(x, y) p(y) in one dimension.
func TestEmbeddingsAgreeWithQuadrature(t *testing.T) {
	mix := mixtureT1(t)
	mixDensity := func(y float64) float64 {
		var s float64
		for j := range mix.Len() {
			m, c := mix.Component(j)
			v := c.At(0, 0)
			s += mix.Weight(j) * math.Exp(-(y-m[0])*(y-m[0])/(2*v)) / math.Sqrt(2*math.Pi*v)
		}
		return s
	}
	box, err := NewBox([]float64{.2}, []float64{.9})
	if err != nil {
		t.Fatal(err)
	}
	boxDensity := func(float64) float64 { return 1 / .7 }
	for _, c := range []struct {
		k       Kernel
		p       Distribution
		density func(float64) float64
		lo, hi  float64
	}{
		{Gaussian{.3}, mix, mixDensity, -14, 14},
		{Linear{}, mix, mixDensity, -14, 14},
		{Sum{Gaussian{1}, Scaled{2, Linear{}}, Constant{3}}, mix, mixDensity, -14, 14},
		{Gaussian{.3}, box, boxDensity, .2, .9},
		{Laplace{.5}, box, boxDensity, .2, .9},
		{Min{1}, box, boxDensity, .2, .9},
		{Linear{}, box, boxDensity, .2, .9},
		{Polynomial{Degree: 3, Scale: .7, Offset: .5}, mix, mixDensity, -14, 14},
		{Polynomial{Degree: 4, Scale: 2}, box, boxDensity, .2, .9},
		{DotProduct{[]float64{1, 0, .5, .1}}, mix, mixDensity, -14, 14},
		{DotProduct{[]float64{2}}, box, boxDensity, .2, .9},
		{Laplace{.5}, mix, mixDensity, -14, 14},
		{Matern{Nu: .5, Bandwidth: 2}, mix, mixDensity, -14, 14},
		{Matern{Nu: 1.5, Bandwidth: .3}, mix, mixDensity, -14, 14},
		{Matern{Nu: 2.5, Bandwidth: .7}, mix, mixDensity, -14, 14},
		{Matern{Nu: 1.5, Bandwidth: .02}, box, boxDensity, .2, .9},
		{Matern{Nu: 4.5, Bandwidth: 1}, box, boxDensity, .2, .9},
		{Cauchy{.4}, box, boxDensity, .2, .9},
		{Spline{Order: 1, Free: true}, box, boxDensity, .2, .9},
		{Spline{Order: 3}, box, boxDensity, .2, .9},
		{Trigonometric{Terms: 3}, mix, mixDensity, -14, 14},
		{Trigonometric{Terms: 5}, box, boxDensity, .2, .9},
	} {
		e := mustEmbed(t, c.k, c.p)
		name := typeName(c.k) + " " + typeName(c.p)
		mu := func(x float64) float64 {
			// The kernels' kinks are at y = x.
			f := func(y float64) float64 { return c.k.Eval([]float64{x}, []float64{y}) * c.density(y) }
			if x <= c.lo || x >= c.hi {
				return panels(f, c.lo, c.hi)
			}
			return panels(f, c.lo, x) + panels(f, x, c.hi)
		}
		for _, x := range []float64{-1.5, .1, .3, .55, 1.2} {
			near(t, name, evalAt(t, e, x), mu(x), 1e-10)
		}
		// The embedding itself is smooth up to second derivatives.
		near(t, name+" norm2", norm2(t, e), panels(func(x float64) float64 { return mu(x) * c.density(x) }, c.lo, c.hi), 1e-9)
	}
}

// panels is composite Gauss-Legendre quadrature.
func panels(f func(float64) float64, lo, hi float64) float64 {
	const n = 12
	var s float64
	for i := range n {
		a, b := lo+(hi-lo)*float64(i)/n, lo+(hi-lo)*float64(i+1)/n
		s += quad.Fixed(f, a, b, 24, quad.Legendre{}, 0)
	}
	return s
}

// TestStorageModesAgree embeds one mixture as isotropic, shared and full.
func TestStorageModesAgree(t *testing.T) {
	const k, d = 7, 3
	rng := rand.New(rand.NewPCG(4, 4))
	means, weights := mat.NewDense(k, d, nil), make([]float64, k)
	var isoCov []*mat.SymDense
	vars := make([]float64, k)
	for j := range k {
		weights[j] = 1. / k
		vars[j] = .7
		c := mat.NewSymDense(d, nil)
		for i := range d {
			means.Set(j, i, rng.NormFloat64())
			c.SetSym(i, i, .7)
		}
		isoCov = append(isoCov, c)
	}
	iso, err1 := NewIsotropicMixture(weights, means, vars)
	shared, err2 := NewSharedMixture(weights, means, isoCov[0])
	full, err3 := NewMixture(weights, means, isoCov)
	if err1 != nil || err2 != nil || err3 != nil {
		t.Fatal(err1, err2, err3)
	}
	X := uniformPoints(1100, d, 6)
	g := Gaussian{.8}
	want := make([]float64, 1100)
	if err := mustEmbed(t, g, iso).EvalTo(ctx, want, X); err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]*Mixture{"shared": shared, "full": full} {
		e := mustEmbed(t, g, p)
		got := make([]float64, 1100)
		if err := e.EvalTo(ctx, got, X); err != nil {
			t.Fatal(err)
		}
		for i := range got {
			near(t, name, got[i], want[i], 1e-12)
		}
		near(t, name+" norm2", norm2(t, e), norm2(t, mustEmbed(t, g, iso)), 1e-12)
		a, err := MixtureInner(ctx, g, iso, p)
		if err != nil {
			t.Fatal(err)
		}
		near(t, name+" inner", a, norm2(t, e), 1e-12)
	}
	for _, p := range []*Mixture{iso, shared, full, mustMixture3(t)} {
		checkGradient(t, g, p)
	}
}

// mustMixture3 is a mixture of two correlated Gaussians, one of them singular.
func mustMixture3(t *testing.T) *Mixture {
	p, err := NewMixture([]float64{.3, .7}, uniformPoints(2, 3, 3), []*mat.SymDense{
		mat.NewSymDense(3, []float64{1, .5, .2, .5, 2, -.3, .2, -.3, .8}),
		mat.NewSymDense(3, []float64{1, 1, 0, 1, 1, 0, 0, 0, 0}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func checkGradient(t *testing.T, g Gaussian, p *Mixture) {
	t.Helper()
	e := mustEmbed(t, g, p).(DifferentiableEmbedding)
	x := []float64{.2, .5, -.4}
	got := make([]float64, 3)
	e.Gradient(got, x)
	for j := range x {
		const h = 1e-5
		up, down := append([]float64(nil), x...), append([]float64(nil), x...)
		up[j] += h
		down[j] -= h
		near(t, "gradient", got[j], (evalAt(t, e, up...)-evalAt(t, e, down...))/(2*h), 1e-8)
	}
}

// TestEmbeddingIsTheMeanOfTheKernel compares closed forms with a million draws.
func TestEmbeddingIsTheMeanOfTheKernel(t *testing.T) {
	const n = 1_000_000
	rng := rand.New(rand.NewPCG(12, 1))
	for _, p := range []*Mixture{mixtureT2(t), mustMixture3(t)} {
		g := Gaussian{.9}
		e := mustEmbed(t, g, p)
		X := p.Sample(rng, n)
		x := make([]float64, p.Dim())
		column := make([]float64, n)
		NewPoints(g, X).Column(column, 0, x)
		var s, s2 float64
		for _, v := range column {
			s += v / n
			s2 += v * v / n
		}
		near(t, "mean of the kernel", s, evalAt(t, e, x...), 4*math.Sqrt((s2-s*s)/n))
		mean, cov := p.Mean(), p.Covariance()
		sample := Uniform(X)
		for j, m := range sample.Mean() {
			near(t, "sample mean", m, mean[j], 5*math.Sqrt(cov.At(j, j)/n))
			near(t, "sample variance", sample.Expect(func(x []float64) float64 { return (x[j] - mean[j]) * (x[0] - mean[0]) }), cov.At(j, 0), .02)
		}
	}
}

// TestHighDimensionDoesNotUnderflow: at d = 15, bandwidth^2 = .01 the
// determinant alone is 9e-16, and (2 pi b^2)^(d/2) times the density would lose
// everything at d = 300.
func TestHighDimensionDoesNotUnderflow(t *testing.T) {
	for _, d := range []int{15, 150} {
		p, err := NewNormal(make([]float64, d), identity(d))
		if err != nil {
			t.Fatal(err)
		}
		e := mustEmbed(t, Gaussian{.1}, p)
		want := -0.5 * float64(d) * math.Log(101)
		near(t, "log embedding", math.Log(evalAt(t, e, make([]float64, d)...)), want, 1e-10)
	}
}

func identity(d int) *mat.SymDense {
	c := mat.NewSymDense(d, nil)
	for i := range d {
		c.SetSym(i, i, 1)
	}
	return c
}

func TestLabelledEmbedding(t *testing.T) {
	base := mixtureT2(t)
	p, err := NewLabelledMixture(base, []int{5, 2})
	if err != nil {
		t.Fatal(err)
	}
	k := Labelled{Gaussian{.8}}
	e := mustEmbed(t, k, p)
	const n = 400_000
	rng := rand.New(rand.NewPCG(2, 2))
	X, component := p.SampleComponents(rng, n)
	for i, c := range component {
		if X.At(i, 2) != float64(p.Label(c)) {
			t.Fatal("point without its component's label")
		}
	}
	brute := Uniform(X)
	for _, x := range [][]float64{{.3, .5, 5}, {.3, .5, 2}, {2, -1, 2}, {0, 0, 7}} {
		near(t, "labelled", evalAt(t, e, x...), brute.Expect(func(y []float64) float64 { return k.Eval(x, y) }), .005)
	}
	// By hand: components with equal labels only.
	var want float64
	for j := range 2 {
		m, c := base.Component(j)
		one, err := NewNormal(m, c)
		if err != nil {
			t.Fatal(err)
		}
		want += base.Weight(j) * base.Weight(j) * norm2(t, mustEmbed(t, Gaussian{.8}, one))
	}
	near(t, "labelled norm2", norm2(t, e), want, 1e-14)
}

func TestEmbedErrors(t *testing.T) {
	mix := mixtureT2(t)
	if _, err := Embed(Laplace{1}, mix); err == nil {
		t.Error("no error for a pair without closed form")
	}
	e, err := EmbedSample(Laplace{1}, mix, 1000, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if v := evalAt(t, e, 0, 0); !(v > 0 && v < 1) {
		t.Errorf("sampled embedding is %v", v)
	}
	means := mat.NewDense(2, 2, nil)
	two := []float64{.5, .5}
	for _, c := range []struct {
		make func() error
		want string
	}{
		{func() error { _, err := NewIsotropicMixture([]float64{.5, .6}, means, two); return err },
			"rkhs: weights sum to 1.1, must sum to 1"},
		{func() error { _, err := NewIsotropicMixture([]float64{1.5, -.5}, means, two); return err },
			"rkhs: weight 1 is -0.5, must be finite and not negative"},
		{func() error { _, err := NewIsotropicMixture([]float64{1}, means, two); return err },
			"rkhs: 1 weights for 2 components"},
		{func() error { _, err := NewIsotropicMixture(two, means, []float64{1}); return err },
			"rkhs: 1 variances for 2 components"},
		{func() error {
			_, err := NewSharedMixture(two, means, mat.NewSymDense(2, []float64{1, 2, 2, 1}))
			return err
		}, "rkhs: covariance has the eigenvalue -1, must be positive semi-definite"},
		{func() error { _, err := NewSharedMixture(two, means, identity(3)); return err },
			"rkhs: covariance is 3 x 3, must be 2 x 2"},
		{func() error { return e.EvalTo(ctx, make([]float64, 1), mat.NewDense(1, 3, nil)) },
			"rkhs: points have dimension 3, must be 2"},
		{func() error { return e.EvalTo(ctx, make([]float64, 2), mat.NewDense(1, 2, nil)) },
			"rkhs: destination has length 2, must be 1"},
		{func() error { return (Measure{X: means, W: []float64{1}}).Validate() },
			"rkhs: 1 weights for 2 points"},
		{func() error { _, err := NewBox([]float64{1}, []float64{1}); return err },
			"rkhs: side 0 of the box is [1, 1], must be finite and not empty"},
	} {
		if err := c.make(); err == nil || err.Error() != c.want {
			t.Errorf("error is %v, want %s", err, c.want)
		}
	}
}

// TestDensityAndAffineImage: the density integrates the kernel to the embedding,
// and the image of a mixture has the moments and samples of the image.
func TestDensityAndAffineImage(t *testing.T) {
	p := mixtureT1(t)
	f := func(x float64) float64 {
		var v [1]float64
		if err := p.LogDensity(ctx, v[:], mat.NewDense(1, 1, []float64{x})); err != nil {
			t.Fatal(err)
		}
		return math.Exp(v[0])
	}
	near(t, "integral of the density", panels(f, -14, 14), 1, 1e-12)
	g := Gaussian{.5}
	near(t, "embedding", panels(func(x float64) float64 { return f(x) * g.Eval([]float64{x}, []float64{.3}) }, -14, 14),
		evalAt(t, mustEmbed(t, g, p), .3), 1e-12)

	q := mixtureT2(t)
	A := mat.NewDense(3, 2, []float64{1, 2, 0, -1, .5, .5})
	image, err := q.Affine(A, []float64{1, 0, -1})
	if err != nil {
		t.Fatal(err)
	}
	var mean mat.VecDense
	mean.MulVec(A, mat.NewVecDense(2, q.Mean()))
	for i, v := range image.Mean() {
		near(t, "mean", v, mean.AtVec(i)+[]float64{1, 0, -1}[i], 1e-14)
	}
	var cov mat.Dense
	cov.Product(A, q.Covariance(), A.T())
	for i := range 3 {
		for j := range 3 {
			near(t, "covariance", image.Covariance().At(i, j), cov.At(i, j), 1e-13)
		}
	}
	if err := image.LogDensity(ctx, make([]float64, 1), mat.NewDense(1, 3, nil)); err == nil {
		t.Error("no error for the density of a singular mixture")
	}
	if _, err := q.Affine(mat.NewDense(1, 3, nil), nil); err == nil {
		t.Error("no error for a map of another dimension")
	}
	// In two dimensions, against the density written out.
	var v [1]float64
	if err := q.LogDensity(ctx, v[:], mat.NewDense(1, 2, []float64{.5, .2})); err != nil {
		t.Fatal(err)
	}
	var want float64
	for j := range 2 {
		m, c := q.Component(j)
		det := c.At(0, 0)*c.At(1, 1) - c.At(0, 1)*c.At(0, 1)
		a, b := .5-m[0], .2-m[1]
		quad := (c.At(1, 1)*a*a - 2*c.At(0, 1)*a*b + c.At(0, 0)*b*b) / det
		want += q.Weight(j) * math.Exp(-.5*quad) / (2 * math.Pi * math.Sqrt(det))
	}
	near(t, "density", math.Exp(v[0]), want, 1e-15)
}

// TestQuadratureEmbeddings: product rules agree with the closed forms where there
// are some, and with each other's norms.
func TestQuadratureEmbeddings(t *testing.T) {
	box, err := NewBox([]float64{0, -1}, []float64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	nodes, err := box.Quadrature(24)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "total weight", nodes.TotalWeight(), 1, 1e-13)
	g := Gaussian{.7}
	a, b := mustEmbed(t, g, box), mustEmbed(t, g, nodes)
	near(t, "box", evalAt(t, b, .3, .4), evalAt(t, a, .3, .4), 1e-12)
	near(t, "box norm2", norm2(t, b), norm2(t, a), 1e-12)

	mix := mixtureT2(t)
	nodes, err = mix.Quadrature(40)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "total weight", nodes.TotalWeight(), 1, 1e-13)
	a, b = mustEmbed(t, Gaussian{1}, mix), mustEmbed(t, Gaussian{1}, nodes)
	near(t, "mixture", evalAt(t, b, .3, .4), evalAt(t, a, .3, .4), 1e-9)
	near(t, "mixture norm2", norm2(t, b), norm2(t, a), 1e-9)
	for j, v := range nodes.Mean() {
		near(t, "mean", v, mix.Mean()[j], 1e-12)
	}
	// A pair without closed form, against a large sample.
	m := Matern{2.5, 1}
	b = mustEmbed(t, m, nodes)
	s, err := EmbedSample(m, mix, 200_000, rand.New(rand.NewPCG(3, 3)))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "Matern", evalAt(t, b, .3, .4), evalAt(t, s, .3, .4), .003)
	if _, err := mix.Quadrature(5000); err == nil {
		t.Error("no error for 5e7 nodes")
	}
}

// TestTrigonometricGradient compares it with differences.
func TestTrigonometricGradient(t *testing.T) {
	e := mustEmbed(t, Trigonometric{Terms: 4}, mixtureT1(t)).(DifferentiableEmbedding)
	var g [1]float64
	for _, x := range []float64{-1.3, 0, .2, .75, 4.1} {
		const h = 1e-5
		e.Gradient(g[:], []float64{x})
		near(t, "gradient", g[0], (evalAt(t, e, x+h)-evalAt(t, e, x-h))/(2*h), 1e-7)
	}
}
