package studies

import (
	"fmt"
	"math"
)

// functionsClaims are those of chapter 3 of Dai 2018.
var functionsClaims = []Claim{
	rateClaim("dai-3.4-rate", "With a point and a feature a step the squared error of doubly stochastic gradients to the exact solution falls as 1/t.", 1, -.9),
	rateClaim("dai-3.4-blocks", "So it does with blocks (here 16 points and 16 features a step).", 16, -.85),
	{
		ID: "dai-3.4-norma", Source: dai, Place: "Figure 3.4 (3)", Study: "functions-ridge", Notebook: "functions#Beside the rivals",
		Statement: "In one pass doubly stochastic ridge regression comes to the test error of NORMA.",
		Judge: func(e *Evidence) (string, bool) {
			doubly, norma := e.least("testError", "method", "doubly"), e.least("testError", "method", "NORMA")
			return fmt.Sprintf("test error %s, NORMA %s, each at its best step", doubly.mean(), norma.mean()), doubly.Mean <= 1.05*norma.Mean
		},
		Tried: "Steps 4, 16, and 10 that falls after 96 steps, for both. The shorter the pass, the farther apart the two are: the text has 2^20 points.",
	},
	{
		ID: "dai-3.4-rank", Source: dai, Place: "Figure 3.4 (3)", Study: "functions-ridge", Notebook: "functions#Beside the rivals",
		Statement: "Pegasos and SDCA on 2^8 features or landmarks are worse after the pass: their rank is a plateau.",
		Judge: func(e *Evidence) (string, bool) {
			doubly := e.least("error", "method", "doubly")
			agrees, found := true, ""
			for _, m := range []string{"r-Pegasos", "n-Pegasos", "r-SDCA", "n-SDCA"} {
				rival := e.least("error", "method", m)
				agrees = agrees && rival.Mean > doubly.Mean
				found += fmt.Sprintf("%s %.3g, ", m, rival.Mean)
			}
			return found + fmt.Sprintf("doubly %.3g: error to the function without noise", doubly.Mean), agrees
		},
		Tried: "With 2^16 points or fewer a rank of 2^8 holds nearly all of this function, and the best of its solvers is better after one pass. The plateau is seen at rank 2^6 and below.",
	},
	{
		ID: "dai-3.4-plateau", Source: dai, Place: "Figure 3.4 (3)", Study: "functions-ridge", Notebook: "functions#Beside the rivals",
		Statement: "A low rank cannot reach it (exact solutions of rank 2^6).",
		Judge: func(e *Evidence) (string, bool) {
			doubly := e.least("error", "method", "doubly")
			r, n := e.at("error", "method", "r-ridge", "rank", 64), e.at("error", "method", "n-ridge", "rank", 64)
			return fmt.Sprintf("error of 64 random features %s, of 64 landmarks %s, doubly %s", r.mean(), n.mean(), doubly.mean()), min(r.Mean, n.Mean) >= 5*doubly.Mean
		},
	},
	{
		ID: "dai-3.5", Source: dai, Place: "Figure 3.5", Study: "functions-process", Notebook: "functions#Gaussian processes",
		Statement: "Posterior mean and variance of a Gaussian process by doubly stochastic gradients converge to the exact ones, comparably to NORMA.",
		Judge: func(e *Evidence) (string, bool) {
			at := func(field, method string) CompactNumber { return e.at(field, "method", method, "factor", .2) }
			m, v := at("finalMean", "doubly"), at("finalVariance", "doubly")
			return fmt.Sprintf("squared error of the mean %s (NORMA %s), of the variance %s (NORMA %s), bandwidth 0.2 of the median distance",
				m.mean(), at("finalMean", "NORMA").mean(), v.mean(), at("finalVariance", "NORMA").mean()), m.Mean <= 1e-3 && v.Mean <= 1e-3
		},
	},
	{
		ID: "dai-3.6-adult", Source: dai, Place: "Figure 3.6 (1), (4) (stand-in)", Study: "functions-svm", Notebook: "functions#Beside the rivals",
		Statement: "Adult: one pass of doubly stochastic gradients is within a point of the exact support vector machine.",
		Judge: func(e *Evidence) (string, bool) {
			doubly, exact := e.at("onePass", "data", "adult", "method", "doubly"), e.at("best", "data", "adult", "method", "k-SDCA")
			return fmt.Sprintf("test error %s, exact %s", doubly.mean(), exact.mean()), doubly.Mean <= exact.Mean+.01
		},
	},
	{
		ID: "dai-3.6-digits", Source: dai, Place: "Figure 3.6 (2), (5) (stand-in)", Study: "functions-svm", Notebook: "functions#Beside the rivals",
		Statement: "Digits 8 and 6: doubly stochastic gradients are best, under both stopping rules.",
		Judge: func(e *Evidence) (string, bool) {
			agrees, found := true, "least test error: "
			doubly := e.at("best", "data", "digits", "method", "doubly")
			for _, m := range []string{"NORMA", "k-SDCA", "r-SDCA", "n-SDCA", "r-Pegasos", "n-Pegasos"} {
				rival := e.at("best", "data", "digits", "method", m)
				agrees = agrees && doubly.Mean <= rival.Mean+.001
				found += fmt.Sprintf("%s %.4f, ", m, rival.Mean)
			}
			return found + fmt.Sprintf("doubly %.4f", doubly.Mean), agrees
		},
		Tried: "The stand-in has a few hundred originals, shifted and turned, in place of 1.6 million digits: on so few a low rank is enough.",
	},
	{
		ID: "dai-3.6-forest", Source: dai, Place: "Figure 3.6 (3), (6) (stand-in)", Study: "functions-svm", Notebook: "functions#Beside the rivals",
		Statement: "Forest, whose kernel matrix has no low rank: doubly stochastic gradients are much better than Pegasos on 2^8 features, and all but as good as NORMA.",
		Judge: func(e *Evidence) (string, bool) {
			best := func(method string) CompactNumber {
				a := e.at("onePass", "data", "cells .6", "method", method)
				if b := e.at("onePass", "data", "cells .35", "method", method); b.Mean < a.Mean {
					return b
				}
				return a
			}
			doubly, norma, r, n := best("doubly"), best("NORMA"), best("r-Pegasos"), best("n-Pegasos")
			return fmt.Sprintf("test error after one pass: doubly %s, NORMA %s, r-Pegasos %s, n-Pegasos %s", doubly.mean(), norma.mean(), r.mean(), n.mean()),
				min(r.Mean, n.Mean)-doubly.Mean >= .03 && norma.Mean <= doubly.Mean+.005
		},
	},
	{
		ID: "dai-3.7-classes", Source: dai, Place: "Figure 3.7 (1)-(3) (stand-in)", Study: "functions-classes", Notebook: "functions#Beside the text",
		Statement: "Kernel logistic regression on a network's features is as good as the network. (Digits through a random layer; both on the same inputs.)",
		Judge: func(e *Evidence) (string, bool) {
			doubly, network := e.at("final", "method", "doubly"), e.at("final", "method", "network")
			return fmt.Sprintf("test error %s, network %s", doubly.mean(), network.mean()), doubly.Mean <= network.Mean+.01
		},
	},
	{
		ID: "dai-3.7-molecules", Source: dai, Place: "Figure 3.7 (4)-(5) (stand-in)", Study: "functions-molecules", Notebook: "functions#Beside the text",
		Statement: "Energies of molecules are predicted better than by a network, or as well.",
		Judge: func(e *Evidence) (string, bool) {
			doubly, network := e.at("all", "method", "doubly", "atoms", 8), e.at("all", "method", "network", "atoms", 8)
			return fmt.Sprintf("mean absolute error, in standard deviations: %s, network %s", doubly.mean(), network.mean()), doubly.Mean <= 1.1*network.Mean
		},
	},
	{
		ID: "dai-3.8", Source: dai, Place: "Figure 3.8 (stand-in)", Study: "functions-molecules", Notebook: "functions#Beside the text",
		Statement: "Averaging predictions over random representations of a molecule helps.",
		Judge: func(e *Evidence) (string, bool) {
			one, all := e.at("one", "method", "doubly", "atoms", 8), e.at("all", "method", "doubly", "atoms", 8)
			return fmt.Sprintf("error %s with 20 representations, %s with one", all.mean(), one.mean()), all.Mean <= .9*one.Mean
		},
	},
	{
		ID: "dai-cor35", Source: dai, Place: "Theorem 11, corollary 35", Test: "kernelmachine.TestRateOfSinglePoints",
		Statement: "The rate 1/t holds for the last iterate and for the mean of the iterates.",
	},
	{
		ID: "dai-memory", Source: dai, Place: "Tables 3.2 and 3.3", Test: "kernelmachine.TestCostGrowsLinearly",
		Statement: "Step t costs a multiple of t. What is stored does not grow with the dimension.",
	},
	{
		ID: "dai-gp", Source: dai, Place: "Section 3.3.1, appendix A", Test: "kernelmachine.TestVarianceOperatorIsUnbiased",
		Statement: "The operator of the posterior variance in random features is unbiased.",
	},
}

