package regression

import (
	"fmt"
	"math"
	"strings"

	"gaucho/stdlib/table"
	"gaucho/stdlib/vec"
)

// Logistic fits a logistic regression by maximum likelihood: Logistic(t, "germinated ~ treated + depth"). The response is
// 0 or 1, a bool, or a text with two values, of which the second in alphabetical order counts as 1. The formula and missing
// values are as in [Fit].
//
// If a term separates the zeros from the ones perfectly, the likelihood has no maximum: the estimates are where the
// iteration stopped, and a note names the terms that go to infinity.
func Logistic(t *table.Table, formula string) (*Model, error) {
	return FitWith(t, formula, &Settings{Family: Binomial})
}

// Counts fits a Poisson regression, of counts with the log of their mean as linear predictor, as [Logistic] does.
func Counts(t *table.Table, formula string) (*Model, error) {
	return FitWith(t, formula, &Settings{Family: Poisson})
}

const maxIterations = 25

// iterate maximises the likelihood by iteratively reweighted least squares (McCullagh and Nelder 1989, section 2.5), with
// the start and the criterion of R's glm. The cost is O(rows · coefficients^2) an iteration.
func (m *Model) iterate(y []float64) error {
	family := m.Family
	n := len(y)
	eta := make([]float64, n)
	m.Fitted = make([]float64, n)
	for i, v := range y {
		m.Fitted[i] = family.start(v, m.weight(i))
		eta[i] = family.link(m.Fitted[i])
	}
	deviance, step, converged := m.deviances(y), 0.0, false
	var direction []float64
	for m.Iterations = 1; m.Iterations <= maxIterations && !converged; m.Iterations++ {
		b, err := m.step(y, eta)
		if err != nil {
			return err
		}
		next := m.predictor(b)
		if m.offset != nil {
			vec.Add(next, next, m.offset)
		}
		direction = difference(b, m.Coefficients)
		step = 0
		for i := range next {
			step = max(step, math.Abs(next[i]-eta[i]))
			m.Fitted[i] = family.mean(next[i])
		}
		m.Coefficients, eta = b, next
		m.Deviance = m.deviances(y)
		converged = math.Abs(m.Deviance-deviance)/(math.Abs(m.Deviance)+0.1) < 1e-8
		deviance = m.Deviance
	}
	m.Iterations--
	m.separation(y, direction, step, converged)
	m.Residuals = make([]float64, n)
	for i, v := range y {
		m.Residuals[i] = math.Copysign(math.Sqrt(max(m.weight(i)*family.deviance(v, m.Fitted[i]), 0)), v-m.Fitted[i])
		m.LogLik += m.weight(i) * family.saturated(v)
	}
	m.distances = difference(y, m.Fitted)
	m.DF, m.NullDF = n-m.qr.rank, n
	if m.formula.intercept() {
		m.NullDF = n - 1
	}
	for i, null := range m.nullMeans(y) {
		m.NullDeviance += m.weight(i) * family.deviance(y[i], null)
	}
	m.LogLik -= m.Deviance / 2
	m.AIC = 2*float64(m.qr.rank) - 2*m.LogLik
	m.RSquared, m.AdjustedR2, m.F = math.NaN(), math.NaN(), math.NaN()
	m.finish()
	return nil
}

// step solves the weighted least squares problem at a linear predictor.
func (m *Model) step(y, eta []float64) ([]float64, error) {
	z := make([]float64, len(y))
	m.weights = make([]float64, len(y))
	for i := range y {
		v := m.Family.variance(m.Fitted[i])
		m.weights[i] = math.Sqrt(v * m.weight(i))
		along := eta[i]
		if m.offset != nil {
			along -= m.offset[i]
		}
		z[i] = (along + (y[i]-m.Fitted[i])/v) * m.weights[i]
		if math.IsNaN(z[i]) || math.IsInf(z[i], 0) {
			return nil, fmt.Errorf("regression: %s: the iteration diverges in row %d; are the variables on very different scales?", m.Formula, m.Rows[i])
		}
	}
	m.qr = decompose(times(m.weights, m.design), 1e-11)
	m.qr.effects(z)
	return m.qr.solve(z), nil
}

// difference returns a - b, where b may be nil for zero.
func difference(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for j := range a {
		out[j] = a[j]
		if b != nil {
			out[j] -= b[j]
		}
	}
	return out
}

// separation notes where the maximum is at infinity. There the steps of the iteration do not become small: each goes on, by
// about one, in a direction in which the likelihood of no observation falls (Albert and Anderson 1984).
func (m *Model) separation(y, direction []float64, step float64, converged bool) {
	if converged && step < 0.1 {
		return
	}
	separated := true
	for i, along := range m.predictor(direction) {
		side := y[i]*2 - 1
		if m.Family == Poisson && y[i] > 0 {
			separated = separated && math.Abs(along) < 0.01*step
		} else if m.Family == Poisson {
			side = -1
		}
		separated = separated && side*along > -0.01*step
	}
	var names []string
	for j, d := range direction {
		largest := 0.0
		for _, x := range m.design[j] {
			largest = max(largest, math.Abs(x*d))
		}
		if largest > 0.01*step {
			names = append(names, m.Names[j])
		}
	}
	switch {
	case separated:
		m.note("Perfect separation: a combination of %s separates some observations perfectly, so their best coefficients are infinite. "+
			"Their estimates are where the iteration stopped, and their standard errors and p-values mean nothing.", strings.Join(names, ", "))
	case !converged:
		m.note("The iteration did not converge in %d steps.", maxIterations)
	}
}
