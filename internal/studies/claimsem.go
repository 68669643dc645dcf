package studies

import (
	"fmt"
	"math"
	"slices"
)

// emClaims are those of chapter 2 of Yang 2018.
var emClaims = []Claim{
	{
		ID: "yang-2.1", Source: yang, Place: "Figure 2.1", Study: "em-landscape", Notebook: "em#The model",
		Statement: "A weak signal has poor landscapes, with many fixed points near the truth, a strong one a benign one. (The figure is a sketch. Here fixed points are counted, with n = 300 and 1000: some paths have several at a weak signal, three of 80 or more, and at most one of 40 at a strong one.)",
		Judge: func(e *Evidence) (string, bool) {
			weak, strong := 0.0, 0.0
			var pooled float64
			for _, eta := range []float64{.2, .3} {
				for _, n := range []int{300, 1000} {
					s := e.at("several", "eta", eta, "n", n)
					weak += float64(s.Mean) * float64(s.N)
					pooled += float64(s.N)
				}
			}
			for _, n := range []int{300, 1000} {
				s := e.at("several", "eta", .75, "n", n)
				strong += float64(s.Mean) * float64(s.N)
			}
			return fmt.Sprintf("more than one fixed point on %.0f of %.0f paths at |mean| = 0.2 and 0.3, on %.0f of %.0f at 0.75", weak, pooled, strong, pooled/2),
				weak >= 3 && strong <= 1
		},
	},
	{
		ID: "yang-2.3-linear", Source: yang, Place: "Figure 2.3", Study: "em-convergence", Notebook: "em#Figure 2.3: two errors",
		Statement: "The optimisation error of Baum-Welch falls at a linear rate (a straight line on a log scale).",
		Judge: func(e *Evidence) (string, bool) {
			after := e.at("at25")
			return fmt.Sprintf("after 25 iterations %.2g in the median, at most %.2g on any of %d paths", after.Median, after.Max, after.N), after.Max <= 1e-8
		},
	},
	{
		ID: "yang-2.3-floor", Source: yang, Place: "Figure 2.3", Study: "em-convergence", Notebook: "em#Figure 2.3: two errors",
		Statement: "The statistical error falls too, and soon stands at a floor of the order sigma sqrt(d/n), here 0.1.",
		Judge: func(e *Evidence) (string, bool) {
			floor, reached := e.at("error"), e.at("reached")
			return fmt.Sprintf("floor %s, reached after %.0f iterations in the median, at most %.0f", floor.median(), reached.Median, reached.Max),
				within(float64(floor.Median), .085, .12) && reached.Max <= 8
		},
	},
	{
		ID: "yang-2.3-ends", Source: yang, Place: "Figure 2.3, text", Study: "em-convergence", Notebook: "em#Figure 2.3: two errors",
		Statement: "The five runs end at different stationary points, about equally far from the truth.",
		Judge: func(e *Evidence) (string, bool) {
			apart := e.at("apart")
			return fmt.Sprintf("the ends of five starts are at most %.1g apart on any of %d paths", apart.Max, apart.N), apart.Median > 1e-8
		},
		Tried: "An exact E-step, run until steps are of the size of rounding: all starts end at one point. Runs that are stopped while steps are larger end apart, and at a weak signal, |mean| <= 0.3, some paths have several fixed points (figure 2.1).",
	},
	{
		ID: "yang-2.4-rate", Source: yang, Place: "Figure 2.4", Study: "em-signal", Notebook: "em#Figure 2.4: the signal sets the rate",
		Statement: "Convergence is linear where the signal is strong, and slower the weaker it is.",
		Judge: func(e *Evidence) (string, bool) {
			var rates []digit
			found := "median factor an iteration: "
			for i, eta := range e.values("eta") {
				rates = append(rates, e.at("rate", "eta", eta).Median)
				if i > 0 {
					found += ", "
				}
				found += fmt.Sprintf("%.3g at |mean| = %v", rates[i], eta)
			}
			return found, falling(rates...)
		},
	},
	powerClaim("yang-2-n", "The error falls as n^(-1/2).", "n", -.5, .08),
	powerClaim("yang-2-d", "The error grows as d^(1/2).", "d", .5, .1),
	{
		ID: "yang-2-memory", Source: yang, Place: "Sections 2.1 and 2.4", Study: "em-memory", Notebook: "em#Baum-Welch",
		Statement: "The dependence between observations carries information: Baum-Welch does better than EM for independent draws, most at a weak signal.",
		Judge: func(e *Evidence) (string, bool) {
			var ratios []digit
			found := "mean error without the chain over that with it: "
			for i, eta := range e.values("eta") {
				ratios = append(ratios, e.at("independent", "eta", eta).Mean/e.at("chain", "eta", eta).Mean)
				if i > 0 {
					found += ", "
				}
				found += fmt.Sprintf("%.3f at |mean| = %v", ratios[i], eta)
			}
			return found, falling(ratios...) && ratios[len(ratios)-1] > 1
		},
	},
	{
		ID: "yang-lemma3", Source: yang, Place: "Lemma 3, section 2.3", Test: "em.TestForgetting", Notebook: "em#Why: posteriors forget",
		Statement: "Posteriors from a window of 2k + 1 observations approach those from all of them geometrically in k.",
	},
	{
		ID: "yang-lemma6", Source: yang, Place: "Lemma 6", Test: "em.TestConditionalCovariances",
		Statement: "Conditional covariances of the hidden chain decay geometrically. (For pairs the printed exponent is one too large.)",
	},
	{
		ID: "yang-lemma13", Source: yang, Place: "Lemma 13", Test: "em.TestFilterStability",
		Statement: "Filters from two starts approach each other geometrically.",
	},
	{
		ID: "yang-thm1", Source: yang, Place: "Theorem 1", Test: "em.TestPopulation",
		Statement: "The population operator contracts towards the truth, faster at a larger signal.",
	},
}

// powerClaim says that the error of the mean changes with a power of n or d.
func powerClaim(id, statement, along string, want, slack float64) Claim {
	return Claim{
		ID: id, Source: yang, Place: "Corollary 2", Study: "em-rates", Notebook: "em#Figure 2.3: two errors", Statement: statement,
		Judge: func(e *Evidence) (string, bool) {
			var x, y []float64
			for _, v := range e.values(along, "along", along) {
				x = append(x, float64(v.(int)))
				y = append(y, float64(e.at("mean", "along", along, along, v).Median))
			}
			text, s := e.slope(x, y)
			return fmt.Sprintf("power %s of %s, from %v to %v", text, along, slices.Min(append(x, math.Inf(1))), slices.Max(append(x, math.Inf(-1)))), within(s, want-slack, want+slack)
		},
	}
}
