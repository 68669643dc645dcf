package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// adultGroups are the numbers of values of the fourteen attributes of the Adult data.
var adultGroups = []int{5, 8, 5, 16, 5, 7, 14, 6, 5, 2, 2, 2, 5, 41}

// AdultLike generates n points with labels -1 and 1, a stand-in for the Adult data as Dai
// 2018, section 3.6.3, uses it (32,561 x 123): fourteen attributes as 123 indicators. The
// label is 1 with the logistic of a score w'x + sum v x_i x_j over twenty random pairs, w
// and v standard normal, scaled and shifted so that 24 per cent are 1 and the best rule
// errs in 14 per cent. Truth holds the probabilities of the label 1.
func AdultLike(n int, rng *rand.Rand) (*Regression, error) {
	if err := checkSize(n); err != nil {
		return nil, err
	}
	const d, pairs = 123, 20
	shares := make([][]float64, len(adultGroups))
	for g, size := range adultGroups {
		shares[g] = make([]float64, size)
		var sum float64
		for k := range size {
			sum += vec.Exp1(1.5 * rng.NormFloat64())
			shares[g][k] = sum
		}
	}
	w := make([]float64, d)
	for j := range w {
		w[j] = rng.NormFloat64()
	}
	var ends [pairs][2]int
	v := make([]float64, pairs)
	for p := range ends {
		ends[p], v[p] = [2]int{rng.IntN(d), rng.IntN(d)}, rng.NormFloat64()
	}
	out := &Regression{Name: "adult-like", X: mat.NewDense(n, d, nil), Y: make([]float64, n), Truth: make([]float64, n)}
	for i := range n {
		row, at := out.X.RawRowView(i), 0
		for g, size := range adultGroups {
			row[at+draw(shares[g], rng)] = 1
			at += size
		}
		out.Truth[i] = vec.Dot(w, row)
		for p, e := range ends {
			out.Truth[i] += v[p] * row[e[0]] * row[e[1]]
		}
	}
	calibrate(out.Truth, 0.24, 0.14)
	for i, p := range out.Truth {
		out.Y[i] = -1
		if rng.Float64() < p {
			out.Y[i] = 1
		}
	}
	return out, nil
}

// calibrate turns scores into probabilities with the given mean, and mean of the smaller
// of p and 1-p.
func calibrate(score []float64, positive, bayes float64) {
	n := float64(len(score))
	probability := make([]float64, len(score))
	fill := func(scale float64) (err float64) {
		lo, hi := -200.0, 200.0
		for range 60 {
			shift, mean := (lo+hi)/2, 0.0
			for i, s := range score {
				probability[i] = vec.Logistic1(scale*s + shift)
				mean += probability[i] / n
			}
			if mean < positive {
				lo = shift
			} else {
				hi = shift
			}
		}
		for _, p := range probability {
			err += min(p, 1-p) / n
		}
		return err
	}
	lo, hi := 0.0, 50.0
	for range 40 {
		if scale := (lo + hi) / 2; fill(scale) > bayes {
			lo = scale
		} else {
			hi = scale
		}
	}
	copy(score, probability)
}

// VoronoiCells generates n points uniform on [0, 1]^d with the label of the nearest of a
// number of random sites, -1 or 1 at random: a problem whose Gram matrices have no low
// rank, a stand-in for the forest cover data in section 3.6.3 of Dai 2018 with d = 8 and
// 500 sites. There is no noise.
func VoronoiCells(n, d, sites int, rng *rand.Rand) (*Regression, error) {
	if err := checkSize(n); err != nil {
		return nil, err
	}
	if d < 1 || sites < 2 {
		return nil, fmt.Errorf("dataset: dimension is %d and number of sites %d, must be at least 1 and 2", d, sites)
	}
	centre, label := uniformPoints(sites, d, rng), make([]float64, sites)
	for s := range label {
		label[s] = float64(2*rng.IntN(2) - 1)
	}
	out := &Regression{Name: "voronoi", X: uniformPoints(n, d, rng), Y: make([]float64, n)}
	for i := range n {
		best := math.Inf(1)
		for s := range sites {
			if d2 := vec.SquaredDistance(out.X.RawRowView(i), centre.RawRowView(s)); d2 < best {
				best, out.Y[i] = d2, label[s]
			}
		}
	}
	return out, nil
}

func uniformPoints(n, d int, rng *rand.Rand) *mat.Dense {
	X := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			X.Set(i, j, rng.Float64())
		}
	}
	return X
}
