package filtering

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"
)

// KalmanResult holds the exact distributions of a linear Gaussian model, or the
// approximate ones of [ExtendedKalman] and [UnscentedKalman].
type KalmanResult struct {
	// Means (T x d) and Covs are those of x_t given y_1, ..., y_t.
	Means *mat.Dense
	Covs  []*mat.SymDense
	// PredictedMeans and PredictedCovs are those of x_t given y_1, ..., y_(t-1).
	PredictedMeans *mat.Dense
	PredictedCovs  []*mat.SymDense
	// LogLikelihood is log p(y_1, ..., y_T), Increments[t-1] its part
	// log p(y_t | y_1, ..., y_(t-1)).
	LogLikelihood float64
	Increments    []float64
}

func newKalmanResult(steps, d int) *KalmanResult {
	return &KalmanResult{Means: mat.NewDense(steps, d, nil), PredictedMeans: mat.NewDense(steps, d, nil)}
}

// record appends one step.
func (r *KalmanResult) record(t int, predicted, filtered belief, logLik float64) {
	r.PredictedMeans.SetRow(t-1, predicted.mean)
	r.PredictedCovs = append(r.PredictedCovs, predicted.cov)
	r.Means.SetRow(t-1, filtered.mean)
	r.Covs = append(r.Covs, filtered.cov)
	r.Increments = append(r.Increments, logLik)
	r.LogLikelihood += logLik
}

// belief is a Gaussian.
type belief struct {
	mean []float64
	cov  *mat.SymDense
}

// mostDiffuse is how much more variable a prediction may be than an observation: beyond, what other coordinates keep after the
// observation is lost in the rounding of covariances.
const mostDiffuse = 1e15

// predict returns the belief of A x + v, v ~ N(0, Q).
func (b belief) predict(A *mat.Dense, Q *mat.SymDense) belief {
	d, _ := A.Dims()
	out := belief{mean: make([]float64, d), cov: congruence(A, b.cov)}
	linalg.MulVec(out.mean, A, b.mean)
	out.cov.AddSym(out.cov, Q)
	return out
}

// update returns the belief after y = predicted + C (x - mean) + e, e ~ N(0, R),
// in Joseph's form, which keeps the covariance symmetric and positive, and
// log p(y).
func (b belief) update(C *mat.Dense, R *mat.SymDense, y, predicted []float64) (belief, float64, error) {
	p, d := C.Dims()
	S := congruence(C, b.cov)
	if d > 1 { // of a single coordinate Joseph's form has all digits
		for i := range p {
			if S.At(i, i) > mostDiffuse*R.At(i, i) {
				return belief{}, 0, fmt.Errorf("the variance of observation %d is %.2g before it is seen and %.2g given the state: float64 has no digits left for what it says; make the initial covariance smaller", i, S.At(i, i), R.At(i, i))
			}
		}
	}
	S.AddSym(S, R)
	chol, err := linalg.NewCholesky(S)
	if err != nil {
		return belief{}, 0, fmt.Errorf("covariance of the innovation is not positive definite")
	}
	innovation := make([]float64, p)
	vec.Sub(innovation, y, predicted)
	gain := gainOf(chol, linalg.MulTransB(nil, mat.DenseCopyOf(b.cov), C))
	ikc := linalg.Mul(nil, gain, C)
	ikc.Scale(-1, ikc)
	for i := range d {
		ikc.Set(i, i, ikc.At(i, i)+1)
	}
	out := belief{mean: product(gain, innovation), cov: congruence(ikc, b.cov)}
	out.cov.AddSym(out.cov, congruence(gain, R))
	vec.Add(out.mean, out.mean, b.mean)
	return out, logNormal(chol, innovation), nil
}

// gainOf returns cross S^-1 (d x p) for the factor of S.
func gainOf(chol *linalg.Cholesky, cross *mat.Dense) *mat.Dense {
	return mat.DenseCopyOf(chol.SolveTo(nil, mat.DenseCopyOf(cross.T())).T())
}

