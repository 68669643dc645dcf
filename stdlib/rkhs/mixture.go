package rkhs

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"

	"gonum.org/v1/gonum/mat"
)

// A Distribution can be sampled: n independent draws as the rows of an
// n x Dim() matrix.
type Distribution interface {
	Dim() int
	Sample(rng *rand.Rand, n int) *mat.Dense
}

var (
	_ Distribution = (*Mixture)(nil)
	_ Distribution = Measure{}
)

// Mixture is a mixture of K Gaussians in R^d, sum_j weight_j N(mean_j, cov_j).
// It keeps one covariance for all components, or one number per component,
// where that is all there is, and is faster then. Covariances may be singular
// (positive semi-definite); densities and Kalman-like formulas need more, mean
// embeddings do not. A Mixture does not change once it is made.
type Mixture struct {
	weights []float64
	means   *mat.Dense      // K x d
	covs    []*mat.SymDense // the distinct covariances; nil if isotropic
	class   []int           // which of them component j has; nil if there is one
	vars    []float64       // K of them if isotropic

	cumulative []float64
	roots      []*mat.Dense // square roots of covs: root root' = cov
}

// NewMixture returns the mixture with K weights, the rows of means (K x d) and
// K covariance matrices (d x d). Weights must not be negative and must sum to
// one, covariances must be positive semi-definite; all numbers must be finite.
// Components may share a matrix; work is then done once for it. Cost O(K d^3).
func NewMixture(weights []float64, means *mat.Dense, covs []*mat.SymDense) (*Mixture, error) {
	m, err := newMixture(weights, means)
	if err != nil {
		return nil, err
	}
	if len(covs) != m.Len() {
		return nil, fmt.Errorf("rkhs: %d covariances for %d components", len(covs), m.Len())
	}
	m.class = make([]int, len(covs))
	seen := map[*mat.SymDense]int{}
	for j, c := range covs {
		if i, again := seen[c]; again {
			m.class[j] = i
			continue
		}
		root, err := covarianceRoot(fmt.Sprintf("covariance %d", j), c, m.Dim())
		if err != nil {
			return nil, err
		}
		seen[c], m.class[j] = len(m.covs), len(m.covs)
		m.covs = append(m.covs, mat.NewSymDense(m.Dim(), nil))
		m.covs[m.class[j]].CopySym(c)
		m.roots = append(m.roots, root)
	}
	if len(m.covs) == 1 {
		m.class = nil
	}
	return m, nil
}

// NewSharedMixture returns the mixture whose components all have the covariance
// cov (d x d). Its mean embedding costs O(d^2) a component less.
func NewSharedMixture(weights []float64, means *mat.Dense, cov *mat.SymDense) (*Mixture, error) {
	m, err := newMixture(weights, means)
	if err != nil {
		return nil, err
	}
	root, err := covarianceRoot("covariance", cov, m.Dim())
	if err != nil {
		return nil, err
	}
	c := mat.NewSymDense(m.Dim(), nil)
	c.CopySym(cov)
	m.covs, m.roots = []*mat.SymDense{c}, []*mat.Dense{root}
	return m, nil
}

// NewIsotropicMixture returns the mixture whose component j has the covariance
// variances[j] I.
func NewIsotropicMixture(weights []float64, means *mat.Dense, variances []float64) (*Mixture, error) {
	m, err := newMixture(weights, means)
	if err != nil {
		return nil, err
	}
	if len(variances) != m.Len() {
		return nil, fmt.Errorf("rkhs: %d variances for %d components", len(variances), m.Len())
	}
	for j, v := range variances {
		if err := notNegative(fmt.Sprintf("variance %d", j), v); err != nil {
			return nil, err
		}
	}
	m.vars = append([]float64(nil), variances...)
	return m, nil
}

// NewNormal returns the Gaussian N(mean, cov) as a mixture of one component.
func NewNormal(mean []float64, cov *mat.SymDense) (*Mixture, error) {
	if len(mean) == 0 {
		return nil, fmt.Errorf("rkhs: mean is empty")
	}
	return NewSharedMixture([]float64{1}, mat.NewDense(1, len(mean), append([]float64(nil), mean...)), cov)
}

