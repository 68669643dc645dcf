// Package distributions has the studies of chapter 4 of Dai 2018: particle mirror descent, compared with other methods of Bayesian
// inference by the observations that they visit.
package distributions
