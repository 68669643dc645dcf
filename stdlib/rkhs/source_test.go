package rkhs

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// featureKernels are all kernels with random features, those of Table 3.1 of Dai
// 2018 among them, for points of the unit cube; bounded says that the features
// are.
var featureKernels = []struct {
	name    string
	k       Kernel
	bounded bool
}{
	{"gaussian", Gaussian{.7}, true},
	{"laplace", Laplace{1.3}, true},
	{"cauchy", Cauchy{.8}, true},
	{"matern 1/2", Matern{.5, .6}, true},
	{"matern 5/2", Matern{2.5, .6}, true},
	{"hellinger", Hellinger{}, true},
	{"chi2", ChiSquare{}, true},
	{"intersection", Intersection{}, true},
	{"jensen-shannon", JensenShannon{}, true},
	{"skewed chi2", SkewedChiSquare{.3}, true},
	{"skewed intersection", SkewedIntersection{.3}, true},
	{"exponential semigroup", ExponentialSemigroup{.6}, true},
	{"reciprocal semigroup", ReciprocalSemigroup{1.5}, true},
	{"arc-cosine 0", ArcCosine{0}, true},
	{"arc-cosine 1", ArcCosine{1}, false},
	{"arc-cosine 2", ArcCosine{2}, false},
	{"linear", Linear{}, true},
	{"constant", Constant{2}, true},
	{"dot product", DotProduct{[]float64{.5, 0, 1, .25}}, true},
	{"polynomial", Polynomial{3, .5, .7}, false},
	{"sum", Sum{Gaussian{.7}, Linear{}}, true},
	{"product", Product{Gaussian{.7}, Cauchy{2}}, true},
	{"scaled", Scaled{3, ChiSquare{}}, true},
}

// TestFeaturesAreUnbiased checks that the mean of the product of features over 2e5
// of them is the kernel, within 4 standard errors, at 50 pairs of points.
func TestFeaturesAreUnbiased(t *testing.T) {
	const pairs, width, blocks = 50, 200, 1000
	X, Y := uniformPoints(pairs, 3, 31), uniformPoints(pairs, 3, 32)
	X.Set(0, 0, 0) // the edge of the domain
	Y.Set(0, 0, 0)
	X.Set(1, 1, 0)
	for _, c := range featureKernels {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			source, err := NewFeatureSource(c.k)
			if err != nil {
				t.Fatal(err)
			}
			phi, psi := mat.NewDense(pairs, width, nil), mat.NewDense(pairs, width, nil)
			means := mat.NewDense(pairs, blocks, nil)
			for b := range blocks {
				block, err := source.Block(3, width, 77, uint64(b))
				if err != nil {
					t.Fatal(err)
				}
				if err := block.MapTo(phi, X); err != nil {
					t.Fatal(err)
				}
				if err := block.MapTo(psi, Y); err != nil {
					t.Fatal(err)
				}
				for i := range pairs {
					means.Set(i, b, dot(phi.RawRowView(i), psi.RawRowView(i)))
				}
			}
			for i := range pairs {
				mean, sd := stat.MeanStdDev(means.RawRowView(i), nil)
				want := c.k.Eval(X.RawRowView(i), Y.RawRowView(i))
				if se := sd / math.Sqrt(blocks); math.Abs(mean-want) > 4*se+1e-12 {
					t.Errorf("pair %d: %v with standard error %v, want %v", i, mean, se, want)
				}
			}
		})
	}
}

// TestFeatureErrorFallsAsRoot checks the rate -1/2 in the number of features, and
// that the error does not care how many make a block.
func TestFeatureErrorFallsAsRoot(t *testing.T) {
	const n = 30
	X := uniformPoints(n, 3, 33)
	for _, c := range featureKernels {
		if !c.bounded || c.name == "constant" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			source, err := NewFeatureSource(c.k)
			if err != nil {
				t.Fatal(err)
			}
			want, err := Gram(ctx, c.k, X, nil)
			if err != nil {
				t.Fatal(err)
			}
			var logCount, logError []float64
			for count := 64; count <= 65536; count *= 4 {
				runs := max(1, 4096/count)
				var square float64
				for r := range runs {
					block, err := source.Block(3, count, uint64(r), 5)
					if err != nil {
						t.Fatal(err)
					}
					phi := mat.NewDense(n, count, nil)
					if err := block.MapTo(phi, X); err != nil {
						t.Fatal(err)
					}
					var diff mat.Dense
					diff.Mul(phi, phi.T())
					diff.Sub(&diff, want)
					square += math.Pow(mat.Norm(&diff, 2), 2) / float64(runs)
				}
				logCount, logError = append(logCount, math.Log(float64(count))), append(logError, math.Log(square)/2)
			}
			if _, slope := stat.LinearRegression(logCount, logError, nil, false); math.Abs(slope+0.5) > 0.1 {
				t.Errorf("error falls with power %.3f of the number of features, want -0.5", slope)
			}
		})
	}
}

