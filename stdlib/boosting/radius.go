package boosting

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gaucho/internal/scale"
)

// A Radius is a critical radius with the quantities that the theory derives it from.
type Radius struct {
	Delta float64 // delta_n
	// Dimension is d_n, the least j with mu_j <= delta_n^2, n if there is none.
	Dimension int
	// Tail is sum_(j > d_n) mu_j over d_n delta_n^2: bounded over n for regular
	// kernels.
	Tail float64
}

// Squared returns delta_n^2.
func (r Radius) Squared() float64 { return r.Delta * r.Delta }

// Complexity returns R(delta) = sqrt(sum_j min(delta^2, mu_j)/n) for the
// eigenvalues mu_j of K over n (eq. 3.20; n >= len(values), the others 0). The
// local Gaussian complexity of the unit ball is at most sqrt(2) times that.
func Complexity(values []float64, n int, delta float64) float64 {
	sum := 0.0
	for _, mu := range values {
		sum += min(delta*delta, max(mu, 0))
	}
	return math.Sqrt(sum / float64(n))
}

// CriticalRadius returns the least delta with R(delta) <= delta^2/sigma, for the
// eigenvalues of K over n in descending order (those left out are 0) and noise of
// scale sigma. O(r). Errors: no eigenvalues, more than n, ones that are not in
// order or negative, sigma that is not positive.
func CriticalRadius(values []float64, n int, sigma float64) (Radius, error) {
	sum := 0.0
	for _, mu := range values {
		sum += mu
	}
	r, _, err := criticalRadius(values, sum, n, sigma)
	if err == nil && sum == 0 {
		return Radius{}, fmt.Errorf("boosting: the eigenvalues are all 0")
	}
	return r, err
}

// criticalRadius needs the trace and the largest eigenvalues only: for delta^2
// between mu_k and mu_(k+1), n R^2 = k delta^2 + trace - sum_(j <= k) mu_j, so that
// R = delta^2/sigma is a quadratic equation for delta^2. known is false if the root
// lies below all eigenvalues given.
func criticalRadius(values []float64, trace float64, n int, sigma float64) (r Radius, known bool, err error) {
	if len(values) == 0 || len(values) > n {
		return r, false, fmt.Errorf("boosting: %d eigenvalues, must be from 1 to n = %d", len(values), n)
	}
	if !(sigma > 0) || math.IsInf(sigma, 1) {
		return r, false, fmt.Errorf("boosting: sigma is %v, must be positive", sigma)
	}
	for j, mu := range values {
		if !(mu >= 0) || math.IsInf(mu, 1) || j > 0 && mu > values[j-1] {
			return r, false, fmt.Errorf("boosting: eigenvalue %d is %v, must be at least 0 and in descending order", j+1, mu)
		}
	}
	// b = sigma^2/n: delta^4 = b (k delta^2 + rest)
	b, rest := sigma*sigma/float64(n), trace
	unit := scale.For(max(b, trace)) // of all but n
	b, rest = b/unit, rest/unit
	for k := 0; k <= len(values); k++ {
		if k > 0 {
			rest = max(rest-values[k-1]/unit, 0)
		}
		square := (b*float64(k) + math.Sqrt(b*b*float64(k*k)+4*b*rest)) / 2
		below := 0.0 // mu_(k+1), not known after the last
		if k < len(values) {
			below = values[k] / unit
		} else if rest > 1e-12*(trace/unit) && len(values) < n {
			return r, false, nil
		}
		if square >= below && square > 0 {
			return regular(values, trace, n, square*unit), true, nil
		}
	}
	return r, false, nil
}

func regular(values []float64, trace float64, n int, square float64) Radius {
	r := Radius{Delta: math.Sqrt(square), Dimension: n}
	head := 0.0
	for j, mu := range values {
		head += mu
		if mu <= square {
			r.Dimension = j + 1
			break
		}
	}
	if r.Dimension == n && len(values) < n {
		r.Dimension = len(values) + 1 // the first of those that are 0
	}
	r.Tail = max(trace-head, 0) / (float64(r.Dimension) * square)
	return r
}

