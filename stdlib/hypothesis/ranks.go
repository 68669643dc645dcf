package hypothesis

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"gaucho/internal/scale"
	"gaucho/stdlib/vec"
)

// mostExact is the number of differences from which the law of their rank sum is taken as normal; of two samples, the root of
// the number of pairs.
const mostExact = 50

// ranked returns the ranks of values from 1, the mean of their ranks where values are
// the same, and the sum of t^3 - t over the runs of t same values.
func ranked(x []float64) (ranks []float64, ties float64) {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return 0
	})
	ranks = make([]float64, len(x))
	for from := 0; from < len(x); {
		to := from + 1
		for to < len(x) && x[order[to]] == x[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = float64(from+to+1) / 2
		}
		t := float64(to - from)
		ties += t*t*t - t
		from = to
	}
	return ranks, ties
}

// MannWhitney tests whether the values of two independent samples are as often above
// each other as below (the Wilcoxon rank sum test). U is the number of pairs in which
// the value of x is above that of y, half for the same; the estimate is the probability
// of that. Exact if the values are all different and make at most 2,500 pairs (R: fewer than
// 50 in each sample); otherwise U is taken as normal, with corrections for ties and
// continuity.
func MannWhitney(x, y []float64) (*Result, error) {
	if err := check(1, x, y); err != nil {
		return nil, err
	}
	n, m := len(x), len(y)
	ranks, ties := ranked(slices.Concat(x, y))
	u := sum(ranks[:n]) - float64(n*(n+1))/2
	pairs, all := float64(n)*float64(m), float64(n+m)
	r := &Result{Test: "Mann-Whitney test", Null: "values of the first sample are as often above those of the second as below", Symbol: "U", Statistic: u,
		Of: "probability that the first is above", Estimate: u / pairs, N: sizes(x, y)}
	if pairs <= mostExact*mostExact && ties == 0 {
		r.tailsCounted(rankSums(n, m))
		return r, nil
	}
	variance := pairs / 12 * (all + 1 - ties/(all*(all-1)))
	if !(variance > 0) {
		return nil, fmt.Errorf("hypothesis: all values of both samples are the same")
	}
	r.tailsNormal(pairs/2, math.Sqrt(variance))
	return r, nil
}

// tailsCounted sets the p-values by how many of all equally likely cases have each
// value of the statistic, from 0.
func (r *Result) tailsCounted(counts []float64) {
	at, total := int(r.Statistic), sum(counts)
	r.Less, r.Greater, r.Exact = sum(counts[:at+1])/total, sum(counts[at:])/total, true
	r.twice()
}

// rankSums counts the ways to order n and m values, by the number of pairs in which the
// first is above: with the last value one of the first, that is above all of the second,
// or not. Cost O((n m)^2).
func rankSums(n, m int) []float64 {
	ways := make([][]float64, n+1) // with none of the second
	for j := range ways {
		ways[j] = make([]float64, n*m+1)
		ways[j][0] = 1
	}
	for i := 1; i <= m; i++ {
		for j := 1; j <= n; j++ {
			for u := i; u <= i*j; u++ {
				ways[j][u] += ways[j-1][u-i]
			}
		}
	}
	return ways[n]
}

// SignedRank tests whether the differences x - y of two values of each unit lie
// symmetrically about 0 (Wilcoxon's signed rank test); nil for y is zeros. V is the sum
// of the ranks of the positive differences among all by their size. Differences of 0 are
// left out. Exact for fewer than 50 differences, all of different size; otherwise V is
// taken as normal, with corrections for ties and continuity, as R does. The estimate is
// the median difference.
func SignedRank(x, y []float64) (*Result, error) {
	if y == nil {
		y = make([]float64, len(x))
	}
	if err := checkPairs(1, x, y); err != nil {
		return nil, err
	}
	all := differences(x, y)
	d := slices.DeleteFunc(slices.Clone(all), func(v float64) bool { return v == 0 })
	if len(d) == 0 {
		return nil, fmt.Errorf("hypothesis: all differences are 0")
	}
	distances := make([]float64, len(d))
	for i, v := range d {
		distances[i] = math.Abs(v)
	}
	ranks, ties := ranked(distances)
	v := 0.0
	for i, rank := range ranks {
		if d[i] > 0 {
			v += rank
		}
	}
	r := &Result{Test: "Wilcoxon's signed rank test", Null: "differences lie symmetrically about 0", Symbol: "V", Statistic: v,
		Of: "median difference", Estimate: median(all), N: []int{len(x)}}
	if zeros := len(all) - len(d); zeros > 0 {
		r.Note = fmt.Sprintf("differences of 0, left out: %d", zeros)
	}
	n := float64(len(d))
	if len(d) < mostExact && ties == 0 && len(d) == len(all) {
		r.tailsCounted(subsetSums(len(d)))
		return r, nil
	}
	r.tailsNormal(n*(n+1)/4, math.Sqrt(n*(n+1)*(2*n+1)/24-ties/48))
	return r, nil
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return scale.Quantile(x, 0.5)
}

