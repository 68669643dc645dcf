package boosting

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// full is a kernel matrix that is stored.
type full struct {
	kernel rkhs.Kernel
	x      *mat.Dense
	k      *mat.SymDense
}

func (m *full) mul(dst, v []float64) { linalg.SymMulVec(dst, m.k, v) }

func (m *full) trace() float64 { return mat.Trace(m.k) }

func (m *full) eigen(ctx context.Context) ([]float64, *mat.Dense, error) {
	return symEigen(ctx, m.k, rounding(m.k))
}

// rounding is the ratio to the largest eigenvalue below which those of a matrix
// are rounding.
func rounding(k *mat.SymDense) float64 { return float64(k.SymmetricDim()) * 1e-16 }

// symEigen returns the eigenvalues above least times the largest, descending, and
// their vectors.
func symEigen(ctx context.Context, k *mat.SymDense, least float64) ([]float64, *mat.Dense, error) {
	values, vectors, err := linalg.SymEigen(ctx, k)
	if err != nil {
		return nil, nil, err
	}
	n := len(values)
	top, r := values[n-1], 0
	if !(top > 0) {
		return nil, nil, fmt.Errorf("boosting: the kernel matrix is 0")
	}
	for r < n && values[n-1-r] > least*top {
		r++
	}
	out, u := make([]float64, r), mat.NewDense(n, r, nil)
	for j := range out {
		out[j] = values[n-1-j]
	}
	for i := range n {
		from, to := vectors.RawRowView(i), u.RawRowView(i)
		for j := range to {
			to[j] = from[n-1-j]
		}
	}
	return out, u, nil
}

func (m *full) cross(ctx context.Context, z *mat.Dense) (crossing, error) {
	g, err := rkhs.Gram(ctx, m.kernel, z, m.x)
	if err != nil {
		return nil, err
	}
	n, _ := m.x.Dims()
	g.Scale(1/float64(n), g)
	return stored{g}, nil
}

type stored struct{ m *mat.Dense }

func (s stored) mul(dst, c []float64) { linalg.MulVec(dst, s.m, c) }

// sobolev says whether a kernel is scale (offset + min(x, y)).
func sobolev(k rkhs.Kernel) (scale, offset float64, ok bool) {
	switch k := k.(type) {
	case rkhs.Min:
		return 1, k.Offset, true
	case rkhs.Scaled:
		scale, offset, ok = sobolev(k.Kernel)
		return k.Factor * scale, offset, ok
	}
	return 0, 0, false
}

// sorted is the matrix of scale (offset + min(x_i, x_j))/n on the line:
//
//	n (K v)_i = scale (offset sum_j v_j + sum_(x_j <= x_i) x_j v_j + x_i sum_(x_j > x_i) v_j).
type sorted struct {
	scale, offset float64
	x             []float64 // ascending
	order         []int     // x[r] is point order[r]; nil if the points are in order
}

func newSorted(points *mat.Dense, scale, offset float64) (*sorted, error) {
	n, _ := points.Dims()
	x := mat.Col(nil, 0, points)
	for i, v := range x {
		if v < 0 || v > 1 {
			return nil, fmt.Errorf("boosting: point %d is %v, must be in [0, 1] for the kernel min", i, v)
		}
	}
	m := &sorted{scale: scale / float64(n), offset: offset, x: x}
	if !sort.Float64sAreSorted(x) {
		m.order = vec.ArgSort(nil, x)
		m.x = make([]float64, n)
		for r, i := range m.order {
			m.x[r] = x[i]
		}
	}
	return m, nil
}

// at returns the index of the point of rank r.
func (m *sorted) at(r int) int {
	if m.order == nil {
		return r
	}
	return m.order[r]
}

func (m *sorted) mul(dst, v []float64) {
	if m.order != nil {
		m.mulOrder(dst, v)
		return
	}
	above := vec.Sum(v)
	total, below := m.offset*above, 0.0
	for r, x := range m.x {
		below += x * v[r]
		above -= v[r]
		dst[r] = m.scale * (total + below + x*above)
	}
}

func (m *sorted) mulOrder(dst, v []float64) {
	above := vec.Sum(v)
	total, below := m.offset*above, 0.0
	for r, x := range m.x {
		i := m.order[r]
		below += x * v[i]
		above -= v[i]
		dst[i] = m.scale * (total + below + x*above)
	}
}

func (m *sorted) trace() float64 {
	return m.scale * (m.offset*float64(len(m.x)) + vec.Sum(m.x))
}

func (m *sorted) eigen(ctx context.Context) ([]float64, *mat.Dense, error) {
	n := len(m.x)
	k := mat.NewSymDense(n, nil)
	for r := range n {
		for s := r; s < n; s++ {
			k.SetSym(m.at(r), m.at(s), m.scale*(m.offset+m.x[r]))
		}
	}
	return symEigen(ctx, k, rounding(k))
}

func (m *sorted) cross(_ context.Context, z *mat.Dense) (crossing, error) {
	at := mat.Col(nil, 0, z)
	rank := make([]int, len(at))
	for i, v := range at {
		if v < 0 || v > 1 {
			return nil, fmt.Errorf("boosting: point %d is %v, must be in [0, 1] for the kernel min", i, v)
		}
		rank[i] = sort.SearchFloat64s(m.x, v)
	}
	return &sortedCross{m, at, rank}, nil
}

// sortedCross evaluates at points of which rank[i] of the sample are below.
type sortedCross struct {
	*sorted
	z    []float64
	rank []int
}

