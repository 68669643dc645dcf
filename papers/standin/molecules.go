package standin

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/dataset"
)

// Molecules generates n molecules to train on and tests more to test on, of up to most atoms, and represents each of the
// former by copies and each of the latter by views random Coulomb matrices, with the given noise in the order of atoms.
// Energies are standardised by the mean and the standard deviation of those to train on.
func Molecules(n, tests, most, copies, views int, noise float64, rng *rand.Rand) (train, test *dataset.Regression, err error) {
	molecules, err := dataset.Molecules(n+tests, most, rng)
	if err != nil {
		return nil, nil, err
	}
	mean, sd := 0.0, 0.0
	for i := range n {
		mean += molecules[i].Energy / float64(n)
	}
	for i := range n {
		sd += (molecules[i].Energy - mean) * (molecules[i].Energy - mean) / float64(n)
	}
	sd = math.Sqrt(sd)
	if train, err = coulomb(molecules[:n], most, copies, noise, mean, sd, rng); err != nil {
		return nil, nil, err
	}
	test, err = coulomb(molecules[n:], most, views, noise, mean, sd, rng)
	return train, test, err
}

// coulomb represents each molecule by so many random Coulomb matrices, one after the other.
func coulomb(molecules []dataset.Molecule, most, copies int, noise, mean, sd float64, rng *rand.Rand) (*dataset.Regression, error) {
	var x, y []float64
	for i := range molecules {
		for range copies {
			f, err := dataset.CoulombFeatures(&molecules[i], most, noise, 10, rng)
			if err != nil {
				return nil, err
			}
			x, y = append(x, f...), append(y, (molecules[i].Energy-mean)/sd)
		}
	}
	return &dataset.Regression{Name: "molecules", X: mat.NewDense(len(y), len(x)/len(y), x), Y: y}, nil
}
