// Package boosting fits functions by gradient descent in a reproducing kernel
// Hilbert space and stops early: L2Boost, LogitBoost and AdaBoost with a kernel
// for the weak learner, and rules that say when to stop without a second
// parameter.
//
//	design, err := boosting.NewDesign(ctx, rkhs.Min{Offset: 1}, x) // x is n x 1, in [0, 1]
//	path, err := boosting.Boost(ctx, design, y, nil)               // squared loss, 200 iterations
//	spectrum, err := design.Spectrum(ctx)
//	radius, err := boosting.CriticalRadius(spectrum.Values, spectrum.N, sigma)
//	stop := boosting.CalibratedStop(radius.Squared(), 0.75) // iterations that suffice
//
// One step is f <- f - alpha K g, where K_ij = k(x_i, x_j)/n and g_i is the
// derivative of the loss at y_i and f_i: the steepest descent of the mean loss in
// the norm of the RKHS. A [Booster] can be stepped; [Boost] runs it and records
// the path. [Squared], [Logistic] and [Exponential] are the losses. For squared
// loss [SquaredPath] gives any iterate, fitted or predicted, from the eigenvalues
// of K in closed form.
//
// # Designs
//
// [NewDesign] takes any kernel. Products with K cost n^2, or n for the kernel
// offset + min(x, y) of the first-order Sobolev space on the line. For large n,
// [NewNystrom] and [NewFeatures] take r columns in place of n: products cost n r.
//
// # When to stop
//
// The critical radius delta_n is where the local Gaussian complexity of the unit
// ball meets delta^2/sigma ([CriticalRadius], from the eigenvalues). About
// 1/(alpha delta_n^2) steps reach the error of kernel ridge regression at lambda =
// delta_n^2 ([CalibratedStop], [Ridge]); [CorollaryStop] and [TheoremCap] are what
// the theory proves, with small constants; [PolynomialStop] and [ExponentialStop]
// need the decay of the eigenvalues only. [Settings.Validation] and
// [CrossValidate] hold data out; [Oracle] needs the truth.
//
// # What is guaranteed
//
// For steps of at most min(1/M, M) and T up to m/(8 M delta_n^2), the average of
// the first T iterates has ||f - f*||_n^2 at most C (1/(alpha m T) + delta_n^2/m^2)
// with high probability, where m and M bound the loss's curvature (theorem 3);
// that is minimax for regular kernels (corollary 4). The theory asks for k(x, x) <=
// 1; offset 1 + min has 2. In sample the loss does not rise while alpha M
// lambda_max(K) <= 1, and steps at or above 2/(M lambda_max) are refused.
//
// [Stumps], AdaBoost by reweighting on decision stumps, is here for comparison.
//
// Sources: Wei, Yang & Wainwright 2017 and Yang 2018, chapter 3 (equation numbers
// are the latter's); Raskutti, Wainwright & Yu 2014 for squared loss; Freund &
// Schapire 1997 for stumps.
package boosting
