// Package scale keeps squares from overflowing and vanishing, and decides what is constant but for rounding.
//
// What depends on squares of data divides them by [Of] first. It is 1 for data of ordinary size, whose results keep their bits, and a
// power of two otherwise, so that no division rounds.
package scale

import (
	"math"

	"gaucho/stdlib/internal/asm"
)

// Magnitudes between low and high are ordinary: their fourth powers neither overflow nor vanish, nor do sums of 2^200 of them.
const low, high = 0x1p-200, 0x1p200

// epsilon is the distance from 1 to the next float64.
const epsilon = 0x1p-52

// Largest returns the largest magnitude in x, 0 if there is none. NaN is left out.
func Largest(x []float64) float64 {
	most := 0.0
	for _, v := range x {
		if v = math.Abs(v); v > most {
			most = v
		}
	}
	return most
}

// Of returns what to divide x by: see [For].
func Of(x ...[]float64) float64 {
	most := 0.0
	for _, x := range x {
		most = max(most, Largest(x))
	}
	return For(most)
}

// For returns what to divide data by whose largest magnitude is given: 1 if that is ordinary, 0 or infinite, and the power of two next
// below it otherwise.
func For(largest float64) float64 {
	if largest >= low && largest <= high || largest == 0 || math.IsInf(largest, 0) {
		return 1
	}
	_, e := math.Frexp(largest)
	return math.Ldexp(1, e-1)
}

// Divided returns x over s: x itself if s is 1, a copy otherwise.
func Divided(x []float64, s float64) []float64 {
	if s == 1 {
		return x
	}
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v / s
	}
	return out
}

// Norm returns the Euclidean length of x at any scale.
func Norm(x []float64) float64 {
	if square := asm.Dot(x, x); square > low && square < high {
		return math.Sqrt(square)
	}
	s := Of(x)
	x = Divided(x, s)
	return math.Sqrt(asm.Dot(x, x)) * s
}

// Same reports whether a and b differ by no more than rounding makes of data whose largest magnitude is given.
func Same(a, b, largest float64) bool { return math.Abs(a-b) <= 8*epsilon*largest }

// Constant reports whether the values of x are the same but for rounding. Those of fewer than two values are.
func Constant(x []float64) bool { return ConstantAt(x, Largest(x)) }

// ConstantAt is [Constant] for values that were computed, as differences are, from data whose largest magnitude is given.
func ConstantAt(x []float64, largest float64) bool {
	if len(x) == 0 {
		return true
	}
	least, most := x[0], x[0]
	for _, v := range x {
		if v != v {
			return false
		}
		least, most = min(least, v), max(most, v)
	}
	return Same(least, most, largest)
}
