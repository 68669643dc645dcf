package studies

import (
	"fmt"
	"math"
)

// boostingClaims are those of chapter 3 of Yang 2018.
var boostingClaims = []Claim{
	overfitClaim("yang-3.1a", "Figure 3.1 (a)", "LogitBoost", "logistic"),
	overfitClaim("yang-3.1b", "Figure 3.1 (b)", "AdaBoost", "exponential"),
	{
		ID: "yang-3.2-gold", Source: yang, Place: "Figure 3.2 (a)", Study: "boosting-rules", Notebook: boostingRulesNotebook,
		Statement: "L2Boost stopped at T = (7n)^(2/3) tracks the best iteration of each path and is a little worse.",
		Judge: func(e *Evidence) (string, bool) {
			n := e.largest("n")
			gold, rule := e.at("gold", "loss", "squared", "n", n), e.at("last 2/3", "loss", "squared", "n", n)
			return fmt.Sprintf("at n = %v: %s, best %s", n, rule.mean(), gold.mean()), rule.Mean >= gold.Mean && rule.Mean <= 2*gold.Mean
		},
	},
	{
		ID: "yang-3.2-others", Source: yang, Place: "Figure 3.2 (a)", Study: "boosting-rules", Notebook: boostingRulesNotebook,
		Statement: "Powers 1/3 and 1 in its place are much worse: under- and overfitting.",
		Judge: func(e *Evidence) (string, bool) {
			n := e.largest("n")
			at := func(rule string) CompactNumber { return e.at("last "+rule, "loss", "squared", "n", n) }
			return fmt.Sprintf("at n = %v: power 1/3 %s, 2/3 %s, 1 %s", n, at("1/3").mean(), at("2/3").mean(), at("1").mean()),
				min(at("1/3").Mean, at("1").Mean) >= 2*at("2/3").Mean
		},
	},
	ruleSlopeClaim("yang-3.3a", "Figure 3.3 (a)", "L2Boost", "squared", .1),
	ruleSlopeClaim("yang-3.3b", "Figure 3.3 (b)", "LogitBoost", "logistic", .12),
	{
		ID: "yang-3.3-others", Source: yang, Place: "Figure 3.3", Study: "boosting-rules", Notebook: boostingRulesNotebook,
		Statement: "On a log-log plot the other powers have other slopes.",
		Judge: func(e *Evidence) (string, bool) {
			agrees, found := true, ""
			for _, loss := range []string{"squared", "logistic"} {
				right, s := e.ruleSlope("last 2/3", loss)
				few, a := e.ruleSlope("last 1/3", loss)
				many, b := e.ruleSlope("last 1", loss)
				agrees = agrees && a > s+.15 && b > s+.1
				found += fmt.Sprintf("%s loss: %s, 2/3: %s, 1: %s; ", loss, "1/3: "+few, right, many)
			}
			return found + "slopes of the mean error in n", agrees
		},
	},
	{
		ID: "yang-3-calibrated", Source: yang, Place: "Theorem 3, corollary 2", Study: "boosting-rules", Notebook: "boosting#When to stop: the critical radius",
		Statement: "Stopping at 1/(step delta_n^2), with the critical radius from the kernel's eigenvalues, has an error of the order delta_n^2, near the best.",
		Judge: func(e *Evidence) (string, bool) {
			n := e.largest("n")
			gold, rule := e.at("gold", "loss", "squared", "n", n), e.at("last calibrated", "loss", "squared", "n", n)
			return fmt.Sprintf("at n = %v: %s, best %s", n, rule.mean(), gold.mean()), rule.Mean <= 2*gold.Mean
		},
	},
	{
		ID: "yang-lemma14", Source: yang, Place: "Lemma 14", Test: "boosting.TestBasicInequality",
		Statement: "The basic inequality bounds the error at every step.",
	},
	{
		ID: "yang-cor3", Source: yang, Place: "Corollary 3", Test: "boosting.TestRandomDesign",
		Statement: "The error at fresh points is close to that at the sample.",
	},
	{
		ID: "yang-cor4", Source: yang, Place: "Corollary 4", Test: "boosting.TestMinimax",
		Statement: "The rate delta_n^2 is attained on the least favourable functions, so stopping early is minimax optimal.",
	},
	{
		ID: "yang-radius", Source: yang, Place: "Section 3.3", Test: "boosting.TestCriticalRadius",
		Statement: "delta_n^2 falls as n^(-2/3) for the first-order Sobolev kernel, and nearly as 1/n for the Gaussian one.",
	},
}

const boostingRulesNotebook = "boosting#Figures 3.2 and 3.3: stopping rules against $n$"

// overfitClaim is a panel of figure 3.1.
func overfitClaim(id, place, name, loss string) Claim {
	return Claim{
		ID: id, Source: yang, Place: place, Study: "boosting-overfit", Notebook: "boosting#Figure 3.1: overfitting",
		Statement: "Without stopping, the error of " + name + " falls to a minimum inside and then grows much.",
		Judge: func(e *Evidence) (string, bool) {
			least, last, at := e.at("least", "loss", loss), e.at("lastError", "loss", loss), e.at("bestAt", "loss", loss)
			T := float64(e.largest("T").(int))
			return fmt.Sprintf("least error %s at iteration %.0f (median), %s at %.0f", least.mean(), at.Median, last.mean(), T),
				last.Mean >= 3*least.Mean && float64(at.Q1) > 1 && float64(at.Q3) < T
		},
	}
}

// ruleSlopeClaim says that the rule's error falls as n^(-2/3).
func ruleSlopeClaim(id, place, name, loss string, slack float64) Claim {
	return Claim{
		ID: id, Source: yang, Place: place, Study: "boosting-rules", Notebook: boostingRulesNotebook,
		Statement: "Stopped at T = (7n)^(2/3), the error of " + name + " falls as n^(-2/3).",
		Judge: func(e *Evidence) (string, bool) {
			text, s := e.ruleSlope("last 2/3", loss)
			averaged, _ := e.ruleSlope("averaged 2/3", loss)
			return fmt.Sprintf("slope of the mean error %s of the last iterate, %s of the average of iterates", text, averaged), math.Abs(s+2./3) <= slack
		},
		Tried: "The function is a single kink, smoother than the worst case, so its squared bias falls faster than the rate; on least favourable functions and for delta_n^2 itself the rate is -2/3 (boosting.TestMinimax, boosting.TestCriticalRadius).",
	}
}

// ruleSlope is the slope of the mean of a field in n.
func (e *Evidence) ruleSlope(field, loss string) (string, float64) {
	var x, y []float64
	for _, n := range e.values("n") {
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
