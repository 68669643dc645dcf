package herding

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"
)

// None is 0 in settings whose zero means another default: no ridge, a threshold of 0.
const None = settings.None

// LogisticSettings are the settings of [FitLogistic]. Fields that are zero have the
// values of [DefaultLogisticSettings]; None is 0 for Ridge.
type LogisticSettings struct {
	// Ridge is the factor of half the squared norm of the coefficients that is
	// added to the sum of the losses. Without it small samples that can be
	// separated have no finite solution. Default 1; None is no ridge.
	Ridge float64
	// NoIntercept says that the last column of X is one like the others. By
	// default it is constant, and its coefficient free of the ridge.
	NoIntercept bool
	// Iterations is the largest number of Newton steps. Default 100.
	Iterations int
}

// DefaultLogisticSettings returns ridge 1, an intercept in the last column, and
// 100 iterations.
func DefaultLogisticSettings() *LogisticSettings {
	return &LogisticSettings{Ridge: 1, Iterations: 100}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *LogisticSettings) WithDefaults() *LogisticSettings {
	return settings.Fill(s, DefaultLogisticSettings())
}

// resolve returns the settings in effect, None as 0.
func (s *LogisticSettings) resolve() *LogisticSettings {
	out := s.WithDefaults()
	settings.Clear(&out.Ridge)
	return out
}

// FitLogistic returns the coefficients theta (length D) that minimise
//
//	sum_i weights[i] log(1 + exp(-(2 y_i - 1) theta . x_i)) + ridge/2 |theta|^2
//
// for the rows of X (n x D) and labels y_i of 0 or 1, by Newton's method with
// step halving, to steps below 1e-7. Nil weights mean 1 each; nil settings
// [DefaultLogisticSettings]. Cost O(n D^2 + D^3) an iteration.
func FitLogistic(ctx context.Context, X *mat.Dense, y, weights []float64, settings *LogisticSettings) ([]float64, error) {
	settings = settings.resolve()
	if err := checkLabels(X, y); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	if weights != nil && len(weights) != n {
		return nil, fmt.Errorf("herding: %d weights for %d points", len(weights), n)
	}
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 1) {
			return nil, fmt.Errorf("herding: weight %d is %v, must be finite and not negative", i, w)
		}
	}
	if !(settings.Ridge >= 0) {
		return nil, fmt.Errorf("herding: ridge is %v, must not be negative", settings.Ridge)
	}
	f := &logistic{x: X, y: y, weights: weights, ridge: make([]float64, d)}
	for j := range d {
		if settings.NoIntercept || j < d-1 {
			f.ridge[j] = settings.Ridge
		}
	}
	theta := make([]float64, d)
	value := f.value(theta)
	for range settings.Iterations {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		step, err := f.newton(theta)
		if err != nil {
			return nil, err
		}
		size := 0.0
		for _, s := range step {
			size = math.Max(size, math.Abs(s))
		}
		if size < 1e-7 {
			return theta, nil
		}
		trial := make([]float64, d)
		for scale := 1.0; ; scale /= 2 {
			for j := range trial {
				trial[j] = theta[j] + scale*step[j]
			}
			if v := f.value(trial); v <= value {
				value = v
				break
			}
			if scale < 1e-8 { // at the minimum up to rounding
				return theta, nil
			}
		}
		copy(theta, trial)
	}
	return nil, fmt.Errorf("herding: logistic regression has not converged in %d iterations", settings.Iterations)
}

func checkLabels(X *mat.Dense, y []float64) error {
	if X == nil || X.IsEmpty() {
		return fmt.Errorf("herding: there are no points")
	}
	n, _ := X.Dims()
	if len(y) != n {
		return fmt.Errorf("herding: %d labels for %d points", len(y), n)
	}
	for i, v := range y {
		if v != 0 && v != 1 {
			return fmt.Errorf("herding: label %d is %v, must be 0 or 1", i, v)
		}
	}
	return nil
}

// logistic is the objective of a fit.
type logistic struct {
	x       *mat.Dense
	y       []float64
	weights []float64
	ridge   []float64
}

