package rkhs

import (
	"fmt"
	"math"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"

	"gonum.org/v1/gonum/mat"
)

// Linear is the kernel x . y.
type Linear struct{}

// Eval returns x . y.
func (Linear) Eval(x, y []float64) float64 { return dot(x, y) }

// Gradient writes y to dst.
func (Linear) Gradient(dst, x, y []float64) { copy(dst, y) }

func (Linear) column(dst []float64, p *Points, lo int, y []float64) { p.products(dst, lo, y) }

// Polynomial is the kernel (Scale x . y + Offset)^Degree.
type Polynomial struct {
	Degree        int
	Scale, Offset float64
}

// Eval returns (Scale x . y + Offset)^Degree.
func (k Polynomial) Eval(x, y []float64) float64 {
	return power(k.Scale*dot(x, y)+k.Offset, k.Degree)
}

// Gradient writes the gradient in x to dst.
func (k Polynomial) Gradient(dst, x, y []float64) {
	c := float64(k.Degree) * k.Scale * power(k.Scale*dot(x, y)+k.Offset, k.Degree-1)
	for j := range dst {
		dst[j] = c * y[j]
	}
}

func (k Polynomial) column(dst []float64, p *Points, lo int, y []float64) {
	p.products(dst, lo, y)
	for i, v := range dst {
		dst[i] = power(k.Scale*v+k.Offset, k.Degree)
	}
}

func (k Polynomial) validate() error {
	if k.Degree < 1 {
		return fmt.Errorf("rkhs: degree is %d, must be at least 1", k.Degree)
	}
	if err := positive("scale", k.Scale); err != nil {
		return err
	}
	return notNegative("offset", k.Offset)
}

// power returns x^n for n >= 0 by repeated squaring.
func power(x float64, n int) float64 {
	v := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			v *= x
		}
		x *= x
	}
	return v
}

// Cosine is the kernel x . y / (|x| |y|), and 0 where one of the points is the
// origin.
type Cosine struct{}

// Eval returns x . y / (|x| |y|).
func (Cosine) Eval(x, y []float64) float64 {
	n := math.Sqrt(dot(x, x) * dot(y, y))
	if n == 0 {
		return 0
	}
	return dot(x, y) / n
}

func (Cosine) column(dst []float64, p *Points, lo int, y []float64) {
	p.products(dst, lo, y)
	yy := dot(y, y)
	for i, v := range dst {
		x := p.x.RawRowView(lo + i)
		xx := dot(x, x)
		n := math.Sqrt(xx * yy)
		if n == 0 {
			dst[i] = 0
			continue
		}
		dst[i] = v / n
	}
}

// Constant is the kernel that is Value everywhere. Added to another kernel it
// adds the constant functions to its space; herding with weights that sum to
// one then picks the same points (Lacoste-Julien et al. 2015, appendix F).
type Constant struct {
	Value float64
}

// Eval returns the value.
func (c Constant) Eval(x, y []float64) float64 { return c.Value }

// Gradient writes zeros.
func (c Constant) Gradient(dst, x, y []float64) { clear(dst) }

func (c Constant) column(dst []float64, _ *Points, _ int, _ []float64) {
	for i := range dst {
		dst[i] = c.Value
	}
}

func (c Constant) validate() error { return notNegative("constant", c.Value) }

// Min is the kernel prod_j (Offset + min(x_j, y_j)) on points with coordinates
// in [0, 1]. Offset 0 is the covariance of Brownian motion; offset 1 is, in
// one dimension, the kernel of the first-order Sobolev space on [0, 1].
type Min struct {
	Offset float64
}

// Eval returns prod_j (Offset + min(x_j, y_j)).
func (m Min) Eval(x, y []float64) float64 {
	v := 1.0
	for j := range x {
		v *= m.Offset + math.Min(x[j], y[j])
	}
	return v
}

func (m Min) column(dst []float64, p *Points, lo int, y []float64) {
	for i := range dst {
		dst[i] = 1
	}
	scratch := getScratch()
	defer putScratch(scratch)
	for j, yj := range y {
		p.coordinate(scratch[:len(dst)], lo, j)
		for i, v := range scratch[:len(dst)] {
			if v > yj {
				v = yj
			}
			dst[i] *= m.Offset + v
		}
	}
}

