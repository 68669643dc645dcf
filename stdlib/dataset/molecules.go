package dataset

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// A Molecule has atoms with nuclear charges, at places in space, and an energy.
type Molecule struct {
	Charge []float64
	Place  *mat.Dense // atoms x 3
	Energy float64
}

// Molecules generates n molecules of 3 to most atoms, a stand-in for the QM7 data (Dai
// 2018, section 3.6.5): charges 1, 6, 7 and 8 with probabilities .5, .3, .1 and .1, places
// uniform in a ball of radius 1.2 a^(1/3) for a atoms, at least 0.9 apart, and the energy
//
//	sum_i e(Z_i) + sum_{i<j} D_ij ((1 - exp(-1.5 (r_ij-1.2)))^2 - 1)
//
// with e = -0.5, -38, -54, -75 and D_ij = 0.1 Z_i^.3 Z_j^.3.
func Molecules(n, most int, rng *rand.Rand) ([]Molecule, error) {
	if n < 1 || most < 3 {
		return nil, fmt.Errorf("dataset: %d molecules of 3 to %d atoms, must be positive and at least 3", n, most)
	}
	out := make([]Molecule, n)
	for i := range out {
		out[i] = molecule(3+rng.IntN(most-2), rng)
	}
	return out, nil
}

func molecule(atoms int, rng *rand.Rand) Molecule {
	kinds, shares := []float64{1, 6, 7, 8}, []float64{.5, .8, .9, 1}
	own := []float64{-0.5, -38, -54, -75}
	m := Molecule{make([]float64, atoms), mat.NewDense(atoms, 3, nil), 0}
	radius := 1.2 * math.Cbrt(float64(atoms))
	for a := 0; a < atoms; {
		p := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		vec.Scale(p, radius*math.Cbrt(rng.Float64())/math.Sqrt(vec.Dot(p, p)), p)
		m.Place.SetRow(a, p)
		close := false
		for b := range a {
			close = close || m.distance(a, b) < 0.9
		}
		if close {
			continue
		}
		k := draw(shares, rng)
		m.Charge[a] = kinds[k]
		m.Energy += own[k]
		for b := range a {
			depth := 0.1 * vec.Pow1(m.Charge[a]*m.Charge[b], 0.3)
			miss := 1 - vec.Exp1(-1.5*(m.distance(a, b)-1.2))
			m.Energy += depth * (miss*miss - 1)
		}
		a++
	}
	return m
}

func (m *Molecule) distance(a, b int) float64 {
	return math.Sqrt(vec.SquaredDistance(m.Place.RawRowView(a), m.Place.RawRowView(b)))
}

// CoulombMatrix returns a random representation of a molecule, most x most (Montavon et al. 2012): 0.5 Z_i^2.4 on the diagonal
// and Z_i Z_j / r_ij elsewhere, zeros for missing atoms, and the atoms in the order of falling row norms with normal noise of
// the given standard deviation on them: with much of it all orders are alike.
func CoulombMatrix(m *Molecule, most int, noise float64, rng *rand.Rand) (*mat.Dense, error) {
	if m == nil || rng == nil && noise > 0 {
		return nil, fmt.Errorf("dataset: molecule or rng is nil, must be a molecule and, for noise, a source of random numbers")
	}
	atoms := len(m.Charge)
	if most < atoms || !(noise >= 0) || math.IsInf(noise, 1) {
		return nil, fmt.Errorf("dataset: %d atoms of at most %d and noise %v, must fit and be finite and not negative", atoms, most, noise)
	}
	c := mat.NewDense(most, most, nil)
	order := make([]int, most)
	norm := make([]float64, most)
	for a := range order {
		order[a] = a
		if a >= atoms {
			norm[a] = math.Inf(-1)
			continue
		}
		for b := range atoms {
			v := 0.5 * vec.Pow1(m.Charge[a], 2.4)
			if a != b {
				v = m.Charge[a] * m.Charge[b] / m.distance(a, b)
			}
			c.Set(a, b, v)
		}
		norm[a] = math.Sqrt(vec.Dot(c.RawRowView(a), c.RawRowView(a))) + noise*rng.NormFloat64()
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(norm[b], norm[a]) })
	sorted := mat.NewDense(most, most, nil)
	for i, a := range order {
		for j, b := range order {
			sorted.Set(i, j, c.At(a, b))
		}
	}
	return sorted, nil
}

// CoulombFeatures returns a random representation of a molecule as numbers of order one: each entry c of the upper half of its
// [CoulombMatrix], with the given noise, as the seven numbers tanh((c - k theta)/theta), k = -3, ..., 3.
func CoulombFeatures(m *Molecule, most int, noise, theta float64, rng *rand.Rand) ([]float64, error) {
	if !(theta > 0) || math.IsInf(theta, 1) {
		return nil, fmt.Errorf("dataset: theta is %v, must be positive", theta)
	}
	c, err := CoulombMatrix(m, most, noise, rng)
	if err != nil {
		return nil, err
	}
	out := make([]float64, 0, most*(most+1)/2*7)
	for i := range most {
		for _, v := range c.RawRowView(i)[i:] {
			for k := -3; k <= 3; k++ {
				out = append(out, vec.Tanh1((v-float64(k)*theta)/theta))
			}
		}
	}
	return out, nil
}
