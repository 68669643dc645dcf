//go:build !linux

package linalg

// fresh returns n zeros.
func fresh(n int) []float64 { return make([]float64, n) }
