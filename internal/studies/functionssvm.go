package studies

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"gaucho/stdlib/dataset"
	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
)

func init() { register("functions-svm", functionsSVM) }

// functionsSVM is figure 3.6 of Dai 2018 (section 3.6.3): the test error of support vector machines after one pass (the
// first stopping rule) and after several, on stand-ins for the data of the text. adult: 123 indicators, bandwidth the
// median, nu = 1/(100 n), batches of 2^6, blocks of 2^5. digits: the digits 8 and 6, jittered and projected onto 50
// directions, nu = 1/n. cells: 500 random cells in eight dimensions, bandwidth 0.35 or 0.6, nu = 1/n, in place of the
// forest cover data. Batches and blocks of the latter two are of 2^8. k-SDCA is the exact solution on up to 4,000 points;
// rank is the number of features of the solvers on features.
func functionsSVM(size Size) *study.Study {
	n, replications, seconds := 50000, 3, 60.0
	sets := []any{"adult", "digits", "cells .35", "cells .6"}
	switch size {
	case Small:
		n, replications, seconds, sets = 1000, 1, 0.1, []any{"adult", "digits", "cells .6"}
	case Default:
		n, replications, seconds = 10000, 2, 4
	}
	return &study.Study{
		Name: sized("functions-svm", size), Version: "1", Seed: 14, Replications: replications, Seconds: seconds,
		About: "test error of support vector machines after one pass and after more (Dai 2018, figure 3.6)",
		Points: study.Grid(study.Values("data", sets...),
			study.Values("method", "doubly", "NORMA", "k-SDCA", "r-SDCA", "n-SDCA", "r-Pegasos", "n-Pegasos"),
			study.Values("n", n), study.Values("rank", 256), study.Values("passes", 3)),
		Paired: []string{"method"}, Replicate: replicateSVM,
	}
}

// An svmProblem is a data set with the settings of the text.
type svmProblem struct {
	train, test  *dataset.Regression
	bandwidth    float64
	nu           float64
	batch, block int
	step         *kernelmachine.Step // of doubly stochastic gradients and NORMA, for one pass
}

func newSVMProblem(ctx context.Context, p study.Point, rng *rand.Rand) (*svmProblem, error) {
	n := p.Int("n")
	out := &svmProblem{nu: 1 / float64(n), batch: 256, block: 256}
	var all *dataset.Regression
	var err error
	switch p.Text("data") {
	case "adult":
		out.batch, out.block, out.nu = 64, 32, 1/(100*float64(n))
		all, err = dataset.AdultLike(n+n/4, rng)
	case "cells .35", "cells .6":
		all, err = dataset.VoronoiCells(n+n/4, 8, 500, rng)
		out.bandwidth = 0.35
		if p.Text("data") == "cells .6" {
			out.bandwidth = 0.6
		}
	case "digits":
		out.train, out.test, err = eightsAndSixes(ctx, n, rng)
	}
	if err != nil {
		return nil, err
	}
	if all != nil {
		if out.train, out.test, err = all.Split(n, rng); err != nil {
			return nil, err
		}
	}
	if out.bandwidth == 0 {
		if out.bandwidth, err = rkhs.MedianBandwidth(out.train.X, 1000, rng); err != nil {
			return nil, err
		}
	}
	steps := float64(n / out.batch)
	gamma := map[string]float64{"adult": 4, "digits": 5}[p.Text("data")]
	if gamma == 0 {
		gamma = 20
	}
	out.step = kernelmachine.HoldStep(gamma, steps/2, steps/4)
	return out, nil
}

// eightsAndSixes are n jittered eights (1) and sixes (-1), and others that are not jittered, of other originals.
func eightsAndSixes(ctx context.Context, n int, rng *rand.Rand) (train, test *dataset.Regression, err error) {
	digits, err := dataset.Digits()
	if err != nil {
		return nil, nil, err
	}
	var index []int
	for i, y := range digits.Y {
		if y == 8 || y == 6 {
			index = append(index, i)
			digits.Y[i] = y - 7
		}
	}
	originals, test, err := digits.Rows(index).Split(len(index)/2, rng)
	if err != nil {
		return nil, nil, err
	}
	if train, err = dataset.JitterDigits(originals, n, rng); err != nil {
		return nil, nil, err
	}
	if test, err = dataset.JitterDigits(test, 2000, rng); err != nil {
		return nil, nil, err
	}
	return train, test, project(ctx, 50, train, test)
}