// logNormal returns the logarithm of the density of N(0, S) at e.
func logNormal(chol *linalg.Cholesky, e []float64) float64 {
	z := chol.HalfSolveVecTo(nil, e)
	return -0.5*(vec.Dot(z, z)+chol.LogDet()) - 0.5*float64(len(e))*vec.Log1(2*math.Pi)
}

// product returns M v.
func product(M *mat.Dense, v []float64) []float64 {
	return linalg.MulVec(nil, M, v)
}

// Kalman filters the observations, the rows of Y (T x p), exactly. NaN is an error, or
// with Missing of the model a number that was not observed. Cost O(T (d^3 + p^3)).
func Kalman(ctx context.Context, m *LinearGaussian, Y *mat.Dense) (*KalmanResult, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if err := m.checkObservations(Y); err != nil {
		return nil, err
	}
	steps, _ := Y.Dims()
	out := newKalmanResult(steps, len(m.InitialMean))
	var b belief
	for t := 1; t <= steps; t++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if t == 1 {
			b = belief{mean: append([]float64(nil), m.InitialMean...), cov: mat.NewSymDense(len(m.InitialMean), nil)}
			b.cov.CopySym(m.InitialCov)
		} else {
			b = b.predict(m.A, m.Q)
		}
		filtered, l, err := b.updateSeen(m, Y.RawRowView(t-1))
		if err != nil {
			return nil, fmt.Errorf("filtering: step %d: %w", t, err)
		}
		out.record(t, b, filtered, l)
		b = filtered
	}
	return out, nil
}

// KalmanSmoother returns the means (T x d) and covariances of x_t given all
// observations, from the result of [Kalman], by the recursion of Rauch, Tung and
// Striebel. Cost O(T d^3).
func KalmanSmoother(m *LinearGaussian, r *KalmanResult) (means *mat.Dense, covs []*mat.SymDense, err error) {
	if err := m.Validate(); err != nil {
		return nil, nil, err
	}
	if _, d := r.Means.Dims(); d != len(m.InitialMean) {
		return nil, nil, fmt.Errorf("filtering: result has dimension %d, must be %d as the model", d, len(m.InitialMean))
	}
	means, covs, _, err = m.smooth(r)
	return means, covs, err
}

// smooth does the work of KalmanSmoother. gains[t] is that of the step from t+1 to t,
// with which the covariance of x_(t+1) and x_t is covs[t+1] gains[t]'.
func (m *LinearGaussian) smooth(r *KalmanResult) (means *mat.Dense, covs []*mat.SymDense, gains []*mat.Dense, err error) {
	steps, d := r.Means.Dims()
	means = mat.DenseCopyOf(r.Means)
	covs, gains = make([]*mat.SymDense, steps), make([]*mat.Dense, steps-1)
	covs[steps-1] = r.Covs[steps-1]
	for t := steps - 2; t >= 0; t-- {
		// Gain G = P A' (P^-)^-1 with the next step's predicted covariance P^-.
		chol, err := linalg.NewCholesky(r.PredictedCovs[t+1])
		if err != nil {
			return nil, nil, nil, fmt.Errorf("filtering: predicted covariance at step %d is singular", t+2)
		}
		gain := gainOf(chol, linalg.MulTransB(nil, mat.DenseCopyOf(r.Covs[t]), m.A))
		gains[t] = gain
		diff := make([]float64, d)
		vec.Sub(diff, means.RawRowView(t+1), r.PredictedMeans.RawRowView(t+1))
		row := means.RawRowView(t)
		vec.Add(row, row, product(gain, diff))
		change := mat.NewSymDense(d, nil)
		for i := range d {
			for j := i; j < d; j++ {
				change.SetSym(i, j, covs[t+1].At(i, j)-r.PredictedCovs[t+1].At(i, j))
			}
		}
		covs[t] = congruence(gain, change)
		covs[t].AddSym(covs[t], r.Covs[t])
	}
	return means, covs, gains, nil
}

func checkObservations(Y *mat.Dense, p int) error {
	if Y == nil || Y.IsEmpty() {
		return fmt.Errorf("filtering: there are no observations")
	}
	if _, c := Y.Dims(); c != p {
		return fmt.Errorf("filtering: observations have dimension %d, must be %d", c, p)
	}
	return finiteMatrix("observations", Y)
}
