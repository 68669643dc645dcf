// Package ranksum compares two samples without assumptions about their distribution: the Mann-Whitney U test, and the
// order statistics that bound a median.
//
// Sources: H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is stochastically larger than
// the other", Annals of Mathematical Statistics 18 (1947); for the median's interval H. A. David and H. N. Nagaraja, Order
// Statistics, 3rd edition, section 7.1.
package ranksum

import (
	"math"
	"slices"
)

// exactLimit is the size of samples up to which the test without ties is exact.
const exactLimit = 50

// Test returns the two-sided p-value of the hypothesis that two samples come from the same distribution. It is exact for
// samples of up to 50 without ties, and otherwise the normal approximation with corrections for ties and continuity. It is
// 1 when a sample is empty or all values are equal. The cost is O(n m (n+m)).
func Test(a, b []float64) float64 {
	n, m := len(a), len(b)
	if n == 0 || m == 0 {
		return 1
	}
	u, ties := statistic(a, b)
	if ties == 0 && n <= exactLimit && m <= exactLimit {
		return exact(u, n, m)
	}
	nm, sum := float64(n*m), float64(n+m)
	sigma := math.Sqrt(nm / 12 * (sum + 1 - ties/(sum*(sum-1))))
	if sigma == 0 {
		return 1
	}
	z := max(0, math.Abs(u-nm/2)-0.5) / sigma
	return math.Erfc(z / math.Sqrt2)
}

// statistic returns the number of pairs in which a's value is larger, an equal pair counting half, and the sum of t^3-t
// over groups of t equal values.
func statistic(a, b []float64) (u, ties float64) {
	for _, x := range a {
		for _, y := range b {
			if x > y {
				u++
			} else if x == y {
				u += 0.5
			}
		}
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j] == all[i] {
			j++
		}
		t := float64(j - i)
		ties += t*t*t - t
		i = j
	}
	return u, ties
}

// exact is the probability under the hypothesis of a U at least as far from its mean. The number of orders of n and m
// values with a given U is c(n, m, u) = c(n-1, m, u-m) + c(n, m-1, u).
func exact(u float64, n, m int) float64 {
	low := int(min(u, float64(n*m)-u))
	counts := make([][]float64, m+1) // of the current n, by m
	for j := range counts {
		counts[j] = []float64{1}
	}
	for i := 1; i <= n; i++ {
		next := make([][]float64, m+1)
		for j := range next {
			next[j] = make([]float64, i*j+1)
			for v := range next[j] {
				if v >= j && v-j < len(counts[j]) {
					next[j][v] += counts[j][v-j]
				}
				if j > 0 && v < len(next[j-1]) {
					next[j][v] += next[j-1][v]
				}
			}
		}
		counts = next
	}
	below, all := 0.0, 0.0
	for v, c := range counts[m] {
		all += c
		if v <= low {
			below += c
		}
	}
	return min(1, 2*below/all)
}

// MedianInterval returns the positions, from 0, in n sorted values of a confidence interval for the median at a level. ok is
// false when there are too few values for it.
func MedianInterval(n int, level float64) (lo, hi int, ok bool) {
	tail, c := 0.0, math.Pow(0.5, float64(n)) // of fewer than k values below the median; binomial(n, k) / 2^n
	for k := 0; 2*k < n; k++ {
		tail += c
		if 1-2*tail < level {
			break
		}
		lo, hi, ok = k, n-1-k, true
		c *= float64(n-k) / float64(k+1)
	}
	return lo, hi, ok
}
