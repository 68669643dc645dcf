// Package em holds the studies of chapter 2 of Yang 2018: Baum-Welch on the symmetric hidden Markov model with two states.
package em
