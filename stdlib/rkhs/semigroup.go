package rkhs

import (
	"fmt"
	"math"

	"gaucho/stdlib/vec"
)

// Cauchy is the kernel prod_j 1 / (1 + (x_j-y_j)^2/b^2), b the bandwidth, whose
// random features are Laplace.
type Cauchy struct {
	Bandwidth float64
}

// Eval returns the kernel.
func (c Cauchy) Eval(x, y []float64) float64 {
	v := 1.0
	for j := range x {
		t := (x[j] - y[j]) / c.Bandwidth
		v /= 1 + t*t
	}
	return v
}

func (c Cauchy) validate() error { return validBandwidth(c.Bandwidth) }

// ExponentialSemigroup is the kernel exp(-beta sum_j sqrt(x_j+y_j)) for x_j >= 0
// (Yang, Sindhwani, Fan, Avron and Mahoney 2014).
type ExponentialSemigroup struct {
	Beta float64
}

// Eval returns the kernel.
func (k ExponentialSemigroup) Eval(x, y []float64) float64 {
	var s float64
	for j, v := range x {
		s += math.Sqrt(v + y[j])
	}
	return vec.Exp1(-k.Beta * s)
}

func (k ExponentialSemigroup) validate() error { return positive("beta", k.Beta) }

// ReciprocalSemigroup is the kernel prod_j lambda / (x_j+y_j+lambda) for x_j >= 0
// (Yang et al. 2014).
type ReciprocalSemigroup struct {
	Lambda float64
}

// Eval returns the kernel.
func (k ReciprocalSemigroup) Eval(x, y []float64) float64 {
	v := 1.0
	for j := range x {
		v *= k.Lambda / (x[j] + y[j] + k.Lambda)
	}
	return v
}

func (k ReciprocalSemigroup) validate() error { return positive("lambda", k.Lambda) }

// ArcCosine is the kernel of order n = 0, 1 or 2 of an infinite layer of units
// max(0, w.x)^n with normal weights (Cho and Saul 2009): with a the angle of x
// and y,
//
//	k = |x|^n |y|^n J_n(a) / pi
//	J_0 = pi-a,  J_1 = sin a + (pi-a) cos a,  J_2 = 3 sin a cos a + (pi-a)(1 + 2 cos^2 a).
type ArcCosine struct {
	Order int
}

// Eval returns the kernel; the angle to the origin is taken as a right one.
func (k ArcCosine) Eval(x, y []float64) float64 {
	nx, ny := math.Sqrt(vec.Dot(x, x)), math.Sqrt(vec.Dot(y, y))
	// With p and q the lengths of the difference and of the sum of the directions,
	// tan(a/2) = p/q: good for small angles too.
	p2, q2 := 1.0, 1.0
	if nx > 0 && ny > 0 {
		p2, q2 = 0, 0
		for j, v := range x {
			u, w := v/nx, y[j]/ny
			p2 += (u - w) * (u - w)
			q2 += (u + w) * (u + w)
		}
	}
	s, c := 2*math.Sqrt(p2*q2)/(p2+q2), (q2-p2)/(p2+q2)
	rest := math.Pi - 2*math.Atan2(math.Sqrt(p2), math.Sqrt(q2))
	switch k.Order {
	case 0:
		return rest / math.Pi
	case 1:
		return nx * ny * (s + rest*c) / math.Pi
	}
	return nx * nx * ny * ny * (3*s*c + rest*(1+2*c*c)) / math.Pi
}

func (k ArcCosine) validate() error {
	if k.Order < 0 || k.Order > 2 {
		return fmt.Errorf("rkhs: order is %d, must be 0, 1 or 2", k.Order)
	}
	return nil
}

// DotProduct is the kernel sum_n a_n (x.y)^n with the coefficients a_n >= 0,
// n = 0, 1, ... (Kar and Karnick 2012).
type DotProduct struct {
	Coefficients []float64
}

// Eval returns the kernel.
func (k DotProduct) Eval(x, y []float64) float64 {
	t, v := vec.Dot(x, y), 0.0
	for n := len(k.Coefficients) - 1; n >= 0; n-- {
		v = v*t + k.Coefficients[n]
	}
	return v
}

func (k DotProduct) validate() error {
	sum := 0.0
	for n, a := range k.Coefficients {
		if err := notNegative(fmt.Sprintf("coefficient %d", n), a); err != nil {
			return err
		}
		sum += a
	}
	return positive("sum of the coefficients", sum)
}
