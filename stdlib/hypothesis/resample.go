package hypothesis

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"gaucho/internal/scale"
)

// A Resampled is a statistic of a sample, and its values in resamples of it.
type Resampled struct {
	Estimate float64   // of the sample
	SE       float64   // standard error: the standard deviation of the draws
	Draws    []float64 // the statistic of each resample, rising

	acceleration float64
}

// Bootstrap estimates how much a statistic of a sample varies, whatever the sample's law,
// from n samples of the same size that are drawn from it with replacement; 10,000 are
// plenty. The statistic must not keep or change its argument. The cost is that of n times
// the statistic, and of as many more as the sample has values. Errors: fewer than 2 values,
// one that is not finite, n below 2, a statistic that is not a number, a cancelled context.
func Bootstrap(ctx context.Context, x []float64, statistic func([]float64) float64, n int, rng *rand.Rand) (*Resampled, error) {
	switch err := check(2, x); {
	case err != nil:
		return nil, err
	case n < 2:
		return nil, fmt.Errorf("hypothesis: number of resamples is %d, must be at least 2", n)
	case statistic == nil || rng == nil:
		return nil, fmt.Errorf("hypothesis: Bootstrap needs a statistic and a source of random numbers")
	}
	r := &Resampled{Estimate: statistic(x), Draws: make([]float64, n)}
	sample := make([]float64, len(x))
	for i := range r.Draws {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for j := range sample {
			sample[j] = x[rng.IntN(len(x))]
		}
		if r.Draws[i] = statistic(sample); math.IsNaN(r.Draws[i]) {
			return nil, fmt.Errorf("hypothesis: the statistic of resample %d is not a number", i)
		}
	}
	unit := scale.Of(r.Draws)
	draws := scale.Divided(r.Draws, unit)
	mean, squares := sum(draws)/float64(n), 0.0
	for _, v := range draws {
		squares += (v - mean) * (v - mean)
	}
	r.SE = unit * math.Sqrt(squares/float64(n-1))
	r.Draws = sortedCopy(r.Draws)
	r.acceleration = acceleration(x, statistic)
	return r, nil
}

// acceleration is that of the bias-corrected interval, by the jackknife: how the standard error changes with the estimate.
func acceleration(x []float64, statistic func([]float64) float64) float64 {
	without, values := make([]float64, len(x)-1), make([]float64, len(x))
	for i := range x {
		copy(without, x[:i])
		copy(without[i:], x[i+1:])
		values[i] = statistic(without)
	}
	values = scale.Divided(values, scale.Of(values))
	mean, squares, cubes := sum(values)/float64(len(x)), 0.0, 0.0
	for _, v := range values {
		d := mean - v
		squares += d * d
		cubes += d * d * d
	}
	if !(squares > 0) {
		return 0
	}
	return cubes / (6 * squares * math.Sqrt(squares))
}

// Percentile returns the interval between the quantiles of the draws, at a level such as 0.95.
func (r *Resampled) Percentile(level float64) (low, high float64) {
	mustLevel(level)
	return percentile(r.Draws, (1-level)/2), percentile(r.Draws, (1+level)/2)
}

// Interval returns the bias-corrected and accelerated interval (Efron 1987), which is more
// exact than [Resampled.Percentile] where the statistic is biased or its law is skewed. It
// is SciPy's bootstrap.
func (r *Resampled) Interval(level float64) (low, high float64) {
	mustLevel(level)
	below := 0.0
	for _, v := range r.Draws {
		switch {
		case v < r.Estimate:
			below++
		case v == r.Estimate:
			below += 0.5
		}
	}
	normal := distuv.UnitNormal
	bias := normal.Quantile(below / float64(len(r.Draws)))
	if math.IsInf(bias, 0) { // the estimate is beyond all draws
		return r.Percentile(level)
	}
	at := func(p float64) float64 {
		z := bias + normal.Quantile(p)
		return percentile(r.Draws, normal.CDF(bias+z/(1-r.acceleration*z)))
	}
	return at((1 - level) / 2), at((1 + level) / 2)
}

