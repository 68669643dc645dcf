package kernelmachine

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/dataset"
	"gaucho/stdlib/rkhs"
)

// reference is Algorithm 1 as it is printed, with blocks: all coefficients are shrunk
// in every step, and all features are stored.
type reference struct {
	blocks []rkhs.FeatureBlock
	a      []*mat.Dense
}

func (r *reference) outputs(t *testing.T, X *mat.Dense, width, outputs int) *mat.Dense {
	n, _ := X.Dims()
	u, phi := mat.NewDense(n, outputs, nil), mat.NewDense(n, width, nil)
	for i, block := range r.blocks {
		check(t, block.MapTo(phi, X))
		var part mat.Dense
		part.Mul(phi, r.a[i])
		u.Add(u, &part)
	}
	return u
}

// TestMachineIsTheAlgorithm compares machines with Algorithm 1 written out, for
// features that are cosines and that are not, one output and several, with a step of
// factor 0 and one of a negative factor in it, and with the mean of the iterates.
func TestMachineIsTheAlgorithm(t *testing.T) {
	const n, steps, batch, width = 60, 12, 5, 7
	rng := newRand(9)
	X := mat.NewDense(n, 3, nil)
	for i := range n {
		for j := range 3 {
			X.Set(i, j, rng.Float64())
		}
	}
	for _, c := range []struct {
		loss   Loss
		kernel rkhs.Kernel
	}{
		{Squared{}, rkhs.Gaussian{Bandwidth: 1}},
		{Squared{Targets: 3}, rkhs.SkewedChiSquare{Offset: 1}},
		{MultiLogistic{Classes: 4}, rkhs.ChiSquare{}},
		{Hinge{}, rkhs.Sum{rkhs.Polynomial{Degree: 2, Scale: 1, Offset: 1}, rkhs.Laplace{Bandwidth: 1}}},
	} {
		outputs, targets := c.loss.Dims()
		y := make([]float64, n*targets)
		for i := range y {
			switch c.loss.(type) {
			case MultiLogistic:
				y[i] = float64(rng.IntN(4))
			case Hinge:
				y[i] = float64(2*rng.IntN(2) - 1)
			default:
				y[i] = rng.NormFloat64()
			}
		}
		settings := DefaultSettings()
		settings.Regularization, settings.Batch, settings.Block, settings.Average = 1, batch, width, true
		settings.Step = HoldStep(1.5, 1, 2) // 1.5, 1, 0.75: factors -0.5, 0, 0.25
		m, err := New(c.loss, c.kernel, settings, newRand(4))
		check(t, err)
		check(t, m.PartialFit(ctx, X, y))
		if m.Steps() != steps {
			t.Fatalf("%d steps, want %d", m.Steps(), steps)
		}
		source, err := rkhs.NewFeatureSource(c.kernel)
		check(t, err)
		var ref reference
		mean := mat.NewDense(n, outputs, nil)
		for i := range steps {
			block, err := source.Block(3, width, m.seed, uint64(i))
			check(t, err)
			x := X.Slice(i*batch, (i+1)*batch, 0, 3).(*mat.Dense)
			u := ref.outputs(t, x, width, outputs)
			for r := range batch {
				g := make([]float64, outputs)
				at := (i*batch + r) * targets
				c.loss.Gradient(g, u.RawRowView(r), y[at:at+targets])
				u.SetRow(r, g)
			}
			gamma := settings.Step.At(i + 1)
			for _, a := range ref.a {
				a.Scale(1-gamma, a)
			}
			phi := mat.NewDense(batch, width, nil)
			check(t, block.MapTo(phi, x))
			var a mat.Dense
			a.Mul(phi.T(), u)
			a.Scale(-gamma/batch, &a)
			ref.blocks, ref.a = append(ref.blocks, block), append(ref.a, &a)
			mean.Add(mean, ref.outputs(t, X, width, outputs))
		}
		mean.Scale(1./steps, mean)
		got, err := m.Outputs(ctx, X)
		check(t, err)
		if !mat.EqualApprox(got, mean, 1e-12) {
			t.Errorf("%T: mean of iterates differs from the algorithm's", c.kernel)
		}
		last, err := m.evaluate(ctx, m.basis, mustPrepare(t, m, X), false)
		check(t, err)
		if !mat.EqualApprox(last, ref.outputs(t, X, width, outputs), 1e-12) {
			t.Errorf("%T: last iterate differs from the algorithm's", c.kernel)
		}
	}
}

func mustPrepare(t *testing.T, m *Machine, X *mat.Dense) *mat.Dense {
	x, err := m.basis.prepare(X)
	check(t, err)
	return x
}

