package rkhs

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// trigEmbedding is the embedding of a distribution on the line under a
// Trigonometric kernel, from its characteristic function: with c_j = E cos 2 pi j X
// and s_j = E sin 2 pi j X,
//
//	mu(x) = (1 + 2 sum_j (c_j cos 2 pi j x + s_j sin 2 pi j x)) / (2J+1).
type trigEmbedding struct {
	kernel   Trigonometric
	cos, sin []float64 // c_j and s_j at j-1
}

// embedTrigonometric takes the characteristic function at 2 pi j: f returns its
// real and its imaginary part at a.
func embedTrigonometric(k Trigonometric, f func(a float64) (re, im float64)) Embedding {
	e := trigEmbedding{kernel: k}
	for j := range k.Terms {
		c, s := f(2 * math.Pi * float64(j+1))
		e.cos, e.sin = append(e.cos, c), append(e.sin, s)
	}
	return e
}

// mixtureCharacteristic is that of a mixture of Gaussians on the line,
// sum_j w_j exp(i a m_j - a^2 v_j/2).
func mixtureCharacteristic(p *Mixture) func(a float64) (re, im float64) {
	return func(a float64) (re, im float64) {
		for j := range p.Len() {
			mean, cov := p.Component(j)
			r := p.Weight(j) * vec.Exp1(-a*a*cov.At(0, 0)/2)
			s, c := vec.SinCos1(a * mean[0])
			re += r * c
			im += r * s
		}
		return re, im
	}
}

// intervalCharacteristic is that of the uniform distribution from l to u,
// e^(i a m) sin(a h)/(a h) with the middle m and h = (u-l)/2.
func intervalCharacteristic(l, u float64) func(a float64) (re, im float64) {
	return func(a float64) (re, im float64) {
		r := 1.0
		if b := a * (u - l) / 2; b != 0 {
			r = vec.Sin1(b) / b
		}
		s, c := vec.SinCos1(a * (l + u) / 2)
		return r * c, r * s
	}
}

func (e trigEmbedding) Kernel() Kernel { return e.kernel }
func (e trigEmbedding) Dim() int       { return 1 }

func (e trigEmbedding) EvalTo(_ context.Context, dst []float64, X *mat.Dense) error {
	if err := checkEval(dst, X, 1); err != nil {
		return err
	}
	for i := range dst {
		dst[i] = e.series(X.At(i, 0), func(j int, c, s float64) float64 { return e.cos[j]*c + e.sin[j]*s }, 1)
	}
	return nil
}

// Gradient implements [DifferentiableEmbedding].
func (e trigEmbedding) Gradient(dst, x []float64) {
	dst[0] = e.series(x[0], func(j int, c, s float64) float64 {
		return 2 * math.Pi * float64(j+1) * (e.sin[j]*c - e.cos[j]*s)
	}, 0)
}

// series is (first + 2 sum_j term(j, cos, sin))/(2J+1) at x, angles by the period.
func (e trigEmbedding) series(x float64, term func(j int, c, s float64) float64, first float64) float64 {
	x -= math.Round(x)
	for j := range e.cos {
		s, c := vec.SinCos1(2 * math.Pi * float64(j+1) * x)
		first += 2 * term(j, c, s)
	}
	return first / float64(2*e.kernel.Terms+1)
}

func (e trigEmbedding) Norm2(context.Context) (float64, error) {
	s := 1.0
	for j, c := range e.cos {
		s += 2 * (c*c + e.sin[j]*e.sin[j])
	}
	return s / float64(2*e.kernel.Terms+1), nil
}
