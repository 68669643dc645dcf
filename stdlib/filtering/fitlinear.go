package filtering

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"
)

// FitSettings are the settings of [FitLinear]. Fields that are zero have the values of
// [DefaultFitSettings].
type FitSettings struct {
	// Iterations is the largest number of them. Default 1000.
	Iterations int
	// Tolerance stops when the log-likelihood gains less. Default 1e-6; None runs all
	// iterations.
	Tolerance float64
	// KeepA, KeepC, KeepQ and KeepR leave matrices as they are. Without some of them a
	// model is known up to a change of basis of the states only. Default false.
	KeepA, KeepC, KeepQ, KeepR bool
	// Progress, if not nil, is called with how many iterations are done, and of how many at most. The Report method of a
	// display.Progress is such a function.
	Progress func(done, total int)
}

// DefaultFitSettings returns 1,000 iterations, tolerance 1e-6, and all matrices free.
func DefaultFitSettings() *FitSettings { return &FitSettings{Iterations: 1000, Tolerance: 1e-6} }

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *FitSettings) WithDefaults() *FitSettings { return settings.Fill(s, DefaultFitSettings()) }

// resolve returns the settings in effect, None as 0.
func (s *FitSettings) resolve() *FitSettings {
	out := s.WithDefaults()
	settings.Clear(&out.Tolerance)
	return out
}

// A LinearFit is what FitLinear found.
type LinearFit struct {
	Model *LinearGaussian
	// LogLikelihood[t] is that of the model after t iterations, the start first. It does
	// not fall.
	LogLikelihood []float64
	// Converged says that the last iteration gained less than the tolerance.
	Converged bool
}

// FitLinear fits the matrices of a linear Gaussian model to the rows of Y (T x p) by
// expectation maximisation from a start (Shumway & Stoffer 1982): with the moments of
// the smoothed states
//
//	A = S10 S00^-1, Q = (S11 - A S10')/(T-1), C = Syx Sxx^-1, R = (Syy - C Syx')/T,
//
// S10 = sum E[x_t x_(t-1)'] and so on. Where Missing of the start is set, moments of the
// numbers not observed are those given the state and what was observed with them, so
// that iterations are exact with any of them missing. The law of the first state is
// kept: one sequence says nothing of it. It finds a stationary point near the start.
// O(T (d^3 + p^3)) an iteration. Errors: a start or observations that are not valid,
// fewer than 2 steps, matrices that become singular, a likelihood that falls by more
// than rounding, a cancelled context.
func FitLinear(ctx context.Context, start *LinearGaussian, Y *mat.Dense, settings *FitSettings) (*LinearFit, error) {
	set := settings.resolve()
	if set.Iterations < 1 || !(set.Tolerance >= 0) {
		return nil, fmt.Errorf("filtering: iterations is %d and tolerance %v, must be positive", set.Iterations, set.Tolerance)
	}
	if err := start.Validate(); err != nil {
		return nil, err
	}
	if err := start.checkObservations(Y); err != nil {
		return nil, err
	}
	steps, p := Y.Dims()
	if steps < 2 {
		return nil, fmt.Errorf("filtering: there is 1 observation, must be at least 2")
	}
	fit, m := &LinearFit{}, *start
	for t := 0; ; t++ {
		r, err := Kalman(ctx, &m, Y)
		if err != nil {
			return nil, fmt.Errorf("%w (iteration %d)", err, t)
		}
		fit.LogLikelihood = append(fit.LogLikelihood, r.LogLikelihood)
		model := m
		fit.Model = &model
		if set.Progress != nil {
			set.Progress(t, set.Iterations)
		}
		if t > 0 {
			before := fit.LogLikelihood[t-1]
			gain := r.LogLikelihood - before
			if !(gain >= -1e-9*(float64(steps*p)+math.Abs(before))) {
				return nil, fmt.Errorf("filtering: log-likelihood falls from %v to %v in iteration %d: matrices are nearly singular", before, r.LogLikelihood, t)
			}
			if fit.Converged = set.Tolerance > 0 && gain < set.Tolerance; fit.Converged {
				return fit, nil
			}
		}
		if t == set.Iterations {
			return fit, nil
		}
		s, err := m.moments(r, Y)
		if err != nil {
			return nil, fmt.Errorf("%w (iteration %d)", err, t+1)
		}
		if err := m.maximise(s, set); err != nil {
			return nil, fmt.Errorf("%w (iteration %d)", err, t+1)
		}
	}
}

// moments are sums over steps of expected products, given all observations.
type moments struct {
	pairs, steps  float64
	x00, x10, x11 *mat.Dense // of x_(t-1) x_(t-1)', x_t x_(t-1)', x_t x_t' over pairs
	xx, yx, yy    *mat.Dense // of x x', y x', y y' over steps
}

