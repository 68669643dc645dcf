package studies

import (
	"fmt"
	"math"
	"strings"
)

// mixtureClaims are those of sections 2 and 4.1 of Lacoste-Julien et al. 2015.
var mixtureClaims = []Claim{
	{
		ID: "llb-1-order", Source: lacosteJulien, Place: "Figure 1, top", Study: "herding-mixture", Notebook: "kernel-herding#The figure",
		Statement: "On mixtures of 100 Gaussians in the plane the MMD of FCFW is always least, then FW, then QMC and MC.",
		Judge: func(e *Evidence) (string, bool) {
			return mixtureOrder(e, "lastMMD", 1.05)
		},
	},
	{
		ID: "llb-1-slopes", Source: lacosteJulien, Place: "Figure 1, top", Study: "herding-mixture", Notebook: "kernel-herding#The figure",
		Statement: "The MMD of FW and of FCFW falls faster than the power -1/2 of N that Monte Carlo has, that of FCFW fastest. (The slopes stand in the image only.)",
		Judge: func(e *Evidence) (string, bool) {
			s := func(m string) CompactNumber { return e.at("mmdSlope", "method", m) }
			return "median slopes: " + listed([]string{"MC", "QMC", "FW", "FCFW"}, func(m string) string { return s(m).median() }),
				within(float64(s("MC").Median), -.6, -.4) && s("FW").Median <= -.8 && s("FCFW").Median <= -1.2
		},
	},
	{
		ID: "llb-1-mean", Source: lacosteJulien, Place: "Figure 1, bottom", Study: "herding-mixture", Notebook: "kernel-herding#The figure",
		Statement: "The error of the mean, a function outside the space, falls in the same order.",
		Judge: func(e *Evidence) (string, bool) {
			s := func(m string) CompactNumber { return e.at("meanSlope", "method", m) }
			return "median slopes: " + listed([]string{"MC", "QMC", "FW", "FCFW"}, func(m string) string { return s(m).median() }),
				falling(s("MC").Median, s("FW").Median, s("FCFW").Median)
		},
	},
	{
		ID: "llb-4-components", Source: lacosteJulien, Place: "Figure 4, left", Study: "herding-mixture-dims", Notebook: "kernel-herding#Other dimensions and kernels",
		Statement: "With 20 components the order is the same.",
		Judge: func(e *Evidence) (string, bool) {
			return mixtureOrder(e, "lastMMD", 1, "K", 20)
		},
	},
	{
		ID: "llb-4-dimension", Source: lacosteJulien, Place: "Figure 4, middle", Study: "herding-mixture-dims", Notebook: "kernel-herding#Other dimensions and kernels",
		Statement: "In dimension 5, with the same kernel, the gain of FW and FCFW tapers off.",
		Judge: func(e *Evidence) (string, bool) {
			at := func(m string) digit { return e.at("lastMMD", "method", m, "d", 5, "variance", 1.0).Median }
			return fmt.Sprintf("MMD over that of MC: FW %.2f, FCFW %.2f", at("FW")/at("MC"), at("FCFW")/at("MC")),
				at("FW") >= .75*at("MC") && at("FCFW") >= .7*at("MC")
		},
	},
	{
		ID: "llb-4-bandwidth", Source: lacosteJulien, Place: "Figure 4, right", Study: "herding-mixture-dims", Notebook: "kernel-herding#Other dimensions and kernels",
		Statement: "It returns when the kernel is wider, sigma^2 = 100.",
		Judge: func(e *Evidence) (string, bool) {
			at := func(m string) digit { return e.at("lastMMD", "method", m, "d", 5, "variance", 100.0).Median }
			return fmt.Sprintf("MMD over that of MC: FW %.2f, FCFW %.3f", at("FW")/at("MC"), at("FCFW")/at("MC")),
				at("FW") <= .3*at("MC") && at("FCFW") <= .1*at("MC")
		},
	},
	{
		ID: "llb-4-linesearch", Source: lacosteJulien, Place: "Section 4.1", Test: "herding.TestMixtureRates",
		Statement: "Line search gives the same curve as the steps 1/(k+1), and was left out of the plots. (So it is for sigma^2 = 1; for sigma^2 = 100 in dimension 5 line search is about three times worse.)",
	},
	{
		ID: "llb-rate", Source: lacosteJulien, Place: "Section 2.2, theorem G.1", Test: "herding.TestFiniteDimension",
		Statement: "In finite dimension FW falls like 1/N, line search and FCFW exponentially.",
	},
	{
		ID: "llb-pool", Source: lacosteJulien, Place: "Appendix B", Test: "herding.TestPoolBound",
		Statement: "Searching a random pool of candidates adds an error that is bounded by the pool's own.",
	},
}

