package em

import (
	"fmt"

	"gaucho/stdlib/vec"
)

// Covariances are conditional covariances of the symmetric model's states z given
// the observations, l >= 1 steps apart.
type Covariances struct {
	States float64 // cov(z_i, z_(i+l))
	Mixed  float64 // cov(z_i, z_(i+l) z_(i+l+1)), 0 where i+l is the last step
	Pairs  float64 // cov(z_i z_(i+1), z_(i+l) z_(i+l+1)), 0 there too
}

// ConditionalCovariances returns covariances given gamma_i = <mean, x_i>/sigma^2,
// from the posterior's transitions (Yang 2018, eq. 2.40 and lemma 6): States and
// Mixed are at most rho^l in size, rho = |2 zeta - 1|, Pairs at most rho^(l-1).
// States is also the derivative of E[z_i | x] by gamma_(i+l). O(n). Errors: zeta
// outside (0, 1), i or l out of range.
func ConditionalCovariances(gamma []float64, zeta float64, i, l int) (Covariances, error) {
	n := len(gamma)
	if !(zeta > 0 && zeta < 1) {
		return Covariances{}, fmt.Errorf("em: zeta is %v, must be between 0 and 1", zeta)
	}
	if i < 0 || l < 1 || i+l >= n {
		return Covariances{}, fmt.Errorf("em: steps are %d and %d, must be in order and below %d", i, i+l, n)
	}
	up, down := transitions(gamma, zeta)
	sign, same, _ := SmoothSymmetric(gamma, zeta)
	p := (1 + sign[i]) / 2
	a, c := 1.0, 0.0 // P(z_j = 1 | z_i = 1), P(z_j = 1 | z_i = -1)
	var a1, c1 float64
	for j := i + 1; j <= i+l; j++ {
		a, c = a*up[j]+(1-a)*down[j], c*up[j]+(1-c)*down[j]
		if j == i+1 {
			a1, c1 = 1, 0
		} else {
			a1, c1 = a1*up[j]+(1-a1)*down[j], c1*up[j]+(1-c1)*down[j]
		}
	}
	out := Covariances{States: 4 * p * (1 - p) * (a - c)}
	if i+l+1 >= n {
		return out, nil
	}
	// The expected far pair given z_(i+l) = +-1, then given z_i, then given z_(i+1).
	high, low := 2*up[i+l+1]-1, 1-2*down[i+l+1]
	given := func(a float64) float64 { return a*high + (1-a)*low }
	out.Mixed = 2 * p * (1 - p) * (given(a) - given(c))
	mean := 2*same[i+1] - 1
	for _, z := range []struct{ weight, product, far float64 }{
		{p * up[i+1], 1, given(a1)},
		{p * (1 - up[i+1]), -1, given(c1)},
		{(1 - p) * down[i+1], -1, given(a1)},
		{(1 - p) * (1 - down[i+1]), 1, given(c1)},
	} {
		out.Pairs += z.weight * (z.product - mean) * z.far
	}
	return out, nil
}

// transitions returns P(z_j = 1 | z_(j-1) = 1, x) and the same from -1, for j >= 1.
func transitions(gamma []float64, zeta float64) (up, down []float64) {
	n := len(gamma)
	up, down = make([]float64, n), make([]float64, n)
	odds, r := vec.Log1(zeta)-vec.Log1(1-zeta), 0.0
	for j := n - 1; j > 0; j-- {
		c := r + 2*gamma[j] // log-odds of what is seen from j on
		up[j], down[j] = vec.Logistic1(odds+c), vec.Logistic1(-odds+c)
		r = step(c, zeta)
	}
	return up, down
}

// SignVariance returns var(z | gamma) = 1/cosh(gamma)^2 for a single observation,
// PairVariance a quarter of var(z_0 z_1 | gamma_0, gamma_1) (proof of lemma 5).
func SignVariance(gamma float64) float64 {
	t := vec.Tanh1(gamma)
	return 1 - t*t
}

// PairVariance returns a quarter of var(z_0 z_1 | gamma_0, gamma_1), for a pair
// with no other observations.
func PairVariance(gamma0, gamma1, zeta float64) float64 {
	odds := vec.Log1(zeta) - vec.Log1(1-zeta)
	p := vec.Logistic1(odds + logCosh(gamma0+gamma1) - logCosh(gamma0-gamma1))
	return p * (1 - p)
}
