package hypothesis

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"
)

// Binomial tests whether the probability of success is p, by the number of successes in n
// independent trials. The p-value of both sides counts all numbers that are no more
// likely than the one seen, as R's does; the interval is Clopper and Pearson's. Cost O(sqrt n).
func Binomial(successes, n int, p float64) (*Result, error) {
	if successes < 0 || n < 1 || successes > n {
		return nil, fmt.Errorf("hypothesis: %d successes in %d trials, must be from 0 to the number of trials, at least 1", successes, n)
	}
	if !(p > 0 && p < 1) {
		return nil, fmt.Errorf("hypothesis: probability is %v, must be above 0 and below 1", p)
	}
	k, trials := float64(successes), float64(n)
	r := &Result{Test: "Binomial test", Null: fmt.Sprintf("the probability of success is %v", p), Symbol: "successes", Statistic: k,
		Less: 1, Greater: 1, Exact: true, Of: "share of successes", Estimate: k / trials, N: []int{n}}
	if successes < n {
		r.Less = mathext.RegIncBeta(trials-k, k+1, 1-p)
	}
	if successes > 0 {
		r.Greater = mathext.RegIncBeta(k, trials-k+1, p)
	}
	r.P = binomialLaw(n, p).noMoreLikely(successes)
	r.interval = func(level float64) (low, high float64) {
		rest := (1 - level) / 2
		if low, high = 0, 1; successes > 0 {
			low = mathext.InvRegIncBeta(k, trials-k+1, rest)
		}
		if successes < n {
			high = mathext.InvRegIncBeta(k+1, trials-k, 1-rest)
		}
		return low, high
	}
	return r, nil
}

// GoodnessOfFit tests by Pearson's chi-squared whether cases fall into classes with the
// given probabilities, nil for all the same; counts are those of the classes.
func GoodnessOfFit(counts []int, probabilities []float64) (*Result, error) {
	k, total := len(counts), 0
	if k < 2 {
		return nil, fmt.Errorf("hypothesis: number of classes is %d, must be at least 2", k)
	}
	if probabilities == nil {
		probabilities = make([]float64, k)
		for i := range probabilities {
			probabilities[i] = 1 / float64(k)
		}
	}
	if len(probabilities) != k {
		return nil, fmt.Errorf("hypothesis: %d counts and %d probabilities, must be as many", k, len(probabilities))
	}
	for i, p := range probabilities {
		if counts[i] < 0 {
			return nil, fmt.Errorf("hypothesis: count %d is %d, must be at least 0", i, counts[i])
		}
		if !(p > 0 && p <= 1) {
			return nil, fmt.Errorf("hypothesis: probability %d is %v, must be above 0 and at most 1", i, p)
		}
		total += counts[i]
	}
	if s := sum(probabilities); math.Abs(s-1) > 1e-9 {
		return nil, fmt.Errorf("hypothesis: probabilities have the sum %v, must have 1", s)
	}
	if total == 0 {
		return nil, fmt.Errorf("hypothesis: all counts are 0")
	}
	x, least := 0.0, math.Inf(1)
	for i, p := range probabilities {
		expected := p * float64(total)
		d := float64(counts[i]) - expected
		x, least = x+d*d/expected, min(least, expected)
	}
	r := &Result{Test: "Chi-squared test of goodness of fit", Null: "the classes have the given probabilities", Symbol: "X²", Statistic: x, DF: []float64{float64(k - 1)},
		P: upperChi(x, float64(k-1)), Estimate: math.NaN(), N: []int{total}, Note: few(least)}
	r.noSides()
	return r, nil
}

// few says that an expected count is too small for the law of chi-squared.
func few(expected float64) string {
	if expected >= 5 {
		return ""
	}
	return fmt.Sprintf("the least expected count is %.3g; below 5 the p-value is rough", expected)
}

