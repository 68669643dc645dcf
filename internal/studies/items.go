package studies

// An Item is a numbered theorem, proposition, lemma, corollary, figure or table of a source. Why says why no claim is about
// it; it is empty for items that have one.
type Item struct {
	Name string
	Why  string
}

const (
	drawing = "a drawing, without data"
	device  = "a step of a proof, whose result is tested at the theorem"
	loss    = "our copy of the source has the number and not the statement"
)

// sourceItems lists the numbered items of those sources whose claims are complete, in the sources' order. Lemmas that only
// carry numbers through a proof are listed with the reason.
var sourceItems = map[Source][]Item{
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
}