// subsetSums counts the subsets of 1, ..., n by their sum.
func subsetSums(n int) []float64 {
	ways := make([]float64, n*(n+1)/2+1)
	ways[0] = 1
	for k := 1; k <= n; k++ {
		for s := k * (k + 1) / 2; s >= k; s-- {
			ways[s] += ways[s-k]
		}
	}
	return ways
}

// KruskalWallis tests whether two or more independent samples have the same law, against
// the alternative that some have greater values: the analysis of variance of ranks, with
// a correction for ties. H is taken as chi-squared.
func KruskalWallis(samples ...[]float64) (*Result, error) {
	if err := checkGroups(samples); err != nil {
		return nil, err
	}
	ranks, ties := ranked(slices.Concat(samples...))
	n := float64(len(ranks))
	correction := 1 - ties/(n*n*n-n)
	if !(correction > 0) {
		return nil, fmt.Errorf("hypothesis: all values of all samples are the same")
	}
	h, at := 0.0, 0
	for _, x := range samples {
		s := sum(ranks[at:at+len(x)]) - float64(len(x))*(n+1)/2
		h += s * s / float64(len(x))
		at += len(x)
	}
	h *= 12 / (n * (n + 1)) / correction
	df := float64(len(samples) - 1)
	r := &Result{Test: "Kruskal-Wallis test", Null: "the samples have the same law", Symbol: "H", Statistic: h, DF: []float64{df}, P: upperChi(h, df), Estimate: math.NaN(), N: sizes(samples...)}
	r.noSides()
	return r, nil
}

// Pearson tests whether two values of each unit are uncorrelated: both normal, or many
// units, at least 3. The interval, for more than 3 units, is Fisher's.
func Pearson(x, y []float64) (*Result, error) {
	if err := checkPairs(3, x, y); err != nil {
		return nil, err
	}
	r := &Result{Test: "Pearson's correlation", Null: "the correlation is 0", N: sizes(x)}
	if n := float64(len(x)); n > 3 {
		r.interval = func(level float64) (float64, float64) {
			middle, half := math.Atanh(r.Estimate), math.Sqrt2*math.Erfinv(level)/math.Sqrt(n-3)
			return vec.Tanh1(middle - half), vec.Tanh1(middle + half)
		}
	}
	if scale.Constant(x) || scale.Constant(y) {
		return r.correlated(math.NaN())
	}
	return r.correlated(stat.Correlation(scale.Divided(x, scale.Of(x)), scale.Divided(y, scale.Of(y)), nil))
}

// Spearman tests whether two values of each unit are uncorrelated by their ranks, at
// least 3 units. The statistic is taken to have Student's law.
func Spearman(x, y []float64) (*Result, error) {
	if err := checkPairs(3, x, y); err != nil {
		return nil, err
	}
	rx, _ := ranked(x)
	ry, _ := ranked(y)
	r := &Result{Test: "Spearman's rank correlation", Null: "the correlation is 0", N: sizes(x)}
	return r.correlated(stat.Correlation(rx, ry, nil))
}

// correlated fills in the t test of a correlation.
func (r *Result) correlated(correlation float64) (*Result, error) {
	if math.IsNaN(correlation) {
		return nil, fmt.Errorf("hypothesis: all values of a sample are the same: there is no correlation")
	}
	correlation = max(-1, min(1, correlation))
	df := float64(r.N[0] - 2)
	r.Symbol, r.Of, r.Estimate = "t", "correlation", correlation
	r.Statistic = correlation * math.Sqrt(df/((1-correlation)*(1+correlation)))
	r.tailsT(df)
	return r, nil
}
