package filtering

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
)

// ConditionallyLinear is a model whose state has a part xi, of dimension k, that
// particles stand for, and a part zeta, of dimension m, that is linear and
// Gaussian once xi is known and is tracked by one Kalman filter a particle
// (Rao-Blackwellisation; Lacoste-Julien et al. 2015, appendix A):
//
//	zeta' = F zeta + U + w,         w ~ N(0, LinearNoise)
//	xi'   = Mean(xi) + B zeta' + v, v ~ N(0, Noise),  B = Coupling(xi)
//	y     = h + H zeta + e,         e ~ N(0, R),      h = Offset(xi), H = Observation(xi)
//
// and a further likelihood LogLik(xi, y) of any form. The first numbers of an
// observation, as many as R has rows, are the linear ones; LogLik sees all.
//
// Functions work on all particles in one call, like those of [Model]. The same
// filters run on it: only xi is sampled, so far fewer particles do. A step costs
// O(k m^2 + m^3) a particle for its Kalman filter, and with Shared only for one.
type ConditionallyLinear struct {
	// Initial is the distribution of xi_1, LinearMean and LinearCov that of
	// zeta_1, independent of it.
	Initial    *rkhs.Mixture
	LinearMean []float64
	LinearCov  *mat.SymDense

	F           *mat.Dense // m x m
	U           []float64  // m; nil: 0
	LinearNoise *mat.SymDense
	Noise       *mat.SymDense

	// Mean writes f(xi_i) to row i of dst (n x k).
	Mean func(dst *mat.Dense, t int, Xi *mat.Dense)
	// Coupling writes B(xi_i) to dst[i] (k x m).
	Coupling func(dst []*mat.Dense, t int, Xi *mat.Dense)

	// R is nil if no observation is linear; Offset (nil: 0) writes h(xi_i) to row
	// i of dst (n x p), Observation writes H(xi_i) to dst[i] (p x m).
	R           *mat.SymDense
	Offset      func(dst *mat.Dense, t int, Xi *mat.Dense)
	Observation func(dst []*mat.Dense, t int, Xi *mat.Dense)

	// LogLik writes log-likelihoods that are added to the linear ones; nil: none.
	LogLik func(dst []float64, t int, Xi *mat.Dense, y []float64)
	// Shared says that neither Coupling nor Observation depends on xi: then one
	// covariance serves all particles, and they are called for one particle.
	Shared bool
	// Accept, if not nil, is called when the particles of step t have been chosen,
	// before their likelihoods: particle i comes from particle ancestor[i] of the
	// step before (at t = 1, from that component of Initial). A model that keeps
	// more of each particle's past than its state moves it here, and must then
	// serve one run at a time.
	Accept func(t int, Xi *mat.Dense, ancestor []int)
}

// Validate returns an error if a part is missing or shapes do not agree.
func (m *ConditionallyLinear) Validate() error {
	switch {
	case m == nil:
		return fmt.Errorf("filtering: model is nil")
	case m.Initial == nil:
		return fmt.Errorf("filtering: model has no initial distribution")
	case m.Mean == nil:
		return fmt.Errorf("filtering: model has no mean function")
	case m.Coupling == nil:
		return fmt.Errorf("filtering: model has no coupling")
	case m.F == nil || m.LinearCov == nil || m.LinearNoise == nil || m.Noise == nil:
		return fmt.Errorf("filtering: conditionally linear model lacks a matrix")
	case (m.R == nil) != (m.Observation == nil):
		return fmt.Errorf("filtering: R and Observation must both be there, or neither")
	case m.R == nil && m.LogLik == nil:
		return fmt.Errorf("filtering: model has no observations")
	}
	k, l := m.Initial.Dim(), len(m.LinearMean)
	if m.U != nil && len(m.U) != l {
		return fmt.Errorf("filtering: U has length %d, must be %d", len(m.U), l)
	}
	if r, c := m.F.Dims(); r != l || c != l {
		return fmt.Errorf("filtering: F is %d x %d, must be %d x %d", r, c, l, l)
	}
	if err := finiteMatrix("F", m.F); err != nil {
		return err
	}
	for _, c := range []struct {
		name string
		cov  *mat.SymDense
		d    int
	}{{"covariance of the linear part", m.LinearCov, l}, {"noise of the linear part", m.LinearNoise, l}, {"noise", m.Noise, k}} {
		if _, err := covarianceRoot(c.cov, c.d); err != nil {
			return fmt.Errorf("filtering: %s: %w", c.name, err)
		}
	}
	if m.R == nil {
		return nil
	}
	if _, err := linalg.NewCholesky(m.R); err != nil {
		return fmt.Errorf("filtering: R is not positive definite, must be")
	}
	return nil
}

func (m *ConditionallyLinear) run() (system, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	r := &conditionalRun{model: m, k: m.Initial.Dim(), m: len(m.LinearMean)}
	r.f, r.q, r.qx = flat(m.F), flat(m.LinearNoise), flat(m.Noise)
	r.u = m.U
	if r.u == nil {
		r.u = make([]float64, r.m)
	}
	if m.R != nil {
		r.p, r.r = m.R.SymmetricDim(), flat(m.R)
	}
	n := max(r.k, r.m, r.p)
	for i := range r.tmp {
		r.tmp[i] = make([]float64, n*n)
	}
	return r, nil
}

func flat(m mat.Matrix) []float64 {
	r, c := m.Dims()
	out := make([]float64, 0, r*c)
	for i := range r {
		for j := range c {
			out = append(out, m.At(i, j))
		}
	}
	return out
}
