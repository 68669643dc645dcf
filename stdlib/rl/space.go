package rl

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// A Space is a set of observations or actions: the whole numbers 0 to N-1, held in
// one float64, if N > 0; otherwise a box of as many dimensions as Low and High
// have.
type Space struct {
	N         int
	Low, High []float64
}

// Choices returns the space of the numbers 0 to n-1.
func Choices(n int) Space { return Space{N: n} }

// Box returns the box of d dimensions with the same bounds in each.
func Box(d int, low, high float64) Space {
	return Space{Low: slices.Repeat([]float64{low}, d), High: slices.Repeat([]float64{high}, d)}
}

// Dim returns the number of float64 that hold a point.
func (s Space) Dim() int {
	if s.N > 0 {
		return 1
	}
	return len(s.Low)
}

// Contains reports whether x is a point of the space.
func (s Space) Contains(x []float64) bool {
	if len(x) != s.Dim() {
		return false
	}
	if s.N > 0 {
		return x[0] == math.Trunc(x[0]) && x[0] >= 0 && x[0] < float64(s.N)
	}
	for i, v := range x {
		if !(v >= s.Low[i] && v <= s.High[i]) {
			return false
		}
	}
	return true
}

// Sample sets dst to a uniform point, in dimensions without bounds to a standard
// normal one.
func (s Space) Sample(dst []float64, rng *rand.Rand) {
	if s.N > 0 {
		dst[0] = float64(rng.IntN(s.N))
		return
	}
	for i := range dst {
		if width := s.High[i] - s.Low[i]; math.IsInf(width, 0) {
			dst[i] = rng.NormFloat64()
		} else {
			dst[i] = s.Low[i] + width*rng.Float64()
		}
	}
}

// checkActions panics when one of the numbers of actions makes it none: no choice,
// or not finite. Actions outside of a box are for the system to clip.
func (s *Space) checkActions(numbers []float64) {
	if s.N > 0 {
		for _, v := range numbers {
			if i := int(v); float64(i) != v || i < 0 || i >= s.N {
				panic(fmt.Sprintf("rl: action is %v, must be a whole number from 0 to %d", v, s.N-1))
			}
		}
		return
	}
	for _, v := range numbers {
		if v-v != 0 {
			panic(fmt.Sprintf("rl: a number of the action is %v, must be finite", v))
		}
	}
}

// checkAction says what is wrong with one action, as Step's panics do.
func (s *Space) checkAction(a []float64) error {
	if len(a) != s.Dim() {
		return fmt.Errorf("rl: the action has %d numbers, must have %d", len(a), s.Dim())
	}
	for _, v := range a {
		switch {
		case v-v != 0:
			return fmt.Errorf("rl: a number of the action is %v, must be finite", v)
		case s.N > 0 && !s.Contains(a):
			return fmt.Errorf("rl: action is %v, must be a whole number from 0 to %d", v, s.N-1)
		}
	}
	return nil
}

// width returns the number of inputs that stand for a point of the space in a
// network: one for each choice, or one for each dimension.
func (s Space) width() int {
	if s.N > 0 {
		return s.N
	}
	return len(s.Low)
}

// encode sets dst, of that width, to x: an indicator for a choice.
func (s Space) encode(dst, x []float64) {
	if s.N == 0 {
		copy(dst, x)
		return
	}
	clear(dst)
	dst[int(x[0])] = 1
}
