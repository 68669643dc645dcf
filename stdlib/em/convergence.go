package em

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"
)

// A Convergence says how the means of a path approach the limit and the truth.
type Convergence struct {
	Optimisation []float64 // distance of each mean to the limit
	Statistical  []float64 // distance to the truth; nil if it is not known
	// Rate is the factor by which the optimisation error falls in an iteration,
	// between the first times below 1e-2 and 1e-8 of it; NaN if it does not come
	// that far, or at once.
	Rate float64
	// Floor is the last statistical error, Reached the first iteration from which
	// on log10 of the error is within 0.02 of it.
	Floor   float64
	Reached int
}

// Convergence measures the path against a limit (nil for the last of the path,
// which should have run to machine precision) and a true mean (nil if it is not
// known). Errors: lengths that differ.
func (f *SymmetricFit) Convergence(limit, truth []float64) (*Convergence, error) {
	if limit == nil {
		limit = f.Model().Mean
	}
	d := len(f.Model().Mean)
	if len(limit) != d || truth != nil && len(truth) != d {
		return nil, fmt.Errorf("em: limit has %d numbers and truth %d, must have %d", len(limit), len(truth), d)
	}
	c := &Convergence{}
	for _, m := range f.Path {
		c.Optimisation = append(c.Optimisation, math.Sqrt(vec.SquaredDistance(m.Mean, limit)))
		if truth != nil {
			c.Statistical = append(c.Statistical, math.Sqrt(vec.SquaredDistance(m.Mean, truth)))
		}
	}
	c.Rate = rate(c.Optimisation, 1e-2, 1e-8)
	if truth != nil {
		last := len(c.Statistical) - 1
		c.Floor, c.Reached = c.Statistical[last], last
		for c.Reached > 0 && math.Abs(vec.Log1(c.Statistical[c.Reached-1]/c.Floor)) <= 0.02*math.Ln10 {
			c.Reached--
		}
	}
	return c, nil
}

// rate returns (e[u]/e[t])^(1/(u-t)) for the first times t and u below high and low.
func rate(e []float64, high, low float64) float64 {
	t, u := -1, -1
	for i, v := range e {
		if t < 0 && v < high {
			t = i
		}
		if u < 0 && v < low {
			u = i
		}
	}
	if t < 0 || u <= t || e[u] == 0 {
		return math.NaN()
	}
	return vec.Pow1(e[u]/e[t], 1/float64(u-t))
}

// Expected returns the two parts of the Q function of the symmetric model, per
// observation, for the posterior that SmoothSymmetric returned at other parameters:
// of the observations, which depends on the mean, and of the chain, which depends
// on zeta (eqs. 2.10 and 2.11). Q plus the posterior's entropy bounds the
// log-likelihood from below.
func (m *Symmetric) Expected(x *mat.Dense, sign, same []float64) (observations, chain float64, err error) {
	if err := m.check(x); err != nil {
		return 0, 0, err
	}
	n, d := x.Dims()
	if len(sign) != n || len(same) != n {
		return 0, 0, fmt.Errorf("em: %d signs and %d agreements for %d observations", len(sign), len(same), n)
	}
	v := m.Sigma * m.Sigma
	for i := range n {
		row := x.RawRowView(i)
		observations -= (vec.Dot(row, row) + vec.Dot(m.Mean, m.Mean) - 2*sign[i]*vec.Dot(m.Mean, row)) / (2 * v)
		if i > 0 {
			chain += same[i]*vec.Log1(m.Zeta) + (1-same[i])*vec.Log1(1-m.Zeta)
		}
	}
	k := float64(n)
	return observations/k - float64(d)/2*vec.Log1(2*math.Pi*v), (chain - math.Ln2) / k, nil
}

// SpectralStart returns the start sqrt(l - sigma^2) v from the largest eigenvalue l
// of X'X/n and its vector v (0 where l is below sigma^2), with zeta = 1/2. O(n d^2).
func SpectralStart(ctx context.Context, x *mat.Dense, sigma float64) (*Symmetric, error) {
	if x == nil || x.IsEmpty() {
		return nil, fmt.Errorf("em: sequence is empty")
	}
	n, d := x.Dims()
	shape := &Symmetric{Mean: make([]float64, d), Zeta: 0.5, Sigma: sigma}
	if err := shape.check(x); err != nil {
		return nil, err
	}
	values, vectors, err := linalg.SymEigen(ctx, linalg.SymRankKTrans(nil, 1/float64(n), x, 0))
	if err != nil {
		return nil, err
	}
	mat.Col(shape.Mean, d-1, vectors)
	vec.Scale(shape.Mean, math.Sqrt(max(values[d-1]-sigma*sigma, 0)), shape.Mean)
	return shape, nil
}

// BestSymmetric runs FitSymmetric from several starts and returns the fit with the
// largest last likelihood, the first of equals.
func BestSymmetric(ctx context.Context, starts []Symmetric, x *mat.Dense, settings *SymmetricSettings) (*SymmetricFit, error) {
	return best(ctx, len(starts), func(i int) (*SymmetricFit, float64, error) {
		fit, err := FitSymmetric(ctx, starts[i], x, settings)
		if err != nil {
			return nil, 0, err
		}
		return fit, fit.LogLikelihood[len(fit.LogLikelihood)-1], nil
	})
}

// StartsInBall returns starts with means uniform in the ball about a mean and zeta
// = 1/2, as those of figures 2.3 and 2.4.
func StartsInBall(mean []float64, radius, sigma float64, count int, rng *rand.Rand) []Symmetric {
	out := make([]Symmetric, count)
	for i := range out {
		out[i] = Symmetric{Mean: InBall(mean, radius, rng), Zeta: 0.5, Sigma: sigma}
	}
	return out
}
