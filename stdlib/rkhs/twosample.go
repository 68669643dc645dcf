package rkhs

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
)

// A TwoSample is the result of [TwoSampleTest].
type TwoSample struct {
	// Statistic is the unbiased estimate of the squared MMD between the two laws.
	Statistic float64
	// P is the p-value: the probability, given the pooled points and that the laws are
	// equal, of a statistic as large as this one; at least 1/(1 + Permutations).
	P float64
	// Null holds the statistics of the permutations, in the order drawn.
	Null []float64
}

// String says what the test found.
func (t *TwoSample) String() string {
	return fmt.Sprintf("squared MMD %.4g, p = %.3g by %d permutations", t.Statistic, t.P, len(t.Null))
}

// permutationBlock is the number of permutations that share a random stream.
const permutationBlock = 16

// TwoSampleTest tests whether the rows of X (n x d) and of Y (m x d) were drawn from
// the same law, by the squared MMD (Gretton et al. 2012, equation 3) and its values
// when the pooled points are assigned to the samples at random. The p-value (1 +
// #{null >= statistic})/(1 + permutations) is exact for exchangeable points at any
// sample size: rejecting where it is at most alpha errs with probability at most
// alpha (Phipson & Smyth 2010). Permutations of 999 are plenty for a level of 0.05.
// [MedianBandwidth] of the pooled points is a usual bandwidth; a kernel chosen by
// looking at the samples otherwise must be chosen on other points. It draws one key
// from rng and does not depend on the number of cores. Cost O((n+m)^2 d) and O((n+m)^2)
// a permutation, memory O((n+m)^2). Errors: samples of fewer than two points or of
// different dimension, permutations below 1, a cancelled context.
func TwoSampleTest(ctx context.Context, k Kernel, X, Y *mat.Dense, permutations int, rng *rand.Rand) (*TwoSample, error) {
	if rng == nil {
		return nil, fmt.Errorf("rkhs: rng is nil, must be a source of random numbers")
	}
	if permutations < 1 {
		return nil, fmt.Errorf("rkhs: permutations is %d, must be at least 1", permutations)
	}
	if err := checkPair(k, X, Y); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	m, _ := Y.Dims()
	if n < 2 || m < 2 {
		return nil, fmt.Errorf("rkhs: samples have %d and %d points, must have at least 2", n, m)
	}
	pooled := mat.NewDense(n+m, d, nil)
	pooled.Stack(X, Y)
	gram, err := Gram(ctx, k, pooled, nil)
	if err != nil {
		return nil, err
	}
	for i := range n + m { // the statistic has no pairs of a point with itself
		gram.Set(i, i, 0)
	}
	out := &TwoSample{Null: make([]float64, permutations)}
	label := make([]bool, n+m)
	for i := range n {
		label[i] = true
	}
	out.Statistic = labelledMMD(gram, label, n, m)
	key := rng.Uint64()
	parallel.Blocks(permutations, permutationBlock, func(b, lo, hi int) {
		own, mine := rand.New(rand.NewPCG(key, uint64(b))), append([]bool(nil), label...)
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			own.Shuffle(len(mine), func(i, j int) { mine[i], mine[j] = mine[j], mine[i] })
			out.Null[i] = labelledMMD(gram, mine, n, m)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// Assignments that differ in the order of the points alone have the same statistic
	// up to rounding, and must count as equal.
	tolerance := 1e-12 * scaleOf(gram)
	above := 1
	for _, v := range out.Null {
		if v >= out.Statistic-tolerance {
			above++
		}
	}
	out.P = float64(above) / float64(1+permutations)
	return out, nil
}

// labelledMMD returns the unbiased statistic for the n points that are labelled
// against the m others, from a Gram matrix without its diagonal.
func labelledMMD(gram *mat.Dense, first []bool, n, m int) float64 {
	var within, between, other float64
	for i, f := range first {
		var same, cross float64
		row := gram.RawRowView(i)
		for j, v := range row {
			if first[j] == f {
				same += v
			} else {
				cross += v
			}
		}
		if f {
			within += same
			between += cross
		} else {
			other += same
		}
	}
	a, b := float64(n), float64(m)
	return within/(a*(a-1)) + other/(b*(b-1)) - 2*between/(a*b)
}

// scaleOf returns the largest size of an element.
func scaleOf(m *mat.Dense) float64 { return max(mat.Max(m), -mat.Min(m)) }
