package rkhs

import (
	"math"
	"testing"
)

// TestSpline compares with quadrature, with order 1 and 2 in closed form, and
// checks an order out of range.
func TestSpline(t *testing.T) {
	points := []float64{0, 0.2, 0.55, 0.9, 1}
	for order := 1; order <= 4; order++ {
		for _, x := range points {
			for _, y := range points {
				const n = 4000
				want, factorial := 0.0, math.Gamma(float64(order))
				for i := range n { // midpoints
					a := min(x, y)
					u := a * (float64(i) + 0.5) / n
					want += a / n * math.Pow(x-u, float64(order-1)) * math.Pow(y-u, float64(order-1)) / (factorial * factorial)
				}
				got := Spline{Order: order}.Eval([]float64{x}, []float64{y})
				if math.Abs(got-want) > 1e-7 {
					t.Errorf("order %d at %v, %v: %v, want %v", order, x, y, got, want)
				}
				for m := range order {
					f := math.Gamma(float64(m + 1))
					want += math.Pow(x*y, float64(m)) / (f * f)
				}
				if got := (Spline{Order: order, Free: true}).Eval([]float64{x}, []float64{y}); math.Abs(got-want) > 1e-7 {
					t.Errorf("order %d, free, at %v, %v: %v, want %v", order, x, y, got, want)
				}
			}
		}
	}
	a, c := 0.3, 0.7
	if got, want := (Spline{Order: 2}).Eval([]float64{c, 1}, []float64{a, 1}), a*a*(3*c-a)/6/3; math.Abs(got-want) > 1e-15 {
		t.Errorf("order 2 in the plane: %v, want %v", got, want)
	}
	for _, order := range []int{0, 11} {
		if Validate(Spline{Order: order}) == nil {
			t.Errorf("no error for order %d", order)
		}
	}
}
