// Package nn holds the small networks of reinforcement learning: multilayer
// perceptrons and random-feature networks, their gradients by reverse mode,
// directional derivatives by forward mode, Hessian-vector products, and the
// optimizers Adam and SGD.
//
//	net, err := nn.NewMLP([]int{4, 64, 64, 1}, nn.Tanh, rng)
//	pass := net.NewPass(64)            // memory for batches of 64 rows
//	grad := make([]float64, len(net.Params()))
//	adam := nn.NewAdam(1e-3)
//	for range steps {
//		out := pass.Forward(x)         // 64 x 1, owned by the pass
//		loss := nn.SquaredLoss(dout, out, y)
//		pass.Backward(grad, dout, nil)
//		adam.Step(net.Params(), grad)
//	}
//
// A network's parameters are one []float64, and so are gradients, directions and
// the states of optimizers; whatever works on vectors works on networks. A [Pass]
// holds the memory of a batch: after the first batch nothing is allocated.
// Passes of one network may run at the same time, as long as nobody changes the
// parameters.
//
// The code is our own because no maintained Go library is both light and fast
// here: the ones with automatic differentiation build a graph for each step, which
// costs more than the arithmetic of networks of this size, or are defunct. These
// few hundred lines run on the products of package linalg, with the same bits on
// any number of cores.
//
// Sources: Rumelhart, Hinton & Williams 1986 (reverse mode), Pearlmutter 1994 (the
// R-operator), Kingma & Ba 2015 (Adam), Glorot & Bengio 2010 and He et al. 2015
// (initial weights), Rahimi & Recht 2007 (random features).
package nn
