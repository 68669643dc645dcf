package claims

import (
	"fmt"
	"math"

	"gaucho/stdlib/fdr"
)

const (
	powerNotebook   = "mabfdr#Figure 4.7: power and pulls"
	controlNotebook = "mabfdr#Figure 4.10: false discoveries"
)

// mabfdrClaims are those of chapter 4 of Yang 2018.
var mabfdrClaims = []Claim{
	{
		ID: "yang-4.7a-power", Source: yang, Place: "Figure 4.7 (a)", Items: []string{"Figure 4.7"}, Study: "mabfdr-power", Notebook: powerNotebook,
		Statement: "MAB-FDR discovers nearly all best arms at truncations at which uniform sampling (AB-FDR) discovers none, and AB-FDR only with many more pulls.",
		Measure:   "Mean discovery rate, bounds as the program of the chapter, rules of preset \"program\". At M = 250: MAB above 0.99 (prototype: 0.995 to 1), AB below 0.05; AB reaches 0.8 only at more than twice the M at which MAB does.",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			at := func(method string, budget any) digit {
				return e.at("BDR", "preset", "program", "method", method, "M", budget).Mean
			}
			t.above("MAB at 250", at("MAB", 250), .99)
			t.below("AB at 250", at("AB", 250), .05)
			t.above("AB's M over MAB's", digit(e.reaches(at, "AB", .8)/e.reaches(at, "MAB", .8)), 2)
			return t.result()
		},
	},
	{
		ID: "yang-4.7a-stop", Source: yang, Place: "Figure 4.7 (a), text", Items: []string{"Figure 4.7"}, Study: "mabfdr-power", Notebook: powerNotebook,
		Statement: "The adaptive sampler's stopping time is concentrated at 160 to 200 pulls.",
		Measure:   "Mean pulls of an experiment with M = 400, as the published program computes its bounds: from 160 to 200. Beside it preset \"paper\": algorithm 1 with one initial pull and the radius that holds for unit variance; with the radius as printed, which does not, it is 83 (119 with two initial pulls).",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			each := func(preset string) digit {
				return e.at("pulls", "preset", preset, "method", "MAB", "M", 400).Mean / digit(e.largest("experiments").(int))
			}
			t.between("program", each("program"), 160, 200)
			t.note("paper %.0f", each("paper"))
			return t.result()
		},
	},
	{
		ID: "yang-4.7b", Source: yang, Place: "Figure 4.7 (b)", Items: []string{"Figure 4.7"}, Study: "mabfdr-samples", Notebook: powerNotebook,
		Statement: "The pulls of AB-FDR grow faster with the number of arms, and then stay at the cap of M times the number of hypotheses.",
		Measure:   "Mean pulls, preset \"program\": from 10 to 20 arms AB's grow by a larger factor than MAB's; AB at the two largest numbers of arms over the cap, 0.99 to 1. Beside it MAB over AB.",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			at := func(method string, arms any) digit {
				return e.at("pulls", "preset", "program", "method", method, "arms", arms).Mean
			}
			t.above("AB, 20 over 10 arms", at("AB", 20)/at("AB", 10), float64(at("MAB", 20)/at("MAB", 10)))
			ceiling := digit(300 * e.largest("experiments").(int))
			t.between("AB at 80 arms over the cap", at("AB", 80)/ceiling, .99, 1)
			t.between("AB at 100", at("AB", 100)/ceiling, .99, 1)
			for _, arms := range e.values("arms") {
				t.note("%v arms: %.2f", arms, at("MAB", arms)/at("AB", arms))
			}
			return t.result()
		},
	},
	{
		ID: "yang-4.8a", Source: yang, Place: "Figure 4.8 (a)", Items: []string{"Figure 4.8"}, Study: "mabfdr-bernoulli-power", Notebook: powerNotebook,
		Statement: "With Bernoulli arms the picture is the same, at a much larger truncation.",
		Measure:   "Mean discovery rate at M = 7500: MAB above 0.95, AB below 0.05; AB reaches 0.8 only at more than twice the M at which MAB does.",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			at := func(method string, budget any) digit {
				return e.at("BDR", "method", method, "top", .7, "M", budget).Mean
			}
			t.above("MAB at 7500", at("MAB", 7500), .95)
			t.below("AB at 7500", at("AB", 7500), .05)
			t.above("AB's M over MAB's", digit(e.reaches(at, "AB", .8)/e.reaches(at, "MAB", .8)), 2)
			return t.result()
		},
		Tried: "The caption has a top mean of 0.7, the text 0.4; this is the caption's.",
	},
	{
		ID: "yang-4.8b", Source: yang, Place: "Figure 4.8 (b)", Items: []string{"Figure 4.8"}, Study: "mabfdr-bernoulli-samples", Notebook: powerNotebook,
		Statement: "MAB-FDR takes fewer pulls than AB-FDR with Bernoulli arms too, which reaches the cap.",
		Measure:   "Mean pulls of MAB over AB: below 1 at every number of arms, and below a half with 20 (prototype: 0.39 to 0.41); AB at the largest over the cap, 0.99 to 1.",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			at := func(method string, arms any) digit {
				return e.at("pulls", "method", method, "arms", arms).Mean
			}
			t.belowEverywhere("MAB over AB", "arms", e.values("arms"), 1, func(arms any) digit { return at("MAB", arms) / at("AB", arms) })
			t.below("MAB over AB with 20 arms", at("MAB", 20)/at("AB", 20), .5)
			t.between("AB at 35 arms over the cap", at("AB", 35)/(5000*50), .99, 1)
			return t.result()
		},
	},
	{
		ID: "yang-4.9-pulls", Source: yang, Place: "Figure 4.9 (b) (stand-in)", Items: []string{"Figure 4.9"}, Study: "mabfdr-captions", Notebook: powerNotebook,
		Statement: "On cartoon captions MAB-FDR takes fewer pulls at every number of arms. (Generated contests; the data are another's.)",
		Measure:   "Mean pulls of MAB over AB at M = 130,000, at every number of arms; the bound 1 is the claim.",
		Judge: func(e *Evidence) (string, bool) {
			agrees, found := true, "pulls of MAB over those of AB: "
			for i, arms := range e.values("arms") {
				at := func(method string) digit {
					return e.at("pulls", "method", method, "arms", arms, "M", 130000).Mean
				}
				if i > 0 {
					found += ", "
				}
				found += fmt.Sprintf("%.2f with %v arms", at("MAB")/at("AB"), arms)
				agrees = agrees && at("MAB") < at("AB")
			}
			return found, agrees
		},
	},
	{
		ID: "yang-4.9-power", Source: yang, Place: "Figure 4.9 (a) (stand-in)", Items: []string{"Figure 4.9"}, Study: "mabfdr-captions", Notebook: powerNotebook,
		Statement: "There MAB-FDR outperforms AB-FDR \"by a large margin\".",
		Measure:   "Mean discovery rate of MAB less that of AB at every number of arms: above 0.08 (our reading; two standard errors of the 24 draws with which it was fixed).",
		Judge: func(e *Evidence) (string, bool) {
			agrees, found := true, "discovery rate of MAB less that of AB: "
			for i, arms := range e.values("arms") {
				at := func(method string) digit {
					return e.at("BDR", "method", method, "arms", arms, "M", 130000).Mean
				}
				if i > 0 {
					found += ", "
				}
				found += fmt.Sprintf("%.2f with %v arms", at("MAB")-at("AB"), arms)
				agrees = agrees && at("MAB") >= at("AB")+.08
			}
			return found, agrees
		},
		Tried: "The margin is there with many arms. With few it is there only when AB rejects where its sampler stopped by its own test (method AB-stop), which is what the text says of AB, though its procedures reject on the p-value alone. Contests differ much, so each replication draws its own.",
	},
	{
		ID: "yang-4.7-nulls", Source: yang, Place: "Section 4.5", Items: []string{"Figure 4.7"}, Study: "mabfdr-power", Notebook: powerNotebook,
		Statement: "With bandits under the null no null is ever rejected: the false discovery proportion is constant 0.",
		Measure:   "Largest proportion in any run of figure 4.7; it must be 0.",
		Judge: func(e *Evidence) (string, bool) {
			most, runs := 0.0, 0
			for _, p := range e.compact.Kept {
				most = math.Max(most, float64(p.Numbers["FDP"].Max))
				runs += p.Numbers["FDP"].N
			}
			return fmt.Sprintf("at most %.2g in %d runs", most, runs), most == 0
		},
	},
	{
		ID: "yang-4.10a", Source: yang, Place: "Figure 4.10 (a)", Items: []string{"Figure 4.10"}, Study: "mabfdr-control", Notebook: controlNotebook,
		Statement: "With uniform p-values for nulls, the false discovery proportion of MAB-LORD is on average below alpha = 0.1 all along the path.",
		Measure:   "Largest mean over runs of the proportion after 10 and more of 500 hypotheses, 40% (text) and 60% (caption) alternatives, with two standard errors of its end: below 0.1.",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			for _, share := range []float64{.4, .6} {
				match := []any{"rule", string(fdr.LORD3), "share", share, "M", 200}
				path, places := e.path("path", match...), e.places("path", match...)
				most := 0.0
				for i, v := range path {
					if 10*(places[i]+1) >= 10 {
						most = math.Max(most, v)
					}
				}
				end := e.at("FDP", match...)
				t.below(fmt.Sprintf("%.0f%%", 100*share), digit(most)+2*end.StdErr, .1)
				t.note("at the end %s", end.mean())
			}
			return t.result()
		},
	},
	{
		ID: "yang-4.10a-runs", Source: yang, Place: "Figure 4.10 (a)", Items: []string{"Figure 4.10"}, Study: "mabfdr-control", Notebook: controlNotebook,
		Statement: "After a transient the single runs are below alpha too.",
		Measure:   "Largest of all runs of the highest proportion after the first 100 of 500 hypotheses (the transient, our reading), 40% alternatives: below 0.1. Beside it other lengths of the transient.",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			after := func(n int) number {
				return e.at(fmt.Sprintf("highest after %d", n), "rule", string(fdr.LORD3), "share", .4, "M", 200)
			}
			t.below("after 100", after(100).Max, .1)
			for _, n := range []int{50, 200, 300, 400} {
				t.note("after %d %.3f", n, after(n).Max)
			}
			return t.result()
		},
		Tried: "The average is controlled, a single run is promised nothing. How long the transient lasts is not said.",
	},
	{
		ID: "yang-4.10b-control", Source: yang, Place: "Figure 4.10 (b), theorem 4 (a)", Items: []string{"Figure 4.10", "Theorem 4"}, Study: "mabfdr-control", Notebook: controlNotebook,
		Statement: "LORD and Bonferroni keep mFDR below alpha at every share of alternatives, testing each hypothesis at alpha does not.",
		Measure:   "E V/(E R + 1) over 80 runs, largest over the shares: at most 0.1 (alpha), and above it for testing at alpha.",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			for _, rule := range []fdr.Method{fdr.LORD3, fdr.LORD15, fdr.LORDPlusPlus, fdr.Bonferroni, fdr.Uncorrected} {
				most, at := worst(e.values("share"), func(share any) digit {
					match := []any{"rule", string(rule), "share", share, "M", 200}
					return e.at("V", match...).Mean / (e.at("R", match...).Mean + 1)
				})
				if name := fmt.Sprintf("%s (share %v)", rule, at); rule == fdr.Uncorrected {
					t.above(name, most, .1)
				} else {
					t.below(name, most, .1)
				}
			}
			return t.result()
		},
	},
	{
		ID: "yang-4.10b-bonferroni", Source: yang, Place: "Figure 4.10 (b), text", Items: []string{"Figure 4.10"}, Study: "mabfdr-control", Notebook: controlNotebook,
		Statement: "Bonferroni \"hardly rejects\", while LORD has power.",
		Measure:   "Mean discovery rate at the text's truncation of 200 pulls, 40% alternatives: Bonferroni below 0.1, LORD 3 above 0.5. Beside it other truncations.",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			at := func(rule fdr.Method, budget any) digit {
				return e.at("BDR", "rule", string(rule), "share", .4, "M", budget).Mean
			}
			t.below("Bonferroni", at(fdr.Bonferroni, 200), .1)
			t.above("LORD 3", at(fdr.LORD3, 200), .5)
			for _, budget := range e.values("M", "rule", string(fdr.Bonferroni), "share", .4) {
				t.note("M = %v: %.2f and %.2f", budget, at(fdr.Bonferroni, budget), at(fdr.LORD3, budget))
			}
			return t.result()
		},
		Tried: "It depends on the truncation alone, and not on the radius, the preset or the share of alternatives (60% in the caption): only one near 100 pulls fits the text.",
	},
	{
		ID: "yang-thm4b", Source: yang, Place: "Theorem 4 (b), section 4.5", Items: []string{"Theorem 4"}, Study: "mabfdr-power", Notebook: powerNotebook,
		Statement: "Without truncation the discovery rate of MAB-LORD is at least the mean of 1 - alpha_j over the alternatives; LORD has reasonable power.",
		Measure:   "Preset \"paper\" (LORD 3) at M = 800, where every experiment stops by itself (the share that stops must be 1): discovery rate, lower quartile, at least 1 - alpha = 0.9.",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			match := []any{"preset", "paper", "method", "MAB", "M", 800}
			t.above("share that stops, least", e.at("stopped", match...).Min, .999)
			t.above("discovery rate, lower quartile", e.at("BDR", match...).Q1, .9)
			return t.result()
		},
	},
	{
		ID: "yang-thm5", Source: yang, Place: "Theorem 5 (a), proposition 3", Items: []string{"Theorem 5", "Proposition 3"}, Study: "mabfdr-control", Notebook: controlNotebook,
		Statement: "MAB-LORD' keeps both FDR and mFDR below alpha, with bandits whose confidence is the level that the rule sets.",
		Measure:   "Rule LORD 2015 at every share of alternatives: mean proportion with two standard errors, and E V/(E R + 1): below 0.1. Alternatives are bandits run at the rule's level, nulls have uniform p-values, which real bandits never come near.",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			match := func(share any) []any { return []any{"rule", string(fdr.LORD15), "share", share, "M", 200} }
			t.belowEverywhere("FDR", "share", e.values("share"), .1, func(share any) digit {
				n := e.at("FDP", match(share)...)
				return n.Mean + 2*n.StdErr
			})
			t.belowEverywhere("mFDR", "share", e.values("share"), .1, func(share any) digit {
				return e.at("V", match(share)...).Mean / (e.at("R", match(share)...).Mean + 1)
			})
			return t.result()
		},
	},
	{
		ID: "yang-thm5b", Source: yang, Place: "Theorem 5 (b)", Items: []string{"Theorem 5"}, Study: "mabfdr-control", Notebook: controlNotebook,
		Statement: "Its discovery rate without truncation is at least 1 - alpha. (The print divides by the number of alternatives, where a sum was lost.)",
		Measure:   "Mean discovery rate of LORD 2015 at every share, at M = 200, where truncation can only lower it: at least 0.9.",
		Judge: func(e *Evidence) (string, bool) {
			var t tally
			t.belowEverywhere("share that is missed", "share", e.values("share", "rule", string(fdr.LORD15)), .1, func(share any) digit {
				return 1 - e.at("BDR", "rule", string(fdr.LORD15), "share", share, "M", 200).Mean
			})
			return t.result()
		},
		Tried: "With few alternatives a truncation at 200 pulls can lower it.",
	},
	{
		ID: "yang-prop2", Source: yang, Place: "Proposition 2", Items: []string{"Proposition 2"}, Test: "bandit.TestProposition2",
		Statement: "The bandit returns an arm of the right set with probability 1 - delta, within the bounds on its pulls.",
		Measure:   "Five scenarios, 40 runs each: at most one wrong answer (delta = 0.1), and pulls within a tenth of an independent program's. The bounds themselves are 10 to 170 times what is seen, so that nothing tests them; their order, gap^-2, is another test's (TestGapSlope).",
	},
	{
		ID: "yang-p", Source: yang, Place: "Proposition 1, section 4.3", Items: []string{"Proposition 1"}, Test: "bandit.TestNullP",
		Statement: "Its p-values are valid at any stopping time.",
		Measure:   "Share of null runs whose running minimum after 3000 pulls is at most a, for a of 0.01 to 0.2: at most a.",
	},
}

// reaches is the least truncation of the record at which a method has a discovery rate.
func (e *Evidence) reaches(at func(method string, budget any) digit, method string, rate digit) float64 {
	for _, budget := range e.values("M") {
		if at(method, budget) >= rate {
			return float64(budget.(int))
		}
	}
	return math.NaN()
}
