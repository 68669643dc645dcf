package herding

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// Pool is a set of M candidate points from which herding chooses, with all that
// it needs to know of the target at them: the mean embedding z_i = mu_p(x_i) and
// k(x_i, x_i). A Pool does not change; several rules may be built from one, also
// at the same time. Memory O(M d).
type Pool struct {
	// X holds the candidates, M x d.
	X *mat.Dense
	// Component[i] is the mixture component that candidate i was drawn from, if
	// the pool was sampled from a mixture; nil otherwise. In a particle filter
	// it is the ancestor.
	Component []int

	target rkhs.Embedding
	points *rkhs.Points
	z      []float64
	diag   []float64
	norm2  float64
}

// NewPool makes a pool of the rows of X (M x d) for the target with the given
// mean embedding. It costs one evaluation of the embedding, O(M K d) for a
// mixture of K Gaussians, and that of its norm. X must not change afterwards.
func NewPool(ctx context.Context, target rkhs.Embedding, X *mat.Dense) (*Pool, error) {
	if target == nil {
		return nil, fmt.Errorf("herding: target is nil")
	}
	if err := (rkhs.Measure{X: X}).Validate(); err != nil {
		return nil, fmt.Errorf("herding: candidates: %w", err)
	}
	m, d := X.Dims()
	if d != target.Dim() {
		return nil, fmt.Errorf("herding: candidates have dimension %d, must be %d as the target", d, target.Dim())
	}
	p := &Pool{X: X, target: target}
	p.prepare()
	p.z = make([]float64, m)
	if err := target.EvalTo(ctx, p.z, X); err != nil {
		return nil, err
	}
	for i, v := range p.z {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("herding: mean embedding at candidate %d is %v, must be finite", i, v)
		}
	}
	p.diag = rkhs.Diagonal(target.Kernel(), X)
	for i, v := range p.diag {
		if !(v >= 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("herding: kernel at candidate %d and itself is %v, must be finite and not negative", i, v)
		}
	}
	var err error
	p.norm2, err = target.Norm2(ctx)
	return p, err
}

// prepare lays out the candidates for the kernel.
func (p *Pool) prepare() { p.points = rkhs.NewPoints(p.target.Kernel(), p.X) }

// SamplePool makes a pool of m independent draws from p, whose mean embedding is
// target (Lacoste-Julien et al. 2015 take m = 50,000 for a mixture; 2,000 to
// 5,000 are enough for 200 points in up to three dimensions).
func SamplePool(ctx context.Context, target rkhs.Embedding, p rkhs.Distribution, m int, rng *rand.Rand) (*Pool, error) {
	if rng == nil {
		return nil, fmt.Errorf("herding: rng is nil, must be a source of random numbers")
	}
	if m < 1 {
		return nil, fmt.Errorf("herding: number of candidates is %d, must be at least 1", m)
	}
	X, component := sample(p, rng, m)
	pool, err := NewPool(ctx, target, X)
	if err != nil {
		return nil, err
	}
	pool.Component = component
	return pool, nil
}

// sample draws from p, with components if p has them.
func sample(p rkhs.Distribution, rng *rand.Rand, n int) (*mat.Dense, []int) {
	if c, ok := p.(interface {
		SampleComponents(*rand.Rand, int) (*mat.Dense, []int)
	}); ok {
		return c.SampleComponents(rng, n)
	}
	return p.Sample(rng, n), nil
}

// Len returns the number M of candidates.
func (p *Pool) Len() int { return len(p.z) }

// Target returns the mean embedding that the pool was made for.
func (p *Pool) Target() rkhs.Embedding { return p.target }

// Embedding returns the mean embedding at candidate i.
func (p *Pool) Embedding(i int) float64 { return p.z[i] }

// Norm2 returns the squared norm of the mean embedding: the squared MMD of the
// empty rule.
func (p *Pool) Norm2() float64 { return p.norm2 }

// Grid returns the points of a regular grid on the box between lower and upper,
// with n points a side, both ends included: n^d rows, of which the last coordinate
// varies fastest. In one or two dimensions it makes a good pool.
func Grid(lower, upper []float64, n int) (*mat.Dense, error) {
	d := len(lower)
	if d == 0 || len(upper) != d {
		return nil, fmt.Errorf("herding: grid has %d lower and %d upper bounds, must have equally many, at least one", d, len(upper))
	}
	if n < 2 || vec.Pow1(float64(n), float64(d)) > 1e8 {
		return nil, fmt.Errorf("herding: grid has %d points a side in dimension %d, must be at least 2 and make at most 1e8 points", n, d)
	}
	total := 1
	for j := range d {
		if !(lower[j] < upper[j]) || math.IsInf(lower[j], 0) || math.IsInf(upper[j], 0) {
			return nil, fmt.Errorf("herding: side %d of the grid is [%v, %v], must be finite and not empty", j, lower[j], upper[j])
		}
		total *= n
	}
	X := mat.NewDense(total, d, nil)
	for i := range total {
		for j, r := d-1, i; j >= 0; j-- {
			X.Set(i, j, lower[j]+(upper[j]-lower[j])*float64(r%n)/float64(n-1))
			r /= n
		}
	}
	return X, nil
}
