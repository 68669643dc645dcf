package fdr

import (
	"fmt"

	"gaucho/stdlib/vec"
)

// BenjaminiYekutieli is [BenjaminiHochberg] at alpha over 1 + 1/2 + ... + 1/n: FDR is
// at most alpha times the share of nulls however the p-values depend on each other
// (Benjamini & Yekutieli 2001, theorem 1.3). O(n log n).
func BenjaminiYekutieli(p []float64, alpha float64) ([]bool, error) {
	if !(alpha > 0 && alpha < 1) {
		return nil, fmt.Errorf("fdr: alpha is %v, must be between 0 and 1", alpha)
	}
	if err := checkAll(p); err != nil {
		return nil, err
	}
	return BenjaminiHochberg(p, alpha/harmonic(len(p)))
}

// AdjustBY returns adjusted p-values: hypothesis i is rejected by BenjaminiYekutieli
// at alpha if the i-th of them is at most alpha (up to rounding at equality).
// O(n log n).
func AdjustBY(p []float64) ([]float64, error) {
	out, err := AdjustBH(p)
	if err != nil {
		return nil, err
	}
	scale(out, harmonic(len(p)))
	return out, nil
}

// harmonic returns 1 + 1/2 + ... + 1/n, 1 for n = 0.
func harmonic(n int) float64 {
	sum := 1.0
	for i := 2; i <= n; i++ {
		sum += 1 / float64(i)
	}
	return sum
}

// scale multiplies p-values and keeps them at most 1.
func scale(p []float64, by float64) {
	for i, v := range p {
		p[i] = min(by*v, 1)
	}
}

// NullShare estimates the share of nulls among n hypotheses from the p-values above
// lambda, which are nulls for the most part: (1 + #{p > lambda})/((1 - lambda) n), at
// most 1 (Storey, Taylor & Siegmund 2004, equation 6, with the one that makes
// [Storey] keep its level for finite n). A usual lambda is 1/2. Errors: no p-values,
// some outside [0, 1], lambda outside [0, 1).
func NullShare(p []float64, lambda float64) (float64, error) {
	if err := checkAll(p); err != nil {
		return 0, err
	}
	if len(p) == 0 {
		return 0, fmt.Errorf("fdr: there are no p-values")
	}
	if !(lambda >= 0 && lambda < 1) {
		return 0, fmt.Errorf("fdr: lambda is %v, must be from 0 to below 1", lambda)
	}
	above := 1.0
	for _, v := range p {
		if v > lambda {
			above++
		}
	}
	return min(above/((1-lambda)*float64(len(p))), 1), nil
}

// Storey rejects hypotheses at FDR alpha with the share of nulls estimated from the
// p-values themselves: [BenjaminiHochberg] at alpha over [NullShare], among p-values
// up to lambda. FDR is at most alpha for independent p-values (Storey, Taylor &
// Siegmund 2004, theorem 3). O(n log n).
func Storey(p []float64, alpha, lambda float64) ([]bool, error) {
	if !(alpha > 0 && alpha < 1) {
		return nil, fmt.Errorf("fdr: alpha is %v, must be between 0 and 1", alpha)
	}
	share, err := NullShare(p, lambda)
	if err != nil {
		return nil, err
	}
	order, k := vec.ArgSort(nil, p), 0
	for i, j := range order {
		if p[j] <= lambda && share*p[j]*float64(len(p)) <= float64(i+1)*alpha {
			k = i + 1
		}
	}
	reject := make([]bool, len(p))
	for _, j := range order[:k] {
		reject[j] = true
	}
	return reject, nil
}

// QValues returns Storey's q-values, [NullShare] times [AdjustBH]: the estimated
// false discovery rate of the rejections that would take in hypothesis i. All that
// [Storey] rejects at alpha have q-values of at most alpha. The rejections of a q-value
// may reach beyond lambda, where those of Storey end, so that it may reject fewer.
// O(n log n).
func QValues(p []float64, lambda float64) ([]float64, error) {
	share, err := NullShare(p, lambda)
	if err != nil {
		return nil, err
	}
	out, err := AdjustBH(p)
	if err != nil {
		return nil, err
	}
	scale(out, share)
	return out, nil
}
