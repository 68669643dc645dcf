package study

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"gaucho/internal/scale"
	"gaucho/stdlib/vec"
)

// A Summary holds what the replications of one point say about one number.
type Summary struct {
	Point          Point
	N              int
	Mean, StdErr   float64 // standard error of the mean: s / sqrt(n)
	Min, Max       float64
	Q1, Median, Q3 float64 // quartiles by linear interpolation (type 7 of Hyndman and Fan 1996)
	values         []float64
}

// Summary summarises a numeric field at a point. It fails when there is no record or one without that field.
func (r *Results) Summary(p Point, field string) (Summary, error) {
	xs, err := r.Floats(p, field)
	if err != nil {
		return Summary{}, err
	}
	if len(xs) == 0 {
		return Summary{}, fmt.Errorf("study: %s has no record of %v", r.Study.Name, p)
	}
	s := summarise(xs)
	s.Point = p
	return s, nil
}

// summarise computes mean and standard error by Welford's updates, which lose no digits to a large mean.
func summarise(xs []float64) Summary {
	s := Summary{N: len(xs), values: slices.Sorted(slices.Values(xs))}
	var m2 float64
	for i, x := range xs {
		d := x - s.Mean
		s.Mean += d / float64(i+1)
		m2 += d * (x - s.Mean)
	}
	s.StdErr = math.NaN()
	if s.N > 1 {
		s.StdErr = math.Sqrt(m2 / float64(s.N-1) / float64(s.N))
	}
	s.Min, s.Max = s.values[0], s.values[s.N-1]
	s.Q1, s.Median, s.Q3 = s.Quantile(0.25), s.Quantile(0.5), s.Quantile(0.75)
	return s
}

// Quantile returns the q-quantile of the replications, 0 <= q <= 1, by linear interpolation. It is NaN for another q, and
// in a summary that a Compact keeps for those that are not the least, a quartile or the largest.
func (s Summary) Quantile(q float64) float64 {
	if !(q >= 0 && q <= 1) {
		return math.NaN()
	}
	if s.values == nil {
		return s.quartile(q)
	}
	return scale.Quantile(s.values, q)
}

// Interval returns the confidence interval of the mean at the given level (0.95, say), by Student's t with N-1 degrees of freedom.
// It is NaN for fewer than two replications. Interval panics unless the level is between 0 and 1.
func (s Summary) Interval(level float64) (lo, hi float64) {
	checkLevel(level)
	if s.N < 2 {
		return math.NaN(), math.NaN()
	}
	half := s.StdErr * distuv.StudentsT{Sigma: 1, Nu: float64(s.N - 1)}.Quantile((1+level)/2)
	return s.Mean - half, s.Mean + half
}

func checkLevel(level float64) {
	if !(level > 0 && level < 1) {
		panic(fmt.Sprintf("study: level is %v, must be between 0 and 1", level))
	}
}

// Bootstrap returns the percentile interval of a statistic at the given level (0.95, say) from n resamples. The
// statistic must not keep or change its argument. The interval depends on the values and on rng alone.
func (s Summary) Bootstrap(statistic func([]float64) float64, level float64, n int, rng *rand.Rand) (lo, hi float64, err error) {
	if !(level > 0 && level < 1) {
		return 0, 0, fmt.Errorf("study: level is %v, must be between 0 and 1", level)
	}
	if s.values == nil {
		return 0, 0, fmt.Errorf("study: the replications of %v were thrown away, there is nothing to resample", s.Point)
	}
	if n <= 0 {
		return 0, 0, fmt.Errorf("study: resamples is %d, must be positive", n)
	}
	draws, sample := make([]float64, n), make([]float64, s.N)
	for i := range draws {
		for j := range sample {
			sample[j] = s.values[rng.IntN(s.N)]
		}
		draws[i] = statistic(sample)
	}
	d := summarise(draws)
	return d.Quantile((1 - level) / 2), d.Quantile((1 + level) / 2), nil
}

// A Slope is a line log y = Intercept + Slope log x fitted by least squares.
type Slope struct {
	Slope, StdErr, Intercept float64
}

// LogLogSlope fits a slope to positive x and y of equal length, at least three of them. StdErr is the usual standard error of least
// squares.
func LogLogSlope(x, y []float64) (Slope, error) {
	if len(x) != len(y) {
		return Slope{}, fmt.Errorf("study: %d y for %d x", len(y), len(x))
	}
	if len(x) < 3 {
		return Slope{}, fmt.Errorf("study: a slope needs 3 points, not %d", len(x))
	}
	n := float64(len(x))
	var mx, my float64
	lx, ly := make([]float64, len(x)), make([]float64, len(y))
	for i := range x {
		if !(x[i] > 0 && y[i] > 0) {
			return Slope{}, fmt.Errorf("study: point %d is (%v, %v), must be positive for a log-log slope", i, x[i], y[i])
		}
		lx[i], ly[i] = vec.Log1(x[i]), vec.Log1(y[i])
		mx += lx[i] / n
		my += ly[i] / n
	}
	var sxx, sxy, rss float64
	for i := range lx {
		sxx += (lx[i] - mx) * (lx[i] - mx)
		sxy += (lx[i] - mx) * (ly[i] - my)
	}
	if sxx == 0 {
		return Slope{}, fmt.Errorf("study: all x are %v, a slope needs different ones", x[0])
	}
	s := Slope{Slope: sxy / sxx}
	s.Intercept = my - s.Slope*mx
	for i := range lx {
		e := ly[i] - s.Intercept - s.Slope*lx[i]
		rss += e * e
	}
	s.StdErr = math.Sqrt(rss / (n - 2) / sxx)
	return s, nil
}