// moments does the E-step.
func (m *LinearGaussian) moments(r *KalmanResult, Y *mat.Dense) (*moments, error) {
	means, covs, gains, err := m.smooth(r)
	if err != nil {
		return nil, err
	}
	steps, p := Y.Dims()
	d := len(m.InitialMean)
	s := &moments{pairs: float64(steps - 1), steps: float64(steps)}
	s.x00, s.x10, s.x11, s.xx = mat.NewDense(d, d, nil), mat.NewDense(d, d, nil), mat.NewDense(d, d, nil), mat.NewDense(d, d, nil)
	s.yx, s.yy = mat.NewDense(p, d, nil), mat.NewDense(p, p, nil)
	for t := range steps {
		x := means.RawRowView(t)
		square := mat.DenseCopyOf(covs[t])
		linalg.RankOne(square, 1, x, x)
		s.xx.Add(s.xx, square)
		if t > 0 {
			s.x11.Add(s.x11, square)
			s.x10.Add(s.x10, linalg.MulTransB(nil, mat.DenseCopyOf(covs[t]), gains[t-1]))
			linalg.RankOne(s.x10, 1, x, means.RawRowView(t-1))
		}
		if t < steps-1 {
			s.x00.Add(s.x00, square)
		}
		if err := m.addSeen(s, Y.RawRowView(t), x, square); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// addSeen adds the moments of an observation: y = a + B x + e given x, where e has the
// covariance V of what is missing given the rest, R_mm - R_ms R_ss^-1 R_sm.
func (m *LinearGaussian) addSeen(s *moments, y, x []float64, square *mat.Dense) error {
	seen, missing := seenOf(y)
	if len(missing) == 0 {
		linalg.RankOne(s.yx, 1, y, x)
		linalg.RankOne(s.yy, 1, y, y)
		return nil
	}
	p, d := m.C.Dims()
	a, B, V := make([]float64, p), mat.NewDense(p, d, nil), mat.NewDense(p, p, nil)
	for _, i := range missing {
		B.SetRow(i, m.C.RawRowView(i))
		for _, j := range missing {
			V.Set(i, j, m.R.At(i, j))
		}
	}
	if len(seen) > 0 {
		chol, err := linalg.NewCholesky(symOf(m.R, seen))
		if err != nil {
			return fmt.Errorf("filtering: R is not positive definite")
		}
		for _, i := range missing {
			row := make([]float64, len(seen)) // R_is R_ss^-1
			for k, j := range seen {
				row[k] = m.R.At(i, j)
			}
			row = chol.SolveVecTo(nil, row)
			for k, j := range seen {
				a[i] += row[k] * y[j]
				vec.Axpy(B.RawRowView(i), -row[k], m.C.RawRowView(j))
				for _, l := range missing {
					V.Set(i, l, V.At(i, l)-row[k]*m.R.At(j, l))
				}
			}
		}
	}
	for _, j := range seen {
		a[j] = y[j]
	}
	// E y x' = a x' + B E xx', E yy' = a a' + a x'B' + B x a' + B E xx' B' + V.
	mapped := linalg.Mul(nil, B, square)
	s.yx.Add(s.yx, mapped)
	linalg.RankOne(s.yx, 1, a, x)
	bx := linalg.MulVec(nil, B, x)
	s.yy.Add(s.yy, V)
	s.yy.Add(s.yy, linalg.MulTransB(nil, mapped, B))
	linalg.RankOne(s.yy, 1, a, a)
	linalg.RankOne(s.yy, 1, a, bx)
	linalg.RankOne(s.yy, 1, bx, a)
	return nil
}

// maximise does the M-step, in place of the matrices that are free.
func (m *LinearGaussian) maximise(s *moments, set *FitSettings) error {
	var err error
	if m.A, m.Q, err = regress(m.A, m.Q, s.x00, s.x10, s.x11, s.pairs, set.KeepA, set.KeepQ); err != nil {
		return fmt.Errorf("filtering: A: %w", err)
	}
	if m.C, m.R, err = regress(m.C, m.R, s.xx, s.yx, s.yy, s.steps, set.KeepC, set.KeepR); err != nil {
		return fmt.Errorf("filtering: C: %w", err)
	}
	return nil
}

// regress returns the matrix M and the covariance of v = M u + e with the largest
// expected likelihood for the sums of u u', v u' and v v'.
func regress(old *mat.Dense, noise *mat.SymDense, uu, vu, vv *mat.Dense, n float64, keep, keepNoise bool) (*mat.Dense, *mat.SymDense, error) {
	M := old
	if !keep {
		chol, err := linalg.NewCholeskyDense(uu, 0)
		if err != nil {
			return nil, nil, fmt.Errorf("states lie in a subspace: %w", err)
		}
		M = gainOf(chol, vu)
	}
	if keepNoise {
		return M, noise, nil
	}
	// vv - M vu' - vu M' + M uu M', which is symmetric for any M.
	half := linalg.Mul(nil, M, uu)
	half.Sub(half, vu)
	rest := linalg.MulTransB(nil, half, M)
	rest.Sub(rest, linalg.MulTransB(nil, M, vu))
	p, _ := vv.Dims()
	out := mat.NewSymDense(p, nil)
	for i := range p {
		for j := i; j < p; j++ {
			out.SetSym(i, j, (vv.At(i, j)+vv.At(j, i)+rest.At(i, j)+rest.At(j, i))/(2*n))
		}
	}
	return M, out, nil
}
