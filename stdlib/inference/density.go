package inference

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"gaucho/internal/scale"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// A Density can be evaluated: those of this package and *rkhs.Mixture, which the variational methods return.
type Density interface {
	// LogDensity sets dst[i] to the log density at row i of X.
	LogDensity(ctx context.Context, dst []float64, X *mat.Dense) error
}

var (
	_ Density = (*KDE)(nil)
	_ Density = (*rkhs.Mixture)(nil)
)

// KDE is a kernel density estimate sum_i W[i] N(x; X[i,:], Bandwidth^2 I): weighted particles, X m x d, with weights that sum
// to one (nil: 1/m each), seen as a density. As a Measure it is the particles alone.
type KDE struct {
	rkhs.Measure
	Bandwidth float64
}

// NewKDE returns the estimate after a check of the sample: finite points, weights that are not negative and sum to one within
// 1e-8, a positive bandwidth.
func NewKDE(sample rkhs.Measure, bandwidth float64) (*KDE, error) {
	if err := sample.Validate(); err != nil {
		return nil, err
	}
	for i, w := range sample.W {
		if w < 0 {
			return nil, fmt.Errorf("inference: weight %d is %v, must not be negative", i, w)
		}
	}
	if s := sample.TotalWeight(); math.Abs(s-1) > 1e-8 {
		return nil, fmt.Errorf("inference: weights sum to %v, must sum to 1", s)
	}
	if err := checkPositive("bandwidth", bandwidth); err != nil {
		return nil, err
	}
	return &KDE{sample, bandwidth}, nil
}

// KernelBandwidth returns factor m^(-1/(d+4)), the rate of bandwidths for a Gaussian kernel (theorem 17 of Dai 2018 with
// smoothness 2), m particles in dimension d.
func KernelBandwidth(factor float64, m, d int) float64 {
	return factor * vec.Pow1(float64(m), -1/float64(d+4))
}

// leastDensity is what densities are floored at before their logarithm: far from all particles the sum of kernels is 0 in
// float64.
const leastDensity = 1e-300

// LogDensity sets dst[i] to the log density at row i of X, n x d, and at least log(1e-300) less the log of the kernel's
// normaliser. The Gram matrix is never stored; cost n m (2d + one exponential).
func (k *KDE) LogDensity(ctx context.Context, dst []float64, X *mat.Dense) error {
	n, d := X.Dims()
	if len(dst) != n || d != k.Dim() {
		return fmt.Errorf("inference: %d values for %d points of dimension %d, must be of dimension %d", len(dst), n, d, k.Dim())
	}
	radial, points := linalg.Radial{Profile: linalg.Gaussian, Scale: k.Bandwidth}, linalg.NewPoints(k.X)
	var err error
	if k.W == nil {
		_, err = radial.RowMeans(ctx, dst, X, points)
	} else {
		_, err = radial.MulVec(ctx, dst, X, points, k.W)
	}
	if err != nil {
		return err
	}
	constant := -float64(d) * (vec.Log1(k.Bandwidth) + 0.5*vec.Log1(2*math.Pi))
	for i, v := range dst {
		dst[i] = max(v, leastDensity)
	}
	vec.Log(dst, dst)
	vec.Offset(dst, constant, dst)
	return nil
}

// Marginal returns the density of coordinate k at x, for a line of a density plot. Cost an exponential for each particle and
// point.
func (k *KDE) Marginal(ctx context.Context, coordinate int, x []float64) ([]float64, error) {
	if coordinate < 0 || coordinate >= k.Dim() {
		return nil, fmt.Errorf("inference: coordinate is %d, must be from 0 to %d", coordinate, k.Dim()-1)
	}
	if len(x) == 0 {
		return nil, nil
	}
	along := KDE{rkhs.Measure{X: mat.NewDense(k.Len(), 1, mat.Col(nil, coordinate, k.X)), W: k.W}, k.Bandwidth}
	density := make([]float64, len(x))
	if err := along.LogDensity(ctx, density, mat.NewDense(len(x), 1, slices.Clone(x))); err != nil {
		return nil, err
	}
	vec.Exp(density, density)
	return density, nil
}

// Draw returns n points from the density, n x d: particles by systematic resampling, in their order, and the kernel's noise. The
// points are not independent of each other; each has the density. Cost O(m + n d).
func (k *KDE) Draw(n int, rng *rand.Rand) *mat.Dense {
	d := k.Dim()
	noise := make([]float64, n*d)
	vec.FillNormal(noise, rng.Uint64(), 0)
	X := mat.NewDense(n, d, noise)
	for i, a := range systematic(k.W, k.Len(), n, rng) {
		row := X.RawRowView(i)
		for j, c := range k.X.RawRowView(a) {
			row[j] = c + k.Bandwidth*row[j]
		}
	}
	return X
}

// systematic returns n ancestors out of m with the given weights, increasing; nil weights are equal.
func systematic(w []float64, m, n int, rng *rand.Rand) []int {
	out := make([]int, n)
	u, at := rng.Float64(), 0
	weight := func(i int) float64 {
		if w == nil {
			return 1 / float64(m)
		}
		return w[i]
	}
	last := m - 1 // rounding must not give a particle of weight 0
	for last > 0 && weight(last) == 0 {
		last--
	}
	sum := weight(0)
	for i := range out {
		for at < last && sum <= (float64(i)+u)/float64(n) {
			at++
			sum += weight(at)
		}
		out[i] = at
	}
	return out
}

// EffectiveSize returns 1/sum w_i^2 for weights normalised to sum to one: the number of equally weighted particles with the
// same variance of the mean. Weights must not be negative, nor all 0; otherwise NaN.
func EffectiveSize(w []float64) float64 {
	var s, q float64
	unit := scale.Of(w)
	for _, v := range w {
		if v < 0 {
			return math.NaN()
		}
		v /= unit
		s += v
		q += v * v
	}
	return s * s / q
}
