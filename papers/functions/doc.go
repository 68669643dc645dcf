// Package functions holds the studies of chapter 3 of Dai 2018: doubly stochastic gradients for kernel machines, compared
// with other solvers.
package functions
