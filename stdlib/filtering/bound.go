package filtering

import (
	"fmt"
	"math"
)

// Bound1D is the constant C_t of sequential kernel herding's error bound, and the
// numbers on the way to it, for a linear model in one dimension.
type Bound1D struct {
	W, WTilde float64
	// Width is a quarter of what the kernel's bandwidth^2 must stay below.
	Width float64
	// C bounds how much one step of the filter can enlarge a difference in the
	// kernel's space: |mu(F q)| <= C |mu(q)| for signed measures q.
	C float64
}

// LinearGaussianBound1D returns the bound for the model x' = a x + N(0, tau^2),
// y = b x + N(0, nu^2) with the observation y = 0 and a Gaussian kernel of the
// given bandwidth (Lacoste-Julien et al. 2015, theorem 1 and appendix E; in the
// width the factor a^2 of the second term, which is lost in print, is restored).
// It exists for b != 0 and b small enough, and bandwidth^2 below 4 Width; else the
// error says what fails.
func LinearGaussianBound1D(a, b, tau, nu, bandwidth float64) (Bound1D, error) {
	for _, c := range []struct {
		name string
		v    float64
	}{{"a", math.Abs(a)}, {"b", math.Abs(b)}, {"tau", tau}, {"nu", nu}, {"bandwidth", bandwidth}} {
		if !(c.v > 0) || math.IsInf(c.v, 1) {
			return Bound1D{}, fmt.Errorf("filtering: %s is %v, must be finite and not 0", c.name, c.v)
		}
	}
	t2 := tau * tau
	out := Bound1D{W: -t2 + math.Sqrt(t2*t2+1)}
	c := b * b * (1 + out.W) / (2 * nu * nu * a * a)
	if c >= 1 {
		return out, fmt.Errorf("filtering: b is %v, must be smaller for the bound to exist (b^2 (1+w)/(2 nu^2 a^2) is %v, must be below 1)", b, c)
	}
	out.WTilde = (out.W + c) / (1 - c)
	d := a*a*out.W/(1+out.W) + b*b/(2*nu*nu)
	out.Width = 1/(4*d) - a*a*out.WTilde/(8*d*d)
	s2 := bandwidth * bandwidth
	if !(s2 < 4*out.Width) {
		return out, fmt.Errorf("filtering: bandwidth^2 is %v, must be below %v", s2, 4*out.Width)
	}
	alpha := math.Pi * (1 + out.W) / out.W * bandwidth / math.Sqrt(s2+(1-out.W*out.W)/(2*out.W))
	beta := 1 / (2 * bandwidth * d * math.Sqrt(4*out.Width-s2))
	out.C = math.Sqrt(1-out.W*out.W) / (2 * math.Pi * tau * nu) * math.Sqrt(alpha*beta) / (1 - math.Sqrt(out.W/out.WTilde))
	return out, nil
}