// ChiSquared tests by Pearson's chi-squared whether rows and columns of a table of counts
// are independent, such as t.Pivot("shop", "product", table.Count()).Dense(). A table of
// two by two has Yates's correction for continuity, as in R. The estimate is Cramér's V,
// from 0 to 1, without it.
func ChiSquared(counts mat.Matrix) (*Result, error) {
	rows, columns, total, err := margins(counts)
	if err != nil {
		return nil, err
	}
	correction, least := 0.0, math.Inf(1)
	expected := func(i, j int) float64 { return rows[i] * columns[j] / total }
	if len(rows) == 2 && len(columns) == 2 {
		correction = min(0.5, math.Abs(counts.At(0, 0)-expected(0, 0)))
	}
	corrected, plain := 0.0, 0.0
	for i := range rows {
		for j := range columns {
			e := expected(i, j)
			d := math.Abs(counts.At(i, j) - e)
			corrected, plain, least = corrected+(d-correction)*(d-correction)/e, plain+d*d/e, min(least, e)
		}
	}
	df := float64(len(rows)-1) * float64(len(columns)-1)
	r := &Result{Test: "Chi-squared test", Null: "rows and columns are independent", Symbol: "X²", Statistic: corrected, DF: []float64{df}, P: upperChi(corrected, df),
		Of: "Cramér's V", Estimate: math.Sqrt(plain / total / float64(min(len(rows), len(columns))-1)), N: []int{int(total)}, Note: few(least)}
	r.noSides()
	return r, nil
}

// margins returns the sums of rows and columns and of all.
func margins(counts mat.Matrix) (rows, columns []float64, total float64, err error) {
	if counts == nil {
		return nil, nil, 0, fmt.Errorf("hypothesis: the table of counts is nil")
	}
	r, c := counts.Dims()
	if r < 2 || c < 2 {
		return nil, nil, 0, fmt.Errorf("hypothesis: the table of counts has %d rows and %d columns, must have at least 2 of each", r, c)
	}
	rows, columns = make([]float64, r), make([]float64, c)
	for i := range rows {
		for j := range columns {
			n := counts.At(i, j)
			if !(n >= 0) || n != math.Floor(n) || math.IsInf(n, 1) {
				return nil, nil, 0, fmt.Errorf("hypothesis: count %d, %d is %v, must be a whole number from 0", i, j, n)
			}
			rows[i], columns[j], total = rows[i]+n, columns[j]+n, total+n
		}
	}
	for i, s := range rows {
		if s == 0 {
			return nil, nil, 0, fmt.Errorf("hypothesis: row %d has no cases", i)
		}
	}
	for j, s := range columns {
		if s == 0 {
			return nil, nil, 0, fmt.Errorf("hypothesis: column %d has no cases", j)
		}
	}
	return rows, columns, total, nil
}

// Fisher tests whether rows and columns of a table of two by two counts are independent,
// given their sums. The p-value of both sides counts all tables that are no more likely
// than the one seen. The estimate is the odds ratio of the counts, ad/bc, as SciPy's; R's
// is the most likely one given the sums. It is infinite where b or c is 0. Cost O(sqrt n) for n
// cases, at most 2^53.
func Fisher(a, b, c, d int) (*Result, error) {
	if a < 0 || b < 0 || c < 0 || d < 0 {
		return nil, fmt.Errorf("hypothesis: counts are %d, %d, %d and %d, must be at least 0", a, b, c, d)
	}
	row, column, n := a+b, a+c, a+b+c+d
	if row == 0 || column == 0 || c+d == 0 || b+d == 0 {
		return nil, fmt.Errorf("hypothesis: a row or column has no cases")
	}
	if row < 0 || column < 0 || n > mostCases || n < max(row, column) {
		return nil, fmt.Errorf("hypothesis: the counts are too large, must have a sum of at most %d", mostCases)
	}
	law := hypergeometricLaw(row, column, n)
	r := &Result{Test: "Fisher's exact test", Null: "rows and columns are independent", Symbol: "count", Statistic: float64(a),
		Exact: true, Of: "odds ratio", Estimate: float64(a) * float64(d) / (float64(b) * float64(c)), N: []int{n}}
	r.Less, r.Greater = law.sides(a)
	r.P = law.noMoreLikely(a)
	return r, nil
}
