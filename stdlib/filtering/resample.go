package filtering

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"gaucho/stdlib/vec"
)

// Resampling is a way to draw N ancestors with given weights W: in each, ancestor
// i is expected N W_i times.
type Resampling int

const (
	// Stratified draws one ancestor in each of N intervals of equal weight. It
	// is the default, and the one of Lacoste-Julien et al. 2015.
	Stratified Resampling = iota
	// Systematic uses one random number for all intervals.
	Systematic
	// Multinomial draws each ancestor independently.
	Multinomial
	// Residual takes floor(N W_i) copies of each i, and draws the rest
	// independently.
	Residual
	// Never keeps the particles with their weights, as importance sampling does. Only
	// [Settings] take it.
	Never
)

var resamplingNames = []string{"stratified", "systematic", "multinomial", "residual", "never"}

// String returns the scheme's name.
func (r Resampling) String() string {
	if r < 0 || int(r) >= len(resamplingNames) {
		return fmt.Sprintf("Resampling(%d)", int(r))
	}
	return resamplingNames[r]
}

// Resample writes len(dst) ancestors, indices into w, to dst. The weights must
// not be negative and must sum to one within 1e-8. All schemes cost
// O(len(dst) + len(w)) and, but for Residual, return increasing indices.
func Resample(dst []int, scheme Resampling, w []float64, rng *rand.Rand) error {
	if rng == nil {
		return fmt.Errorf("filtering: rng is nil, must be a source of random numbers")
	}
	var s float64
	for i, v := range w {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("filtering: weight %d is %v, must be finite and not negative", i, v)
		}
		s += v
	}
	if math.Abs(s-1) > 1e-8 {
		return fmt.Errorf("filtering: weights sum to %v, must sum to 1", s)
	}
	if scheme < Stratified || scheme > Residual {
		return fmt.Errorf("filtering: resampling is %v, must be one of the four schemes of this package", scheme)
	}
	resample(dst, scheme, w, rng)
	return nil
}

// resample is [Resample] without the checks.
func resample(dst []int, scheme Resampling, w []float64, rng *rand.Rand) {
	n := len(dst)
	switch scheme {
	case Stratified:
		pooled := uniforms.Get().(*[]float64)
		defer uniforms.Put(pooled)
		u := grow(*pooled, n+1)
		*pooled = u
		for i := range n {
			u[i] = rng.Float64()
		}
		u[n] = 1
		spread(dst, w, u, 0)
	case Systematic:
		spread(dst, w, nil, rng.Float64())
	case Multinomial:
		multinomial(dst, w, rng)
	case Residual:
		at := 0
		rest := make([]float64, len(w))
		var s float64
		for i, v := range w {
			c := math.Floor(float64(n) * v)
			for range min(int(c), n-at) {
				dst[at] = i
				at++
			}
			rest[i] = math.Max(float64(n)*v-c, 0)
			s += rest[i]
		}
		if at == n {
			return
		}
		if s == 0 { // all that rounding left over
			copy(rest, w)
			s = 1
		}
		for i := range rest {
			rest[i] /= s
		}
		multinomial(dst[at:], rest, rng)
	}
}

// uniforms holds work space for stratified resampling.
var uniforms = sync.Pool{New: func() any { return new([]float64) }}

// spread maps the increasing numbers (i + u_i)/n of the unit interval to indices by
// the cumulative weights; u holds the u_i and a last 1, or is nil if all are shift.
// Index j gets the places from below(c_(j-1)) to below(c_j), where below(c) is how
// many of the numbers are below c: it is written to the first of them, where
// indices without a place are written over by the next, and a running maximum
// fills the rest. There is no branch on random numbers, which would cost more than
// all else. The last index with weight gets what rounding leaves.
func spread(dst []int, w, u []float64, shift float64) {
	n := len(dst)
	last := len(w) - 1
	for last > 0 && w[last] == 0 {
		last--
	}
	clear(dst)
	k, whole := 0, float64(n)
	var s float64
	if u != nil {
		for j, v := range w[:last+1] {
			if k >= n {
				break
			}
			dst[k] = j
			s += v
			// All of the strata before the one of s, and perhaps its own.
			x := whole * s
			below := min(int(x), n)
			own := 0
			if u[below] < x-float64(below) {
				own = 1
			}
			k = max(k, below+own)
		}
	} else {
		for j, v := range w[:last+1] {
			if k >= n {
				break
			}
			dst[k] = j
			s += v
			k = max(k, int(math.Ceil(whole*s-shift)))
		}
	}
	top := 0
	for i, j := range dst {
		top = max(top, j)
		dst[i] = top
	}
}

// inverse maps increasing numbers u(i) of the unit interval to indices by the
// cumulative weights. The last index with weight catches what rounding leaves.
func inverse(dst []int, w []float64, u func(i int) float64) {
	last := len(w) - 1
	for last > 0 && w[last] == 0 {
		last--
	}
	j, s := 0, w[0]
	for i := range dst {
		for v := u(i); v >= s && j < last; {
			j++
			s += w[j]
		}
		dst[i] = j
	}
}

// multinomial draws independent indices in increasing order, from the order
// statistics of uniforms: partial sums of exponentials over their total.
func multinomial(dst []int, w []float64, rng *rand.Rand) {
	sums := make([]float64, len(dst))
	var s float64
	for i := range sums {
		s += rng.ExpFloat64()
		sums[i] = s
	}
	s += rng.ExpFloat64()
	inverse(dst, w, func(i int) float64 { return sums[i] / s })
}

// EffectiveSize returns 1 / sum_i w_i^2 for weights that sum to one: the effective
// sample size of a weighted sample.
func EffectiveSize(w []float64) float64 { return 1 / vec.Dot(w, w) }
