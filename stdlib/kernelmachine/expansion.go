package kernelmachine

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

// An Expansion is a function of one output that grows by functional gradients: what a
// [Machine] learns with, for objectives that are no [Loss] of outputs at points. A
// step is
//
//	f <- keep f + sum_i c_i k(x_i, .),
//
// where k is the kernel itself or, in a doubly stochastic one, a block of its random
// features that is fresh in each step and made again from a seed whenever f is asked
// for. It starts as 0. One goroutine at a time may use an Expansion.
type Expansion struct {
	kernel rkhs.Kernel
	source rkhs.FeatureSource // nil for the kernel itself
	block  int
	seed   uint64

	d      int // 0 before the first step
	basis  basis
	weight float64 // of the steps in the mean
	state
}

// NewExpansion returns the doubly stochastic expansion with blocks of that many random
// features (Dai 2018, Algorithms 1 and 6 to 8). One number is drawn from rng, the seed
// of all features. Memory is two numbers for each feature.
func NewExpansion(k rkhs.Kernel, block int, rng *rand.Rand) (*Expansion, error) {
	if rng == nil {
		return nil, fmt.Errorf("kernelmachine: rng is nil, must be a source of random numbers")
	}
	if err := rkhs.Validate(k); err != nil {
		return nil, err
	}
	source, err := rkhs.NewFeatureSource(k)
	if err != nil {
		return nil, err
	}
	if least := rkhs.MinWidth(source); block < least {
		return nil, fmt.Errorf("kernelmachine: block is %d, must be at least %d for this kernel", block, least)
	}
	return &Expansion{kernel: k, source: source, block: block, seed: rng.Uint64()}, nil
}

// NewKernelExpansion returns the expansion in the kernel itself, which keeps the points of
// all steps.
func NewKernelExpansion(k rkhs.Kernel) (*Expansion, error) {
	if err := rkhs.Validate(k); err != nil {
		return nil, err
	}
	return &Expansion{kernel: k}, nil
}

// Kernel returns the kernel.
func (e *Expansion) Kernel() rkhs.Kernel { return e.kernel }

// Stochastic reports whether random features stand for the kernel, so that the function
// need not lie in the kernel's space.
func (e *Expansion) Stochastic() bool { return e.source != nil }

// Steps returns the number of steps taken.
func (e *Expansion) Steps() int { return e.t }

// Outputs returns f at the n rows of X. Cost O(n t R d) after t steps of R features, or
// R points.
func (e *Expansion) Outputs(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return e.at(ctx, X, false)
}

// Mean returns, at the rows of X, the weighted mean of the functions that
// [Expansion.Count] saw; f itself if it saw none. Cost as [Expansion.Outputs].
func (e *Expansion) Mean(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return e.at(ctx, X, e.weight > 0)
}

func (e *Expansion) at(ctx context.Context, X *mat.Dense, mean bool) ([]float64, error) {
	if err := e.checkPoints(X); err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	if e.t == 0 || mean && e.averaged == 0 {
		return make([]float64, n), nil
	}
	x, err := e.basis.prepare(X)
	if err != nil {
		return nil, err
	}
	out, err := e.evaluate(ctx, e.basis, x, mean)
	if err != nil {
		return nil, err
	}
	if mean { // evaluate divides by the number of functions
		out.Scale(float64(e.averaged)/e.weight, out)
	}
	return out.RawMatrix().Data, nil
}

func (e *Expansion) checkPoints(X *mat.Dense) error {
	if err := checkPoints(X); err != nil {
		return err
	}
	if _, d := X.Dims(); e.d > 0 && d != e.d {
		return fmt.Errorf("kernelmachine: points have dimension %d, must be %d as those before", d, e.d)
	}
	return nil
}

// Add takes a step with the rows of X and a coefficient for each. Steps with the kernel
// itself may have no more points than the first one.
func (e *Expansion) Add(ctx context.Context, keep float64, X *mat.Dense, c []float64) error {
	if err := e.checkPoints(X); err != nil {
		return err
	}
	n, d := X.Dims()
	if len(c) != n {
		return fmt.Errorf("kernelmachine: %d coefficients for %d points", len(c), n)
	}
	if math.IsNaN(keep) || math.IsInf(keep, 0) {
		return fmt.Errorf("kernelmachine: keep is %v, must be finite", keep)
	}
	if e.d == 0 {
		e.open(n, d)
	}
	if !e.Stochastic() && n > e.width {
		return fmt.Errorf("kernelmachine: %d points in a step, must be at most %d as in the first", n, e.width)
	}
	x, err := e.basis.prepare(X)
	if err != nil {
		return err
	}
	a := mat.NewDense(e.width, 1, nil)
	if err := e.basis.gradient(ctx, a, x, e.t, mat.NewDense(n, 1, append([]float64(nil), c...)), -1); err != nil {
		return err
	}
	e.shrink(keep)
	e.state.add(a, true)
	return nil
}

// open makes the basis for points of dimension d, n of them in the first step.
func (e *Expansion) open(n, d int) {
	const cache = 16 << 20
	width := n
	if e.Stochastic() {
		width = e.block
		e.basis = newFeatures(e.source, d, width, e.seed, cache)
	} else {
		e.basis = newSupports(e.kernel, d, width)
	}
	e.d = d
	e.state = state{per: e.basis.panelBlocks(), width: width, outputs: 1, scale: 1}
}

// Scale multiplies f by a factor.
func (e *Expansion) Scale(factor float64) {
	if e.t > 0 {
		e.shrink(factor)
	}
}

// Count takes f as it is into the mean, with a weight.
func (e *Expansion) Count(weight float64) {
	e.weight += weight
	if e.t > 0 {
		e.sum += weight * e.scale
		e.averaged++
	}
}
