// Package kernelmachine learns functions of a reproducing kernel Hilbert space from
// more points than fit into memory, by functional gradients that are stochastic in the
// points and in the kernel's random features, and holds the solvers that it is compared
// with.
//
// All minimise E l(f(x), y) + nu/2 |f|^2 for a convex [Loss]. A [Machine] does so with one
// batch of points and one block of fresh random features a step, and keeps the
// coefficients and a seed:
//
//	data, err := dataset.RadialWave(1<<16, rng)
//	m, err := kernelmachine.New(kernelmachine.Squared{}, rkhs.Gaussian{Bandwidth: 0.5}, nil, rng)
//	err = m.Fit(ctx, data.X, data.Y)     // or PartialFit, FitStream
//	u, err := m.Predict(ctx, data.X)
//	err = m.Save(file)                   // Load goes on with the same bits
//
// For a point a step and step sizes of order 1/t the squared error falls as 1/t,
// whatever the dimension (theorems 11 and 12); error eps takes O(d/eps^2) time and O(1/eps)
// memory.
//
// The choice of the loss makes it ridge regression ([Squared], also the mean and the
// variance of a Gaussian process), robust or support vector regression ([Huber],
// [EpsilonInsensitive]), quantile regression ([Quantile]), a support vector machine
// ([Hinge], [SquaredHinge], [SmoothHinge]), logistic regression ([Logistic],
// [MultiLogistic]), novelty detection ([Novelty]), a density ratio ([DensityRatio]) or a
// mean embedding ([Embedding]).
//
// The rivals: [NewNORMA] (the same with the kernel itself), [KernelSDCA] and [SDCA] (dual
// coordinate ascent), [Pegasos], [BlockMirrorDescent], [BlockCoordinateDescent] on random
// features or a [Nystrom] map, [SubsetOfData]; exact for thousands of points: [Ridge],
// [NewGaussianProcess].
//
// Sources: B. Dai, Learning over functions, distributions and dynamics via stochastic
// optimization, Georgia Institute of Technology 2018, chapter 3; Dai, Xie, He, Liang,
// Raj, Balcan and Song, Scalable kernel methods via doubly stochastic gradients, NIPS
// 2014. Where the text's step size theta/t would diverge, nu small, use [ShiftedStep],
// which has the same rate, or none.
package kernelmachine
