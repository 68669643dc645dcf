package filtering

import (
	"fmt"
	"html"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// String shows the matrices of the model.
func (m *LinearGaussian) String() string {
	if err := m.Validate(); err != nil {
		return err.Error()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "linear Gaussian model of %d states and %d observed numbers\n", len(m.InitialMean), m.R.SymmetricDim())
	for _, p := range []struct {
		name   string
		matrix mat.Matrix
	}{
		{"A", m.A}, {"Q", m.Q}, {"C", m.C}, {"R", m.R}, {"InitialMean", mat.NewVecDense(len(m.InitialMean), m.InitialMean).T()}, {"InitialCov", m.InitialCov},
	} {
		head := p.name + " = "
		fmt.Fprintf(&b, "%s%.4g\n", head, mat.Formatted(p.matrix, mat.Prefix(strings.Repeat(" ", len(head))), mat.Squeeze()))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// String says how the fit ended, and shows its model.
func (f *LinearFit) String() string {
	if f == nil || f.Model == nil || len(f.LogLikelihood) == 0 {
		return "no fit"
	}
	how, last := "not converged", len(f.LogLikelihood)-1
	if f.Converged {
		how = "converged"
	}
	return fmt.Sprintf("%s after %d iterations, log-likelihood %.6g\n%s", how, last, f.LogLikelihood[last], f.Model)
}

// HTML is String for a notebook.
func (m *LinearGaussian) HTML() string { return preformatted(m.String()) }

// HTML is String for a notebook.
func (f *LinearFit) HTML() string { return preformatted(f.String()) }

func preformatted(text string) string { return "<pre>" + html.EscapeString(text) + "</pre>" }
