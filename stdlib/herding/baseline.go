package herding

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/rkhs"
)

// MonteCarlo returns the rule of n independent draws from p with weights 1/n:
// the baseline. Its MMD to p has E MMD^2 = (E k(X,X) - |mu_p|^2) / n. The target
// is the mean embedding of p. Cost O(n^2 d), memory O(n d).
func MonteCarlo(ctx context.Context, target rkhs.Embedding, p rkhs.Distribution, n int, rng *rand.Rand) (*Rule, error) {
	if rng == nil {
		return nil, fmt.Errorf("herding: rng is nil, must be a source of random numbers")
	}
	if n < 1 {
		return nil, fmt.Errorf("herding: number of points is %d, must be at least 1", n)
	}
	X, component := sample(p, rng, n)
	return uniformRule(ctx, target, X, component)
}

// A UniformMap turns points of the unit cube into points of a distribution, as
// [rkhs.Mixture] and [rkhs.Box] do.
type UniformMap interface {
	// UniformDim returns the number of uniform coordinates that a point takes.
	UniformDim() int
	// FromUniforms maps the rows of U, and says which mixture component each
	// came from (nil if there are none).
	FromUniforms(U *mat.Dense) (X *mat.Dense, component []int, err error)
}

// QuasiMonteCarlo returns the rule of the next n points of a low-discrepancy
// sequence, mapped to p, with weights 1/n. A nil sequence means Sobol's from
// point 100 on, as Lacoste-Julien et al. 2015 use it; the sequence's dimension
// must be p.UniformDim(). Cost O(n^2 d), memory O(n d).
func QuasiMonteCarlo(ctx context.Context, target rkhs.Embedding, p UniformMap, n int, sequence Sequence) (*Rule, error) {
	if n < 1 {
		return nil, fmt.Errorf("herding: number of points is %d, must be at least 1", n)
	}
	if sequence == nil {
		s, err := NewSobol(p.UniformDim(), 100)
		if err != nil {
			return nil, err
		}
		sequence = s
	}
	if sequence.Dim() != p.UniformDim() {
		return nil, fmt.Errorf("herding: sequence has dimension %d, must be %d", sequence.Dim(), p.UniformDim())
	}
	U := mat.NewDense(n, sequence.Dim(), nil)
	for i := range n {
		sequence.Next(U.RawRowView(i))
	}
	X, component, err := p.FromUniforms(U)
	if err != nil {
		return nil, err
	}
	return uniformRule(ctx, target, X, component)
}

// FromSample returns the rule of the rows of X, in their order, with equal
// weights: whatever a caller has, such as the output of a Markov chain, measured
// like the other rules. Cost O(n^2 d).
func FromSample(ctx context.Context, target rkhs.Embedding, X *mat.Dense) (*Rule, error) {
	if err := (rkhs.Measure{X: X}).Validate(); err != nil {
		return nil, fmt.Errorf("herding: %w", err)
	}
	return uniformRule(ctx, target, X, nil)
}

// uniformRule traces the MMD of the first 1, 2, ..., n rows of X with equal
// weights: |g_k|^2 k^2 grows by the kernel values of row k against the earlier.
func uniformRule(ctx context.Context, target rkhs.Embedding, X *mat.Dense, component []int) (*Rule, error) {
	n, d := X.Dims()
	z := make([]float64, n)
	if err := target.EvalTo(ctx, z, X); err != nil {
		return nil, err
	}
	norm2, err := target.Norm2(ctx)
	if err != nil {
		return nil, err
	}
	r := &Rule{X: X, W: equalWeights(n), Component: component, history: equalWeights,
		MMD: make([]float64, n), Active: make([]int, n), Means: mat.NewDense(n, d, nil)}
	points := rkhs.NewPoints(target.Kernel(), X)
	fresh := make([]float64, n) // what row k adds to the sum over pairs
	parallel.Blocks(n, 16, func(_, lo, hi int) {
		column := make([]float64, hi)
		for k := lo; k < hi && ctx.Err() == nil; k++ {
			points.Column(column[:k+1], 0, X.RawRowView(k))
			var s float64
			for _, v := range column[:k] {
				s += v
			}
			fresh[k] = 2*s + column[k]
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var a, b float64
	sum := make([]float64, d)
	for k := range n {
		a += fresh[k]
		b += z[k]
		c := 1 / float64(k+1)
		r.MMD[k] = math.Sqrt(math.Max(norm2-2*b*c+a*c*c, 0))
		r.Active[k] = k + 1
		for j, v := range X.RawRowView(k) {
			sum[j] += v
			r.Means.Set(k, j, sum[j]*c)
		}
	}
	return r, nil
}
