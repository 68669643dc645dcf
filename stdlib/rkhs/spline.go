package rkhs

import "fmt"

// Spline is the kernel of the Sobolev space of functions on [0, 1] whose
// derivative number Order is square-integrable, with the square of its norm in
// L2, a product over coordinates:
//
//	k(x, y) = integral from 0 to min(x, y) of (x-u)^(r-1) (y-u)^(r-1)/((r-1)!)^2 du,  r = Order.
//
// Its functions and their first r-1 derivatives are 0 at 0. With Free they need
// not be: sum_(m<r) (x y)^m/(m!)^2 is added. Order 1 is Min, with Free that of
// offset 1. The eigenvalues fall as j^(-2r). Order is from 1 to 10.
type Spline struct {
	Order int
	Free  bool
}

// Eval returns the product over coordinates. O(d Order).
func (s Spline) Eval(x, y []float64) float64 {
	v := 1.0
	for j := range x {
		v *= s.line(min(x[j], y[j]), max(x[j], y[j]))
	}
	return v
}

// line expands (t + c - a)^(r-1) under the integral of t^(r-1) from 0 to a.
func (s Spline) line(a, c float64) float64 {
	r := s.Order
	var powers [20]float64 // of a
	powers[0] = 1
	for k := 1; k < 2*r; k++ {
		powers[k] = a * powers[k-1]
	}
	// choose is that of r-1 over k, power is (c-a)^(r-1-k).
	power, choose, sum := 1.0, 1.0, 0.0
	for k := r - 1; k >= 0; k-- {
		sum += choose * power * powers[r+k] / float64(r+k)
		power *= c - a
		choose = choose * float64(k) / float64(r-k)
	}
	factorial := 1.0
	for k := 2; k < r; k++ {
		factorial *= float64(k)
	}
	sum /= factorial * factorial
	if s.Free {
		term := 1.0
		for m := range r {
			sum += term
			term *= a * c / float64((m+1)*(m+1))
		}
	}
	return sum
}

func (s Spline) validate() error {
	if s.Order < 1 || s.Order > 10 {
		return fmt.Errorf("rkhs: order of the spline is %d, must be from 1 to 10", s.Order)
	}
	return nil
}
