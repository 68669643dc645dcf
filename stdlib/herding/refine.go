package herding

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"gaucho/stdlib/rkhs"
)

// refiner moves a vertex off the pool, downhill on factor G(x) - mu_p(x).
type refiner struct {
	kernel rkhs.DifferentiableKernel
	target rkhs.DifferentiableEmbedding
}

func newRefiner(pool *Pool) (*refiner, error) {
	k, ok := pool.target.Kernel().(rkhs.DifferentiableKernel)
	if !ok {
		return nil, fmt.Errorf("herding: kernel %T is not differentiable, must be to refine points", pool.target.Kernel())
	}
	t, ok := pool.target.(rkhs.DifferentiableEmbedding)
	if !ok {
		return nil, fmt.Errorf("herding: mean embedding %T is not differentiable, must be to refine points", pool.target)
	}
	return &refiner{kernel: k, target: t}, nil
}

// improve returns the vertex that at most the given number of quasi-Newton
// iterations reach from v, or v itself if they find nothing better. The index
// stays that of v: it still names the mixture component. Each evaluation costs
// O((n + K) d^2) for a mixture of K Gaussians.
func (r *refiner) improve(v vertex, atoms [][]float64, w []float64, factor float64, iterations int) vertex {
	at := func(x []float64) (g, z float64) {
		for i, a := range atoms {
			if w[i] != 0 {
				g += w[i] * r.kernel.Eval(a, x)
			}
		}
		var out [1]float64
		r.target.EvalTo(background, out[:], mat.NewDense(1, len(x), x)) // no error: dimensions agree
		return g, out[0]
	}
	buf := make([]float64, len(v.x))
	problem := optimize.Problem{
		Func: func(x []float64) float64 {
			g, z := at(x)
			return factor*g - z
		},
		Grad: func(grad, x []float64) {
			r.target.Gradient(grad, x)
			for j := range grad {
				grad[j] = -grad[j]
			}
			for i, a := range atoms {
				if w[i] == 0 {
					continue
				}
				r.kernel.Gradient(buf, x, a)
				for j := range grad {
					grad[j] += factor * w[i] * buf[j]
				}
			}
		},
	}
	x, ok := descend(problem, v.x, iterations)
	if !ok {
		return v
	}
	g, z := at(x)
	if !(factor*g-z < factor*v.g-v.z) {
		return v
	}
	return vertex{x: x, index: v.index, g: g, z: z, q: r.kernel.Eval(x, x)}
}

// descend returns where at most the given number of quasi-Newton iterations lead.
func descend(problem optimize.Problem, x []float64, iterations int) ([]float64, bool) {
	result, _ := optimize.Minimize(problem, x, &optimize.Settings{MajorIterations: iterations}, &optimize.LBFGS{})
	if result == nil || result.X == nil {
		return nil, false
	}
	return append([]float64(nil), result.X...), true
}
