package claims

import "fmt"

const (
	mixtureNotebook  = "distributions#The experiment"
	logisticNotebook = "distributions#Logistic regression"
	processNotebook  = "distributions#Sparse Gaussian processes"
	topicsNotebook   = "distributions#Topic models"
	mixtureDeparts   = "200 kernel steps, then weights, of which the proposal's density is divided out."
	logisticDeparts  = "100,000 jittered digits of a few hundred originals in place of 1.6 million; steps are cut so that a tenth of the particles count."
	topicsDeparts    = "5,000 documents drawn from the model, 20 topics and 1,000 words, in place of 150,000, 100 and 8,000. The step of each is chosen by the perplexity that is reported, for rivals too."
)

// distributionClaims are those of chapter 4 of Dai 2018.
var distributionClaims = []Claim{
	{
		ID: "dai-4.1-modes", Source: dai, Place: "Figure 4.1", Items: []string{"Figure 4.1", "Algorithm 3"}, Study: "distributions-mixture", Notebook: mixtureNotebook,
		Statement: "On a posterior with two modes particle mirror descent finds both.",
		Measure:   "Mass of one mode: least and largest of all runs between 0.3 and 0.7 (our bound; 0.45 in truth).",
		Departs:   mixtureDeparts,
		Judge: func(e *Evidence) (string, bool) {
			n, truth := e.at("firstMode", "method", "PMD"), e.at("truth", "method", "PMD")
			found := fmt.Sprintf("mass of one mode %s, from %.2g to %.2g; in truth %s", n.mean(), n.Min, n.Max, truth.mean())
			return found, within(float64(n.Min), .3, .7) && within(float64(n.Max), .3, .7)
		},
	},
	mixtureClaim("dai-4.1-nearest", "It is nearer to that posterior, in total variation, than sequential Monte Carlo, Gibbs sampling, Langevin dynamics and both variational methods.",
		"finalVariation", "total variation"),
	mixtureClaim("dai-4.1-entropy", "And in cross entropy.", "finalDivergence", "divergence of each from the posterior, which is the cross entropy less a constant"),
	{
		ID: "dai-4.1-smc", Source: dai, Place: "Figure 4.1 (1), text", Study: "distributions-mixture", Notebook: mixtureNotebook,
		Statement: "SMC stops at a large error after its one pass.",
		Measure:   "Total variation: the 95% interval of SMC's above PMD's at its end lies above a quarter of PMD's (our reading of large).",
		Departs:   mixtureDeparts,
		Judge: func(e *Evidence) (string, bool) {
			smc, pmd := e.at("finalVariation", "method", "SMC"), e.at("finalVariation", "method", "PMD")
			d := less(smc, pmd)
			return fmt.Sprintf("total variation %s, PMD at its end %s; difference %s", smc.mean(), pmd.mean(), d.text()), d.lo >= .25*float64(pmd.Mean)
		},
		Tried: "Runs of SMC differ widely.",
	},
	{
		ID: "dai-4.1-stuck", Source: dai, Place: "Figure 4.1, text", Study: "distributions-mixture", Notebook: mixtureNotebook,
		Statement: "Gibbs sampling and Langevin dynamics stay in one mode in a run.",
		Measure:   "Of the runs' shares of one mode, the quartiles: below 0.1 or above 0.9 (our bound).",
		Departs:   mixtureDeparts,
		Judge: func(e *Evidence) (string, bool) {
			agrees := true
			return "mass of one mode: " + listed([]string{"Gibbs", "SGLD"}, func(m string) string {
				n := e.at("firstMode", "method", m)
				for _, q := range []digit{n.Q1, n.Q3} {
					agrees = agrees && (q < .1 || q > .9)
				}
				return n.median()
			}), agrees
		},
		Tried: "With 1,500 sweeps many runs of Gibbs sampling visit both modes; with 500 fewer did.",
	},
	{
		ID: "dai-4.2-logistic", Source: dai, Place: "Figure 4.2 (1) (stand-in)", Items: []string{"Figure 4.2"}, Study: "distributions-logistic", Notebook: logisticNotebook,
		Statement: "In Bayesian logistic regression it comes to the accuracy of stochastic variational inference.",
		Measure:   "Test accuracy at the end: the 95% interval of the paired difference from SVI lies above -0.5 percentage points (our reading of the same).",
		Departs:   logisticDeparts,
		Judge: func(e *Evidence) (string, bool) {
			at := func(m string) number {
				return e.at("final", "method", m, "bandwidth", map[string]float64{"PMD": .1}[m])
			}
			d := less(at("PMD"), at("SVI"))
			return "accuracy: " + listed([]string{"PMD", "SVI", "Laplace", "SGLD", "SMC"}, func(m string) string { return at(m).mean() }) +
				"; PMD less SVI in points " + d.percent(), d.lo >= -.005
		},
		Tried: "Bandwidths of 0.1, 0.05 and 0.025. The first is judged, which was the best of them with 5,000 digits; with 100,000 the last is, and equals stochastic variational inference. The particles follow the mean slowly, and end several posterior standard deviations off, those of the first the farthest.",
	},
	{
		ID: "dai-4.2-posterior", Source: dai, Place: "Figure 4.2 (1) (stand-in)", Study: "distributions-logistic", Notebook: logisticNotebook, Ours: true,
		Statement: "Is what it gives there the posterior, and not only a good classifier?",
		Measure:   "Against 1,000 draws by Hamiltonian Monte Carlo, with one of three bandwidths, the 95% intervals: its standard deviations over theirs, a geometric mean over the principal directions, within 0.8 and 1.25, and its mean off by at most one of theirs, in root mean square over the same directions (our bounds).",
		Departs:   logisticDeparts,
		Judge: func(e *Evidence) (string, bool) {
			agrees, found := false, "width over the true one, and the mean's distance in true standard deviations: "
			for _, b := range []float64{.1, .05, .025} {
				at := func(field string) number { return e.at(field, "method", "PMD", "bandwidth", b) }
				width, off := interval(at("width")), interval(at("off"))
				agrees = agrees || width.lo >= .8 && width.hi <= 1.25 && off.hi <= 1
				found += fmt.Sprintf("PMD with bandwidth %g %s (kernel noise and mirror steps are even at %.2f) and %s, ", b, width.text(), at("still").Mean, off.text())
			}
			return found + listed([]string{"SVI", "SGLD", "Laplace"}, func(m string) string {
				at := func(field string) number { return e.at(field, "method", m, "bandwidth", 0.) }
				return at("width").mean() + " and " + at("off").mean()
			}), agrees
		},
		Tried: "Two errors meet. A kernel step adds h^2 to the variance V in every direction and takes gamma V (V/s^2 - 1) away, where s^2 is the posterior's: it is too wide, most where s is small. And 1,000 particles in 50 dimensions, of which a step weighs and copies some, lose their spread and follow the mean slowly: narrower kernels give less width than is even, and means that are farther off. Steps that weigh particles drawn once keep a handful of them in 50 dimensions.",
	},
	{
		ID: "dai-4.2-process", Source: dai, Place: "Figure 4.2 (2) (stand-in)", Study: "distributions-process", Notebook: processNotebook,
		Statement: "In sparse Gaussian processes it has the least error, before stochastic variational inference and a subset of the data.",
		Measure:   "Root mean squared error at the end: the 95% interval of each rival's difference lies above 0.",
		Departs:   "Generated factors in place of the years of songs, 2,048 points and 128 inducing inputs in place of 463,715 and 2^10. The text's third rival, one-pass sequential Monte Carlo over sets of inducing inputs, is not in the library and not run.",
		Judge: func(e *Evidence) (string, bool) {
			at := func(m string) number { return e.at("final", "data", "factors", "method", m) }
			agrees := true
			return fmt.Sprintf("root mean squared error %s; more than that: ", at("PMD").mean()) + listed([]string{"SVI", "subset"}, func(m string) string {
				d := less(at(m), at("PMD"))
				agrees = agrees && d.lo > 0
				return d.text()
			}), agrees
		},
		Tried: "With 128 inducing inputs and sixteen sets of them PMD is a mean over sixteen runs of SVI with other inputs, and hardly more.",
	},
	{
		ID: "dai-4.2-topics", Source: dai, Place: "Figure 4.2 (3) (stand-in)", Study: "distributions-topics", Notebook: topicsNotebook,
		Statement: "In topic models it has the least perplexity, before stochastic variational inference and Riemannian Langevin dynamics.",
		Measure:   "Perplexity of held-out documents, of three steps for each the one with the least: the 95% interval of each rival's difference lies above 0.",
		Departs:   topicsDeparts,
		Judge: func(e *Evidence) (string, bool) {
			least := func(m string) number { return e.least("final", "method", m) }
			agrees := true
			return fmt.Sprintf("perplexity %s (with four weighted particles %s, true topics %.3g); more than that: ", least("PMD").mean(), least("PMD 4").mean(), e.least("floor", "method", "PMD").Mean) +
				listed([]string{"SVI", "SGRLD", "SMC"}, func(m string) string {
					d := less(least(m), least("PMD"))
					agrees = agrees && d.lo > 0
					return d.text()
				}), agrees
		},
		Tried: "With the text's one particle it comes before stochastic variational inference, and Riemannian Langevin dynamics, judged by the mean over five samples, before it; with four weighted particles it comes before all but collapsed Gibbs sampling, which is no rival of the text.",
	},
	{
		ID: "dai-4.2-topics-first", Source: dai, Place: "Figure 4.2 (3), text", Study: "distributions-topics", Notebook: topicsNotebook,
		Statement: "Sequential Monte Carlo is good at first and then overtaken.",
		Measure:   "Mean perplexity below PMD's after 100 documents and above it at the end.",
		Departs:   topicsDeparts,
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
		ID: "dai-b.1", Source: dai, Place: "Figure B.1", Items: []string{"Figure B.1"}, Study: "distributions-process", Notebook: processNotebook,
		Statement: "The posterior mean comes to the true function in some 80 iterations.",
		Measure:   "Root mean squared error after 80 iterations, of a function of size 1: the 95% interval ends below 0.05 and below a third of that after the first (a prototype had 0.015).",
		Departs:   "Noise variance 0.01, that of the data, in place of the text's 0.001, with which its bands are too narrow.",
		Judge: func(e *Evidence) (string, bool) {
			first, last := e.at("first", "data", "wave", "method", "PMD", "noise", .01), e.at("final", "data", "wave", "method", "PMD", "noise", .01)
			return fmt.Sprintf("root mean squared error %s after the first, %s after the last", first.mean(), last.mean()),
				interval(last).hi <= .05 && 3*interval(last).hi < interval(first).lo
		},
	},
	{
		ID: "dai-b.2", Source: dai, Place: "Figure B.2 (stand-in)", Items: []string{"Figure B.2"}, Study: "distributions-topics", Notebook: topicsNotebook,
		Statement: "The topics that it finds are clear ones (the figure lists their words).",
		Measure:   "Generated topics have no words to read: of the 20 true ones, how many are found with a cosine of 0.9; at least 15 (set before, from a prototype).",
		Departs:   topicsDeparts,
		Judge: func(e *Evidence) (string, bool) {
			n := e.at("found", "method", "PMD", "step", .7)
			return fmt.Sprintf("%s of 20", n.mean()), n.Mean >= 15
		},
	},
	{
		ID: "dai-thm15", Source: dai, Place: "Theorem 15", Items: []string{"Theorem 15", "Lemma 14"}, Measure: "Exact densities on a grid.", Test: "inference.TestMirrorStep",
		Statement: "The exact step: inequality (a) holds at every step, and one step of size 1 with all the data is the posterior.",
	},
	{
		ID: "dai-thm17", Source: dai, Place: "Theorem 17", Items: []string{"Theorem 17"}, Measure: "A log-log slope, by the test.", Test: "inference.TestKernelEstimateRate",
		Statement: "The weighted kernel density estimate converges at its rate in the number of particles.",
	},
	{
		ID: "dai-thm18", Source: dai, Place: "Theorem 18", Items: []string{"Theorem 16", "Theorem 18"}, Measure: "A log-log slope, by the test.", Test: "inference.TestWeightedParticleRate",
		Statement: "Integrals over weighted particles converge at the rate m^(-1/2).",
	},
}

// mixtureClaim compares all methods of figure 4.1 by a distance.
func mixtureClaim(id, statement, field, name string) Claim {
	return Claim{
		ID: id, Source: dai, Place: "Figure 4.1", Study: "distributions-mixture", Notebook: mixtureNotebook, Statement: statement,
		Measure: "At the end, " + name + ": the 95% interval of each rival's difference from PMD lies above 0.", Departs: mixtureDeparts,
		Judge: func(e *Evidence) (string, bool) {
			at := func(m string) number { return e.at(field, "method", m) }
			agrees := true
			return fmt.Sprintf("PMD %s; more than that: ", at("PMD").mean()) + listed([]string{"SMC", "Gibbs", "SGLD", "SVI", "NPV"}, func(m string) string {
				d := less(at(m), at("PMD"))
				agrees = agrees && d.lo > 0
				return d.text()
			}), agrees
		},
		Tried: "Where the runs of a rival differ widely, 50 do not decide.",
	}
}
