package em

import (
	"context"
	"fmt"
	"html"
	"math"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// StandardErrors are the large-sample errors of a maximum likelihood fit.
type StandardErrors struct {
	Parameters []string  // as "mean 0 of state 1", every number of the model but the law of the first state
	Estimate   []float64 // what the fit has
	Error      []float64 // its standard error
	// Covariance is that of the estimates, the inverse of the observed information. Rows of the transition matrix and
	// weights sum to 1, so it is singular.
	Covariance *mat.SymDense
}

// Interval returns the ends of the normal intervals estimate -+ z error with the given confidence, as 0.95.
func (s *StandardErrors) Interval(confidence float64) (low, high []float64, err error) {
	if !(confidence > 0 && confidence < 1) {
		return nil, nil, fmt.Errorf("em: confidence is %v, must be above 0 and below 1", confidence)
	}
	z := distuv.UnitNormal.Quantile((1 + confidence) / 2)
	for i, v := range s.Estimate {
		low, high = append(low, v-z*s.Error[i]), append(high, v+z*s.Error[i])
	}
	return low, high, nil
}

// StandardErrors returns the standard errors of a model that maximises the likelihood of the independent sequences x, from
// the observed information: minus the second derivatives of the log-likelihood, by central differences. The law of the first
// state is taken as known, as one sequence says next to nothing of it. O(k^2) evaluations of the likelihood for k parameters.
// Errors: those of LogLikelihood, outputs other than Gaussian, Poisson and Categorical, a transition of probability 0 or 1,
// at which no normal law holds, a model that is not near a maximum (a Newton step of more than a tenth of a standard error;
// fits with a prior or at a floor are none), a cancelled context.
func (m *Model) StandardErrors(ctx context.Context, x ...*mat.Dense) (*StandardErrors, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	if len(x) == 0 {
		return nil, fmt.Errorf("em: there are no sequences")
	}
	in := &information{}
	transition := mat.DenseCopyOf(m.Transition)
	for j := range m.States() {
		row := transition.RawRowView(j)
		name := func(k int) string { return fmt.Sprintf("transition %d to %d", j, k) }
		if err := in.addLaw(row, name); err != nil {
			return nil, err
		}
	}
	output, err := in.addOutput(m.Output)
	if err != nil {
		return nil, err
	}
	at := &Model{Start: m.Start, Transition: transition, Output: output}
	return in.solve(ctx, func() (float64, error) {
		sum := 0.0
		for q, seq := range x {
			l, err := at.LogLikelihood(seq)
			if err != nil {
				return 0, inSequence(err, q, len(x))
			}
			sum += l
		}
		return sum, nil
	})
}

// StandardErrors returns the standard errors of a mixture that maximises the likelihood of the rows of x, as those of a
// [Model], the weights included.
func (m *Mixture) StandardErrors(ctx context.Context, x *mat.Dense) (*StandardErrors, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	in := &information{}
	at := &Mixture{Weights: append([]float64(nil), m.Weights...)}
	if err := in.addLaw(at.Weights, func(k int) string { return fmt.Sprintf("weight %d", k) }); err != nil {
		return nil, err
	}
	var err error
	if at.Output, err = in.addOutput(m.Output); err != nil {
		return nil, err
	}
	return in.solve(ctx, func() (float64, error) {
		_, l, err := at.Posterior(x)
		return l, err
	})
}

// An information holds the free parameters of a model that can be changed in place, and how the reported ones depend on
// them.
type information struct {
	move  []func(by float64) // changes a free parameter
	scale []float64          // its scale, for the step of differences
	names []string           // of the reported parameters
	value []float64
	from  []map[int]float64 // a reported parameter's derivatives by free ones
}

func (in *information) free(scale float64, move func(by float64)) int {
	in.move, in.scale = append(in.move, move), append(in.scale, scale)
	return len(in.move) - 1
}

func (in *information) report(name string, value float64, from map[int]float64) {
	in.names, in.value, in.from = append(in.names, name), append(in.value, value), append(in.from, from)
}

// addLaw adds probabilities that sum to 1: all but the largest are free.
func (in *information) addLaw(law []float64, name func(k int) string) error {
	if len(law) == 1 {
		return nil
	}
	most := 0
	for k, p := range law {
		if p > law[most] {
			most = k
		}
	}
	rest := map[int]float64{}
	own := make([]map[int]float64, len(law))
	for k, p := range law {
		if k == most {
			continue
		}
		if p < 1e-8 {
			return fmt.Errorf("em: %s is %.3g, on the edge of what is possible: no standard errors there", name(k), p)
		}
		i := in.free(min(p, law[most]), func(by float64) { law[k] += by; law[most] -= by })
		own[k], rest[i] = map[int]float64{i: 1}, -1
	}
	own[most] = rest
	for k, p := range law {
		in.report(name(k), p, own[k])
	}
	return nil
}

// add adds a number that is free by itself.
func (in *information) add(name string, at *float64, scale float64) {
	in.report(name, *at, map[int]float64{in.free(scale, func(by float64) { *at += by }): 1})
}

// addOutput adds the parameters of a copy of an output, which it returns.
func (in *information) addOutput(o Output) (Output, error) {
	switch o := o.(type) {
	case *Gaussian:
		return in.addGaussian(o), nil
	case *Poisson:
		out := *o
		out.Rate = mat.DenseCopyOf(o.Rate)
		s, d := out.Rate.Dims()
		for j := range s {
			for c := range d {
				at := &out.Rate.RawRowView(j)[c]
				in.add(fmt.Sprintf("rate %d of state %d", c, j), at, *at)
			}
		}
		return &out, nil
	case *Categorical:
		out := *o
		out.Prob = mat.DenseCopyOf(o.Prob)
		s, _ := out.Prob.Dims()
		for j := range s {
			if err := in.addLaw(out.Prob.RawRowView(j), func(k int) string { return fmt.Sprintf("symbol %d in state %d", k, j) }); err != nil {
				return nil, err
			}
		}
		return &out, nil
	}
	return nil, fmt.Errorf("em: standard errors are for outputs *em.Gaussian, *em.Poisson and *em.Categorical, not %T", o)
}

func (in *information) addGaussian(o *Gaussian) *Gaussian {
	out := *o
	out.Means = mat.DenseCopyOf(o.Means)
	s, d := out.Means.Dims()
	for j := range s {
		for c := range d {
			in.add(fmt.Sprintf("mean %d of state %d", c, j), &out.Means.RawRowView(j)[c], math.Sqrt(o.variance(j, c, c)))
		}
	}
	if o.Known {
		return &out
	}
	switch o.Kind {
	case Spherical:
		out.Variances = mat.DenseCopyOf(o.Variances)
		for j := range s {
			row := out.Variances.RawRowView(j)
			i := in.free(row[0], func(by float64) {
				for c := range row {
					row[c] += by
				}
			})
			in.report(fmt.Sprintf("variance of state %d", j), row[0], map[int]float64{i: 1})
		}
	case Diagonal:
		out.Variances = mat.DenseCopyOf(o.Variances)
		for j := range s {
			for c := range d {
				at := &out.Variances.RawRowView(j)[c]
				in.add(fmt.Sprintf("variance %d of state %d", c, j), at, *at)
			}
		}
	default:
		out.Covariances = nil
		for j, cov := range o.Covariances {
			own := mat.NewSymDense(d, nil)
			own.CopySym(cov)
			out.Covariances = append(out.Covariances, own)
			for a := range d {
				for b := a; b < d; b++ {
					name := fmt.Sprintf("covariance %d, %d", a, b)
					if o.Kind == Full {
						name += fmt.Sprintf(" of state %d", j)
					}
					i := in.free(math.Sqrt(cov.At(a, a)*cov.At(b, b)), func(by float64) { own.SetSym(a, b, own.At(a, b)+by) })
					in.report(name, cov.At(a, b), map[int]float64{i: 1})
				}
			}
		}
	}
	return &out
}

// solve differentiates the log-likelihood of the parameters as they are and inverts.
func (in *information) solve(ctx context.Context, logLik func() (float64, error)) (*StandardErrors, error) {
	hessian, gradient, err := in.differentiate(ctx, logLik)
	if err != nil {
		return nil, err
	}
	k := len(in.move)
	var factor mat.Cholesky
	if !factor.Factorize(hessian) {
		return nil, fmt.Errorf("em: the log-likelihood is not concave here: the model is not at a maximum, or has more states than the data tell apart; fit with a smaller tolerance or with fewer states")
	}
	var step mat.VecDense
	if err := factor.SolveVecTo(&step, gradient); err != nil {
		return nil, fmt.Errorf("em: the observed information cannot be inverted: %w", err)
	}
	if off := math.Sqrt(mat.Dot(&step, gradient)); off > 0.1 {
		return nil, fmt.Errorf("em: the model is %.2g standard errors from a maximum of the likelihood, must be below 0.1: fit with a smaller tolerance, without prior and floor", off)
	}
	inverse := mat.NewSymDense(k, nil)
	if err := factor.InverseTo(inverse); err != nil {
		return nil, fmt.Errorf("em: the observed information cannot be inverted: %w", err)
	}
	jacobian := mat.NewDense(len(in.names), k, nil)
	for r, from := range in.from {
		for i, v := range from {
			jacobian.Set(r, i, v)
		}
	}
	var left, full mat.Dense
	left.Mul(jacobian, inverse)
	full.Mul(&left, jacobian.T())
	out := &StandardErrors{Parameters: in.names, Estimate: in.value, Covariance: mat.NewSymDense(len(in.names), nil)}
	for r := range in.names {
		for c := r; c < len(in.names); c++ {
			out.Covariance.SetSym(r, c, full.At(r, c))
		}
		out.Error = append(out.Error, math.Sqrt(full.At(r, r)))
	}
	return out, nil
}

// differentiate returns minus the second and the first derivatives, with steps of 2e-4 of each scale: rounding and the next
// term of the series then both are below 1e-5. What is
// moved is moved back.
func (in *information) differentiate(ctx context.Context, logLik func() (float64, error)) (*mat.SymDense, *mat.VecDense, error) {
	k := len(in.move)
	hessian, gradient := mat.NewSymDense(k, nil), mat.NewVecDense(k, nil)
	var failed error
	at := func(i int, a float64, j int, b float64) float64 {
		if failed == nil {
			failed = ctx.Err()
		}
		if failed != nil {
			return math.NaN()
		}
		in.move[i](a)
		in.move[j](b)
		l, err := logLik()
		in.move[j](-b)
		in.move[i](-a)
		failed = err
		return l
	}
	for i := range k {
		h := in.scale[i] * 2e-4
		up, centre, down := at(i, h, i, 0), at(i, 0, i, 0), at(i, -h, i, 0)
		gradient.SetVec(i, (up-down)/(2*h))
		hessian.SetSym(i, i, (2*centre-up-down)/(h*h))
		for j := range i {
			g := in.scale[j] * 2e-4
			hessian.SetSym(i, j, (at(i, h, j, -g)+at(i, -h, j, g)-at(i, h, j, g)-at(i, -h, j, -g))/(4*h*g))
		}
	}
	return hessian, gradient, failed
}

// String returns the parameters with their errors, a line each.
func (s *StandardErrors) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "parameter\testimate\terror\t")
	for i, name := range s.Parameters {
		fmt.Fprintf(w, "%s\t%.4g\t%.2g\t\n", name, s.Estimate[i], s.Error[i])
	}
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

// HTML returns the same as a table, for notebooks.
func (s *StandardErrors) HTML() string {
	var b strings.Builder
	b.WriteString("<table><thead><tr><th>parameter</th><th>estimate</th><th>standard error</th></tr></thead><tbody>")
	for i, name := range s.Parameters {
		fmt.Fprintf(&b, "<tr><th>%s</th><td>%.4g</td><td>%.2g</td></tr>", html.EscapeString(name), s.Estimate[i], s.Error[i])
	}
	b.WriteString("</tbody></table>")
	return b.String()
}
