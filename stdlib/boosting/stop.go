package boosting

import (
	"fmt"
	"math"

	"gaucho/stdlib/vec"
)

// The rules that say when to stop return a number of iterations of at least 1.

// TheoremCap returns m/(8 M delta^2), up to which theorem 3 holds, for a squared
// critical radius.
func TheoremCap(squared float64, c Constants) int {
	return atLeastOne(c.StronglyConvex / (8 * c.Smooth * squared))
}

// CorollaryStop returns 1/(delta^2 max(8, M)), the rule of eq. 3.17 for the
// averaged iterate and steps m/M. It is conservative.
func CorollaryStop(squared float64, c Constants) int {
	return atLeastOne(1 / (squared * max(8, c.Smooth)))
}

// CalibratedStop returns 1/(step delta^2): the error is then close to that of
// ridge regression at lambda = delta^2 and to the oracle's.
func CalibratedStop(squared, step float64) int { return atLeastOne(1 / (step * squared)) }

// PowerStop returns (c n)^exponent. Section 3.4 has c = 7 and compares exponent
// 2/3, right for the first-order Sobolev space, with 1/3 and 1.
func PowerStop(n int, c, exponent float64) int {
	return atLeastOne(vec.Pow1(c*float64(n), exponent))
}

// PolynomialStop returns n^(2b/(2b+1)), the order of corollary 5 for eigenvalues
// that fall as j^(-2b): b is the smoothness of a Sobolev space.
func PolynomialStop(n int, b float64) int { return PowerStop(n, 1, 2*b/(2*b+1)) }

// ExponentialStop returns n/(log n)^(1/gamma), the order of corollary 5 for
// eigenvalues that fall as e^(-j^gamma): gamma is 1 for the Gaussian kernel on an
// interval, 2 on the line.
func ExponentialStop(n int, gamma float64) int {
	return atLeastOne(float64(n) / vec.Pow1(max(vec.Log1(float64(n)), 1), 1/gamma))
}

func atLeastOne(t float64) int {
	if !(t >= 1) {
		return 1
	}
	return int(min(t, math.MaxInt32))
}

// Oracle returns the iteration t >= 1 with the least of a series that starts with
// iteration 0, such as Path.Error or Path.Validation, and its value; NaN is not the
// least unless all are. Errors: a series without iteration 1.
func Oracle(series []float64) (t int, value float64, err error) {
	if len(series) < 2 {
		return 0, 0, fmt.Errorf("boosting: the series has %d values, must have one for iteration 1", len(series))
	}
	t = 1 + argMin(series[1:])
	return t, series[t], nil
}
