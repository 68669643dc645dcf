package regression

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gaucho/internal/scale"
	"gaucho/internal/words"
	"gaucho/stdlib/table"
	"gaucho/stdlib/vec"
)

// A Model is a fitted model. Slices over rows have a value for each row that was used, those of Rows.
type Model struct {
	Formula string
	Family  Family
	Names   []string // of the coefficients, as R names them: (Intercept), plotB, days:plotB

	Coefficients []float64 // NaN for those that the ones before them explain, see Aliased
	SE           []float64 // standard errors
	Fitted       []float64 // means of the response
	Residuals    []float64 // response minus mean; deviance residuals where the family is not Gaussian
	Rows         []int     // numbers of the rows used; others have a missing value
	Dropped      int       // number of rows with a missing value in a variable of the formula
	Notes        []string  // what to know before the figures are believed

	DF           int     // residual degrees of freedom: rows less coefficients
	Sigma        float64 // residual standard error; 1 for Binomial and Poisson
	RSquared     float64 // Gaussian only, as AdjustedR2, F and FDF
	AdjustedR2   float64
	F            float64 // of all coefficients but the intercept; NaN if there are none
	FDF          int     // its degrees of freedom in the numerator
	Deviance     float64 // sum of squared residuals for Gaussian
	NullDeviance float64 // of the model with the intercept only, without terms if it has no intercept, as R's
	NullDF       int
	LogLik, AIC  float64
	Iterations   int // 0 for Gaussian

	formula *formula
	vars    []*variable // in the rows used
	columns []column
	design  [][]float64 // the columns of the design
	weights []float64   // roots of the working weights of the last iteration; for Gaussian of those that were given, or nil
	qr      *decomposition

	given
	distances []float64 // of the response from its mean
	robust    *covariance
}

// Aliased returns the names of the coefficients that cannot be told apart from the ones before them, because their columns
// of the design are collinear. They are left out of the model, and NaN.
func (m *Model) Aliased() []string {
	var names []string
	for j, b := range m.Coefficients {
		if math.IsNaN(b) {
			names = append(names, m.Names[j])
		}
	}
	return names
}

// Coefficient returns an estimate and its standard error by name. It panics if there is no coefficient of that name.
func (m *Model) Coefficient(name string) (estimate, se float64) {
	j := slices.Index(m.Names, name)
	if j < 0 {
		panic(fmt.Errorf("regression: there is no coefficient %s (coefficients: %s)", name, strings.Join(m.Names, ", ")))
	}
	return m.Coefficients[j], m.SE[j]
}

// prepare reads the formula and the columns that it names, and returns the model without estimates, and the response.
func prepare(t *table.Table, text string, s *Settings) (m *Model, y []float64, err error) {
	family := s.Family
	if t == nil {
		return nil, nil, fmt.Errorf("regression: the table is nil")
	}
	f, err := parseFormula(text, t.Names())
	if err != nil {
		return nil, nil, err
	}
	response, err := variableOf(t, f.response)
	if err != nil {
		return nil, nil, err
	}
	if response.isFactor() && family != Binomial {
		if response.x, err = f.response.eval(t); err != nil { // a bool counts as 0 and 1
			return nil, nil, err
		}
		response.codes = nil
	}
	m = &Model{Formula: f.text, Family: family, formula: f, Sigma: 1}
	vars := make([]*variable, len(f.vars))
	for i, e := range f.vars {
		if vars[i], err = variableOf(t, e); err != nil {
			return nil, nil, err
		}
	}
	all := append(slices.Clone(vars), response)
	if all, err = m.give(t, s, all); err != nil {
		return nil, nil, err
	}
	for i := range t.Len() {
		if slices.ContainsFunc(all, func(v *variable) bool { return v.missing(i) }) {
			m.Dropped++
		} else {
			m.Rows = append(m.Rows, i)
		}
	}
	for i, v := range vars {
		vars[i] = v.at(m.Rows)
		if v.isFactor() && len(vars[i].levels) < 2 && len(m.Rows) > 0 {
			return nil, nil, fmt.Errorf("regression: %s is %q in all rows used; a factor needs two values to compare", v.label, vars[i].levels[0])
		}
	}
	if err = m.inRows(); err != nil {
		return nil, nil, err
	}
	m.vars, m.columns = vars, f.columns(vars)
	for _, c := range m.columns {
		m.Names = append(m.Names, c.name)
	}
	if n, p := len(m.Rows), len(m.columns); p == 0 {
		return nil, nil, fmt.Errorf("regression: formula %q has no terms", f.text)
	} else if n < p || n == 0 {
		return nil, nil, fmt.Errorf("regression: %s (%s) for %s without a missing value (%d dropped): there must be as many rows at least",
			words.Count(p, "coefficient"), short(m.Names), words.Count(n, "row"), m.Dropped)
	}
	for _, c := range m.columns {
		m.design = append(m.design, c.values(m.vars, len(m.Rows)))
	}
	y, err = family.response(response.at(m.Rows), m.Rows)
	return m, y, err
}

// Fit fits a linear model by least squares: Fit(t, "height ~ treated + plot"). The formula is R's, see the package's
// documentation. Rows with a missing value in one of its variables are dropped, and counted in Dropped. The cost is
// O(rows · coefficients^2).
func Fit(t *table.Table, formula string) (*Model, error) { return FitWith(t, formula, nil) }

