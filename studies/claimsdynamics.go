package studies

// dynamicsClaims are those of chapter 5 of Dai 2018.
var dynamicsClaims = []Claim{
	unjudged("dai-5.1", "Figure 5.1", "Dual embeddings learn a function seen through a conditional expectation; the dual goes to 0.", "The study dynamics-toy records it; nothing judges its records yet."),
	{
		ID: "dai-5.2-noise", Source: dai, Place: "Figure 5.2 (a)", Test: "embedding.TestMeasurements",
		Statement: "With noisy inputs dual embeddings are better than gradients of sample averages, and far better than those of virtual samples. (Tested: at most 1/1.3 and 1/3 of their error.)",
	},
	unjudged("dai-5.2-molecules", "Figure 5.2 (b)", "On molecules the other two stall.", "The study dynamics-molecules records it; nothing judges its records yet."),
	unjudged("dai-5.3", "Figure 5.3", "In policy evaluation they have the least Bellman error, before GTD2 and residual gradients.", "The study dynamics-policy records it; nothing judges its records yet."),
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

// unjudged is a claim that nothing decides yet.
func unjudged(id, place, statement, why string) Claim {
	return Claim{ID: id, Source: dai, Place: place, Statement: statement, Tried: why}
}
