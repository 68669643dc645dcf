package kernelmachine

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
)

// Ridge returns the minimiser of (1/2n) sum_i |f(x_i) - y_i|^2 + nu/2 |f|^2 over the
// Hilbert space of k, exactly: f = sum_i c_i k(x_i, .) with (K + n nu I) c = y. y
// holds the targets of one point after the other, as many for each. Cost O(n^3), memory
// O(n^2).
func Ridge(ctx context.Context, k rkhs.Kernel, X *mat.Dense, y []float64, nu float64) (*KernelModel, error) {
	if err := checkPositive("regularization", nu); err != nil {
		return nil, err
	}
	loss, err := squaredFor(X, y)
	if err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	gram, err := rkhs.Gram(ctx, k, X, nil)
	if err != nil {
		return nil, err
	}
	chol, err := linalg.NewCholeskyDense(gram, float64(n)*nu)
	if err != nil {
		return nil, fmt.Errorf("kernelmachine: regularization is %v, too small for points that (nearly) repeat: %w", nu, err)
	}
	c := chol.SolveTo(nil, mat.NewDense(n, len(y)/n, y))
	return &KernelModel{Kernel: k, X: X, Coefficients: c, loss: loss}, ctx.Err()
}

// FeatureRidge is [Ridge] over functions of the features z: W = (Z'Z + n nu I)^-1 Z'y. Cost
// O(n r^2) for r features.
func FeatureRidge(ctx context.Context, z FeatureMap, X *mat.Dense, y []float64, nu float64) (*LinearModel, error) {
	if err := checkPositive("regularization", nu); err != nil {
		return nil, err
	}
	loss, err := squaredFor(X, y)
	if err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	phi, err := z.Map(ctx, X)
	if err != nil {
		return nil, err
	}
	w := mat.NewDense(z.Len(), loss.Targets, nil)
	if err := precondition(w, phi, mat.NewDense(n, loss.Targets, append([]float64(nil), y...)), nu); err != nil {
		return nil, err
	}
	w.Scale(1/float64(n), w)
	return &LinearModel{z, w, loss}, ctx.Err()
}

// squaredFor is the squared loss for the targets of points.
func squaredFor(X *mat.Dense, y []float64) (Squared, error) {
	if err := checkPoints(X); err != nil {
		return Squared{}, err
	}
	n, _ := X.Dims()
	if len(y) == 0 || len(y)%n != 0 {
		return Squared{}, fmt.Errorf("kernelmachine: %d targets for %d points, must be as many for each", len(y), n)
	}
	loss := Squared{Targets: len(y) / n}
	return loss, checkTargets(loss, X, y)
}

// SubsetOfData is [Ridge] on size of the points, drawn without replacement.
func SubsetOfData(ctx context.Context, k rkhs.Kernel, X *mat.Dense, y []float64, nu float64, size int, rng *rand.Rand) (*KernelModel, error) {
	if rng == nil {
		return nil, fmt.Errorf("kernelmachine: rng is nil, must be a source of random numbers")
	}
	loss, err := squaredFor(X, y)
	if err != nil {
		return nil, err
	}
	n, d := X.Dims()
	if size < 1 || size > n {
		return nil, fmt.Errorf("kernelmachine: subset has %d of %d points, must have 1 to %d", size, n, n)
	}
	part, labels := mat.NewDense(size, d, nil), make([]float64, 0, size*loss.Targets)
	for i, r := range rng.Perm(n)[:size] {
		part.SetRow(i, X.RawRowView(r))
		labels = append(labels, y[r*loss.Targets:(r+1)*loss.Targets]...)
	}
	return Ridge(ctx, k, part, labels, nu)
}

// A GaussianProcess is the posterior of a function with a Gaussian process prior of
// mean 0 and covariance k, given noisy values at points.
type GaussianProcess struct {
	kernel rkhs.Kernel
	x      *mat.Dense
	mean   *KernelModel
	chol   *linalg.Cholesky // of K + noise I
}

// NewGaussianProcess returns the posterior given the values y at the n rows of X with
// Gaussian noise of the given variance, exactly. Cost O(n^3).
func NewGaussianProcess(ctx context.Context, k rkhs.Kernel, X *mat.Dense, y []float64, noise float64) (*GaussianProcess, error) {
	if err := checkPositive("noise variance", noise); err != nil {
		return nil, err
	}
	if err := checkPoints(X); err != nil {
		return nil, err
	}
	if err := checkTargets(Squared{}, X, y); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	gram, err := rkhs.Gram(ctx, k, X, nil)
	if err != nil {
		return nil, err
	}
	chol, err := linalg.NewCholeskyDense(gram, noise)
	if err != nil {
		return nil, fmt.Errorf("kernelmachine: noise variance is %v, too small for points that (nearly) repeat: %w", noise, err)
	}
	c := chol.SolveTo(nil, mat.NewDense(n, 1, y))
	return &GaussianProcess{k, X, &KernelModel{Kernel: k, X: X, Coefficients: c, loss: Squared{}}, chol}, nil
}

// At returns the posterior mean and variance of the function at the rows of X; the
// variance of a new value has the noise's on top. Cost O(n^2) a point.
func (g *GaussianProcess) At(ctx context.Context, X *mat.Dense) (mean, variance []float64, err error) {
	mean, err = g.mean.Predict(ctx, X)
	if err != nil {
		return nil, nil, err
	}
	cross, err := rkhs.Gram(ctx, g.kernel, g.x, X)
	if err != nil {
		return nil, nil, err
	}
	variance = rkhs.Diagonal(g.kernel, X)
	half := g.chol.HalfSolveTo(nil, cross)
	rows, _ := half.Dims()
	for i := range rows {
		for j, v := range half.RawRowView(i) {
			variance[j] -= v * v
		}
	}
	return mean, variance, nil
}

// Operator returns (K + noise I)^-1, n x n: the posterior variance at x is k(x, x)
// less the quadratic form of (k(x_1, x), ..., k(x_n, x)) in it.
func (g *GaussianProcess) Operator() *mat.Dense {
	n := g.chol.Len()
	one := mat.NewDense(n, n, nil)
	for i := range n {
		one.Set(i, i, 1)
	}
	return g.chol.SolveTo(nil, one)
}
