package regression

import (
	"fmt"
	"math"
	"slices"

	"gaucho/stdlib/table"
)

// Predict returns the mean of the response that the model expects for each row of a table that has the formula's columns: a
// table with the columns fit, se (its standard error), and low and high, the limits of its 95 % confidence interval. Where a
// column has no value, they are missing. For Binomial the fit is a probability and for Poisson a mean count; their standard
// errors are by the delta method, and their limits those of the linear predictor, carried over, so that they are possible
// values.
//
// It is an error if a factor has a value that was not in the rows that the model was fitted to.
func (m *Model) Predict(t *table.Table) (*table.Table, error) {
	vars := make([]*variable, len(m.vars))
	for i, e := range m.formula.vars {
		v, err := variableOf(t, e)
		if err == nil {
			err = v.like(m.vars[i])
		}
		if err != nil {
			return nil, err
		}
		vars[i] = v
	}
	n := t.Len()
	design := make([][]float64, len(m.columns))
	for j, c := range m.columns {
		design[j] = c.values(vars, n)
	}
	var offset []float64
	if m.offsetExpr != nil {
		v, err := variableOf(t, m.offsetExpr)
		if err != nil {
			return nil, err
		}
		offset = v.x
	}
	q := m.quantile(0.975)
	fit, se, low, high := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	x := make([]float64, len(design))
	for i := range n {
		eta := 0.0
		if offset != nil {
			eta = offset[i]
		}
		for j := range design {
			x[j] = design[j][i]
			if b := m.Coefficients[j]; !math.IsNaN(b) {
				eta += b * x[j]
			}
		}
		s := m.error(x)
		fit[i], se[i] = eta, s
		low[i], high[i] = eta-q*s, eta+q*s
		if m.Family != Gaussian && !math.IsNaN(eta) {
			fit[i], low[i], high[i] = m.Family.mean(eta), m.Family.mean(low[i]), m.Family.mean(high[i])
			se[i] = s * m.Family.variance(fit[i])
		}
	}
	return columnsOf("fit", fit, "se", se, "low", low, "high", high), nil
}

// like gives a factor the numbers that its levels have in the fitted variable.
func (v *variable) like(fitted *variable) error {
	if v.isFactor() != fitted.isFactor() {
		return fmt.Errorf("regression: %s holds numbers here and texts or bools there: the model was fitted to the other", v.label)
	}
	if !v.isFactor() {
		return nil
	}
	number := make([]int, len(v.levels))
	for k, level := range v.levels {
		if number[k] = slices.Index(fitted.levels, level); number[k] < 0 {
			return fmt.Errorf("regression: Predict: %s is %q in row %d, and the model knows %s only",
				v.label, level, slices.Index(v.codes, k), short(fitted.levels))
		}
	}
	for i, k := range v.codes {
		if k >= 0 {
			v.codes[i] = number[k]
		}
	}
	return nil
}

// Anova compares two models of the same response on the same rows, of which the terms of small are among those of big, by the
// F test, or for Binomial and Poisson by the likelihood ratio (chi-squared). The table has a row for each model: its residual
// degrees of freedom df, its deviance (the sum of squared residuals for Gaussian), and for the second how many coefficients
// it has more (extra), how much less deviance (reduction), F, and p, the probability of at least that much if these
// coefficients are zero.
func Anova(small, big *Model) (*table.Table, error) {
	if small == nil || big == nil {
		return nil, fmt.Errorf("regression: Anova: a model is nil")
	}
	switch {
	case small.Family != big.Family:
		return nil, fmt.Errorf("regression: Anova: a %s model and a %s model", small.Family, big.Family)
	case small.formula.response.String() != big.formula.response.String():
		return nil, fmt.Errorf("regression: Anova: the responses are %s and %s", small.formula.response, big.formula.response)
	case !slices.Equal(small.Rows, big.Rows):
		return nil, fmt.Errorf("regression: Anova: the models are fitted to different rows (%d and %d), since rows with missing values were dropped; fit both to t.Complete(...)",
			len(small.Rows), len(big.Rows))
	case small.qr.rank >= big.qr.rank:
		return nil, fmt.Errorf("regression: Anova: the first model must have fewer coefficients than the second; they have %d and %d", small.qr.rank, big.qr.rank)
	}
	if name := big.lacks(small); name != "" {
		return nil, fmt.Errorf("regression: Anova: the models are not nested: %s of the first is not in the second", name)
	}
	none := math.NaN()
	reduction, extra := small.Deviance-big.Deviance, small.DF-big.DF
	f, p := none, none
	if big.Family == Gaussian {
		f = reduction / float64(extra) / (big.Sigma * big.Sigma)
		p = upperF(f, extra, big.DF)
	} else {
		p = upperChi(reduction, extra)
	}
	t := columnsOf("model", []string{small.Formula, big.Formula}, "df", []int{small.DF, big.DF},
		"deviance", []float64{small.Deviance, big.Deviance}, "extra", []float64{none, float64(extra)}, "reduction", []float64{none, reduction})
	if big.Family == Gaussian {
		t = t.With("F", []float64{none, f})
	}
	return t.With("p", []float64{none, p}), nil
}

// lacks returns the name of a coefficient of small whose column is not a combination of those of m, "" if there is none.
func (m *Model) lacks(small *Model) string {
	d := decompose(clone(m.design), 1e-7)
	for j, x := range small.design {
		rest := slices.Clone(x)
		d.effects(rest)
		if norm(rest[d.rank:]) > 1e-7*norm(x) {
			return small.Names[j]
		}
	}
	return ""
}
