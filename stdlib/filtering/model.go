package filtering

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// A System is a state-space model that the filters of this package can run:
// [Model], [JumpMarkov] or [ConditionallyLinear].
type System interface {
	// run prepares a run of the filter: what it returns may keep state.
	run() (system, error)
}

// Model is a state-space model with additive Gaussian noise,
//
//	x_1 from Initial,  x_(t+1) = Mean_t(x_t) + v_t,  v_t ~ N(0, Noise(t)),
//
// and any likelihood of the observation y_t given x_t. Its functions work on all
// particles in one call, from one goroutine at a time: rows of X are states. They
// must not keep their arguments. Time t counts from 1.
//
// The distribution of x_(t+1) given weighted particles at time t is then a
// Gaussian mixture, which is what makes quasi-Monte Carlo and herding filters
// possible (Lacoste-Julien et al. 2015, equation 4).
type Model struct {
	// Initial is the distribution of x_1; its dimension d is the model's.
	Initial *rkhs.Mixture
	// Mean writes E[x_(t+1) | x_t = X_i] to row i of dst (n x d).
	Mean func(dst *mat.Dense, t int, X *mat.Dense)
	// Noise returns the covariance of x_(t+1) given x_t (d x d), positive
	// semi-definite. A filter factors it again only when the pointer changes.
	Noise func(t int) *mat.SymDense
	// LogLik writes log p(y_t = y | x_t = X_i) to dst[i]; -Inf is allowed.
	LogLik func(dst []float64, t int, X *mat.Dense, y []float64)
	// Observations is the dimension that observations must have; 0 leaves that
	// to LogLik.
	Observations int
}

// Validate returns an error if a part of the model is missing.
func (m *Model) Validate() error {
	switch {
	case m == nil:
		return fmt.Errorf("filtering: model is nil")
	case m.Initial == nil:
		return fmt.Errorf("filtering: model has no initial distribution")
	case m.Mean == nil:
		return fmt.Errorf("filtering: model has no mean function")
	case m.Noise == nil:
		return fmt.Errorf("filtering: model has no noise covariance")
	case m.LogLik == nil:
		return fmt.Errorf("filtering: model has no log-likelihood")
	}
	return nil
}

// Dim returns the dimension of the state.
func (m *Model) Dim() int { return m.Initial.Dim() }

func (m *Model) run() (system, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return &modelRun{model: m}, nil
}

// modelRun is a run of a Model.
type modelRun struct {
	model *Model
	noise *mat.SymDense // the covariance that root belongs to
	root  *mat.Dense
}

func (r *modelRun) width() int               { return r.model.Dim() }
func (r *modelRun) accept(*mat.Dense, []int) {}

func (r *modelRun) logLik(dst []float64, t int, X *mat.Dense, y []float64) error {
	if p := r.model.Observations; p > 0 && len(y) != p {
		return fmt.Errorf("filtering: observation has dimension %d, must be %d", len(y), p)
	}
	r.model.LogLik(dst, t, X, y)
	return nil
}

func (r *modelRun) initial() (*predictive, error) { return fromMixture(r.model.Initial), nil }

func (r *modelRun) predict(p *predictive, t int, X *mat.Dense, w []float64) error {
	n, d := X.Dims()
	p.resize(n, d)
	copy(p.w, w)
	r.model.Mean(p.means, t, X)
	cov := r.model.Noise(t)
	if cov != r.noise || cov == nil {
		root, err := covarianceRoot(cov, d)
		if err != nil {
			return fmt.Errorf("filtering: noise covariance at step %d: %w", t, err)
		}
		r.noise, r.root = cov, root
	}
	p.covs, p.roots, p.class = append(p.covs[:0], cov), append(p.roots[:0], r.root), p.class[:0]
	return nil
}

