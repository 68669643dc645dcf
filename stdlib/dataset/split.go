package dataset

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A Fold is the numbers of the rows that a model is fitted to, and of those that it is tested with, each rising.
type Fold struct{ Train, Test []int }

// TrainTest splits n rows at random for any model: the share for its test, 0.25 say, rounded up, and the rest to fit it to.
// [gaucho/stdlib/table.Table.Pick] and [RowsOf] take the rows out of data.
func TrainTest(n int, share float64, rng *rand.Rand) (Fold, error) {
	if rng == nil {
		return Fold{}, fmt.Errorf("dataset: rng is nil, must be a source of random numbers")
	}
	if !(share > 0 && share < 1) {
		return Fold{}, fmt.Errorf("dataset: share is %v, must be above 0 and below 1", share)
	}
	count := int(share * float64(n))
	if float64(count) < share*float64(n) {
		count++
	}
	if n < 2 || count >= n {
		return Fold{}, fmt.Errorf("dataset: %v of %d rows leave none for one of the two parts", share, n)
	}
	return foldOf(rng.Perm(n), 0, count), nil
}

// Folds splits n rows at random into k parts, of sizes that differ by one at most, for cross-validation: each fold tests with
// one of them, and fits to the others.
func Folds(n, k int, rng *rand.Rand) ([]Fold, error) {
	if rng == nil {
		return nil, fmt.Errorf("dataset: rng is nil, must be a source of random numbers")
	}
	if k < 2 || k > n {
		return nil, fmt.Errorf("dataset: number of folds is %d, must be from 2 to the number of rows, %d", k, n)
	}
	order, folds, from := rng.Perm(n), make([]Fold, k), 0
	for i := range folds {
		size := n / k
		if i < n%k {
			size++
		}
		folds[i] = foldOf(order, from, from+size)
		from += size
	}
	return folds, nil
}

// foldOf is the fold whose test rows are a part of an order.
func foldOf(order []int, from, to int) Fold {
	f := Fold{Train: slices.Concat(order[:from], order[to:]), Test: slices.Clone(order[from:to])}
	slices.Sort(f.Train)
	slices.Sort(f.Test)
	return f
}

// RowsOf returns the rows of X with the given numbers. It panics if there is no such row.
func RowsOf(X *mat.Dense, rows []int) *mat.Dense {
	_, d := X.Dims()
	out := mat.NewDense(len(rows), d, nil)
	for i, r := range rows {
		out.SetRow(i, X.RawRowView(r))
	}
	return out
}
