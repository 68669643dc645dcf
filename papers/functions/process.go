package functions

import (
	"context"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"gaucho/papers"
	"gaucho/stdlib/dataset"
	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
)

// Process returns the study of figure 3.5 of Dai 2018 (section 3.6.2): the posterior mean and variance of a Gaussian process
// at test points by doubly stochastic gradients and by NORMA, compared with the exact ones, with noise variance 0.1, batches
// of 64, blocks of 512, and 2^11 points in the text. One machine has an output for the mean and one for each test point x*,
// whose targets k(x*, x) make it k(., x*)'(K + s I)^-1 k(., x). The bandwidth is factor times the median distance. A record
// holds the mean squared errors after 16, 32, ... steps, the share of variances that had to be cut to [0, k(x, x)], the mean
// square of the exact mean, which is the error of the function 0, and that of the exact variances around the prior's.
func Process(size papers.Size) *study.Study {
	n, tests, steps, block, replications, seconds := 2048, 1024, 2048, 512, 10, 250.0
	switch size {
	case papers.Small:
		n, tests, steps, block, replications, seconds = 256, 16, 128, 64, 1, 0.1
	case papers.Default:
		n, tests, steps, block, replications, seconds = 512, 128, 1024, 128, 10, 1
	}
	return &study.Study{
		Name: papers.Name("functions-process", size), Version: "3", Seed: 13, Replications: replications, Seconds: seconds,
		About: "posterior mean and variance of a Gaussian process against the number of steps (Dai 2018, figure 3.5)",
		Points: study.Grid(study.Values("method", "doubly", "NORMA"), study.Values("factor", 0.2, 1.0), study.Values("n", n), study.Values("tests", tests),
			study.Values("steps", steps), study.Values("block", block)),
		Paired: []string{"method", "factor"}, Replicate: replicateProcess,
	}
}

func replicateProcess(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	const noise, batch = 0.1, 64
	n, tests := p.Int("n"), p.Int("tests")
	data, err := dataset.RadialWave(n, rng)
	if err != nil {
		return nil, err
	}
	test, err := dataset.RadialWave(tests, rng)
	if err != nil {
		return nil, err
	}
	median, err := rkhs.MedianBandwidth(data.X, 1000, rng)
	if err != nil {
		return nil, err
	}
	kernel := rkhs.Gaussian{Bandwidth: p.Float("factor") * median}
	exact, err := kernelmachine.NewGaussianProcess(ctx, kernel, data.X, data.Y, noise)
	if err != nil {
		return nil, err
	}
	mean, variance, err := exact.At(ctx, test.X)
	if err != nil {
		return nil, err
	}
	cross, err := rkhs.Gram(ctx, kernel, data.X, test.X)
	if err != nil {
		return nil, err
	}
	targets := mat.NewDense(n, 1+tests, nil)
	for i := range n {
		row := targets.RawRowView(i)
		row[0] = data.Y[i]
		copy(row[1:], cross.RawRowView(i))
	}
	s := kernelmachine.DefaultSettings()
	s.Regularization, s.Batch, s.Block = noise/float64(n), batch, p.Int("block")
	s.Step, s.Passes = kernelmachine.ConstantStep(1), p.Int("steps")*batch/n
	create := kernelmachine.New
	if p.Text("method") == "NORMA" {
		create = kernelmachine.NewNORMA
	}
	var m *kernelmachine.Machine
	var steps, meanErrors, varianceErrors []float64
	var cut float64
	var failed error
	s.Progress = func(done, _ int) {
		if failed != nil || done < 16 || done&(done-1) != 0 {
			return
		}
		u, err := m.Outputs(ctx, test.X)
		if err != nil {
			failed = err
			return
		}
		var me, ve float64
		cut = 0
		for i := range tests {
			v := 1 - u.At(i, 1+i)
			if v < 0 || v > 1 {
				cut += 1 / float64(tests)
				v = max(0, min(1, v))
			}
			me += (u.At(i, 0) - mean[i]) * (u.At(i, 0) - mean[i]) / float64(tests)
			ve += (v - variance[i]) * (v - variance[i]) / float64(tests)
		}
		steps, meanErrors, varianceErrors = append(steps, float64(done)), append(meanErrors, me), append(varianceErrors, ve)
	}
	if m, err = create(kernelmachine.Squared{Targets: 1 + tests}, kernel, s, rng); err != nil {
		return nil, err
	}
	if err := m.Fit(ctx, data.X, targets.RawMatrix().Data); err != nil {
		return nil, err
	}
	if failed != nil {
		return nil, failed
	}
	last := len(steps) - 1
	return study.Record{"steps": steps, "mean": meanErrors, "variance": varianceErrors, "finalMean": meanErrors[last],
		"finalVariance": varianceErrors[last], "cut": cut, "zeroMean": squares(mean, make([]float64, tests)),
		"priorVariance": squares(variance, slices.Repeat([]float64{1}, tests))}, nil
}

// squares is the mean squared difference.
func squares(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += (v - b[i]) * (v - b[i])
	}
	return sum / float64(len(a))
}