// covarianceRoot checks a covariance and returns a square root of it.
func covarianceRoot(cov *mat.SymDense, d int) (*mat.Dense, error) {
	if cov == nil {
		return nil, fmt.Errorf("it is nil")
	}
	p, err := rkhs.NewSharedMixture([]float64{1}, mat.NewDense(1, d, nil), cov)
	if err != nil {
		return nil, err
	}
	root, _ := p.Root(0)
	return root, nil
}

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
	for _, v := range m.InitialMean {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("filtering: initial mean has %v, must be finite", v)
		}
	}
	if _, err := covarianceRoot(m.Q, d); err != nil {
		return fmt.Errorf("filtering: Q: %w", err)
	}
	if _, err := covarianceRoot(m.InitialCov, d); err != nil {
		return fmt.Errorf("filtering: initial covariance: %w", err)
	}
	var chol mat.Cholesky
	if !chol.Factorize(m.R) {
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
		vec.Scale(column(dst), A.At(0, 0), column(X))
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
	var chol mat.Cholesky
	if !chol.Factorize(R) {
		return nil, fmt.Errorf("filtering: covariance of the observations is not positive definite, must be")
	}
	var l, inv mat.TriDense
	chol.LTo(&l)
	if err := inv.InverseTri(&l); err != nil {
		if _, bad := err.(mat.Condition); !bad {
			return nil, fmt.Errorf("filtering: %w", err)
		}
	}
	o := &gaussianObservation{white: new(mat.Dense), inv: mat.DenseCopyOf(&inv)}
	o.white.Mul(&inv, C)
	o.constant = -0.5 * float64(p) * vec.Log1(2*math.Pi)
	for i := range p {
		o.constant -= vec.Log1(l.At(i, i))
	}
	return o, nil
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
		c, z := o.white.At(0, 0), z[0]
		for i, x := range column(X) {
			r := z - c*x
			dst[i] = o.constant - 0.5*r*r
		}
		return
	}
	inParallel(len(dst), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			dst[i] = o.at(z, X.RawRowView(i))
		}
	})
}

// NonlinearBenchmark returns the model
//
//	x_(t+1) = x_t/2 + 25 x_t/(1 + x_t^2) + 8 cos(1.2 t) + v_t,  y_t = x_t^2/20 + e_t
//
// with standard normal noises and x_1 ~ N(0, 1) (Lacoste-Julien et al. 2015,
// section 4.2; the usual variances elsewhere are 10 and 1).
func NonlinearBenchmark() *Model {
	one := mat.NewSymDense(1, []float64{1})
	initial, err := rkhs.NewNormal([]float64{0}, one)
	if err != nil {
		panic(err) // not with these numbers
	}
	return &Model{
		Initial:      initial,
		Observations: 1,
		Noise:        func(int) *mat.SymDense { return one },
		Mean: func(dst *mat.Dense, t int, X *mat.Dense) {
			out, c := column(dst), 8*vec.Cos1(1.2*float64(t))
			for i, x := range column(X) {
				out[i] = 0.5*x + 25*x/(1+x*x) + c
			}
		},
		LogLik: func(dst []float64, _ int, X *mat.Dense, y []float64) {
			const constant = -0.91893853320467274178 // -log(2 pi)/2
			for i, x := range column(X) {
				r := y[0] - 0.05*x*x
				dst[i] = constant - 0.5*r*r
			}
		},
	}
}

// StochasticVolatility returns the model of a log-variance and returns,
//
//	x_(t+1) = mu + rho (x_t - mu) + sigma v_t,  y_t = exp(x_t/2) e_t,
//
// with x_1 from the stationary distribution, |rho| < 1 and sigma > 0.
func StochasticVolatility(mu, rho, sigma float64) (*Model, error) {
	if !(math.Abs(rho) < 1) {
		return nil, fmt.Errorf("filtering: rho is %v, must be between -1 and 1", rho)
	}
	if !(sigma > 0) || math.IsInf(sigma, 1) {
		return nil, fmt.Errorf("filtering: sigma is %v, must be positive and finite", sigma)
	}
	if math.IsNaN(mu) || math.IsInf(mu, 0) {
		return nil, fmt.Errorf("filtering: mu is %v, must be finite", mu)
	}
	initial, err := rkhs.NewNormal([]float64{mu}, mat.NewSymDense(1, []float64{sigma * sigma / (1 - rho*rho)}))
	if err != nil {
		return nil, err
	}
	noise := mat.NewSymDense(1, []float64{sigma * sigma})
	return &Model{
		Initial:      initial,
		Observations: 1,
		Noise:        func(int) *mat.SymDense { return noise },
		Mean: func(dst *mat.Dense, _ int, X *mat.Dense) {
			out := column(dst)
			for i, x := range column(X) {
				out[i] = mu + rho*(x-mu)
			}
		},
		LogLik: func(dst []float64, _ int, X *mat.Dense, y []float64) {
			const constant = -0.91893853320467274178 // -log(2 pi)/2
			x := column(X)
			for i, v := range x {
				dst[i] = -v
			}
			vec.Exp(dst, dst)
			for i, v := range x {
				dst[i] = constant - 0.5*v - 0.5*y[0]*y[0]*dst[i]
			}
		},
	}, nil
}
