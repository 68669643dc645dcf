package functions

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"gaucho/internal/studies"
	"gaucho/internal/studies/standin"
	"gaucho/stdlib/dataset"
	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/nn"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
)

// Classes is figure 3.7(1)-(3) of Dai 2018 (section 3.6.4) on a stand-in: jittered digits of ten classes, seen
// through a random layer of convolutions, told apart by doubly stochastic kernel logistic regression with nu = 0.0005 and
// the median as the bandwidth, and by a network with one hidden layer of 128 on the same inputs. A tenth of the training data
// chooses the network's rate, and when it stops: after ten passes without improvement it goes back to its best. A record holds
// the test error after each pass, and that at the end.
func Classes(size studies.Size) *study.Study {
	n, passes, replications, seconds := 50000, 5, 5, 300.0
	switch size {
	case studies.Small:
		n, passes, replications, seconds = 1500, 3, 1, 0.5
	case studies.Default:
		n, passes, replications, seconds = 3000, 5, 4, 10
	}
	return &study.Study{
		Name: studies.Name("functions-classes", size), Version: "2", Seed: 15, Replications: replications, Seconds: seconds,
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

// A network is a multilayer perceptron as a Predictor, on inputs in units of the training data's standard deviations.
type network struct {
	net        *nn.Network
	loss       kernelmachine.Loss
	mean, unit []float64
}

func (f *network) Loss() kernelmachine.Loss { return f.loss }

func (f *network) Outputs(_ context.Context, X *mat.Dense) (*mat.Dense, error) {
	n, _ := X.Dims()
	return mat.DenseCopyOf(f.net.NewPass(n).Forward(f.see(X))), nil
}

// see returns points in the network's units.
func (f *network) see(X *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(X)
	n, _ := X.Dims()
	for i := range n {
		for j, v := range out.RawRowView(i) {
			out.Set(i, j, (v-f.mean[j])/f.unit[j])
		}
	}
	return out
}

// A grade is how wrong a function is on data.
type grade func(f kernelmachine.Predictor, data *dataset.Regression) (float64, error)

// chooseNetwork trains perceptrons with Adam's rates 0.0003, 0.001 and 0.003 until they stop improving on the last tenth
// of the training data, and returns what the best of them by those data had on test data after each pass, and at its best at the end.
func chooseNetwork(ctx context.Context, loss kernelmachine.Loss, train, test *dataset.Regression, judge grade, rng *rand.Rand) ([]float64, error) {
	most := math.Inf(1)
	var errs []float64
	rows := make([]int, train.Len()) // in their order, in which the views of a molecule follow each other
	for i := range rows {
		rows[i] = i
	}
	part, held := train.Rows(rows[:len(rows)*9/10]), train.Rows(rows[len(rows)*9/10:])
	for _, rate := range []float64{3e-4, 1e-3, 3e-3} {
		path, least, err := trainNetwork(ctx, loss, part, held, test, rate, judge, rng)
		if err != nil {
			return nil, err
		}
		if least < most {
			most, errs = least, path
		}
	}
	return errs, nil
}

// trainNetwork trains a perceptron with a hidden layer of 128 by Adam with batches of 64 until ten passes in a row, of 200 at
// most, do not improve it on the data that are held out.
func trainNetwork(ctx context.Context, loss kernelmachine.Loss, train, held, test *dataset.Regression, rate float64, judge grade, rng *rand.Rand) (path []float64, least float64, err error) {
	const batch, patience, most = 64, 10, 200
	n, d := train.X.Dims()
	outputs, _ := loss.Dims()
	net, err := nn.NewMLP([]int{d, 128, outputs}, nn.ReLU, rng)
	if err != nil {
		return nil, 0, err
	}
	f := &network{net: net, loss: loss}
	for j := range d {
		mean, sd := stat.MeanStdDev(mat.Col(nil, j, train.X), nil)
		f.mean, f.unit = append(f.mean, mean), append(f.unit, sd)
		if !(sd > 0) {
			f.unit[j] = 1
		}
	}
	inputs := f.see(train.X)
	pass, adam := net.NewPass(batch), nn.NewAdam(rate)
	grad := make([]float64, len(net.Params()))
	X, dout := mat.NewDense(batch, d, nil), mat.NewDense(batch, outputs, nil)
	least = math.Inf(1)
	best := 0
	for at := range most {
		order := rng.Perm(n)
		for lo := 0; lo+batch <= n; lo += batch {
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
			for i, r := range order[lo : lo+batch] {
				X.SetRow(i, inputs.RawRowView(r))
			}
			out := pass.Forward(X)
			for i, r := range order[lo : lo+batch] {
				loss.Gradient(dout.RawRowView(i), out.RawRowView(i), train.Y[r:r+1])
			}
			dout.Scale(1./batch, dout)
			pass.Backward(grad, dout, nil)
			adam.Step(net.Params(), grad)
		}
		now, err := judge(f, held)
		if err != nil {
			return nil, 0, err
		}
		v, err := judge(f, test)
		if err != nil {
			return nil, 0, err
		}
		path = append(path, v)
		if now < least {
			least, best = now, at
		} else if at-best >= patience {
			break
		}
	}
	return append(path, path[best]), least, nil
}

// Molecules is figures 3.7(4) and 3.7(5) of Dai 2018 (section 3.6.5) on a stand-in: the energy of generated
// molecules from random Coulomb matrices, by doubly stochastic ridge regression with the median as the bandwidth and by a
// network with one hidden layer of 128 on the same inputs, whose rate and end are chosen as in [Classes]. Predictions are averaged over 20 random representations of a
// test molecule; "one" is the mean absolute error without that. Energies are in units of their standard deviation.
func Molecules(size studies.Size) *study.Study {
	n, copies, passes, replications, seconds := 6000, 10, 3, 5, 600.0
	atoms := []any{8, 16}
	switch size {
	case studies.Small:
		n, copies, passes, replications, seconds, atoms = 300, 3, 3, 1, 0.3, []any{8}
	case studies.Default:
		n, copies, passes, replications, seconds, atoms = 500, 5, 3, 4, 10, []any{8}
	}
	return &study.Study{
		Name: studies.Name("functions-molecules", size), Version: "2", Seed: 16, Replications: replications, Seconds: seconds,
		About: "error of molecules' energies by kernel ridge regression and a network, averaged over representations (Dai 2018, figure 3.7, 4-5)",
		Points: study.Grid(study.Values("method", "doubly", "network"), study.Values("atoms", atoms...), study.Values("n", n),
			study.Values("copies", copies), study.Values("passes", passes)),
		Paired: []string{"method"}, Replicate: replicateMolecules,
	}
}

func replicateMolecules(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	const tests, views = 200, 20
	train, test, err := standin.Molecules(p.Int("n"), tests, p.Int("atoms"), p.Int("copies"), views, 1, rng)
	if err != nil {
		return nil, err
	}
	judge := func(views int) grade {
		return func(f kernelmachine.Predictor, data *dataset.Regression) (float64, error) {
			u, err := f.Outputs(ctx, data.X)
			if err != nil {
				return 0, err
			}
			sum, n := 0.0, data.Len()/views
			for i := range n {
				mean := 0.0
				for c := range views {
					mean += u.At(i*views+c, 0) / float64(views)
				}
				sum += math.Abs(mean-data.Y[i*views]) / float64(n)
			}
			return sum, nil
		}
	}
	var errs []float64
	if p.Text("method") == "network" {
		errs, err = chooseNetwork(ctx, kernelmachine.Squared{}, train, test, func(f kernelmachine.Predictor, data *dataset.Regression) (float64, error) {
			if data == test {
				return judge(views)(f, data)
			}
			return judge(1)(f, data)
		}, rng)
	} else {
		err = trainDoubly(ctx, kernelmachine.Squared{}, train, 1e-4, 0.5, p.Int("passes"), func(f kernelmachine.Predictor) error {
			v, err := judge(views)(f, test)
			errs = append(errs, v)
			return err
		}, rng)
	}
	if err != nil {
		return nil, err
	}
	return study.Record{"trace": errs, "all": errs[len(errs)-1], "taken": float64(len(errs))}, nil
}
