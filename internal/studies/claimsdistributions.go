package studies

import "fmt"

// distributionClaims are those of chapter 4 of Dai 2018.
var distributionClaims = []Claim{
	{
		ID: "dai-4.1-modes", Source: dai, Place: "Figure 4.1", Study: "distributions-mixture", Notebook: "distributions#The experiment",
		Statement: "On a posterior with two modes particle mirror descent finds both.",
		Judge: func(e *Evidence) (string, bool) {
			n, truth := e.at("firstMode", "method", "PMD"), e.at("truth", "method", "PMD")
			found := fmt.Sprintf("mass of one mode %s, quartiles %.2g to %.2g; in truth %s", n.mean(), n.Q1, n.Q3, truth.mean())
			return found, within(float64(n.Q1), .3, .7) && within(float64(n.Q3), .3, .7)
		},
	},
	{
		ID: "dai-4.1-nearest", Source: dai, Place: "Figure 4.1", Study: "distributions-mixture", Notebook: "distributions#The experiment",
		Statement: "It is nearer to that posterior, in total variation, than sequential Monte Carlo, Gibbs sampling, Langevin dynamics and both variational methods.",
		Judge: func(e *Evidence) (string, bool) {
			methods := []string{"PMD", "SMC", "Gibbs", "SGLD", "SVI", "NPV"}
			agrees := true
			for _, m := range methods[1:] {
				agrees = agrees && e.at("finalVariation", "method", m).Mean > e.at("finalVariation", "method", "PMD").Mean
			}
			return "total variation: " + listed(methods, func(m string) string { return e.at("finalVariation", "method", m).mean() }), agrees
		},
	},
	{
		ID: "dai-4.1-smc", Source: dai, Place: "Figure 4.1 (1), text", Study: "distributions-mixture", Notebook: "distributions#The experiment",
		Statement: "SMC stops at a large error after its one pass.",
		Judge: func(e *Evidence) (string, bool) {
			smc, pmd := e.at("finalVariation", "method", "SMC"), e.at("finalVariation", "method", "PMD")
			return fmt.Sprintf("total variation %s, PMD at its end %s", smc.mean(), pmd.mean()), smc.Mean >= 1.25*pmd.Mean
		},
	},
	{
		ID: "dai-4.2-logistic", Source: dai, Place: "Figure 4.2 (1)", Study: "distributions-logistic", Notebook: "distributions#Logistic regression",
		Statement: "In Bayesian logistic regression it comes to the accuracy of stochastic variational inference.",
		Judge: func(e *Evidence) (string, bool) {
			methods := []string{"PMD", "SVI", "Laplace", "SGLD", "SMC"}
			return "accuracy: " + listed(methods, func(m string) string { return e.at("final", "method", m).mean() }),
				e.at("final", "method", "PMD").Mean >= e.at("final", "method", "SVI").Mean-.005
		},
	},
	{
		ID: "dai-4.2-process", Source: dai, Place: "Figure 4.2 (2)", Study: "distributions-process", Notebook: "distributions#Sparse Gaussian processes",
		Statement: "In sparse Gaussian processes it has the least error, before stochastic variational inference and a subset of the data.",
		Judge: func(e *Evidence) (string, bool) {
			methods := []string{"PMD", "SVI", "subset"}
			at := func(m string) CompactNumber { return e.at("final", "data", "factors", "method", m) }
			return "root mean squared error: " + listed(methods, func(m string) string { return at(m).mean() }),
				at("PMD").Mean <= 1.02*at("SVI").Mean && at("PMD").Mean < at("subset").Mean
		},
	},
	{
		ID: "dai-4.2-topics", Source: dai, Place: "Figure 4.2 (3) (stand-in)", Study: "distributions-topics", Notebook: "distributions#Topic models",
		Statement: "In topic models it has the least perplexity, before stochastic variational inference and Riemannian Langevin dynamics.",
		Judge: func(e *Evidence) (string, bool) {
			methods := []string{"PMD", "PMD 4", "SVI", "SGRLD", "SMC"}
			least := func(m string) CompactNumber { return e.least("final", "method", m) }
			return "perplexity at each one's best step: " + listed(methods, func(m string) string { return least(m).mean() }) +
					fmt.Sprintf("; true topics %.3g", e.least("floor", "method", "PMD").Mean),
				least("PMD").Mean <= min(least("SVI").Mean, least("SGRLD").Mean, least("SMC").Mean)
		},
		Tried: "Three step sizes for each. With the text's one particle it comes before stochastic variational inference, and Riemannian Langevin dynamics, judged by the mean over five samples, before it; with four weighted particles (PMD 4) it comes before all but collapsed Gibbs sampling, which is no rival of the text.",
	},
	{
		ID: "dai-4.2-topics-first", Source: dai, Place: "Figure 4.2 (3), text", Study: "distributions-topics", Notebook: "distributions#Topic models",
		Statement: "Sequential Monte Carlo is good at first and then overtaken.",
		Judge: func(e *Evidence) (string, bool) {
			at := func(method string) []float64 {
				return e.path("perplexity", "method", method, "step", map[string]float64{"PMD": .7}[method])
			}
			smc, pmd := at("SMC"), at("PMD")
			if len(smc) == 0 || len(pmd) == 0 {
				return "", false
			}
			return fmt.Sprintf("perplexity after 100 documents %.3g, PMD %.3g; at the end %.3g and %.3g", smc[0], pmd[0], smc[len(smc)-1], pmd[len(pmd)-1]),
				smc[0] < pmd[0] && smc[len(smc)-1] > pmd[len(pmd)-1]
		},
	},
	{
		ID: "dai-b.1", Source: dai, Place: "Figure B.1", Study: "distributions-process", Notebook: "distributions#Sparse Gaussian processes",
		Statement: "The posterior mean comes to the true function in some 80 iterations.",
		Judge: func(e *Evidence) (string, bool) {
			first, last := e.at("first", "data", "wave", "method", "PMD", "noise", .01), e.at("final", "data", "wave", "method", "PMD", "noise", .01)
			return fmt.Sprintf("root mean squared error %s after the first, %s after the last", first.mean(), last.mean()), last.Mean <= .05 && 3*last.Mean < first.Mean
		},
	},
	{
		ID: "dai-thm15", Source: dai, Place: "Theorem 15", Test: "inference.TestMirrorStep",
		Statement: "The exact step: inequality (a) holds at every step, and one step of size 1 with all the data is the posterior.",
	},
	{
		ID: "dai-thm17", Source: dai, Place: "Theorem 17", Test: "inference.TestKernelEstimateRate",
		Statement: "The weighted kernel density estimate converges at its rate in the number of particles.",
	},
	{
		ID: "dai-thm18", Source: dai, Place: "Theorem 18", Test: "inference.TestWeightedParticleRate",
		Statement: "Integrals over weighted particles converge at the rate m^(-1/2).",
	},
}
