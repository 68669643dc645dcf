package inference

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// LogisticRegression is p(y | x, w) = 1/(1 + exp(-y w'x)) for labels y of -1 and 1, with w ~ N(0, Scale^2 I) (Dai 2018,
// section 4.6.2, with Scale 1). For an intercept append a column of ones.
type LogisticRegression struct {
	X     *mat.Dense // n x d
	Y     []float64  // n labels
	Scale float64
}

// Validate returns an error unless all points are finite and all labels are -1 or 1.
func (l *LogisticRegression) Validate() error {
	if l.X == nil {
		return fmt.Errorf("inference: points are nil")
	}
	n, _ := l.X.Dims()
	if len(l.Y) != n {
		return fmt.Errorf("inference: %d labels for %d points", len(l.Y), n)
	}
	for i, y := range l.Y {
		if y != 1 && y != -1 {
			return fmt.Errorf("inference: label %d is %v, must be -1 or 1", i, y)
		}
		for j, x := range l.X.RawRowView(i) {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("inference: coordinate %d of point %d is %v, must be finite", j, i, x)
			}
		}
	}
	return checkPositive("Scale", l.Scale)
}

// Dim returns the dimension of the points.
func (l *LogisticRegression) Dim() int {
	_, d := l.X.Dims()
	return d
}

// Len returns the number of points.
func (l *LogisticRegression) Len() int { return len(l.Y) }

// SamplePrior sets the rows of dst to draws from the prior.
func (l *LogisticRegression) SamplePrior(dst *mat.Dense, rng *rand.Rand) {
	normalPrior(dst, rng, func(int) float64 { return l.Scale })
}

// LogPrior sets dst[i] to the log density of the prior.
func (l *LogisticRegression) LogPrior(dst []float64, theta *mat.Dense) {
	c := -float64(l.Dim()) * (0.5*vec.Log1(2*math.Pi) + vec.Log1(l.Scale))
	for i := range dst {
		w := theta.RawRowView(i)
		dst[i] = c - 0.5*vec.Dot(w, w)/(l.Scale*l.Scale)
	}
}

// LogPriorGradient sets the rows of dst to the gradients of the log prior.
func (l *LogisticRegression) LogPriorGradient(dst, theta *mat.Dense) {
	dst.Scale(-1/(l.Scale*l.Scale), theta)
}

// LogLikelihood sets dst[i] to the log likelihood of the batch: a product m x d x B and two vectorised functions for each
// of its elements.
func (l *LogisticRegression) LogLikelihood(dst []float64, theta *mat.Dense, batch []int) {
	u, _ := l.margins(theta, batch)
	m, b := u.Dims()
	size := make([]float64, b)
	for i := range m {
		row := u.RawRowView(i)
		// log 1/(1+e^-u) = min(u, 0) - log(1 + e^-|u|)
		dst[i] = 0
		for j, v := range row {
			dst[i] += min(v, 0)
			size[j] = -math.Abs(v)
		}
		vec.Exp(size, size)
		vec.Log1p(size, size)
		dst[i] -= vec.Sum(size)
	}
}

// LogLikelihoodGradient sets the rows of dst to the gradients of the batch's log likelihood.
func (l *LogisticRegression) LogLikelihoodGradient(dst, theta *mat.Dense, batch []int) {
	u, z := l.margins(theta, batch)
	m, _ := u.Dims()
	for i := range m {
		row := u.RawRowView(i)
		vec.Scale(row, -1, row)
		vec.Logistic(row, row)
	}
	linalg.Mul(dst, u, z)
}

// margins returns y_b w_i'x_b for particles i and the batch, and y_b x_b.
func (l *LogisticRegression) margins(theta *mat.Dense, batch []int) (u, z *mat.Dense) {
	z = mat.NewDense(len(batch), l.Dim(), nil)
	for j, b := range batch {
		vec.Scale(z.RawRowView(j), l.Y[b], l.X.RawRowView(b))
	}
	return linalg.MulTransB(nil, theta, z), z
}

// Laplace returns the normal approximation of the posterior at its mode, by Newton's method: the mean is the mode, the
// covariance the inverse of minus the Hessian. Cost n d^2 + d^3 for each of about ten steps.
func (l *LogisticRegression) Laplace(ctx context.Context) (*rkhs.Mixture, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	all := everything(l.Len())
	d := l.Dim()
	w := mat.NewDense(1, d, nil)
	grad, prior := mat.NewDense(1, d, nil), mat.NewDense(1, d, nil)
	objective := func(at *mat.Dense) float64 {
		var p, q [1]float64
		l.LogPrior(p[:], at)
		l.LogLikelihood(q[:], at, all)
		return p[0] + q[0]
	}
	value := objective(w)
	for range 100 {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		l.LogLikelihoodGradient(grad, w, all)
		l.LogPriorGradient(prior, w)
		grad.Add(grad, prior)
		precision := l.precision(w)
		factor, err := linalg.NewCholesky(precision)
		if err != nil {
			return nil, fmt.Errorf("inference: Hessian at the mode: %w", err)
		}
		step := factor.SolveVecTo(nil, grad.RawRowView(0))
		if vec.Dot(step, grad.RawRowView(0)) < 1e-18*float64(1+l.Len()) {
			return normal(w.RawRowView(0), factor)
		}
		next := mat.NewDense(1, d, nil)
		// Close to the mode a step gains less than rounding leaves of a sum over all observations, so it may seem to lose.
		rounding := 1e-12 * math.Abs(value)
		for size, tries := 1.0, 0; tries < 40; size, tries = size/2, tries+1 {
			vec.Scale(next.RawRowView(0), size, step)
			next.Add(next, w)
			if v := objective(next); v >= value-rounding {
				value = v
				break
			}
		}
		w = next
	}
	return nil, fmt.Errorf("inference: Newton's method did not converge in 100 steps")
}