func newMixture(weights []float64, means *mat.Dense) (*Mixture, error) {
	if err := finite("means", means); err != nil {
		return nil, err
	}
	k, _ := means.Dims()
	if err := checkProbabilities(weights, k); err != nil {
		return nil, err
	}
	m := &Mixture{weights: append([]float64(nil), weights...), means: mat.DenseCopyOf(means)}
	m.cumulative = make([]float64, k)
	var s float64
	for j, w := range weights {
		s += w
		m.cumulative[j] = s
	}
	return m, nil
}

// covarianceRoot checks a covariance matrix and returns a square root of it:
// the lower Cholesky factor, or V sqrt(D) from the eigenvalues if the matrix is
// singular.
func covarianceRoot(name string, cov *mat.SymDense, d int) (*mat.Dense, error) {
	if cov == nil || cov.SymmetricDim() != d {
		n := 0
		if cov != nil {
			n = cov.SymmetricDim()
		}
		return nil, fmt.Errorf("rkhs: %s is %d x %d, must be %d x %d", name, n, n, d, d)
	}
	for i := range d {
		for j := i; j < d; j++ {
			if v := cov.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("rkhs: %s[%d,%d] is %v, must be finite", name, i, j, v)
			}
		}
	}
	root := mat.NewDense(d, d, nil)
	if chol, err := linalg.NewCholesky(cov); err == nil {
		root.Copy(chol.U().T())
		return root, nil
	}
	values, vectors, err := linalg.SymEigen(context.Background(), cov)
	if err != nil {
		return nil, fmt.Errorf("rkhs: eigenvalues of %s: %w", name, err)
	}
	largest := math.Max(values[d-1], 0)
	for j, v := range values {
		if v < -1e-10*largest || (largest == 0 && v < 0) {
			return nil, fmt.Errorf("rkhs: %s has the eigenvalue %.6g, must be positive semi-definite", name, v)
		}
		s := math.Sqrt(math.Max(v, 0))
		for i := range d {
			root.Set(i, j, s*vectors.At(i, j))
		}
	}
	return root, nil
}

// Len returns the number K of components.
func (m *Mixture) Len() int { return len(m.weights) }

// Dim returns the dimension d.
func (m *Mixture) Dim() int {
	_, d := m.means.Dims()
	return d
}

// Weight returns the weight of component j.
func (m *Mixture) Weight(j int) float64 { return m.weights[j] }

// Component returns mean and covariance of component j, as copies.
func (m *Mixture) Component(j int) (mean []float64, cov *mat.SymDense) {
	d := m.Dim()
	mean = append([]float64(nil), m.means.RawRowView(j)...)
	cov = mat.NewSymDense(d, nil)
	switch {
	case m.vars != nil:
		for i := range d {
			cov.SetSym(i, i, m.vars[j])
		}
	default:
		cov.CopySym(m.covs[m.classOf(j)])
	}
	return mean, cov
}

// classOf returns the index of component j's covariance among the distinct ones.
func (m *Mixture) classOf(j int) int {
	if m.class == nil {
		return 0
	}
	return m.class[j]
}

// Mean returns the mean of the mixture, sum_j weight_j mean_j.
func (m *Mixture) Mean() []float64 {
	mean := make([]float64, m.Dim())
	for j, w := range m.weights {
		for i, v := range m.means.RawRowView(j) {
			mean[i] += w * v
		}
	}
	return mean
}

// Covariance returns the covariance of the mixture,
// sum_j weight_j (cov_j + mean_j mean_j') - mean mean'.
func (m *Mixture) Covariance() *mat.SymDense {
	d := m.Dim()
	mean := m.Mean()
	c := mat.NewSymDense(d, nil)
	for j, w := range m.weights {
		x := m.means.RawRowView(j)
		for a := range d {
			for b := a; b < d; b++ {
				c.SetSym(a, b, c.At(a, b)+w*((x[a]-mean[a])*(x[b]-mean[b])+m.covariance(j, a, b)))
			}
		}
	}
	return c
}

