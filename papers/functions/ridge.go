package functions

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gaucho/papers"
	"gaucho/stdlib/dataset"
	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
)

// Ridge returns the study of figure 3.4(3) of Dai 2018: ridge regression on the radial wave with bandwidth 0.52 (a tenth of
// the median distance) and nu = 1e-6, in one pass with batches and blocks of 2^8 (2^10, and 2^20 points, in the text) and
// three step sizes, from which each method's is chosen by the error on noisy targets of 2,048 validation points. r-ridge and
// n-ridge are the exact solutions on random features and landmarks, for which one pass is enough; rank is the number of
// those, and of the features of the other solvers on features. A record holds the mean squared error relative to the
// function without noise and to noisy targets of 2,048 test points, and to noisy targets of the validation points.
func Ridge(size papers.Size) *study.Study {
	n, block, replications, seconds := 1<<16, 1<<8, 5, 10.0
	switch size {
	case papers.Small:
		n, block, replications, seconds = 1<<12, 1<<6, 1, 0.2
	case papers.Default:
		n, block, replications, seconds = 1<<14, 1<<7, 5, 2
	}
	points := study.Grid(study.Values("method", "doubly", "NORMA"), study.Values("step", 4.0, 10.0, 16.0), study.Values("rank", 0))
	points = append(points, study.Grid(study.Values("method", "r-Pegasos", "n-Pegasos"), study.Values("step", 4.0, 10.0, 16.0), study.Values("rank", 1<<8))...)
	points = append(points, study.Grid(study.Values("method", "r-SDCA", "n-SDCA"), study.Values("step", 0.0), study.Values("rank", 1<<8))...)
	points = append(points, study.Grid(study.Values("method", "r-ridge", "n-ridge"), study.Values("step", 0.0), study.Values("rank", 1<<4, 1<<5, 1<<6, 1<<7, 1<<8))...)
	return &study.Study{
		Name: papers.Name("functions-ridge", size), Version: "2", Seed: 12, Replications: replications, Seconds: seconds,
		About:  "error of ridge regression after one pass: doubly stochastic gradients, NORMA, low ranks (Dai 2018, figure 3.4, 3)",
		Points: withSize(points, n, block), Paired: []string{"method", "step", "rank"},
		Replicate: replicateRidge,
	}
}

// withSize adds the number of points and of points and features a step to every point of a grid.
func withSize(points []study.Point, n, block int) []study.Point {
	out := make([]study.Point, len(points))
	for i, p := range points {
		out[i] = study.NewPoint("method", p.Text("method"), "step", p.Float("step"), "rank", p.Int("rank"), "n", n, "block", block)
	}
	return out
}

func replicateRidge(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	data, err := dataset.RadialWave(p.Int("n"), rng)
	if err != nil {
		return nil, err
	}
	test, err := dataset.RadialWave(2048, rng)
	if err != nil {
		return nil, err
	}
	validation, err := dataset.RadialWave(2048, rng)
	if err != nil {
		return nil, err
	}
	f, err := ridgeModel(ctx, p, data, rng)
	if err != nil {
		return nil, err
	}
	truth, err := squaredError(ctx, f, test.X, test.Truth)
	if err != nil {
		return nil, err
	}
	noisy, err := squaredError(ctx, f, test.X, test.Y)
	if err != nil {
		return nil, err
	}
	held, err := squaredError(ctx, f, validation.X, validation.Y)
	return study.Record{"error": truth, "testError": noisy, "validation": held}, err
}

func ridgeModel(ctx context.Context, p study.Point, data *dataset.Regression, rng *rand.Rand) (kernelmachine.Predictor, error) {
	kernel, loss := rkhs.Gaussian{Bandwidth: 0.52}, kernelmachine.Squared{}
	block, method := p.Int("block"), p.Text("method")
	step := kernelmachine.ConstantStep(max(p.Float("step"), 1))
	if p.Float("step") == 10 {
		step = kernelmachine.HoldStep(10, 96, 32)
	}
	switch method {
	case "doubly", "NORMA":
		s := kernelmachine.DefaultSettings()
		s.Batch, s.Block, s.Step = block, block, step
		create := kernelmachine.New
		if method == "NORMA" {
			create = kernelmachine.NewNORMA
		}
		m, err := create(loss, kernel, s, rng)
		if err != nil {
			return nil, err
		}
		return m, m.PartialFit(ctx, data.X, data.Y)
	}
	z, err := featureMap(ctx, method, kernel, data, p.Int("rank"), rng)
	if err != nil {
		return nil, err
	}
	s := kernelmachine.DefaultSolverSettings()
	s.Regularization, s.Passes, s.Batch, s.Step = 1e-6, 1, block, step
	switch method[2:] {
	case "Pegasos":
		return kernelmachine.Pegasos(ctx, loss, z, data.X, data.Y, s, rng)
	case "SDCA":
		m, _, err := kernelmachine.SDCA(ctx, loss, z, data.X, data.Y, s, rng)
		return m, err
	case "ridge":
		return kernelmachine.FeatureRidge(ctx, z, data.X, data.Y, 1e-6)
	}
	return nil, fmt.Errorf("no method %q", method)
}

// featureMap returns random features for a method that starts with r-, landmarks for one that starts with n-.
func featureMap(ctx context.Context, method string, kernel rkhs.Kernel, data *dataset.Regression, rank int, rng *rand.Rand) (kernelmachine.FeatureMap, error) {
	if method[0] == 'n' {
		return kernelmachine.NewNystrom(ctx, kernel, data.X, rank, rng)
	}
	_, d := data.X.Dims()
	return rkhs.NewRandomFeatures(kernel, d, rank, rng)
}
