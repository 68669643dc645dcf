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

// None is 0 in settings whose zero means another default.
const None = settings.None

// UnscentedSettings are the parameters of the sigma points of [UnscentedKalman]. Fields
// that are zero have the values of [DefaultUnscentedSettings]; None is 0 for Beta.
type UnscentedSettings struct {
	// Alpha scales their spread, Kappa adds to it, Beta weighs the middle point in
	// covariances (2 is best for Gaussians, and the default; None is 0). Alpha is 1 by
	// default, Kappa 0. With n the dimension, the points lie
	// at mean +- sqrt(alpha^2 (n + kappa)) times the columns of a square root.
	Alpha, Beta, Kappa float64
}

// DefaultUnscentedSettings returns alpha 1, beta 2 and kappa 0: points at
// sqrt(n) standard deviations with the middle one in covariances only.
func DefaultUnscentedSettings() *UnscentedSettings {
	return &UnscentedSettings{Alpha: 1, Beta: 2}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *UnscentedSettings) WithDefaults() *UnscentedSettings {
	return settings.Fill(s, DefaultUnscentedSettings())
}

// resolve returns the settings in effect, None as 0.
func (s *UnscentedSettings) resolve() *UnscentedSettings {
	out := s.WithDefaults()
	settings.Clear(&out.Beta)
	return out
}

// UnscentedKalman filters by passing 2d+1 sigma points through the functions
// instead of linearising them (Julier & Uhlmann 1997, in the scaled form of van
// der Merwe). A nil settings means [DefaultUnscentedSettings]. Exact for linear
// models. Cost O(T (d^3 + p^3)) and 2d+1 evaluations of each function a step.
func UnscentedKalman(ctx context.Context, m *Nonlinear, Y *mat.Dense, settings *UnscentedSettings) (*KalmanResult, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	settings = settings.resolve()
	n := float64(len(m.InitialMean))
	if !(settings.Alpha > 0) || !(n+settings.Kappa > 0) {
		return nil, fmt.Errorf("filtering: alpha is %v and kappa %v, alpha and dimension + kappa must be positive", settings.Alpha, settings.Kappa)
	}
	return gaussianFilter(ctx, m, Y, func(b belief, t int) (belief, error) {
		s, err := newSigma(b, settings)
		if err != nil {
			return belief{}, err
		}
		mean, cov, _ := s.through(m.Move, t, len(b.mean))
		cov.AddSym(cov, m.Q)
		return belief{mean, cov}, nil
	}, func(b belief, t int, y []float64) (belief, float64, error) {
		s, err := newSigma(b, settings)
		if err != nil {
			return belief{}, 0, err
		}
		p := len(y)
		mean, S, cross := s.through(m.Observe, t, p)
		S.AddSym(S, m.R)
		chol, err := linalg.NewCholesky(S)
		if err != nil {
			return belief{}, 0, fmt.Errorf("covariance of the innovation is not positive definite")
		}
		e := make([]float64, p)
		vec.Sub(e, y, mean)
		out := belief{mean: linalg.MulVec(nil, cross, chol.SolveVecTo(nil, e)), cov: mat.NewSymDense(len(b.mean), nil)}
		vec.Add(out.mean, out.mean, b.mean)
		// P - K S K' with K = cross S^-1, as P - W'W with W = L^-1 cross'.
		out.cov.CopySym(b.cov)
		linalg.SymRankKTrans(out.cov, -1, chol.HalfSolveTo(nil, mat.DenseCopyOf(cross.T())), 1)
		return out, logNormal(chol, e), nil
	})
}

// sigma holds the sigma points of a belief and their weights.
type sigma struct {
	center  []float64
	points  [][]float64
	wm, wc  float64 // of the middle point, in means and covariances
	w       float64 // of the others
	spreads [][]float64
}

func newSigma(b belief, s *UnscentedSettings) (*sigma, error) {
	d := len(b.mean)
	n := float64(d)
	lambda := s.Alpha*s.Alpha*(n+s.Kappa) - n
	root, err := covarianceRoot(b.cov, d)
	if err != nil {
		return nil, err
	}
	out := &sigma{center: b.mean, w: 0.5 / (n + lambda), wm: lambda / (n + lambda)}
	out.wc = out.wm + 1 - s.Alpha*s.Alpha + s.Beta
	scale := math.Sqrt(n + lambda)
	for j := range d {
		spread := make([]float64, d)
		up, down := make([]float64, d), make([]float64, d)
		for i := range d {
			spread[i] = scale * root.At(i, j)
			up[i], down[i] = b.mean[i]+spread[i], b.mean[i]-spread[i]
		}
		out.spreads = append(out.spreads, spread)
		out.points = append(out.points, up, down)
	}
	return out, nil
}

// through passes the points through f, with r numbers as its result, and returns
// mean and covariance of the images and the covariance between points and images
// (d x r).
func (s *sigma) through(f func([]float64, int, []float64), t, r int) ([]float64, *mat.SymDense, *mat.Dense) {
	middle := make([]float64, r)
	f(middle, t, s.center)
	images := make([][]float64, len(s.points))
	mean := make([]float64, r)
	vec.Axpy(mean, s.wm, middle)
	for i, x := range s.points {
		images[i] = make([]float64, r)
		f(images[i], t, x)
		vec.Axpy(mean, s.w, images[i])
	}
	cov := mat.NewSymDense(r, nil)
	outer := func(w float64, v []float64) {
		for a := range r {
			for b := a; b < r; b++ {
				cov.SetSym(a, b, cov.At(a, b)+w*v[a]*v[b])
			}
		}
	}
	vec.Sub(middle, middle, mean)
	outer(s.wc, middle)
	cross := mat.NewDense(len(s.center), r, nil)
	for i, y := range images {
		vec.Sub(y, y, mean)
		outer(s.w, y)
		sign := s.w
		if i%2 == 1 {
			sign = -sign
		}
		linalg.RankOne(cross, sign, s.spreads[i/2], y)
	}
	return mean, cov, cross
}
