// Package rkhs computes with positive-definite kernels and with distributions
// as elements of their reproducing kernel Hilbert spaces: Gram matrices, mean
// embeddings, maximum mean discrepancies, random features, bandwidths.
//
// A [Kernel] is any symmetric positive-definite function of two points; the
// usual ones are here, and sums, products and multiples of them. A [Measure] is
// a weighted sample, a [Distribution] anything that can be sampled. [Embed]
// turns a kernel and a distribution into the mean embedding
//
//	mu_p(x) = E k(x, X),  X distributed as p,
//
// in closed form where there is one (a Gaussian mixture under the Gaussian
// kernel, a box, a weighted sample), and [MMD] measures how far a weighted
// sample is from the distribution:
//
//	rng := rand.New(rand.NewPCG(1, 0))
//	p, err := rkhs.NewIsotropicMixture([]float64{0.3, 0.7},
//		mat.NewDense(2, 2, []float64{-1, 0, 2, 1}), []float64{1, 0.5})
//	e, err := rkhs.Embed(rkhs.Gaussian{Bandwidth: 1}, p)
//	d, err := rkhs.MMD(ctx, e, rkhs.Uniform(p.Sample(rng, 100)))
//
// For n independent draws E MMD^2 = (E k(X, X) - |mu_p|^2) / n exactly; with
// well-chosen points it is far smaller (package herding).
//
// [NewFeatureSource] makes random features of some twenty kernels block by block
// from a seed, so that they need not be kept; [NewRandomFeatures] draws a fixed
// number of them.
//
// Points are rows: n points in R^d are an n x d matrix. Gram matrices are not
// divided by n. Work is spread over all cores, and no result depends on their
// number.
package rkhs
