package fdr

import (
	"fmt"
	"math"
	"slices"

	"gaucho/stdlib/vec"
)

// Gamma is a sequence of non-negative weights gamma_1, gamma_2, ... that sum to
// at most 1: how a rule divides its wealth over the hypotheses to come.
//
// Form chooses the formula:
//
//	"log"     C log(max(j,2)) / (j e^sqrt(log j))   Javanmard & Montanari 2018, eq. 31
//	"power"   C / j^Power
//	"cubic"   C / (j log(max(j,2))^3)               the same, example 3.8
//	"values"  Values[j-1], and 0 beyond
type Gamma struct {
	Form   string    `json:"form"`
	C      float64   `json:"c,omitempty"`
	Power  float64   `json:"power,omitempty"`
	Values []float64 `json:"values,omitempty"`
}

// Constants C of the "log" form.
const (
	// LogPaper is Yang's; the weights sum to 0.885.
	LogPaper = 0.07
	// LogOnlineFDR is that of the R package onlineFDR; the weights sum to 0.976.
	LogOnlineFDR = 0.07720838
	// LogExact makes the weights sum to 1 (to within 1e-7, from below).
	LogExact = 0.07908195
)

// Sums over all j: of log(max(j,2)) / (j e^sqrt(log j)), of
// 1 / (j log(max(j,2))^3), and of the latter's terms times 1 + log j. Partial
// sums of 2e6 terms and the integral beyond; a test computes the first again.
const (
	logSum           = 12.645107873
	cubicSum         = 5.068667247
	weightedCubicSum = 7.178410047
)

// LogGamma returns weights of the "log" form: LogGamma(fdr.LogPaper).
func LogGamma(c float64) Gamma { return Gamma{Form: "log", C: c} }

// PowerGamma returns the weights of the "power" form that sum to 1: j^-power
// over Riemann's zeta(power), power > 1. SAFFRON and ADDIS use 1.6.
func PowerGamma(power float64) Gamma {
	if !(power > 1) || math.IsInf(power, 1) {
		return Gamma{Form: "power", Power: power}
	}
	return Gamma{Form: "power", C: 1 / zeta(power), Power: power}
}

// CubicGamma returns weights of the "cubic" form; the C of onlineFDR is 0.139307.
func CubicGamma(c float64) Gamma { return Gamma{Form: "cubic", C: c} }

// GammaValues returns a sequence that is given, and 0 after its end.
func GammaValues(values []float64) Gamma { return Gamma{Form: "values", Values: slices.Clone(values)} }

// At returns gamma_j, j >= 1; 0 for j < 1.
func (g Gamma) At(j int) float64 {
	if j < 1 {
		return 0
	}
	x := float64(j)
	switch g.Form {
	case "log":
		return g.C * vec.Log1(max(x, 2)) / (x * vec.Exp1(math.Sqrt(vec.Log1(x))))
	case "power":
		return g.C * vec.Pow1(x, -g.Power)
	case "cubic":
		l := vec.Log1(max(x, 2))
		return g.C / (x * (l * l * l))
	case "values":
		if j <= len(g.Values) {
			return g.Values[j-1]
		}
	}
	return 0
}

// checkWeighted is check for LORDDependent: the sum is that of gamma_j times
// 1 + log j.
func (g Gamma) checkWeighted(limit float64) error {
	switch g.Form {
	case "cubic":
		return Gamma{Form: g.Form, C: g.C * weightedCubicSum / cubicSum}.check(limit)
	case "values":
		if err := g.check(limit); err != nil {
			return err
		}
		var sum float64
		for j, v := range g.Values {
			sum += v * (1 + vec.Log1(float64(j+1)))
		}
		if sum > limit*(1+1e-9) {
			return fmt.Errorf("fdr: gamma_j (1 + log j) sums to %v, must be at most %v", sum, limit)
		}
		return nil
	}
	return fmt.Errorf("fdr: form of gamma is %q, must be cubic or values for LORD dep", g.Form)
}

// check says what is wrong with a sequence: a form that is not known, negative
// weights, a sum above limit.
func (g Gamma) check(limit float64) error {
	const slack = 1e-4 // of the sums above, and of constants rounded to a few digits
	var sum float64
	switch g.Form {
	case "log":
		sum = g.C * logSum
	case "cubic":
		sum = g.C * cubicSum
	case "power":
		if !(g.Power > 1) || math.IsInf(g.Power, 1) {
			return fmt.Errorf("fdr: power of gamma is %v, must be above 1", g.Power)
		}
		sum = g.C * zeta(g.Power)
	case "values":
		if len(g.Values) == 0 {
			return fmt.Errorf("fdr: gamma has no values")
		}
		for j, v := range g.Values {
			if !(v >= 0) || math.IsInf(v, 1) {
				return fmt.Errorf("fdr: gamma_%d is %v, must be at least 0", j+1, v)
			}
			if j > 0 && v > g.Values[j-1] {
				return fmt.Errorf("fdr: gamma_%d is %v, above gamma_%d; the sequence must not rise", j+1, v, j)
			}
			sum += v
		}
	default:
		return fmt.Errorf("fdr: form of gamma is %q, must be log, power, cubic or values", g.Form)
	}
	if g.Form != "values" && !(g.C > 0) {
		return fmt.Errorf("fdr: constant of gamma is %v, must be positive", g.C)
	}
	if !(sum <= limit*(1+slack)) {
		return fmt.Errorf("fdr: gamma sums to %v, must be at most %v", sum, limit)
	}
	return nil
}

// zeta is Riemann's zeta function for s > 1, by Euler and Maclaurin's formula
// after 20 terms; the first term left out is below 1e-16 for s < 10.
func zeta(s float64) float64 {
	const n = 20.0
	var sum float64
	for j := n - 1; j >= 1; j-- {
		sum += vec.Pow1(j, -s)
	}
	t := vec.Pow1(n, -s)
	sum += t*n/(s-1) + t/2
	// B_2k/(2k)! s(s+1)...(s+2k-2) n^(-s-2k+1)
	term := t * s / n
	for k, b := range []float64{1.0 / 12, -1.0 / 720, 1.0 / 30240, -1.0 / 1209600, 1.0 / 47900160} {
		sum += b * term
		m := float64(2*k + 1)
		term *= (s + m) * (s + m + 1) / (n * n)
	}
	return sum
}

// A gammaTable remembers the weights already computed; index 0 holds 0.
type gammaTable struct {
	gamma Gamma
	w     []float64
}

func (t *gammaTable) at(j int) float64 {
	if j >= len(t.w) {
		t.grow(j)
	}
	return t.w[j]
}

func (t *gammaTable) grow(j int) {
	end := max(j, 2*len(t.w), 64)
	for i := len(t.w); i <= end; i++ {
		t.w = append(t.w, t.gamma.At(i))
	}
}
