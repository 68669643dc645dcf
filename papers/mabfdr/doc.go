// Package mabfdr holds the studies of chapter 4 of Yang 2018: sequences of best-arm experiments with control of the false
// discovery rate.
package mabfdr