// Sample draws n points, as the rows of an n x d matrix.
func (m *Mixture) Sample(rng *rand.Rand, n int) *mat.Dense {
	X, _ := m.SampleComponents(rng, n)
	return X
}

// SampleComponents draws n points and also returns the component that each one
// came from.
func (m *Mixture) SampleComponents(rng *rand.Rand, n int) (X *mat.Dense, component []int) {
	d := m.Dim()
	X = mat.NewDense(n, d, nil)
	component = make([]int, n)
	z := make([]float64, d)
	for i := range n {
		j := pick(m.cumulative, rng.Float64()*m.cumulative[len(m.cumulative)-1])
		component[i] = j
		for l := range z {
			z[l] = rng.NormFloat64()
		}
		m.place(X.RawRowView(i), j, z)
	}
	return X, component
}

// place writes mean_j + root_j z to dst.
func (m *Mixture) place(dst []float64, j int, z []float64) {
	mean := m.means.RawRowView(j)
	if m.vars != nil {
		s := math.Sqrt(m.vars[j])
		for i := range dst {
			dst[i] = mean[i] + s*z[i]
		}
		return
	}
	root := m.roots[m.classOf(j)]
	for i := range dst {
		s := mean[i]
		for l, r := range root.RawRowView(i) {
			s += r * z[l]
		}
		dst[i] = s
	}
}

// UniformDim returns the number of uniform coordinates that
// [Mixture.FromUniforms] takes for a point: d+1.
func (m *Mixture) UniformDim() int { return m.means.RawMatrix().Cols + 1 }

// FromUniforms maps points of the unit cube [0,1]^(d+1), the rows of U, to points
// of the mixture: the last coordinate picks the component by the inverse of its
// cumulative weights (components in the order in which they are stored), the
// first d go through the inverse of the normal distribution function and the
// component's square root. This is how quasi-Monte Carlo samples a mixture
// (Lacoste-Julien et al. 2015, section 4.1). Coordinates are kept away from 0
// and 1 by 2^-33.
func (m *Mixture) FromUniforms(U *mat.Dense) (X *mat.Dense, component []int, err error) {
	n, c := U.Dims()
	d := m.Dim()
	if c != d+1 {
		return nil, nil, fmt.Errorf("rkhs: uniforms have %d columns, must be %d for a mixture in dimension %d", c, d+1, d)
	}
	if err := finite("uniforms", U); err != nil {
		return nil, nil, err
	}
	X = mat.NewDense(n, d, nil)
	component = make([]int, n)
	z := make([]float64, d)
	for i := range n {
		u := U.RawRowView(i)
		j := pick(m.cumulative, u[d]*m.cumulative[len(m.cumulative)-1])
		component[i] = j
		for l := range z {
			z[l] = NormalQuantile(u[l])
		}
		m.place(X.RawRowView(i), j, z)
	}
	return X, component, nil
}

// NormalQuantile returns the inverse of the standard normal distribution
// function at u, after moving u into [2^-33, 1-2^-33], so that the ends of the
// unit interval, which low-discrepancy points may hit, give finite numbers.
func NormalQuantile(u float64) float64 {
	const edge = 1.0 / (1 << 33)
	return vec.NormalQuantile1(math.Min(math.Max(u, edge), 1-edge))
}

// Root returns a square root of the covariance of component j, root root' = cov,
// and the index of that covariance among the mixture's distinct ones, in the
// order of the components that have them first. The matrix must not be changed.
func (m *Mixture) Root(j int) (root *mat.Dense, distinct int) {
	if m.vars == nil {
		return m.roots[m.classOf(j)], m.classOf(j)
	}
	d := m.Dim()
	root = mat.NewDense(d, d, nil)
	for i := range d {
		root.Set(i, i, math.Sqrt(m.vars[j]))
	}
	return root, j
}
