package hypothesis

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/integrate/quad"

	"gaucho/internal/scale"
	"gaucho/stdlib/vec"
)

// Levene tests whether two or more independent samples have the same variance, by the
// analysis of variance of the distances from each sample's median: Brown and Forsythe's
// form (1974), which holds for skewed and long-tailed values too. It is R's leveneTest of
// package car and SciPy's levene. Each sample has at least 2 values.
func Levene(samples ...[]float64) (*Result, error) {
	if err := checkGroups(samples); err != nil {
		return nil, err
	}
	if err := check(2, samples...); err != nil {
		return nil, err
	}
	distances := make([][]float64, len(samples))
	for i, x := range samples {
		middle := median(x)
		distances[i] = make([]float64, len(x))
		for j, v := range x {
			distances[i][j] = math.Abs(v - middle)
		}
	}
	r, err := Anova(distances...)
	if err != nil {
		return nil, fmt.Errorf("hypothesis: the values of each sample are all as far from its median: there is no variance to compare")
	}
	r.Test, r.Null, r.Of = "Levene's test", "the variances are the same", "share of the variance of distances from the median between samples"
	return r, nil
}

// A Comparison is of two samples' means among several.
type Comparison struct {
	First, Second int     // numbers of the samples, from 0
	Difference    float64 // of the first mean from the second
	Low, High     float64 // limits of the simultaneous confidence interval
	P             float64 // for all comparisons together
}

// Tukey compares the means of all pairs of independent samples of normal values with the
// same variance, by Tukey's honestly significant differences: with the probability level,
// 0.95 say, all the intervals together hold the true differences. Samples may differ in
// size (Kramer 1956). It is R's TukeyHSD of one factor and SciPy's tukey_hsd. Together the
// samples have more values than there are samples.
func Tukey(level float64, samples ...[]float64) ([]Comparison, error) {
	if !(level > 0 && level < 1) {
		return nil, fmt.Errorf("hypothesis: level is %v, must be above 0 and below 1", level)
	}
	if _, err := Anova(samples...); err != nil {
		return nil, err
	}
	unit, n, within := scale.Of(samples...), 0, 0.0
	means := make([]float64, len(samples))
	for i, x := range samples {
		scaled := scale.Divided(x, unit)
		means[i] = sum(scaled) / float64(len(x))
		for _, v := range scaled {
			within += (v - means[i]) * (v - means[i])
		}
		n += len(x)
	}
	k, df := len(samples), float64(n-len(samples))
	width := studentizedQuantile(level, k, df)
	var out []Comparison
	for i := range samples {
		for j := i + 1; j < k; j++ {
			se := math.Sqrt(within / df / 2 * (1/float64(len(samples[i])) + 1/float64(len(samples[j]))))
			d := means[i] - means[j]
			out = append(out, Comparison{i, j, d * unit, (d - width*se) * unit, (d + width*se) * unit, studentizedTail(math.Abs(d)/se, k, df)})
		}
	}
	return out, nil
}

// studentizedTail returns the probability that the range of k standard normal values,
// divided by an independent root mean square of df, is at least q.
func studentizedTail(q float64, k int, df float64) float64 {
	lg, _ := math.Lgamma(df / 2)
	logConstant := df/2*vec.Log1(df) - lg - (df/2-1)*math.Ln2
	tail := func(s float64) float64 { // density of the root mean square, times the tail of the range
		if s <= 0 {
			return 0
		}
		return vec.Exp1(logConstant+(df-1)*vec.Log1(s)-df*s*s/2) * rangeTail(q*s, k)
	}
	spread := 10 / math.Sqrt(2*df)
	return min(max(integral(tail, max(0, 1-spread), 1+spread), 0), 1)
}

// rangeTail returns the probability that the range of k standard normal values is at least w.
func rangeTail(w float64, k int) float64 {
	return integral(func(z float64) float64 { // the smallest is z, and not all others are within w above it
		all := upperNormal(z)
		return float64(k) * vec.Exp1(-z*z/2) / math.Sqrt(2*math.Pi) * (power(all, k-1) - power(all-upperNormal(z+w), k-1))
	}, -8, 8)
}

// integral integrates a smooth function over eight parts of a range, by the rule of Gauss and Legendre with 20 places each.
func integral(f func(float64) float64, from, to float64) float64 {
	const parts = 8
	total, half := 0.0, (to-from)/(2*parts)
	places, weights := legendre()
	for i := range parts {
		middle := from + float64(2*i+1)*half
		for j, x := range places {
			total += half * weights[j] * f(middle+half*x)
		}
	}
	return total
}

// legendre returns the places and weights of the rule on [-1, 1].
var legendre = sync.OnceValues(func() (places, weights []float64) {
	places, weights = make([]float64, 20), make([]float64, 20)
	quad.Legendre{}.FixedLocations(places, weights, -1, 1)
	return places, weights
})

func power(x float64, n int) float64 {
	y := 1.0
	for range n {
		y *= x
	}
	return y
}

// studentizedQuantile returns what the studentized range stays below with a probability: false position, with Illinois' rule,
// after doubling.
func studentizedQuantile(level float64, k int, df float64) float64 {
	excess := func(q float64) float64 { return studentizedTail(q, k, df) - (1 - level) }
	low, high := 0.0, 2.0
	below, above := level, excess(high)
	for above > 0 && high < 1e6 {
		low, below = high, above
		high *= 2
		above = excess(high)
	}
	side := 0
	for range 60 {
		q := high - above*(high-low)/(above-below)
		at := excess(q)
		if math.Abs(at) < 1e-11 || high-low < 1e-10*high {
			return q
		}
		if at > 0 {
			low, below = q, at
			if side > 0 {
				above /= 2
			}
			side = 1
		} else {
			high, above = q, at
			if side < 0 {
				below /= 2
			}
			side = -1
		}
	}
	return high
}

// percentile returns the quantile of sorted values as R's type 7 and NumPy have it.
func percentile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := min(int(at), len(sorted)-1)
	if i+1 >= len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

func sortedCopy(x []float64) []float64 { return slices.Sorted(slices.Values(x)) }
