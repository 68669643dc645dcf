package rkhs

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/linalg"
)

// measureEmbedding is the embedding of a weighted sample.
type measureEmbedding struct {
	kernel Kernel
	m      Measure

	norm2 lazy
}

func embedMeasure(k Kernel, m Measure) (Embedding, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return &measureEmbedding{kernel: k, m: m}, nil
}

func (e *measureEmbedding) Kernel() Kernel { return e.kernel }
func (e *measureEmbedding) Dim() int       { return e.m.Dim() }

func (e *measureEmbedding) EvalTo(ctx context.Context, dst []float64, X *mat.Dense) error {
	if err := checkEval(dst, X, e.Dim()); err != nil {
		return err
	}
	if err := WeightedSum(ctx, dst, e.kernel, X, e.m); err != nil {
		return err
	}
	if X == e.m.X { // the atoms themselves, as in herding a sample: the norm comes for free
		_, err := e.norm2.get(func() (float64, error) { return e.inner(dst), nil })
		return err
	}
	return nil
}

// inner returns the weighted sum of values at the atoms.
func (e *measureEmbedding) inner(z []float64) float64 {
	var s float64
	for i, v := range z {
		s += e.m.weight(i) * v
	}
	return s
}

func (e *measureEmbedding) Norm2(ctx context.Context) (float64, error) {
	return e.norm2.get(func() (float64, error) {
		z := make([]float64, e.m.Len())
		if err := WeightedSum(ctx, z, e.kernel, e.m.X, e.m); err != nil {
			return 0, err
		}
		return e.inner(z), nil
	})
}

// Gradient writes sum_i w_i dk(x, x_i)/dx to dst. It panics if the kernel is
// not differentiable.
func (e *measureEmbedding) Gradient(dst, x []float64) {
	k := e.kernel.(DifferentiableKernel)
	g := make([]float64, len(dst))
	clear(dst)
	for i := range e.m.Len() {
		k.Gradient(g, x, e.m.X.RawRowView(i))
		floats.AddScaled(dst, e.m.weight(i), g)
	}
}

// WeightedSum writes sum_j w_j k(x_i, y_j) for each row x_i of X (n x d) to dst,
// where y_j and w_j are the atoms and weights of m. No n x m matrix is kept.
// Cost O(n m d) over all cores.
func WeightedSum(ctx context.Context, dst []float64, k Kernel, X *mat.Dense, m Measure) error {
	if k == nil || X == nil || m.X == nil {
		return fmt.Errorf("rkhs: kernel, points or measure are nil")
	}
	n, d := X.Dims()
	if d != m.Dim() {
		return fmt.Errorf("rkhs: points have dimension %d, must be %d", d, m.Dim())
	}
	if len(dst) != n {
		return fmt.Errorf("rkhs: destination has length %d, must be %d", len(dst), n)
	}
	w := m.W
	if w == nil {
		w = Uniform(m.X).W
	}
	if r, ok := radialOf(k); ok {
		_, err := r.MulVec(ctx, dst, X, linalg.NewPoints(m.X), w)
		return err
	}
	points := NewPoints(k, X)
	parallel.Blocks(n, blockLen, func(_, lo, hi int) {
		clear(dst[lo:hi])
		for j := 0; j < len(w) && ctx.Err() == nil; j += 256 {
			end := min(j+256, len(w))
			points.AccumulateAll(dst[lo:hi], lo, m.X.Slice(j, end, 0, d).(*mat.Dense), w[j:end])
		}
	})
	return ctx.Err()
}

// radialOf returns the kernel as package linalg knows it.
func radialOf(k Kernel) (linalg.Radial, bool) {
	switch k := k.(type) {
	case Gaussian:
		return linalg.Radial{Profile: linalg.Gaussian, Scale: k.Bandwidth}, true
	case Laplace:
		return linalg.Radial{Profile: linalg.Laplace, Scale: k.Bandwidth}, true
	case RationalQuadratic:
		return linalg.Radial{Profile: linalg.RationalQuadratic, Scale: k.Bandwidth, Shape: k.Alpha}, true
	case Matern:
		switch k.Nu {
		case 0.5:
			return linalg.Radial{Profile: linalg.Exponential, Scale: k.Bandwidth}, true
		case 1.5:
			return linalg.Radial{Profile: linalg.Matern32, Scale: k.Bandwidth}, true
		case 2.5:
			return linalg.Radial{Profile: linalg.Matern52, Scale: k.Bandwidth}, true
		}
	}
	return linalg.Radial{}, false
}