// mixtureOrder judges FCFW < FW < QMC <= slack MC by the medians.
func mixtureOrder(e *Evidence, field string, slack digit, match ...any) (string, bool) {
	at := func(m string) CompactNumber { return e.at(field, append([]any{"method", m}, match...)...) }
	return "at the last N: " + listed([]string{"FCFW", "FW", "QMC", "MC"}, func(m string) string { return at(m).median() }),
		falling(slack*at("MC").Median, at("QMC").Median, at("FW").Median, at("FCFW").Median)
}

const filterNotebook = "sequential-kernel-herding#The experiment"

// filterClaims are those of sections 3, 4.2 and 4.3 of Lacoste-Julien et al. 2015. Filters are compared at N = 100.
var filterClaims = []Claim{
	{
		ID: "llb-2-linear", Source: lacosteJulien, Place: "Figures 2 and 7, linear model, d = 3", Study: "herding-filters-lgss3", Notebook: filterNotebook,
		Statement: "Sequential kernel herding (SKH) has a lower error than QMC, and that than the bootstrap filter (PF); FCFW is best.",
		Judge: func(e *Evidence) (string, bool) {
			found, pf, qmc, fw, fcfw := filterErrors(e, "lgss3", 1)
			return found, fw <= .6*pf && fcfw <= .35*pf && qmc <= .85*pf
		},
	},
	{
		ID: "llb-2-dimension", Source: lacosteJulien, Place: "Figures 2 and 8, linear model, d = 15", Study: "herding-filters-lgss3", Notebook: filterNotebook,
		Statement: "In dimension 15 the gain in RMSE is smaller, and still there.",
		Judge: func(e *Evidence) (string, bool) {
			found, pf, _, fw, fcfw := filterErrors(e, "lgss15", 1)
			return found, fw <= .85*pf && fcfw <= .95*pf
		},
	},
	{
		ID: "llb-2-jump", Source: lacosteJulien, Place: "Figures 2 and 5, jump Markov model", Study: "herding-filters-lgss3", Notebook: filterNotebook,
		Statement: "SKH is better than QMC and PF on the jump Markov linear system.",
		Judge: func(e *Evidence) (string, bool) {
			found, pf, _, fw, fcfw := filterErrors(e, "jmls", 1)
			return found, fw <= .6*pf && fcfw <= .35*pf
		},
	},
	{
		ID: "llb-2-nonlinear", Source: lacosteJulien, Place: "Figures 2 and 6, nonlinear benchmark", Study: "herding-filters-lgss3", Notebook: filterNotebook,
		Statement: "SKH is better than QMC and PF on the nonlinear benchmark with sigma^2 = 0.1.",
		Judge: func(e *Evidence) (string, bool) {
			found, pf, _, fw, fcfw := filterErrors(e, "nonlinear", .1)
			return found, fw <= .6*pf && fcfw <= .5*pf
		},
	},
	{
		ID: "llb-6-flat", Source: lacosteJulien, Place: "Figure 6, appendix C.2.1", Study: "herding-filters-lgss3", Notebook: filterNotebook,
		Statement: "With sigma^2 = 1 on the nonlinear benchmark FCFW is the best of all at N = 20 and does not improve with N.",
		Judge: func(e *Evidence) (string, bool) {
			at := func(m string, n int) CompactNumber {
				return e.at("rmse", "model", "nonlinear", "variance", 1.0, "method", m, "N", n)
			}
			few, many := at("FCFW", 20), at("FCFW", 100)
			best := few.Median < min(at("PF", 20).Median, at("QMC", 20).Median, at("FW", 20).Median)
			return fmt.Sprintf("RMSE of FCFW %s at N = 20 (PF %.3g, QMC %.3g, FW %.3g), %s at N = 100", few.median(),
					at("PF", 20).Median, at("QMC", 20).Median, at("FW", 20).Median, many.median()),
				best && within(float64(many.Median/few.Median), .6, 1.6)
		},
		Tried: "Run so far on 5 batches with 2,000 candidates, where the paper's size has 30 and 5,000. FCFW is the same at both N, as the paper says, and far better than PF and QMC at N = 20; there FW has the lower median.",
	},
	{
		ID: "llb-3-small", Source: lacosteJulien, Place: "Figure 3 (stand-in)", Study: "herding-localisation", Notebook: "sequential-kernel-herding#A robot in a room (figure 3)",
		Statement: "In localisation SKH is clearly better than PF and QMC with few particles. (The flight data are not public: a robot in a room with an expensive scan, sigma^2 = 0.01.)",
		Judge: func(e *Evidence) (string, bool) {
			agrees, found := true, ""
			for _, n := range []int{20, 50} {
				at := func(m string) digit { return e.at("error", "method", m, "N", n).Median }
				agrees = agrees && at("FW") <= .85*at("PF") && at("FCFW") <= .8*at("PF") && at("FW") < at("QMC")
				found += fmt.Sprintf("N = %d: PF %.3f, QMC %.3f, FW %.3f, FCFW %.3f m; ", n, at("PF"), at("QMC"), at("FW"), at("FCFW"))
			}
			return found + "medians", agrees
		},
		Tried: "Kernels of sigma^2 = 0.01, 0.1 and 1: only a width near the predictive spread of the position, about 0.1 m, gains. On a second stand-in, flight over ground by a camera, no setting gained reliably (filtering.TestFlight).",
	},
	{
		ID: "llb-3-fewer", Source: lacosteJulien, Place: "Figure 3 (stand-in)", Study: "herding-localisation", Notebook: "sequential-kernel-herding#A robot in a room (figure 3)",
		Statement: "SKH with few particles does as well as PF with several times as many (50 against 200 in the paper; here FCFW with 50 against PF with 100).",
		Judge: func(e *Evidence) (string, bool) {
			few, many := e.at("error", "method", "FCFW", "N", 50), e.at("error", "method", "PF", "N", 100)
			return fmt.Sprintf("error of FCFW with 50: %s m, of PF with 100: %s m", few.median(), many.median()), few.Median <= 1.05*many.Median
		},
	},
	{
		ID: "llb-bound", Source: lacosteJulien, Place: "Theorem 2, appendices D to F", Test: "filtering.TestHerdingFilterBounds",
		Statement: "The error of SKH is bounded at every step by those of its quadratures.",
	},
	{
		ID: "llb-5-variances", Source: lacosteJulien, Place: "Figures 5 to 8", Study: "herding-filters-lgss3", Notebook: filterNotebook,
		Statement: "PF and QMC know nothing of the kernel's width: their errors are the same for every sigma^2. Those of SKH depend on it somewhat.",
		Judge: func(e *Evidence) (string, bool) {
			same, most := true, digit(1)
			for _, m := range e.values("model") {
				for _, n := range e.values("N", "model", m) {
					for _, method := range []string{"PF", "QMC", "FW", "FCFW"} {
						low, high := digit(math.Inf(1)), digit(0)
						for _, v := range e.values("variance", "model", m) {
							r := e.at("rmse", "model", m, "variance", v, "method", method, "N", n).Median
							low, high = min(low, r), max(high, r)
						}
						if method == "PF" || method == "QMC" {
							same = same && low == high
						} else {
							most = max(most, high/low)
						}
					}
				}
			}
			verb := "the same"
			if !same {
				verb = "not the same"
			}
			return fmt.Sprintf("median RMSE of PF and QMC %s for every sigma^2; that of SKH by up to a factor %.1f apart", verb, most), same && most > 1
		},
	},
	{
		ID: "llb-3-drift", Source: lacosteJulien, Place: "Figure 3, left (second stand-in)", Study: "herding-flight", Notebook: "sequential-kernel-herding#A flight over ground",
		Statement: "Without an absolute position the errors of all filters start at 0 and grow in time.",
		Judge: func(e *Evidence) (string, bool) {
			grows, found := true, ""
			for _, n := range e.values("N") {
				for _, m := range []string{"PF", "QMC", "FW", "FCFW"} {
					at := func(field string) digit { return e.at(field, "method", m, "N", n).Median }
					grows = grows && at("startError") < 1e-6 && at("middleError") < at("endError")
					found += fmt.Sprintf("%s-%v %.2f and %.2f; ", m, n, at("middleError"), at("endError"))
				}
			}
			return "median error in m against the truth after a quarter of the flight and at its end: " + strings.TrimSuffix(found, "; "), grows
		},
		Tried: "Where an error does not grow, the difference is within its quartiles.",
	},
	{
		ID: "llb-3-flight", Source: lacosteJulien, Place: "Figure 3 (second stand-in)", Study: "herding-flight", Notebook: "sequential-kernel-herding#A flight over ground",
		Statement: "On a flight over ground by a camera, too, SKH is nearer than PF to a filter with very many particles. (By the median over all runs, FW at most 0.97 and FCFW at most 0.92 of PF.)",
		Judge: func(e *Evidence) (string, bool) {
			ns := e.values("N")
			ratio := func(m string) digit {
				var s digit
				for _, n := range ns {
					s += e.at("error", "method", m, "N", n).Median / e.at("error", "method", "PF", "N", n).Median / digit(len(ns))
				}
				return s
			}
			fw, fcfw, qmc := ratio("FW"), ratio("FCFW"), ratio("QMC")
			return fmt.Sprintf("median error over that of PF, mean over N: QMC %.2f, FW %.2f, FCFW %.2f", qmc, fw, fcfw), fw <= .97 && fcfw <= .92
		},
		Tried: "The kernel, whitened by the predictive covariance with sigma^2 = 1, was fixed on other flights before. The spread from flight to flight is larger than the differences; against the truth PF is as good as any.",
	},
	{
		ID: "llb-runtimes", Source: lacosteJulien, Place: "Section 4.3, runtimes", Bench: "herding -times", Notebook: "sequential-kernel-herding#What it costs",
		Statement: "The overhead of SKH-FW grows like N, that of FCFW faster; with a likelihood of 4 ms SKH-FW with 50 particles costs as much as PF with about 90.",
		Measured:  "With 10,000 candidates in the robot's room, N from 25 to 200, the overhead of SKH-FW grows like the power 0.93 of N, that of FCFW like 1.49. With a likelihood of 4 ms SKH-FW with 50 particles costs as much as PF with 52 (FCFW: 52.5), because a step of it takes 7 ms here (10 ms), where the authors' took 0.15 s (0.3 s). (Two cores of an AMD EPYC with AVX-512, shared.)",
	},
}

