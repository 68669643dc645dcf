package em

import (
	"fmt"
	"html"
	"math"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/gonum/mat"

	"gaucho/internal/words"
)

// Fits, models and outputs show their parameters as a table, a row for each state: in a
// notebook by HTML, elsewhere by String.

// most is the number of columns of parameters that a table shows.
const most = 16

// A sheet is such a table.
type sheet struct {
	title string
	head  []string
	rows  [][]float64
}

// described is an output that names its parameters.
type described interface {
	// columns returns names of parameters, and their values for each state.
	columns() (names []string, values [][]float64)
}

var _, _, _, _ described = (*Gaussian)(nil), (*GaussianMixture)(nil), (*Poisson)(nil), (*Categorical)(nil)

// add appends columns, as many as are shown.
func (s *sheet) add(names []string, values [][]float64) {
	names = names[:min(len(names), max(most-len(s.head), 0))]
	s.head = append(s.head, names...)
	for j := range s.rows {
		s.rows[j] = append(s.rows[j], values[j][:len(names)]...)
	}
}

func (s *sheet) addOutput(o Output) {
	d, ok := o.(described)
	if !ok {
		s.title += fmt.Sprintf(", outputs %T", o)
		return
	}
	names, values := d.columns()
	all := len(names) + len(s.head)
	s.add(names, values)
	if all > most {
		s.title += fmt.Sprintf(", %d of %d columns", most, all)
	}
}

