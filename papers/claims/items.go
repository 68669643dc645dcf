package claims

// An item is a numbered theorem, proposition, lemma, corollary, algorithm, figure or table of a source. Why says why no claim is about
// it; it is empty for items that have one.
type item struct {
	Name string
	Why  string
}

const (
	drawing = "a drawing, without data"
	device  = "a step of a proof, whose result is tested at the theorem"
	known   = "known before, and cited there"
	tails   = "a bound with high probability, with constants that are not given or far from tight; the rate is that of the expectation, which is tested"
	loss    = "our copy of the source has the number and not the statement"
)

// sourceItems lists the numbered items of the sources, in their order, and of the last one the algorithms first. Lemmas that only
// carry numbers through a proof are listed with the reason; those of which our copy of the last source has no more than a number
// are left out.
var sourceItems = map[Source][]item{
	lacosteJulien: {
		{"Figure 1", ""}, {"Figure 2", ""}, {"Figure 3", ""}, {"Figure 4", ""}, {"Figure 5", ""}, {"Figure 6", ""}, {"Figure 7", ""}, {"Figure 8", ""},
		{"Theorem 1", ""}, {"Theorem 2", ""}, {"Theorem G.1", ""},
	},
	khanna: {
		{"Figure 1", ""}, {"Figure 2", ""}, {"Theorem 1", ""}, {"Theorem 2", ""}, {"Theorem 3", ""},
		{"Lemma 4", ""}, {"Lemma 5", ""}, {"Lemma 6", loss}, {"Lemma 7", ""}, {"Lemma 8", ""},
	},
	yang: {
		{"Figure 1.1", drawing},
		{"Figure 2.1", ""}, {"Figure 2.2", drawing}, {"Figure 2.3", ""}, {"Figure 2.4", ""},
		{"Proposition 2.3.1", ""}, {"Theorem 1", ""}, {"Theorem 2", ""}, {"Corollary 1", ""}, {"Corollary 2", ""},
		{"Lemma 1", device}, {"Lemma 2", "a concentration bound with constants that are not given; its order is that of corollary 2"},
		{"Lemma 3", ""}, {"Lemma 4", device}, {"Lemma 5", "bounds on conditional variances with constants that are not given; the contraction that they serve is corollary 1"},
		{"Lemma 6", ""}, {"Lemma 7", "independent blocks, " + device}, {"Lemma 8", device}, {"Lemma 9", device}, {"Lemma 10", device}, {"Lemma 11", device},
		{"Lemma 12", "mixing given the data, with a constant that is not given; lemmas 3 and 13 are tested"}, {"Lemma 13", ""},
		{"Figure 3.1", ""}, {"Figure 3.2", ""}, {"Figure 3.3", ""},
		{"Theorem 3", ""}, {"Corollary 3", ""}, {"Corollary 4", ""}, {"Corollary 5", ""},
		{"Lemma 14", ""}, {"Lemma 15", "an event of high probability with constants that are not given; theorem 3 is judged"},
		{"Lemma 16", "holds the iterates in a ball whose radius is defined by itself for losses that are not squared"},
		{"Lemma 17", ""}, {"Lemma 18", device}, {"Lemma 19", device}, {"Lemma 20", device},
		{"Figure 4.1", drawing}, {"Figure 4.2", drawing}, {"Figure 4.3", drawing}, {"Figure 4.4", drawing}, {"Figure 4.5", drawing}, {"Figure 4.6", drawing},
		{"Figure 4.7", ""}, {"Figure 4.8", ""}, {"Figure 4.9", ""}, {"Figure 4.10", ""},
		{"Table 4.1", "definitions of the counts V and R, not results"},
		{"Proposition 1", ""}, {"Proposition 2", ""}, {"Proposition 3", ""}, {"Theorem 4", ""}, {"Theorem 5", ""},
	},
	dai: {
		{"Algorithm 1", ""}, {"Algorithm 2", ""}, {"Algorithm 3", ""}, {"Algorithm 4", ""}, {"Algorithm 5", ""}, {"Algorithm 6", ""}, {"Algorithm 7", ""},
		{"Algorithm 8", ""}, {"Algorithm 9", ""}, {"Algorithm 10", ""}, {"Algorithm 11", ""}, {"Algorithm 12", ""},
		{"Theorem 7", known}, {"Theorem 8", known}, {"Theorem 9", known}, {"Theorem 10", known},
		{"Table 3.1", "a list of kernels; each that the library has is tested against its features there"},
		{"Table 3.2", ""}, {"Table 3.3", ""}, {"Table 3.4", "the sizes of the data, not results"},
		{"Figure 3.1", loss}, {"Figure 3.2", loss}, {"Figure 3.3", loss}, {"Figure 3.4", ""}, {"Figure 3.5", ""}, {"Figure 3.6", ""}, {"Figure 3.7", ""}, {"Figure 3.8", drawing},
		{"Theorem 11", ""}, {"Theorem 12", tails}, {"Theorem 13", tails},
		{"Lemma 31", "the part of the error that random features have; theorem 11, which adds it to that of random points, is tested"},
		{"Lemma 32", "the size of coefficients by which " + device}, {"Corollary 35", ""}, {"Corollary 36", tails},
		{"Corollary 37", "a bound on the risk whose constants, for the small regularization of the experiments, are astronomical"},
		{"Lemma 14", ""}, {"Theorem 15", ""}, {"Theorem 16", ""}, {"Theorem 17", ""}, {"Theorem 18", ""},
		{"Theorem 19", "a bound on the whole algorithm that is the sum of those of theorems 15 and 17, with constants that are not given"},
		{"Table 4.1", "orders of cost, without numbers"}, {"Figure 4.1", ""}, {"Figure 4.2", ""}, {"Figure B.1", ""}, {"Figure B.2", ""},
		{"Lemma 40", device}, {"Lemma 41", device}, {"Lemma 45", device}, {"Lemma 46", device}, {"Lemma 47", device},
		{"Corollary 48", tails}, {"Theorem 49", "the squared error of the kernel estimate, whose rate is that of theorem 17"}, {"Corollary 50", "the squared error of the kernel estimate, whose rate is that of theorem 17"}, {"Lemma 52", device},
		{"Lemma 20", known}, {"Proposition 21", "continuity of the dual, which no sample can show"}, {"Theorem 22", ""},
		{"Proposition 23", "adds to theorem 22 how well the dual's space approximates, which is not known beforehand"},
		{"Figure 5.1", ""}, {"Figure 5.2", ""}, {"Figure 5.3", ""}, {"Lemma 54", known},
		{"Proposition 24", ""}, {"Proposition 25", ""}, {"Proposition 26", ""}, {"Theorem 27", ""},
		{"Theorem 28", "convergence to a stationary point of a problem that is not convex, with constants that cannot be known"},
		{"Theorem 29", tails}, {"Theorem 30", "a sum of approximation, smoothing, statistical and optimization errors with constants that are not given"},
		{"Figure 6.1", ""}, {"Figure 6.2", ""}, {"Figure D.1", ""}, {"Proposition 55", ""}, {"Lemma 59", device},
	},
}
