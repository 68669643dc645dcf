package inference

import (
	"fmt"
	"math"
	"slices"

	"gaucho/internal/scale"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// A Trace records how the estimates of a run go: the median and the quartiles of every coordinate, the effective number of
// particles, against the observations visited. Its curves are what plotting's Figure.Curves draws. The zero value is ready;
// the Watch of a method's settings calls Record:
//
//	var trace inference.Trace
//	s.Watch = func(visited int, q *inference.KDE) error { trace.Record(visited, q.Measure); return nil }
type Trace struct {
	Visited   []float64
	Effective []float64
	Quartiles [][3][]float64 // for each coordinate: lower quartile, median, upper quartile at each record
}

// Record adds the weighted sample after a number of observations. Cost m log m for each coordinate. It panics if the
// dimension changes.
func (t *Trace) Record(visited int, q rkhs.Measure) {
	if t.Quartiles == nil {
		t.Quartiles = make([][3][]float64, q.Dim())
	}
	if len(t.Quartiles) != q.Dim() {
		panic(fmt.Sprintf("inference: sample of dimension %d for a trace of dimension %d", q.Dim(), len(t.Quartiles)))
	}
	t.Visited = append(t.Visited, float64(visited))
	size := float64(q.Len())
	if q.W != nil {
		size = EffectiveSize(q.W)
	}
	t.Effective = append(t.Effective, size)
	for k := range t.Quartiles {
		for i, v := range WeightedQuantiles(q, k, 0.25, 0.5, 0.75) {
			t.Quartiles[k][i] = append(t.Quartiles[k][i], v)
		}
	}
}

// Len returns the number of coordinates.
func (t *Trace) Len() int { return len(t.Quartiles) }

// Curve returns coordinate i: the median with the quartiles as edges of the band.
func (t *Trace) Curve(i int) (name string, x, middle, lo, hi []float64) {
	q := t.Quartiles[i]
	return fmt.Sprintf(`$\theta_{%d}$`, i+1), t.Visited, q[1], q[0], q[2]
}

// WeightedQuantiles returns quantiles of coordinate k of a weighted sample: for each level in [0, 1] the least value at which the
// share of weights up to it reaches the level. Weights must not be negative. Cost m log m.
func WeightedQuantiles(q rkhs.Measure, k int, levels ...float64) []float64 {
	m := q.Len()
	x, order := make([]float64, m), make([]int, m)
	for i := range x {
		x[i] = q.X.At(i, k)
	}
	vec.ArgSort(order, x)
	weight := func(i int) float64 {
		if q.W == nil {
			return 1
		}
		return q.W[i]
	}
	total := 0.0
	for i := range m {
		total += weight(i)
	}
	byLevel := make([]int, len(levels))
	for i := range byLevel {
		byLevel[i] = i
	}
	slices.SortFunc(byLevel, func(a, b int) int { return int(math.Copysign(1, levels[a]-levels[b])) })
	out := make([]float64, len(levels))
	at, sum := 0, weight(order[0])
	for _, i := range byLevel {
		for at < m-1 && sum < levels[i]*total*(1-1e-12) {
			at++
			sum += weight(order[at])
		}
		out[i] = x[order[at]]
	}
	return out
}

// ChainSize returns the effective number of samples of a chain x, for the mean: n over 1 + 2 sum of its autocorrelations, the sum
// taken up to where the sums of neighbouring pairs are no longer positive, and these made to fall (Geyer 1992, initial
// monotone sequence). Chains that alternate are worth more than n. It is NaN for a chain that is constant but for rounding. Cost n times the lags
// that are summed.
func ChainSize(x []float64) float64 {
	if scale.Constant(x) {
		return math.NaN()
	}
	x = scale.Divided(x, scale.Of(x))
	n := len(x)
	centred := make([]float64, n)
	vec.Offset(centred, -vec.Sum(x)/float64(n), x)
	variance := vec.Dot(centred, centred)
	if !(variance > 0) {
		return math.NaN()
	}
	at := func(lag int) float64 { return vec.Dot(centred[lag:], centred[:n-lag]) / variance }
	time, last := -1.0, math.Inf(1)
	for lag := 0; lag+1 < n; lag += 2 {
		pair := min(at(lag)+at(lag+1), last)
		if pair <= 0 {
			break
		}
		time += 2 * pair
		last = pair
	}
	return float64(n) / max(time, 1/float64(n))
}
