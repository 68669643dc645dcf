package em

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/vec"
)

// A Population is a long sample of a symmetric model that stands for its law: steps
// of Baum-Welch on it are steps of the population operator, up to a stated error.
// The same sample serves all parameters, so that noise does not hide how steps
// contract.
type Population struct {
	star   Symmetric
	x      *mat.Dense
	window int
	bound  float64
}

// populationBlock is the number of steps whose average counts as one draw in
// standard errors, long against any chain's memory.
const populationBlock = 2000

// NewPopulation draws n steps of a model, at least 10,000. The operator looks at
// window steps to each side (Yang 2018, eq. 2.14) and keeps zeta in [(1-bound)/2,
// (1+bound)/2].
func NewPopulation(star Symmetric, n, window int, bound float64, rng *rand.Rand) (*Population, error) {
	if rng == nil {
		return nil, fmt.Errorf("em: rng is nil, must be a source of random numbers")
	}
	switch {
	case n < 5*populationBlock:
		return nil, fmt.Errorf("em: n is %d, must be at least %d", n, 5*populationBlock)
	case window < 0:
		return nil, fmt.Errorf("em: window is %d, must be at least 0", window)
	case !(bound > 0 && bound < 1):
		return nil, fmt.Errorf("em: bound is %v, must be between 0 and 1", bound)
	}
	x, _, err := star.Sample(n, rng)
	if err != nil {
		return nil, err
	}
	return &Population{star: star, x: x, window: window, bound: bound}, nil
}

// A PopulationStep is the operator at a parameter, with standard errors.
type PopulationStep struct {
	Next    Symmetric
	MeanErr []float64
	ZetaErr float64
}

// Step returns the operator at theta, whose Sigma is that of the truth. O(n (d +
// window)) over all cores. Errors: theta that is not valid or of another
// dimension, a cancelled context.
func (p *Population) Step(ctx context.Context, theta Symmetric) (*PopulationStep, error) {
	theta.Sigma = p.star.Sigma
	if err := theta.check(p.x); err != nil {
		return nil, err
	}
	n, d := p.x.Dims()
	gamma := make([]float64, n)
	for i := range n {
		gamma[i] = vec.Dot(theta.Mean, p.x.RawRowView(i)) / (theta.Sigma * theta.Sigma)
	}
	blocks := n / populationBlock
	sums := make([][]float64, blocks)
	parallel.Blocks(blocks, 1, func(_, b, _ int) {
		if ctx.Err() == nil {
			sums[b] = p.block(gamma, theta.Zeta, b)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	mean, squares := make([]float64, d+1), make([]float64, d+1)
	k := float64(blocks)
	for _, s := range sums {
		for a, v := range s {
			mean[a] += v / k
			squares[a] += v * v / k
		}
	}
	out := &PopulationStep{Next: Symmetric{Mean: mean[:d], Sigma: theta.Sigma}}
	for a, q := range squares {
		squares[a] = math.Sqrt(max(q-mean[a]*mean[a], 0) / (k - 1))
	}
	out.Next.Zeta = min(max(mean[d], (1-p.bound)/2), (1+p.bound)/2)
	out.MeanErr, out.ZetaErr = squares[:d], squares[d]
	return out, nil
}

// block returns the averages of sign_i x_i and of same_i over a block.
func (p *Population) block(gamma []float64, zeta float64, b int) []float64 {
	_, d := p.x.Dims()
	sums := make([]float64, d+1)
	for i := b * populationBlock; i < (b+1)*populationBlock; i++ {
		sign, same := windowAt(gamma, zeta, i, p.window)
		vec.Axpy(sums[:d], sign, p.x.RawRowView(i))
		sums[d] += same
	}
	vec.Scale(sums, 1.0/populationBlock, sums)
	return sums
}

// windowAt smooths step i from observations i-k to i+k alone, the chain stationary
// at the window's start.
func windowAt(gamma []float64, zeta float64, i, k int) (sign, same float64) {
	lo, hi := max(0, i-k), min(len(gamma), i+k+1)
	l, before := 2*gamma[lo], 0.0 // filter at i, and at i-1
	for j := lo + 1; j <= i; j++ {
		before = l
		l = 2*gamma[j] + step(l, zeta)
	}
	r := 0.0
	for j := hi - 1; j > i; j-- {
		r = step(r+2*gamma[j], zeta)
	}
	if i == lo {
		return vec.Tanh1((l + r) / 2), zeta
	}
	c := r + 2*gamma[i]
	odds := vec.Log1(1-zeta) - vec.Log1(zeta)
	return vec.Tanh1((l + r) / 2), vec.Logistic1(logCosh((before+c)/2) - logCosh((before-c)/2) - odds)
}

// Distance returns ||mean - mean'|| + |beta - beta'| (eq. 2.19).
func (m *Symmetric) Distance(other *Symmetric) float64 {
	return math.Sqrt(vec.SquaredDistance(m.Mean, other.Mean)) + math.Abs(m.Beta()-other.Beta())
}

// Contraction returns the largest ratio of the distance of the operator's values at
// theta and at the truth to the distance of theta from the truth, over draws of
// theta with a mean in the ball of radius |mean|/4 and zeta = 1/2 or the truth's,
// in turn: an estimate of kappa from below.
// Errors: draws below 1, those of Step.
func (p *Population) Contraction(ctx context.Context, draws int, rng *rand.Rand) (float64, error) {
	if rng == nil {
		return 0, fmt.Errorf("em: rng is nil, must be a source of random numbers")
	}
	if draws < 1 {
		return 0, fmt.Errorf("em: draws is %d, must be at least 1", draws)
	}
	at, err := p.Step(ctx, p.star)
	if err != nil {
		return 0, err
	}
	worst := 0.0
	for i := range draws {
		theta := p.star
		theta.Mean = InBall(p.star.Mean, math.Sqrt(vec.Dot(p.star.Mean, p.star.Mean))/4, rng)
		if i%2 == 0 {
			theta.Zeta = 0.5
		}
		next, err := p.Step(ctx, theta)
		if err != nil {
			return 0, err
		}
		worst = max(worst, next.Next.Distance(&at.Next)/theta.Distance(&p.star))
	}
	return worst, nil
}

// InBall returns a point uniform in the ball about a centre.
func InBall(centre []float64, radius float64, rng *rand.Rand) []float64 {
	d := len(centre)
	g := make([]float64, d)
	for a := range g {
		g[a] = rng.NormFloat64()
	}
	r := radius * vec.Pow1(rng.Float64(), 1/float64(d)) / math.Sqrt(vec.Dot(g, g))
	out := append([]float64(nil), centre...)
	vec.Axpy(out, r, g)
	return out
}
