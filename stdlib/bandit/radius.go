package bandit

import (
	"fmt"
	"math"
	"sync/atomic"

	"gaucho/stdlib/vec"
)

// logFloor is log 10: delta is cut at 0.1, as log log(1/delta) falls to -Inf at 1.
var logFloor = vec.Log1(10)

// iterated holds 1.5 log(1 + log n) by n; it only grows.
var iterated atomic.Pointer[[]float64]

func init() { growIterated(1 << 10) }

func growIterated(n int) []float64 {
	t := make([]float64, n)
	for i := 1; i < n; i++ {
		t[i] = 1.5 * vec.Log1(1+vec.Log1(float64(i)))
	}
	iterated.Store(&t)
	return t
}

// loglog returns 1.5 log(log(e n)) for n >= 1.
func loglog(n int) float64 {
	const limit = 1 << 20
	if t := *iterated.Load(); n < len(t) {
		return t[n]
	}
	if n >= limit {
		return 1.5 * vec.Log1(1+vec.Log1(float64(n)))
	}
	size := 1 << 10
	for size <= n {
		size *= 2
	}
	return growIterated(size)[n]
}

// confidence returns the part of beta that does not depend on n.
func confidence(negLogDelta float64) float64 {
	l := max(negLogDelta, logFloor)
	return l + 3*vec.Log1(l)
}

// Beta returns beta(delta, n) = L + 3 log L + 1.5 log log(e n) with
// L = log(1/min(delta, 0.1)), given -log delta (delta itself may be too small
// for a float64). Yang 2018, eq. 4.4. n is at least 1, or the result is NaN.
func Beta(negLogDelta float64, n int) float64 {
	if n < 1 {
		return math.NaN()
	}
	return confidence(negLogDelta) + loglog(n)
}

// Radius returns phi_n(delta) = sigma sqrt(2 beta(delta, n)/n): the mean of n
// sigma-sub-Gaussian rewards exceeds its expectation by that much at any n at all
// with probability at most delta. It takes -log delta, as Beta does.
func Radius(negLogDelta float64, n int, sigma float64) float64 {
	return sigma * math.Sqrt(2*Beta(negLogDelta, n)/float64(n))
}

// RoundBound returns the number of rounds within which [BestArm] (adaptive, split
// by control) ends with probability at least 1 - delta, by Yang 2018, section
// 4.8: B1 where the control is best but for epsilon, B2 where an arm is more
// than epsilon better. It is 10 to 170 times what is seen. means[0] is the
// control's. +Inf where a gap is zero.
func RoundBound(means []float64, delta, epsilon, sigma float64) (float64, error) {
	k := len(means) - 1
	if k < 1 {
		return 0, fmt.Errorf("bandit: %d means, must be a control and at least one arm", len(means))
	}
	if !(delta > 0 && delta <= 1) {
		return 0, fmt.Errorf("bandit: delta is %v, must be above 0 and at most 1", delta)
	}
	if !(epsilon >= 0) {
		return 0, fmt.Errorf("bandit: epsilon is %v, must be at least 0", epsilon)
	}
	if !(sigma > 0) {
		return 0, fmt.Errorf("bandit: sigma is %v, must be positive", sigma)
	}
	best := 1
	for i := 2; i <= k; i++ {
		if means[i] > means[best] {
			best = i
		}
	}
	logDelta := vec.Log1(2*float64(k)) - vec.Log1(delta)
	steps := func(i int, eta, xi float64) float64 {
		return pullsToSeparate(logDelta, max(math.Abs(eta-means[i]), xi), sigma)
	}
	if means[0]+epsilon > means[best] {
		b := steps(0, (means[0]+means[best]-epsilon)/2, 0)
		for i := 1; i <= k; i++ {
			b += steps(i, (means[0]+epsilon+means[best])/2, 0)
		}
		return b, nil
	}
	second := math.Inf(-1)
	for i, m := range means {
		if i != best {
			second = max(second, m)
		}
	}
	slack := min(2*epsilon/7, (means[best]-(means[0]+epsilon))/5)
	var sum float64
	for i := range means {
		sum += steps(i, (means[best]+second)/2, slack)
	}
	return steps(0, (means[best]-epsilon+means[0])/2, 0) + 3*sum, nil
}

// pullsToSeparate returns the least n with 2 phi_n < gap: tau_i(eta, xi) of eq.
// 4.15. phi_n falls in n.
func pullsToSeparate(negLogDelta, gap, sigma float64) float64 {
	if !(gap > 0) {
		return math.Inf(1)
	}
	hi := 1
	for 2*Radius(negLogDelta, hi, sigma) >= gap {
		if hi > math.MaxInt/4 {
			return math.Inf(1)
		}
		hi *= 2
	}
	lo := hi / 2 // 2 phi_lo >= gap, or lo = 0
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		if 2*Radius(negLogDelta, mid, sigma) < gap {
			hi = mid
		} else {
			lo = mid
		}
	}
	return float64(hi)
}
