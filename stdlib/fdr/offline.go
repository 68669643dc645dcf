package fdr

import (
	"fmt"

	"gaucho/stdlib/vec"
)

// BenjaminiHochberg rejects the hypotheses with the k smallest of n p-values, for
// the largest k with p_(k) <= k alpha/n. FDR is at most alpha times the share of
// nulls for independent or positively dependent p-values (Benjamini & Hochberg
// 1995). It needs all p-values at once: the offline comparison for the rules of
// this package. O(n log n).
func BenjaminiHochberg(p []float64, alpha float64) ([]bool, error) {
	if !(alpha > 0 && alpha < 1) {
		return nil, fmt.Errorf("fdr: alpha is %v, must be between 0 and 1", alpha)
	}
	if err := checkAll(p); err != nil {
		return nil, err
	}
	order := vec.ArgSort(nil, p)
	n, k := float64(len(p)), 0
	for i, j := range order {
		if p[j] <= float64(i+1)*alpha/n {
			k = i + 1
		}
	}
	reject := make([]bool, len(p))
	for _, j := range order[:k] {
		reject[j] = true
	}
	return reject, nil
}

// AdjustBH returns adjusted p-values: hypothesis i is rejected by
// BenjaminiHochberg at alpha if the i-th of them is at most alpha (up to
// rounding at equality). O(n log n).
func AdjustBH(p []float64) ([]float64, error) {
	if err := checkAll(p); err != nil {
		return nil, err
	}
	out := make([]float64, len(p))
	order, least := vec.ArgSort(nil, p), 1.0
	for i := len(order) - 1; i >= 0; i-- {
		least = min(least, p[order[i]]*float64(len(p))/float64(i+1))
		out[order[i]] = least
	}
	return out, nil
}
