package kernelmachine

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"gaucho/stdlib/rkhs"
)

// TestGaussianProcess: the posterior of two values by hand.
func TestGaussianProcess(t *testing.T) {
	X := mat.NewDense(2, 1, []float64{0, 1})
	g, err := NewGaussianProcess(ctx, rkhs.Gaussian{Bandwidth: 1}, X, []float64{1, 3}, 0.5)
	check(t, err)
	mean, variance, err := g.At(ctx, mat.NewDense(1, 1, []float64{0.5}))
	check(t, err)
	a, b := math.Exp(-0.125), math.Exp(-0.5)
	// By symmetry (K + 0.5 I)^-1 (a, a) = a/(1.5 + b) (1, 1).
	if math.Abs(mean[0]-4*a/(1.5+b)) > 1e-14 || math.Abs(variance[0]-(1-2*a*a/(1.5+b))) > 1e-14 {
		t.Errorf("mean %v and variance %v", mean, variance)
	}
	cross := mat.NewVecDense(2, []float64{a, a})
	if v := 1 - mat.Inner(cross, g.Operator(), cross); math.Abs(v-variance[0]) > 1e-14 {
		t.Errorf("operator gives the variance %v, want %v", v, variance[0])
	}
}

// TestProcessByDoublyStochasticGradients: the posterior mean and variances at test points by
// one machine with an output for each, and NORMA.
func TestProcessByDoublyStochasticGradients(t *testing.T) {
	const n, tests, noise = 512, 40, 0.1
	data, test := radialWave(t, n, 1), radialWave(t, tests, 2)
	median, err := rkhs.MedianBandwidth(data.X, 1000, newRand(1))
	check(t, err)
	k := rkhs.Gaussian{Bandwidth: 0.2 * median}
	exact, err := NewGaussianProcess(ctx, k, data.X, data.Y, noise)
	check(t, err)
	mean, variance, err := exact.At(ctx, test.X)
	check(t, err)
	cross, err := rkhs.Gram(ctx, k, data.X, test.X)
	check(t, err)
	Y := make([]float64, 0, n*(1+tests))
	for i := range n {
		Y = append(append(Y, data.Y[i]), cross.RawRowView(i)...)
	}
	var meanErrors, varianceErrors []float64
	for name, create := range map[string]func() (*Machine, error){
		"doubly": func() (*Machine, error) {
			return New(Squared{Targets: 1 + tests}, k, processSettings(n, noise), newRand(3))
		},
		"NORMA": func() (*Machine, error) {
			return NewNORMA(Squared{Targets: 1 + tests}, k, processSettings(n, noise), newRand(3))
		},
	} {
		m, err := create()
		check(t, err)
		check(t, m.Fit(ctx, data.X, Y))
		u, err := m.Outputs(ctx, test.X)
		check(t, err)
		var me, ve, cut float64
		for i := range tests {
			v := 1 - u.At(i, 1+i)
			if v < 0 || v > 1 {
				cut += 1. / tests
			}
			v = max(0, min(1, v))
			me += (u.At(i, 0) - mean[i]) * (u.At(i, 0) - mean[i]) / tests
			ve += (v - variance[i]) * (v - variance[i]) / tests
		}
		t.Logf("%s: errors of mean %.2g and variance %.2g", name, me, ve)
		if m.Steps() != 1024 || me > 1e-3 || ve > 1e-3 || cut > 0.05 {
			t.Errorf("%s: %d steps, errors of mean %v and variance %v, %.3f of the variances cut", name, m.Steps(), me, ve, cut)
		}
		if name == "doubly" {
			meanErrors = append([]float64{me}, meanErrors...)
			varianceErrors = append([]float64{ve}, varianceErrors...)
			continue
		}
		meanErrors, varianceErrors = append(meanErrors, me), append(varianceErrors, ve)
	}
	if meanErrors[0] > 1.5*meanErrors[1] {
		t.Errorf("errors of means %v: more than 1.5 times NORMA's", meanErrors)
	}
}

