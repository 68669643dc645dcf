package claims

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A gap is the mean difference of two numbers over the replications, with its 95% interval by Student's t: of the pairs, as
// methods meet the same data and seeds, or by Welch where the records do not have them. A verdict that rests on a gap
// needs the whole interval on the claim's side of the bound. Comparisons with one that is not a number are false.
type gap struct{ mean, lo, hi float64 }

// less returns a - b.
func less(a, b number) gap {
	mean, se, nu := float64(a.Mean-b.Mean), math.NaN(), 1.0
	switch n := len(a.Values); {
	case n > 1 && n == len(b.Values):
		pairs := make([]float64, n)
		for i := range pairs {
			pairs[i] = float64(a.Values[i] - b.Values[i])
		}
		var sd float64
		mean, sd = stat.MeanStdDev(pairs, nil)
		se, nu = sd/math.Sqrt(float64(n)), float64(n-1)
	case a.N > 1 && b.N > 1:
		se, nu = unpaired(a, b)
	}
	t := distuv.StudentsT{Sigma: 1, Nu: nu}
	half := se * t.Quantile(.975)
	return gap{mean, mean - half, mean + half}
}

// unpaired is the standard error of the difference of two means, and its degrees of freedom, after Welch.
func unpaired(a, b number) (se, nu float64) {
	va, vb := float64(a.StdErr*a.StdErr), float64(b.StdErr*b.StdErr)
	if va+vb == 0 {
		return 0, 1
	}
	return math.Sqrt(va + vb), (va + vb) * (va + vb) / (va*va/float64(a.N-1) + vb*vb/float64(b.N-1))
}

// interval is the 95% interval of a number's mean.
func interval(a number) gap {
	if a.N < 2 {
		return gap{float64(a.Mean), math.NaN(), math.NaN()}
	}
	half := float64(a.StdErr) * distuv.StudentsT{Sigma: 1, Nu: float64(a.N - 1)}.Quantile(.975)
	return gap{float64(a.Mean), float64(a.Mean) - half, float64(a.Mean) + half}
}

// percent is the gap as text, of shares in percentage points.
func (g gap) percent() string {
	return fmt.Sprintf("%.2g (%.2g to %.2g)", 100*g.mean, 100*g.lo, 100*g.hi)
}

// text is the gap as text.
func (g gap) text() string { return fmt.Sprintf("%.3g (%.3g to %.3g)", g.mean, g.lo, g.hi) }
