package claims

import (
	"fmt"
	"math"
	"slices"

	"gaucho/stdlib/hypothesis"
)

const (
	emModelNotebook  = "em#The model"
	emErrorsNotebook = "em#Figure 2.3: two errors"
	emSignalNotebook = "em#Figure 2.4: the signal sets the rate"
)

// emClaims are those of chapter 2 of Yang 2018.
var emClaims = []Claim{
	{
		ID: "yang-2.1", Source: yang, Place: "Figure 2.1", Items: []string{"Figure 2.1"}, Study: "em-landscape", Notebook: emModelNotebook,
		Statement: "A weak signal has poor landscapes, with many optima far from the truth, a strong one a benign one, with all optima in a small ball. (The figure is a sketch.)",
		Measure:   "Data sets on which five near starts of Baum-Welch end at more than one point, |mean| of 0.2 and 0.3 against 0.75, n = 300 and 1000. Fisher's exact test of equal shares, one-sided: p below 0.05.",
		Judge: func(e *Evidence) (string, bool) {
			count := func(eta float64) (several, of int) {
				for _, n := range []int{300, 1000} {
					s := e.at("several", "eta", eta, "n", n)
					several += int(math.Round(float64(s.Mean) * float64(s.N)))
					of += s.N
				}
				return several, of
			}
			a, n1 := count(.2)
			b, n2 := count(.3)
			c, m := count(.75)
			var t tally
			t.note("several ends on %d of %d data sets with a weak signal, on %d of %d with a strong one", a+b, n1+n2, c, m)
			t.below("p", moreOften(a+b, n1+n2, c, m), .05)
			return t.result()
		},
		Tried: "Starts are within |mean|/4 of the truth, as in figure 2.3; farther optima are not looked for.",
	},
	{
		ID: "yang-2.3-linear", Source: yang, Place: "Figure 2.3", Items: []string{"Figure 2.3"}, Study: "em-convergence", Notebook: emErrorsNotebook,
		Statement: "The optimisation error of Baum-Welch falls at a linear rate (a straight line on a log scale).",
		Measure:   "From the start down to 1e-12: share of the variance of the log error that a straight line explains, above 0.99 on every path (0.87 for quadratic convergence, 0.76 for a step); the slope of the last half over that of the first, from 0.8 to 1.25.",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			t.above("straightness, least of the paths", e.at("straight").Min, .99)
			t.between("late over early slope, median", e.at("late").Median, .8, 1.25)
			return t.result()
		},
	},
	{
		ID: "yang-2.3-floor", Source: yang, Place: "Figure 2.3", Items: []string{"Figure 2.3"}, Study: "em-convergence", Notebook: emErrorsNotebook,
		Statement: "The statistical error falls in the first iterations too, and then stays at a floor, of the order sigma sqrt(d/n), here 0.1.",
		Measure:   "Median floor over sigma sqrt(d/n), from 0.85 to 1.2 (prototype: 1.01); iterations until the error is within 5% of it, at most 8 on every path.",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			t.between("floor over sqrt(d/n)", e.at("error").Median/digit(math.Sqrt(10./1000)), .85, 1.2)
			t.below("iterations to it, most", e.at("reached").Max, 9)
			return t.result()
		},
	},
	{
		ID: "yang-2.3-ends", Source: yang, Place: "Figure 2.3, text", Items: []string{"Figure 2.3"}, Study: "em-convergence", Notebook: emErrorsNotebook,
		Statement: "The five runs end at \"different stationary points\", about equally far from the truth.",
		Measure:   "Largest distance between the ends of five starts on a path, median over paths, run until steps are of the size of rounding: above 1e-8.",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			for _, n := range []int{7, 10, 15, 25} {
				t.note("after %d iterations %.1g", n, e.at(fmt.Sprintf("apart %d", n)).Median)
			}
			t.above("after 200", e.at("apart 200").Median, 1e-8)
			return t.result()
		},
		Tried: "An exact E-step. The ends are apart after log n = 7 iterations, where the theory stops, and one point to rounding when the runs go on: the remark most likely describes runs that were stopped early. It is the same at |mean| = sqrt(1.5), the text's reading of the signal, and for an unrestricted model of two states. At a weak signal, |mean| <= 0.3, some paths do have several fixed points (figure 2.1).",
	},
	{
		ID: "yang-2.4-linear", Source: yang, Place: "Figure 2.4", Items: []string{"Figure 2.4"}, Study: "em-signal", Notebook: emSignalNotebook,
		Statement: "Convergence is linear where the signal is strong.",
		Measure:   "Share of the variance of the log error that a straight line explains, down to 1e-12, for |mean| of 1 and more: lower quartile above 0.99 (0.87 for quadratic convergence).",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			for _, eta := range e.values("eta") {
				if s := e.at("straight", "eta", eta); eta.(float64) >= 1 {
					t.above(fmt.Sprintf("|mean| = %v", eta), s.Q1, .99)
				}
			}
			return t.result()
		},
	},
	{
		ID: "yang-2.4-rate", Source: yang, Place: "Figure 2.4", Items: []string{"Figure 2.4"}, Study: "em-signal", Notebook: emSignalNotebook,
		Statement: "The weaker the signal, the slower the convergence.",
		Measure:   "Factor by which the error falls in an iteration: the upper quartile at each |mean| is below the lower quartile at the next smaller one.",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			etas := e.values("eta")
			for i, eta := range etas {
				r := e.at("rate", "eta", eta)
				t.note("|mean| = %v: %.3g", eta, r.Median)
				if i > 0 {
					t.below("upper quartile", r.Q3, float64(e.at("rate", "eta", etas[i-1]).Q1))
				}
			}
			return t.result()
		},
	},
	{
		ID: "yang-cor1", Source: yang, Place: "Corollary 1", Items: []string{"Corollary 1"}, Study: "em-signal", Notebook: emSignalNotebook,
		Statement: "The factor of contraction is at most C eta^2 (eta^2 + 1) exp(-c eta^2): it falls with the signal faster than any power.",
		Measure:   "-log of the median factor against |mean| from 1 to 3, fitted power: above 1.5 (2 by the theorem but for the polynomial before the exponential, which lowers it; 0 for a factor that is a power of |mean|, but for logarithms).",
		Judge: func(e *Evidence) (string, bool) {
			var x, y []float64
			for _, eta := range e.values("eta") {
				if v := eta.(float64); v >= 1 {
					x, y = append(x, v), append(y, -math.Log(float64(e.at("rate", "eta", eta).Median)))
				}
			}
			text, s := e.slope(x, y)
			var t tally
			t.note("power %s", text)
			t.above("power", digit(s), 1.5)
			return t.result()
		},
	},
	powerClaim("yang-2-n", "The error falls as n^(-1/2), up to logarithms.", "n", -.5, .08),
	powerClaim("yang-2-d", "The error grows as d^(1/2), up to logarithms.", "d", .5, .1),
	{
		ID: "yang-2-zeta", Source: yang, Place: "Corollary 2, section 2.4", Items: []string{"Corollary 2"}, Study: "em-rates", Notebook: emErrorsNotebook,
		Statement: "The error of the transition parameter behaves similarly: it falls as n^(-1/2).",
		Measure:   "Fitted power of the median error of zeta in n: from -0.6 to -0.4 (our bound, wider than for the means, as the error of one number varies more).",
		Judge: func(e *Evidence) (string, bool) {
			text, s := e.powerOf("zeta", "n")
			var t tally
			t.note("power %s", text)
			t.between("power", digit(s), -.6, -.4)
			return t.result()
		},
		Tried: "The error of zeta is one number, not a vector: half-normal, with a wide spread over data sets.",
	},
	{
		ID: "yang-2-memory", Source: yang, Place: "Sections 2.1 and 2.4", Study: "em-memory", Notebook: "em#Baum-Welch",
		Statement: "The dependence between observations carries information: Baum-Welch does better than EM for independent draws, most at a weak signal.",
		Measure:   "Mean error without the chain over that with it: falls as |mean| grows. Mean of the difference on the same data over its standard error: above 2 at every |mean|.",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			etas := e.values("eta")
			ratio := func(eta any) digit { return e.at("independent", "eta", eta).Mean / e.at("chain", "eta", eta).Mean }
			for i, eta := range etas {
				if i > 0 {
					t.below(fmt.Sprintf("ratio at |mean| = %v", eta), ratio(eta), float64(ratio(etas[i-1])))
				} else {
					t.note("ratio at |mean| = %v %.3g", eta, ratio(eta))
				}
				g := e.at("gain", "eta", eta)
				t.above("difference over its error", g.Mean/g.StdErr, 2)
			}
			return t.result()
		},
	},
	{
		ID: "yang-lemma3", Source: yang, Place: "Lemma 3, section 2.3", Items: []string{"Lemma 3", "Proposition 2.3.1"}, Test: "em.TestForgetting", Notebook: "em#Why: posteriors forget",
		Statement: "Posteriors from a window of 2k + 1 observations approach those from all of them geometrically in k, so that the limit of the objective exists.",
		Measure:   "Largest difference at k of 5 to 40; its factor per step is below rho-tilde.",
	},
	{
		ID: "yang-lemma6", Source: yang, Place: "Lemma 6", Items: []string{"Lemma 6"}, Test: "em.TestConditionalCovariances",
		Statement: "Conditional covariances of the hidden chain decay geometrically.",
		Measure:   "All three kinds against enumeration, and the bound at every lag. (For pairs the printed exponent is one too large.)",
	},
	{
		ID: "yang-lemma13", Source: yang, Place: "Lemma 13", Items: []string{"Lemma 13"}, Test: "em.TestFilterStability",
		Statement: "Filters from two starts approach each other geometrically.",
		Measure:   "The printed inequality on random chains of two states, at every step.",
	},
	{
		ID: "yang-thm1", Source: yang, Place: "Theorem 1", Items: []string{"Theorem 1"}, Test: "em.TestPopulation",
		Statement: "The population operator contracts towards the truth, faster at a larger signal.",
		Measure:   "The operator by a very long sample, with common random numbers.",
	},
	{
		ID: "yang-thm2", Source: yang, Place: "Theorem 2", Items: []string{"Theorem 2", "Corollary 2"}, Study: "em-convergence", Notebook: emErrorsNotebook,
		Statement: "From a start within |mean|/4 the error after t iterations is at most kappa^t times that of the start, and a floor.",
		Measure:   "Median statistical error less its floor, over kappa^t times that of the start, at each of the first six iterations (then the floor is all): below 1. kappa is the median factor of figure 2.4 at the same signal.",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			e.with("em-signal", func(o *Evidence) {
				kappa := float64(o.at("rate", "eta", 1.5).Median)
				curve, floor := e.curve("statistical"), float64(e.at("error").Median)
				most, at := math.Inf(-1), 0
				for i := 1; i < min(7, len(curve)); i++ {
					if r := (curve[i] - floor) / (math.Pow(kappa, float64(i)) * curve[0]); r > most {
						most, at = r, i
					}
				}
				t.below(fmt.Sprintf("at most (t = %d)", at), digit(most), 1)
			})
			return t.result()
		},
		Tried: "The constants of the theorem are not given, so kappa is the factor that is seen.",
	},
}

