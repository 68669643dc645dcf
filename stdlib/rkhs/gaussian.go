package rkhs

import (
	"math"

	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/vec"
)

// Gaussian is the kernel exp(-|x-y|^2 / (2 b^2)) with the bandwidth b, a length
// in the units of the data. Papers that give sigma^2 mean b = sqrt(sigma^2).
// It is characteristic on R^d: the MMD under it is 0 only between equal
// distributions.
type Gaussian struct {
	Bandwidth float64
}

var _ DifferentiableKernel = Gaussian{}

// Eval returns exp(-|x-y|^2 / (2 b^2)).
func (g Gaussian) Eval(x, y []float64) float64 {
	return vec.Exp1(squaredDistance(x, y) * g.factor())
}

// Gradient writes the gradient in x, -(x-y)/b^2 k(x, y), to dst.
func (g Gaussian) Gradient(dst, x, y []float64) {
	c := g.Eval(x, y) / (g.Bandwidth * g.Bandwidth)
	for j := range dst {
		dst[j] = c * (y[j] - x[j])
	}
}

func (g Gaussian) factor() float64 { return -0.5 / (g.Bandwidth * g.Bandwidth) }

func (g Gaussian) profile() profile { return profile{asm.Gaussian, g.factor(), true} }

func (g Gaussian) column(dst []float64, p *Points, lo int, y []float64) {
	radialColumn(g.profile(), dst, p, lo, y)
}

// radialColumn is the column of a radial kernel that is part of another kernel.
func radialColumn(r profile, dst []float64, p *Points, lo int, y []float64) {
	p.distances(dst, lo, y, r.squared)
	r.f(dst, r.c, dst, false)
}

func (g Gaussian) validate() error { return validBandwidth(g.Bandwidth) }

// squaredDistance returns |x-y|^2 with the rounding of a column's distances, so
// that Eval and Gram matrices agree to the last bit.
func squaredDistance(x, y []float64) float64 {
	var s float64
	for j, v := range x {
		d := v - y[j]
		s = math.FMA(d, d, s)
	}
	return s
}