// project replaces the points of both sets by their coordinates in the widest directions of the first.
func project(ctx context.Context, k int, train, test *dataset.Regression) error {
	pca, err := dataset.NewPCA(ctx, train.X, k)
	if err != nil {
		return err
	}
	for _, d := range []*dataset.Regression{train, test} {
		if d.X, err = pca.Project(d.X); err != nil {
			return err
		}
	}
	return nil
}

func replicateSVM(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	prob, err := newSVMProblem(ctx, p, rng)
	if err != nil {
		return nil, err
	}
	var errs []float64
	watch := func(_ int, f kernelmachine.Predictor) error {
		v, err := misclassified(ctx, f, prob.test)
		errs = append(errs, v)
		return err
	}
	if err := prob.solve(ctx, p, watch, rng); err != nil {
		return nil, err
	}
	return study.Record{"errors": errs, "onePass": errs[0], "final": errs[len(errs)-1], "best": slices.Min(errs)}, nil
}

// misclassified is the share of points with another label.
func misclassified(ctx context.Context, f kernelmachine.Predictor, data *dataset.Regression) (float64, error) {
	u, err := f.Outputs(ctx, data.X)
	if err != nil {
		return 0, err
	}
	wrong := 0.0
	for i, y := range data.Y {
		if f.Loss().(kernelmachine.Classifier).Label(u.RawRowView(i)) != y {
			wrong++
		}
	}
	return wrong / float64(data.Len()), nil
}

// solve trains by the point's method and calls watch after every pass.
func (prob *svmProblem) solve(ctx context.Context, p study.Point, watch func(int, kernelmachine.Predictor) error, rng *rand.Rand) error {
	kernel, loss := rkhs.Gaussian{Bandwidth: prob.bandwidth}, kernelmachine.Hinge{}
	train, method, passes := prob.train, p.Text("method"), p.Int("passes")
	solver := kernelmachine.DefaultSolverSettings()
	solver.Regularization, solver.Passes, solver.Batch, solver.Watch = prob.nu, passes, prob.batch, watch
	switch method {
	case "doubly", "NORMA":
		s := kernelmachine.DefaultSettings()
		s.Regularization, s.Batch, s.Block, s.Step, s.Passes = prob.nu, prob.batch, prob.block, prob.step, passes
		create := kernelmachine.New
		if method == "NORMA" {
			create = kernelmachine.NewNORMA
		}
		var m *kernelmachine.Machine
		var failed error
		s.Progress = func(done, all int) {
			if each := all / passes; failed == nil && done%each == 0 {
				failed = watch(done/each, m)
			}
		}
		m, err := create(loss, kernel, s, rng)
		if err != nil {
			return err
		}
		if err := m.Fit(ctx, train.X, train.Y); err != nil {
			return err
		}
		return failed
	case "k-SDCA":
		part := train
		if train.Len() > 4000 {
			var err error
			if part, _, err = train.Split(4000, rng); err != nil {
				return err
			}
		}
		solver.Regularization *= float64(train.Len()) / float64(part.Len())
		solver.Passes *= 5
		_, _, err := kernelmachine.KernelSDCA(ctx, loss, kernel, part.X, part.Y, solver, rng)
		return err
	}
	z, err := featureMap(ctx, method, kernel, train, min(p.Int("rank"), train.Len()), rng)
	if err != nil {
		return err
	}
	switch method[2:] {
	case "SDCA":
		_, _, err = kernelmachine.SDCA(ctx, loss, z, train.X, train.Y, solver, rng)
		return err
	case "Pegasos":
		solver.Step = prob.step
		_, err = kernelmachine.Pegasos(ctx, loss, z, train.X, train.Y, solver, rng)
		return err
	}
	return fmt.Errorf("no method %q", method)
}
