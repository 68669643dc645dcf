package studies

import (
	"fmt"
	"strings"
)

// dynamicsClaims are those of chapter 5 of Dai 2018.
var dynamicsClaims = []Claim{
	{
		ID: "dai-5.1", Source: dai, Place: "Figure 5.1", Study: "dynamics-toy", Notebook: "dynamics#Figure 5.1: a function behind a blur",
		Statement: "Dual embeddings learn a function seen through a conditional expectation; the dual goes to 0.",
		Judge: func(e *Evidence) (string, bool) {
			agrees, found := true, []string{}
			for _, form := range []string{"features", "doubly stochastic"} {
				f, u := e.at("errorRatio", "form", form, "batch", 20), e.at("uRatio", "form", form, "batch", 20)
				found = append(found, fmt.Sprintf("%s: squared error at the end over that at first %s, size of the dual over that after 50 steps %s", form, f.mean(), u.mean()))
				agrees = agrees && f.Mean <= .05 && u.Mean <= .25
			}
			return strings.Join(found, "; "), agrees
		},
		Tried: "Batches of 20 are judged; those of 50 are recorded too.",
	},
	{
		ID: "dai-5.2-noise", Source: dai, Place: "Figure 5.2 (a)", Study: "dynamics-measurements", Notebook: "dynamics#Figure 5.2 (a): inputs measured with an error",
		Statement: "With noisy inputs dual embeddings come to a squared error of 0.0029, far below gradients of sample averages and those of virtual samples.",
		Judge: func(e *Evidence) (string, bool) {
			at := func(m string) CompactNumber { return e.least("error", "method", m) }
			dual := at("dual").Mean
			return "squared error, each at its best settings: " + listed([]string{"dual", "sample average", "virtual samples"}, func(m string) string { return at(m).mean() }),
				dual <= .006 && at("sample average").Mean >= 2*dual && at("virtual samples").Mean >= 8*dual
		},
	},
	{
		ID: "dai-5.2-molecules", Source: dai, Place: "Figure 5.2 (b) (stand-in)", Study: "dynamics-molecules", Notebook: "dynamics#Figure 5.2 (b): molecules",
		Statement: "On molecules the other two stall.",
		Judge: func(e *Evidence) (string, bool) {
			at := func(m string) CompactNumber { return e.least("error", "method", m, "order", "any") }
			return "mean absolute error, in standard deviations, each at its best bandwidth: " + listed([]string{"dual", "sample average", "virtual samples"}, func(m string) string { return at(m).mean() }),
				at("dual").Mean <= .9*min(at("sample average").Mean, at("virtual samples").Mean)
		},
		Tried: "Orders of the atoms that are all alike, and those of noisy row norms; bandwidths of 0.25 to 1 of the median distance. The energy of these generated molecules does not depend on the order, so that the best function hardly varies over the orders: it then makes no difference on which side of the square the mean over them stands.",
	},
	policyClaim("dai-5.3-navigation", "Figure 5.3 (a)", "navigation"),
	policyClaim("dai-5.3-swingup", "Figure 5.3 (b) (stand-in)", "swing-up"),
	policyClaim("dai-5.3-arm", "Figure 5.3 (c) (stand-in)", "arm"),
	{
		ID: "dai-thm22", Source: dai, Place: "Theorem 22", Test: "embedding.TestGapRate",
		Statement: "The gap of the averages falls as the power -1/2 of the number of steps.",
	},
	{
		ID: "dai-5.3-gtd2", Source: dai, Place: "Appendix C.4", Test: "embedding.TestTiedIsGTD2",
		Statement: "With tied features the algorithm for policy evaluation is GTD2.",
	},
	{
		ID: "dai-5.3-residual", Source: dai, Place: "Chapter 5", Test: "embedding.TestResidualGradient",
		Statement: "The residual gradient goes to the least mean squared residual of single samples, which is not the value.",
	},
}

// policyClaim is a panel of figure 5.3, judged at every noise that the study has.
func policyClaim(id, place, problem string) Claim {
	return Claim{
		ID: id, Source: dai, Place: place, Study: "dynamics-policy", Notebook: "dynamics#Figure 5.3: the value of a policy",
		Statement: "In policy evaluation (" + problem + ") dual embeddings have the least Bellman error, then GTD2; residual gradients have the largest of the three.",
		Judge: func(e *Evidence) (string, bool) {
			agrees, found := true, []string{}
			for _, noise := range e.values("noise", "problem", problem) {
				at := func(m string) CompactNumber { return e.at("error", "problem", problem, "noise", noise, "method", m) }
				zero := e.at("zero", "problem", problem, "noise", noise, "method", "dual")
				methods := []string{"dual", "GTD2", "residual gradient"}
				if problem == "navigation" {
					methods = append(methods, "kernel MDP")
				}
				found = append(found, fmt.Sprintf("%s (of V = 0: %.3g)", listed(methods, func(m string) string { return at(m).mean() }), zero.Mean))
				if problem != "navigation" {
					found[len(found)-1] = fmt.Sprintf("with noise %v ", noise) + found[len(found)-1]
				}
				// Less than a twentieth is no difference.
				agrees = agrees && falling(zero.Mean, at("residual gradient").Mean, .95*at("GTD2").Mean, at("dual").Mean)
			}
			return "squared Bellman error " + strings.Join(found, "; "), agrees
		},
		Tried: policyTried[problem],
	}
}

// policyTried is what to know about panels of figure 5.3.
var policyTried = map[string]string{
	"swing-up": "Each method has its best settings of the text's grids. Seen by its raw angle the pole is the same to all methods, since no function of the features fits: the least Bellman error of any is a quarter of that of V = 0 (found by least squares), and a thirtieth with the angle's cosine and sine, which are used now.",
	"arm":      "Each method has its best settings of the text's grids. 2^8 features shared by both functions are enough here, and a dual with features of its own has nothing to add to GTD2.",
}
