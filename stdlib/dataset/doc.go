// Package dataset generates the data of the papers that Gaucho reproduces, and
// holds a few small real data sets.
//
// Every generator takes its random source and its sizes, and says which section
// of which paper it follows:
//
//	p, err := dataset.RandomMixture(100, 2, rng) // Lacoste-Julien et al. 2015, section 4.1
//	d, err := dataset.CovLike(10000, rng)        // Khanna et al. 2021, section 6.2
//	c, err := dataset.BreastCancer()             // real, 569 x 30
//	d, err := dataset.Digits()                   // real, 1,797 x 64
//
// [ReadLIBSVM] and [ReadCSV] read data of one's own; [StreamLIBSVM], [StreamCSV] and
// [StreamIDX] read more than memory holds, batch by batch.
package dataset
