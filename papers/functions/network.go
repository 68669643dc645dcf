package functions

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"gaucho/stdlib/dataset"
	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/nn"
)

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
