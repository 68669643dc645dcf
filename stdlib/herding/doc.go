// Package herding chooses points and weights that stand for a distribution:
// quadrature rules that integrate the functions of a reproducing kernel Hilbert
// space far better than as many random draws.
//
// A rule is built for a target, the mean embedding of a distribution p under a
// kernel (package rkhs), from a pool of candidate points:
//
//	rng := rand.New(rand.NewPCG(1, 0))
//	p, err := dataset.RandomMixture(100, 2, rng)
//	target, err := rkhs.Embed(rkhs.Gaussian{Bandwidth: 1}, p)
//	pool, err := herding.SamplePool(ctx, target, p, 50000, rng)
//
//	fw, err := herding.FrankWolfe(ctx, pool, 200, nil) // kernel herding
//	fc, err := herding.FrankWolfe(ctx, pool, 200, &herding.Settings{Step: herding.FullyCorrective})
//	mc, err := herding.MonteCarlo(ctx, target, p, 200, rng)
//	qmc, err := herding.QuasiMonteCarlo(ctx, target, p, 200, nil) // Sobol
//
// Every [Rule] carries the trace of its construction: fw.MMD[n-1] is the maximum
// mean discrepancy between p and the rule after n points, fw.MeanError(p.Mean())
// the error of its mean, herding.Slope(fw.MMD, 2) the rate at which it fell, and
// fw.At(n) the weighted sample that it was.
//
// Other ways to build a rule: [Greedy] chooses points for free weights (weighted
// kernel herding, sequential Bayesian quadrature, P-greedy), [Distributed] does so
// on parts of the pool, [Quadrature] adds and removes points one by one, and
// [Reweight] finds the best weights of given points. With [FitLogistic] and
// [FisherFeatures] they summarise data (Khanna, Hodgkinson & Mahoney, Geometric
// rates of convergence for kernel-based sampling algorithms, UAI 2021).
//
// [FrankWolfe] minimises the squared MMD over the convex hull of the pool
// (Lacoste-Julien, Lindsten & Bach, Sequential kernel herding: Frank-Wolfe
// optimization for particle filtering, AISTATS 2015).
// Its guarantee for a pool of M draws from p and n points of kernel herding is
// an MMD of O(n^(-1/2) + M^(-1/4)) (appendix B); what is seen with Gaussian
// kernels is much better, near 1/n.
package herding
