package embedding

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/nn"
	"gaucho/stdlib/vec"
)

// Network is a function given by a neural network of one output, whose features are learnt
// too (Dai 2018, equation C.8).
type Network struct {
	net       *nn.Network
	pass      *nn.Pass
	optimizer nn.Optimizer
	grad      []float64
	sum       []float64
	total     float64
	rows      int
}

var _ Function = (*Network)(nil)

// NewNetwork returns the function of a network, which is trained in place. Without an
// optimizer steps are those of the solver; an optimizer is given what the solver would add,
// with the opposite sign, as a gradient: Adam then sets the sizes of steps, and the solver's
// no more than the weights of the mean. The mean is that of the parameters.
func NewNetwork(net *nn.Network, optimizer nn.Optimizer) (*Network, error) {
	if net == nil {
		return nil, fmt.Errorf("embedding: the network is nil")
	}
	if _, out := net.Dims(); out != 1 {
		return nil, fmt.Errorf("embedding: the network has %d outputs, must have 1", out)
	}
	n := len(net.Params())
	return &Network{net: net, pass: net.NewPass(64), optimizer: optimizer, grad: make([]float64, n), sum: make([]float64, n)}, nil
}

// Forward returns the outputs at the rows of X, which must not change before Move.
func (f *Network) Forward(_ context.Context, X *mat.Dense) ([]float64, error) {
	if err := f.check(f.net, X); err != nil {
		return nil, err
	}
	f.rows, _ = X.Dims()
	return mat.Col(nil, 0, f.pass.Forward(X)), nil
}

func (f *Network) check(net *nn.Network, X *mat.Dense) error {
	_, d := X.Dims()
	if in, _ := net.Dims(); d != in {
		return fmt.Errorf("embedding: points have dimension %d, must be %d as the network's inputs", d, in)
	}
	return nil
}

// Move takes a step along the gradient of sum_i c_i f(x_i) by the parameters.
func (f *Network) Move(_ context.Context, keep float64, c []float64) error {
	if len(c) != f.rows {
		return fmt.Errorf("embedding: %d coefficients for %d points", len(c), f.rows)
	}
	f.pass.Backward(f.grad, mat.NewDense(len(c), 1, append([]float64(nil), c...)), nil)
	params := f.net.Params()
	vec.Axpy(f.grad, keep-1, params)
	if f.optimizer == nil {
		vec.Add(params, params, f.grad)
		return nil
	}
	vec.Scale(f.grad, -1, f.grad)
	f.optimizer.Step(params, f.grad)
	return nil
}

// Norm returns NaN: a network has no norm that a ball could bound.
func (f *Network) Norm() float64 { return math.NaN() }

// Scale multiplies the output by a factor, through the weights of the output layer.
func (f *Network) Scale(factor float64) { f.net.ScaleOutput(factor) }

// Count takes the parameters as they are into their mean.
func (f *Network) Count(weight float64) {
	vec.Axpy(f.sum, weight, f.net.Params())
	f.total += weight
}

// Values returns the outputs at the rows of X.
func (f *Network) Values(_ context.Context, X *mat.Dense) ([]float64, error) {
	return f.outputs(f.net, X)
}

// Mean returns the outputs of the network with the mean parameters at the rows of X.
func (f *Network) Mean(_ context.Context, X *mat.Dense) ([]float64, error) {
	if f.total == 0 {
		return f.outputs(f.net, X)
	}
	mean := f.net.Clone()
	vec.Scale(mean.Params(), 1/f.total, f.sum)
	return f.outputs(mean, X)
}

func (f *Network) outputs(net *nn.Network, X *mat.Dense) ([]float64, error) {
	if err := f.check(net, X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	return mat.Col(nil, 0, net.NewPass(n).Forward(X)), nil
}