func mustLevel(level float64) {
	if !(level > 0 && level < 1) {
		panic(fmt.Sprintf("hypothesis: level is %v, must be above 0 and below 1", level))
	}
}

// String says what was found.
func (r *Resampled) String() string {
	low, high := r.Interval(0.95)
	return fmt.Sprintf("estimate %.5g, standard error %.4g, 95%% confidence interval from %.5g to %.5g by %d resamples", r.Estimate, r.SE, low, high, len(r.Draws))
}

// Permutation tests whether two independent samples have the same law, by a statistic of
// both, such as the difference of their means: it compares the statistic with its values
// when the pooled values are assigned to the samples otherwise. Of at most n assignments
// all are taken, and the p-value is exact; otherwise n random ones are, and the p-value
// counts the samples as one more (Phipson and Smyth 2010), so that it errs on the safe
// side. P is twice the smaller of Less and Greater. It is SciPy's permutation_test. The
// statistic must not keep or change its arguments.
func Permutation(ctx context.Context, x, y []float64, statistic func(x, y []float64) float64, n int, rng *rand.Rand) (*Result, error) {
	switch err := check(1, x, y); {
	case err != nil:
		return nil, err
	case n < 1:
		return nil, fmt.Errorf("hypothesis: number of permutations is %d, must be at least 1", n)
	case statistic == nil || rng == nil:
		return nil, fmt.Errorf("hypothesis: Permutation needs a statistic and a source of random numbers")
	}
	r := &Result{Test: "Permutation test", Null: "the samples have the same law", Symbol: "statistic", Statistic: statistic(x, y), Estimate: math.NaN(), N: sizes(x, y)}
	pool := append(append([]float64(nil), x...), y...)
	slack := 1e-14 * math.Abs(r.Statistic) // values that differ by rounding alone are the same
	less, greater, drawn := 0.0, 0.0, 0.0
	count := func(first, second []float64) {
		v := statistic(first, second)
		if v <= r.Statistic+slack {
			less++
		}
		if v >= r.Statistic-slack {
			greater++
		}
		drawn++
	}
	var err error
	if all := assignments(len(x), len(y)); all <= float64(n) {
		r.Exact = true
		err = everyAssignment(ctx, pool, len(x), count)
	} else {
		less, greater, drawn = 1, 1, 1
		for i := range n {
			if err = ctx.Err(); i%64 == 0 && err != nil {
				break
			}
			rng.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
			count(pool[:len(x)], pool[len(x):])
		}
	}
	if err != nil {
		return nil, err
	}
	r.Less, r.Greater = less/drawn, greater/drawn
	r.twice()
	return r, nil
}

// assignments is the number of ways to take n of n+m values.
func assignments(n, m int) float64 {
	ways := 1.0
	for i := 1; i <= n; i++ {
		ways = math.Round(ways * float64(m+i) / float64(i))
		if ways > 1e15 {
			return math.Inf(1)
		}
	}
	return ways
}

// everyAssignment calls f with the values of all choices of n of them, and the others.
func everyAssignment(ctx context.Context, pool []float64, n int, f func(x, y []float64)) error {
	x, y := make([]float64, 0, n), make([]float64, 0, len(pool)-n)
	var err error
	var choose func(i int)
	choose = func(i int) {
		switch {
		case err != nil:
		case len(x) > n || len(y) > len(pool)-n:
		case i == len(pool):
			if err = ctx.Err(); err == nil {
				f(x, y)
			}
		default:
			if len(x) < n {
				x = append(x, pool[i])
				choose(i + 1)
				x = x[:len(x)-1]
			}
			if len(y) < len(pool)-n {
				y = append(y, pool[i])
				choose(i + 1)
				y = y[:len(y)-1]
			}
		}
	}
	choose(0)
	return err
}
