package embedding

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// Expansion is a function that grows in every step: by the kernel at the step's points, or
// by fresh random features.
type Expansion struct {
	grown  *kernelmachine.Expansion
	x      *mat.Dense // of the last Forward
	values []float64
	norm2  float64
}

var _ Function = (*Expansion)(nil)

// NewKernel returns the zero function of the space of k (Dai 2018, Algorithm 4). It keeps
// the points that it saw, so step t with B points costs O(t B^2 d). No step may have more
// points than the first.
func NewKernel(k rkhs.Kernel) (*Expansion, error) {
	e, err := kernelmachine.NewKernelExpansion(k)
	if err != nil {
		return nil, err
	}
	return &Expansion{grown: e}, nil
}

// NewDoublyStochastic returns the zero function that each step moves along a block of fresh
// random features of k (Dai 2018, Algorithms 6 to 8), which are made again from a seed
// drawn from rng. It keeps two numbers for each feature of each step and no points; step t
// with B points costs O(t B block d). Such functions need not lie in the space of k: they
// have no norm.
func NewDoublyStochastic(k rkhs.Kernel, block int, rng *rand.Rand) (*Expansion, error) {
	if rng == nil {
		return nil, fmt.Errorf("embedding: rng is nil, must be a source of random numbers")
	}
	e, err := kernelmachine.NewExpansion(k, block, rng)
	if err != nil {
		return nil, err
	}
	return &Expansion{grown: e, norm2: math.NaN()}, nil
}

// Forward returns the values at the rows of X.
func (e *Expansion) Forward(ctx context.Context, X *mat.Dense) (_ []float64, err error) {
	e.values, err = e.grown.Outputs(ctx, X)
	e.x = mat.DenseCopyOf(X)
	return e.values, err
}

// Move shrinks the function and adds the kernel, or features, at the points.
func (e *Expansion) Move(ctx context.Context, keep float64, c []float64) error {
	if len(c) != len(e.values) {
		return fmt.Errorf("embedding: %d coefficients for %d points", len(c), len(e.values))
	}
	if e.grown.Stochastic() {
		return e.grown.Add(ctx, keep, e.x, c)
	}
	gram, err := rkhs.Gram(ctx, e.grown.Kernel(), e.x, nil)
	if err != nil {
		return err
	}
	if err := e.grown.Add(ctx, keep, e.x, c); err != nil {
		return err
	}
	// |keep f + sum c_i k_i|^2
	added := vec.Dot(c, linalg.MulVec(nil, gram, c))
	e.norm2 = max(0, keep*keep*e.norm2+2*keep*vec.Dot(c, e.values)+added)
	return nil
}

// Norm returns the norm in the kernel's space; NaN for random features.
func (e *Expansion) Norm() float64 { return math.Sqrt(e.norm2) }

// Scale multiplies the function by a factor.
func (e *Expansion) Scale(factor float64) {
	e.grown.Scale(factor)
	e.norm2 *= factor * factor
}

// Count takes the function as it is into its mean.
func (e *Expansion) Count(weight float64) { e.grown.Count(weight) }

// Values returns the function at the n rows of X. Cost O(n t R d) after t steps of R points
// or features.
func (e *Expansion) Values(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return e.grown.Outputs(ctx, X)
}

// Mean returns the mean function at the rows of X, at the cost of [Expansion.Values].
func (e *Expansion) Mean(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return e.grown.Mean(ctx, X)
}