// rateClaim is a line of figure 3.4 (2).
func rateClaim(id, statement string, block int, most float64) Claim {
	return Claim{
		ID: id, Source: dai, Place: "Figure 3.4 (2)", Study: "functions-rate", Notebook: "functions#The rate", Statement: statement,
		Judge: func(e *Evidence) (string, bool) {
			steps, errs := e.path("steps", "block", block), e.path("last", "block", block)
			from := min(2, len(steps)) // the first steps are on the way
			text, s := e.slope(steps[from:], errs[from:])
			end := e.at("finalLast", "block", block)
			return fmt.Sprintf("power %s of t; at the end %s", text, end.mean()), s <= most
		},
		Tried: "With the text's nu = 1e-6 the rate is not entered within any number of steps that can be run; nu = 0.1 and 0.01 show it.",
	}
}

// dynamicsClaims are those of chapter 5 of Dai 2018.
var dynamicsClaims = []Claim{
	unbuilt("dai-5.1", "Figure 5.1", "Dual embeddings learn a function seen through a conditional expectation; the dual goes to 0."),
	unbuilt("dai-5.2-noise", "Figure 5.2 (a)", "With noisy inputs they are far better than gradients that ignore the noise or use virtual samples."),
	unbuilt("dai-5.2-molecules", "Figure 5.2 (b)", "On molecules the other two stall."),
	unbuilt("dai-5.3", "Figure 5.3", "In policy evaluation they have the least Bellman error, before GTD2 and residual gradients."),
}

