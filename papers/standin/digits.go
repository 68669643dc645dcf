// Package standin makes the data in place of the papers' that experiments of several chapters use.
package standin

import (
	"context"
	"math/rand/v2"

	"gaucho/stdlib/dataset"
)

// EightsAndSixes returns n jittered eights (labelled 1) and sixes (-1) to train on, and 2,000 of other originals to test on,
// projected onto the 50 directions in which the first vary most.
func EightsAndSixes(ctx context.Context, n int, rng *rand.Rand) (train, test *dataset.Regression, err error) {
	digits, err := dataset.Digits()
	if err != nil {
		return nil, nil, err
	}
	var index []int
	for i, y := range digits.Y {
		if y == 8 || y == 6 {
			index = append(index, i)
			digits.Y[i] = y - 7
		}
	}
	originals, test, err := digits.Rows(index).Split(len(index)/2, rng)
	if err != nil {
		return nil, nil, err
	}
	if train, err = dataset.JitterDigits(originals, n, rng); err != nil {
		return nil, nil, err
	}
	if test, err = dataset.JitterDigits(test, 2000, rng); err != nil {
		return nil, nil, err
	}
	return train, test, Project(ctx, 50, train, test)
}

// Project replaces the points of both sets by their coordinates in the k directions in which those of train vary most.
func Project(ctx context.Context, k int, train, test *dataset.Regression) error {
	pca, err := dataset.NewPCA(ctx, train.X, k)
	if err != nil {
		return err
	}
	for _, d := range []*dataset.Regression{train, test} {
		if d.X, err = pca.Project(d.X); err != nil {
			return err
		}
	}
	return nil
}
