package regression

import (
	"fmt"
	"math"

	"gaucho/stdlib/table"
	"gaucho/stdlib/vec"
)

// Settings say what a model is fitted by apart from its formula.
type Settings struct {
	Family Family // of the response; Gaussian by default

	// Weights is a column, or an expression of columns as in a formula, with how much each row counts: the variance of its
	// response is as 1/weight. By default all count alike.
	Weights string

	// Offset is a column or an expression that is added to the linear predictor, with the coefficient 1: "log(days)" where
	// counts are of different times. By default there is none.
	Offset string
}

// DefaultSettings returns the settings that nil stands for: a linear model without weights and offset.
func DefaultSettings() *Settings { return &Settings{} }

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is all defaults.
func (s *Settings) WithDefaults() *Settings {
	if s == nil {
		return DefaultSettings()
	}
	out := *s
	return &out
}

// FitWith fits a model by settings: FitWith(t, "claims ~ age", &Settings{Family: Poisson, Offset: "log(days)"}). The formula, the
// response of each family, missing values and cost are as in [Fit], [Logistic] and [Counts]; a row without a weight or an offset is
// dropped too. Nil stands for [DefaultSettings]. Errors: weights that are not above 0.
func FitWith(t *table.Table, formula string, settings *Settings) (*Model, error) {
	settings = settings.WithDefaults()
	if settings.Family < Gaussian || settings.Family > Poisson {
		return nil, fmt.Errorf("regression: family is %d, must be Gaussian, Binomial or Poisson", int(settings.Family))
	}
	m, y, err := prepare(t, formula, settings)
	if err != nil {
		return nil, err
	}
	if m.Family == Gaussian {
		m.leastSquares(y)
	} else if err := m.iterate(y); err != nil {
		return nil, err
	}
	return m, nil
}

// given is what a model is fitted by apart from its formula.
type given struct {
	byWeights, byOffset *variable // over all rows, until inRows
	offsetExpr          *expr
	prior, offset       []float64 // weights and offsets of the rows used, or nil
}

// give reads weights and offset, and adds them to the variables whose missing values drop a row.
func (m *Model) give(t *table.Table, s *Settings, all []*variable) ([]*variable, error) {
	read := func(text string) (*variable, *expr, error) {
		f, err := parseFormula(text+" ~ 1", t.Names())
		if err != nil {
			return nil, nil, err
		}
		v, err := variableOf(t, f.response)
		if err == nil && v.isFactor() {
			err = fmt.Errorf("regression: %s holds texts or bools, must be numbers", text)
		}
		return v, f.response, err
	}
	var err error
	if s.Weights != "" {
		if m.byWeights, _, err = read(s.Weights); err != nil {
			return nil, err
		}
		all = append(all, m.byWeights)
	}
	if s.Offset != "" {
		if m.byOffset, m.offsetExpr, err = read(s.Offset); err != nil {
			return nil, err
		}
		all = append(all, m.byOffset)
	}
	return all, nil
}

// inRows takes the weights and offsets of the rows that are used.
func (m *Model) inRows() error {
	if m.byWeights != nil {
		m.prior = m.byWeights.at(m.Rows).x
		for i, w := range m.prior {
			if !(w > 0) {
				return fmt.Errorf("regression: weight %s of row %d is %v, must be above 0; leave the row out instead", m.byWeights.label, m.Rows[i], w)
			}
		}
	}
	if m.byOffset != nil {
		m.offset = m.byOffset.at(m.Rows).x
	}
	m.byWeights, m.byOffset = nil, nil
	return nil
}

// weight is how much a row counts.
func (m *Model) weight(i int) float64 {
	if m.prior == nil {
		return 1
	}
	return m.prior[i]
}

// mean is the weighted mean of a value for each row.
func (m *Model) mean(x []float64) float64 {
	if m.prior == nil {
		return mean(x)
	}
	return vec.Dot(m.prior, x) / vec.Sum(m.prior)
}

// squares is the weighted sum of squared distances from a centre.
func (m *Model) squares(x []float64, centre float64) float64 {
	if m.prior == nil {
		return squares(x, centre)
	}
	s := 0.0
	for i, v := range x {
		s += m.prior[i] * (v - centre) * (v - centre)
	}
	return s
}

// deviances is the deviance of the fitted means.
func (m *Model) deviances(y []float64) float64 {
	s := 0.0
	for i, v := range y {
		s += m.weight(i) * m.Family.deviance(v, m.Fitted[i])
	}
	return s
}

// nullMeans are the means by the model of the intercept alone, if the formula has one, and the offset.
func (m *Model) nullMeans(y []float64) []float64 {
	means := make([]float64, len(y))
	at := 0.0
	if m.formula.intercept() {
		at = m.Family.link(m.mean(y))
	}
	for range maxIterations {
		slope, curve := 0.0, 0.0
		for i, v := range y {
			eta := at
			if m.offset != nil {
				eta += m.offset[i]
			}
			means[i] = m.Family.mean(eta)
			slope += m.weight(i) * (v - means[i])
			curve += m.weight(i) * m.Family.variance(means[i])
		}
		step := slope / curve
		if m.offset == nil || !m.formula.intercept() || !(math.Abs(step) > 1e-12*max(1, math.Abs(at))) {
			break
		}
		at += step
	}
	return means
}

// roots are the square roots of weights, nil for nil.
func roots(weights []float64) []float64 {
	if weights == nil {
		return nil
	}
	out := make([]float64, len(weights))
	for i, w := range weights {
		out[i] = math.Sqrt(w)
	}
	return out
}

// times are columns times weights, or without weights copies.
func times(weights []float64, columns [][]float64) [][]float64 {
	out := clone(columns)
	if weights != nil {
		for _, c := range out {
			vec.Mul(c, c, weights)
		}
	}
	return out
}
