package bandit

import (
	"fmt"
	"math"

	"gaucho/stdlib/vec"
)

// An Effort is the order of the number of pulls that identification needs, without
// constants (Yang 2018, section 4.3).
type Effort struct {
	// Adaptive is sum_i gap_i^-2 log(K log(gap_i^-2)/delta) over all arms, with the
	// gaps of proposition 2.
	Adaptive float64
	// Shared is the sharper count for the split by control and epsilon = 0: K is in the
	// logarithm of the largest term only.
	Shared float64
	// Uniform is (K+1) times the largest term.
	Uniform float64
}

// NewEffort returns the orders for arms of the given means, the control first, and
// unit scale: multiply by sigma^2. Infinite where a gap is 0. Errors: fewer than two
// means, delta outside (0, 1), a negative epsilon.
func NewEffort(means []float64, delta, epsilon float64) (Effort, error) {
	k := len(means) - 1
	switch {
	case k < 1:
		return Effort{}, fmt.Errorf("bandit: %d means, must be a control and at least one arm", len(means))
	case !(delta > 0 && delta < 1):
		return Effort{}, fmt.Errorf("bandit: delta is %v, must be between 0 and 1", delta)
	case !(epsilon >= 0):
		return Effort{}, fmt.Errorf("bandit: epsilon is %v, must be at least 0", epsilon)
	}
	var e Effort
	for _, gap := range Gaps(means, epsilon) {
		square := 1 / (gap * gap)
		ll := max(vec.Log1(max(square, math.E)), 1)
		term := square * (vec.Log1(float64(k)*ll) - vec.Log1(delta))
		e.Adaptive += term
		e.Uniform = max(e.Uniform, term)
		e.Shared += square * (vec.Log1(ll) - vec.Log1(delta))
	}
	e.Shared += e.Uniform
	e.Uniform *= float64(k + 1)
	return e, nil
}

// Gaps returns the effective gaps of proposition 2: what separates each arm from
// the decision, given how far epsilon lets it be off. With epsilon = 0 they are the
// distances to the best, and for the best that to the second. means[0] is the
// control's.
func Gaps(means []float64, epsilon float64) []float64 {
	best, second := 0, -1
	for i, m := range means {
		if m > means[best] {
			best = i
		}
	}
	for i, m := range means {
		if i != best && (second < 0 || m > means[second]) {
			second = i
		}
	}
	top := math.Inf(-1) // of the arms other than the control
	for _, m := range means[1:] {
		top = max(top, m)
	}
	gaps := make([]float64, len(means))
	over := top - (means[0] + epsilon)
	for i, m := range means {
		switch {
		case over < 0 && i == 0:
			gaps[i] = -over
		case over < 0:
			gaps[i] = means[0] + epsilon - m
		case i == 0:
			gaps[i] = min(over, max(means[best]-m, epsilon))
		case i == best:
			gaps[i] = max(means[best]-means[second], min(over, epsilon))
		default:
			gaps[i] = max(means[best]-m, min(over, epsilon))
		}
	}
	return gaps
}
