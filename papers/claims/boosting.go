package claims

import "fmt"

const (
	boostingRulesNotebook  = "boosting#Figures 3.2 and 3.3: stopping rules against $n$"
	boostingRadiusNotebook = "boosting#When to stop: the critical radius"
)

// boostingClaims are those of chapter 3 of Yang 2018.
var boostingClaims = []Claim{
	overfitClaim("yang-3.1a", "Figure 3.1 (a)", "LogitBoost", "logistic"),
	overfitClaim("yang-3.1b", "Figure 3.1 (b)", "AdaBoost", "exponential"),
	goldClaim("yang-3.2-gold", "Figure 3.2 (a)", "L2Boost", "squared"),
	othersClaim("yang-3.2-others", "Figure 3.2 (a)", "L2Boost", "squared"),
	goldClaim("yang-3.2b-gold", "Figure 3.2 (b)", "LogitBoost", "logistic"),
	othersClaim("yang-3.2b-others", "Figure 3.2 (b)", "LogitBoost", "logistic"),
	ruleSlopeClaim("yang-3.3a", "Figure 3.3 (a)", "L2Boost", "squared"),
	ruleSlopeClaim("yang-3.3b", "Figure 3.3 (b)", "LogitBoost", "logistic"),
	otherSlopesClaim("yang-3.3a-others", "Figure 3.3 (a)", "L2Boost", "squared"),
	otherSlopesClaim("yang-3.3b-others", "Figure 3.3 (b)", "LogitBoost", "logistic"),
	func() Claim {
		c := ruleSlopeClaim("yang-ada", "Section 3.4", "AdaBoost", "exponential")
		c.Ours, c.Items = true, nil
		c.Statement = "Does the rule hold for AdaBoost, which the figures leave out? " + c.Statement
		return c
	}(),
	{
		ID: "yang-3-calibrated", Source: yang, Place: "Theorem 3, corollary 2", Items: []string{"Theorem 3"}, Study: "boosting-rules", Notebook: boostingRadiusNotebook,
		Statement: "Stopping at a time of the order 1/(step delta_n^2), with the critical radius from the kernel's eigenvalues, has an error of the order delta_n^2, near the best.",
		Measure:   "Mean error of the averaged iterate at T = 1/(step delta_n^2) over that of the best iteration of each path, at every n: below 2, and not growing with n by more than a tenth (a constant factor is what \"order\" leaves open).",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			ns := e.values("n", "loss", "squared")
			over := func(n any) digit {
				return e.at("averaged calibrated", "loss", "squared", "n", n).Mean / e.at("gold", "loss", "squared", "n", n).Mean
			}
			t.belowEverywhere("over the best", "n", ns, 2, over)
			if len(ns) > 0 {
				t.below("its change from the least n to the largest", over(ns[len(ns)-1])/over(ns[0]), 1.1)
			}
			return t.result()
		},
	},
	{
		ID: "yang-lemma14", Source: yang, Place: "Lemma 14", Items: []string{"Lemma 14"}, Test: "boosting.TestBasicInequality",
		Statement: "The basic inequality bounds the error at every step.",
		Measure:   "The inequality at every step of random problems, three step sizes, without slack.",
	},
	{
		ID: "yang-lemma17", Source: yang, Place: "Lemma 17", Items: []string{"Lemma 17"}, Test: "boosting.TestConstants",
		Statement: "The losses are smooth and strongly convex with the printed constants, on bounded functions.",
		Measure:   "First and second derivatives on a grid are within the constants.",
	},
	{
		ID: "yang-cor3", Source: yang, Place: "Corollary 3", Items: []string{"Corollary 3"}, Test: "boosting.TestRandomDesign",
		Statement: "For random designs the error at fresh points is of the same order.",
		Measure:   "Error of the averaged iterate at 10,000 fresh points over that at the sample, mean of 40: 0.9 to 1.2.",
	},
	{
		ID: "yang-cor4", Source: yang, Place: "Corollary 4", Items: []string{"Corollary 4"}, Test: "boosting.TestMinimax",
		Statement: "Stopping at 1/(delta_n^2 max(8, M)) is minimax optimal: the averaged iterate's worst error over the unit ball is of the order delta_n^2, and no estimator's is smaller.",
		Measure:   "Above: exact worst risk over the unit ball, over delta_n^2, bound 4 (a constant is what the order leaves open). Below: Bayes risk over the signs of a least favourable function, in closed form, which no estimator's worst risk undercuts; bound 0.05.",
		Measured:  "n = 64, 256, 1024: worst risk 2.2, 3.0, 2.9 of delta_n^2; any estimator's at least 0.23, 0.22, 0.24.",
	},
	{
		ID: "yang-radius", Source: yang, Place: "Section 3.3, corollary 5", Items: []string{"Corollary 5"}, Test: "boosting.TestCriticalRadius",
		Statement: "delta_n^2 falls as n^(-2/3) for the first-order Sobolev kernel, and as 1/n up to logarithms for the Gaussian one.",
		Measure:   "Fitted power: within 0.05 of -2/3; from -1 to -0.82.",
	},
}

