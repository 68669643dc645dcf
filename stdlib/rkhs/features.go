package rkhs

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
)

// RandomFeatures approximates a shift-invariant kernel by the inner product of D
// features sqrt(2/D) cos(w_i . x + b_i), with frequencies w_i from the kernel's
// spectral distribution and phases b_i uniform on [0, 2 pi] (Rahimi & Recht,
// Random features for large-scale kernel machines, NIPS 2007). The inner product
// is an unbiased estimate of the kernel, with standard deviation at most
// sqrt(2/D) or so.
type RandomFeatures struct {
	features *linalg.Features
}

// NewRandomFeatures draws count features in dimension d for k, which must be
// [Gaussian] (frequencies normal), [Laplace] (Cauchy) or [Matern] (multivariate t
// with 2 nu degrees of freedom).
func NewRandomFeatures(k Kernel, d, count int, rng *rand.Rand) (*RandomFeatures, error) {
	if rng == nil {
		return nil, fmt.Errorf("rkhs: rng is nil, must be a source of random numbers")
	}
	if err := Validate(k); err != nil {
		return nil, err
	}
	if d < 1 {
		return nil, fmt.Errorf("rkhs: dimension is %d, must be at least 1", d)
	}
	if count < 1 {
		return nil, fmt.Errorf("rkhs: number of features is %d, must be at least 1", count)
	}
	draw, err := spectrum(k, rng)
	if err != nil {
		return nil, err
	}
	frequencies, phases, w := mat.NewDense(d, count, nil), make([]float64, count), make([]float64, d)
	for i := range count {
		draw(w)
		frequencies.SetCol(i, w)
		phases[i] = 2 * math.Pi * rng.Float64()
	}
	features, err := linalg.NewFeatures(frequencies, phases, 0)
	if err != nil {
		return nil, err
	}
	return &RandomFeatures{features: features}, nil
}

// spectrum returns a sampler of the kernel's spectral distribution.
func spectrum(k Kernel, rng *rand.Rand) (func(w []float64), error) {
	normal := func(w []float64, scale float64) {
		for j := range w {
			w[j] = scale * rng.NormFloat64()
		}
	}
	switch k := k.(type) {
	case Gaussian:
		return func(w []float64) { normal(w, 1/k.Bandwidth) }, nil
	case Laplace:
		return func(w []float64) {
			for j := range w { // a ratio of normals is Cauchy
				w[j] = rng.NormFloat64() / (math.Abs(rng.NormFloat64()) * k.Bandwidth)
			}
		}, nil
	case Matern:
		return func(w []float64) {
			var chi2 float64 // 2 nu is a whole number
			for range int(2*k.Nu + 0.5) {
				z := rng.NormFloat64()
				chi2 += z * z
			}
			normal(w, math.Sqrt(2*k.Nu/chi2)/k.Bandwidth)
		}, nil
	}
	return nil, fmt.Errorf("rkhs: no spectral distribution for the kernel %T, must be Gaussian, Laplace or Matern", k)
}

// Dim returns the dimension of the points.
func (f *RandomFeatures) Dim() int {
	d, _ := f.features.Dims()
	return d
}

// Len returns the number of features.
func (f *RandomFeatures) Len() int {
	_, count := f.features.Dims()
	return count
}

// Map returns the features of the rows of X (n x d) as an n x D matrix. Cost
// O(n d D) over all cores.
func (f *RandomFeatures) Map(ctx context.Context, X *mat.Dense) (*mat.Dense, error) {
	if err := f.check(X); err != nil {
		return nil, err
	}
	return f.features.Map(ctx, nil, X)
}

// MapTo is Map into a given n x D matrix: for few points fresh memory can cost as much
// as the features.
func (f *RandomFeatures) MapTo(ctx context.Context, dst, X *mat.Dense) error {
	if err := f.check(X); err != nil {
		return err
	}
	n, _ := X.Dims()
	if r, c := dst.Dims(); r != n || c != f.Len() {
		return fmt.Errorf("rkhs: dst is %d x %d, must be %d x %d", r, c, n, f.Len())
	}
	_, err := f.features.Map(ctx, dst, X)
	return err
}

func (f *RandomFeatures) check(X *mat.Dense) error {
	if err := finite("points", X); err != nil {
		return err
	}
	if _, d := X.Dims(); d != f.Dim() {
		return fmt.Errorf("rkhs: points have dimension %d, must be %d", d, f.Dim())
	}
	return nil
}
