package rkhs

import (
	"context"
	"math"
	"sync"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/vec"
)

// decay is the function p(s) e^-s of s = rate r, p a polynomial with the given
// coefficients: a Matern or Laplace kernel of the distance r on the line.
type decay struct {
	rate float64
	c    []float64
}

// decayOf returns a kernel as a function of the distance on the line: the whole
// kernel in one dimension, and for Laplace a factor of it in more.
func decayOf(k Kernel, d int) (decay, bool) {
	switch k := k.(type) {
	case Laplace:
		return decay{1 / k.Bandwidth, []float64{1}}, true
	case Matern:
		p := int(k.Nu)
		c := make([]float64, p+1)
		c[p] = k.leading(p)
		for l := p; l > 0; l-- { // as in polynomial
			c[l-1] = c[l] * float64(2*p-l+1) * float64(l) / (2 * float64(p-l+1))
		}
		return decay{math.Sqrt(2*k.Nu) / k.Bandwidth, c}, d == 1
	}
	return decay{}, false
}

// at returns the function at s.
func (f decay) at(s float64) float64 { return horner(f.c, s) * vec.Exp1(-s) }

// horner evaluates a polynomial.
func horner(c []float64, s float64) float64 {
	var v float64
	for l := len(c) - 1; l >= 0; l-- {
		v = v*s + c[l]
	}
	return v
}

// tail returns the integral of q(u) e^-u from s on, for a polynomial q.
func tail(q []float64, s float64) float64 {
	// q + q' + q'' + ...
	sum := append([]float64(nil), q...)
	for l := len(sum) - 2; l >= 0; l-- {
		sum[l] += float64(l+1) * sum[l+1]
	}
	return horner(sum, s) * vec.Exp1(-s)
}

// legendre returns the nodes and weights of Gauss and Legendre's rule on [0, 1],
// exact for polynomials up to degree 47.
var legendre = sync.OnceValues(func() (x, w []float64) {
	x, w = make([]float64, 24), make([]float64, 24)
	quad.Legendre{}.FixedLocations(x, w, 0, 1)
	return x, w
})

// smoothMean returns the mean on [a, b] of a function that is smooth there, where
// a difference of its integrals would lose digits.
func smoothMean(f func(float64) float64, a, b float64) float64 {
	x, w := legendre()
	var v float64
	for i, u := range x {
		v += w[i] * f(a+(b-a)*u)
	}
	return v
}

// decaySide is the embedding of the uniform distribution on a side.
type decaySide struct{ decay }

// between returns the integral over the distances from r to t.
func (f decaySide) between(r, t float64) float64 {
	if s, h := f.rate*r, f.rate*(t-r); h < 1 {
		return (t - r) * smoothMean(f.decay.at, s, s+h)
	}
	return (tail(f.c, f.rate*r) - tail(f.c, f.rate*t)) / f.rate
}

func (f decaySide) at(x, a, b float64) float64 {
	switch {
	case x <= a:
		return f.between(a-x, b-x) / (b - a)
	case x >= b:
		return f.between(x-b, x-a) / (b - a)
	}
	return (f.between(0, x-a) + f.between(0, b-x)) / (b - a)
}

// norm2 is the integral of 2 (l-r)/l^2 times the kernel over the distances r from 0
// to l = b-a.
func (f decaySide) norm2(a, b float64) float64 {
	h := f.rate * (b - a)
	if h < 4 {
		return 2 * smoothMean(func(u float64) float64 { return (1 - u) * f.decay.at(h*u) }, 0, 1)
	}
	first := append([]float64{0}, f.c...) // s p(s)
	return 2 * (h*(tail(f.c, 0)-tail(f.c, h)) - (tail(first, 0) - tail(first, h))) / (h * h)
}

// smoothed returns E f(rate |delta + deviation Z|) for a standard normal Z, and a
// polynomial of degree 2 at most.
func (f decay) smoothed(delta, deviation float64) float64 {
	if deviation == 0 {
		return f.at(f.rate * math.Abs(delta))
	}
	return f.half(delta/deviation, f.rate*deviation) + f.half(-delta/deviation, f.rate*deviation)
}