// overfitClaim is a panel of figure 3.1.
func overfitClaim(id, place, name, loss string) Claim {
	return Claim{
		ID: id, Source: yang, Place: place, Items: []string{"Figure 3.1"}, Study: "boosting-overfit", Notebook: "boosting#Figure 3.1: overfitting",
		Statement: "Without stopping, the error of " + name + " falls to a minimum inside and then grows much.",
		Measure:   "Mean over paths: the least error is after the first iteration in three quarters of them, below the first error, and a third of the last (\"much\", our reading).",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			least, last, at := e.at("least", "loss", loss), e.at("lastError", "loss", loss), e.at("bestAt", "loss", loss)
			T := float64(e.largest("T").(int))
			t.note("least error %s, %s at iteration %.0f", least.mean(), last.mean(), T)
			t.above("last over least", last.Mean/least.Mean, 3)
			t.between("lower quartile of the best iteration", at.Q1, 2, T)
			if curve := e.curve("error", "loss", loss); len(curve) > 0 {
				t.below("least over first", least.Median/digit(curve[0]), 1)
			}
			return t.result()
		},
	}
}

// goldClaim says that the rule's error follows that of the best iteration.
func goldClaim(id, place, name, loss string) Claim {
	return Claim{
		ID: id, Source: yang, Place: place, Items: []string{"Figure 3.2"}, Study: "boosting-rules", Notebook: boostingRulesNotebook,
		Statement: name + " stopped at T = (7n)^(2/3) is a little worse than the best iteration of each path, and tracks it.",
		Measure:   "Mean error of the averaged iterate, which the figure shows, over that of the best: above 1 and below 1.5 at every n (a little, our reading). Beside it the last iterate.",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			for _, n := range e.values("n", "loss", loss) {
				gold := e.at("gold", "loss", loss, "n", n).Mean
				t.between(fmt.Sprintf("n = %v", n), e.at("averaged 2/3", "loss", loss, "n", n).Mean/gold, 1, 1.5)
				t.note("last %.3g", e.at("last 2/3", "loss", loss, "n", n).Mean/gold)
			}
			return t.result()
		},
		Tried: "The averaged iterate keeps to the bound where the last one does not.",
	}
}

// othersClaim says that other powers are much worse.
func othersClaim(id, place, name, loss string) Claim {
	return Claim{
		ID: id, Source: yang, Place: place, Items: []string{"Figure 3.2"}, Study: "boosting-rules", Notebook: boostingRulesNotebook,
		Statement: "Powers 1/3 and 1 in place of 2/3 are much worse for " + name + ": under- and overfitting.",
		Measure:   "Mean error of the averaged iterate over that with the power 2/3, at the largest n: above 2 (much, our reading).",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			n := e.largest("n")
			at := func(rule string) digit { return e.at("averaged "+rule, "loss", loss, "n", n).Mean }
			t.above("1/3", at("1/3")/at("2/3"), 2)
			t.above("1", at("1")/at("2/3"), 2)
			return t.result()
		},
	}
}

// ruleSlopeClaim says that the rule's error falls at least as fast as n^(-2/3).
func ruleSlopeClaim(id, place, name, loss string) Claim {
	return Claim{
		ID: id, Source: yang, Place: place, Items: []string{"Figure 3.3"}, Study: "boosting-rules", Notebook: boostingRulesNotebook,
		Statement: "Stopped at T = (7n)^(2/3), the error of " + name + " falls at least as fast as n^(-2/3). (The theory bounds it from above.)",
		Measure:   "Fitted power of the mean error of the averaged iterate, of which theory and figure speak: at most -2/3. Beside it the last iterate and the best iteration of each path.",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			averaged, s := e.ruleSlope("averaged 2/3", loss)
			last, _ := e.ruleSlope("last 2/3", loss)
			gold, _ := e.ruleSlope("gold", loss)
			t.note("averaged %s, last %s, best %s", averaged, last, gold)
			t.below("averaged", digit(s), -2./3)
			return t.result()
		},
		Tried: "The function is a single kink, smoother than the worst case, so its squared bias falls faster than the rate.",
	}
}

// otherSlopesClaim says that other powers give other slopes.
func otherSlopesClaim(id, place, name, loss string) Claim {
	return Claim{
		ID: id, Source: yang, Place: place, Items: []string{"Figure 3.3"}, Study: "boosting-rules", Notebook: boostingRulesNotebook,
		Statement: "On a log-log plot the powers 1/3 and 1 have other slopes than 2/3 for " + name + ".",
		Measure:   "Fitted powers of the mean error of the averaged iterate: flatter than that of 2/3 by twice the larger standard error of a slope over these n, 0.1.",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			right, s := e.ruleSlope("averaged 2/3", loss)
			few, a := e.ruleSlope("averaged 1/3", loss)
			many, b := e.ruleSlope("averaged 1", loss)
			t.note("1/3: %s, 2/3: %s, 1: %s", few, right, many)
			t.above("1/3 less 2/3", digit(a-s), .1)
			t.above("1 less 2/3", digit(b-s), .1)
			return t.result()
		},
	}
}

// ruleSlope is the slope of the mean of a field in n.
func (e *Evidence) ruleSlope(field, loss string) (string, float64) {
	var x, y []float64
	for _, n := range e.values("n", "loss", loss) {
		x, y = append(x, float64(n.(int))), append(y, float64(e.at(field, "loss", loss, "n", n).Mean))
	}
	return e.slope(x, y)
}

// largest is the largest value of an integer parameter.
func (e *Evidence) largest(parameter string) any {
	most := 0
	for _, v := range e.values(parameter) {
		most = max(most, v.(int))
	}
	return most
}
