// Package filtering estimates the hidden states of a state-space model from
// observations that arrive one after the other: exactly where that is possible
// (Kalman filters and their mixtures), and by particle filters elsewhere.
//
// A model says how the state moves and how likely an observation is, for all
// particles in one call. Every filter runs the same template: represent the
// predictive distribution, a Gaussian mixture, by N weighted points; weigh them
// by the likelihood of the observation; go on. The filters differ only in how
// they choose the points (Lacoste-Julien, Lindsten & Bach, Sequential kernel
// herding: Frank-Wolfe optimization for particle filtering, AISTATS 2015):
// at random ([MonteCarlo], the bootstrap filter), by quasi-Monte Carlo ([Sobol],
// [SequentialQMC]), or by kernel herding ([Herding]).
//
//	model := filtering.NonlinearBenchmark()
//	settings := filtering.DefaultSettings()
//	settings.Points = filtering.Herding
//	settings.Bandwidth = math.Sqrt(0.1)
//	result, err := filtering.Run(ctx, model, Y, settings, rng)
//	// result.Means, result.LogLikelihood, result.EffectiveSize ...
//
// Models come as functions ([Model], [Sampler]) or as matrices ([LinearGaussian],
// [JumpMarkov]); of a [ConditionallyLinear] model only the nonlinear part is
// sampled. [Kalman], [ExactJump], [ExtendedKalman] and [UnscentedKalman] need no
// particles; [Guided] looks at the next observation first; [BackwardSimulation] and
// [FixedLag] look back; [PMMH] and [FitLinear] learn parameters. [NewPlanarRobot] and [NewFlight]
// are localisation problems.
//
// Observations are the rows of Y; row t-1 is y_t, and time counts from 1.
package filtering
