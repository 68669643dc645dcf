// Package inference computes posterior distributions from data that come in batches: particle mirror descent
// and the samplers and variational methods that it is compared with.
//
// A [Model] has a prior and a likelihood that can be evaluated at many parameters at once; values are enough, no
// gradients are needed. [MirrorDescent] returns weighted particles that are a density, too:
//
//	model := &inference.TiedMixture{X: x, Weight: 0.5, Sigma: 2.5, Scale1: 1, Scale2: 1}
//	q, err := inference.MirrorDescent(ctx, model, nil, rng)
//	q.Mean()                      // of the posterior
//	err = q.LogDensity(ctx, dst, points)
//
// The posterior minimises E_q[-log likelihood] + KL(q || prior) over densities q. A step of stochastic mirror descent
// with a batch of B of N observations and the step size gamma is
//
//	q'  ~  q^(1-gamma) prior^gamma likelihood(batch)^(gamma N/B)
//
// and keeps every mode. Where the prior covers the posterior, particles drawn from it once are weighted anew in every
// step ([Settings].KernelSteps = 0); otherwise a kernel density estimate follows, from which particles are drawn in
// every step. The default does the second first and the first then. On a [Grid] the step is exact.
//
// With step sizes of order 1/t the divergence from the posterior falls as 1/T for an exact step (theorem 15 of the
// source), integrals against m particles have errors of order 1/sqrt(m) after T ~ m steps (theorem 18), and a step's
// density estimate errs by m^(-2/(d+4)) in L1 (theorem 17, Gaussian kernel): density estimates are for low dimensions.
//
// Where part of the parameters has a closed form given the others the particles are of the others alone:
// [SparseGaussianProcess] over sets of inducing inputs, [TopicMirrorDescent] for latent Dirichlet allocation.
//
// The rivals: [Langevin] (SGLD), [SteinVariational], [MonteCarlo] (one pass of sequential Monte Carlo), [TiedMixture.Gibbs] and
// [LogisticRegression.Gibbs], [TiedMixture.Variational] and [LogisticRegression.Variational] (stochastic variational
// inference), [NonparametricVariational]; for topics [TopicVariational], [TopicLangevin] (Riemannian), [TopicMonteCarlo] and
// [CollapsedGibbs].
//
// Settings that are nil, and a Batch that is 0, are for any number of observations: where there are fewer than the default batch has, it holds
// all of them.
//
// Densities are judged by [GridDensity.TotalVariation], [GridDensity.CrossEntropy] and [GridDensity.Mass], weights by
// [EffectiveSize], chains by [ChainSize], topics by [Topics.Perplexity]. A [Trace] of a run is drawn by plotting's Figure.Curves, a
// density in one coordinate by [KDE.Marginal] and a line, in two by [GridDensity.Matrix] and contours.
//
// Sources: B. Dai, Learning over functions, distributions and dynamics via stochastic optimization, Georgia Institute of
// Technology 2018, chapter 4; Dai, He, Dai and Song, Provable Bayesian inference via particle mirror descent, AISTATS
// 2016. The text's formula for weights holds for particles drawn from the prior; after density estimates the
// density that particles were drawn from is divided out here, without which the limit is another density.
package inference