// machines are trained ones of all kinds, with data that go with them.
func machines(t *testing.T) map[string]func(settings Settings) *Machine {
	out := map[string]func(Settings) *Machine{}
	for name, make := range map[string]func(*Settings) (*Machine, error){
		"cosines": func(s *Settings) (*Machine, error) { return New(Squared{}, rkhs.Gaussian{Bandwidth: 1}, s, newRand(1)) },
		"projections": func(s *Settings) (*Machine, error) {
			return New(Huber{Threshold: 1}, rkhs.ArcCosine{Order: 1}, s, newRand(1))
		},
		"norma": func(s *Settings) (*Machine, error) {
			return NewNORMA(Quantile{Tau: .3}, rkhs.Gaussian{Bandwidth: 1}, s, newRand(1))
		},
		"novelty": func(s *Settings) (*Machine, error) { return New(Novelty{}, rkhs.Gaussian{Bandwidth: 1}, s, newRand(1)) },
		"preconditions": func(s *Settings) (*Machine, error) {
			s.Precondition = true
			return New(Squared{}, rkhs.Scaled{Factor: 2, Kernel: rkhs.Matern{Nu: 1.5, Bandwidth: 1}}, s, newRand(1))
		},
	} {
		out[name] = func(settings Settings) *Machine {
			m, err := make(&settings)
			check(t, err)
			return m
		}
	}
	return out
}

func roundTrip(t *testing.T, m *Machine) *Machine {
	t.Helper()
	var b bytes.Buffer
	check(t, m.Save(&b))
	got, err := Load(&b)
	check(t, err)
	return got
}

// TestResume: a machine that is cancelled, written, read and resumed has the bits of
// one that never stopped, with and without a cache, on any number of cores.
func TestResume(t *testing.T) {
	data := radialWave(t, 500, 5)
	settings := *DefaultSettings()
	settings.Regularization, settings.Batch, settings.Block, settings.Passes, settings.Average = 0.01, 32, 24, 3, true
	for name, make := range machines(t) {
		whole := make(settings)
		check(t, whole.Fit(ctx, data.X, data.Y))
		want, err := whole.Predict(ctx, data.X)
		check(t, err)

		cut, cancel := context.WithCancel(ctx)
		broken := settings
		broken.Cache = None
		broken.Progress = func(done, all int) {
			if all != 48 {
				t.Errorf("%s: %d steps, want 48", name, all)
			}
			if done == 19 {
				cancel()
			}
		}
		m := make(broken)
		before := runtime.GOMAXPROCS(1)
		err = m.Fit(cut, data.X, data.Y)
		runtime.GOMAXPROCS(before)
		if err != context.Canceled || m.Steps() != 19 {
			t.Fatalf("%s: error is %v after %d steps", name, err, m.Steps())
		}
		m = roundTrip(t, m)
		check(t, m.Resume(ctx, data.X, data.Y))
		m = roundTrip(t, m)
		got, err := m.Predict(ctx, data.X)
		check(t, err)
		if !slices.Equal(got, want) {
			t.Errorf("%s: resumed machine predicts other numbers", name)
		}
		if whole.Offset() != m.Offset() || whole.StepSizes() != m.StepSizes() {
			t.Errorf("%s: resumed machine has offset %v and step sizes %v, want %v and %v", name, m.Offset(), m.StepSizes(),
				whole.Offset(), whole.StepSizes())
		}
	}
}

// TestWarmStart: batches one by one are the same as all of them at once.
func TestWarmStart(t *testing.T) {
	data := radialWave(t, 640, 5)
	settings := *DefaultSettings()
	settings.Batch, settings.Block = 64, 32
	for name, make := range machines(t) {
		a, b := make(settings), make(settings)
		check(t, a.PartialFit(ctx, data.X, data.Y))
		check(t, b.FitStream(ctx, func(yield func(dataset.Batch, error) bool) {
			for lo := 0; lo < 640; lo += 128 {
				if !yield(dataset.Batch{X: data.X.Slice(lo, lo+128, 0, 2).(*mat.Dense), Y: data.Y[lo : lo+128]}, nil) {
					return
				}
			}
		}))
		p, err := a.Predict(ctx, data.X)
		check(t, err)
		q, err := b.Predict(ctx, data.X)
		check(t, err)
		if !slices.Equal(p, q) {
			t.Errorf("%s: a stream of batches has another result", name)
		}
	}
}

// TestSizeOfModel: what is stored does not depend on the dimension.
func TestSizeOfModel(t *testing.T) {
	var sizes [2]int
	for i, d := range []int{10, 10000} {
		settings := DefaultSettings()
		settings.Batch, settings.Block, settings.Cache = 8, 64, None
		m, err := New(Squared{}, rkhs.Gaussian{Bandwidth: 1}, settings, newRand(1))
		check(t, err)
		check(t, m.PartialFit(ctx, mat.NewDense(64, d, nil), make([]float64, 64)))
		var b bytes.Buffer
		check(t, m.Save(&b))
		sizes[i] = b.Len()
	}
	if r := float64(sizes[1]) / float64(sizes[0]); math.Abs(r-1) > 0.01 {
		t.Errorf("models have %v bytes for dimensions 10 and 10000", sizes)
	}
}

