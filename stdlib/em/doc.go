// Package em fits hidden Markov models by expectation maximisation.
//
//	start := em.Model{
//		Start:      []float64{0.5, 0.5},
//		Transition: mat.NewDense(2, 2, []float64{0.9, 0.1, 0.1, 0.9}),
//		Output:     &em.Gaussian{Means: means, Variances: variances, Kind: em.Diagonal},
//	}
//	fit, err := em.BaumWelch(ctx, start, x, nil)
//	path, logp, err := fit.Model.Viterbi(x)
//	post, err := fit.Model.Smooth(x) // post.State.At(i, j) = P(z_i = j | x)
//
// Outputs are [Categorical], [Gaussian] (spherical, diagonal, full or tied
// covariances), [GaussianMixture], [Poisson], or anything else that implements
// [Output]; [Missing] is one of them with observations that are missing. [StartGaussian]
// and [BestOf] find starts, [Model.Sorted] gives states a fixed order. [Model.StandardErrors]
// says how far a maximum likelihood fit can be trusted, [Model.Predictive] what it says of
// each observation before it is seen, and of those to come. A [Mixture] of the
// same outputs describes independent observations; [FitMixture] fits it.
//
// A sequence of n observations in R^d is an n x d matrix, one row an
// observation. Symbols of a categorical output are a column of whole numbers;
// [Symbols] makes it.
//
// # Arithmetic
//
// The recursions are scaled twice: each observation's densities by the largest of
// the states, each filter by its sum. Sequences of 10^6 steps and densities that
// underflow in every state are no trouble. States that the past excludes are
// taken out of the backward recursion, where they would grow without bound
// in left-to-right models.
//
// # What is guaranteed
//
// Smooth and Viterbi are exact. The log-likelihood does not fall from one
// iteration of Baum-Welch to the next (with pseudo-counts, the log-posterior does
// not; both are in [Fit]): every M-step is exact, under the floor of variances and
// with priors too, and an objective that falls by more than rounding ends the fit
// with a [Fall]. A state that loses all its weight keeps its
// parameters, and Fit.Lost says when. Baum-Welch finds a stationary point near
// its start, not the best fit.
//
// For the symmetric model of Yang 2018 there are the population operator
// ([Population]), the constants of its chain and bounds ([Model.Mixing], [Theory]),
// conditional covariances and the measures of its figures
// ([SymmetricFit.Convergence]).
//
// Sources: Baum, Petrie, Soules & Weiss 1970; Rabiner 1989; Yang 2018, chapter 2,
// for the model with two symmetric states ([Symmetric], [FitSymmetric]) and the
// guarantees.
package em
