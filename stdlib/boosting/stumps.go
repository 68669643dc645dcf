package boosting

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// A Stump votes Vote if coordinate Feature is above Threshold, -Vote if not. The
// sign of Vote is the class, its size the weight.
type Stump struct {
	Feature   int
	Threshold float64
	Vote      float64
}

// A Committee is the sum of its stumps' votes.
type Committee struct {
	Stumps []Stump
	// Error[t] is the share of training labels that the first t+1 stumps get
	// wrong, Bound[t] the bound prod 2 sqrt(e (1-e)) on it, e the weighted error of
	// each stump.
	Error, Bound []float64
}

// Stumps is AdaBoost by reweighting on decision stumps (Freund & Schapire 1997):
// each round takes the stump of least weighted error e with the vote log((1-e)/e)/2
// and multiplies the weights of points that it gets wrong by e^(2 vote). It ends
// early when no stump is better than chance, or when one makes no error: that one
// decides alone. O(n d) a round after sorting, O(n d log n). Errors: labels that
// are not -1 and 1, rounds below 1, x that is empty or not finite.
func Stumps(ctx context.Context, x *mat.Dense, labels []float64, rounds int) (*Committee, error) {
	if err := checkPoints(rkhs.Linear{}, x); err != nil {
		return nil, err
	}
	n, d := x.Dims()
	if len(labels) != n {
		return nil, fmt.Errorf("boosting: %d labels for %d points", len(labels), n)
	}
	if err := checkLabels(labels, 0); err != nil {
		return nil, err
	}
	if rounds < 1 {
		return nil, fmt.Errorf("boosting: rounds is %d, must be at least 1", rounds)
	}
	columns, orders := make([][]float64, d), make([][]int, d)
	for a := range d {
		columns[a] = mat.Col(nil, a, x)
		orders[a] = vec.ArgSort(nil, columns[a])
	}
	weights, scores := make([]float64, n), make([]float64, n)
	vec.Fill(weights, 1/float64(n))
	c, bound := &Committee{}, 1.0
	for range rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s, e := bestStump(columns, orders, weights, labels)
		if e >= 0.5-1e-12 {
			break
		}
		if e <= 1e-15 {
			s.Vote = math.Copysign(1, s.Vote)
			return &Committee{[]Stump{s}, []float64{0}, []float64{0}}, nil
		}
		vote := (vec.Log1(1-e) - vec.Log1(e)) / 2
		s.Vote = math.Copysign(vote, s.Vote)
		bound *= 2 * math.Sqrt(e*(1-e))
		up, down := 0.5/e, 0.5/(1-e) // of the new weights: they sum to 1
		for i, v := range columns[s.Feature] {
			h := s.at(v)
			scores[i] += h
			if h*labels[i] > 0 {
				weights[i] *= down
			} else {
				weights[i] *= up
			}
		}
		c.Stumps = append(c.Stumps, s)
		c.Error, c.Bound = append(c.Error, ErrorRate(scores, labels)), append(c.Bound, bound)
	}
	if len(c.Stumps) == 0 {
		return nil, fmt.Errorf("boosting: no stump is better than chance")
	}
	return c, nil
}

// bestStump returns the stump of least weighted error, with a vote of 1 or -1.
// Ties go to the lowest feature and threshold.
func bestStump(columns [][]float64, orders [][]int, weights, labels []float64) (best Stump, least float64) {
	least = 1
	positive := 0.0 // weight of +1
	for i, w := range weights {
		if labels[i] > 0 {
			positive += w
		}
	}
	consider := func(feature int, threshold, e float64) {
		vote := 1.0
		if e > 0.5 {
			e, vote = 1-e, -1
		}
		if e < least-1e-15 {
			best, least = Stump{feature, threshold, vote}, e
		}
	}
	for a, column := range columns {
		e := 1 - positive // all are +1: wrong are the -1
		consider(a, math.Inf(-1), e)
		for r, i := range orders[a] {
			if labels[i] > 0 {
				e += weights[i]
			} else {
				e -= weights[i]
			}
			if r+1 < len(column) && column[orders[a][r+1]] > column[i] {
				consider(a, between(column[i], column[orders[a][r+1]]), e)
			}
		}
	}
	return best, max(least, 0)
}

// between returns a threshold that a is not above and b > a is.
func between(a, b float64) float64 {
	middle := a + (b-a)/2
	if math.IsInf(middle, 1) {
		middle = a/2 + b/2
	}
	if middle >= b { // rounded up, of neighbours
		return a
	}
	return middle
}

func (s Stump) at(v float64) float64 {
	if v > s.Threshold {
		return s.Vote
	}
	return -s.Vote
}

// Predict returns the sums of the votes of the first t stumps, all if t is 0 or
// more than there are, at the rows of z.
func (c *Committee) Predict(z *mat.Dense, t int) []float64 {
	if t <= 0 || t > len(c.Stumps) {
		t = len(c.Stumps)
	}
	n, _ := z.Dims()
	out := make([]float64, n)
	for _, s := range c.Stumps[:t] {
		for i := range out {
			out[i] += s.at(z.At(i, s.Feature))
		}
	}
	return out
}