// TestFeatureFrequencies freezes the first features of a key: a trained model is
// nothing without them. Do not change the numbers.
func TestFeatureFrequencies(t *testing.T) {
	source, err := NewFeatureSource(Gaussian{1})
	if err != nil {
		t.Fatal(err)
	}
	sum, w, phase := [3]float64{}, make([]float64, 2), make([]float64, 1)
	for i := range uint64(1000) {
		source.(CosineSource).Frequencies(w, phase, 2, 1, 2018, i)
		if i == 0 {
			frozen(t, "w", w[0], -0x1.4ea942a46fa45p-01)
			frozen(t, "w", w[1], -0x1.cb6f262f7968cp-03)
			frozen(t, "phase", phase[0], 0x1.aa6f1be34535ap+01)
		}
		sum[0] += w[0]
		sum[1] += w[1] * w[1]
		sum[2] += phase[0]
	}
	frozen(t, "sum of w", sum[0], -0x1.0a1213b4723a1p+03)
	frozen(t, "sum of squares", sum[1], 0x1.03576c2821eb2p+10)
	frozen(t, "sum of phases", sum[2], 0x1.8f9a263eade2ap+11)
}

func frozen(t *testing.T, what string, got, want float64) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %x, was %x", what, got, want)
	}
}

func TestFeatureSourceErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for name, f := range map[string]func() error{
		"rkhs: there are no random features of the kernel rkhs.Cosine": func() error {
			_, err := NewFeatureSource(Cosine{})
			return err
		},
		"rkhs: offset is 0, must be positive and finite": func() error {
			_, err := NewFeatureSource(SkewedChiSquare{})
			return err
		},
		"rkhs: order is 3, must be 0, 1 or 2": func() error {
			_, err := NewFeatureSource(ArcCosine{3})
			return err
		},
		"rkhs: coefficient 1 is -1, must be finite and not negative": func() error {
			_, err := NewFeatureSource(DotProduct{[]float64{1, -1}})
			return err
		},
		"rkhs: width is 1, must be at least 2": func() error {
			s, err := NewFeatureSource(Sum{Gaussian{1}, Linear{}})
			if err != nil {
				return err
			}
			_, err = s.Block(3, 1, 0, 0)
			return err
		},
		"rkhs: points[0,1] is -2, must be at least 0 for this kernel": func() error {
			s, err := NewFeatureSource(ChiSquare{})
			if err != nil {
				return err
			}
			block, err := s.Block(2, 4, rng.Uint64(), 0)
			if err != nil {
				return err
			}
			return block.MapTo(mat.NewDense(1, 4, nil), mat.NewDense(1, 2, []float64{1, -2}))
		},
		"rkhs: points[0,0] is -1, must be above -1 for this kernel": func() error {
			s, err := NewFeatureSource(SkewedIntersection{1})
			if err != nil {
				return err
			}
			_, err = s.(CosineSource).Inputs(mat.NewDense(1, 1, []float64{-1}))
			return err
		},
	} {
		if err := f(); err == nil || err.Error() != name {
			t.Errorf("error is %v, want %s", err, name)
		}
	}
}

// TestAdditiveKernelValues checks single values against arithmetic done by hand.
func TestAdditiveKernelValues(t *testing.T) {
	x, y := []float64{1, 4}, []float64{4, 4}
	for _, c := range []struct {
		k    Kernel
		want float64
	}{
		{Hellinger{}, 6},
		{ChiSquare{}, 2*4./5 + 4},
		{Intersection{}, 5},
		{JensenShannon{}, .5*math.Log2(5) + 2*math.Log2(5./4) + 4},
		{SkewedChiSquare{1}, 2 * math.Sqrt(2*5) / 7},
		{SkewedIntersection{1}, math.Sqrt(2. / 5)},
		{Cauchy{3}, .5},
		{ExponentialSemigroup{.5}, math.Exp(-.5 * (math.Sqrt(5) + math.Sqrt(8)))},
		{ReciprocalSemigroup{2}, 2. / 7 * 2. / 10},
		{DotProduct{[]float64{3, 0, 1}}, 3 + 400},
	} {
		near(t, typeName(c.k), c.k.Eval(x, y), c.want, 1e-14)
	}
	// A right angle, and a point with itself.
	e1, e2 := []float64{2, 0}, []float64{0, 3}
	near(t, "order 0", ArcCosine{0}.Eval(e1, e2), .5, 1e-15)
	near(t, "order 1", ArcCosine{1}.Eval(e1, e2), 6/math.Pi, 1e-15)
	near(t, "order 1 with itself", ArcCosine{1}.Eval(e2, e2), 9, 1e-14)
	near(t, "order 2 with itself", ArcCosine{2}.Eval(e2, e2), 243, 1e-12)
}
