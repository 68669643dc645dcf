package em

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/vec"
)

// Symmetric is the model of Yang 2018, section 2.4: a chain on z = -1, +1 that
// stays with probability Zeta and starts uniform, and observations N(z Mean,
// Sigma^2 I). (Mean, Zeta) and (-Mean, Zeta) have the same law.
type Symmetric struct {
	Mean  []float64
	Zeta  float64 // in (0, 1)
	Sigma float64 // known
}

// Beta returns log(Zeta/(1-Zeta))/2, the natural parameter of the transition.
func (m *Symmetric) Beta() float64 { return (vec.Log1(m.Zeta) - vec.Log1(1-m.Zeta)) / 2 }

// Check says what is wrong with the parameters.
func (m *Symmetric) Check() error {
	if len(m.Mean) == 0 {
		return fmt.Errorf("em: mean is empty")
	}
	for _, v := range m.Mean {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("em: mean has %v, must be finite", v)
		}
	}
	if !(m.Zeta > 0 && m.Zeta < 1) {
		return fmt.Errorf("em: zeta is %v, must be between 0 and 1", m.Zeta)
	}
	if !(m.Sigma > 0) || math.IsInf(m.Sigma, 1) {
		return fmt.Errorf("em: sigma is %v, must be positive", m.Sigma)
	}
	return nil
}

func (m *Symmetric) check(x *mat.Dense) error {
	if err := m.Check(); err != nil {
		return err
	}
	shape := Model{Output: &Gaussian{Means: mat.NewDense(1, len(m.Mean), nil)}}
	return shape.checkSequence(x)
}

// Model returns the same law as a general model: state 0 is z = -1, state 1 is
// z = +1.
func (m *Symmetric) Model() *Model {
	d := len(m.Mean)
	g := &Gaussian{Means: mat.NewDense(2, d, nil), Kind: Spherical, Variances: mat.NewDense(2, d, nil), Known: true}
	for a, v := range m.Mean {
		g.Means.Set(0, a, -v)
		g.Means.Set(1, a, v)
		g.Variances.Set(0, a, m.Sigma*m.Sigma)
		g.Variances.Set(1, a, m.Sigma*m.Sigma)
	}
	return &Model{Start: []float64{.5, .5}, Transition: mat.NewDense(2, 2, []float64{m.Zeta, 1 - m.Zeta, 1 - m.Zeta, m.Zeta}), Output: g}
}

// Sample draws n observations and their states, -1 or +1.
func (m *Symmetric) Sample(n int, rng *rand.Rand) (x *mat.Dense, z []int, err error) {
	if err := m.Check(); err != nil {
		return nil, nil, err
	}
	x, z, err = m.Model().Sample(n, rng)
	for i := range z {
		z[i] = 2*z[i] - 1
	}
	return x, z, err
}

