package herding

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// refined moves a chosen candidate off the pool, uphill on the selection's score;
// false if refinement is off or finds nothing better. With w = K^-1 z and
// a = K^-1 k_x, the gradients are those of r = mu_p(x) - sum_i w_i k(x, x_i) and
// s = k(x, x) - sum_i a_i k(x, x_i), the latter twice, by symmetry.
func (g *greedy) refined(v vertex, solved []float64, pivot float64) (vertex, bool) {
	if g.refine == nil {
		return v, false
	}
	n := len(g.y)
	w := g.weights(n)
	work := make([]float64, n)
	at := func(x []float64) (r, s, z float64) {
		var out [1]float64
		g.pool.target.EvalTo(background, out[:], mat.NewDense(1, len(x), x)) // no error: dimensions agree
		r, z = out[0], out[0]
		for j := range n {
			work[j] = g.refine.kernel.Eval(x, g.out.at(j))
			r -= w[j] * work[j]
		}
		s = g.factor.pivot(work, work, g.refine.kernel.Eval(x, x))
		return r, s, z
	}
	buf := make([]float64, len(v.x))
	problem := optimize.Problem{
		Func: func(x []float64) float64 {
			r, s, _ := at(x)
			score, _, _ := g.settings.Selection.score(r, s)
			return -score
		},
		Grad: func(grad, x []float64) {
			r, s, _ := at(x)
			g.factor.solveUpper(work, work) // a
			_, dr, ds := g.settings.Selection.score(r, s)
			g.refine.target.Gradient(grad, x)
			for l := range grad {
				grad[l] *= -dr
			}
			add := func(c float64, y []float64) {
				g.refine.kernel.Gradient(buf, x, y)
				for l := range grad {
					grad[l] += c * buf[l]
				}
			}
			for j := range n {
				add(dr*w[j]+2*ds*work[j], g.out.at(j))
			}
			add(-2*ds, x)
		},
	}
	x, ok := descend(problem, v.x, g.settings.Refine)
	if !ok {
		return v, false
	}
	r, s, z := at(x)
	q := g.refine.kernel.Eval(x, x)
	if !(s > math.Max(g.settings.Threshold, 1e-8)*q) { // nearly one of the points: noise
		return v, false
	}
	before := v.z
	for j, l := range solved {
		before -= l * g.y[j]
	}
	was, _, _ := g.settings.Selection.score(before, pivot)
	if now, _, _ := g.settings.Selection.score(r, s); !(now > was) {
		return v, false
	}
	return vertex{x: x, index: v.index, z: z, q: q}, true
}

// score returns what the selection maximises, as a function of r and s, and its
// derivatives.
func (s Selection) score(r, pivot float64) (value, dr, ds float64) {
	switch s {
	case WKH:
		return r * r, 2 * r, 0
	case WKHSigned:
		return r, 1, 0
	case SBQ:
		return r * r / pivot, 2 * r / pivot, -r * r / (pivot * pivot)
	}
	return pivot, 0, 1
}
