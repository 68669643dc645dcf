package rkhs

import (
	"fmt"
	"math"

	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/vec"
)

// Laplace is the kernel exp(-|x-y|_1 / b), with the sum of absolute differences
// in the exponent: a product of one-dimensional kernels, whose random features
// are Cauchy. With the Euclidean distance it is [Matern] of smoothness 1/2.
type Laplace struct {
	Bandwidth float64
}

// Eval returns exp(-|x-y|_1 / b).
func (l Laplace) Eval(x, y []float64) float64 {
	var s float64
	for j, v := range x {
		s += math.Abs(v - y[j])
	}
	return vec.Exp1(-s / l.Bandwidth)
}

func (l Laplace) profile() profile { return profile{asm.Gaussian, -1 / l.Bandwidth, false} }

func (l Laplace) column(dst []float64, p *Points, lo int, y []float64) {
	radialColumn(l.profile(), dst, p, lo, y)
}

func (l Laplace) validate() error { return validBandwidth(l.Bandwidth) }

// Matern is the Matern kernel of half-integer smoothness nu = p + 1/2 at the
// Euclidean distance r: with s = sqrt(2 nu) r / b,
//
//	k = exp(-s) p!/(2p)! sum_i (p+i)!/(i!(p-i)!) (2s)^(p-i)
//
// nu = 1/2 is exp(-r/b), nu = 3/2 is (1+s) exp(-s), nu = 5/2 is
// (1+s+s^2/3) exp(-s). Its functions are about nu times differentiable.
type Matern struct {
	Nu, Bandwidth float64
}

var _ DifferentiableKernel = Matern{Nu: 1.5, Bandwidth: 1}

// Eval returns the kernel.
func (m Matern) Eval(x, y []float64) float64 {
	s := math.Sqrt(2*m.Nu*squaredDistance(x, y)) / m.Bandwidth
	return vec.Exp1(-s) * m.polynomial(s)
}

// polynomial evaluates the factor of exp(-s) by Horner's rule: with
// c_l = p!/(2p)! (2p-l)!/((p-l)! l!) 2^l the factor is sum_l c_l s^l.
func (m Matern) polynomial(s float64) float64 {
	p := int(m.Nu)
	c := m.leading(p)
	v := c
	for l := p; l > 0; l-- {
		// c_(l-1) from c_l
		c *= float64(2*p-l+1) * float64(l) / (2 * float64(p-l+1))
		v = v*s + c
	}
	return v
}

// leading returns c_p = 2^p p!/(2p)!.
func (m Matern) leading(p int) float64 {
	c := 1.0
	for i := 1; i <= p; i++ {
		c *= 2 * float64(i) / (float64(2*i-1) * float64(2*i))
	}
	return c
}

// Gradient writes the gradient in x to dst. At x = y it is 0 for nu > 1; for
// nu = 1/2, where the kernel has a kink, 0 is written too.
func (m Matern) Gradient(dst, x, y []float64) {
	// d/dx k_nu = -(2 nu / ((2 nu - 2) b^2)) (x-y) k_(nu-1) at bandwidth
	// b sqrt((nu-1)/nu) for nu > 1; the same s goes into both.
	r2 := squaredDistance(x, y)
	s := math.Sqrt(2*m.Nu*r2) / m.Bandwidth
	var c float64
	switch {
	case m.Nu > 1:
		lower := Matern{Nu: m.Nu - 1}
		c = m.Nu / ((m.Nu - 1) * m.Bandwidth * m.Bandwidth) * vec.Exp1(-s) * lower.polynomial(s)
	case r2 > 0:
		c = vec.Exp1(-s) / (m.Bandwidth * math.Sqrt(r2))
	}
	for j := range dst {
		dst[j] = c * (y[j] - x[j])
	}
}

// profile is the machine's own form of the three usual members.
func (m Matern) profile() profile {
	switch m.Nu {
	case 0.5:
		return profile{asm.Exponential, -1 / m.Bandwidth, true}
	case 1.5:
		return profile{asm.Matern32, -math.Sqrt(3) / m.Bandwidth, true}
	case 2.5:
		return profile{asm.Matern52, -math.Sqrt(5) / m.Bandwidth, true}
	}
	return profile{m.general, 0, true}
}

// general is the profile for any half-integer smoothness.
func (m Matern) general(dst []float64, _ float64, src []float64, _ bool) {
	scratch := getScratch()
	defer putScratch(scratch)
	for len(src) > 0 {
		n := min(len(src), blockLen)
		e := scratch[:n]
		for i, r2 := range src[:n] {
			s := math.Sqrt(2*m.Nu*r2) / m.Bandwidth
			dst[i] = s
			e[i] = -s
		}
		asm.Exp(e, e)
		for i, s := range dst[:n] {
			dst[i] = e[i] * m.polynomial(s)
		}
		dst, src = dst[n:], src[n:]
	}
}

func (m Matern) column(dst []float64, p *Points, lo int, y []float64) {
	radialColumn(m.profile(), dst, p, lo, y)
}

func (m Matern) validate() error {
	if p := m.Nu - 0.5; p < 0 || p > 20 || p != math.Trunc(p) {
		return fmt.Errorf("rkhs: smoothness is %v, must be one of 0.5, 1.5, ..., 20.5", m.Nu)
	}
	return validBandwidth(m.Bandwidth)
}

// RationalQuadratic is the kernel (1 + |x-y|^2 / (2 a b^2))^-a, a scale mixture
// of Gaussian kernels; a to infinity gives the Gaussian one.
type RationalQuadratic struct {
	Alpha, Bandwidth float64
}

var _ DifferentiableKernel = RationalQuadratic{}

// Eval returns (1 + |x-y|^2 / (2 a b^2))^-a.
func (r RationalQuadratic) Eval(x, y []float64) float64 {
	return vec.Exp1(-r.Alpha * vec.Log1p1(squaredDistance(x, y)*r.factor()))
}

// Gradient writes the gradient in x to dst.
func (r RationalQuadratic) Gradient(dst, x, y []float64) {
	q := squaredDistance(x, y) * r.factor()
	c := vec.Exp1(-(r.Alpha+1)*vec.Log1p1(q)) / (r.Bandwidth * r.Bandwidth)
	for j := range dst {
		dst[j] = c * (y[j] - x[j])
	}
}

func (r RationalQuadratic) factor() float64 {
	return 1 / (2 * r.Alpha * r.Bandwidth * r.Bandwidth)
}

func (r RationalQuadratic) profile() profile {
	return profile{func(dst []float64, c float64, src []float64, _ bool) {
		asm.Scale(dst, c, src)
		asm.Log1p(dst, dst)
		asm.Scale(dst, -r.Alpha, dst)
		asm.Exp(dst, dst)
	}, r.factor(), true}
}

func (r RationalQuadratic) column(dst []float64, p *Points, lo int, y []float64) {
	radialColumn(r.profile(), dst, p, lo, y)
}

func (r RationalQuadratic) validate() error {
	if err := positive("alpha", r.Alpha); err != nil {
		return err
	}
	return validBandwidth(r.Bandwidth)
}
