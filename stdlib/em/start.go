package em

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/internal/scale"
	"gaucho/stdlib/vec"
)

// StartGaussian returns a model with Gaussian outputs to start Baum-Welch from:
// means by k-means++ (Arthur & Vassilvitskii 2007) and ten of Lloyd's steps over
// all sequences, the variances of each coordinate within the clusters, and
// transitions counted between them with one added to each. Distances are in units
// of each coordinate's standard deviation, so that scales do not matter; the kind
// Spherical, which says that scales are alike, takes coordinates as they are.
// Variances are at least a thousandth of the coordinate's in all the data, which is
// also the floor of the output. O(n s d). Errors: no sequences, an empty one or
// NaN, fewer observations than states, a kind that is not known, observations that
// are all equal.
func StartGaussian(x []*mat.Dense, states int, kind Kind, rng *rand.Rand) (*Model, error) {
	c, err := newClusters(x, states, kind, rng)
	if err != nil {
		return nil, err
	}
	return c.model(x, kind), nil
}

// clusters are what starts are made of.
type clusters struct {
	rows            [][]float64 // of all sequences
	label           []int
	centres         [][]float64
	variance, floor []float64 // of each coordinate within clusters, and the least allowed
}

func newClusters(x []*mat.Dense, states int, kind Kind, rng *rand.Rand) (*clusters, error) {
	if states < 1 {
		return nil, fmt.Errorf("em: states is %d, must be at least 1", states)
	}
	if kind != Spherical && kind != Diagonal && kind != Full && kind != Tied {
		return nil, fmt.Errorf("em: kind of covariance is %q, must be spherical, diagonal, full or tied", kind)
	}
	if rng == nil {
		return nil, fmt.Errorf("em: rng is nil, must be a source of random numbers")
	}
	rows, err := allRows(x)
	if err != nil {
		return nil, err
	}
	if len(rows) < states {
		return nil, fmt.Errorf("em: %d observations, must be at least one for each of %d states", len(rows), states)
	}
	total, err := variances(rows)
	if err != nil {
		return nil, err
	}
	c := &clusters{rows: rows, floor: make([]float64, len(total))}
	vec.Scale(c.floor, 1e-3, total)
	c.label, c.centres = c.split(rows, kind, states, rng)
	c.variance = spread(rows, c.label, c.centres)
	for a, v := range c.variance {
		c.variance[a] = max(v, c.floor[a])
	}
	return c, nil
}

// variances returns that of each coordinate. A constant one, which has no scale of its
// own, is given the mean of the others.
func variances(rows [][]float64) ([]float64, error) {
	v := spread(rows, make([]int, len(rows)), [][]float64{meanRow(rows)})
	column := make([]float64, len(rows))
	for a := range v {
		for i, r := range rows {
			column[i] = r[a]
		}
		if scale.Constant(column) { // rounding of the mean may have left a variance
			v[a] = 0
		}
	}
	varying := 0
	for _, u := range v {
		if u > 0 {
			varying++
		}
	}
	if varying == 0 {
		return nil, fmt.Errorf("em: all observations are equal")
	}
	mean := vec.Sum(v) / float64(varying)
	for a, u := range v {
		if !(u > 0) {
			v[a] = mean
		}
	}
	return v, nil
}

// split divides rows into k clusters in units of the floor's square root, save for
// the kind Spherical, and returns the label of each row and the clusters' means.
func (c *clusters) split(rows [][]float64, kind Kind, k int, rng *rand.Rand) (label []int, centres [][]float64) {
	scaled := rows
	if kind != Spherical {
		scaled = make([][]float64, len(rows))
		for i, r := range rows {
			scaled[i] = make([]float64, len(r))
			for a, v := range r {
				scaled[i][a] = v / math.Sqrt(c.floor[a])
			}
		}
	}
	label, centres = make([]int, len(rows)), plusPlus(scaled, k, rng)
	for range 10 {
		assign(label, scaled, centres)
		recentre(centres, scaled, label)
	}
	assign(label, scaled, centres)
	if kind == Spherical {
		return label, centres
	}
	for _, centre := range centres { // an empty cluster's stays where it is
		for a := range centre {
			centre[a] *= math.Sqrt(c.floor[a])
		}
	}
	recentre(centres, rows, label)
	return label, centres
}

// gaussian returns outputs at the centres with the common variance.
func (c *clusters) gaussian(kind Kind) *Gaussian {
	s, d := len(c.centres), len(c.rows[0])
	g := &Gaussian{Means: mat.NewDense(s, d, nil), Kind: kind, Floor: c.floor}
	for j, centre := range c.centres {
		g.Means.SetRow(j, centre)
	}
	if kind == Spherical || kind == Diagonal {
		g.Variances = mat.NewDense(s, d, nil)
		for j := range s {
			g.Variances.SetRow(j, c.variance)
		}
		if kind == Spherical {
			vec.Fill(g.Variances.RawMatrix().Data, vec.Sum(c.variance)/float64(d))
		}
		return g
	}
	n := s
	if kind == Tied {
		n = 1
	}
	for range n {
		cov := mat.NewSymDense(d, nil)
		for a := range d {
			cov.SetSym(a, a, c.variance[a])
		}
		g.Covariances = append(g.Covariances, cov)
	}
	return g
}

