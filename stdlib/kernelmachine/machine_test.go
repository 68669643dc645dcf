package kernelmachine

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"gaucho/stdlib/dataset"
	"gaucho/stdlib/rkhs"
)

var ctx = context.Background()

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 2018)) }

func radialWave(t testing.TB, n int, seed uint64) *dataset.Regression {
	data, err := dataset.RadialWave(n, newRand(seed))
	check(t, err)
	return data
}

// meanSquare is the mean squared difference.
func meanSquare(a, b []float64) float64 {
	var s float64
	for i, v := range a {
		s += (v - b[i]) * (v - b[i])
	}
	return s / float64(len(a))
}

// draws returns batches of points drawn with replacement.
func draws(data *dataset.Regression, size int, rng *rand.Rand) (*mat.Dense, []float64) {
	_, d := data.X.Dims()
	x, y := mat.NewDense(size, d, nil), make([]float64, size)
	for i := range size {
		r := rng.IntN(data.Len())
		x.SetRow(i, data.X.RawRowView(r))
		y[i] = data.Y[r]
	}
	return x, y
}

// rateOf trains machines on draws from 500 points of the radial wave, and returns the
// means over the seeds of the squared differences of the last iterate and of the mean of
// iterates to exact ridge regression, after the given numbers of steps.
func rateOf(t *testing.T, settings Settings, seeds int, at []int) (last, mean []float64) {
	t.Helper()
	settings.Average = true
	data := radialWave(t, 500, 1)
	k := rkhs.Gaussian{Bandwidth: 1}
	exact, err := Ridge(ctx, k, data.X, data.Y, settings.Regularization)
	check(t, err)
	want, err := exact.Predict(ctx, data.X)
	check(t, err)
	one := func(seed int) (errs [2][]float64, err error) {
		rng := newRand(uint64(100 + seed))
		m, err := New(Squared{}, k, &settings, rng)
		if err != nil {
			return errs, err
		}
		for _, until := range at {
			for m.Steps() < until {
				x, y := draws(data, settings.Batch, rng)
				if err := m.PartialFit(ctx, x, y); err != nil {
					return errs, err
				}
			}
			for kind, averaged := range []bool{false, true} {
				u, err := m.evaluate(ctx, m.basis, data.X, averaged)
				if err != nil {
					return errs, err
				}
				errs[kind] = append(errs[kind], meanSquare(u.RawMatrix().Data, want))
			}
		}
		return errs, nil
	}
	all := make([][2][]float64, seeds)
	var group sync.WaitGroup
	for seed := range seeds {
		group.Go(func() {
			var err error
			if all[seed], err = one(seed); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if t.Failed() {
		t.FailNow()
	}
	last, mean = make([]float64, len(at)), make([]float64, len(at))
	for _, errs := range all {
		for i := range at {
			last[i] += errs[0][i] / float64(seeds)
			mean[i] += errs[1][i] / float64(seeds)
		}
	}
	return last, mean
}

func slope(at []int, values []float64) float64 {
	x, y := make([]float64, len(at)), make([]float64, len(at))
	for i, v := range values {
		x[i], y[i] = math.Log(float64(at[i])), math.Log(v)
	}
	_, b := stat.LinearRegression(x, y, nil, false)
	return b
}

// TestRateOfSinglePoints is the theorem: with a point and a feature a step the
// squared error falls as 1/t (Dai 2018, theorem 11), of the mean of the iterates too
// (corollary 35).
func TestRateOfSinglePoints(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	settings := *DefaultSettings()
	settings.Regularization, settings.Batch, settings.Block = 0.1, 1, 1
	settings.Step = ShiftedStep(10, 40)
	at := []int{256, 512, 1024, 2048, 4096, 8192, 16384}
	errs, means := rateOf(t, settings, 5, at)
	t.Logf("last iterate %.2g, mean of iterates %.2g", errs, means)
	if s := slope(at, errs); s > -0.9 {
		t.Errorf("error falls with power %.2f of the steps, want -0.9 or less", s)
	}
	if e := errs[len(errs)-1]; e > 5e-4 {
		t.Errorf("error is %.2g after 16384 steps, want at most 5e-4", e)
	}
	if s := slope(at[3:], means[3:]); s > -0.8 {
		t.Errorf("error of the mean falls with power %.2f of the steps, want -0.8 or less", s)
	}
}

// TestRateOfBlocks is the same for batches and blocks of 16 and a smaller nu.
func TestRateOfBlocks(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	settings := *DefaultSettings()
	settings.Regularization, settings.Batch, settings.Block = 0.01, 16, 16
	settings.Step = ShiftedStep(100, 100)
	at := []int{64, 128, 256, 512, 1024, 2048}
	errs, _ := rateOf(t, settings, 3, at)
	t.Logf("last iterate %.2g", errs)
	if s := slope(at, errs); s > -0.85 {
		t.Errorf("error falls with power %.2f of the steps, want -0.85 or less", s)
	}
}

// TestDivergence: the theorem's own step size for a small nu ends with an error that
// names it.
func TestDivergence(t *testing.T) {
	data := radialWave(t, 500, 1)
	settings := DefaultSettings()
	settings.Regularization, settings.Batch, settings.Block = 0.01, 1, 1
	settings.Step = TheoryStep(100)
	rng := newRand(3)
	m, err := New(Squared{}, rkhs.Gaussian{Bandwidth: 1}, settings, rng)
	check(t, err)
	for range 1000 {
		x, y := draws(data, 1, rng)
		if err = m.PartialFit(ctx, x, y); err != nil {
			break
		}
	}
	if d, ok := err.(*Diverged); !ok || d.Step < 2 || d.Size != 100/float64(d.Step) {
		t.Fatalf("error is %v, want one about the step size", err)
	}
}

// TestScoreOfConstantTargets: what never changes has nothing to explain: the score is 0, whatever the value.
func TestScoreOfConstantTargets(t *testing.T) {
	for _, v := range []float64{0.1, 1, 36.6} {
		for n := 2; n < 40; n++ {
			x, y := mat.NewDense(n, 1, nil), make([]float64, n)
			for i := range y {
				x.Set(i, 0, float64(i))
				y[i] = v
			}
			m, err := Ridge(ctx, rkhs.Gaussian{Bandwidth: 1}, x, y, 0.1)
			if err != nil {
				t.Fatal(err)
			}
			if s, err := score(ctx, m, x, y); err != nil || s != 0 {
				t.Errorf("%d targets of %v: score %v, want 0, %v", n, v, s, err)
			}
		}
	}
}
