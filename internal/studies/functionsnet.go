package studies

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/dataset"
	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/nn"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
)

func init() {
	register("functions-classes", functionsClasses)
	register("functions-molecules", functionsMolecules)
}

// functionsClasses is figure 3.7(1)-(3) of Dai 2018 (section 3.6.4) on a stand-in: jittered digits of ten classes, seen
// through a random layer of convolutions, told apart by doubly stochastic kernel logistic regression with nu = 0.0005 and
// the median as the bandwidth, and by a network with one hidden layer of 128 on the same inputs. A record holds the test
// error after each pass.
func functionsClasses(size Size) *study.Study {
	n, passes, replications, seconds := 50000, 5, 3, 60.0
	switch size {
	case Small:
		n, passes, replications, seconds = 1500, 3, 1, 0.3
	case Default:
		n, passes, replications, seconds = 10000, 5, 2, 6
	}
	return &study.Study{
		Name: sized("functions-classes", size), Version: "1", Seed: 15, Replications: replications, Seconds: seconds,
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
	var errs []float64
	watch := func(f kernelmachine.Predictor) error {
		v, err := misclassified(ctx, f, test)
		errs = append(errs, v)
		return err
	}
	if p.Text("method") == "network" {
		err = trainNetwork(ctx, loss, train, p.Int("passes"), watch, rng)
	} else {
		err = trainDoubly(ctx, loss, train, 5e-4, 5, p.Int("passes"), watch, rng)
	}
	if err != nil {
		return nil, err
	}
	return study.Record{"errors": errs, "onePass": errs[0], "final": errs[len(errs)-1]}, nil
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
// calls watch after each pass. Without preconditioning the directions of small eigenvalues, which tell the classes apart,
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

// A network is a multilayer perceptron as a Predictor.
type network struct {
	net  *nn.Network
	loss kernelmachine.Loss
}

func (f *network) Loss() kernelmachine.Loss { return f.loss }

func (f *network) Outputs(_ context.Context, X *mat.Dense) (*mat.Dense, error) {
	n, _ := X.Dims()
	return mat.DenseCopyOf(f.net.NewPass(n).Forward(X)), nil
}

// trainNetwork trains a perceptron with a hidden layer of 128 by Adam with batches of 64, and calls watch after each pass.
func trainNetwork(ctx context.Context, loss kernelmachine.Loss, train *dataset.Regression, passes int, watch func(kernelmachine.Predictor) error, rng *rand.Rand) error {
	const batch = 64
	n, d := train.X.Dims()
	outputs, _ := loss.Dims()
	net, err := nn.NewMLP([]int{d, 128, outputs}, nn.ReLU, rng)
	if err != nil {
		return err
	}
	pass, adam := net.NewPass(batch), nn.NewAdam(1e-3)
	grad := make([]float64, len(net.Params()))
	X, dout := mat.NewDense(batch, d, nil), mat.NewDense(batch, outputs, nil)
	for range passes {
		order := rng.Perm(n)
		for lo := 0; lo+batch <= n; lo += batch {
			if err := ctx.Err(); err != nil {
				return err
			}
			for i, r := range order[lo : lo+batch] {
				X.SetRow(i, train.X.RawRowView(r))
			}
			out := pass.Forward(X)
			for i, r := range order[lo : lo+batch] {
				loss.Gradient(dout.RawRowView(i), out.RawRowView(i), train.Y[r:r+1])
			}
			dout.Scale(1./batch, dout)
			pass.Backward(grad, dout, nil)
			adam.Step(net.Params(), grad)
		}
		if err := watch(&network{net, loss}); err != nil {
			return err
		}
	}
	return nil
}

// functionsMolecules is figures 3.7(4), 3.7(5) and 3.8 of Dai 2018 (section 3.6.5) on a stand-in: the energy of generated
// molecules from random Coulomb matrices, by doubly stochastic ridge regression with the median as the bandwidth and by a
// network with one hidden layer of 128 on the same inputs. Predictions are averaged over 20 random representations of a
// test molecule; "one" is the mean absolute error without that. Energies are in units of their standard deviation.
func functionsMolecules(size Size) *study.Study {
	n, copies, passes, replications, seconds := 6000, 10, 3, 3, 120.0
	atoms := []any{8, 16}
	switch size {
	case Small:
		n, copies, passes, replications, seconds, atoms = 300, 3, 3, 1, 0.3, []any{8}
	case Default:
		n, copies, passes, replications, seconds, atoms = 2000, 5, 3, 2, 10, []any{8}
	}
	return &study.Study{
		Name: sized("functions-molecules", size), Version: "1", Seed: 16, Replications: replications, Seconds: seconds,
		About: "error of molecules' energies by kernel ridge regression and a network, averaged over representations (Dai 2018, figure 3.7, 4-5)",
		Points: study.Grid(study.Values("method", "doubly", "network"), study.Values("atoms", atoms...), study.Values("n", n),
			study.Values("copies", copies), study.Values("passes", passes)),
		Paired: []string{"method"}, Replicate: replicateMolecules,
	}
}

func replicateMolecules(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	const tests, views = 200, 20
	train, test, err := moleculeSets(p.Int("n"), tests, p.Int("atoms"), p.Int("copies"), views, 1, rng)
	if err != nil {
		return nil, err
	}
	var ones, alls []float64
	watch := func(f kernelmachine.Predictor) error {
		u, err := f.Outputs(ctx, test.X)
		if err != nil {
			return err
		}
		var one, all float64
		for i := range tests {
			sum := 0.0
			for c := range views {
				at := i*views + c
				sum += u.At(at, 0) / views
				one += math.Abs(u.At(at, 0)-test.Y[at]) / (tests * views)
			}
			all += math.Abs(sum-test.Y[i*views]) / tests
		}
		ones, alls = append(ones, one), append(alls, all)
		return nil
	}
	if p.Text("method") == "network" {
		err = trainNetwork(ctx, kernelmachine.Squared{}, train, p.Int("passes"), watch, rng)
	} else {
		err = trainDoubly(ctx, kernelmachine.Squared{}, train, 1e-4, 0.5, p.Int("passes"), watch, rng)
	}
	if err != nil {
		return nil, err
	}
	last := len(alls) - 1
	return study.Record{"one": ones[last], "all": alls[last], "trace": alls}, nil
}

// moleculeSets generates n molecules and tests more, of up to most atoms, and represents each of the first by copies and of the
// others by views random Coulomb matrices with the given noise in their order. Energies are in units of their standard deviation from their mean.
func moleculeSets(n, tests, most, copies, views int, noise float64, rng *rand.Rand) (train, test *dataset.Regression, err error) {
	molecules, err := dataset.Molecules(n+tests, most, rng)
	if err != nil {
		return nil, nil, err
	}
	mean, sd := 0.0, 0.0
	for i := range n {
		mean += molecules[i].Energy / float64(n)
	}
	for i := range n {
		sd += (molecules[i].Energy - mean) * (molecules[i].Energy - mean) / float64(n)
	}
	sd = math.Sqrt(sd)
	if train, err = coulomb(molecules[:n], most, copies, noise, mean, sd, rng); err != nil {
		return nil, nil, err
	}
	test, err = coulomb(molecules[n:], most, views, noise, mean, sd, rng)
	return train, test, err
}

// coulomb represents each molecule by a number of random Coulomb matrices, one after the other.
func coulomb(molecules []dataset.Molecule, most, copies int, noise, mean, sd float64, rng *rand.Rand) (*dataset.Regression, error) {
	var x, y []float64
	for i := range molecules {
		for range copies {
			f, err := dataset.CoulombFeatures(&molecules[i], most, noise, 10, rng)
			if err != nil {
				return nil, err
			}
			x, y = append(x, f...), append(y, (molecules[i].Energy-mean)/sd)
		}
	}
	return &dataset.Regression{Name: "molecules", X: mat.NewDense(len(y), len(x)/len(y), x), Y: y}, nil
}
