package linalg

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/internal/scale"
	"gaucho/stdlib/internal/settings"
)

// None is 0 in settings whose zero means another default: no extra columns, no restarts.
const None = settings.None

// TopSettings are the settings of TopEigen. Fields that are zero have the values of
// [DefaultTopSettings]; None is 0 for Extra and Restarts.
type TopSettings struct {
	Tolerance float64 // of residuals, relative to the largest eigenvalue's size
	Extra     int     // columns of a block beyond k
	Blocks    int     // blocks of the subspace between restarts, at least 3
	Restarts  int     // restarts before it is an error
}

// DefaultTopSettings returns a tolerance of 1e-10, 8 extra columns, 8 blocks and
// 50 restarts.
func DefaultTopSettings() *TopSettings { return &TopSettings{1e-10, 8, 8, 50} }

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *TopSettings) WithDefaults() *TopSettings { return settings.Fill(s, DefaultTopSettings()) }

// resolve returns the settings in effect, None as 0.
func (s *TopSettings) resolve() *TopSettings {
	out := s.WithDefaults()
	settings.Clear(&out.Extra, &out.Restarts)
	return out
}

// A NotConverged error says how far TopEigen came.
type NotConverged struct {
	Residual float64 // the largest, relative to the largest eigenvalue's size
	Products int     // products with blocks
}

func (e NotConverged) Error() string {
	return fmt.Sprintf("linalg: residual of the eigenvectors is %.3g after %d products", e.Residual, e.Products)
}

// Symmetric is a symmetric n x n matrix that can be multiplied by a block: it
// sets dst = A x, n x p. Radial.Mul makes one of points without a Gram matrix.
type Symmetric func(ctx context.Context, dst, x *mat.Dense) error

// Times returns a as a Symmetric.
func Times(a *mat.SymDense) Symmetric {
	n := a.SymmetricDim()
	whole := mat.NewDense(n, n, nil)
	whole.Copy(a)
	return func(_ context.Context, dst, x *mat.Dense) error {
		Mul(dst, whole, x)
		return nil
	}
}

// TopEigen returns the k largest eigenvalues of the n x n matrix a, descending,
// and their eigenvectors in the columns of an n x k matrix. It is a block Krylov
// method with a random start (Musco and Musco 2015), Rayleigh-Ritz and thick
// restarts: a few tens of products with n x (k + extra) blocks where the
// eigenvalues fall off, as those of Gram matrices do. The start comes from rng.
// nil settings are the defaults. The error may be NotConverged.
func TopEigen(ctx context.Context, rng *rand.Rand, a Symmetric, n, k int, s *TopSettings) (values []float64, vectors *mat.Dense, err error) {
	s = s.resolve()
	switch {
	case n < 1:
		return nil, nil, fmt.Errorf("linalg: n is %d, must be positive", n)
	case k < 1 || k > n:
		return nil, nil, fmt.Errorf("linalg: k is %d, must be 1 to %d", k, n)
	case !(s.Tolerance > 0):
		return nil, nil, fmt.Errorf("linalg: Tolerance is %v, must be positive", s.Tolerance)
	case s.Extra < 0 || s.Restarts < 0:
		return nil, nil, fmt.Errorf("linalg: Extra is %d and Restarts %d, must not be negative", s.Extra, s.Restarts)
	case s.Blocks < 3:
		return nil, nil, fmt.Errorf("linalg: Blocks is %d, must be at least 3", s.Blocks)
	}
	b := min(k+s.Extra, n)
	room := min(s.Blocks*b, n)
	r := &ritz{ctx: ctx, a: a, n: n, q: mat.NewDense(n, room, nil), aq: mat.NewDense(n, room, nil)}
	start := mat.NewDense(n, b, nil)
	for i := range n {
		row := start.RawRowView(i)
		for j := range row {
			row[j] = rng.NormFloat64()
		}
	}
	block := NewQR(start).Q(nil)
	for restart := 0; ; restart++ {
		for block != nil {
			if block, err = r.extend(block, room); err != nil {
				return nil, nil, err
			}
		}
		residual, next, err := r.solve(k, b)
		if err != nil {
			return nil, nil, err
		}
		if residual <= s.Tolerance {
			return r.values[:k], mat.DenseCopyOf(r.q.Slice(0, n, 0, k)), nil
		}
		if restart == s.Restarts || next == nil {
			return nil, nil, NotConverged{residual, r.products}
		}
		block = next
	}
}

// A ritz is a subspace with the orthonormal columns q and their products aq.
type ritz struct {
	ctx      context.Context
	a        Symmetric
	n, size  int
	longest  float64 // length of the longest product so far: a bound from below of the largest eigenvalue's size
	q, aq    *mat.Dense
	values   []float64
	products int
}