// CriticalRadius returns the design's critical radius from its largest
// eigenvalues alone, as many as lie above delta_n^2: a few products with K for each,
// where the decomposition would cost n^3. A design of r columns is decomposed.
func (d *Design) CriticalRadius(ctx context.Context, sigma float64) (Radius, error) {
	d.once.Lock()
	spectrum := d.spectrum
	d.once.Unlock()
	_, columns := d.matrix.(*lowRank)
	for k := 8; ; k *= 2 {
		if spectrum == nil && (columns || 4*k >= d.n) {
			var err error
			if spectrum, err = d.Spectrum(ctx); err != nil {
				return Radius{}, err
			}
		}
		if spectrum != nil {
			return CriticalRadius(spectrum.Values, d.n, sigma)
		}
		values, err := d.top(ctx, k)
		if err != nil {
			return Radius{}, err
		}
		r, known, err := criticalRadius(values, d.Trace(), d.n, sigma)
		if err != nil {
			return Radius{}, err
		}
		if known {
			return r, nil
		}
	}
}

// Noise is the law of the random signs of a complexity.
type Noise string

const (
	// GaussianNoise is standard normal, RademacherNoise -1 or 1.
	GaussianNoise   Noise = "gaussian"
	RademacherNoise Noise = "rademacher"
)

// LocalComplexity estimates the local complexity
//
//	E sup { (1/n) sum_i w_i g(x_i) : ||g|| <= 1, ||g||_n <= delta }
//
// (eqs. 3.12 and 3.13) from a number of draws of w, and its standard error. The
// supremum of each is found from its dual, a minimum over one number. O(n r) for
// each draw. Errors: delta that is not positive, fewer than 2 draws, a noise that
// is not known, a cancelled context.
func (s *Spectrum) LocalComplexity(ctx context.Context, delta float64, draws int, noise Noise, rng *rand.Rand) (mean, stderr float64, err error) {
	switch {
	case !(delta > 0):
		return 0, 0, fmt.Errorf("boosting: delta is %v, must be positive", delta)
	case draws < 2:
		return 0, 0, fmt.Errorf("boosting: draws is %d, must be at least 2", draws)
	case noise != GaussianNoise && noise != RademacherNoise:
		return 0, 0, fmt.Errorf("boosting: noise is %q, must be gaussian or rademacher", noise)
	case rng == nil:
		return 0, 0, fmt.Errorf("boosting: rng is nil, must be a source of random numbers")
	}
	w := make([]float64, s.N)
	var sum, squares float64
	for range draws {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		for i := range w {
			if noise == GaussianNoise {
				w[i] = rng.NormFloat64()
			} else {
				w[i] = float64(2*rng.IntN(2) - 1)
			}
		}
		v := s.supremum(s.Coordinates(w), delta)
		sum += v
		squares += v * v
	}
	k := float64(draws)
	mean = sum / k
	return mean, math.Sqrt(max(squares/k-mean*mean, 0) / (k - 1)), nil
}

// supremum is min over l in [0, 1] of sqrt(sum_j theta_j^2/(l/mu_j + (1-l)/delta^2))
// for coordinates theta of w: convex in l, by golden section.
func (s *Spectrum) supremum(theta []float64, delta float64) float64 {
	value := func(l float64) float64 {
		sum := 0.0
		for j, mu := range s.Values {
			sum += theta[j] * theta[j] / (l/mu + (1-l)/(delta*delta))
		}
		return sum
	}
	const ratio = 0.6180339887498949
	lo, hi := 0.0, 1.0
	a, b := hi-ratio*(hi-lo), lo+ratio*(hi-lo)
	fa, fb := value(a), value(b)
	for range 60 {
		if fa < fb {
			hi, b, fb = b, a, fa
			a = hi - ratio*(hi-lo)
			fa = value(a)
		} else {
			lo, a, fa = a, b, fb
			b = lo + ratio*(hi-lo)
			fb = value(b)
		}
	}
	return math.Sqrt(min(fa, fb, value(0), value(1)))
}

// LeastFavourable returns a function in the unit ball that is hard to distinguish from
// others: theta_j = +-delta_n/sqrt(d_n - 1) for j < d_n, 0 after, random signs
// (from the packing of section 3.5). ||f||_n = delta_n. The error is a dimension
// below 2.
func (s *Spectrum) LeastFavourable(r Radius, rng *rand.Rand) ([]float64, error) {
	if rng == nil {
		return nil, fmt.Errorf("boosting: rng is nil, must be a source of random numbers")
	}
	if r.Dimension < 2 {
		return nil, fmt.Errorf("boosting: dimension is %d, must be at least 2", r.Dimension)
	}
	theta := make([]float64, len(s.Values))
	for j := range min(r.Dimension-1, len(theta)) {
		theta[j] = r.Delta / math.Sqrt(float64(r.Dimension-1)) * float64(2*rng.IntN(2)-1)
	}
	return s.Combine(theta), nil
}
