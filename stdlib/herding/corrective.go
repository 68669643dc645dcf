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
	c := &correction{frankWolfe: f, gather: newGather(f.out.d, n)}
	stopped := ""
	f.search.start()
	for k := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if stopped = c.step(); stopped != "" {
			break
		}
		f.report()
		if k+1 == n {
			break
		}
		if f.reached() {
			stopped = "the MMD is within the tolerance"
			break
		}
		if f.mmd2() < roundoff*c.problem.shift {
			stopped = "the MMD is at the floor of rounding"
			break
		}
		c.rebuild()
	}
	w := c.history[len(c.history)-1]
	return f.out.rule(append([]float64(nil), w...), stopped, func(n int) []float64 {
		return append([]float64(nil), c.history[n-1]...)
	}), nil
}

// correction is a fully corrective construction.
type correction struct {
	*frankWolfe
	problem weightProblem
	gather  *gather
	atoms   [][]float64
	rows    [][]float64 // kernel values at the candidates, if they are kept
	row     []float64
	history [][]float64
}

// step adds a point and corrects all weights, or says why it cannot.
func (c *correction) step() (stopped string) {
	p, k := &c.problem, len(c.atoms)
	v, ok := c.next(c.atoms, p.w)
	if !ok {
		return "no candidate is left"
	}
	if k > 0 && c.refine == nil && c.has(v.index, p) {
		return "the search returns a point that the rule has"
	}
	gap, step := math.Inf(1), 1.0
	if k > 0 {
		gap = c.a - v.g - c.b + v.z
		step = lineSearch(gap, c.a-2*v.g+v.q)
	}
	c.row = c.row[:0]
	for _, x := range c.atoms {
		c.row = append(c.row, c.pool.target.Kernel().Eval(x, v.x))
	}
	p.add(append(c.row, v.q), v.z)
	if !p.activate(k) {
		p.drop()
		return "the next point lies in the affine span of the rule's points"
	}
	before := append([]float64(nil), p.w[:k]...)
	for i := range before { // the line search is where the program starts
		p.w[i] *= 1 - step
	}
	p.w[k] = step
	p.solve(p.tolerance())
	a, b := p.quadratic()
	if k > 0 && a-2*b > c.a-2*c.b+1e-14*v.q {
		p.drop()
		copy(p.w, before)
		return "rounding stops the descent"
	}
	c.a, c.b = a, b
	c.accept(v)
	c.atoms = append(c.atoms, c.out.at(k))
	clear(c.mean)
	for _, i := range p.active {
		for j, x := range c.atoms[i] {
			c.mean[j] += p.w[i] * x
		}
	}
	c.history = append(c.history, append([]float64(nil), p.w...))
	c.out.record(c.mmd2(), gap, step, len(p.active), c.mean)
	return ""
}

// rebuild computes G for the new weights.
func (c *correction) rebuild() {
	p := &c.problem
	if !c.settings.KeepRows {
		c.search.rebuild(c.gather.atoms(c.atoms, p.active, p.w))
		return
	}
	c.rows = append(c.rows, c.search.row(c.atoms[len(c.atoms)-1]))
	c.search.rebuildFrom(c.rows, p.active, p.w)
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
