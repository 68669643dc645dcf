package dataset

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

// RandomMixture draws a mixture of k isotropic Gaussians in dimension d: means
// uniform on [-5,5]^d, variances uniform on [0.1,4.1], weights uniform on (0,1)
// and then divided by their sum (Lacoste-Julien et al. 2015, section 4.1; the
// paper has k = 100, d = 2 in Figure 1, k = 20, d = 2 and k = 100, d = 5 in
// Figure 4).
func RandomMixture(k, d int, rng *rand.Rand) (*rkhs.Mixture, error) {
	if k < 1 {
		return nil, fmt.Errorf("dataset: number of components is %d, must be at least 1", k)
	}
	if d < 1 {
		return nil, fmt.Errorf("dataset: dimension is %d, must be at least 1", d)
	}
	means := mat.NewDense(k, d, nil)
	variances := make([]float64, k)
	weights := make([]float64, k)
	var total float64
	for j := range k {
		for i := range d {
			means.Set(j, i, -5+10*rng.Float64())
		}
		variances[j] = 0.1 + 4*rng.Float64()
		weights[j] = 1 - rng.Float64() // in (0, 1]: never all zero
		total += weights[j]
	}
	for j := range weights {
		weights[j] /= total
	}
	return rkhs.NewIsotropicMixture(weights, means, variances)
}
