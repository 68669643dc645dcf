package functions

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/papers"
	"gaucho/stdlib/dataset"
	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
)

// Rate returns the study of figure 3.4(2) of Dai 2018 (section 3.6.1): the squared error of doubly stochastic ridge
// regression relative to the exact solution, on 500 points of the radial wave with a Gaussian kernel of bandwidth 1. It uses
// the text's nu = 1e-6 with 64 points and features a step (2^10 in the text), nu = 0.1 with one of each, and nu = 0.01 with
// 16 of each. The first step size is at most 1. A record holds the errors of the last iterate and of the mean of the
// iterates after 16, 32, ... steps.
func Rate(size papers.Size) *study.Study {
	steps, replications := 16384, 10
	switch size {
	case papers.Small:
		steps, replications = 1024, 2
	case papers.Default:
		steps, replications = 4096, 20
	}
	return &study.Study{
		Name: papers.Name("functions-rate", size), Version: "2", Seed: 11, Replications: replications, Seconds: 5,
		About: "squared error to exact ridge regression against the number of steps (Dai 2018, figure 3.4, 2)",
		Points: []study.Point{
			study.NewPoint("nu", 0.1, "block", 1, "shift", 4.0, "steps", steps),
			study.NewPoint("nu", 0.01, "block", 16, "shift", 1.0, "steps", steps/8),
			study.NewPoint("nu", 1e-6, "block", 64, "shift", 1.0, "steps", steps/16),
		},
		Replicate: replicateRate,
	}
}

func replicateRate(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	nu, block := p.Float("nu"), p.Int("block")
	data, err := dataset.RadialWave(500, rng)
	if err != nil {
		return nil, err
	}
	kernel := rkhs.Gaussian{Bandwidth: 1}
	exact, err := kernelmachine.Ridge(ctx, kernel, data.X, data.Y, nu)
	if err != nil {
		return nil, err
	}
	want, err := exact.Predict(ctx, data.X)
	if err != nil {
		return nil, err
	}
	var machines [2]*kernelmachine.Machine // the last iterate, and the mean
	seed := rng.Uint64()
	for i := range machines {
		s := kernelmachine.DefaultSettings()
		s.Regularization, s.Batch, s.Block, s.Average = nu, block, block, i == 1
		s.Step = kernelmachine.ShiftedStep(1/nu, p.Float("shift")/nu)
		if machines[i], err = kernelmachine.New(kernelmachine.Squared{}, kernel, s, rand.New(rand.NewPCG(seed, 0))); err != nil {
			return nil, err
		}
	}
	var steps []float64
	var errs [2][]float64
	for until := 16; until <= p.Int("steps"); until *= 2 {
		for machines[0].Steps() < until {
			index := make([]int, block)
			for i := range index {
				index[i] = rng.IntN(data.Len())
			}
			batch := data.Rows(index)
			for _, m := range machines {
				if err := m.PartialFit(ctx, batch.X, batch.Y); err != nil {
					return nil, err
				}
			}
		}
		steps = append(steps, float64(until))
		for i, m := range machines {
			e, err := squaredError(ctx, m, data.X, want)
			if err != nil {
				return nil, err
			}
			errs[i] = append(errs[i], e)
		}
	}
	return study.Record{"steps": steps, "last": errs[0], "mean": errs[1], "finalLast": errs[0][len(steps)-1],
		"finalMean": errs[1][len(steps)-1], "lastSlope": steepness(steps, errs[0]), "meanSlope": steepness(steps, errs[1])}, nil
}

// steepness is the power of x by which y goes over the last factor of 16 of x, or as far as there is.
func steepness(x, y []float64) float64 {
	from := max(0, len(x)-5)
	s, err := study.LogLogSlope(x[from:], y[from:])
	if err != nil {
		return math.NaN()
	}
	return s.Slope
}

// squaredError is the mean squared difference of a function from what it should be.
func squaredError(ctx context.Context, f kernelmachine.Predictor, X *mat.Dense, want []float64) (float64, error) {
	u, err := f.Outputs(ctx, X)
	if err != nil {
		return 0, err
	}
	var s float64
	for i, v := range want {
		s += (u.At(i, 0) - v) * (u.At(i, 0) - v) / float64(len(want))
	}
	return s, nil
}
