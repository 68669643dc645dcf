package kernelmachine

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/linalg"
)

// SolverSettings are those of the solvers that a [Machine] is compared with. Fields
// that are zero have the values of [DefaultSolverSettings].
type SolverSettings struct {
	// Regularization is nu of (1/n) sum_i l(f(x_i), y_i) + nu/2 |f|^2.
	Regularization float64
	// Passes is how often a solver goes through the points.
	Passes int
	// Batch is the number of points in a step of stochastic gradients.
	Batch int
	// Step gives the step sizes of stochastic gradients; nil means 1/(nu t).
	Step *Step
	// Project keeps |W| at most 1/sqrt(nu), where the best W of the hinge loss is.
	Project bool
	// Average makes W the mean over the last half of the steps.
	Average bool
	// Blocks is the number of parts into which coordinates are cut for block mirror
	// descent and block coordinate descent.
	Blocks int
	// Watch, if not nil, is called after every pass with the function so far, which
	// changes later. An error ends the solver, which returns it.
	Watch func(pass int, p Predictor) error
}

// DefaultSolverSettings returns nu = 1e-4, ten passes, batches of 64, steps 1/(nu t),
// no projection, the last iterate, eight blocks.
func DefaultSolverSettings() *SolverSettings {
	return &SolverSettings{Regularization: 1e-4, Passes: 10, Batch: 64, Blocks: 8}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *SolverSettings) WithDefaults() *SolverSettings {
	return settings.Fill(s, DefaultSolverSettings())
}

func (s *SolverSettings) check() error {
	if err := checkPositive("regularization", s.Regularization); err != nil {
		return err
	}
	if s.Passes < 1 || s.Batch < 1 || s.Blocks < 1 {
		return fmt.Errorf("kernelmachine: settings have %d passes, a batch of %d and %d blocks, must be at least 1", s.Passes, s.Batch, s.Blocks)
	}
	if s.Step != nil {
		return s.Step.check()
	}
	return nil
}

// A linearProblem is what the solvers on features share.
type linearProblem struct {
	s       *SolverSettings
	z       *mat.Dense // n x features
	y       []float64
	targets int
	model   *LinearModel
}

func newLinearProblem(ctx context.Context, loss Loss, z FeatureMap, X *mat.Dense, y []float64, s *SolverSettings) (*linearProblem, error) {
	s = s.WithDefaults()
	if err := s.check(); err != nil {
		return nil, err
	}
	if err := validateLoss(loss); err != nil {
		return nil, err
	}
	if err := checkPoints(X); err != nil {
		return nil, err
	}
	if err := checkTargets(loss, X, y); err != nil {
		return nil, err
	}
	features, err := z.Map(ctx, X)
	if err != nil {
		return nil, err
	}
	outputs, targets := loss.Dims()
	return &linearProblem{s, features, y, targets, &LinearModel{z, mat.NewDense(z.Len(), outputs, nil), loss}}, nil
}

func (p *linearProblem) watch(pass int) error {
	if p.s.Watch == nil {
		return nil
	}
	return p.s.Watch(pass, p.model)
}

// derivatives sets the rows of u, outputs at the given points, to the derivatives of
// the loss over count.
func (p *linearProblem) derivatives(u *mat.Dense, rows []int, count int) {
	_, outputs := u.Dims()
	g := make([]float64, outputs)
	for i, r := range rows {
		row := u.RawRowView(i)
		p.model.loss.Gradient(g, row, p.y[r*p.targets:(r+1)*p.targets])
		for c, v := range g {
			row[c] = v / float64(count)
		}
	}
}

// Pegasos minimises the regularised mean loss over functions of the features z by
// stochastic gradients (Shalev-Shwartz, Singer, Srebro and Cotter 2011):
//
//	W <- (1 - gamma_t nu) W - gamma_t/B sum_i z(x_i) l'(W'z(x_i), y_i)
//
// with batches in random order. Memory n times the number of features.
func Pegasos(ctx context.Context, loss Loss, z FeatureMap, X *mat.Dense, y []float64, s *SolverSettings, rng *rand.Rand) (*LinearModel, error) {
	if rng == nil {
		return nil, fmt.Errorf("kernelmachine: rng is nil, must be a source of random numbers")
	}
	return stochastic(ctx, loss, z, X, y, s, rng, false)
}

// BlockMirrorDescent is [Pegasos] in which each step changes one block of the
// coordinates, drawn uniformly of Blocks (Dang and Lan 2015).
func BlockMirrorDescent(ctx context.Context, loss Loss, z FeatureMap, X *mat.Dense, y []float64, s *SolverSettings, rng *rand.Rand) (*LinearModel, error) {
	if rng == nil {
		return nil, fmt.Errorf("kernelmachine: rng is nil, must be a source of random numbers")
	}
	return stochastic(ctx, loss, z, X, y, s, rng, true)
}

