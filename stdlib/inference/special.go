package inference

import (
	"math"

	"gaucho/stdlib/vec"
)

// logGamma returns log Gamma(x) for x > 0: Stirling's series beyond 10, the recurrence below. Error about 1e-14 of the larger
// of 1 and the value.
func logGamma(x float64) float64 {
	product := 1.0
	for ; x < 10; x++ {
		product *= x
	}
	i := 1 / (x * x)
	series := (1.0/12 - i*(1.0/360-i*(1.0/1260-i*(1.0/1680-i*(1.0/1188-i*691.0/360360))))) / x
	return (x-0.5)*vec.Log1(x) - x + 0.5*vec.Log1(2*math.Pi) + series - vec.Log1(product)
}

// digamma returns the derivative of log Gamma at x > 0, in the same way.
func digamma(x float64) float64 {
	sum := 0.0
	for ; x < 10; x++ {
		sum += 1 / x
	}
	i := 1 / (x * x)
	return vec.Log1(x) - 0.5/x - i*(1.0/12-i*(1.0/120-i*(1.0/252-i*(1.0/240-i*(1.0/132-i*691.0/32760))))) - sum
}