// precision is minus the Hessian of the log posterior.
func (l *LogisticRegression) precision(w *mat.Dense) *mat.SymDense {
	d := l.Dim()
	weighted := mat.DenseCopyOf(l.X)
	u := linalg.MulVec(nil, l.X, w.RawRowView(0))
	for i, v := range u {
		p := vec.Logistic1(v)
		vec.Scale(weighted.RawRowView(i), math.Sqrt(p*(1-p)), weighted.RawRowView(i))
	}
	h := linalg.SymRankKTrans(nil, 1, weighted, 0)
	for k := range d {
		h.SetSym(k, k, h.At(k, k)+1/(l.Scale*l.Scale))
	}
	return h
}

// normal returns N(mean, P^-1) for the Cholesky factor of P.
func normal(mean []float64, precision *linalg.Cholesky) (*rkhs.Mixture, error) {
	d := len(mean)
	eye := mat.NewDense(d, d, nil)
	for k := range d {
		eye.Set(k, k, 1)
	}
	inverse := precision.SolveTo(nil, eye)
	cov := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			cov.SetSym(i, j, 0.5*(inverse.At(i, j)+inverse.At(j, i)))
		}
	}
	return rkhs.NewNormal(mean, cov)
}

// everything returns the indices of n observations.
func everything(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// Predict returns the posterior probability of label 1 at the rows of X, n x d, averaged over the weighted sample q of w.
// The cost is a product n x d x m.
func (l *LogisticRegression) Predict(q rkhs.Measure, X *mat.Dense) ([]float64, error) {
	if err := q.Validate(); err != nil {
		return nil, err
	}
	if _, d := X.Dims(); d != l.Dim() || q.Dim() != l.Dim() {
		return nil, fmt.Errorf("inference: points of dimension %d and weights of dimension %d for a model of dimension %d", d, q.Dim(), l.Dim())
	}
	u := linalg.MulTransB(nil, X, q.X)
	n, m := u.Dims()
	out := make([]float64, n)
	for i := range n {
		row := u.RawRowView(i)
		vec.Logistic(row, row)
		if q.W == nil {
			out[i] = vec.Sum(row) / float64(m)
		} else {
			out[i] = vec.Dot(row, q.W)
		}
	}
	return out, nil
}

// Variational is stochastic variational inference with a normal distribution and the bound of Jaakkola and Jordan (2000): each
// observation of a batch gets the xi_b at which the bound is best, xi_b^2 = x_b'(S + mu mu')x_b, and the natural parameters take
// a step rho_t towards
//
//	precision = I/Scale^2 + 2 N/B sum_b l(xi_b) x_b x_b',  precision mean = N/B sum_b y_b x_b/2,  l(xi) = tanh(xi/2)/(4 xi).
//
// Nil settings are the defaults. Cost B d^2 + d^3 a step.
func (l *LogisticRegression) Variational(ctx context.Context, s *VariationalSettings, rng *rand.Rand) (*rkhs.Mixture, error) {
	if rng == nil {
		return nil, fmt.Errorf("inference: rng is nil, must be a source of random numbers")
	}
	defaults := DefaultVariationalSettings()
	s = fill(s, defaults, &defaults.Batch, l.Len())
	if err := s.check(l); err != nil {
		return nil, err
	}
	d := l.Dim()
	prior := 1 / (l.Scale * l.Scale)
	precision, linear := mat.NewSymDense(d, nil), make([]float64, d)
	for k := range d {
		precision.SetSym(k, k, prior)
	}
	factor, err := linalg.NewCholesky(precision)
	if err != nil {
		return nil, err
	}
	X, weighted := mat.NewDense(s.Batch, d, nil), mat.NewDense(s.Batch, d, nil)
	return s.steps(ctx, l, rng, func(batch []int, scale, rho float64) (*rkhs.Mixture, error) {
		mean := factor.SolveVecTo(nil, linear)
		vec.Scale(linear, 1-rho, linear)
		for j, b := range batch {
			X.SetRow(j, l.X.RawRowView(b))
			vec.Axpy(linear, 0.5*rho*scale*l.Y[b], X.RawRowView(j))
		}
		half := factor.HalfSolveTo(nil, mat.DenseCopyOf(X.T()))
		for j := range batch {
			u := vec.Dot(mean, X.RawRowView(j))
			xi := u * u
			for k := range d {
				xi += half.At(k, j) * half.At(k, j)
			}
			xi = math.Sqrt(xi)
			curvature := 0.125 // the limit at 0
			if xi > 1e-6 {
				curvature = vec.Tanh1(0.5*xi) / (4 * xi)
			}
			vec.Scale(weighted.RawRowView(j), math.Sqrt(2*rho*scale*curvature), X.RawRowView(j))
		}
		linalg.SymRankKTrans(precision, 1, weighted, 1-rho)
		for k := range d {
			precision.SetSym(k, k, precision.At(k, k)+rho*prior)
		}
		if factor, err = linalg.NewCholesky(precision); err != nil {
			return nil, fmt.Errorf("inference: precision: %w", err)
		}
		return normal(factor.SolveVecTo(nil, linear), factor)
	})
}
