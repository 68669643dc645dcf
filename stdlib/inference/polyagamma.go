package inference

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// Gibbs samples the posterior by Gibbs sampling with Polya-Gamma variables (Polson, Scott and Windle 2013), from a draw of the
// prior: given omega_i ~ PG(1, w'x_i) the weights w are normal with precision X' diag(omega) X + I/Scale^2 and linear term
// X'y/2. It returns samples of equal weight, samples x d, in their order, after burnIn sweeps. A sweep costs n d^2 + d^3.
func (l *LogisticRegression) Gibbs(ctx context.Context, burnIn, samples int, rng *rand.Rand) (rkhs.Measure, error) {
	if rng == nil {
		return rkhs.Measure{}, fmt.Errorf("inference: rng is nil, must be a source of random numbers")
	}
	if err := l.Validate(); err != nil {
		return rkhs.Measure{}, err
	}
	n, d := l.X.Dims()
	linear := make([]float64, d)
	for i, y := range l.Y {
		vec.Axpy(linear, 0.5*y, l.X.RawRowView(i))
	}
	margins, weighted, precision := make([]float64, n), mat.NewDense(n, d, nil), mat.NewSymDense(d, nil)
	return gibbs(ctx, l, burnIn, samples, rng, func(w []float64) error {
		linalg.MulVec(margins, l.X, w)
		key := rng.Uint64()
		parallel.Blocks(n, 256, func(b, lo, hi int) {
			local := rand.New(rand.NewPCG(key, uint64(b)))
			for i := lo; i < hi; i++ {
				vec.Scale(weighted.RawRowView(i), math.Sqrt(polyaGamma(margins[i], local)), l.X.RawRowView(i))
			}
		})
		linalg.SymRankKTrans(precision, 1, weighted, 0)
		for k := range d {
			precision.SetSym(k, k, precision.At(k, k)+1/(l.Scale*l.Scale))
		}
		factor, err := linalg.NewCholesky(precision)
		if err != nil {
			return err
		}
		drawNormal(w, linear, factor, rng)
		return nil
	})
}

// drawNormal sets dst to a draw from the normal distribution with a precision U'U and precision times mean linear:
// (U'U)^-1 (linear + U'z), z normal.
func drawNormal(dst, linear []float64, precision *linalg.Cholesky, rng *rand.Rand) {
	u := precision.U()
	copy(dst, linear)
	for i := range dst {
		z := rng.NormFloat64()
		for j := i; j < len(dst); j++ {
			dst[j] += u.At(i, j) * z
		}
	}
	precision.SolveVecTo(dst, dst)
}

// polyaGamma draws from PG(1, z) by Devroye's alternating series (Polson, Scott and Windle 2013, algorithm 1): the proposal is
// an inverse Gaussian law up to 0.64 and an exponential one beyond, and the density is squeezed between partial sums.
func polyaGamma(z float64, rng *rand.Rand) float64 {
	const cut = 0.64
	z = 0.5 * math.Abs(z)
	rate := math.Pi*math.Pi/8 + 0.5*z*z
	beyond := 0.0 // the probability of the exponential part, 0 to rounding for large z
	if z < 50 {
		phi := func(x float64) float64 { return 0.5 * vec.Erfc1(-x/math.Sqrt2) }
		root := math.Sqrt(cut)
		p := math.Pi / (2 * rate) * vec.Exp1(-rate*cut)
		q := 2 * (vec.Exp1(-z)*phi((cut*z-1)/root) + vec.Exp1(z)*phi(-(cut*z+1)/root))
		beyond = p / (p + q)
	}
	for {
		var x float64
		if rng.Float64() < beyond {
			x = cut + rng.ExpFloat64()/rate
		} else {
			x = inverseGaussianBelow(z, cut, rng)
		}
		if acceptSeries(x, cut, rng) {
			return 0.25 * x
		}
	}
}

// acceptSeries accepts x with the probability sum_n (-1)^n a_n(x) / a_0(x).
func acceptSeries(x, cut float64, rng *rand.Rand) bool {
	term := func(n float64) float64 {
		n += 0.5
		if x > cut {
			return math.Pi * n * vec.Exp1(-0.5*n*n*math.Pi*math.Pi*x)
		}
		c := 2 / (math.Pi * x)
		return math.Pi * n * c * math.Sqrt(c) * vec.Exp1(-2*n*n/x)
	}
	sum := term(0)
	y := rng.Float64() * sum
	for n := 1.0; ; n += 2 {
		if sum -= term(n); y <= sum {
			return true
		}
		if sum += term(n + 1); y > sum {
			return false
		}
	}
}

// inverseGaussianBelow draws from the inverse Gaussian law with mean 1/z and shape 1, given that it is at most cut.
func inverseGaussianBelow(z, cut float64, rng *rand.Rand) float64 {
	if z*cut < 1 {
		for {
			e := rng.ExpFloat64()
			for e*e > 2*rng.ExpFloat64()/cut {
				e = rng.ExpFloat64()
			}
			x := cut / ((1 + cut*e) * (1 + cut*e))
			if rng.Float64() < vec.Exp1(-0.5*z*z*x) {
				return x
			}
		}
	}
	for {
		// The root that does not cancel is the larger one; the other is 1/z^2 over it.
		y := rng.NormFloat64()
		y *= y
		large := (1 + 0.5*(y/z+math.Sqrt(4*y/z+y*y/(z*z)))) / z
		x := 1 / (z * z * large)
		if rng.Float64() > 1/(1+z*x) {
			x = large
		}
		if x <= cut {
			return x
		}
	}
}
