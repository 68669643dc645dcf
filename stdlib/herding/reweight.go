package herding

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
)

// Weighting is a constraint on the weights of given points.
type Weighting int

const (
	// Uniform weights are 1/n.
	Uniform Weighting = iota
	// Simplex weights are not negative and sum to one.
	Simplex
	// Affine weights sum to one.
	Affine
	// Free weights have no constraint: w = K^-1 z.
	Free
)

var weightingNames = []string{"uniform", "simplex", "affine", "free"}

// String returns the weighting's name.
func (w Weighting) String() string {
	if w < 0 || int(w) >= len(weightingNames) {
		return fmt.Sprintf("Weighting(%d)", int(w))
	}
	return weightingNames[w]
}

// Reweight returns the rows of X (n x d) with the weights that minimise the MMD
// to the target under the given constraint: what makes rules of different
// methods comparable. For Free and Affine weights, points that lie in the span
// of earlier ones up to rounding (1e-12 of k(x,x)) get the weight 0; so a
// singular Gram matrix is no error. Cost O(n^2 d + n^3).
func Reweight(ctx context.Context, target rkhs.Embedding, X *mat.Dense, weighting Weighting) (rkhs.Measure, error) {
	if err := (rkhs.Measure{X: X}).Validate(); err != nil {
		return rkhs.Measure{}, fmt.Errorf("herding: %w", err)
	}
	n, _ := X.Dims()
	z := make([]float64, n)
	if err := target.EvalTo(ctx, z, X); err != nil {
		return rkhs.Measure{}, err
	}
	if weighting == Uniform {
		return rkhs.Uniform(X), nil
	}
	G, err := rkhs.Gram(ctx, target.Kernel(), X, nil)
	if err != nil {
		return rkhs.Measure{}, err
	}
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			sym.SetSym(i, j, G.At(i, j))
		}
	}
	var w []float64
	switch weighting {
	case Simplex:
		w, err = SimplexQP(sym, z)
	case Affine:
		w = unconstrained(sym, z, true)
	case Free:
		w = unconstrained(sym, z, false)
	default:
		return rkhs.Measure{}, fmt.Errorf("herding: weighting is %v, must be one of the four of this package", weighting)
	}
	return rkhs.Measure{X: X, W: w}, err
}

// unconstrained solves K w = z over the points that are independent, with the
// sum of the weights fixed to one if affine.
func unconstrained(K *mat.SymDense, z []float64, affine bool) []float64 {
	n := len(z)
	if affine {
		p := new(weightProblem)
		row := make([]float64, n)
		for i := range n {
			for j := range i + 1 {
				row[j] = K.At(i, j)
			}
			p.add(row, z[i])
			p.activate(i)
		}
		p.affineMinimiser()
		for r, i := range p.active {
			p.w[i] = p.target[r]
		}
		return p.w
	}
	var f cholesky
	var kept []int
	work, column := make([]float64, n), make([]float64, n)
	for i := range n {
		for r, j := range kept {
			column[r] = K.At(i, j)
		}
		if pivot := f.pivot(work, column, K.At(i, i)); pivot > dependence*K.At(i, i) {
			f.extend(work, pivot)
			kept = append(kept, i)
		}
	}
	b := make([]float64, len(kept))
	for r, i := range kept {
		b[r] = z[i]
	}
	f.solveLower(b, b)
	f.solveUpper(b, b)
	w := make([]float64, n)
	for r, i := range kept {
		w[i] = b[r]
	}
	return w
}

// Diagnosis says how healthy the weights of a rule are.
type Diagnosis struct {
	Total     float64 // sum of the weights
	Negative  int     // number of negative weights
	Active    int     // number of nonzero weights
	Effective float64 // 1 / sum w_i^2 after division by the total
	Condition float64 // condition number of the Gram matrix of the active points
}

// Diagnose looks at the weights and points of a rule, such as r.At(n), under a
// kernel. Cost O(n^3).
func Diagnose(ctx context.Context, k rkhs.Kernel, m rkhs.Measure) (Diagnosis, error) {
	if err := m.Validate(); err != nil {
		return Diagnosis{}, err
	}
	out := Diagnosis{Total: m.TotalWeight()}
	w := m.W
	if w == nil {
		w = equalWeights(m.Len())
	}
	var rows []float64
	var squares float64
	for i, v := range w {
		if v < 0 {
			out.Negative++
		}
		if v != 0 {
			out.Active++
			squares += v * v
			rows = append(rows, m.X.RawRowView(i)...)
		}
	}
	out.Effective = out.Total * out.Total / squares
	if out.Active == 0 {
		out.Effective, out.Condition = 0, math.NaN()
		return out, nil
	}
	G, err := rkhs.Gram(ctx, k, mat.NewDense(out.Active, m.Dim(), rows), nil)
	if err != nil {
		return Diagnosis{}, err
	}
	sym := mat.NewSymDense(out.Active, G.RawMatrix().Data)
	values, err := linalg.SymEigenValues(ctx, sym)
	if err != nil {
		return Diagnosis{}, fmt.Errorf("herding: %w", err)
	}
	out.Condition = math.Inf(1)
	if values[0] > 0 {
		out.Condition = values[out.Active-1] / values[0]
	}
	return out, nil
}