// unbuilt is a claim that nothing can decide yet.
func unbuilt(id, place, statement string) Claim {
	return Claim{ID: id, Source: dai, Place: place, Statement: statement, Tried: "No study of this is registered."}
}

const controlNotebookSBEED = "reinforcement#Beside others"

// controlClaims are those of chapter 6 of Dai 2018.
var controlClaims = []Claim{
	{
		ID: "dai-6-eta", Source: dai, Place: "Section 6.3", Study: "sbeed-tabular", Notebook: "reinforcement#What the dual is for",
		Statement: "The dual takes the bias out of squared Bellman errors: the error of V falls as eta grows and is gone at eta = 1 (exact expectations).",
		Judge: func(e *Evidence) (string, bool) {
			var errs []digit
			found := "largest error of V: "
			for i, eta := range e.values("eta") {
				n := e.at("error", "problem", "whole", "expectations", "population", "eta", eta)
				errs = append(errs, n.Mean)
				if i > 0 {
					found += ", "
				}
				found += fmt.Sprintf("%.2g at eta = %v", n.Mean, eta)
			}
			return found, falling(errs...) && errs[len(errs)-1] <= 1e-3
		},
	},
	{
		ID: "dai-6-samples", Source: dai, Place: "Algorithm 12", Study: "sbeed-tabular", Notebook: "reinforcement#What the dual is for",
		Statement: "So it is with one sampled next state at a time.",
		Judge: func(e *Evidence) (string, bool) {
			at := func(eta float64) CompactNumber {
				return e.at("error", "problem", "whole", "expectations", "samples", "eta", eta)
			}
			return fmt.Sprintf("largest error of V: %s at eta = 0, %s at eta = 1", at(0).mean(), at(1).mean()), at(1).Mean <= .05 && at(0).Mean >= .2
		},
	},
	ablationClaim("dai-6.1-eta", "eta", "Of the values of eta one between 0 and 1 is best."),
	ablationClaim("dai-6.1-k", "k", "Of the numbers of steps k one in the middle is best."),
	ablationClaim("dai-6.1-lambda", "lambda", "Of the values of lambda one in the middle is best."),
	returnsClaim("dai-6.2-pendulum", "Figure 6.2 (1)", "Pendulum: SBEED learns better than TRPO, dual actor-critic and DDPG.", "sbeed-comparison", "pendulum", "SBEED", "TRPO", "Dual-AC", "DDPG"),
	returnsClaim("dai-6.2-double", "Figure 6.2 (2) (stand-in)", "Inverted double pendulum: the same.", "sbeed-comparison", "double-pendulum", "SBEED", "TRPO", "Dual-AC", "DDPG"),
	returnsClaim("dai-6.2-cheetah", "Figure 6.2 (3) (stand-in)", "Cheetah: the same.", "sbeed-comparison", "cheetah", "SBEED", "TRPO", "Dual-AC", "DDPG"),
	returnsClaim("dai-6.2-swimmer", "Figure 6.2 (4) (stand-in)", "Swimmer: the same.", "sbeed-comparison", "swimmer", "SBEED", "TRPO", "Dual-AC", "DDPG"),
	returnsClaim("dai-6.2-hopper", "Figure 6.2 (5) (stand-in)", "Hopper: the same.", "sbeed-comparison", "hopper", "SBEED", "TRPO", "Dual-AC", "DDPG"),
	returnsClaim("dai-d.1-pendulum", "Figure D.1 (1)", "On policy SBEED is better than TRPO and dual actor-critic or as good: pendulum.", "sbeed-onpolicy", "pendulum", "SBEED on-policy", "TRPO", "Dual-AC"),
	returnsClaim("dai-d.1-swimmer", "Figure D.1 (4) (stand-in)", "Swimmer: the same.", "sbeed-onpolicy", "swimmer", "SBEED on-policy", "TRPO", "Dual-AC"),
	{
		ID: "dai-6-contraction", Source: dai, Place: "Section 6.3.1", Test: "rl.TestSmoothedBellmanIsAContraction", Notebook: "reinforcement#The smoothed Bellman equation",
		Statement: "The smoothed Bellman operator is a contraction; its bias is at most lambda log A/(1 - gamma).",
	},
	{
		ID: "dai-d2", Source: dai, Place: "Equations D.2 and D.4", Test: "rl.TestWindowsAreConsistentAtTheSolution",
		Statement: "The smoothed solution is consistent over k steps and over traces of them.",
	},
}

