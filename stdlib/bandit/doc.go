// Package bandit finds the best of several arms against a control, with
// confidence bounds and p-values that hold at every moment at once: look at them
// as often as you like and stop when you like.
//
//	arms := bandit.Gaussian{Means: []float64{0, 0.3, 1}, Sigma: 1} // arm 0 is the control
//	res, err := bandit.BestArm(ctx, arms, 0.05, nil, rng)
//	res.Best // 2, with probability at least 0.95
//	res.P    // p-value of "no arm is better than the control"
//
// [BestArm] is algorithm 1 of Yang 2018, chapter 4 (Yang, Ramdas, Jamieson &
// Wainwright 2017): LUCB with a control and a slack epsilon. An arm must beat the
// control by epsilon to be worth a change. Its rivals share its p-values, for
// comparison: uniform sampling (A/B/n testing), plain LUCB, successive elimination,
// lil'UCB and top-two Thompson sampling. Of these only uniform sampling knows
// of the control and of epsilon; the others look for the best arm of all, the
// control among them.
//
// # What is guaranteed
//
// For sigma-sub-Gaussian rewards that are independent given the arm, with
// probability at least 1 - delta: if no arm is within epsilon above the control,
// the answer is 0; if an arm is more than epsilon better than the control, the
// answer is such an arm whose mean is at most epsilon below the best (proposition
// 2). Under the null "no mean exceeds the control's by more than epsilon" the
// p-value satisfies P(p <= a) <= a at any stopping time (proposition 1).
//
// # The radius
//
// Half the width of a bound after n pulls is
//
//	phi_n(delta) = sigma sqrt(2 beta(delta, n) / n),
//	beta(delta, n) = L + 3 log L + 1.5 log(1 + log n),  L = log(1/min(delta, 0.1)).
//
// The source prints sqrt(beta/n), which is this with sigma^2 = 1/2 and is not
// valid for rewards of unit variance at small delta: the exact probability that
// the first reward exceeds it is 1.6e-6 at delta = 1e-6. Settings.Factor =
// sqrt(1/2) gives the printed one.
package bandit
