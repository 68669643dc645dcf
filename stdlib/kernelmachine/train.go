package kernelmachine

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/dataset"
)

// Fit forgets what the machine has learned, and trains it on the points in the rows
// of X (n x d) with the targets y, those of one point after the other: as many
// passes as the settings have, in random orders that depend on the seed alone, in
// batches. A machine whose Fit was cancelled or saved half way goes on with
// [Machine.Resume]. Cost O(t^2 B R (d + C)/2) for t steps with B points, R features
// and C outputs; from three passes on O(t n R (d + C)), and memory for n C outputs.
func (m *Machine) Fit(ctx context.Context, X *mat.Dense, y []float64) error {
	m.d, m.basis, m.step, m.state = 0, nil, Step{}, state{}
	return m.Resume(ctx, X, y)
}

// Resume does what is left of a [Machine.Fit] on the same points, with the same
// bits as if it had never stopped.
func (m *Machine) Resume(ctx context.Context, X *mat.Dense, y []float64) error {
	if err := m.checkData(X, y); err != nil {
		return err
	}
	n, _ := X.Dims()
	size := min(m.settings.Batch, n)
	each := (n + size - 1) / size
	all := each * m.settings.Passes
	var order []int
	var follow *follower
	pass := -1
	for m.t < all {
		if err := ctx.Err(); err != nil {
			return err
		}
		if p := m.t / each; p != pass {
			pass = p
			order = rand.New(rand.NewPCG(m.seed, uint64(p))).Perm(n)
		}
		lo := m.t % each * size
		points := order[lo:min(lo+size, n)]
		rows, labels := gather(X, y, points)
		if m.d == 0 {
			if err := m.start(ctx, rows); err != nil {
				return err
			}
		}
		u, err := m.fitOutputs(ctx, X, rows, points, &follow)
		if err != nil {
			return err
		}
		if err := m.advance(ctx, rows, labels, u); err != nil {
			return err
		}
		if m.settings.Progress != nil {
			m.settings.Progress(m.t, all)
		}
	}
	return nil
}

// gather returns some points and their targets.
func gather(X *mat.Dense, y []float64, points []int) (*mat.Dense, []float64) {
	n, d := X.Dims()
	targets := len(y) / n
	rows, labels := mat.NewDense(len(points), d, nil), make([]float64, 0, len(points)*targets)
	for i, r := range points {
		rows.SetRow(i, X.RawRowView(r))
		labels = append(labels, y[r*targets:(r+1)*targets]...)
	}
	return rows, labels
}

// fitOutputs returns the function at a batch in [Machine.Fit]. From three passes on it is
// cheaper to follow the outputs at all points.
func (m *Machine) fitOutputs(ctx context.Context, X, rows *mat.Dense, points []int, follow **follower) (*mat.Dense, error) {
	if m.settings.Passes < 3 {
		return m.outputsOf(ctx, rows)
	}
	if *follow == nil {
		x, err := m.basis.prepare(X)
		if err != nil {
			return nil, err
		}
		*follow = &follower{x: x}
	}
	f := *follow
	if n, _ := X.Dims(); f.v != nil {
		m.drawn += n * (m.t - f.steps) * m.width()
	}
	if err := f.catchUp(ctx, &m.state, m.basis); err != nil {
		return nil, err
	}
	u := mat.NewDense(len(points), m.outputs, nil)
	for i, r := range points {
		for c, v := range f.v.RawRowView(r) {
			u.Set(i, c, m.scale*v)
		}
	}
	return u, nil
}

// outputsOf returns the last function at points.
func (m *Machine) outputsOf(ctx context.Context, X *mat.Dense) (*mat.Dense, error) {
	x, err := m.basis.prepare(X)
	if err != nil {
		return nil, err
	}
	n, _ := X.Dims()
	m.drawn += n * m.t * m.width()
	return m.evaluate(ctx, m.basis, x, false)
}

// PartialFit goes on with the points in the rows of X, in their order: a step for
// each batch, the last one smaller if need be. Points need not be seen again.
func (m *Machine) PartialFit(ctx context.Context, X *mat.Dense, y []float64) error {
	if err := m.checkData(X, y); err != nil {
		return err
	}
	n, d := X.Dims()
	targets := len(y) / n
	for lo := 0; lo < n; lo += m.settings.Batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		hi := min(lo+m.settings.Batch, n)
		batch := X.Slice(lo, hi, 0, d).(*mat.Dense)
		if m.d == 0 {
			if err := m.start(ctx, batch); err != nil {
				return err
			}
		}
		u, err := m.outputsOf(ctx, batch)
		if err != nil {
			return err
		}
		if err := m.advance(ctx, batch, y[lo*targets:hi*targets], u); err != nil {
			return err
		}
	}
	return nil
}

