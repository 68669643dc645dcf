// Package distributions holds the studies of chapter 4 of Dai 2018: particle mirror descent and other methods of Bayesian
// inference, compared by the observations that they visit.
package distributions
