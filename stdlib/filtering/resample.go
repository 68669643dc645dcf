package filtering

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
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
	if n := max(len(dst), len(w)); n >= math.MaxInt32 {
		return fmt.Errorf("filtering: %d ancestors of %d, must be below 2^31-1", len(dst), len(w))
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
	case Stratified, Systematic:
		q := picks.Get().(*strata)
		defer picks.Put(q)
		q.draw(scheme, n, rng)
		q.count(w)
		q.pick(dst, 0)
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

// strata maps the n increasing numbers (i + u_i)/n of the unit interval, one
// in each of n strata, to indices by cumulative weights.
type strata struct {
	n     int
	u     []float64 // the u_i and a last 1; empty: all are shift
	shift float64
	below []int32 // how many of the numbers are below the sum of w_0 to w_j, or more than n
}

// picks holds work space for resampling.
var picks = sync.Pool{New: func() any { return new(strata) }}

// draw draws the numbers of a scheme, Stratified or Systematic.
func (q *strata) draw(scheme Resampling, n int, rng *rand.Rand) {
	q.n, q.u = n, q.u[:0]
	if scheme == Systematic {
		q.shift = rng.Float64()
		return
	}
	q.u = grow(q.u, n+1)
	for i := range n {
		q.u[i] = rng.Float64()
	}
	q.u[n] = 1
}

// count finds below for the weights. The last index with weight gets what rounding
// leaves. There is no branch on random numbers, which would cost more than all
// else: what is left is to wait for one sum after the other.
func (q *strata) count(w []float64) {
	if cap(q.below) < len(w) {
		q.below = make([]int32, len(w))
	}
	q.below = q.below[:len(w)]
	last := len(w) - 1
	for last > 0 && w[last] == 0 {
		last--
	}
	n, whole, below := q.n, float64(q.n), q.below[:last]
	var s float64
	if u := q.u; len(u) > 0 {
		for j, v := range w[:len(below)] {
			s += v
			// All of the strata before the one of s, and perhaps its own.
			x := whole * s
			before, own := min(int(x), n), 0
			if u[before] < x-float64(before) {
				own = 1
			}
			below[j] = int32(before + own)
		}
	} else {
		shift := q.shift
		up := func(s float64) int32 { return int32(math.Ceil(whole*s - shift)) } // the ceiling of what is above -1
		w := w[:len(below)]
		for len(w) >= 4 { // at once: a sum waits for one addition, not for four
			two, rest := w[0]+w[1], w[2]+w[3]
			below[0], below[1], below[2] = up(s+w[0]), up(s+two), up(s+(two+w[2]))
			s += two + rest
			below[3] = up(s)
			w, below = w[4:], below[4:]
		}
		for j, v := range w {
			s += v
			below[j] = up(s)
		}
	}
	for j := last; j < len(w); j++ {
		q.below[j] = int32(n)
	}
}

// pick writes the indices of the numbers lo, lo+1, ... to dst. Index j gets the
// places from below[j-1] to below[j]: it is written to the first of them, where
// indices without a place are written over by the next, and a running maximum
// fills the rest.
func (q *strata) pick(dst []int, lo int) {
	clear(dst)
	j, _ := slices.BinarySearch(q.below, int32(lo+1)) // the first with a place from lo on
	at := uint(0)
	for k, below := range q.below[j:] {
		if at >= uint(len(dst)) {
			break
		}
		dst[at] = j + k
		at = uint(int(below) - lo)
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
