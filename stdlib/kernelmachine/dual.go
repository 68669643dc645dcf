package kernelmachine

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// Duality holds the values after each pass of the objective that dual coordinate
// ascent minimises, and of the dual that it maximises: the best objective lies between
// them.
type Duality struct {
	Primal, Dual []float64
}

// gramLimit is the number of points up to which the Gram matrix is stored.
const gramLimit = 4096

// KernelSDCA minimises the regularised mean loss over the Hilbert space of k by dual
// coordinate ascent (Shalev-Shwartz and Zhang 2013): f = 1/(nu n) sum_i a_i k(x_i, .),
// and a step chooses the best a_i of one point. A pass is n steps in random order. Step,
// Batch, Project, Average and Blocks of the settings have no meaning. Cost O(n d + n)
// a step, memory O(n^2) up to 4096 points, O(n d) for more.
func KernelSDCA(ctx context.Context, loss DualLoss, k rkhs.Kernel, X *mat.Dense, y []float64, s *SolverSettings, rng *rand.Rand) (*KernelModel, *Duality, error) {
	if rng == nil {
		return nil, nil, fmt.Errorf("kernelmachine: rng is nil, must be a source of random numbers")
	}
	s = s.WithDefaults()
	if err := checkDual(loss, X, y, s); err != nil {
		return nil, nil, err
	}
	n, _ := X.Dims()
	column, err := columns(ctx, k, X)
	if err != nil {
		return nil, nil, err
	}
	diagonal := rkhs.Diagonal(k, X)
	model := &KernelModel{Kernel: k, X: X, Coefficients: mat.NewDense(n, 1, nil), loss: loss}
	c := model.Coefficients.RawMatrix().Data // a/(nu n)
	u := make([]float64, n)
	a := &ascent{s: s, loss: loss, y: y, a: make([]float64, n), diagonal: diagonal,
		output: func(i int) float64 { return u[i] },
		change: func(i int, by float64) {
			c[i] += by
			vec.Axpy(u, by, column(i))
		},
		square: func() float64 { return vec.Dot(c, u) },
	}
	duality, err := a.run(ctx, model, rng)
	return model, duality, err
}

// columns returns a function for the columns of the Gram matrix, stored or not.
func columns(ctx context.Context, k rkhs.Kernel, X *mat.Dense) (func(i int) []float64, error) {
	n, _ := X.Dims()
	if n <= gramLimit {
		gram, err := rkhs.Gram(ctx, k, X, nil)
		return func(i int) []float64 { return gram.RawRowView(i) }, err
	}
	if err := rkhs.Validate(k); err != nil {
		return nil, err
	}
	points, column := rkhs.NewPoints(k, X), make([]float64, n)
	return func(i int) []float64 {
		points.Column(column, 0, X.RawRowView(i))
		return column
	}, nil
}

// SDCA is [KernelSDCA] over functions of the features z. Cost of a step: the number of
// features; memory n times that.
func SDCA(ctx context.Context, loss DualLoss, z FeatureMap, X *mat.Dense, y []float64, s *SolverSettings, rng *rand.Rand) (*LinearModel, *Duality, error) {
	if rng == nil {
		return nil, nil, fmt.Errorf("kernelmachine: rng is nil, must be a source of random numbers")
	}
	p, err := newLinearProblem(ctx, loss, z, X, y, s)
	if err != nil {
		return nil, nil, err
	}
	n, _ := p.z.Dims()
	w := p.model.W.RawMatrix().Data
	a := &ascent{s: p.s, loss: loss, y: y, a: make([]float64, n), diagonal: make([]float64, n),
		output: func(i int) float64 { return vec.Dot(w, p.z.RawRowView(i)) },
		change: func(i int, by float64) { vec.Axpy(w, by, p.z.RawRowView(i)) },
		square: func() float64 { return vec.Dot(w, w) },
	}
	for i := range n {
		a.diagonal[i] = vec.Dot(p.z.RawRowView(i), p.z.RawRowView(i))
	}
	duality, err := a.run(ctx, p.model, rng)
	return p.model, duality, err
}

func checkDual(loss DualLoss, X *mat.Dense, y []float64, s *SolverSettings) error {
	if err := s.check(); err != nil {
		return err
	}
	if err := validateLoss(loss); err != nil {
		return err
	}
	if err := checkPoints(X); err != nil {
		return err
	}
	return checkTargets(loss, X, y)
}

// ascent is dual coordinate ascent on a function that is known by its outputs.
type ascent struct {
	s        *SolverSettings
	loss     DualLoss
	y, a     []float64
	diagonal []float64               // k(x_i, x_i)
	output   func(i int) float64     // f(x_i)
	change   func(i int, by float64) // adds by times k(x_i, .) to f
	square   func() float64          // |f|^2
}

func (v *ascent) run(ctx context.Context, p Predictor, rng *rand.Rand) (*Duality, error) {
	n := len(v.y)
	scale := 1 / (v.s.Regularization * float64(n))
	out := &Duality{}
	for pass := range v.s.Passes {
		for at, i := range rng.Perm(n) {
			if at%256 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			next := v.loss.Ascend(v.a[i], v.output(i), v.diagonal[i]*scale, v.y[i])
			if by := (next - v.a[i]) * scale; by != 0 {
				v.change(i, by)
				v.a[i] = next
			}
		}
		primal, dual := v.values()
		out.Primal, out.Dual = append(out.Primal, primal), append(out.Dual, dual)
		if v.s.Watch != nil {
			if err := v.s.Watch(pass+1, p); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// values returns the objective and the dual.
func (v *ascent) values() (primal, dual float64) {
	n := float64(len(v.y))
	for i, y := range v.y {
		primal += v.loss.Value([]float64{v.output(i)}, []float64{y}) / n
		dual -= v.loss.Conjugate(v.a[i], y) / n
	}
	penalty := v.s.Regularization / 2 * v.square()
	return primal + penalty, dual - penalty
}