// moreOften is the p-value of Fisher's exact test that a of n are a larger share than c of m. Without data it is not a number.
func moreOften(a, n, c, m int) digit {
	r, err := hypothesis.Fisher(a, n-a, c, m-c)
	switch {
	case err == nil:
		return digit(r.Greater)
	case n > 0 && m > 0: // all or none of them, however they are shared out
		return 1
	}
	return digit(math.NaN())
}

// powerClaim says that the error of the mean changes with a power of n or d.
func powerClaim(id, statement, along string, want, slack float64) Claim {
	return Claim{
		ID: id, Source: yang, Place: "Corollary 2", Items: []string{"Corollary 2"}, Study: "em-rates", Notebook: emErrorsNotebook, Statement: statement,
		Measure: fmt.Sprintf("Fitted power of the median error of the mean: within %v of it (set before, from a prototype with -0.52 in n and 0.53 in d), and the slope's own standard error beside it.", slack),
		Judge: func(e *Evidence) (string, bool) {
			text, s := e.powerOf("mean", along)
			var t tally
			t.note("power %s", text)
			t.between("power", digit(s), want-slack, want+slack)
			return t.result()
		},
	}
}

// powerOf fits a power of n or d to the median of an error.
func (e *Evidence) powerOf(field, along string) (string, float64) {
	var x, y []float64
	for _, v := range e.values(along, "along", along) {
		x = append(x, float64(v.(int)))
		y = append(y, float64(e.at(field, "along", along, along, v).Median))
	}
	text, s := e.slope(x, y)
	return fmt.Sprintf("%s of %s, from %v to %v", text, along, slices.Min(append(x, math.Inf(1))), slices.Max(append(x, math.Inf(-1)))), s
}