// half is the part of Z + m > 0, for the rate a: with z = m - a,
//
//	e^(-m^2/2) sum_l c_l a^l h_l(z),  h_l(z) = integral from 0 of t^l e^(zt-t^2/2) dt / sqrt(2 pi).
func (f decay) half(m, a float64) float64 {
	const rootTwoPi = 2.50662827463100050242
	z := m - a
	var h [3]float64
	var factor float64
	if z > -15 {
		// e^(-z^2/2) h_l are moments of the positive part of a normal variable.
		factor = vec.Exp1(-a * (z + a/2))
		h[0] = vec.Erfc1(-z/math.Sqrt2) / 2
		density := vec.Exp1(-z*z/2) / rootTwoPi
		h[1] = z*h[0] + density
		h[2] = h[0] + z*h[1]
	} else {
		// They lose all digits in the tail: expand e^(-t^2/2) under the integral.
		factor = vec.Exp1(-m*m/2) / rootTwoPi
		for l := range h {
			term := 1 / -z
			for i := range l {
				term *= float64(i+1) / -z
			}
			for i := 0; i < 40 && math.Abs(term) > 1e-17*h[l]; i++ {
				h[l] += term
				term *= -float64((l+2*i+1)*(l+2*i+2)) / (2 * float64(i+1) * z * z)
			}
		}
	}
	var v float64
	for l := len(f.c) - 1; l >= 0; l-- {
		v = v*a + f.c[l]*h[l]
	}
	return factor * v
}

// decayEmbedding is the embedding of a mixture with independent coordinates in
// each component.
type decayEmbedding struct {
	kernel     Kernel
	f          decay
	p          *Mixture
	means      *mat.Dense // K x d
	deviations *mat.Dense
	norm       *lazy
}

// embedDecay returns the embedding of a mixture under a Laplace kernel, or in one
// dimension a Matern kernel with smoothness up to 5/2; false where there is none.
func embedDecay(k Kernel, p *Mixture) (Embedding, bool) {
	d := p.Dim()
	f, ok := decayOf(k, d)
	if !ok || len(f.c) > 3 {
		return nil, false
	}
	e := decayEmbedding{k, f, p, mat.NewDense(p.Len(), d, nil), mat.NewDense(p.Len(), d, nil), new(lazy)}
	for j := range p.Len() {
		mean, cov := p.Component(j)
		e.means.SetRow(j, mean)
		for i := range d {
			for l := range i {
				if cov.At(i, l) != 0 {
					return nil, false
				}
			}
			e.deviations.Set(j, i, math.Sqrt(cov.At(i, i)))
		}
	}
	return e, true
}

func (e decayEmbedding) Kernel() Kernel { return e.kernel }
func (e decayEmbedding) Dim() int       { return e.p.Dim() }

func (e decayEmbedding) EvalTo(ctx context.Context, dst []float64, X *mat.Dense) error {
	if err := checkEval(dst, X, e.Dim()); err != nil {
		return err
	}
	parallel.Blocks(len(dst), 64, func(_, lo, hi int) {
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			dst[i] = 0
			for k, w := range e.p.weights {
				for j, x := range X.RawRowView(i) {
					w *= e.f.smoothed(x-e.means.At(k, j), e.deviations.At(k, j))
				}
				dst[i] += w
			}
		}
	})
	return ctx.Err()
}

// Norm2 needs the kernel at differences of the components, which are normal.
func (e decayEmbedding) Norm2(ctx context.Context) (float64, error) {
	return e.norm.get(func() (float64, error) {
		rows := make([]float64, e.p.Len())
		parallel.Blocks(len(rows), 16, func(_, lo, hi int) {
			for k := lo; k < hi && ctx.Err() == nil; k++ {
				for l, w := range e.p.weights {
					for j := range e.Dim() {
						w *= e.f.smoothed(e.means.At(k, j)-e.means.At(l, j), math.Hypot(e.deviations.At(k, j), e.deviations.At(l, j)))
					}
					rows[k] += w
				}
			}
		})
		return dot(e.p.weights, rows), ctx.Err()
	})
}
