package regression

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"gaucho/internal/scale"
	"gaucho/internal/words"
	"gaucho/stdlib/table"
	"gaucho/stdlib/vec"
)

// A covariance is one of coefficients that is not that of the model: in squares of a unit, zero for coefficients without estimates.
type covariance struct {
	unit   float64
	matrix *mat.SymDense
	df     int // of the statistics' laws
}

// Robust returns the model with standard errors that hold also where the responses' variances are not those of the model: for a linear
// model not all the same, for the others not those of the family. The kinds are those of R's package sandwich and of statsmodels: HC0
// (White 1980), HC1 with rows / (rows - coefficients), HC2 and HC3 (MacKinnon and White 1985) with the leverages; HC3 is for small
// samples. Tests, intervals and predictions of the returned model use them; F, R² and Anova do not.
func (m *Model) Robust(kind string) (*Model, error) {
	power, ok := map[string]float64{"HC0": 0, "HC1": 0, "HC2": 0.5, "HC3": 1}[kind]
	if !ok {
		return nil, fmt.Errorf("regression: kind of standard errors is %q, must be HC0, HC1, HC2 or HC3", kind)
	}
	if m.DF == 0 {
		return nil, fmt.Errorf("regression: as many coefficients as rows leave nothing to estimate errors from")
	}
	pulls := m.pulls()
	if power > 0 {
		for i, h := range m.Leverage() {
			if 1-h < 1e-10 {
				return nil, fmt.Errorf("regression: row %d alone determines its fitted value (leverage 1), which %s cannot take; use HC1", m.Rows[i], kind)
			}
			root := math.Sqrt(1 - h)
			if power == 1 {
				root = 1 - h
			}
			vec.Scale(pulls[i], 1/root, pulls[i])
		}
	}
	factor := 1.0
	if kind == "HC1" {
		factor = float64(len(m.Rows)) / float64(m.DF)
	}
	return m.withErrors(pulls, factor, m.DF, fmt.Sprintf("Standard errors are robust to unequal variances (%s).", kind)), nil
}

// Clustered returns the model with standard errors that hold also where the responses of rows with the same value in a column are
// correlated, such as pupils of a school: R's vcovCL and statsmodels' cov_type "cluster", with the factor G/(G-1) (n-1)/(n-p) for G
// clusters. Tests and intervals use G-1 degrees of freedom in a linear model. Few clusters, below 30 say, give errors that are too small. The table is
// the one that the model was fitted to; a row without a value in the column is an error.
func (m *Model) Clustered(t *table.Table, column string) (*Model, error) {
	if t == nil || !t.Has(column) {
		if t == nil {
			return nil, fmt.Errorf("regression: the table is nil")
		}
		return nil, noColumn(t, column)
	}
	if n := len(m.Rows) + m.Dropped; t.Len() != n {
		return nil, fmt.Errorf("regression: the table has %d rows, and the one that the model was fitted to %d", t.Len(), n)
	}
	if m.DF == 0 {
		return nil, fmt.Errorf("regression: as many coefficients as rows leave nothing to estimate errors from")
	}
	c := t.Column(column)
	numbers := map[any]int{}
	var sums [][]float64
	for i, pull := range m.pulls() {
		value := c.Value(m.Rows[i])
		if value == nil {
			return nil, fmt.Errorf("regression: column %s has no value in row %d", column, m.Rows[i])
		}
		g, known := numbers[value]
		if !known {
			g = len(sums)
			numbers[value] = g
			sums = append(sums, make([]float64, len(pull)))
		}
		vec.Add(sums[g], sums[g], pull)
	}
	g, n := float64(len(sums)), float64(len(m.Rows))
	if g < 2 {
		return nil, fmt.Errorf("regression: column %s has one value: there must be at least two clusters", column)
	}
	factor := g / (g - 1) * (n - 1) / float64(m.DF)
	return m.withErrors(sums, factor, len(sums)-1, fmt.Sprintf("Standard errors are clustered by %s (%s).", column, words.Count(len(sums), "cluster"))), nil
}

// pulls are how far each row has moved the coefficients from where they would be, to first order; zero for those without estimates.
func (m *Model) pulls() [][]float64 {
	out := make([][]float64, len(m.Rows))
	x := make([]float64, len(m.design))
	for i := range out {
		for j, c := range m.design {
			x[j] = c[i]
		}
		b := m.qr.solve(m.qr.spread(x))
		for j, v := range b {
			if math.IsNaN(v) {
				b[j] = 0
			}
		}
		vec.Scale(b, m.weight(i)*m.distances[i], b)
		out[i] = b
	}
	return out
}

// withErrors returns the model with the covariance of its coefficients that is a factor times the sum of the squares of the pulls.
func (m *Model) withErrors(pulls [][]float64, factor float64, df int, note string) *Model {
	p, unit := len(m.Names), scale.Of(pulls...)
	sum := mat.NewSymDense(p, nil)
	for _, pull := range pulls {
		sum.SymRankOne(sum, factor, mat.NewVecDense(p, scale.Divided(pull, unit)))
	}
	out := *m
	out.robust = &covariance{unit, sum, df}
	out.SE = make([]float64, p)
	for j, b := range m.Coefficients {
		out.SE[j] = unit * math.Sqrt(sum.At(j, j))
		if math.IsNaN(b) {
			out.SE[j] = math.NaN()
		}
	}
	out.Notes = nil
	for _, n := range m.Notes {
		if !strings.HasPrefix(n, "Standard errors are ") {
			out.Notes = append(out.Notes, n)
		}
	}
	if out.FDF > 0 && out.Family == Gaussian {
		note += " The F statistic is by the ordinary ones."
	}
	out.note("%s", note)
	return &out
}

// error is the standard error of the linear predictor at a row of the design.
func (m *Model) error(x []float64) float64 {
	if m.robust == nil {
		return m.Sigma * norm(m.qr.spread(x))
	}
	v := mat.NewVecDense(len(x), x)
	return m.robust.unit * math.Sqrt(max(mat.Inner(v, m.robust.matrix, v), 0))
}

// testDF are the degrees of freedom of a linear model's statistics.
func (m *Model) testDF() int {
	if m.robust != nil {
		return m.robust.df
	}
	return m.DF
}