func stochastic(ctx context.Context, loss Loss, z FeatureMap, X *mat.Dense, y []float64, s *SolverSettings, rng *rand.Rand, blocks bool) (*LinearModel, error) {
	p, err := newLinearProblem(ctx, loss, z, X, y, s)
	if err != nil {
		return nil, err
	}
	n, r := p.z.Dims()
	size, parts := min(p.s.Batch, n), 1
	if blocks {
		parts = min(p.s.Blocks, r)
	}
	each := (n + size - 1) / size
	all := each * p.s.Passes
	w := p.model.W
	mean := mat.DenseCopyOf(w)
	var order []int
	for t := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if t%each == 0 {
			order = rng.Perm(n)
		}
		b := 0
		if blocks {
			b = rng.IntN(parts)
		}
		lo := t % each * size
		if err := p.descend(t+1, order[lo:min(lo+size, n)], b*r/parts, (b+1)*r/parts); err != nil {
			return nil, err
		}
		if 2*t >= all {
			mean.Add(mean, w)
		}
		if t == all-1 && p.s.Average {
			w.Scale(1/float64(all-(all+1)/2), mean)
		}
		if (t+1)%each == 0 {
			if err := p.watch((t + 1) / each); err != nil {
				return nil, err
			}
		}
	}
	return p.model, nil
}

// descend takes step t with some points on the coordinates from lo to hi.
func (p *linearProblem) descend(t int, points []int, lo, hi int) error {
	nu := p.s.Regularization
	step := TheoryStep(1 / nu)
	if p.s.Step != nil {
		step = p.s.Step
	}
	w := p.model.W
	r, outputs := w.Dims()
	z, part := mat.NewDense(len(points), r, nil), mat.NewDense(len(points), hi-lo, nil)
	for i, at := range points {
		z.SetRow(i, p.z.RawRowView(at))
		part.SetRow(i, p.z.RawRowView(at)[lo:hi])
	}
	u := linalg.Mul(nil, z, w)
	gamma := step.At(t)
	if v := largest(u); !(v <= divergedAt) {
		return &Diverged{t, gamma, v}
	}
	p.derivatives(u, points, len(points))
	g := linalg.MulTransA(nil, part, u)
	g.Scale(gamma, g)
	block := w.Slice(lo, hi, 0, outputs).(*mat.Dense)
	block.Scale(1-gamma*nu, block)
	block.Sub(block, g)
	if limit, norm := 1/math.Sqrt(nu), mat.Norm(w, 2); p.s.Project && norm > limit {
		w.Scale(limit/norm, w)
	}
	return nil
}

// BlockCoordinateDescent minimises the regularised mean loss over functions of the
// features z by steps on one block of the coordinates at a time, drawn uniformly of
// Blocks, with the gradient over all points and a step of one over the largest
// curvature (Nesterov 2012). The objective never grows. A pass is as many steps as
// there are blocks. The loss must be smooth.
func BlockCoordinateDescent(ctx context.Context, loss Loss, z FeatureMap, X *mat.Dense, y []float64, s *SolverSettings, rng *rand.Rand) (*LinearModel, error) {
	if rng == nil {
		return nil, fmt.Errorf("kernelmachine: rng is nil, must be a source of random numbers")
	}
	curvature, err := curvatureOf(loss)
	if err != nil {
		return nil, err
	}
	p, err := newLinearProblem(ctx, loss, z, X, y, s)
	if err != nil {
		return nil, err
	}
	n, r := p.z.Dims()
	nu := p.s.Regularization
	blocks := min(p.s.Blocks, r)
	parts, bounds := make([]*mat.Dense, blocks), make([]float64, blocks)
	for b := range blocks {
		parts[b] = mat.DenseCopyOf(p.z.Slice(0, n, b*r/blocks, (b+1)*r/blocks))
		values, err := linalg.SymEigenValues(ctx, linalg.SymRankKTrans(nil, 1/float64(n), parts[b], 0))
		if err != nil {
			return nil, err
		}
		bounds[b] = curvature*max(values[0], values[len(values)-1]) + nu
	}
	_, outputs := p.model.W.Dims()
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	u, g := mat.NewDense(n, outputs, nil), mat.NewDense(n, outputs, nil)
	for pass := range p.s.Passes {
		for range blocks {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			b := rng.IntN(blocks)
			w := p.model.W.Slice(b*r/blocks, (b+1)*r/blocks, 0, outputs).(*mat.Dense)
			g.Copy(u)
			p.derivatives(g, all, n)
			change := linalg.MulTransA(nil, parts[b], g)
			var shrink mat.Dense
			shrink.Scale(nu, w)
			change.Add(change, &shrink)
			change.Scale(-1/bounds[b], change)
			w.Add(w, change)
			u.Add(u, linalg.Mul(nil, parts[b], change))
		}
		if err := p.watch(pass + 1); err != nil {
			return nil, err
		}
	}
	return p.model, nil
}

// curvatureOf is a bound on the second derivatives of a loss.
func curvatureOf(loss Loss) (float64, error) {
	switch l := loss.(type) {
	case MultiLogistic:
		return 0.5, nil
	case DualLoss:
		if c := l.Smooth(); !math.IsInf(c, 1) {
			return c, nil
		}
	}
	return 0, fmt.Errorf("kernelmachine: the loss %T is not smooth, must be for coordinate descent", loss)
}
