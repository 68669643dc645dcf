package studies

import (
	"fmt"
	"math"
)

const returnsNotebook = "reinforcement#Beside others"

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
		ID: id, Source: dai, Place: place, Study: study, Notebook: returnsNotebook, Statement: statement,
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
