package rkhs

import "gaucho/stdlib/vec"

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

func (g Gaussian) column(dst []float64, p *Points, lo int, y []float64) {
	p.squaredDistances(dst, lo, y)
	c := g.factor()
	for i, v := range dst {
		dst[i] = c * v
	}
	vec.Exp(dst, dst)
}

func (g Gaussian) validate() error { return positive("bandwidth", g.Bandwidth) }

func squaredDistance(x, y []float64) float64 {
	var s float64
	for j, v := range x {
		d := v - y[j]
		s += d * d
	}
	return s
}