// ablationClaim is a panel of figure 6.1.
func ablationClaim(id, varied, statement string) Claim {
	return Claim{
		ID: id, Source: dai, Place: "Figure 6.1 (" + varied + ", stand-in)", Study: "sbeed-ablation", Notebook: "reinforcement#A pendulum", Statement: statement,
		Judge: func(e *Evidence) (string, bool) {
			values := e.values("value", "varied", varied, "environment", "pendulum-noisy")
			best, found := 0, "final return on a noisy pendulum: "
			var finals []digit
			for i, v := range values {
				n := e.at("final", "varied", varied, "environment", "pendulum-noisy", "value", v)
				finals = append(finals, n.Mean)
				if n.Mean > finals[best] {
					best = i
				}
				if i > 0 {
					found += ", "
				}
				found += fmt.Sprintf("%s at %v", n.mean(), v)
			}
			if len(values) < 3 {
				e.lack("three values of "+varied, nil)
			}
			return found, best > 0 && best < len(values)-1
		},
		Tried: "A few seeds, whose spread is wide: the means of neighbouring values are not told apart.",
	}
}

// returnsClaim compares the mean return of the last fifth of a run.
func returnsClaim(id, place, statement, study, environment, method string, rivals ...string) Claim {
	return Claim{
		ID: id, Source: dai, Place: place, Study: study, Notebook: controlNotebookSBEED, Statement: statement,
		Judge: func(e *Evidence) (string, bool) {
			at := func(m string) CompactNumber { return e.at("final", "environment", environment, "method", m) }
			agrees := true
			for _, m := range rivals {
				slack := digit(0)
				if study == "sbeed-onpolicy" { // better or as good
					slack = digit(math.Hypot(float64(at(m).StdErr), float64(at(method).StdErr)))
				}
				agrees = agrees && at(method).Mean > at(m).Mean-slack
			}
			return "final return: " + listed(append([]string{method}, rivals...), func(m string) string { return at(m).mean() }), agrees
		},
		Tried: "Runs are of minutes, a fraction of the text's steps, so that 15,000 to 30,000 steps of the environment decide.",
	}
}