func (m Min) validate() error { return notNegative("offset", m.Offset) }

// Trigonometric is the kernel (1 + 2 sum_{j=1..J} cos 2 pi j (x-y)) / (2J+1) in
// one dimension, with period 1 and k(x, x) = 1. Its space has the finite
// dimension 2J+1, where Frank-Wolfe quadrature converges like 1/N or faster.
type Trigonometric struct {
	Terms int // J
}

// Eval returns the kernel at the first coordinates of x and y.
func (t Trigonometric) Eval(x, y []float64) float64 { return t.at(x[0] - y[0]) }

// at evaluates the sum by the recurrence cos(j+1)a = 2 cos a cos ja - cos(j-1)a.
func (t Trigonometric) at(u float64) float64 {
	u -= math.Round(u)
	c := vec.Cos1(2 * math.Pi * u)
	before, now, s := 1.0, c, 1.0
	for range t.Terms {
		s += 2 * now
		before, now = now, 2*c*now-before
	}
	return s / float64(2*t.Terms+1)
}

func (t Trigonometric) column(dst []float64, p *Points, lo int, y []float64) {
	p.coordinate(dst, lo, 0)
	for i, v := range dst {
		dst[i] = t.at(v - y[0])
	}
}

func (t Trigonometric) validate() error {
	if t.Terms < 1 {
		return fmt.Errorf("rkhs: number of terms is %d, must be at least 1", t.Terms)
	}
	return nil
}

// Fisher is the Fisher kernel f' I^-1 g of two gradients of a log-likelihood
// (Khanna et al. 2021, section 6.2), with I the Fisher information of
// [NewFisher]. Its space has no more dimensions than the gradients: Gram
// matrices of more points than that are singular.
type Fisher struct {
	inverse *mat.SymDense
}

// NewFisher estimates the Fisher information by the mean of f f' over the rows
// of F (n x D) and adds ridge times the mean of its diagonal to the diagonal
// (1e-6 is usual). Cost O(n D^2 + D^3).
func NewFisher(F *mat.Dense, ridge float64) (Fisher, error) {
	if err := finite("features", F); err != nil {
		return Fisher{}, err
	}
	if err := notNegative("ridge", ridge); err != nil {
		return Fisher{}, err
	}
	n, d := F.Dims()
	info := linalg.SymRankKTrans(nil, 1/float64(n), F, 0)
	add := ridge * mat.Trace(info) / float64(d)
	for i := range d {
		info.SetSym(i, i, info.At(i, i)+add)
	}
	chol, err := linalg.NewCholesky(info)
	if err != nil {
		return Fisher{}, fmt.Errorf("rkhs: Fisher information of %d features is singular; raise ridge (it is %v)", d, ridge)
	}
	x := mat.NewDense(d, d, nil)
	for i := range d {
		x.Set(i, i, 1)
	}
	chol.SolveTo(x, x)
	inverse := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			inverse.SetSym(i, j, 0.5*(x.At(i, j)+x.At(j, i)))
		}
	}
	return Fisher{inverse: inverse}, nil
}

// Eval returns x' I^-1 y.
func (f Fisher) Eval(x, y []float64) float64 {
	var s float64
	for i, v := range x {
		if v == 0 {
			continue
		}
		var r float64
		for j, u := range y {
			r += f.inverse.At(i, j) * u
		}
		s += v * r
	}
	return s
}

func (f Fisher) column(dst []float64, p *Points, lo int, y []float64) {
	p.products(dst, lo, linalg.SymMulVec(nil, f.inverse, y))
}

func (f Fisher) validate() error {
	if f.inverse == nil {
		return fmt.Errorf("rkhs: Fisher kernel has no information matrix; make it with NewFisher")
	}
	return nil
}

func dot(x, y []float64) float64 {
	var s float64
	for j, v := range x {
		s += v * y[j]
	}
	return s
}
