// Package scale keeps squares from overflowing and vanishing, and decides what is constant but for rounding.
//
// What depends on squares of data divides them by [Of] first. It is 1 for data of ordinary size, whose results keep their bits, and a
// power of two otherwise, so that no division rounds.
package scale

import "math"

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

// Length returns the Euclidean length of x at any scale, where square is its sum of squares as it was computed: the root of that
// unless squares vanished or overflowed.
func Length(x []float64, square float64) float64 {
	if square > low && square < high {
		return math.Sqrt(square)
	}
	s := Of(x)
	square = 0
	for _, v := range x {
		v /= s
		square += float64(v * v)
	}
	return math.Sqrt(square) * s
}

// Norm returns the Euclidean length of x at any scale.
func Norm(x []float64) float64 {
	square := 0.0
	for _, v := range x {
		square += float64(v * v)
	}
	return Length(x, square)
}

// Between returns the number that lies the share t of the way from a to b >= a, t from 0 to 1. Between a finite and an infinite number
// lies the infinite one, and NaN between two different infinities.
func Between(a, b, t float64) float64 {
	switch d := b - a; {
	case t == 0 || a == b:
		return a
	case math.IsInf(d, 0):
		return a*(1-t) + b*t
	default:
		return a + t*d
	}
}

// Quantile returns the quantile of order p in [0, 1] of sorted values without NaN, interpolated linearly between the two values next to
// place (n-1)p (Hyndman and Fan 1996, definition 7), NaN if there are none.
func Quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return Between(sorted[i], sorted[i+1], at-float64(i))
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
