package rkhs

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// kernels of every kind, for points with coordinates in (0, 1).
func allKernels(t testing.TB) map[string]Kernel {
	fisher, err := NewFisher(uniformPoints(50, 3, 9), 1e-6)
	if err != nil {
		t.Fatal(err)
	}
	kernels := map[string]Kernel{
		"gaussian":      Gaussian{.4},
		"laplace":       Laplace{.7},
		"matern 1/2":    Matern{.5, .6},
		"matern 3/2":    Matern{1.5, .6},
		"matern 5/2":    Matern{2.5, .6},
		"matern 9/2":    Matern{4.5, .6},
		"rational":      RationalQuadratic{1.3, .5},
		"linear":        Linear{},
		"polynomial":    Polynomial{3, .5, 1},
		"cosine":        Cosine{},
		"min":           Min{},
		"sobolev":       Min{1},
		"trigonometric": Trigonometric{4},
		"constant":      Constant{2},
		"fisher":        fisher,
		"sum":           Sum{Gaussian{.4}, Linear{}, Func(func(x, y []float64) float64 { return x[0] * y[0] })},
		"product":       Product{Gaussian{.4}, Polynomial{2, 1, 1}},
		"scaled":        Scaled{3, Laplace{.5}},
		"normalized":    Normalized{Polynomial{2, 1, .5}},
		"labelled":      Labelled{Gaussian{.4}},
		"function":      Func(func(x, y []float64) float64 { return 1 + dot(x, y) }),
		"batch": ColumnFunc(func(dst []float64, X *mat.Dense, y []float64) {
			for i := range dst {
				dst[i] = 2 * dot(X.RawRowView(i), y)
			}
		}),
	}
	for _, c := range featureKernels {
		kernels["features of "+c.name] = c.k
	}
	return kernels
}

func uniformPoints(n, d int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 0))
	X := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			X.Set(i, j, rng.Float64())
		}
	}
	return X
}