func (s *sheet) text() string {
	var b strings.Builder
	fmt.Fprintln(&b, s.title)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "state\t%s\t\n", strings.Join(s.head, "\t"))
	for j, row := range s.rows {
		fmt.Fprintf(w, "%d\t", j)
		for _, v := range row {
			fmt.Fprintf(w, "%.4g\t", v)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

func (s *sheet) html() string {
	var b strings.Builder
	fmt.Fprintf(&b, "<table><caption>%s</caption><thead><tr><th>state</th>", html.EscapeString(s.title))
	for _, h := range s.head {
		fmt.Fprintf(&b, "<th>%s</th>", html.EscapeString(h))
	}
	b.WriteString("</tr></thead><tbody>")
	for j, row := range s.rows {
		fmt.Fprintf(&b, "<tr><th>%d</th>", j)
		for _, v := range row {
			fmt.Fprintf(&b, "<td>%.4g</td>", v)
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</tbody></table>")
	return b.String()
}

// column returns a vector as the rows of a column.
func column(v []float64) [][]float64 {
	out := make([][]float64, len(v))
	for j, x := range v {
		out[j] = []float64{x}
	}
	return out
}

func matrixRows(m *mat.Dense) [][]float64 {
	r, _ := m.Dims()
	out := make([][]float64, r)
	for j := range out {
		out[j] = m.RawRowView(j)
	}
	return out
}

func numbered(format string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(format, i)
	}
	return out
}

func (g *Gaussian) columns() (names []string, values [][]float64) {
	s, d := g.Means.Dims()
	names = append(numbered("mean %d", d), numbered("sd %d", d)...)
	values = make([][]float64, s)
	for j := range s {
		values[j] = append(values[j], g.Means.RawRowView(j)...)
		for a := range d {
			values[j] = append(values[j], math.Sqrt(g.variance(j, a, a)))
		}
	}
	if g.Kind != Full && g.Kind != Tied {
		return names, values
	}
	for a := range d {
		for b := a + 1; b < d; b++ {
			names = append(names, fmt.Sprintf("cor %d,%d", a, b))
			for j := range s {
				values[j] = append(values[j], g.variance(j, a, b)/math.Sqrt(g.variance(j, a, a)*g.variance(j, b, b)))
			}
		}
	}
	return names, values
}

// variance returns an element of the covariance of a state.
func (g *Gaussian) variance(state, a, b int) float64 {
	switch {
	case g.Kind == Full:
		return g.Covariances[state].At(a, b)
	case g.Kind == Tied:
		return g.Covariances[0].At(a, b)
	case a == b:
		return g.Variances.At(state, a)
	}
	return 0
}

func (g *GaussianMixture) columns() (names []string, values [][]float64) {
	s, m := g.Weights.Dims()
	parts, of := g.Parts.columns()
	values = make([][]float64, s)
	for k := range m {
		names = append(names, fmt.Sprintf("weight of %d", k))
		for _, p := range parts {
			names = append(names, fmt.Sprintf("%s of %d", p, k))
		}
		for j := range s {
			values[j] = append(append(values[j], g.Weights.At(j, k)), of[j*m+k]...)
		}
	}
	return names, values
}

func (p *Poisson) columns() (names []string, values [][]float64) {
	return numbered("rate %d", p.Dim()), matrixRows(p.Rate)
}

func (c *Categorical) columns() (names []string, values [][]float64) {
	_, symbols := c.Prob.Dims()
	return numbered("P(%d)", symbols), matrixRows(c.Prob)
}

// outputSheet is the table of an output by itself, nil if it is not valid.
func outputSheet(o Output, title string) *sheet {
	s := &sheet{title: title, rows: make([][]float64, o.States())}
	s.addOutput(o)
	return s
}

func (m *Model) sheet(title string) *sheet {
	n := m.States()
	s := &sheet{title: title, rows: make([][]float64, n)}
	s.add([]string{"start"}, column(m.Start))
	s.add(numbered("to %d", n), matrixRows(m.Transition))
	s.addOutput(m.Output)
	return s
}

func (m *Mixture) sheet(title string) *sheet {
	s := &sheet{title: title, rows: make([][]float64, len(m.Weights))}
	s.add([]string{"weight"}, column(m.Weights))
	s.addOutput(m.Output)
	return s
}

// show returns a form of the table of valid parameters, and what is wrong with others.
func show(check func() error, table func() *sheet, form func(*sheet) string) string {
	if err := check(); err != nil {
		return err.Error()
	}
	return form(table())
}

func (m *Model) table() *sheet {
	return m.sheet(fmt.Sprintf("hidden Markov model of %s, %d parameters", words.Count(m.States(), "state"), m.Parameters()))
}

func (m *Mixture) table() *sheet {
	return m.sheet(fmt.Sprintf("mixture of %s, %d parameters", words.Count(len(m.Weights), "component"), m.Parameters()))
}

// String returns the parameters as a table, a row for each state.
func (m *Model) String() string { return show(m.Check, m.table, (*sheet).text) }

// HTML returns the parameters as a table, a row for each state.
func (m *Model) HTML() string { return htmlOf(show(m.Check, m.table, (*sheet).html)) }

// String returns the parameters as a table, a row for each component.
func (m *Mixture) String() string { return show(m.Check, m.table, (*sheet).text) }

// HTML returns the parameters as a table, a row for each component.
func (m *Mixture) HTML() string { return htmlOf(show(m.Check, m.table, (*sheet).html)) }

// htmlOf escapes what is no table: an error's text.
func htmlOf(s string) string {
	if strings.HasPrefix(s, "<table>") {
		return s
	}
	return html.EscapeString(s)
}

// summary says how a fit has ended.
func summary(logLikelihood []float64, converged bool, aic, bic float64) string {
	t := len(logLikelihood) - 1
	end := "not converged"
	if converged {
		end = "converged"
	}
	return fmt.Sprintf("; %s after %s, log-likelihood %.6g, AIC %.6g, BIC %.6g", end, words.Count(t, "iteration"), logLikelihood[t], aic, bic)
}

func (f *Fit) table() *sheet {
	if f.Model == nil || len(f.LogLikelihood) == 0 {
		return &sheet{title: "no fit"}
	}
	s := f.Model.table()
	s.title += summary(f.LogLikelihood, f.Converged, f.AIC(), f.BIC())
	return s
}

func (f *MixtureFit) table() *sheet {
	if f.Mixture == nil || len(f.LogLikelihood) == 0 {
		return &sheet{title: "no fit"}
	}
	s := f.Mixture.table()
	s.title += summary(f.LogLikelihood, f.Converged, f.AIC(), f.BIC())
	return s
}

// String returns how the fit has ended and the parameters as a table.
func (f *Fit) String() string { return f.table().text() }

// HTML returns how the fit has ended and the parameters as a table.
func (f *Fit) HTML() string { return f.table().html() }

// String returns how the fit has ended and the parameters as a table.
func (f *MixtureFit) String() string { return f.table().text() }

// HTML returns how the fit has ended and the parameters as a table.
func (f *MixtureFit) HTML() string { return f.table().html() }

// AIC returns Akaike's criterion 2k - 2 log L of the fitted model on its data.
func (f *Fit) AIC() float64 { return f.Model.AIC(last(f.LogLikelihood)) }

// BIC returns Schwarz's criterion k log n - 2 log L of the fitted model on its data.
func (f *Fit) BIC() float64 { return f.Model.BIC(last(f.LogLikelihood), f.Observations) }

// AIC returns Akaike's criterion 2k - 2 log L of the fitted mixture on its data.
func (f *MixtureFit) AIC() float64 { return f.Mixture.AIC(last(f.LogLikelihood)) }

// BIC returns Schwarz's criterion k log n - 2 log L of the fitted mixture on its data.
func (f *MixtureFit) BIC() float64 { return f.Mixture.BIC(last(f.LogLikelihood), f.Observations) }

func last(x []float64) float64 { return x[len(x)-1] }

func (g *Gaussian) table() *sheet {
	return outputSheet(g, fmt.Sprintf("Gaussian outputs, %s covariances", g.Kind))
}

func (g *GaussianMixture) table() *sheet {
	return outputSheet(g, fmt.Sprintf("outputs that are mixtures of Gaussians, %s covariances", g.Parts.Kind))
}

func (p *Poisson) table() *sheet     { return outputSheet(p, "Poisson outputs") }
func (c *Categorical) table() *sheet { return outputSheet(c, "categorical outputs") }

// String returns means, standard deviations and correlations as a table.
func (g *Gaussian) String() string { return show(g.Check, g.table, (*sheet).text) }

// HTML returns means, standard deviations and correlations as a table.
func (g *Gaussian) HTML() string { return htmlOf(show(g.Check, g.table, (*sheet).html)) }

// String returns the parameters as a table.
func (g *GaussianMixture) String() string { return show(g.Check, g.table, (*sheet).text) }

// HTML returns the parameters as a table.
func (g *GaussianMixture) HTML() string { return htmlOf(show(g.Check, g.table, (*sheet).html)) }

// String returns the rates as a table.
func (p *Poisson) String() string { return show(p.Check, p.table, (*sheet).text) }

// HTML returns the rates as a table.
func (p *Poisson) HTML() string { return htmlOf(show(p.Check, p.table, (*sheet).html)) }

// String returns the probabilities as a table.
func (c *Categorical) String() string { return show(c.Check, c.table, (*sheet).text) }

// HTML returns the probabilities as a table.
func (c *Categorical) HTML() string { return htmlOf(show(c.Check, c.table, (*sheet).html)) }
