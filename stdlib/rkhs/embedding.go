package rkhs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// An Embedding is the mean element mu_p = E_p k(., X) of a distribution p in
// the space of a kernel k: the function mu_p(x) = E_p k(x, X) and the square of
// its norm. It is all that herding, quadrature and the MMD need to know of p.
type Embedding interface {
	// Kernel returns k.
	Kernel() Kernel
	// Dim returns the dimension of the points.
	Dim() int
	// EvalTo writes mu_p(x_i) for each row x_i of X to dst.
	EvalTo(ctx context.Context, dst []float64, X *mat.Dense) error
	// Norm2 returns |mu_p|^2 = E k(X, X') for independent X, X' from p.
	Norm2(ctx context.Context) (float64, error)
}

// A DifferentiableEmbedding has the gradient of mu_p: dst[j] = dmu_p(x)/dx_j.
type DifferentiableEmbedding interface {
	Embedding
	Gradient(dst, x []float64)
}

// Embed returns the mean embedding of p in closed form, for
//
//   - a [Mixture] under a [Gaussian] kernel, with diagonal covariances under a
//     [Laplace] one, in one dimension under a [Matern] one with Nu up to 2.5,
//   - a [Box] under a Gaussian, Laplace, [Min], [Spline] or [Cauchy] kernel, in one
//     dimension under any Matern one,
//   - a Mixture or a Box under a [Linear], [Polynomial], [DotProduct] or [Constant]
//     kernel, in one dimension under a [Trigonometric] one,
//   - a [LabelledMixture] under a [Labelled] Gaussian,
//   - a [Measure] under any kernel (an exact sum over its atoms),
//   - all of these under sums and positive multiples of such kernels.
//
// For other pairs it returns an error; [EmbedSample] then approximates.
func Embed(k Kernel, p Distribution) (Embedding, error) {
	if err := Validate(k); err != nil {
		return nil, err
	}
	if p == nil {
		return nil, fmt.Errorf("rkhs: distribution is nil")
	}
	if m, ok := p.(Measure); ok {
		return embedMeasure(k, m)
	}
	switch k := k.(type) {
	case Constant:
		return constantEmbedding{k, p.Dim()}, nil
	case Scaled:
		e, err := Embed(k.Kernel, p)
		if err != nil {
			return nil, err
		}
		return combinedEmbedding{k, []Embedding{e}, k.Factor}, nil
	case Sum:
		es := make([]Embedding, len(k))
		for i, part := range k {
			e, err := Embed(part, p)
			if err != nil {
				return nil, err
			}
			es[i] = e
		}
		return combinedEmbedding{k, es, 1}, nil
	}
	switch p := p.(type) {
	case *Mixture:
		switch k := k.(type) {
		case Gaussian:
			return embedMixture(k, p), nil
		case Linear:
			return embedMeasure(k, Measure{X: mat.NewDense(1, p.Dim(), p.Mean()), W: []float64{1}})
		case Trigonometric:
			if p.Dim() == 1 {
				return embedTrigonometric(k, mixtureCharacteristic(p)), nil
			}
		}
		if e, ok := embedInner(k, p); ok {
			return e, nil
		}
		if e, ok := embedDecay(k, p); ok {
			return e, nil
		}
	case *LabelledMixture:
		if l, ok := k.(Labelled); ok {
			if g, ok := l.Kernel.(Gaussian); ok {
				return embedLabelled(l, g, p), nil
			}
		}
	case *Box:
		return embedBox(k, p)
	}
	return nil, fmt.Errorf("rkhs: no closed form for the mean embedding of a %T under the kernel %T; use EmbedSample", p, k)
}

// EmbedSample approximates the mean embedding of p by that of n independent
// draws from it, with weights 1/n: the error in the norm of the space is at
// most about sqrt(E k(X,X) / n). Evaluations cost O(n) each, Norm2 O(n^2).
func EmbedSample(k Kernel, p Distribution, n int, rng *rand.Rand) (Embedding, error) {
	if rng == nil {
		return nil, fmt.Errorf("rkhs: rng is nil, must be a source of random numbers")
	}
	if n < 1 {
		return nil, fmt.Errorf("rkhs: sample size is %d, must be at least 1", n)
	}
	if err := Validate(k); err != nil {
		return nil, err
	}
	return embedMeasure(k, Uniform(p.Sample(rng, n)))
}

// checkEval checks the arguments of EvalTo.
func checkEval(dst []float64, X *mat.Dense, dim int) error {
	if X == nil || X.IsEmpty() {
		return fmt.Errorf("rkhs: points are empty")
	}
	n, d := X.Dims()
	if d != dim {
		return fmt.Errorf("rkhs: points have dimension %d, must be %d", d, dim)
	}
	if len(dst) != n {
		return fmt.Errorf("rkhs: destination has length %d, must be %d", len(dst), n)
	}
	return nil
}

// constantEmbedding is the embedding of any distribution under a constant kernel.
type constantEmbedding struct {
	kernel Constant
	dim    int
}

func (e constantEmbedding) Kernel() Kernel { return e.kernel }
func (e constantEmbedding) Dim() int       { return e.dim }

func (e constantEmbedding) EvalTo(_ context.Context, dst []float64, X *mat.Dense) error {
	if err := checkEval(dst, X, e.dim); err != nil {
		return err
	}
	for i := range dst {
		dst[i] = e.kernel.Value
	}
	return nil
}

func (e constantEmbedding) Norm2(context.Context) (float64, error) { return e.kernel.Value, nil }
func (e constantEmbedding) Gradient(dst, _ []float64)              { clear(dst) }

// combinedEmbedding is factor times the sum of embeddings of one distribution
// under the parts of a sum of kernels.
type combinedEmbedding struct {
	kernel Kernel
	parts  []Embedding
	factor float64
}

func (e combinedEmbedding) Kernel() Kernel { return e.kernel }
func (e combinedEmbedding) Dim() int       { return e.parts[0].Dim() }

func (e combinedEmbedding) EvalTo(ctx context.Context, dst []float64, X *mat.Dense) error {
	if err := checkEval(dst, X, e.Dim()); err != nil {
		return err
	}
	clear(dst)
	buf := make([]float64, len(dst))
	for _, part := range e.parts {
		if err := part.EvalTo(ctx, buf, X); err != nil {
			return err
		}
		floats.AddScaled(dst, e.factor, buf)
	}
	return nil
}

func (e combinedEmbedding) Norm2(ctx context.Context) (float64, error) {
	var s float64
	for _, part := range e.parts {
		v, err := part.Norm2(ctx)
		if err != nil {
			return 0, err
		}
		s += v
	}
	return e.factor * s, nil
}

// lazy is a number that is computed when it is first asked for, and again if
// that failed.
type lazy struct {
	mu    sync.Mutex
	done  bool
	value float64
}

func (l *lazy) get(compute func() (float64, error)) (float64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done {
		return l.value, nil
	}
	v, err := compute()
	if err != nil {
		return 0, err
	}
	l.value, l.done = v, true
	return v, nil
}