// TestGramMatricesAgreeWithEval checks every fast path against Eval, and that
// Gram matrices are symmetric and positive semi-definite.
func TestGramMatricesAgreeWithEval(t *testing.T) {
	const n = 700 // more than one block
	X, Y := uniformPoints(n, 3, 1), uniformPoints(40, 3, 2)
	for i := range n { // a discrete label for the labelled kernel
		X.Set(i, 2, float64(i%3)/2)
	}
	for i := range 40 {
		Y.Set(i, 2, float64(i%2)/2)
	}
	for name, k := range allKernels(t) {
		G, err := Gram(ctx, k, Y, X)
		if err != nil {
			t.Fatal(name, err)
		}
		for i := range 40 {
			for j := range n {
				if want := k.Eval(Y.RawRowView(i), X.RawRowView(j)); math.Abs(G.At(i, j)-want) > 1e-14*(1+math.Abs(want)) {
					t.Fatalf("%s: k(y_%d, x_%d) = %v, want %v", name, i, j, G.At(i, j), want)
				}
			}
		}
		S, err := Gram(ctx, k, Y, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		sym := mat.NewSymDense(40, nil)
		for i := range 40 {
			for j := range i + 1 {
				if math.Abs(S.At(i, j)-S.At(j, i)) > 1e-15*(1+math.Abs(S.At(i, j))) {
					t.Errorf("%s: Gram matrix is not symmetric at %d, %d", name, i, j)
				}
				sym.SetSym(i, j, S.At(i, j))
			}
		}
		var eigen mat.EigenSym
		eigen.Factorize(sym, false)
		values := eigen.Values(nil)
		if values[0] < -1e-12*values[39] {
			t.Errorf("%s: Gram matrix has the eigenvalue %v", name, values[0])
		}
	}
}

// TestKernelValues checks single values against arithmetic done by hand.
func TestKernelValues(t *testing.T) {
	x, y := []float64{1, 2}, []float64{2, 0} // |x-y|^2 = 5, |x-y|_1 = 3, x.y = 2
	r := math.Sqrt(5)
	for _, c := range []struct {
		k    Kernel
		want float64
	}{
		{Gaussian{2}, math.Exp(-5. / 8)},
		{Laplace{2}, math.Exp(-1.5)},
		{Matern{.5, 2}, math.Exp(-r / 2)},
		{Matern{1.5, 2}, (1 + math.Sqrt(3)*r/2) * math.Exp(-math.Sqrt(3)*r/2)},
		{Matern{2.5, 2}, (1 + math.Sqrt(5)*r/2 + 5*5./12) * math.Exp(-math.Sqrt(5)*r/2)},
		{RationalQuadratic{3, 2}, math.Pow(1+5./24, -3)},
		{Linear{}, 2},
		{Polynomial{3, 2, 1}, 125},
		{Cosine{}, 2 / math.Sqrt(20)},
		{Min{1}, 2},
		{Trigonometric{1}, (1 + 2*math.Cos(2*math.Pi)) / 3},
		{Sum{Linear{}, Constant{3}}, 5},
		{Product{Linear{}, Constant{3}}, 6},
		{Scaled{.5, Linear{}}, 1},
		{Normalized{Linear{}}, 2 / math.Sqrt(20)},
		{Labelled{Linear{}}, 0},
	} {
		near(t, strings.TrimPrefix(typeName(c.k), "rkhs."), c.k.Eval(x, y), c.want, 1e-15)
	}
}

func TestKernelGradients(t *testing.T) {
	x, y := []float64{.3, .8, .1}, []float64{.5, .2, .4}
	for name, k := range allKernels(t) {
		g, ok := k.(DifferentiableKernel)
		if !ok {
			continue
		}
		got := make([]float64, 3)
		g.Gradient(got, x, y)
		for j := range x {
			const h = 1e-5
			up, down := append([]float64(nil), x...), append([]float64(nil), x...)
			up[j] += h
			down[j] -= h
			near(t, name+" gradient", got[j], (k.Eval(up, y)-k.Eval(down, y))/(2*h), 1e-8)
		}
	}
}

func TestBadKernels(t *testing.T) {
	X := uniformPoints(3, 2, 1)
	for _, c := range []struct {
		k    Kernel
		want string
	}{
		{nil, "rkhs: kernel is nil"},
		{Gaussian{-1}, "rkhs: bandwidth is -1, must be positive and finite"},
		{Gaussian{math.NaN()}, "rkhs: bandwidth is NaN, must be positive and finite"},
		{Laplace{0}, "rkhs: bandwidth is 0, must be positive and finite"},
		{Gaussian{1e-200}, "rkhs: bandwidth is 1e-200, must be from 1e-150 to 1e150"},
		{Matern{1, 1}, "rkhs: smoothness is 1, must be one of 0.5, 1.5, ..., 20.5"},
		{RationalQuadratic{0, 1}, "rkhs: alpha is 0, must be positive and finite"},
		{Polynomial{0, 1, 1}, "rkhs: degree is 0, must be at least 1"},
		{Min{-1}, "rkhs: offset is -1, must be finite and not negative"},
		{Trigonometric{0}, "rkhs: number of terms is 0, must be at least 1"},
		{Sum{}, "rkhs: sum has no kernels"},
		{Sum{Linear{}, Gaussian{-2}}, "rkhs: bandwidth is -2, must be positive and finite"},
		{Scaled{-1, Linear{}}, "rkhs: factor is -1, must be positive and finite"},
		{Fisher{}, "rkhs: Fisher kernel has no information matrix; make it with NewFisher"},
	} {
		if _, err := Gram(ctx, c.k, X, nil); err == nil || err.Error() != c.want {
			t.Errorf("%T: error is %v, want %s", c.k, err, c.want)
		}
	}
	bad := mat.NewDense(1, 2, []float64{1, math.NaN()})
	if _, err := Gram(ctx, Linear{}, X, bad); err == nil || err.Error() != "rkhs: points[0,1] is NaN, must be finite" {
		t.Errorf("error is %v", err)
	}
	if _, err := Gram(ctx, Linear{}, X, uniformPoints(2, 3, 1)); err == nil || err.Error() != "rkhs: points have dimensions 2 and 3, must be equal" {
		t.Errorf("error is %v", err)
	}
}

func TestMedianBandwidth(t *testing.T) {
	X := mat.NewDense(4, 1, []float64{0, 1, 3, 7}) // distances 1 2 3 4 6 7
	b, err := MedianBandwidth(X, 10, nil)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "median", b, 3.5, 1e-15)
	rng := rand.New(rand.NewPCG(1, 1))
	big := uniformPoints(5000, 1, 3)
	b, err = MedianBandwidth(big, 800, rng) // of |U-V|: 1 - sqrt(1/2)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "median of uniforms", b, 1-math.Sqrt(.5), .02)
	if _, err := MedianBandwidth(mat.NewDense(3, 1, nil), 10, rng); err == nil {
		t.Error("no error for equal points")
	}
}

func TestRandomFeatures(t *testing.T) {
	X := uniformPoints(20, 3, 5)
	for name, k := range map[string]Kernel{"gaussian": Gaussian{.5}, "laplace": Laplace{1}, "matern": Matern{1.5, .5}, "matern 1/2": Matern{.5, .5}} {
		f, err := NewRandomFeatures(k, 3, 20000, rand.New(rand.NewPCG(8, 8)))
		if err != nil {
			t.Fatal(err)
		}
		phi, err := f.Map(ctx, X)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			for j := range i + 1 {
				// Five standard errors: a feature product has variance at most 3/2.
				near(t, name, dot(phi.RawRowView(i), phi.RawRowView(j)), k.Eval(X.RawRowView(i), X.RawRowView(j)), 5*math.Sqrt(1.5/20000))
			}
		}
	}
	if _, err := NewRandomFeatures(Linear{}, 2, 10, nil); err == nil {
		t.Error("no error for a kernel without spectrum")
	}
}