func processSettings(n int, noise float64) *Settings {
	s := DefaultSettings()
	s.Regularization, s.Batch, s.Block, s.Passes = noise/float64(n), 64, 128, 128
	s.Step = ConstantStep(1)
	return s
}

// TestKernelVariance: the stochastic iteration comes to the exact operator, in the norm of
// operators on the function space.
func TestKernelVariance(t *testing.T) {
	data := radialWave(t, 64, 1)
	for _, bandwidth := range []float64{1, 3} {
		k := rkhs.Gaussian{Bandwidth: bandwidth}
		exact, err := NewGaussianProcess(ctx, k, data.X, data.Y, 0.1)
		check(t, err)
		got, err := KernelVariance(ctx, k, data.X, 0.1, HoldStep(1, 0, 1000), 10000, newRand(2))
		check(t, err)
		gram, err := rkhs.Gram(ctx, k, data.X, nil)
		check(t, err)
		norm := func(b *mat.Dense) float64 { // of sum_ij B_ij k_i k_j: sqrt tr(B' K B K)
			var bk, product mat.Dense
			bk.Mul(b.T(), gram)
			product.Mul(b, gram)
			product.MulElem(&product, bk.T())
			return math.Sqrt(mat.Sum(&product))
		}
		want := exact.Operator()
		var diff mat.Dense
		diff.Sub(got, want)
		e := norm(&diff) / norm(want)
		t.Logf("bandwidth %v: relative error %.3f", bandwidth, e)
		if !(e <= 0.05) {
			t.Errorf("bandwidth %v: relative error is %v, want at most 0.05", bandwidth, e)
		}
	}
}

// TestVarianceOperatorIsUnbiased: with the points of its steps given, the operator in random
// features is the one in kernel functions on average.
func TestVarianceOperatorIsUnbiased(t *testing.T) {
	const runs, steps, noise = 200, 20, 0.1
	data, test := radialWave(t, 16, 1), radialWave(t, 10, 2)
	k := rkhs.Gaussian{Bandwidth: 3}
	order := drawn(16, steps, newRand(5))
	step := HoldStep(0.5, 0, 100)
	b, err := kernelVariance(ctx, k, data.X, noise, step, order)
	check(t, err)
	cross, err := rkhs.Gram(ctx, k, data.X, test.X)
	check(t, err)
	source, err := rkhs.NewFeatureSource(k)
	check(t, err)
	values := mat.NewDense(10, runs, nil)
	rng := newRand(6)
	for r := range runs {
		v := &VarianceOperator{k, source, 2, 16, [2]uint64{rng.Uint64(), rng.Uint64()}, mat.NewDense(steps*16, steps*16, nil)}
		check(t, v.learn(ctx, data.X, noise/16, step, order, 1))
		got, err := v.At(ctx, test.X)
		check(t, err)
		values.SetCol(r, got)
	}
	for i := range 10 {
		column := cross.ColView(i)
		want := 1 - mat.Inner(column, b, column)
		mean, sd := stat.MeanStdDev(values.RawRowView(i), nil)
		if se := sd / math.Sqrt(runs); math.Abs(mean-want) > 4*se {
			t.Errorf("variance at point %d is %v with standard error %v, want %v", i, mean, se, want)
		}
	}
}

func TestVarianceOperator(t *testing.T) {
	data, test := radialWave(t, 64, 1), radialWave(t, 20, 2)
	k := rkhs.Gaussian{Bandwidth: 3}
	exact, err := NewGaussianProcess(ctx, k, data.X, data.Y, 0.1)
	check(t, err)
	_, want, err := exact.At(ctx, test.X)
	check(t, err)
	s := DefaultSettings()
	s.Batch, s.Block, s.Step = 64, 64, HoldStep(1, 0, 20)
	v, err := NewVarianceOperator(ctx, k, data.X, 0.1, s, 24, newRand(1))
	check(t, err)
	got, err := v.At(ctx, test.X)
	check(t, err)
	if e := meanSquare(got, want); e > 0.05 {
		t.Errorf("mean squared error of variances is %v", e)
	} else {
		t.Logf("mean squared error of variances %.3g", e)
	}
}
