package inference

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// wave is the data of Dai 2018, appendix B.8.1.
func wave(n int, rng *rand.Rand) (X *mat.Dense, y, truth []float64) {
	X, y, truth = mat.NewDense(n, 1, nil), make([]float64, n), make([]float64, n)
	for i := range n {
		x := rng.Float64() - 0.5
		X.Set(i, 0, x)
		truth[i] = 3*x*x + (vec.Sin1(3.53*math.Pi*x)+vec.Cos1(7.7*math.Pi*x))*vec.Exp1(-1.6*math.Pi*math.Abs(x))
		y[i] = truth[i] + 0.1*rng.NormFloat64()
	}
	return X, y, truth
}

// TestSparseExact compares with the exact posterior given Z, from matrices written out: all observations in a step of size 1, and
// a pass of batches with steps 1/t.
func TestSparseExact(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	X, y, _ := wave(60, source(80))
	k := rkhs.Gaussian{Bandwidth: 0.3}
	for _, batch := range []int{60, 10} {
		s := &SparseGPSettings{Particles: 1, Inducing: 5, Batch: batch, Steps: 60 / batch, Step: Harmonic(1, 0), Noise: 0.02}
		p, err := SparseGaussianProcess(ctx, k, X, y, s, source(81))
		check(t, err)
		z, got := p.Inducing(0)
		kmm, err := rkhs.Gram(ctx, k, z, z)
		check(t, err)
		for i := range 5 {
			kmm.Set(i, i, kmm.At(i, i)+1e-6)
		}
		cross, err := rkhs.Gram(ctx, k, z, X)
		check(t, err)
		// u|y ~ N(K S^-1 K_mn y/noise, K S^-1 K), S = K + K_mn K_nm/noise
		var inner mat.Dense
		inner.Mul(cross, cross.T())
		inner.Scale(1/0.02, &inner)
		inner.Add(&inner, kmm)
		lu, err := linalg.NewLU(mat.DenseCopyOf(&inner))
		check(t, err)
		right := linalg.MulVec(nil, cross, y)
		vec.Scale(right, 1/0.02, right)
		want := linalg.MulVec(nil, kmm, lu.SolveVecTo(nil, right))
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-8 {
				t.Errorf("batches of %d: mean at inducing input %d is %v, want %v", batch, i, got[i], want[i])
			}
		}
		at := mat.NewDense(1, 1, []float64{0.123})
		mean, variance, err := p.At(ctx, at)
		check(t, err)
		kx, err := rkhs.Gram(ctx, k, z, at)
		check(t, err)
		column := mat.Col(nil, 0, kx)
		prior, err := linalg.NewLU(mat.DenseCopyOf(kmm))
		check(t, err)
		wantMean := vec.Dot(column, lu.SolveVecTo(nil, right))
		wantVariance := 1 - vec.Dot(column, prior.SolveVecTo(nil, column)) + vec.Dot(column, lu.SolveVecTo(nil, column))
		if math.Abs(mean[0]-wantMean) > 1e-7 || math.Abs(variance[0]-wantVariance) > 1e-7 {
			t.Errorf("batches of %d: mean and variance %v and %v, want %v and %v", batch, mean[0], variance[0], wantMean, wantVariance)
		}
	}
}

// TestSparseNormaliser compares the log normaliser of a step for one inducing input with quadrature over u.
func TestSparseNormaliser(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	k := rkhs.Gaussian{Bandwidth: 0.7}
	X, y := mat.NewDense(3, 1, []float64{0.1, 0.5, -0.4}), []float64{0.7, 1.1, -0.2}
	const gamma, scale = 0.3, 0.3 * 4 / 0.5 // noise 0.5, n/B = 4
	var got, want [2]float64
	for which, at := range []float64{0, 0.6} {
		set, err := newInducing(ctx, k, mat.NewDense(1, 1, []float64{at}))
		check(t, err)
		a, err := set.weights(ctx, k, X)
		check(t, err)
		_, err = set.step(a, []float64{1, 0, 2}, 0.5, 1.5)
		check(t, err)
		precision, mean := set.precision.At(0, 0), set.linear[0]/set.precision.At(0, 0)
		if got[which], err = set.step(a, y, gamma, scale); err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		const h = 0.001
		for v := -12.0; v < 12; v += h {
			log := (1-gamma)*(-0.5*precision*(v-mean)*(v-mean)+0.5*vec.Log1(precision/(2*math.Pi))) + gamma*(-0.5*v*v-0.5*vec.Log1(2*math.Pi))
			for i, target := range y {
				r := target - a.At(0, i)*v
				log -= 0.5 * scale * r * r
			}
			sum += h * vec.Exp1(log)
		}
		want[which] = vec.Log1(sum)
	}
	if math.Abs((got[0]-got[1])-(want[0]-want[1])) > 1e-8 {
		t.Errorf("difference of log normalisers %v, want %v", got[0]-got[1], want[0]-want[1])
	}
}

