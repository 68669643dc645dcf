package em

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/em"
	"gaucho/stdlib/vec"
)

// symmetricSample draws the setting of Yang 2018, section 2.4: a mean in a random direction with |mean| = eta, sigma = 1,
// zeta = 0.2 (rho = 0.6), and a path of n steps.
func symmetricSample(n, d int, eta float64, rng *rand.Rand) (star em.Symmetric, x *mat.Dense, err error) {
	star = em.Symmetric{Mean: em.InBall(make([]float64, d), 1, rng), Zeta: 0.2, Sigma: 1}
	vec.Scale(star.Mean, eta/math.Sqrt(vec.Dot(star.Mean, star.Mean)), star.Mean)
	x, _, err = star.Sample(n, rng)
	return star, x, err
}

// nearStarts are starts uniform in the ball about the truth of a quarter of its size.
func nearStarts(star em.Symmetric, count int, rng *rand.Rand) []em.Symmetric {
	return em.StartsInBall(star.Mean, math.Sqrt(vec.Dot(star.Mean, star.Mean))/4, star.Sigma, count, rng)
}

// fitLong runs Baum-Welch until steps are of the size of rounding.
func fitLong(ctx context.Context, start em.Symmetric, x *mat.Dense, iterations int) (*em.SymmetricFit, error) {
	s := em.DefaultSymmetricSettings()
	s.Iterations, s.Tolerance = iterations, 1e-14
	return em.FitSymmetric(ctx, start, x, s)
}

// padded returns the first n numbers of a path, its last repeated if there are fewer.
func padded(path []float64, n int) []float64 {
	out := append([]float64(nil), path[:min(n, len(path))]...)
	for len(out) < n {
		out = append(out, path[len(path)-1])
	}
	return out
}