// SmoothSymmetric is the smoother of the symmetric model in log-odds, from
// gamma_i = <Mean, x_i>/Sigma^2: sign[i] = E[z_i | x], same[i] = P(z_(i-1) = z_i |
// x) for i >= 1 (same[0] is NaN), and the log of the sum over all chains of their
// probability times e^(sum gamma_i z_i). Exact, O(n). zeta is in (0, 1).
//
//	l_i = 2 gamma_i + 2 artanh((2 zeta - 1) tanh(l_(i-1)/2))        filter
//	r_i = 2 artanh((2 zeta - 1) tanh((r_(i+1) + 2 gamma_(i+1))/2))  backward
//	sign_i = tanh((l_i + r_i)/2)
func SmoothSymmetric(gamma []float64, zeta float64) (sign, same []float64, logSum float64) {
	n := len(gamma)
	sign, same = make([]float64, n), make([]float64, n)
	if n == 0 {
		return sign, same, 0
	}
	// l and r are the log-odds of filter and backward law; pred is that of z_i given
	// what came before, half[i] = gamma_i + pred_i/2. The recursions are the only
	// scalar work.
	l, r, half, pred := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i, g := range gamma {
		if i > 0 {
			pred[i] = step(l[i-1], zeta)
		}
		l[i] = 2*g + pred[i]
		half[i] = l[i] / 2
	}
	for i := n - 1; i > 0; i-- {
		r[i-1] = step(r[i]+2*gamma[i], zeta)
	}
	vec.Add(sign, l, r)
	vec.Scale(sign, 0.5, sign)
	vec.Tanh(sign, sign)
	// log(q e^g + (1-q) e^-g) with q/(1-q) = e^pred
	scratch := make([]float64, n)
	vec.Scale(pred, 0.5, pred)
	logSum = vec.Sum(logCoshes(half, scratch)) - vec.Sum(logCoshes(pred, scratch))
	for i := 1; i < n; i++ {
		c := r[i] + 2*gamma[i]
		half[i], pred[i] = (l[i-1]+c)/2, (l[i-1]-c)/2
	}
	vec.Sub(same, logCoshes(half, scratch), logCoshes(pred, scratch))
	vec.Offset(same, vec.Log1(zeta)-vec.Log1(1-zeta), same)
	vec.Logistic(same, same)
	same[0] = math.NaN()
	return sign, same, logSum
}

// logCoshes replaces u by log(2 cosh u).
func logCoshes(u, scratch []float64) []float64 {
	for i, v := range u {
		v = math.Abs(v)
		u[i], scratch[i] = v, -2*v
	}
	vec.Exp(scratch, scratch)
	vec.Log1p(scratch, scratch)
	vec.Add(u, u, scratch)
	return u
}

// step carries log-odds over one transition: 2 artanh((2 zeta - 1) tanh(l/2)) =
// log((zeta e^l + 1 - zeta)/((1 - zeta) e^l + zeta)), written so that nothing
// overflows or cancels.
func step(l, zeta float64) float64 {
	if l < 0 {
		return -step(-l, zeta)
	}
	e := vec.Exp1(-l)
	return vec.Log1((zeta + (1-zeta)*e) / (1 - zeta + zeta*e))
}

// logCosh returns log(2 cosh u).
func logCosh(u float64) float64 {
	u = math.Abs(u)
	return u + vec.Log1p1(vec.Exp1(-2*u))
}

// SymmetricSettings of FitSymmetric. Fields that are zero have the values of
// [DefaultSymmetricSettings]; None is 0 for Iterations and Tolerance.
type SymmetricSettings struct {
	// Bound is b: Zeta is kept in [(1-b)/2, (1+b)/2], 0 < b < 1; 0.98 by default.
	Bound float64
	// Iterations is the largest number of them, 100 by default; None judges the start.
	Iterations int
	// Tolerance stops when |mean step| + |beta step| is at most that; 1e-10 by default,
	// None at a fixed point.
	Tolerance float64
	// FixZeta keeps Zeta; with 1/2 that is EM for a mixture of independent draws.
	FixZeta bool
	// Damped counts the transition before the first step too, whose posterior is the
	// present zeta: the same fixed points, slightly smaller steps (eq. 2.30b as
	// printed).
	Damped bool
	// Window is k: step i sees only observations i-k to i+k (Yang 2018, eq. 2.13), O(n
	// k) an iteration; None is its own observation alone. All of them by default.
	Window int
}

// DefaultSymmetricSettings returns the settings that nil stands for.
func DefaultSymmetricSettings() *SymmetricSettings {
	return &SymmetricSettings{Bound: 0.98, Iterations: 100, Tolerance: 1e-10}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *SymmetricSettings) WithDefaults() *SymmetricSettings {
	return settings.Fill(s, DefaultSymmetricSettings())
}

// resolve returns the settings in effect, None as 0.
func (s *SymmetricSettings) resolve() *SymmetricSettings {
	out := s.WithDefaults()
	settings.Clear(&out.Tolerance)
	settings.Clear(&out.Iterations)
	return out
}