// FitStream goes on with batches from a stream until its end, which may hold more
// than memory does: [Machine.PartialFit] on each.
func (m *Machine) FitStream(ctx context.Context, batches iter.Seq2[dataset.Batch, error]) error {
	for b, err := range batches {
		if err != nil {
			return err
		}
		if err := m.PartialFit(ctx, b.X, b.Y); err != nil {
			return err
		}
	}
	return nil
}

// checkData checks points and targets.
func (m *Machine) checkData(X *mat.Dense, y []float64) error {
	if err := m.checkPoints(X); err != nil {
		return err
	}
	return checkTargets(m.loss, X, y)
}

func (m *Machine) checkPoints(X *mat.Dense) error {
	if err := checkPoints(X); err != nil {
		return err
	}
	if _, d := X.Dims(); m.d > 0 && d != m.d {
		return fmt.Errorf("kernelmachine: points have dimension %d, must be %d as those before", d, m.d)
	}
	return nil
}

func checkPoints(X *mat.Dense) error {
	if X == nil || X.IsEmpty() {
		return fmt.Errorf("kernelmachine: there are no points")
	}
	n, _ := X.Dims()
	for i := range n {
		for j, v := range X.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("kernelmachine: points[%d,%d] is %v, must be finite", i, j, v)
			}
		}
	}
	return nil
}

func checkTargets(loss Loss, X *mat.Dense, y []float64) error {
	n, _ := X.Dims()
	_, targets := loss.Dims()
	if len(y) != n*targets {
		return fmt.Errorf("kernelmachine: %d targets for %d points, must be %d", len(y), n, n*targets)
	}
	for i := range n {
		if err := loss.Check(y[i*targets : (i+1)*targets]); err != nil {
			return fmt.Errorf("kernelmachine: point %d: %w", i, err)
		}
	}
	return nil
}

// divergedAt is the output from which a machine counts as diverged.
const divergedAt = 1e8

// advance takes a step with one batch, at which the function has the outputs u, that
// are overwritten. On an error the function is what it was.
func (m *Machine) advance(ctx context.Context, X *mat.Dense, y []float64, u *mat.Dense) error {
	gamma := m.step.At(m.t + 1)
	x, err := m.basis.prepare(X)
	if err != nil {
		return err
	}
	if v := largest(u); !(v <= divergedAt) {
		return &Diverged{m.t + 1, gamma, v}
	}
	below, err := m.gradients(u, y)
	if err != nil {
		return err
	}
	a := mat.NewDense(m.width(), m.outputs, nil)
	shift := -1.0
	if m.settings.Precondition {
		shift = m.settings.Regularization + 1e-7
	}
	if err := m.basis.gradient(ctx, a, x, m.t, u, shift); err != nil {
		return err
	}
	n, _ := X.Dims()
	m.drawn += n * m.width()
	a.Scale(-gamma, a)
	nu := m.settings.Regularization
	m.shrink(1 - gamma*nu)
	m.add(a, m.settings.Average)
	if _, ok := m.loss.(Novelty); ok {
		m.offset += gamma * (nu - below)
	}
	if m.settings.Average && m.t >= m.settings.AverageFrom {
		m.count()
	}
	return nil
}

// gradients turns outputs into the derivatives of the loss there, divided by the
// number of points. For Novelty it also returns the share of points below r.
func (m *Machine) gradients(u *mat.Dense, y []float64) (below float64, err error) {
	n, outputs := u.Dims()
	_, targets := m.loss.Dims()
	g := make([]float64, outputs)
	for i := range n {
		row := u.RawRowView(i)
		row[0] -= m.offset
		m.loss.Gradient(g, row, y[i*targets:(i+1)*targets])
		if g[0] != 0 {
			below += 1 / float64(n)
		}
		for c, v := range g {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return 0, fmt.Errorf("kernelmachine: the loss %T has the derivative %v at the output %v", m.loss, v, row[c])
			}
			row[c] = v / float64(n)
		}
	}
	return below, nil
}

// largest is the largest absolute value; NaN if there is one.
func largest(u *mat.Dense) float64 {
	v := 0.0
	for _, x := range u.RawMatrix().Data {
		v = max(v, math.Abs(x))
	}
	return v
}
