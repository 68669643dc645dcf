package rkhs

import (
	"math"

	"gaucho/stdlib/vec"
)

// The kernels of this file are for histograms, x_j >= 0: sums over the
// coordinates of a kernel that is homogeneous, k(cx, cy) = c k(x, y), and so a
// stationary one in log x times sqrt(x y) (Vedaldi and Zisserman 2012). All have
// k(x, x) = sum_j x_j. What they say of negative coordinates has no meaning.

// Hellinger is the kernel sum_j sqrt(x_j y_j).
type Hellinger struct{}

// Eval returns sum_j sqrt(x_j y_j).
func (Hellinger) Eval(x, y []float64) float64 {
	var s float64
	for j, v := range x {
		s += math.Sqrt(v) * math.Sqrt(y[j])
	}
	return s
}

// ChiSquare is the additive chi-squared kernel sum_j 2 x_j y_j / (x_j + y_j).
type ChiSquare struct{}

// Eval returns sum_j 2 x_j y_j / (x_j + y_j), 0/0 being 0.
func (ChiSquare) Eval(x, y []float64) float64 {
	var s float64
	for j, v := range x {
		if t := v + y[j]; t > 0 {
			s += 2 * v * (y[j] / t)
		}
	}
	return s
}

// Intersection is the histogram intersection kernel sum_j min(x_j, y_j).
type Intersection struct{}

// Eval returns sum_j min(x_j, y_j).
func (Intersection) Eval(x, y []float64) float64 {
	var s float64
	for j, v := range x {
		s += math.Min(v, y[j])
	}
	return s
}

// JensenShannon is the kernel
//
//	sum_j x_j/2 log2((x_j+y_j)/x_j) + y_j/2 log2((x_j+y_j)/y_j).
type JensenShannon struct{}

// Eval returns the kernel; terms at 0 are 0.
func (JensenShannon) Eval(x, y []float64) float64 {
	part := func(v, w float64) float64 {
		if v == 0 {
			return 0
		}
		return v * vec.Log1p1(w/v)
	}
	var s float64
	for j, v := range x {
		s += part(v, y[j]) + part(y[j], v)
	}
	return s / (2 * math.Ln2)
}

// SkewedChiSquare is the kernel prod_j 2 sqrt(x_j+c) sqrt(y_j+c) /
// (x_j+y_j+2c) for x_j > -c, with c the Offset (Li, Ionescu and Sminchisescu
// 2010).
type SkewedChiSquare struct {
	Offset float64
}

// Eval returns the kernel.
func (k SkewedChiSquare) Eval(x, y []float64) float64 {
	v := 1.0
	for j := range x {
		a, b := x[j]+k.Offset, y[j]+k.Offset
		v *= 2 * math.Sqrt(a) * math.Sqrt(b) / (a + b)
	}
	return v
}

func (k SkewedChiSquare) validate() error { return positive("offset", k.Offset) }

// SkewedIntersection is the kernel prod_j min(sqrt((x_j+c)/(y_j+c)), sqrt((y_j+c)/(x_j+c)))
// for x_j > -c, with c the Offset (Li, Ionescu and Sminchisescu 2010).
type SkewedIntersection struct {
	Offset float64
}

// Eval returns the kernel.
func (k SkewedIntersection) Eval(x, y []float64) float64 {
	v := 1.0
	for j := range x {
		a, b := x[j]+k.Offset, y[j]+k.Offset
		v *= math.Sqrt(math.Min(a/b, b/a))
	}
	return v
}

func (k SkewedIntersection) validate() error { return positive("offset", k.Offset) }
