package inference

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// Grid is the centres of equal cells of a cube in one, two or three dimensions, in the rows of X; the first coordinate goes
// fastest.
type Grid struct {
	X      *mat.Dense // n^d x d
	Lo, Hi float64    // of every coordinate
	N      int        // cells for each coordinate
}

// NewGrid returns the grid of n^d cells of [lo, hi]^d, d from 1 to 3.
func NewGrid(d, n int, lo, hi float64) (*Grid, error) {
	if d < 1 || d > 3 {
		return nil, fmt.Errorf("inference: dimension of a grid is %d, must be 1, 2 or 3", d)
	}
	if err := checkAtLeast("number of cells", n, 1); err != nil {
		return nil, err
	}
	if !(lo < hi) || math.IsInf(hi-lo, 1) {
		return nil, fmt.Errorf("inference: grid goes from %v to %v, must be an interval", lo, hi)
	}
	cells := 1
	for range d {
		cells *= n
	}
	g := &Grid{X: mat.NewDense(cells, d, nil), Lo: lo, Hi: hi, N: n}
	for i := range cells {
		for k, rest := 0, i; k < d; k, rest = k+1, rest/n {
			g.X.Set(i, k, lo+(hi-lo)*(float64(rest%n)+0.5)/float64(n))
		}
	}
	return g, nil
}

// Volume returns the volume of a cell.
func (g *Grid) Volume() float64 {
	_, d := g.X.Dims()
	v := 1.0
	for range d {
		v *= (g.Hi - g.Lo) / float64(g.N)
	}
	return v
}

// GridDensity is a density on a grid: Log[i] its logarithm in cell i. It integrates to one over the grid.
type GridDensity struct {
	*Grid
	Log []float64
}

// normalized returns the density on the grid proportional to exp(log), which it changes and keeps.
func (g *Grid) normalized(log []float64) (*GridDensity, error) {
	total := vec.LogSumExp(log)
	if math.IsNaN(total) || math.IsInf(total, 0) {
		return nil, fmt.Errorf("inference: log of the mass on the grid is %v, must be finite", total)
	}
	vec.Offset(log, -total-vec.Log1(g.Volume()), log)
	return &GridDensity{g, log}, nil
}

// Evaluate returns a density at the grid, normalised there.
func (g *Grid) Evaluate(ctx context.Context, q Density) (*GridDensity, error) {
	n, _ := g.X.Dims()
	log := make([]float64, n)
	if err := q.LogDensity(ctx, log, g.X); err != nil {
		return nil, err
	}
	return g.normalized(log)
}

// Prior returns a model's prior on the grid.
func (g *Grid) Prior(m Model) (*GridDensity, error) {
	if err := g.check(m); err != nil {
		return nil, err
	}
	n, _ := g.X.Dims()
	log := make([]float64, n)
	m.LogPrior(log, g.X)
	return g.normalized(log)
}

// Posterior returns a model's posterior given all observations on the grid: the truth that other densities are compared with.
// It evaluates the likelihood at all cells.
func (g *Grid) Posterior(ctx context.Context, m Model) (*GridDensity, error) {
	q, err := g.Prior(m)
	if err != nil {
		return nil, err
	}
	part := make([]float64, len(q.Log))
	for all := range slices.Chunk(everything(m.Len()), 64) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m.LogLikelihood(part, g.X, all)
		vec.Add(q.Log, q.Log, part)
	}
	return g.normalized(q.Log)
}

func (g *Grid) check(m Model) error {
	if err := validate(m, false); err != nil {
		return err
	}
	if _, d := g.X.Dims(); d != m.Dim() {
		return fmt.Errorf("inference: grid is of dimension %d and the model of %d, must be equal", d, m.Dim())
	}
	return nil
}

