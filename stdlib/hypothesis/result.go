package hypothesis

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// A Result is what a test found.
type Result struct {
	Test      string    // its name
	Null      string    // the hypothesis that is tested
	Symbol    string    // of the statistic: t, F, U and others
	Statistic float64   // what the test looks at
	DF        []float64 // degrees of freedom of the statistic's law, if it has any

	// P is the p-value: the probability, if the hypothesis is true, of data that contradict
	// it at least as much. Less and Greater are those against the alternatives that
	// Estimate is less, or greater, than the hypothesis has it; NaN where a test has no side.
	P, Less, Greater float64
	Exact            bool // P has no approximation but that of arithmetic, if the test's conditions hold

	Of       string  // what Estimate is: difference of means, odds ratio and others
	Estimate float64 // NaN where a test has none

	N    []int  // sizes of the samples
	Note string // what to know before P is believed

	interval func(level float64) (low, high float64)
}

// Confidence returns the limits of the confidence interval of Estimate at a level such
// as 0.95, NaN where the test has none. It panics if the level is not between 0 and 1.
func (r *Result) Confidence(level float64) (low, high float64) {
	if !(level > 0 && level < 1) {
		panic(fmt.Sprintf("hypothesis: level is %v, must be above 0 and below 1", level))
	}
	if r.interval == nil {
		return math.NaN(), math.NaN()
	}
	return r.interval(level)
}

// lines are the result in words: the test, its hypothesis, and what it found.
func (r *Result) lines() []string {
	found := fmt.Sprintf("%s = %.5g", r.Symbol, r.Statistic)
	for i, d := range r.DF {
		found += []string{" with ", " and "}[min(i, 1)] + fmt.Sprintf("%.5g", d)
	}
	switch {
	case len(r.DF) == 1 && r.DF[0] == 1:
		found += " degree of freedom"
	case len(r.DF) > 0:
		found += " degrees of freedom"
	}
	found += ", p " + pText(r.P)
	if r.Exact {
		found += " (exact)"
	}
	out := []string{r.Test, "hypothesis: " + r.Null, found}
	if !math.IsNaN(r.Less) {
		out = append(out, fmt.Sprintf("one-sided: less p %s, greater p %s", pText(r.Less), pText(r.Greater)))
	}
	if !math.IsNaN(r.Estimate) {
		estimate := fmt.Sprintf("%s %.5g", r.Of, r.Estimate)
		if low, high := r.Confidence(0.95); !math.IsNaN(low) {
			estimate += fmt.Sprintf(", 95%% confidence interval from %.5g to %.5g", low, high)
		}
		out = append(out, estimate)
	}
	sizes := strings.Trim(strings.ReplaceAll(fmt.Sprint(r.N), " ", ", "), "[]")
	out = append(out, "n = "+sizes)
	if r.Note != "" {
		out = append(out, r.Note)
	}
	return out
}

// pText is a p-value with its sign of equality.
func pText(p float64) string {
	if p < 2.2e-16 {
		return "< 2.2e-16"
	}
	return fmt.Sprintf("= %.4g", p)
}

// String says what the test found.
func (r *Result) String() string { return strings.Join(r.lines(), "\n") }

// HTML says it in a notebook.
func (r *Result) HTML() string {
	var b strings.Builder
	for i, line := range r.lines() {
		line = html.EscapeString(line)
		if i == 0 {
			line = "<b>" + line + "</b>"
		}
		b.WriteString("<div>" + line + "</div>")
	}
	return b.String()
}

// check says which value of a sample is not finite, or that a sample is too small.
func check(least int, samples ...[]float64) error {
	for i, x := range samples {
		if len(x) < least {
			return fmt.Errorf("hypothesis: sample %d has %d values, must have at least %d", i+1, len(x), least)
		}
		for j, v := range x {
			if v-v != 0 {
				return fmt.Errorf("hypothesis: value %d of sample %d is %v, must be finite; missing values are to be dropped first", j, i+1, v)
			}
		}
	}
	return nil
}

// checkPairs says what is wrong with two values of each unit.
func checkPairs(least int, x, y []float64) error {
	if len(x) != len(y) {
		return fmt.Errorf("hypothesis: pairs of %d and %d values, must be as many", len(x), len(y))
	}
	return check(least, x, y)
}

func sizes(samples ...[]float64) []int {
	out := make([]int, len(samples))
	for i, x := range samples {
		out[i] = len(x)
	}
	return out
}
