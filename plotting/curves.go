package plotting

import (
	"fmt"
	"math"
	"strings"
)

// Curves are several curves with a band each. Those of package gaucho/stdlib/study, which summarise the replications of an
// experiment, are.
type Curves interface {
	Len() int
	// Curve returns curve i: its name for the legend, its line and the edges of its band.
	Curve(i int) (name string, x, middle, lo, hi []float64)
}

// Curves draws curves: for those of a study lines at the medians, and bands between the quartiles, or at the means, with
// confidence intervals:
//
//	figure.Curves(curves.Means(0.95))
//
// A curve whose band has no width anywhere has none in the legend either.
func (f *Figure) Curves(c Curves, opts ...Option) *Figure {
	for i := range c.Len() {
		name, x, middle, lo, hi := c.Curve(i)
		if !wide(lo, middle) && !wide(hi, middle) {
			f.Line(name, x, middle, opts...)
			continue
		}
		f.Ribbon(name, x, middle, lo, hi, opts...)
	}
	return f
}

// wide reports whether an edge of a band is away from its middle somewhere. Where it is NaN there is no band.
func wide(edge, middle []float64) bool {
	for i, e := range edge {
		if !math.IsNaN(e) && e != middle[i] {
			return true
		}
	}
	return false
}

// Rates draws curves on logarithmic axes, with reference lines for powers of x:
//
//	plotting.Rates("Error of the mean", "points $N$", "error", curves, -0.5, -1)
//
// The lines are labelled with the power of what is between dollar signs in the label of the horizontal axis.
func Rates(title, x, y string, c Curves, exponents ...float64) *Figure {
	f := New(title, x, y).LogLog().Curves(c)
	symbol := "x"
	if parts := strings.Split(x, "$"); len(parts) > 2 {
		symbol = parts[1]
	}
	for _, e := range exponents {
		f.Slope(e, "$"+symbol+"^{"+rational(e)+"}$")
	}
	return f
}

// rational writes an exponent as a whole number, as a fraction with a small denominator, or as a decimal.
func rational(e float64) string {
	for d := 1; d <= 6; d++ {
		if n := math.Round(e * float64(d)); math.Abs(n-e*float64(d)) < 1e-9 {
			if d == 1 {
				return fmt.Sprint(n)
			}
			return fmt.Sprintf("%v/%d", n, d)
		}
	}
	return fmt.Sprintf("%.3g", e)
}
