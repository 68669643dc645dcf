package functions

import (
	"context"
	"math/rand/v2"

	"gaucho/papers"
	"gaucho/stdlib/dataset"
	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
)

// Classes returns the study of figure 3.7(1)-(3) of Dai 2018 (section 3.6.4), on other data: jittered digits of ten classes,
// seen through a random layer of convolutions. They are classified by doubly stochastic kernel logistic regression, with nu
// = 0.0005 and the median distance as the bandwidth, and by a network with one hidden layer of 128 units on the same inputs.
// A tenth of the training data decides the network's rate, and when it stops: after ten passes without improvement it
// returns to its best state. A record holds the test error after each pass and at the end.
func Classes(size papers.Size) *study.Study {
	n, passes, replications, seconds := 50000, 5, 5, 300.0
	switch size {
	case papers.Small:
		n, passes, replications, seconds = 1500, 3, 1, 0.5
	case papers.Default:
		n, passes, replications, seconds = 3000, 5, 4, 10
	}
	return &study.Study{
		Name: papers.Name("functions-classes", size), Version: "2", Seed: 15, Replications: replications, Seconds: seconds,
		About:  "test error on digits of kernel logistic regression and of a network on the same inputs (Dai 2018, figure 3.7, 1-3)",
		Points: study.Grid(study.Values("method", "doubly", "network"), study.Values("n", n), study.Values("passes", passes)),
		Paired: []string{"method"}, Replicate: replicateClasses,
	}
}

func replicateClasses(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	train, test, err := convolvedDigits(p.Int("n"), rng)
	if err != nil {
		return nil, err
	}
	loss := kernelmachine.MultiLogistic{Classes: 10}
	judge := func(f kernelmachine.Predictor, data *dataset.Regression) (float64, error) {
		return misclassified(ctx, f, data)
	}
	var errs []float64
	if p.Text("method") == "network" {
		errs, err = chooseNetwork(ctx, loss, train, test, judge, rng)
	} else {
		err = trainDoubly(ctx, loss, train, 5e-4, 5, p.Int("passes"), func(f kernelmachine.Predictor) error {
			v, err := judge(f, test)
			errs = append(errs, v)
			return err
		}, rng)
	}
	if err != nil {
		return nil, err
	}
	return study.Record{"errors": errs, "onePass": errs[0], "final": errs[len(errs)-1], "taken": float64(len(errs))}, nil
}

// convolvedDigits are n jittered digits and 2,000 more of other originals, through the same random layer.
func convolvedDigits(n int, rng *rand.Rand) (train, test *dataset.Regression, err error) {
	digits, err := dataset.Digits()
	if err != nil {
		return nil, nil, err
	}
	originals, rest, err := digits.Split(1200, rng)
	if err != nil {
		return nil, nil, err
	}
	if train, err = dataset.JitterDigits(originals, n, rng); err != nil {
		return nil, nil, err
	}
	if test, err = dataset.JitterDigits(rest, 2000, rng); err != nil {
		return nil, nil, err
	}
	layer := rng.Uint64()
	for _, d := range []*dataset.Regression{train, test} {
		if d.X, err = dataset.ConvolveDigits(d.X, 16, rand.New(rand.NewPCG(layer, 0))); err != nil {
			return nil, nil, err
		}
	}
	return train, test, nil
}

// trainDoubly trains a machine with preconditioned batches of 1024 and blocks of 512 and the median as the bandwidth, and
// calls watch after each pass. Without preconditioning the directions of small eigenvalues, which separate the classes,
// would take a hundred times the steps.
func trainDoubly(ctx context.Context, loss kernelmachine.Loss, train *dataset.Regression, nu, step float64, passes int, watch func(kernelmachine.Predictor) error, rng *rand.Rand) error {
	median, err := rkhs.MedianBandwidth(train.X, 1000, rng)
	if err != nil {
		return err
	}
	s := kernelmachine.DefaultSettings()
	s.Regularization, s.Passes, s.Precondition = nu, passes, true
	s.Batch, s.Block = min(1024, train.Len()/4), min(512, train.Len()/8)
	steps := float64(passes * train.Len() / s.Batch)
	s.Step = kernelmachine.HoldStep(step, steps/3, steps/3)
	var m *kernelmachine.Machine
	var failed error
	s.Progress = func(done, all int) {
		if each := all / passes; failed == nil && done%each == 0 {
			failed = watch(m)
		}
	}
	if m, err = kernelmachine.New(loss, rkhs.Gaussian{Bandwidth: median}, s, rng); err != nil {
		return err
	}
	if err := m.Fit(ctx, train.X, train.Y); err != nil {
		return err
	}
	return failed
}