// TestSparseFITC compares with the posterior under the covariance Q + diag(K - Q), inverted whole, and its evidence: all
// observations in a step of size 1.
func TestSparseFITC(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	X, y, _ := wave(40, source(83))
	k := rkhs.Gaussian{Bandwidth: 0.2}
	s := &SparseGPSettings{Particles: 2, Inducing: 5, Batch: 40, Steps: 1, Step: Constant(1), Noise: 0.02, FITC: true}
	p, err := SparseGaussianProcess(ctx, k, X, y, s, source(84))
	check(t, err)
	at := mat.NewDense(1, 1, []float64{0.2})
	var evidence, mean [2]float64
	for j := range 2 {
		z, _ := p.Inducing(j)
		kmm, err := rkhs.Gram(ctx, k, z, z)
		check(t, err)
		for i := range 5 {
			kmm.Set(i, i, kmm.At(i, i)+1e-6)
		}
		factor, err := linalg.NewLU(kmm)
		check(t, err)
		cross, err := rkhs.Gram(ctx, k, z, X)
		check(t, err)
		kx, err := rkhs.Gram(ctx, k, z, at)
		check(t, err)
		var q, toAt mat.Dense
		solved := mat.NewDense(5, 40, nil)
		for i := range 40 {
			solved.SetCol(i, factor.SolveVecTo(nil, mat.Col(nil, i, cross)))
		}
		q.Mul(cross.T(), solved)
		toAt.Mul(kx.T(), solved)
		for i := range 40 {
			q.Set(i, i, 1+0.02)
		}
		var lu mat.LU
		lu.Factorize(&q)
		var right mat.VecDense
		check(t, lu.SolveVecTo(&right, false, mat.NewVecDense(40, y)))
		logDet, _ := lu.LogDet()
		evidence[j] = -0.5*logDet - 0.5*mat.Dot(&right, mat.NewVecDense(40, y))
		mean[j] = vec.Dot(toAt.RawRowView(0), right.RawVector().Data)
	}
	w := 1 / (1 + math.Exp(evidence[1]-evidence[0]))
	if math.Abs(p.Weights[0]-w) > 1e-6 {
		t.Errorf("weight of the first set is %v, want %v", p.Weights[0], w)
	}
	got, _, err := p.At(ctx, at)
	check(t, err)
	if want := w*mean[0] + (1-w)*mean[1]; math.Abs(got[0]-want) > 1e-6 {
		t.Errorf("mean is %v, want %v", got[0], want)
	}
}

// TestSparseWave is the experiment of appendix B.8.1, smaller: error of the mean, and coverage of bands with the true noise.
func TestSparseWave(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	rng := source(82)
	X, y, truth := wave(1024, rng)
	s := DefaultSparseGPSettings()
	s.Particles, s.Inducing, s.Steps = 4, 48, 80
	var errors []float64
	s.Watch = func(visited int, p *SparseProcess) error {
		if visited > s.Batch && visited < s.Steps*s.Batch {
			return nil
		}
		mean, _, err := p.At(ctx, X)
		errors = append(errors, math.Sqrt(vec.SquaredDistance(mean, truth)/1024))
		return err
	}
	p, err := SparseGaussianProcess(ctx, rkhs.Gaussian{Bandwidth: 0.06}, X, y, s, rng)
	check(t, err)
	mean, variance, err := p.At(ctx, X)
	check(t, err)
	inside := 0.0
	for i, m := range mean {
		if math.Abs(y[i]-m) < 1.645*math.Sqrt(variance[i]+0.01) {
			inside += 1.0 / 1024
		}
	}
	last := errors[len(errors)-1]
	t.Logf("root mean squared error %.4f at first, %.4f at last; coverage %.3f", errors[0], last, inside)
	if last > 0.05 || last > errors[0]/3 || inside < 0.8 || inside > 0.98 {
		t.Errorf("errors %v and %v, coverage %v; want at most 0.05, a third, and 0.80 to 0.98", errors[0], last, inside)
	}
}

func TestSparseErrors(t *testing.T) {
	X := mat.NewDense(3, 1, nil)
	for _, c := range []struct {
		y      []float64
		change func(*SparseGPSettings)
		want   string
	}{
		{[]float64{1, 2}, func(*SparseGPSettings) {}, "2 weights for 3 points"},
		{[]float64{1, 2, 3}, func(s *SparseGPSettings) { s.Inducing = 4 }, "Inducing is 4, must be between 1 and the 3 points"},
		{[]float64{1, 2, 3}, func(s *SparseGPSettings) { s.Noise = -1 }, "Noise is -1, must be positive"},
		{[]float64{1, 2, 3}, func(s *SparseGPSettings) { s.Batch = 9 }, "Batch is 9"},
	} {
		s := &SparseGPSettings{Particles: 1, Inducing: 2, Batch: 1, Steps: 1, Step: Constant(1), Noise: 1}
		c.change(s)
		_, err := SparseGaussianProcess(context.Background(), rkhs.Gaussian{Bandwidth: 1}, X, c.y, s, source(1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}