func TestLoadErrors(t *testing.T) {
	m, err := New(Squared{}, rkhs.Gaussian{Bandwidth: 1}, nil, newRand(1))
	check(t, err)
	data := radialWave(t, 100, 5)
	check(t, m.PartialFit(ctx, data.X, data.Y))
	var b bytes.Buffer
	check(t, m.Save(&b))
	good := b.Bytes()
	bad := slices.Clone(good)
	bad[len(bad)-100] ^= 1
	for want, file := range map[string][]byte{
		"this is no machine's file": []byte("something else, long enough to be a header"),
		"file is damaged":           bad,
		"file ends too early":       good[:len(good)-20],
	} {
		if _, err := Load(bytes.NewReader(file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %s", err, want)
		}
	}
	own, err := NewNORMA(Squared{}, rkhs.Func(func(x, y []float64) float64 { return 1 }), nil, newRand(1))
	check(t, err)
	if err := own.Save(&b); err == nil || err.Error() != "kernelmachine: a machine with rkhs.Func cannot be written" {
		t.Errorf("error is %v", err)
	}
}

// TestEveryPartIsWritten: kernels and losses come back as they were.
func TestEveryPartIsWritten(t *testing.T) {
	for _, v := range []any{
		rkhs.Matern{Nu: 2.5, Bandwidth: 0.1 + 0.2}, rkhs.DotProduct{Coefficients: []float64{1, 0.5}},
		rkhs.Sum{rkhs.Scaled{Factor: 3, Kernel: rkhs.Linear{}}, rkhs.Product{rkhs.ChiSquare{}, rkhs.ArcCosine{Order: 2}}},
		Quantile{Tau: 1. / 3}, SmoothHinge{Width: 0.5}, MultiLogistic{Classes: 7}, DensityRatio{Divergence: NoveltyRatio{Rho: -1}},
	} {
		p, err := pack(v)
		check(t, err)
		got, err := unpack(p)
		check(t, err)
		if fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", v) {
			t.Errorf("%#v came back as %#v", v, got)
		}
	}
}

func TestBadInput(t *testing.T) {
	X := mat.NewDense(2, 1, []float64{1, 2})
	gauss := rkhs.Gaussian{Bandwidth: 1}
	with := func(f func(s *Settings)) *Settings {
		s := DefaultSettings()
		f(s)
		return s
	}
	create := func(l Loss, k rkhs.Kernel, s *Settings) error {
		_, err := New(l, k, s, newRand(1))
		return err
	}
	fit := func(l Loss, X *mat.Dense, y []float64) error {
		m, err := New(l, gauss, nil, newRand(1))
		check(t, err)
		return m.Fit(ctx, X, y)
	}
	twice := mat.NewDense(2, 1, []float64{1, 1})
	_, repeated := Ridge(ctx, gauss, twice, []float64{1, 2}, 1e-300)
	_, exact := NewGaussianProcess(ctx, gauss, twice, []float64{1, 2}, 1e-300)
	for want, err := range map[string]error{
		"kernelmachine: regularization is 1e-300, too small for points that (nearly) repeat: linalg: matrix is not positive definite: pivot 1 is 0, must be positive": repeated,
		"kernelmachine: noise variance is 1e-300, too small for points that (nearly) repeat: linalg: matrix is not positive definite: pivot 1 is 0, must be positive": exact,
		"kernelmachine: loss is nil":                                             create(nil, gauss, nil),
		"rkhs: bandwidth is -1, must be positive and finite":                     create(Hinge{}, rkhs.Gaussian{Bandwidth: -1}, nil),
		"rkhs: there are no random features of the kernel rkhs.Cosine":           create(Hinge{}, rkhs.Cosine{}, nil),
		"kernelmachine: tau is 2, must be between 0 and 1":                       create(Quantile{Tau: 2}, gauss, nil),
		"kernelmachine: number of classes is 1, must be at least 2":              create(MultiLogistic{Classes: 1}, gauss, nil),
		"kernelmachine: batch is -1, must be at least 1":                         create(Hinge{}, gauss, with(func(s *Settings) { s.Batch = -1 })),
		"kernelmachine: regularization is -2, must be finite and not negative":   create(Hinge{}, gauss, with(func(s *Settings) { s.Regularization = -2 })),
		"kernelmachine: initial step size is 0, must be positive and finite":     create(Hinge{}, gauss, with(func(s *Settings) { s.Step = &Step{} })),
		"kernelmachine: block is 1, must be at least 2 for this kernel":          create(Hinge{}, rkhs.Sum{gauss, gauss}, with(func(s *Settings) { s.Block = 1 })),
		"kernelmachine: there are no points":                                     fit(Hinge{}, nil, nil),
		"kernelmachine: 1 targets for 2 points, must be 2":                       fit(Hinge{}, X, []float64{1}),
		"kernelmachine: point 1: label is 0, must be -1 or 1":                    fit(Hinge{}, X, []float64{1, 0}),
		"kernelmachine: point 0: class is 2, must be a whole number from 0 to 1": fit(MultiLogistic{Classes: 2}, X, []float64{2, 0}),
		"kernelmachine: points[0,0] is +Inf, must be finite":                     fit(Hinge{}, mat.NewDense(1, 1, []float64{math.Inf(1)}), []float64{1}),
		"kernelmachine: point 0: target is NaN, must be finite":                  fit(Squared{}, X, []float64{math.NaN(), 1}),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("error is %v, want %s", err, want)
		}
	}
}