func (c *sortedCross) mul(dst, coef []float64) {
	n := len(c.x)
	below, count := make([]float64, n+1), make([]float64, n+1) // sums over ranks below r
	for r, x := range c.x {
		v := coef[c.at(r)]
		below[r+1], count[r+1] = below[r]+x*v, count[r]+v
	}
	for i, r := range c.rank {
		dst[i] = c.scale * (c.offset*count[n] + below[r] + c.z[i]*(count[n]-count[r]))
	}
}

// lowRank is the matrix Phi Phi'/n of n x r features.
type lowRank struct {
	phi *mat.Dense
	of  func(ctx context.Context, z *mat.Dense) (*mat.Dense, error)
}

// NewNystrom returns the design of the rows of x under the kernel's projection
// onto the span of k(., z_j), for the r rows z_j of centres (some of the points,
// say): k(x, Z) k(Z, Z)^-1 k(Z, y) (Williams & Seeger 2001). O(n r (r + d)), products
// O(n r). The inverse is of k(Z, Z) plus 1e-10 of its mean diagonal. Errors are
// those of NewDesign; centres of other dimension, more of them than points.
func NewNystrom(ctx context.Context, k rkhs.Kernel, x, centres *mat.Dense) (*Design, error) {
	if err := checkPoints(k, x); err != nil {
		return nil, err
	}
	if err := checkPoints(k, centres); err != nil {
		return nil, fmt.Errorf("%w (centres)", err)
	}
	n, d := x.Dims()
	r, dc := centres.Dims()
	if d != dc || r > n {
		return nil, fmt.Errorf("boosting: centres are %d x %d, must have %d columns and at most %d rows", r, dc, d, n)
	}
	g, err := rkhs.Gram(ctx, k, centres, nil)
	if err != nil {
		return nil, err
	}
	factor, err := linalg.NewCholeskyDense(g, 1e-10*mat.Trace(g)/float64(r))
	if err != nil {
		return nil, fmt.Errorf("boosting: kernel matrix of the centres: %w", err)
	}
	centres = mat.DenseCopyOf(centres)
	return newLowRank(ctx, x, func(ctx context.Context, z *mat.Dense) (*mat.Dense, error) {
		c, err := rkhs.Gram(ctx, k, centres, z)
		if err != nil {
			return nil, err
		}
		return mat.DenseCopyOf(factor.HalfSolveTo(c, c).T()), nil
	})
}

// NewFeatures returns the design of the rows of x under the kernel that r random
// features approximate: O(n r d), products O(n r).
func NewFeatures(ctx context.Context, features *rkhs.RandomFeatures, x *mat.Dense) (*Design, error) {
	if features == nil {
		return nil, fmt.Errorf("boosting: features is nil")
	}
	if err := checkPoints(rkhs.Linear{}, x); err != nil {
		return nil, err
	}
	return newLowRank(ctx, x, features.Map)
}

// ChooseCentres returns r different rows of x, uniformly.
func ChooseCentres(x *mat.Dense, r int, rng *rand.Rand) (*mat.Dense, error) {
	if rng == nil {
		return nil, fmt.Errorf("boosting: rng is nil, must be a source of random numbers")
	}
	n, d := x.Dims()
	if r < 1 || r > n {
		return nil, fmt.Errorf("boosting: r is %d, must be from 1 to %d", r, n)
	}
	c := mat.NewDense(r, d, nil)
	for j, i := range rng.Perm(n)[:r] {
		c.SetRow(j, x.RawRowView(i))
	}
	return c, nil
}

func newLowRank(ctx context.Context, x *mat.Dense, of func(context.Context, *mat.Dense) (*mat.Dense, error)) (*Design, error) {
	phi, err := of(ctx, x)
	if err != nil {
		return nil, err
	}
	n, d := x.Dims()
	return &Design{n: n, dim: d, matrix: &lowRank{phi, of}}, nil
}

func (m *lowRank) mul(dst, v []float64) {
	n, _ := m.phi.Dims()
	w := linalg.MulTransVec(nil, m.phi, v)
	vec.Scale(w, 1/float64(n), w)
	linalg.MulVec(dst, m.phi, w)
}

func (m *lowRank) trace() float64 {
	n, _ := m.phi.Dims()
	raw := m.phi.RawMatrix().Data
	return vec.Dot(raw, raw) / float64(n)
}

// eigen goes by the r x r matrix Phi'Phi/n = V diag(mu) V': U = Phi V/sqrt(n mu),
// which is orthogonal to about 1e-16 mu_1/mu_r: hence the larger cut.
func (m *lowRank) eigen(ctx context.Context) ([]float64, *mat.Dense, error) {
	n, _ := m.phi.Dims()
	small := linalg.SymRankKTrans(nil, 1/float64(n), m.phi, 0)
	values, v, err := symEigen(ctx, small, 1e-10)
	if err != nil {
		return nil, nil, err
	}
	values = values[:min(len(values), n)]
	rows, _ := v.Dims()
	v = mat.DenseCopyOf(v.Slice(0, rows, 0, len(values)))
	u := linalg.Mul(nil, m.phi, v)
	for i := range n {
		row := u.RawRowView(i)
		for j, mu := range values {
			row[j] /= math.Sqrt(float64(n) * mu)
		}
	}
	return values, u, nil
}

func (m *lowRank) cross(ctx context.Context, z *mat.Dense) (crossing, error) {
	other, err := m.of(ctx, z)
	if err != nil {
		return nil, err
	}
	return &lowRankCross{m.phi, other}, nil
}

type lowRankCross struct{ phi, other *mat.Dense }

func (c *lowRankCross) mul(dst, coef []float64) {
	n, _ := c.phi.Dims()
	w := linalg.MulTransVec(nil, c.phi, coef)
	vec.Scale(w, 1/float64(n), w)
	linalg.MulVec(dst, c.other, w)
}
