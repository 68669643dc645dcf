package dataset

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"gonum.org/v1/gonum/mat"

	"gaucho/internal/scale"
	"gaucho/stdlib/vec"
)

// A Clustering is points in clusters around centres.
type Clustering struct {
	Labels  []int      // of each point, from 0
	Centres *mat.Dense // k x d, the means of their points
	Within  float64    // sum of the squared distances of the points from their centres
	Steps   int        // of Lloyd's algorithm, of the start that was best
}

// KMeans puts the rows of X (n x d) into k clusters by Lloyd's algorithm, until no point changes its cluster, from starts by
// k-means++ (Arthur and Vassilvitskii 2007), and returns the best of them: the one with the least Within. Ten starts are usual.
// Coordinates count as they are, so bring them to one scale first. A cluster that loses all its points takes the point that is
// farthest from its centre. Cost O(n k d) a step. Errors: no points, values that are not finite, k below 1 or above n, starts
// below 1, a cancelled context.
func KMeans(ctx context.Context, X *mat.Dense, k, starts int, rng *rand.Rand) (*Clustering, error) {
	if err := checkPoints(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	switch {
	case k < 1 || k > n:
		return nil, fmt.Errorf("dataset: number of clusters is %d, must be from 1 to the number of points, %d", k, n)
	case starts < 1:
		return nil, fmt.Errorf("dataset: number of starts is %d, must be at least 1", starts)
	case rng == nil:
		return nil, fmt.Errorf("dataset: rng is nil, must be a source of random numbers")
	}
	X, unit := inUnit(X)
	var best *Clustering
	for range starts {
		c := &Clustering{Labels: make([]int, n), Centres: plusPlus(X, k, rng)}
		if err := c.lloyd(ctx, X); err != nil {
			return nil, err
		}
		if best == nil || c.Within < best.Within {
			best = c
		}
	}
	best.Centres.Scale(unit, best.Centres)
	best.Within *= unit * unit
	return best, nil
}

// inUnit returns points whose squared distances neither overflow nor vanish, and in which unit they are.
func inUnit(X *mat.Dense) (*mat.Dense, float64) {
	n, d := X.Dims()
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = X.RawRowView(i)
	}
	unit := scale.Of(rows...)
	if unit == 1 {
		return X, 1
	}
	out := mat.NewDense(n, d, nil)
	for i, row := range rows {
		out.SetRow(i, scale.Divided(row, unit))
	}
	return out, unit
}

// checkPoints says what is wrong with points.
func checkPoints(X *mat.Dense) error {
	if X == nil || X.IsEmpty() {
		return fmt.Errorf("dataset: there are no points")
	}
	n, _ := X.Dims()
	for i := range n {
		for j, v := range X.RawRowView(i) {
			if v-v != 0 {
				return fmt.Errorf("dataset: value in row %d, column %d is %v, must be finite", i, j, v)
			}
		}
	}
	return nil
}

// plusPlus draws k of the points, each with a probability that is as its squared distance from those drawn before.
func plusPlus(X *mat.Dense, k int, rng *rand.Rand) *mat.Dense {
	n, d := X.Dims()
	centres, nearest, cumulative := mat.NewDense(k, d, nil), make([]float64, n), make([]float64, n)
	next := rng.IntN(n)
	for c := range k {
		centres.SetRow(c, X.RawRowView(next))
		total := 0.0
		for i := range n {
			if v := vec.SquaredDistance(X.RawRowView(i), centres.RawRowView(c)); c == 0 || v < nearest[i] {
				nearest[i] = v
			}
			total += nearest[i]
			cumulative[i] = total
		}
		u := rng.Float64() * total
		next = sort.Search(n-1, func(i int) bool { return cumulative[i] > u })
	}
	return centres
}

// maxSteps ends a cycle that rounding alone could make.
const maxSteps = 10_000

// lloyd moves points and centres by turns until no point moves.
func (c *Clustering) lloyd(ctx context.Context, X *mat.Dense) error {
	n, d := X.Dims()
	k, _ := c.Centres.Dims()
	distances, counts := make([]float64, n), make([]int, k)
	for c.Steps = 1; ; c.Steps++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		moved := c.Steps == 1
		c.Within = 0
		clear(counts)
		for i := range n {
			at, least := 0, math.Inf(1)
			for j := range k {
				if v := vec.SquaredDistance(X.RawRowView(i), c.Centres.RawRowView(j)); v < least {
					at, least = j, v
				}
			}
			moved = moved || at != c.Labels[i]
			c.Labels[i], distances[i] = at, least
			counts[at]++
			c.Within += least
		}
		for j := range k {
			if counts[j] > 0 {
				continue
			}
			far := 0
			for i := range n {
				if distances[i] > distances[far] {
					far = i
				}
			}
			if distances[far] == 0 {
				break // fewer distinct points than clusters
			}
			counts[c.Labels[far]]--
			c.Labels[far], distances[far], counts[j], moved = j, 0, 1, true
		}
		if !moved || c.Steps == maxSteps {
			return nil
		}
		means := mat.NewDense(k, d, nil)
		for i, j := range c.Labels {
			vec.Axpy(means.RawRowView(j), 1/float64(counts[j]), X.RawRowView(i))
		}
		for j := range k {
			if counts[j] > 0 {
				c.Centres.SetRow(j, means.RawRowView(j))
			}
		}
	}
}

// Silhouette returns how well each row of X is in its cluster (Rousseeuw 1987): (b - a) / max(a, b), where a is its mean
// distance from the other points of its cluster, and b the least of those from the points of another one. It is near 1 well
// within a cluster, below 0 in a wrong one, and 0 alone in its own. Its mean compares numbers of clusters. Cost O(n² d). Errors:
// no points, values that are not finite, labels that are not one a point, of fewer than 2 clusters, or below 0.
func Silhouette(ctx context.Context, X *mat.Dense, labels []int) ([]float64, error) {
	if err := checkPoints(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if len(labels) != n {
		return nil, fmt.Errorf("dataset: %d labels for %d points", len(labels), n)
	}
	var counts []float64
	for i, c := range labels {
		if c < 0 || c >= n {
			return nil, fmt.Errorf("dataset: label %d of point %d, must be from 0 to %d", c, i, n-1)
		}
		for len(counts) <= c {
			counts = append(counts, 0)
		}
		counts[c]++
	}
	clusters := 0
	for _, v := range counts {
		if v > 0 {
			clusters++
		}
	}
	if clusters < 2 {
		return nil, fmt.Errorf("dataset: a silhouette needs at least 2 clusters")
	}
	X, _ = inUnit(X)
	out, sums := make([]float64, n), make([]float64, len(counts))
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		clear(sums)
		for j := range n {
			sums[labels[j]] += math.Sqrt(vec.SquaredDistance(X.RawRowView(i), X.RawRowView(j)))
		}
		own := labels[i]
		if counts[own] == 1 {
			continue
		}
		a, b := sums[own]/(counts[own]-1), math.Inf(1)
		for c, s := range sums {
			if c != own && counts[c] > 0 {
				b = min(b, s/counts[c])
			}
		}
		if most := max(a, b); most > 0 {
			out[i] = (b - a) / most
		}
	}
	return out, nil
}
