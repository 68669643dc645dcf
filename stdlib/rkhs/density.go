package rkhs

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"
)

// LogDensity writes the logarithm of the mixture's density at the rows of X to
// dst. All covariances must be positive definite. Cost O(n K d^2).
func (m *Mixture) LogDensity(ctx context.Context, dst []float64, X *mat.Dense) error {
	if err := checkEval(dst, X, m.Dim()); err != nil {
		return err
	}
	d := m.Dim()
	type factor struct {
		inv   []float64 // rows of L^-1 up to the diagonal
		scale float64   // -log det L - d log(2 pi)/2
	}
	constant := -0.5 * float64(d) * vec.Log1(2*math.Pi)
	factors := make([]factor, 0, m.Len())
	class := make([]int, m.Len())
	seen := map[int]int{}
	for j := range m.Len() {
		_, c := m.Root(j)
		if k, again := seen[c]; again {
			class[j] = k
			continue
		}
		_, cov := m.Component(j)
		if _, err := linalg.NewCholesky(cov); err != nil {
			return fmt.Errorf("rkhs: covariance of component %d is singular, must be positive definite for a density", j)
		}
		w := newWhitener(cov, nil, 0)
		seen[c], class[j] = len(factors), len(factors)
		factors = append(factors, factor{w.flat(), constant - w.logDet})
	}
	parallel.Blocks(len(dst), blockLen, func(_, lo, hi int) {
		terms := make([]float64, m.Len())
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			x := X.RawRowView(i)
			for j, w := range m.weights {
				f, mean := factors[class[j]], m.means.RawRowView(j)
				var q float64
				at := 0
				for r := range d {
					var s float64
					for c := range r + 1 {
						s += f.inv[at] * (x[c] - mean[c])
						at++
					}
					q += s * s
				}
				terms[j] = vec.Log1(w) + f.scale - 0.5*q
			}
			dst[i] = vec.LogSumExp(terms)
		}
	})
	return ctx.Err()
}

// Affine returns the distribution of A x + b for x from the mixture: the mixture
// of N(A mean_j + b, A cov_j A'). A is k x d; a nil b is 0. With rows of the
// identity it is a marginal.
func (m *Mixture) Affine(A *mat.Dense, b []float64) (*Mixture, error) {
	k, d := A.Dims()
	if d != m.Dim() || (b != nil && len(b) != k) {
		return nil, fmt.Errorf("rkhs: map is %d x %d with a shift of length %d for a mixture in dimension %d", k, d, len(b), m.Dim())
	}
	means := linalg.MulTransB(nil, m.means, A)
	covs := make([]*mat.SymDense, m.Len())
	seen := map[int]*mat.SymDense{}
	for j := range m.Len() {
		for i, v := range b {
			means.Set(j, i, means.At(j, i)+v)
		}
		_, c := m.Root(j)
		if seen[c] == nil {
			_, cov := m.Component(j)
			u := linalg.MulTransB(nil, linalg.Mul(nil, A, mat.DenseCopyOf(cov)), A)
			seen[c] = mat.NewSymDense(k, nil)
			for p := range k {
				for q := p; q < k; q++ {
					seen[c].SetSym(p, q, 0.5*(u.At(p, q)+u.At(q, p)))
				}
			}
		}
		covs[j] = seen[c]
	}
	return NewMixture(m.weights, means, covs)
}
