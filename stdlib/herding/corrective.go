package herding

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

// corrective is fully corrective Frank-Wolfe: after each new point the weights
// of all points minimise the MMD. It is a descent method; a step that raises the
// objective by more than rounding is taken back, and the construction ends.
func (f *frankWolfe) corrective(ctx context.Context, n int) (*Rule, error) {
	kernel := f.pool.target.Kernel()
	problem := new(weightProblem)
	var atoms [][]float64
	var rows [][]float64
	var history [][]float64
	row := make([]float64, 0, n)
	stopped := ""
	gather := newGather(f.out.d, n)
	f.search.start()
	for k := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v, ok := f.next(atoms, problem.w)
		if !ok {
			stopped = "no candidate is left"
			break
		}
		gap := f.a - v.g - f.b + v.z
		if k == 0 {
			gap = math.Inf(1)
		}
		if k > 0 && f.refine == nil && f.has(v.index, problem) {
			stopped = "the search returns a point that the rule has"
			break
		}
		row = row[:0]
		for _, x := range atoms {
			row = append(row, kernel.Eval(x, v.x))
		}
		problem.add(append(row, v.q), v.z)
		step := 1.0
		if k > 0 {
			step = lineSearch(gap, f.a-2*v.g+v.q)
		}
		before := append([]float64(nil), problem.w[:k]...)
		if !problem.activate(k) {
			problem.drop()
			stopped = "the next point lies in the affine span of the rule's points"
			break
		}
		for i := range before {
			problem.w[i] *= 1 - step
		}
		problem.w[k] = step
		problem.solve(problem.tolerance())
		a, b := problem.quadratic()
		if k > 0 && a-2*b > f.a-2*f.b+1e-14*v.q {
			problem.drop()
			copy(problem.w, before)
			stopped = "rounding stops the descent"
			break
		}
		f.a, f.b = a, b
		f.accept(v)
		atoms = append(atoms, f.out.at(k))
		clear(f.mean)
		for _, i := range problem.active {
			for j := range f.mean {
				f.mean[j] += problem.w[i] * atoms[i][j]
			}
		}
		history = append(history, append([]float64(nil), problem.w...))
		f.out.record(f.mmd2(), gap, step, len(problem.active), f.mean)
		f.report()
		if k+1 == n {
			break
		}
		if f.reached() {
			stopped = "the MMD is within the tolerance"
			break
		}
		if f.mmd2() < roundoff*problem.shift {
			stopped = "the MMD is at the floor of rounding"
			break
		}
		if f.settings.KeepRows {
			rows = append(rows, f.search.row(v.x))
			f.search.rebuildFrom(rows, problem.active, problem.w)
		} else {
			f.search.rebuild(gather.atoms(atoms, problem.active, problem.w))
		}
	}
	w := history[len(history)-1]
	return f.out.rule(append([]float64(nil), w...), stopped, func(n int) []float64 {
		return append([]float64(nil), history[n-1]...)
	}), nil
}

// has says whether a candidate is a point of the rule with nonzero weight.
func (f *frankWolfe) has(index int, p *weightProblem) bool {
	for _, i := range p.active {
		if f.out.index[i] == index {
			return true
		}
	}
	return false
}

// drop removes the atom that was added last.
func (p *weightProblem) drop() {
	n := len(p.k) - 1
	for r, i := range p.active {
		if i == n {
			p.deactivate(r)
			break
		}
	}
	p.k, p.c, p.w, p.inside = p.k[:n], p.c[:n], p.w[:n], p.inside[:n]
	p.work, p.ones, p.a, p.b, p.target = p.work[:n], p.ones[:n], p.a[:n], p.b[:n], p.target[:n]
}

// gather lays the active atoms out one after the other, as a rebuild wants them.
type gather struct {
	d int
	x []float64
	w []float64
}

func newGather(d, n int) *gather {
	return &gather{d: d, x: make([]float64, 0, n*d), w: make([]float64, 0, n)}
}

// atoms returns the active atoms as rows, and their weights.
func (g *gather) atoms(atoms [][]float64, active []int, w []float64) (*mat.Dense, []float64) {
	g.x, g.w = g.x[:0], g.w[:0]
	for _, i := range active {
		g.x = append(g.x, atoms[i]...)
		g.w = append(g.w, w[i])
	}
	return mat.NewDense(len(g.w), g.d, g.x), g.w
}