// leastSquares fits a linear model to the response.
func (m *Model) leastSquares(y []float64) {
	unit := scale.Of(y, m.offset)
	y = scale.Divided(y, unit)
	if m.offset != nil {
		y = difference(y, scale.Divided(m.offset, unit))
	}
	m.weights = roots(m.prior)
	m.qr = decompose(times(m.weights, m.design), 1e-7)
	effects := times(m.weights, [][]float64{y})[0]
	m.qr.effects(effects)
	m.Coefficients = m.qr.solve(effects)
	m.Fitted = m.predictor(m.Coefficients)
	m.Residuals = make([]float64, len(y))
	vec.Sub(m.Residuals, y, m.Fitted)

	n, rank := len(y), m.qr.rank
	m.DF = n - rank
	m.Deviance = m.squares(m.Residuals, 0)
	intercept, centre, yCentre := 0, 0.0, 0.0
	if m.formula.intercept() {
		intercept, centre, yCentre = 1, m.mean(m.Fitted), m.mean(y)
	}
	explained := m.squares(m.Fitted, centre)
	m.NullDeviance, m.NullDF = m.squares(y, yCentre), n-intercept
	m.Sigma = math.Sqrt(m.Deviance / float64(m.DF))
	if m.DF == 0 {
		m.Sigma = math.NaN()
		m.note("There are as many coefficients as rows: the model passes through every point, and there is nothing left to estimate errors from.")
	} else if m.Deviance <= 1e-30*m.squares(y, 0) {
		m.note("The fit is perfect but for rounding: standard errors and tests say nothing.")
	}
	m.RSquared = explained / (explained + m.Deviance)
	m.FDF = rank - intercept
	m.AdjustedR2 = 1 - (1-m.RSquared)*float64(m.NullDF)/float64(m.DF)
	m.F = explained / float64(m.FDF) / (m.Sigma * m.Sigma)
	if m.FDF == 0 {
		m.RSquared, m.AdjustedR2, m.F = 0, 0, math.NaN()
	}
	m.LogLik = -float64(n) / 2 * (vec.Log1(2*math.Pi*m.Deviance/float64(n)) + 1)
	for _, w := range m.prior {
		m.LogLik += vec.Log1(w) / 2
	}
	m.AIC = 2*float64(rank+1) - 2*m.LogLik
	m.finish()
	if unit != 1 {
		m.inUnit(unit)
	}
	m.distances = m.Residuals
	if m.offset != nil {
		vec.Add(m.Fitted, m.Fitted, m.offset)
	}
}

// inUnit multiplies the response of a linear model that has been fitted.
func (m *Model) inUnit(unit float64) {
	for _, x := range [][]float64{m.Coefficients, m.SE, m.Fitted, m.Residuals} {
		vec.Scale(x, unit, x)
	}
	m.Sigma *= unit
	m.Deviance, m.NullDeviance = m.Deviance*unit*unit, m.NullDeviance*unit*unit
	change := float64(len(m.Fitted)) * vec.Log1(unit)
	m.LogLik, m.AIC = m.LogLik-change, m.AIC+2*change
}

// finish sets the standard errors and the notes that every family has.
func (m *Model) finish() {
	m.SE = m.qr.errors()
	vec.Scale(m.SE, m.Sigma, m.SE)
	if names := m.Aliased(); len(names) > 0 {
		m.note("Not estimated, since the terms before them explain them exactly: %s.", strings.Join(names, ", "))
	}
}

func (m *Model) note(format string, args ...any) {
	m.Notes = append(m.Notes, fmt.Sprintf(format, args...))
}

// predictor returns the linear predictor in the rows used; coefficients that are NaN count as zero.
func (m *Model) predictor(b []float64) []float64 {
	eta := make([]float64, len(m.Rows))
	for j, x := range m.design {
		if !math.IsNaN(b[j]) {
			vec.Axpy(eta, b[j], x)
		}
	}
	return eta
}

// Leverage returns how far each row determines its own fitted value, the diagonal of the hat matrix, in [0, 1]. The mean is
// coefficients / rows.
func (m *Model) Leverage() []float64 {
	h := make([]float64, len(m.Rows))
	x := make([]float64, len(m.design))
	for i := range h {
		for j, c := range m.design {
			x[j] = c[i]
		}
		z := norm(m.qr.spread(x))
		if m.weights != nil {
			z *= m.weights[i]
		}
		h[i] = min(z*z, 1)
	}
	return h
}

// Standardised returns the residuals divided by their standard errors, Sigma·√(1 - leverage): about one in twenty is beyond
// ±2 where the model holds.
func (m *Model) Standardised() []float64 {
	out := m.Leverage()
	for i, h := range out {
		out[i] = m.Residuals[i] / (m.Sigma * math.Sqrt(1-h))
		if m.Family == Gaussian && m.weights != nil {
			out[i] *= m.weights[i]
		}
	}
	return out
}

func clone(x [][]float64) [][]float64 {
	out := make([][]float64, len(x))
	for j := range x {
		out[j] = slices.Clone(x[j])
	}
	return out
}

func mean(x []float64) float64 { return vec.Sum(x) / float64(len(x)) }

func squares(x []float64, centre float64) float64 {
	s := 0.0
	for _, v := range x {
		s += (v - centre) * (v - centre)
	}
	return s
}

// short lists names, of many the first.
func short(names []string) string {
	if len(names) > 8 {
		return strings.Join(names[:8], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