// extend adds the orthonormal block to the subspace and returns the next one,
// nil when there is no more room.
func (r *ritz) extend(block *mat.Dense, room int) (*mat.Dense, error) {
	_, b := block.Dims()
	if b > room-r.size {
		b = room - r.size
		block = mat.DenseCopyOf(block.Slice(0, r.n, 0, b))
	}
	image := mat.NewDense(r.n, b, nil)
	if err := r.a(r.ctx, image, block); err != nil {
		return nil, err
	}
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	r.products++
	r.part(r.q, r.size, r.size+b).Copy(block)
	r.part(r.aq, r.size, r.size+b).Copy(image)
	r.size += b
	for _, l := range lengths(image) {
		r.longest = max(r.longest, l)
	}
	if r.size >= room {
		return nil, nil
	}
	return r.orthogonal(image), nil
}

func (r *ritz) part(m *mat.Dense, lo, hi int) *mat.Dense {
	return m.Slice(0, r.n, lo, hi).(*mat.Dense)
}

// orthogonal returns an orthonormal basis of the columns of x without their
// parts in the subspace, which are taken out twice: rounding leaves some of them
// the first time. It is nil if the subspace holds x but for rounding.
func (r *ritz) orthogonal(x *mat.Dense) *mat.Dense {
	q := r.part(r.q, 0, r.size).RawMatrix()
	for _, least := range []float64{rounding * r.longest, 0.1} {
		_, b := x.Dims()
		c := mat.NewDense(r.size, b, nil).RawMatrix()
		raw := x.RawMatrix()
		gemm(r.size, b, r.n, 1, view{q.Data, 1, q.Stride}, view{raw.Data, raw.Stride, 1}, 0, c.Data, c.Stride, full)
		gemm(r.n, b, r.size, -1, view{q.Data, q.Stride, 1}, view{c.Data, c.Stride, 1}, 1, raw.Data, raw.Stride, full)
		if x = basis(x, least); x == nil {
			return nil
		}
	}
	return x
}

// basis returns an orthonormal basis of those columns of x that are longer than
// least without their parts in the columns before them, nil if there is none.
func basis(x *mat.Dense, least float64) *mat.Dense {
	n, b := x.Dims()
	for {
		f := NewQR(x)
		var keep []int
		for j := range b {
			if math.Abs(f.a[j*b+j]) > least {
				keep = append(keep, j)
			}
		}
		if len(keep) == b {
			return f.Q(nil)
		}
		if len(keep) == 0 {
			return nil
		}
		// Columns that are dropped took directions from those after them.
		rest := mat.NewDense(n, len(keep), nil)
		for i := range n {
			for k, j := range keep {
				rest.Set(i, k, x.At(i, j))
			}
		}
		x, b = rest, len(keep)
	}
}

// lengths returns those of the columns of x, at any scale.
func lengths(x *mat.Dense) []float64 {
	n, b := x.Dims()
	out := make([]float64, b)
	s := scale.Of(x.RawMatrix().Data)
	for i := range n {
		for j, v := range x.RawRowView(i) {
			v /= s
			out[j] += float64(v * v)
		}
	}
	for j, square := range out {
		out[j] = math.Sqrt(square) * s
	}
	return out
}

// solve finds the largest eigenvalues in the subspace, shrinks it to b Ritz
// vectors, and returns the largest relative residual of the first k and the
// block to go on with, nil if the subspace is everything or holds its products.
func (r *ritz) solve(k, b int) (residual float64, next *mat.Dense, err error) {
	m := r.size
	q, aq := r.part(r.q, 0, m).RawMatrix(), r.part(r.aq, 0, m).RawMatrix()
	t := make([]float64, m*m)
	gemm(m, m, r.n, 1, view{q.Data, 1, q.Stride}, view{aq.Data, aq.Stride, 1}, 0, t, m, upper)
	values, rows, err := symEigen(r.ctx, m, t, m, upper, true)
	if err != nil {
		return 0, nil, err
	}
	// The b largest, as columns.
	s := make([]float64, m*b)
	r.values = make([]float64, b)
	for c := range b {
		r.values[c] = values[m-1-c]
		for i := range m {
			s[i*b+c] = rows[(m-1-c)*m+i]
		}
	}
	x, ax := mat.NewDense(r.n, b, nil), mat.NewDense(r.n, b, nil)
	for _, p := range []struct{ dst, src *mat.Dense }{{x, r.q}, {ax, r.aq}} {
		src, dst := p.src.RawMatrix(), p.dst.RawMatrix()
		gemm(r.n, b, m, 1, view{src.Data, src.Stride, 1}, view{s, b, 1}, 0, dst.Data, dst.Stride, full)
	}
	size := max(math.Abs(values[0]), math.Abs(values[m-1]))
	rest := mat.NewDense(r.n, b, nil)
	for i := range r.n {
		xr, ar, rr := x.RawRowView(i), ax.RawRowView(i), rest.RawRowView(i)
		for c, v := range r.values {
			rr[c] = ar[c] - float64(v*xr[c])
		}
	}
	for _, l := range lengths(rest)[:k] {
		residual = max(residual, l)
	}
	if size > 0 {
		residual /= size
	}
	r.part(r.q, 0, b).Copy(x)
	r.part(r.aq, 0, b).Copy(ax)
	r.size = b
	if m >= r.n {
		return residual, nil, nil
	}
	return residual, r.orthogonal(rest), nil
}