// filterErrors are the median errors at N = 100 of the four filters.
func filterErrors(e *Evidence, model string, variance float64) (found string, pf, qmc, fw, fcfw digit) {
	at := func(m string) CompactNumber {
		return e.at("rmse", "model", model, "variance", variance, "method", m, "N", 100)
	}
	found = "RMSE at N = 100: " + listed([]string{"PF", "QMC", "FW", "FCFW"}, func(m string) string { return at(m).median() })
	return found, at("PF").Median, at("QMC").Median, at("FW").Median, at("FCFW").Median
}

// weightedClaims are those of Khanna et al. 2021.
var weightedClaims = []Claim{
	{
		ID: "khm-1-weights", Source: khanna, Place: "Figure 1", Study: "herding-distributed", Notebook: "weighted-herding#Free weights",
		Statement: "Herding with free weights (WKH) and sequential Bayesian quadrature (SBQ) have a lower MMD than herding with equal weights.",
		Judge: func(e *Evidence) (string, bool) {
			at := func(m string) CompactNumber { return e.at("lastMMD", "method", m) }
			return "at the last N: " + listed([]string{"SBQ", "WKH", "Herding", "MC"}, func(m string) string { return at(m).median() }),
				max(at("SBQ").Median, at("WKH").Median) < at("Herding").Median && at("Herding").Median < at("MC").Median
		},
	},
	splitClaim("khm-1-five", "Split over five machines, both lose little.", 5, 1.25),
	splitClaim("khm-1-twenty", "The same with more machines (here 20).", 20, 1.4),
	{
		ID: "khm-1-speed", Source: khanna, Place: "Figure 1", Bench: "herding -times", Notebook: "weighted-herding#What five machines save",
		Statement: "Five machines are about five times as fast.",
		Measured:  "100 of 10,000 points; the longest part, the parts one at a time, and the union: 5 machines are 3.7 times as fast with WKH and 5.0 times with SBQ, 20 machines 3.8 and 5.7 times, since the choice from the union then takes longer than a part. (Two cores of an AMD EPYC with AVX-512, shared.)",
	},
	{
		ID: "khm-2-sbq", Source: khanna, Place: "Figure 2 (stand-ins)", Study: "herding-summaries", Notebook: "weighted-herding#A few points that stand for all the data",
		Statement: "In data summarisation SBQ is generally better than WKH. (Generated stand-ins for the three data sets; excess of the test loss, unweighted refit.)",
		Judge: func(e *Evidence) (string, bool) {
			won, all := 0, 0
			for _, d := range e.values("data") {
				for _, m := range e.values("m") {
					at := func(method string) digit { return e.at("unweighted", "data", d, "method", method, "m", m).Mean }
					all++
					if at("SBQ") <= at("WKH") {
						won++
					}
				}
			}
			return fmt.Sprintf("SBQ has the lower mean in %d of %d settings", won, all), 3*won >= 2*all
		},
	},
	{
		ID: "khm-2-random", Source: khanna, Place: "Figure 2 (stand-ins)", Study: "herding-summaries", Notebook: "weighted-herding#A few points that stand for all the data",
		Statement: "Both beat random subsets and coresets (implied by the work that the text cites).",
		Judge: func(e *Evidence) (string, bool) {
			sbq, wkh, all := 0, 0, 0
			for _, d := range e.values("data") {
				for _, m := range e.values("m") {
					at := func(method string) digit { return e.at("unweighted", "data", d, "method", method, "m", m).Mean }
					rival := min(at("Random"), at("Coreset"))
					all++
					if at("SBQ") < rival {
						sbq++
					}
					if at("WKH") < rival {
						wkh++
					}
				}
			}
			return fmt.Sprintf("of %d settings SBQ beats both in %d, WKH in %d", all, sbq, wkh), sbq == all && wkh == all
		},
		Tried: "The linear Fisher kernel has rank at most the dimension, so selection ends there; a Gaussian kernel on Fisher features is used. WKH with an unweighted refit loses to random subsets when it takes many points; a refit with weights on the simplex mends that.",
	},
	{
		ID: "khm-2-split", Source: khanna, Place: "Figure 2 (stand-ins)", Study: "herding-summaries", Notebook: "weighted-herding#A few points that stand for all the data",
		Statement: "Distributed selection loses little accuracy (here SBQ over five parts: within a factor 1.3 or 0.03 of the loss).",
		Judge: func(e *Evidence) (string, bool) {
			kept, all := 0, 0
			for _, d := range e.values("data") {
				for _, m := range e.values("m") {
					at := func(method string) digit { return e.at("unweighted", "data", d, "method", method, "m", m).Mean }
					all++
					if at("SBQ-5") <= max(1.3*at("SBQ"), at("SBQ")+.03) {
						kept++
					}
				}
			}
			return fmt.Sprintf("so in %d of %d settings", kept, all), kept == all
		},
		Tried: "At the default size, with three seeds, it fails where 50 points stand for the data like ChemReact: in this setting the loss differs from seed to seed by more than the bound.",
	},
	{
		ID: "khm-2-bounds", Source: khanna, Place: "Figure 2 (stand-ins)", Study: "herding-summaries", Notebook: "weighted-herding#A few points that stand for all the data",
		Statement: "With m = 100 the selected subsets beat random ones on all three data: herding has at most 0.6 of their excess loss, SBQ whole and over five parts at most 0.9, SBQ with a refit on the simplex at most 0.8. (Bounds of the prototype, for its 8,000 rows.)",
		Judge: func(e *Evidence) (string, bool) {
			agrees, found := true, ""
			for _, d := range e.values("data") {
				at := func(field, method string) digit {
					return e.at(field, "data", d, "method", method, "m", 100).Mean / e.at("unweighted", "data", d, "method", "Random", "m", 100).Mean
				}
				kh, sbq, five, simplex := at("unweighted", "Herding"), at("unweighted", "SBQ"), at("unweighted", "SBQ-5"), at("simplex", "SBQ")
				agrees = agrees && kh <= .6 && sbq <= .9 && five <= .9 && simplex <= .8
				found += fmt.Sprintf("%v: herding %.2f, SBQ %.2f, SBQ-5 %.2f, SBQ on the simplex %.2f; ", d, kh, sbq, five, simplex)
			}
			return "excess loss over that of random subsets, " + strings.TrimSuffix(found, "; "), agrees
		},
		Tried: "At the default size there are 4,000 rows and three seeds. What fails there is SBQ on the data like WebSpam, which is level with random subsets; herding keeps its bound everywhere.",
	},
	{
		ID: "khm-thm1", Source: khanna, Place: "Theorem 1", Test: "herding.TestApproximationRate",
		Statement: "WKH and SBQ come near the best subset at a geometric rate. (In the form that can be proved; the printed one has a slip.)",
	},
	{
		ID: "khm-thm2", Source: khanna, Place: "Theorem 2", Test: "herding.TestRealizableRate",
		Statement: "If the target is made of r atoms, the error falls geometrically.",
	},
}

// splitClaim says that selection on parts multiplies the MMD by no more than a factor.
func splitClaim(id, statement string, parts int, most digit) Claim {
	return Claim{
		ID: id, Source: khanna, Place: "Figure 1", Study: "herding-distributed", Notebook: "weighted-herding#Split over machines", Statement: statement,
		Judge: func(e *Evidence) (string, bool) {
			ratio := func(m string) digit {
				return e.at("lastMMD", "method", fmt.Sprintf("%s-%d", m, parts)).Median / e.at("lastMMD", "method", m).Median
			}
			return fmt.Sprintf("median MMD over that of one machine: WKH %.2f, SBQ %.2f", ratio("WKH"), ratio("SBQ")), max(ratio("WKH"), ratio("SBQ")) <= most
		},
	}
}
