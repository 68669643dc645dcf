package filtering

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// LinearGaussian is the linear model with Gaussian noise
//
//	x_1 ~ N(InitialMean, InitialCov),  x_(t+1) = A x_t + v_t,  v_t ~ N(0, Q),
//	y_t = C x_t + e_t,  e_t ~ N(0, R),
//
// with states of dimension d and observations of dimension p: A and Q are d x d,
// C is p x d, R is p x p and positive definite. [Kalman] solves it exactly.
type LinearGaussian struct {
	A, C        *mat.Dense
	Q, R        *mat.SymDense
	InitialMean []float64
	InitialCov  *mat.SymDense
	// Missing says that NaN in observations is a number that was not observed, for
	// [Kalman] and [FitLinear]: of a row all or some. Rows of NaN after the last that
	// was observed are forecasts.
	Missing bool
}

// Validate returns an error if shapes do not agree, or a covariance is not one.
func (m *LinearGaussian) Validate() error {
	if m == nil || m.A == nil || m.C == nil || m.Q == nil || m.R == nil || m.InitialCov == nil {
		return fmt.Errorf("filtering: linear model lacks a matrix")
	}
	d, p := len(m.InitialMean), m.R.SymmetricDim()
	for _, c := range []struct {
		name string
		m    mat.Matrix
		r, c int
	}{{"A", m.A, d, d}, {"C", m.C, p, d}, {"Q", m.Q, d, d}, {"R", m.R, p, p}, {"initial covariance", m.InitialCov, d, d}} {
		if r, k := c.m.Dims(); r != c.r || k != c.c {
			return fmt.Errorf("filtering: %s is %d x %d, must be %d x %d", c.name, r, k, c.r, c.c)
		}
		if err := finiteMatrix(c.name, c.m); err != nil {
			return err
		}
	}
	return checkGaussians(m.InitialMean, m.InitialCov, m.Q, m.R)
}

// checkGaussians returns an error if the initial mean of a model with Gaussian noise is not finite, or a covariance is not one; R
// must also be positive definite.
func checkGaussians(mean []float64, initial, Q, R *mat.SymDense) error {
	for _, v := range mean {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("filtering: initial mean has %v, must be finite", v)
		}
	}
	if _, err := covarianceRoot(Q, len(mean)); err != nil {
		return fmt.Errorf("filtering: Q: %w", err)
	}
	if _, err := covarianceRoot(initial, len(mean)); err != nil {
		return fmt.Errorf("filtering: initial covariance: %w", err)
	}
	if _, err := linalg.NewCholesky(R); err != nil {
		return fmt.Errorf("filtering: R is not positive definite, must be")
	}
	return nil
}

func finiteMatrix(name string, m mat.Matrix) error {
	r, c := m.Dims()
	for i := range r {
		for j := range c {
			if v := m.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("filtering: %s[%d,%d] is %v, must be finite", name, i, j, v)
			}
		}
	}
	return nil
}

// Model returns the same model for particle filters.
func (m *LinearGaussian) Model() (*Model, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	initial, err := rkhs.NewNormal(m.InitialMean, m.InitialCov)
	if err != nil {
		return nil, err
	}
	q := mat.NewSymDense(m.Q.SymmetricDim(), nil)
	q.CopySym(m.Q)
	obs, err := newGaussianObservation(m.C, m.R)
	if err != nil {
		return nil, err
	}
	a := mat.DenseCopyOf(m.A)
	return &Model{
		Initial: initial,
		Mean:    func(dst *mat.Dense, _ int, X *mat.Dense) { linearMap(dst, X, a) },
		Noise:   func(int) *mat.SymDense { return q },
		LogLik:  func(dst []float64, _ int, X *mat.Dense, y []float64) { obs.logLik(dst, X, y) },

		Observations: m.R.SymmetricDim(),
	}, nil
}

// linearMap writes A x_i to row i of dst for the rows x_i of X.
func linearMap(dst, X, A *mat.Dense) {
	n, _ := X.Dims()
	d, _ := A.Dims()
	if d == 1 && A.RawMatrix().Cols == 1 {
		a, x, out := A.At(0, 0), column(X), column(dst)
		if n <= cacheBlock {
			vec.Scale(out, a, x)
			return
		}
		inParallel(n, func(lo, hi int) { vec.Scale(out[lo:hi], a, x[lo:hi]) })
		return
	}
	inParallel(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			x, out := X.RawRowView(i), dst.RawRowView(i)
			for j := range out {
				var s float64
				for l, a := range A.RawRowView(j) {
					s += a * x[l]
				}
				out[j] = s
			}
		}
	})
}

// column returns the numbers of a matrix with one column.
func column(X *mat.Dense) []float64 {
	raw := X.RawMatrix()
	if raw.Stride != 1 {
		return mat.Col(nil, 0, X)
	}
	return raw.Data[:raw.Rows]
}

// gaussianObservation is y = C x + e with Gaussian e, whitened: with R = L L',
// the log-likelihood is constant - |L^-1 (y - C x)|^2 / 2.
type gaussianObservation struct {
	white    *mat.Dense // L^-1 C
	inv      *mat.Dense // L^-1
	constant float64
}

func newGaussianObservation(C *mat.Dense, R *mat.SymDense) (*gaussianObservation, error) {
	p := R.SymmetricDim()
	chol, err := linalg.NewCholesky(R)
	if err != nil {
		return nil, fmt.Errorf("filtering: covariance of the observations is not positive definite, must be")
	}
	return &gaussianObservation{white: chol.HalfSolveTo(nil, C), inv: chol.HalfSolveTo(nil, identity(p)),
		constant: -0.5 * (float64(p)*vec.Log1(2*math.Pi) + chol.LogDet())}, nil
}

// whiten returns L^-1 y.
func (o *gaussianObservation) whiten(y []float64) []float64 { return product(o.inv, y) }

// at returns the log-likelihood at one state, for a whitened observation.
func (o *gaussianObservation) at(z, x []float64) float64 {
	var s float64
	for j, v := range z {
		for l, c := range o.white.RawRowView(j) {
			v -= c * x[l]
		}
		s += v * v
	}
	return o.constant - 0.5*s
}

func (o *gaussianObservation) logLik(dst []float64, X *mat.Dense, y []float64) {
	p, d := o.white.Dims()
	z := o.whiten(y)
	if p == 1 && d == 1 {
		c, z, x := o.white.At(0, 0), z[0], column(X)
		if len(dst) <= cacheBlock {
			o.numbers(dst, z, c, x)
			return
		}
		inParallel(len(dst), func(lo, hi int) {
			inCache(lo, hi, func(lo, hi int) { o.numbers(dst[lo:hi], z, c, x[lo:hi]) })
		})
		return
	}
	inParallel(len(dst), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			dst[i] = o.at(z, X.RawRowView(i))
		}
	})
}

// numbers is logLik for a whitened observation that is one number z, c times the
// state and noise.
func (o *gaussianObservation) numbers(dst []float64, z, c float64, x []float64) {
	vec.Scale(dst, -c, x)
	vec.Offset(dst, z, dst)
	vec.Mul(dst, dst, dst)
	vec.Scale(dst, -0.5, dst)
	vec.Offset(dst, o.constant, dst)
}
