package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// Classification is a data set for binary classification: the rows of X (n x D)
// with labels Y of 0 or 1. The last column of X is constantly 1.
type Classification struct {
	Name string
	X    *mat.Dense
	Y    []float64
}

// Len returns the number of points.
func (c *Classification) Len() int { return len(c.Y) }

// Rows returns the given rows as a data set of their own.
func (c *Classification) Rows(index []int) *Classification {
	_, d := c.X.Dims()
	out := &Classification{Name: c.Name, X: mat.NewDense(max(len(index), 1), d, nil), Y: make([]float64, len(index))}
	for r, i := range index {
		out.X.SetRow(r, c.X.RawRowView(i))
		out.Y[r] = c.Y[i]
	}
	return out
}

// Split returns a random part of the given share of the points, rounded down to
// a whole number of them, and the rest.
func (c *Classification) Split(share float64, rng *rand.Rand) (part, rest *Classification, err error) {
	k := int(share * float64(c.Len()))
	if !(share > 0 && share < 1) || k < 1 || k == c.Len() {
		return nil, nil, fmt.Errorf("dataset: share is %v of %d points, must leave points on both sides", share, c.Len())
	}
	order := rng.Perm(c.Len())
	return c.Rows(order[:k]), c.Rows(order[k:]), nil
}

// label draws the labels of a logistic model without its intercept, which is
// added, and appends the constant column.
func label(name string, X *mat.Dense, theta []float64, intercept float64, rng *rand.Rand) *Classification {
	n, d := X.Dims()
	out := &Classification{Name: name, X: mat.NewDense(n, d+1, nil), Y: make([]float64, n)}
	for i := range n {
		row := out.X.RawRowView(i)
		copy(row, X.RawRowView(i))
		row[d] = 1
		if rng.Float64() < vec.Logistic1(vec.Dot(theta, row[:d])+intercept) {
			out.Y[i] = 1
		}
	}
	return out
}

func checkSize(n int) error {
	if n < 10 {
		return fmt.Errorf("dataset: number of points is %d, must be at least 10", n)
	}
	return nil
}

// ChemLike generates n points in 100 dimensions with a rare class, a stand-in
// for the ChemReact data of Khanna et al. 2021, section 6.2 (26,733 x 100):
// X = U L' + 0.7 E with 12 factors, each entry set to 0 with probability 0.3.
func ChemLike(n int, rng *rand.Rand) (*Classification, error) {
	if err := checkSize(n); err != nil {
		return nil, err
	}
	const d, factors = 100, 12
	L := mat.NewDense(d, factors, nil)
	for j := range d {
		for f := range factors {
			L.Set(j, f, rng.NormFloat64()/math.Sqrt(factors))
		}
	}
	theta := make([]float64, d)
	for j := range theta {
		v := 0.8 * rng.NormFloat64()
		if rng.Float64() < 0.3 {
			theta[j] = v
		}
	}
	X := mat.NewDense(n, d, nil)
	u := make([]float64, factors)
	for i := range n {
		for f := range u {
			u[f] = rng.NormFloat64()
		}
		for j := range d {
			v := vec.Dot(u, L.RawRowView(j)) + 0.7*rng.NormFloat64()
			if rng.Float64() >= 0.3 {
				X.Set(i, j, v)
			}
		}
	}
	return label("chem-like", X, theta, -3, rng), nil
}

// CovLike generates n points in 54 dimensions, a stand-in for the forest cover
// data (581,012 x 54): ten numeric columns, some skewed, a wilderness area of
// four and a soil type of forty, both as indicators.
func CovLike(n int, rng *rand.Rand) (*Classification, error) {
	if err := checkSize(n); err != nil {
		return nil, err
	}
	const numeric, areas, soils = 10, 4, 40
	mix := mat.NewDense(numeric, numeric, nil)
	for i := range numeric {
		for j := range numeric {
			mix.Set(i, j, 0.3*rng.NormFloat64())
		}
		mix.Set(i, i, mix.At(i, i)+1)
	}
	area := []float64{.45, .50, .93, 1}
	soil := make([]float64, soils)
	var s float64
	for k := range soils {
		s += vec.Pow1(float64(k+1), -1.1)
		soil[k] = s
	}
	var soilOf [areas][]int
	for a := range soilOf {
		soilOf[a] = rng.Perm(soils)
	}
	theta := make([]float64, numeric+areas+soils)
	for j := range theta {
		scale := 0.8
		switch {
		case j < numeric:
			scale = 0.6
		case j < numeric+areas:
			scale = 1
		}
		theta[j] = scale * rng.NormFloat64()
	}
	X := mat.NewDense(n, len(theta), nil)
	z := make([]float64, numeric)
	for i := range n {
		for l := range z {
			z[l] = rng.NormFloat64()
		}
		row := X.RawRowView(i)
		for j := range numeric {
			for l, v := range z {
				row[j] += v * mix.At(l, j)
			}
			if j >= 3 && j <= 5 {
				row[j] = vec.Exp1(0.5*row[j]) - 1
			}
		}
		a := draw(area, rng)
		row[numeric+a] = 1
		row[numeric+areas+soilOf[a][draw(soil, rng)]] = 1
	}
	for j := range numeric {
		column := mat.Col(nil, j, X)
		var mean, square float64
		for _, v := range column {
			mean += v / float64(n)
		}
		for _, v := range column {
			square += (v - mean) * (v - mean) / float64(n)
		}
		for i, v := range column {
			X.Set(i, j, v/math.Sqrt(square))
		}
	}
	return label("cov-like", X, theta, 0, rng), nil
}

// WebLike generates n points in 127 dimensions with nonnegative features in six
// clusters, a stand-in for the WebSpam data (350,000 x 127).
func WebLike(n int, rng *rand.Rand) (*Classification, error) {
	if err := checkSize(n); err != nil {
		return nil, err
	}
	const d, clusters = 127, 6
	offset, theta := make([]float64, d), make([]float64, d)
	for j := range d {
		offset[j] = -1 + 1.5*rng.Float64()
		theta[j] = 0.5 * rng.NormFloat64()
	}
	M := mat.NewDense(clusters, d, nil)
	for c := range clusters {
		for j := range d {
			M.Set(c, j, math.Max(0, 0.5*rng.NormFloat64()))
		}
	}
	X := mat.NewDense(n, d, nil)
	var mean float64
	for i := range n {
		row := X.RawRowView(i)
		c := rng.IntN(clusters)
		for j := range row {
			row[j] = math.Max(0, rng.NormFloat64()+offset[j]) + M.At(c, j)
		}
		norm := math.Sqrt(vec.Dot(row, row))
		vec.Scale(row, math.Sqrt(d)/(2*norm), row)
		mean += vec.Dot(row, theta) / float64(n)
	}
	return label("web-like", X, theta, 0.4-mean, rng), nil
}

// draw returns an index with probability proportional to the steps of the
// cumulative weights.
func draw(cumulative []float64, rng *rand.Rand) int {
	u := rng.Float64() * cumulative[len(cumulative)-1]
	for i, c := range cumulative {
		if u < c {
			return i
		}
	}
	return len(cumulative) - 1
}
