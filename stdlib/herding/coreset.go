package herding

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/vec"
)

// CoresetSettings are the settings of [LogisticCoreset]. Fields that are zero have the
// values of [DefaultCoresetSettings]; None is 0 for Radius.
type CoresetSettings struct {
	// Clusters is the number of clusters, 4 to 6 in the paper. Default 6.
	Clusters int
	// Radius is the radius of the ball of coefficients for which the
	// sensitivities are bounds. Default 3; None is 0.
	Radius float64
	// Subsample is the number of points that the clusters are found from.
	// Default 1000.
	Subsample int
}

// DefaultCoresetSettings returns 6 clusters from 1000 points, and radius 3.
func DefaultCoresetSettings() *CoresetSettings {
	return &CoresetSettings{Clusters: 6, Radius: 3, Subsample: 1000}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *CoresetSettings) WithDefaults() *CoresetSettings {
	return settings.Fill(s, DefaultCoresetSettings())
}

// resolve returns the settings in effect, None as 0.
func (s *CoresetSettings) resolve() *CoresetSettings {
	out := s.WithDefaults()
	settings.Clear(&out.Radius)
	return out
}

// LogisticCoreset draws a weighted subset of the data of a logistic regression
// by importance sampling (Huggins, Campbell & Broderick, Coresets for scalable
// Bayesian logistic regression, 2016, Algorithm 1): point n, with z = (2y-1) x,
// is drawn with probability proportional to the bound
//
//	N / (1 + sum_i |G_i| exp(-R |mean(G_i) - z|))
//
// on its sensitivity, where the sum is over clusters of the z without point n.
// It returns the distinct rows drawn in size draws, in increasing order, and
// their weights count / (probability size), which are unbiased: their expected
// sum is N. A nil settings means [DefaultCoresetSettings]. Cost O(N k d).
func LogisticCoreset(ctx context.Context, X *mat.Dense, y []float64, size int, settings *CoresetSettings, rng *rand.Rand) (rows []int, weights []float64, err error) {
	if rng == nil {
		return nil, nil, fmt.Errorf("herding: rng is nil, must be a source of random numbers")
	}
	settings = settings.resolve()
	if err := checkLabels(X, y); err != nil {
		return nil, nil, err
	}
	n, d := X.Dims()
	if size < 1 {
		return nil, nil, fmt.Errorf("herding: size of the coreset is %d, must be at least 1", size)
	}
	if settings.Clusters < 1 || settings.Clusters > n {
		return nil, nil, fmt.Errorf("herding: number of clusters is %d, must be from 1 to the %d points", settings.Clusters, n)
	}
	if !(settings.Radius >= 0) {
		return nil, nil, fmt.Errorf("herding: radius is %v, must not be negative", settings.Radius)
	}
	if settings.Subsample < settings.Clusters {
		return nil, nil, fmt.Errorf("herding: subsample is %d, must be at least the %d clusters", settings.Subsample, settings.Clusters)
	}
	z := mat.NewDense(n, d, nil)
	for i := range n {
		vec.Scale(z.RawRowView(i), 2*y[i]-1, X.RawRowView(i))
	}
	centers := kMeans(z, settings.Clusters, settings.Subsample, rng)
	cumulative, err := sensitivities(ctx, z, centers, settings.Radius)
	if err != nil {
		return nil, nil, err
	}
	total := cumulative[n-1]
	counts := make([]int, n)
	for range size {
		counts[pick(cumulative, rng.Float64()*total)]++
	}
	before := 0.0
	for i, c := range counts {
		p := (cumulative[i] - before) / total
		before = cumulative[i]
		if c > 0 {
			rows = append(rows, i)
			weights = append(weights, float64(c)/(p*float64(size)))
		}
	}
	return rows, weights, nil
}

// sensitivities returns the running sums of the bounds.
func sensitivities(ctx context.Context, z, centers *mat.Dense, radius float64) ([]float64, error) {
	n, d := z.Dims()
	k, _ := centers.Dims()
	label := make([]int, n)
	count := make([]float64, k)
	sum := mat.NewDense(k, d, nil)
	for i := range n {
		label[i] = nearest(centers, z.RawRowView(i))
		count[label[i]]++
		vec.Add(sum.RawRowView(label[i]), sum.RawRowView(label[i]), z.RawRowView(i))
	}
	out := make([]float64, n)
	mean := make([]float64, d)
	var s float64
	for i := range n {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		x := z.RawRowView(i)
		near := 0.0
		for c := range k {
			size := count[c]
			copy(mean, sum.RawRowView(c))
			if c == label[i] {
				size--
				vec.Sub(mean, mean, x)
			}
			if size == 0 {
				continue
			}
			vec.Scale(mean, 1/size, mean)
			near += size * vec.Exp1(-radius*math.Sqrt(vec.SquaredDistance(mean, x)))
		}
		s += float64(n) / (1 + near)
		out[i] = s
	}
	return out, nil
}

// kMeans returns k centres of a subsample: k-means++ and ten of Lloyd's steps.
func kMeans(z *mat.Dense, k, subsample int, rng *rand.Rand) *mat.Dense {
	n, d := z.Dims()
	rows := rng.Perm(n)[:min(n, subsample)]
	centers := mat.NewDense(k, d, nil)
	centers.SetRow(0, z.RawRowView(rows[0]))
	cumulative := make([]float64, len(rows))
	for c := 1; c < k; c++ {
		var s float64
		for r, i := range rows {
			x, best := z.RawRowView(i), math.Inf(1)
			for b := range c {
				best = math.Min(best, vec.SquaredDistance(centers.RawRowView(b), x))
			}
			s += best
			cumulative[r] = s
		}
		centers.SetRow(c, z.RawRowView(rows[pick(cumulative, rng.Float64()*s)]))
	}
	sum, count := mat.NewDense(k, d, nil), make([]float64, k)
	for range 10 {
		sum.Zero()
		clear(count)
		for _, i := range rows {
			c := nearest(centers, z.RawRowView(i))
			count[c]++
			vec.Add(sum.RawRowView(c), sum.RawRowView(c), z.RawRowView(i))
		}
		for c, v := range count {
			if v > 0 {
				vec.Scale(centers.RawRowView(c), 1/v, sum.RawRowView(c))
			}
		}
	}
	return centers
}

func nearest(centers *mat.Dense, x []float64) int {
	k, _ := centers.Dims()
	best, at := math.Inf(1), 0
	for c := range k {
		if v := vec.SquaredDistance(centers.RawRowView(c), x); v < best {
			best, at = v, c
		}
	}
	return at
}

// pick returns the first index whose cumulative value exceeds u, the last one
// if none does.
func pick(cumulative []float64, u float64) int {
	return sort.Search(len(cumulative)-1, func(i int) bool { return cumulative[i] > u })
}
