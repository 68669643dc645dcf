package embedding

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
)

// Conditional is an estimate of the embedding of a conditional distribution from m draws of
// (x, z): E[f(z) | x] is about sum_j tau_j(x) f(z_j), with tau(x) = (K + lambda m I)^-1
// k(X, x) (Dai 2018, equation 5.11).
type Conditional struct {
	kernel   rkhs.Kernel
	features kernelmachine.FeatureMap // in place of kernel
	x        *mat.Dense
	inverse  *linalg.Cholesky // of K + lambda m I, or Phi'Phi + lambda m I
	phi      *mat.Dense       // m x p
}

// NewConditional returns the embedding given the conditions in the rows of X, m x d. Cost
// O(m^3), O(m^2) a condition. Dai 2018, Algorithm 10.
func NewConditional(ctx context.Context, k rkhs.Kernel, X *mat.Dense, lambda float64) (*Conditional, error) {
	if err := checkLambda(lambda); err != nil {
		return nil, err
	}
	gram, err := rkhs.Gram(ctx, k, X, nil)
	if err != nil {
		return nil, err
	}
	m, _ := X.Dims()
	inverse, err := linalg.NewCholeskyDense(gram, lambda*float64(m))
	if err != nil {
		return nil, fmt.Errorf("embedding: K + lambda m I: %w", err)
	}
	return &Conditional{kernel: k, x: mat.DenseCopyOf(X), inverse: inverse}, nil
}

// NewFeatureConditional is [NewConditional] with the inner product of p features as the
// kernel. Cost O(p^2 m + p^3), O(p m) a condition. Dai 2018, Algorithm 11.
func NewFeatureConditional(ctx context.Context, features kernelmachine.FeatureMap, X *mat.Dense, lambda float64) (*Conditional, error) {
	if err := checkLambda(lambda); err != nil {
		return nil, err
	}
	phi, err := features.Map(ctx, X)
	if err != nil {
		return nil, err
	}
	m, p := phi.Dims()
	gram := linalg.SymRankKTrans(nil, 1, phi, 0)
	for i := range p {
		gram.SetSym(i, i, gram.At(i, i)+lambda*float64(m))
	}
	inverse, err := linalg.NewCholesky(gram)
	if err != nil {
		return nil, fmt.Errorf("embedding: Phi'Phi + lambda m I: %w", err)
	}
	return &Conditional{features: features, x: mat.DenseCopyOf(X), inverse: inverse, phi: phi}, nil
}

func checkLambda(lambda float64) error {
	if !(lambda > 0) || math.IsInf(lambda, 1) {
		return fmt.Errorf("embedding: lambda is %v, must be positive", lambda)
	}
	return nil
}

// Weights returns tau at the n rows of X, n x m.
func (c *Conditional) Weights(ctx context.Context, X *mat.Dense) (*mat.Dense, error) {
	if c.features != nil {
		phi, err := c.features.Map(ctx, X)
		if err != nil {
			return nil, err
		}
		t := mat.DenseCopyOf(phi.T())
		c.inverse.SolveTo(t, t)
		return linalg.MulTransB(nil, mat.DenseCopyOf(t.T()), c.phi), nil
	}
	k, err := rkhs.Gram(ctx, c.kernel, c.x, X)
	if err != nil {
		return nil, err
	}
	c.inverse.SolveTo(k, k)
	return mat.DenseCopyOf(k.T()), nil
}

// Bellman returns the batch of policy evaluation in which the embedding, given conditions
// (s, a), stands for the law of the next state: the kernel MDP. States are N x d, conditions
// those of the same samples, next the m next states that followed on the rows the embedding
// was made from, ratios as in [Transitions] or nil. A [Descent] with it minimises a squared
// residual without the noise of one draw, but for the bias of the estimate. The pairs (s, a)
// are what is drawn anew: Dual is not set.
func (c *Conditional) Bellman(ctx context.Context, states, conditions, next *mat.Dense, rewards, ratios []float64, discount float64) (*Batch, error) {
	if states == nil || conditions == nil || next == nil {
		return nil, fmt.Errorf("embedding: states, conditions or next states are nil")
	}
	m, _ := c.x.Dims()
	if n, _ := next.Dims(); n != m {
		return nil, fmt.Errorf("embedding: %d next states for the %d conditions of the embedding, must be as many", n, m)
	}
	if n, _ := conditions.Dims(); n != states.RawMatrix().Rows {
		return nil, fmt.Errorf("embedding: %d conditions for %d states", n, states.RawMatrix().Rows)
	}
	b, err := Bellman(&Transitions{States: states, Next: states, Weights: ratios}, rewards, discount)
	if err != nil {
		return nil, err
	}
	mix, err := c.Weights(ctx, conditions)
	if err != nil {
		return nil, err
	}
	for i, w := range b.Terms[0].Weights { // the ratio times the discount
		row := mix.RawRowView(i)
		for j := range row {
			row[j] *= w
		}
	}
	b.Terms[0], b.Dual = Term{X: next, Mix: mix}, nil
	return b, nil
}
