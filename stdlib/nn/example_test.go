package nn_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/nn"
)

// A network learns a sine from 64 points.
func Example() {
	rng := rand.New(rand.NewPCG(1, 2))
	net, err := nn.NewMLP([]int{1, 32, 32, 1}, nn.Tanh, rng)
	if err != nil {
		panic(err)
	}
	const n = 64
	x, y, dout := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		u := -3 + 6*float64(i)/(n-1)
		x.Set(i, 0, u)
		y.Set(i, 0, math.Sin(u))
	}
	pass, grad, adam := net.NewPass(n), make([]float64, len(net.Params())), nn.NewAdam(3e-3)
	var loss float64
	for range 500 {
		loss = nn.SquaredLoss(dout, pass.Forward(x), y)
		pass.Backward(grad, dout, nil)
		adam.Step(net.Params(), grad)
	}
	fmt.Println("learnt:", loss < 1e-3)
	// Output: learnt: true
}
