package boosting

import (
	"fmt"
	"math"

	"gaucho/stdlib/vec"
)

// A Curve is a receiver operating characteristic: point i says +1 to scores of at
// least Threshold[i]. It starts at (0, 0) and ends at (1, 1).
type Curve struct {
	FalsePositive, TruePositive, Threshold []float64
	Area                                   float64 // under the curve
}

// ROC returns the curve of scores for labels -1 and 1; equal scores make one
// point. Its area is the probability that a +1 has the larger score, plus half of
// that of a tie. O(n log n). Errors: lengths that differ, a score that is NaN, a
// label that is not -1 or 1, labels that are all the same.
func ROC(scores, labels []float64) (*Curve, error) {
	if len(scores) != len(labels) {
		return nil, fmt.Errorf("boosting: %d scores for %d labels", len(scores), len(labels))
	}
	if err := checkLabels(labels, 0); err != nil {
		return nil, err
	}
	var plus, minus float64
	for i, y := range labels {
		if math.IsNaN(scores[i]) {
			return nil, fmt.Errorf("boosting: score %d is NaN", i)
		}
		if y > 0 {
			plus++
		} else {
			minus++
		}
	}
	if plus == 0 || minus == 0 {
		return nil, fmt.Errorf("boosting: %v labels of 1 and %v of -1, must be some of both", plus, minus)
	}
	c := &Curve{FalsePositive: []float64{0}, TruePositive: []float64{0}, Threshold: []float64{math.Inf(1)}}
	order := vec.ArgSort(nil, scores)
	var fp, tp float64
	for i := len(order) - 1; i >= 0; i-- {
		if labels[order[i]] > 0 {
			tp++
		} else {
			fp++
		}
		if i > 0 && scores[order[i-1]] == scores[order[i]] {
			continue
		}
		last := len(c.Threshold) - 1
		c.Area += (fp/minus - c.FalsePositive[last]) * (tp/plus + c.TruePositive[last]) / 2
		c.FalsePositive = append(c.FalsePositive, fp/minus)
		c.TruePositive = append(c.TruePositive, tp/plus)
		c.Threshold = append(c.Threshold, scores[order[i]])
	}
	return c, nil
}

// ErrorRate returns the share of labels whose sign differs from the score's; a
// score of 0 counts as -1.
func ErrorRate(scores, labels []float64) float64 {
	wrong := 0
	for i, s := range scores {
		if (s > 0) != (labels[i] > 0) {
			wrong++
		}
	}
	return float64(wrong) / float64(len(scores))
}
