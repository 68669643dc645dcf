// Package embedding learns functions whose objective holds conditional expectations of
// them, from one draw of each condition: dual embeddings.
//
// The problem is to minimise over f
//
//	E_x l_y( E_{z|x}[ f(z, x) ] )
//
// for a convex loss l_y, where each x comes with a single draw of z. A gradient of it
// needs the inner expectation, and putting the draw in its place biases the answer. With
// the conjugate of the loss it is a saddle point without it,
//
//	min_f max_u  E_{x,y,z}[ f(z, x) u(x, y) - l*_y(u(x, y)) ],
//
// that stochastic gradients reach ([Solver]): Embedding-SGD, at the rate 1/sqrt(t) for f
// and u in balls of a reproducing kernel Hilbert space, one draw a step. Learning with
// invariances is of this form (z a transformed copy of x), and so is whatever satisfies a
// linear equation in the next state of a process: the value of a policy ([Bellman]),
// linearly solvable control ([Desirability]), hitting times ([HittingTimes]).
//
//	phi, err := rkhs.NewRandomFeatures(rkhs.Gaussian{Bandwidth: 0.1}, 2, 1024, rng)
//	v, u := embedding.NewLinear(phi), embedding.NewLinear(phi) // tied features: GTD2
//	solver, err := embedding.NewSolver(kernelmachine.Squared{}, v, u, nil)
//	for range 4000 {
//		s, reward, next := draw(20)                      // matrices of states, by rows
//		batch, err := embedding.Bellman(&embedding.Transitions{States: s, Next: next}, reward, 0.9)
//		if err == nil {
//			err = solver.Step(ctx, batch)
//		}
//	}
//	values, err := v.Mean(ctx, states)
//
// A [Function] is what f and u are made of, in any combination: weights of fixed features
// ([NewLinear]), cells of a table ([NewTable]), the kernel at the points seen
// ([NewKernel]), fresh random features in every step ([NewDoublyStochastic]), a network
// ([NewNetwork]).
//
// The rivals: [Descent] on the residual of one draw or the mean of several (sample average,
// virtual samples, residual gradient, TD(0)), and on an estimated conditional expectation
// ([Conditional]: kernel conditional embeddings, kernel MDP and its random-feature form).
// [QIteration] is policy iteration with action values learnt by dual embedding.
//
// Source: B. Dai, Learning over functions, distributions and dynamics via stochastic
// optimization, Georgia Institute of Technology 2018, chapter 5 and appendix C; Dai, He,
// Pan, Boots and Song, Learning from conditional distributions via dual embeddings, AISTATS
// 2017. Where its listings differ from its equations the equations are built: new
// coefficients enter Algorithm 6 with a minus and unshrunk, and next states at the target
// of a hitting time are masked, not renormalised.
package embedding
