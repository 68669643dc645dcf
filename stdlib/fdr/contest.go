package fdr

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// ContestMeans draws the means of a sequence of experiments as the toy data of
// Yang 2018, section 4.5, have them: in each, one arm has the mean top, the others
// uniform means in [0, top - gap], sorted. Under the null the control has the
// top; in round(share * experiments) experiments, chosen uniformly, the control
// has changed places with one of ranks 2 to 11, and so is not the best. Means
// are clipped to [0.01, 0.99] if clip is set, for Bernoulli arms.
//
// Row j holds the means of experiment j, the control first. arms counts the
// control.
func ContestMeans(experiments, arms int, top, gap, share float64, clip bool, rng *rand.Rand) ([][]float64, error) {
	switch {
	case experiments < 1:
		return nil, fmt.Errorf("fdr: experiments is %d, must be at least 1", experiments)
	case arms < 2:
		return nil, fmt.Errorf("fdr: arms is %d, must be at least 2", arms)
	case !(gap > 0 && gap < top):
		return nil, fmt.Errorf("fdr: gap is %v, must be between 0 and top = %v", gap, top)
	case !(share >= 0 && share <= 1):
		return nil, fmt.Errorf("fdr: share is %v, must be in [0, 1]", share)
	case rng == nil:
		return nil, fmt.Errorf("fdr: rng is nil, must be a source of random numbers")
	}
	alternatives := int(share*float64(experiments) + 0.5)
	alternative := make([]bool, experiments)
	for _, j := range rng.Perm(experiments)[:alternatives] {
		alternative[j] = true
	}
	means := make([][]float64, experiments)
	for j := range means {
		m := make([]float64, arms)
		for i := 1; i < arms; i++ {
			m[i] = (top - gap) * rng.Float64()
		}
		slices.SortFunc(m[1:], func(a, b float64) int {
			if a > b {
				return -1
			}
			return 1
		})
		m[0] = top
		if alternative[j] {
			r := 1 + rng.IntN(max(1, min(10, arms-2)))
			m[0], m[r] = m[r], m[0]
		}
		if clip {
			for i := range m {
				m[i] = min(max(m[i], 0.01), 0.99)
			}
		}
		means[j] = m
	}
	return means, nil
}