// model counts transitions between clusters.
func (c *clusters) model(x []*mat.Dense, kind Kind) *Model {
	s, label := len(c.centres), c.label
	m := &Model{Start: make([]float64, s), Transition: mat.NewDense(s, s, nil), Output: c.gaussian(kind)}
	vec.Fill(m.Start, 1)
	vec.Fill(m.Transition.RawMatrix().Data, 1)
	at := 0
	for _, seq := range x {
		n, _ := seq.Dims()
		m.Start[label[at]]++
		for i := 1; i < n; i++ {
			j, k := label[at+i-1], label[at+i]
			m.Transition.Set(j, k, m.Transition.At(j, k)+1)
		}
		at += n
	}
	normalise(m.Start)
	for j := range s {
		normalise(m.Transition.RawRowView(j))
	}
	return m
}

func allRows(x []*mat.Dense) ([][]float64, error) {
	if len(x) == 0 || x[0] == nil || x[0].IsEmpty() {
		return nil, fmt.Errorf("em: sequence is empty")
	}
	_, d := x[0].Dims()
	shape := Model{Output: &Gaussian{Means: mat.NewDense(1, d, nil)}}
	var rows [][]float64
	for q, seq := range x {
		if err := shape.checkSequence(seq); err != nil {
			return nil, inSequence(err, q, len(x))
		}
		n, _ := seq.Dims()
		for i := range n {
			rows = append(rows, seq.RawRowView(i))
		}
	}
	return rows, nil
}

func meanRow(rows [][]float64) []float64 {
	c := make([]float64, len(rows[0]))
	for _, r := range rows {
		vec.Axpy(c, 1/float64(len(rows)), r)
	}
	return c
}

// plusPlus draws centres: the first uniformly, each next with probability
// proportional to the squared distance to those so far.
func plusPlus(rows [][]float64, k int, rng *rand.Rand) [][]float64 {
	centres := [][]float64{append([]float64(nil), rows[rng.IntN(len(rows))]...)}
	near := make([]float64, len(rows))
	vec.Fill(near, math.Inf(1))
	for len(centres) < k {
		total := 0.0
		for i, r := range rows {
			near[i] = min(near[i], vec.SquaredDistance(r, centres[len(centres)-1]))
			total += near[i]
		}
		pick, u := rng.IntN(len(rows)), total*rng.Float64()
		for i, v := range near {
			if u < v {
				pick = i
				break
			}
			u -= v
		}
		centres = append(centres, append([]float64(nil), rows[pick]...))
	}
	return centres
}

func assign(label []int, rows, centres [][]float64) {
	for i, r := range rows {
		best := math.Inf(1)
		for j, c := range centres {
			if q := vec.SquaredDistance(r, c); q < best {
				best, label[i] = q, j
			}
		}
	}
}

// recentre moves centres to the means of their clusters; an empty one stays.
func recentre(centres, rows [][]float64, label []int) {
	count := make([]float64, len(centres))
	sum := make([][]float64, len(centres))
	for j := range sum {
		sum[j] = make([]float64, len(rows[0]))
	}
	for i, r := range rows {
		count[label[i]]++
		vec.Add(sum[label[i]], sum[label[i]], r)
	}
	for j, n := range count {
		if n > 0 {
			vec.Scale(centres[j], 1/n, sum[j])
		}
	}
}

// spread returns the mean squared deviation from the centres in each coordinate.
func spread(rows [][]float64, label []int, centres [][]float64) []float64 {
	out := make([]float64, len(rows[0]))
	for i, r := range rows {
		for a, v := range r {
			u := v - centres[label[i]][a]
			out[a] += u * u / float64(len(rows))
		}
	}
	return out
}

// BestOf runs Baum-Welch from several starts and returns the fit with the largest
// last objective, the first of equals. A start whose fit fails is passed over; if
// all fail, the error is that of the first. Cancelling ends it with an error.
func BestOf(ctx context.Context, starts []*Model, x []*mat.Dense, settings *Settings) (*Fit, error) {
	return best(ctx, len(starts), func(i int) (*Fit, float64, error) {
		fit, err := BaumWelchAll(ctx, *starts[i], x, settings)
		if err != nil {
			return nil, 0, err
		}
		return fit, fit.Objective[len(fit.Objective)-1], nil
	})
}

// best returns the fit with the largest objective, the first of equals.
func best[T any](ctx context.Context, n int, fit func(i int) (*T, float64, error)) (*T, error) {
	if n == 0 {
		return nil, fmt.Errorf("em: there are no starts")
	}
	var top *T
	var first error
	most := 0.0
	for i := range n {
		f, objective, err := fit(i)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		if top == nil || objective > most {
			top, most = f, objective
		}
	}
	if top == nil {
		return nil, first
	}
	return top, nil
}