// MirrorStep returns the exact step of stochastic mirror descent from q with a batch of observations and a step size in
// (0, 1]: q^(1-gamma) prior^gamma likelihood^(gamma N/B), normalised (equation 4.3 of Dai 2018).
func (q *GridDensity) MirrorStep(m Model, batch []int, gamma float64) (*GridDensity, error) {
	if err := q.check(m); err != nil {
		return nil, err
	}
	if !(gamma > 0 && gamma <= 1) {
		return nil, fmt.Errorf("inference: step size is %v, must be in (0, 1]", gamma)
	}
	if err := checkBatch(len(batch), m.Len()); err != nil {
		return nil, err
	}
	log, part := make([]float64, len(q.Log)), make([]float64, len(q.Log))
	m.LogPrior(log, q.X)
	m.LogLikelihood(part, q.X, batch)
	vec.Axpy(log, float64(m.Len())/float64(len(batch)), part)
	if err := checkValues("log posterior", log); err != nil {
		return nil, err
	}
	for i, v := range log {
		log[i] = (1-gamma)*q.Log[i] + gamma*v
	}
	return q.normalized(log)
}

// same panics unless the densities are on grids of the same cells.
func (q *GridDensity) same(p *GridDensity) {
	if len(q.Log) != len(p.Log) || q.Lo != p.Lo || q.Hi != p.Hi {
		panic(fmt.Sprintf("inference: densities on grids of %d and %d cells, must be on the same", len(q.Log), len(p.Log)))
	}
}

// Entropy returns minus the integral of q log q, in nats.
func (q *GridDensity) Entropy() float64 { return q.CrossEntropy(q) }

// CrossEntropy returns minus the integral of q log p: the mean loss of the density p for points from q, in nats, at least
// the entropy of q. It panics if the grids differ.
func (q *GridDensity) CrossEntropy(p *GridDensity) float64 {
	q.same(p)
	var s float64
	for i, v := range q.Log {
		if w := vec.Exp1(v); w > 0 {
			s -= w * p.Log[i]
		}
	}
	return s * q.Volume()
}

// Divergence returns KL(q || p), in nats. It panics if the grids differ.
func (q *GridDensity) Divergence(p *GridDensity) float64 { return q.CrossEntropy(p) - q.Entropy() }

// TotalVariation returns half the integral of |q - p|, from 0 to 1. It panics if the grids differ.
func (q *GridDensity) TotalVariation(p *GridDensity) float64 {
	q.same(p)
	var s float64
	for i, v := range q.Log {
		s += math.Abs(vec.Exp1(v) - vec.Exp1(p.Log[i]))
	}
	return 0.5 * s * q.Volume()
}

// Mass returns the probability of the cells whose centres are in a set: that of a mode, say.
func (q *GridDensity) Mass(in func(x []float64) bool) float64 {
	var s float64
	for i, v := range q.Log {
		if in(q.X.RawRowView(i)) {
			s += vec.Exp1(v)
		}
	}
	return s * q.Volume()
}

// Expect returns the expectation of f.
func (q *GridDensity) Expect(f func(x []float64) float64) float64 {
	var s float64
	for i, v := range q.Log {
		s += vec.Exp1(v) * f(q.X.RawRowView(i))
	}
	return s * q.Volume()
}

// Matrix returns the density of a two-dimensional grid as a matrix, N x N, the first coordinate along a row and the second
// upwards from row 0: as plotting's Heat, Ground and Contours take it over the rectangle from Lo to Hi. It panics in
// another dimension.
func (q *GridDensity) Matrix() *mat.Dense {
	if _, d := q.X.Dims(); d != 2 {
		panic(fmt.Sprintf("inference: matrix of a density in dimension %d, must be 2", d))
	}
	values := make([]float64, len(q.Log))
	vec.Exp(values, q.Log)
	return mat.NewDense(q.N, q.N, values)
}

// Marginal returns the density of coordinate k: the centres of its cells and the values there, for a line.
func (q *GridDensity) Marginal(k int) (x, density []float64) {
	_, d := q.X.Dims()
	if k < 0 || k >= d {
		panic(fmt.Sprintf("inference: coordinate %d of a density in dimension %d", k, d))
	}
	x, density = make([]float64, q.N), make([]float64, q.N)
	width := (q.Hi - q.Lo) / float64(q.N)
	stride := 1
	for range k {
		stride *= q.N
	}
	for i, v := range q.Log {
		at := i / stride % q.N
		x[at] = q.X.At(i, k)
		density[at] += vec.Exp1(v) * q.Volume() / width
	}
	return x, density
}
