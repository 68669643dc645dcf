package rkhs

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/vec"
)

// RandomFeatures approximates a shift-invariant kernel by the inner product of D
// features sqrt(2/D) cos(w_i . x + b_i), with frequencies w_i from the kernel's
// spectral distribution and phases b_i uniform on [0, 2 pi] (Rahimi & Recht,
// Random features for large-scale kernel machines, NIPS 2007). The inner product
// is an unbiased estimate of the kernel, with standard deviation at most
// sqrt(2/D) or so.
type RandomFeatures struct {
	frequencies *mat.Dense // D x d
	phases      []float64
}

// NewRandomFeatures draws count features in dimension d for k, which must be
// [Gaussian] (frequencies normal), [Laplace] (Cauchy) or [Matern] (multivariate t
// with 2 nu degrees of freedom).
func NewRandomFeatures(k Kernel, d, count int, rng *rand.Rand) (*RandomFeatures, error) {
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
	f := &RandomFeatures{frequencies: mat.NewDense(count, d, nil), phases: make([]float64, count)}
	for i := range count {
		draw(f.frequencies.RawRowView(i))
		f.phases[i] = 2 * math.Pi * rng.Float64()
	}
	return f, nil
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
func (f *RandomFeatures) Dim() int { return f.frequencies.RawMatrix().Cols }

// Len returns the number of features.
func (f *RandomFeatures) Len() int { return len(f.phases) }

// Map returns the features of the rows of X (n x d) as an n x D matrix. Cost
// O(n d D) over all cores.
func (f *RandomFeatures) Map(ctx context.Context, X *mat.Dense) (*mat.Dense, error) {
	if err := finite("points", X); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	if d != f.Dim() {
		return nil, fmt.Errorf("rkhs: points have dimension %d, must be %d", d, f.Dim())
	}
	out := mat.NewDense(n, f.Len(), nil)
	scale := math.Sqrt(2 / float64(f.Len()))
	angles := NewPoints(Linear{}, f.frequencies)
	parallel.Blocks(n, 16, func(_, lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		for i := lo; i < hi; i++ {
			row := out.RawRowView(i)
			angles.Column(row, 0, X.RawRowView(i))
			vec.Add(row, row, f.phases)
			vec.Cos(row, row)
			vec.Scale(row, scale, row)
		}
	})
	return out, ctx.Err()
}