// A SymmetricFit is the trajectory of FitSymmetric.
type SymmetricFit struct {
	Path          []Symmetric // the start first, the fit last
	LogLikelihood []float64   // of each, over n
	Converged     bool
}

// Model returns the last of the path.
func (f *SymmetricFit) Model() *Symmetric { return &f.Path[len(f.Path)-1] }

// FitSymmetric is Baum-Welch for the symmetric model (Yang 2018, eqs. 2.30a-c):
//
//	mean = (1/n) sum_i sign_i x_i,  zeta = mean of same_i, cut to its interval.
//
// The log-likelihood does not fall (without a window). With a signal |mean|/sigma
// large enough, a start within |mean|/4 and n of order d log n, the error falls at
// a linear rate to order sqrt(d/n) (corollary 2). Mean 0 is a fixed point. O(n d)
// an iteration. Errors: a start or x that is not valid, n < 2, settings out of
// range, a cancelled context.
func FitSymmetric(ctx context.Context, start Symmetric, x *mat.Dense, settings *SymmetricSettings) (*SymmetricFit, error) {
	settings = settings.resolve()
	s := *settings
	if err := start.check(x); err != nil {
		return nil, err
	}
	n, d := x.Dims()
	switch {
	case n < 2:
		return nil, fmt.Errorf("em: sequence has %d observation, must have at least 2", n)
	case !(s.Bound > 0 && s.Bound < 1):
		return nil, fmt.Errorf("em: bound is %v, must be between 0 and 1", s.Bound)
	case s.Iterations < 0:
		return nil, fmt.Errorf("em: iterations is %d, must be at least 0", s.Iterations)
	case s.Window < None:
		return nil, fmt.Errorf("em: window is %d, must be positive, 0 for all observations or None", s.Window)
	}
	squares := 0.0
	for i := range n {
		row := x.RawRowView(i)
		squares += vec.Dot(row, row)
	}
	start.Mean = append([]float64(nil), start.Mean...)
	fit, gamma := &SymmetricFit{}, make([]float64, n)
	for t := 0; ; t++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		fit.Path = append(fit.Path, start)
		v := start.Sigma * start.Sigma
		for i := range n {
			gamma[i] = vec.Dot(start.Mean, x.RawRowView(i)) / v
		}
		sign, same, logSum := SmoothSymmetric(gamma, start.Zeta)
		nd := float64(n)
		fit.LogLikelihood = append(fit.LogLikelihood, logSum/nd-
			(squares/nd+vec.Dot(start.Mean, start.Mean))/(2*v)-float64(d)/2*vec.Log1(2*math.Pi*v))
		if t == s.Iterations || fit.Converged {
			return fit, nil
		}
		if s.Window != 0 {
			sign, same = windowed(gamma, start.Zeta, max(s.Window, 0)) // None is -1
		}
		next := Symmetric{Mean: make([]float64, d), Zeta: start.Zeta, Sigma: start.Sigma}
		for i := range n {
			vec.Axpy(next.Mean, sign[i]/nd, x.RawRowView(i))
		}
		if !s.FixZeta {
			zeta := vec.Sum(same[1:]) / (nd - 1)
			if s.Damped {
				zeta = (start.Zeta + vec.Sum(same[1:])) / nd
			}
			next.Zeta = min(max(zeta, (1-s.Bound)/2), (1+s.Bound)/2)
		}
		moved := math.Sqrt(vec.SquaredDistance(next.Mean, start.Mean)) + math.Abs(next.Beta()-start.Beta())
		fit.Converged = moved <= s.Tolerance
		start = next
	}
}

// windowed smooths each step from the observations of its window, in parallel.
func windowed(gamma []float64, zeta float64, k int) (sign, same []float64) {
	n := len(gamma)
	sign, same = make([]float64, n), make([]float64, n)
	parallel.Blocks(n, 256, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			sign[i], same[i] = windowAt(gamma, zeta, i, k)
		}
	})
	return sign, same
}
