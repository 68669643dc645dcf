package rkhs

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// MMD returns the maximum mean discrepancy between the distribution that e embeds
// and the weighted sample q: the norm of the difference of their mean
// embeddings. It is the square root of [MMD2]; see there.
func MMD(ctx context.Context, e Embedding, q Measure) (float64, error) {
	v, err := MMD2(ctx, e, q)
	return math.Sqrt(v), err
}

// MMD2 returns the squared maximum mean discrepancy
//
//	|mu_p|^2 - 2 sum_i w_i mu_p(x_i) + sum_ij w_i w_j k(x_i, x_j)
//
// between the distribution that e embeds and the weighted sample q of n points
// (Lacoste-Julien et al. 2015, equation 3). It is exact if e is. Negative
// results, which rounding may leave, become 0; values below about 1e-15 times
// (sum |w_i|)^2 are noise. Cost O(n^2 d), no n x n matrix is kept.
func MMD2(ctx context.Context, e Embedding, q Measure) (float64, error) {
	if err := q.Validate(); err != nil {
		return 0, err
	}
	n := q.Len()
	z, g := make([]float64, n), make([]float64, n)
	if err := e.EvalTo(ctx, z, q.X); err != nil {
		return 0, err
	}
	if err := WeightedSum(ctx, g, e.Kernel(), q.X, q); err != nil {
		return 0, err
	}
	s, err := e.Norm2(ctx)
	if err != nil {
		return 0, err
	}
	for i := range n {
		s += q.weight(i) * (g[i] - 2*z[i])
	}
	return math.Max(s, 0), nil
}

// MMD2Biased returns the squared MMD between the empirical measures of the rows
// of X (n x d) and Y (m x d): the V-statistic, which is never negative and
// exceeds the MMD between the distributions by O(1/n + 1/m) in the mean.
// Cost O((n+m)^2 d).
func MMD2Biased(ctx context.Context, k Kernel, X, Y *mat.Dense) (float64, error) {
	xx, yy, xy, err := kernelSums(ctx, k, X, Y)
	if err != nil {
		return 0, err
	}
	n, m := rows(X), rows(Y)
	return math.Max(xx/(n*n)+yy/(m*m)-2*xy/(n*m), 0), nil
}

// MMD2Unbiased returns the U-statistic, an unbiased estimate of the squared MMD
// between the distributions that the rows of X and Y were drawn from. It may be
// negative. Both samples need at least two points. Cost O((n+m)^2 d).
func MMD2Unbiased(ctx context.Context, k Kernel, X, Y *mat.Dense) (float64, error) {
	xx, yy, xy, err := kernelSums(ctx, k, X, Y)
	if err != nil {
		return 0, err
	}
	n, m := rows(X), rows(Y)
	if n < 2 || m < 2 {
		return 0, fmt.Errorf("rkhs: samples have %v and %v points, must have at least 2", n, m)
	}
	for _, v := range Diagonal(k, X) {
		xx -= v
	}
	for _, v := range Diagonal(k, Y) {
		yy -= v
	}
	return xx/(n*(n-1)) + yy/(m*(m-1)) - 2*xy/(n*m), nil
}

// MMD2Block returns the mean of the unbiased estimates over disjoint blocks of
// the given size (Zaremba, Gretton & Blaschko 2013), which costs O(n size d)
// instead of O(n^2 d), and the standard error of that mean (NaN with fewer than
// two blocks). X and Y must have equally many rows, in random order; rows that
// fill no block are left out.
func MMD2Block(ctx context.Context, k Kernel, X, Y *mat.Dense, size int) (mean, stderr float64, err error) {
	if err := checkPair(k, X, Y); err != nil {
		return 0, 0, err
	}
	n, d := X.Dims()
	if m, _ := Y.Dims(); m != n {
		return 0, 0, fmt.Errorf("rkhs: samples have %d and %d points, must have equally many", n, m)
	}
	if size < 2 || size > n {
		return 0, 0, fmt.Errorf("rkhs: block size is %d, must be from 2 to the sample size %d", size, n)
	}
	var s, s2 float64
	blocks := n / size
	for b := range blocks {
		lo, hi := b*size, (b+1)*size
		v, err := MMD2Unbiased(ctx, k, X.Slice(lo, hi, 0, d).(*mat.Dense), Y.Slice(lo, hi, 0, d).(*mat.Dense))
		if err != nil {
			return 0, 0, err
		}
		s += v
		s2 += v * v
	}
	c := float64(blocks)
	mean = s / c
	return mean, math.Sqrt((s2/c - mean*mean) / (c - 1)), nil
}

// kernelSums returns the sums of k over all pairs within X, within Y and between.
func kernelSums(ctx context.Context, k Kernel, X, Y *mat.Dense) (xx, yy, xy float64, err error) {
	if err := checkPair(k, X, Y); err != nil {
		return 0, 0, 0, err
	}
	sum := func(A, B *mat.Dense) float64 {
		ones := make([]float64, int(rows(B)))
		for i := range ones {
			ones[i] = 1
		}
		g := make([]float64, int(rows(A)))
		if e := WeightedSum(ctx, g, k, A, Measure{X: B, W: ones}); e != nil && err == nil {
			err = e
		}
		var s float64
		for _, v := range g {
			s += v
		}
		return s
	}
	return sum(X, X), sum(Y, Y), sum(X, Y), err
}

func rows(X *mat.Dense) float64 {
	n, _ := X.Dims()
	return float64(n)
}