func (f *logistic) weight(i int) float64 {
	if f.weights == nil {
		return 1
	}
	return f.weights[i]
}

func (f *logistic) value(theta []float64) float64 {
	var s float64
	for i, y := range f.y {
		s += f.weight(i) * softplus(-(2*y-1)*vec.Dot(theta, f.x.RawRowView(i)))
	}
	for j, t := range theta {
		s += 0.5 * f.ridge[j] * t * t
	}
	return s
}

// newton returns the Newton step, -(X'WX + ridge)^-1 gradient.
func (f *logistic) newton(theta []float64) ([]float64, error) {
	n, d := f.x.Dims()
	const block = 256
	type part struct {
		h *mat.SymDense
		g []float64
	}
	parts := make([]part, parallel.Count(n, block))
	parallel.Blocks(n, block, func(b, lo, hi int) {
		rows := mat.NewDense(hi-lo, d, nil)
		g := make([]float64, d)
		for i := lo; i < hi; i++ {
			x := f.x.RawRowView(i)
			p := vec.Logistic1(vec.Dot(theta, x))
			w := f.weight(i)
			vec.Axpy(g, w*(p-f.y[i]), x)
			vec.Scale(rows.RawRowView(i-lo), math.Sqrt(w*p*(1-p)), x)
		}
		parts[b] = part{linalg.SymRankKTrans(nil, 1, rows, 0), g}
	})
	h, g := parts[0].h, parts[0].g
	for _, p := range parts[1:] {
		h.AddSym(h, p.h)
		vec.Add(g, g, p.g)
	}
	for j, t := range theta {
		g[j] += f.ridge[j] * t
		h.SetSym(j, j, h.At(j, j)+f.ridge[j])
	}
	chol, err := linalg.NewCholesky(h)
	for bump := 1e-12; err != nil; bump *= 10 {
		if bump > 1 {
			return nil, fmt.Errorf("herding: Hessian of the logistic loss is singular; raise ridge")
		}
		for j := range d {
			h.SetSym(j, j, h.At(j, j)*(1+bump)+bump)
		}
		chol, err = linalg.NewCholesky(h)
	}
	chol.SolveVecTo(g, g)
	vec.Scale(g, -1, g)
	return g, nil
}

// softplus returns log(1 + exp(x)) without overflow.
func softplus(x float64) float64 {
	return math.Max(x, 0) + vec.Log1p1(vec.Exp1(-math.Abs(x)))
}

// LogisticLoss returns the mean negative log-likelihood of labels y (0 or 1) at
// the rows of X under logistic regression with the given coefficients.
func LogisticLoss(theta []float64, X *mat.Dense, y []float64) (float64, error) {
	if err := checkLabels(X, y); err != nil {
		return 0, err
	}
	n, d := X.Dims()
	if len(theta) != d {
		return 0, fmt.Errorf("herding: %d coefficients for points of dimension %d", len(theta), d)
	}
	f := &logistic{x: X, y: y, ridge: make([]float64, d)}
	return f.value(theta) / float64(n), nil
}

// FisherFeatures returns the gradient of each point's log-likelihood at theta,
// (y_i - P(1 | x_i)) x_i, as the rows of an n x D matrix (Khanna et al. 2021,
// section 6.2). The kernel [rkhs.Fisher] on these features is the Fisher kernel,
// [rkhs.Linear] its "practical" form, [rkhs.Normalized] of that the standardised
// one. All three have rank D at most; a [rkhs.Gaussian] kernel on the features
// has no such limit.
func FisherFeatures(theta []float64, X *mat.Dense, y []float64) (*mat.Dense, error) {
	if err := checkLabels(X, y); err != nil {
		return nil, err
	}
	n, d := X.Dims()
	if len(theta) != d {
		return nil, fmt.Errorf("herding: %d coefficients for points of dimension %d", len(theta), d)
	}
	F := mat.NewDense(n, d, nil)
	for i := range n {
		x := X.RawRowView(i)
		vec.Scale(F.RawRowView(i), y[i]-vec.Logistic1(vec.Dot(theta, x)), x)
	}
	return F, nil
}
