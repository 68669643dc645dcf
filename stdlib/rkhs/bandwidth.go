package rkhs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"gaucho/internal/scale"
)

// MedianBandwidth returns the median Euclidean distance between two rows of X,
// the usual first guess at the bandwidth of a radial kernel (divided by sqrt 2
// if 2 b^2 is to be the median squared distance). If X has more than limit rows,
// that many are drawn from it without replacement; 1,000 are plenty. At least
// two rows must differ. Cost O(limit^2 d).
func MedianBandwidth(X *mat.Dense, limit int, rng *rand.Rand) (float64, error) {
	if err := finite("points", X); err != nil {
		return 0, err
	}
	if limit < 2 {
		return 0, fmt.Errorf("rkhs: limit is %d, must be at least 2", limit)
	}
	n, _ := X.Dims()
	index := make([]int, n)
	for i := range index {
		index[i] = i
	}
	if n > limit {
		if rng == nil {
			return 0, fmt.Errorf("rkhs: rng is nil, must be a source of random numbers for %d of %d points", limit, n)
		}
		for i := range limit {
			j := i + rng.IntN(n-i)
			index[i], index[j] = index[j], index[i]
		}
		index = index[:limit]
	}
	rows := make([][]float64, len(index))
	for a, i := range index {
		rows[a] = X.RawRowView(i)
	}
	unit := scale.Of(rows...)
	var d2 []float64
	for a := range rows {
		rows[a] = scale.Divided(rows[a], unit)
		for _, other := range rows[:a] {
			d2 = append(d2, squaredDistance(rows[a], other))
		}
	}
	if len(d2) == 0 {
		return 0, fmt.Errorf("rkhs: there is 1 point, must be at least 2")
	}
	slices.Sort(d2)
	h := len(d2) / 2
	median := math.Sqrt(d2[h])
	if len(d2)%2 == 0 {
		median = 0.5 * (median + math.Sqrt(d2[h-1]))
	}
	if median == 0 {
		return 0, fmt.Errorf("rkhs: more than half of the distances are 0, so their median is no bandwidth")
	}
	return unit * median, nil
}
