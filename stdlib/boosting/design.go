package boosting

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// A Design is a sample of n points under a kernel: it multiplies by the kernel
// matrix K_ij = k(x_i, x_j)/n and evaluates functions
//
//	f(x) = (1/n) sum_i c_i k(x, x_i)
//
// at the sample, where f = K c, and elsewhere. It may be used by several
// goroutines at once.
type Design struct {
	n, dim int
	matrix matrix

	once     sync.Mutex
	spectrum *Spectrum
	largest  float64
}

// A matrix is the kernel matrix over n in one of its forms.
type matrix interface {
	// mul sets dst = K v.
	mul(dst, v []float64)
	trace() float64
	// eigen returns the positive eigenvalues, descending, and their vectors.
	eigen(ctx context.Context) ([]float64, *mat.Dense, error)
	// cross returns the matrix of k(z_i, x_j)/n.
	cross(ctx context.Context, z *mat.Dense) (crossing, error)
}

// A crossing turns coefficients into values at points outside the sample.
type crossing interface {
	mul(dst, c []float64)
}

// NewDesign returns the design of the rows of x. It keeps the kernel matrix, n^2
// numbers, unless the kernel is rkhs.Min on the line, or a multiple of it: then
// products cost O(n). Errors: a kernel that is not valid, x that is empty or not
// finite, for rkhs.Min on the line a point outside [0, 1].
func NewDesign(ctx context.Context, k rkhs.Kernel, x *mat.Dense) (*Design, error) {
	if err := checkPoints(k, x); err != nil {
		return nil, err
	}
	n, d := x.Dims()
	if scale, offset, ok := sobolev(k); ok && d == 1 {
		m, err := newSorted(x, scale, offset)
		if err != nil {
			return nil, err
		}
		return &Design{n: n, dim: d, matrix: m}, nil
	}
	g, err := rkhs.Gram(ctx, k, x, nil)
	if err != nil {
		return nil, err
	}
	g.Scale(1/float64(n), g)
	full := &full{kernel: k, x: mat.DenseCopyOf(x), k: mat.NewSymDense(n, g.RawMatrix().Data)}
	return &Design{n: n, dim: d, matrix: full}, nil
}

func checkPoints(k rkhs.Kernel, x *mat.Dense) error {
	if err := rkhs.Validate(k); err != nil {
		return err
	}
	if x == nil || x.IsEmpty() {
		return fmt.Errorf("boosting: x is empty")
	}
	n, _ := x.Dims()
	for i := range n {
		for _, v := range x.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("boosting: row %d of x has %v, must be finite", i, v)
			}
		}
	}
	return nil
}

// Len returns n.
func (d *Design) Len() int { return d.n }

// Dim returns the dimension of the points.
func (d *Design) Dim() int { return d.dim }

// Mul sets dst = K v and returns it; nil is allocated. dst must not be v.
func (d *Design) Mul(dst, v []float64) []float64 {
	if dst == nil {
		dst = make([]float64, d.n)
	}
	if len(dst) != d.n || len(v) != d.n {
		panic(fmt.Sprintf("boosting: Mul of %d into %d numbers, must be %d", len(v), len(dst), d.n))
	}
	d.matrix.mul(dst, v)
	return dst
}

// Trace returns the sum of the eigenvalues of K.
func (d *Design) Trace() float64 { return d.matrix.trace() }

// LambdaMax returns the largest eigenvalue of K, by a few products with it.
func (d *Design) LambdaMax(ctx context.Context) (float64, error) {
	d.once.Lock()
	defer d.once.Unlock()
	if d.spectrum != nil {
		return d.spectrum.Values[0], nil
	}
	if d.largest == 0 {
		values, err := d.top(ctx, 1)
		if err != nil {
			return 0, err
		}
		d.largest = values[0]
	}
	return d.largest, nil
}

// top returns the k largest eigenvalues.
func (d *Design) top(ctx context.Context, k int) ([]float64, error) {
	if d.n <= 4*(k+8) {
		values, _, err := d.matrix.eigen(ctx)
		return append(values, make([]float64, d.n-len(values))...), err
	}
	a := linalg.Symmetric(func(ctx context.Context, dst, x *mat.Dense) error {
		_, p := x.Dims()
		in, out := make([]float64, d.n), make([]float64, d.n)
		for j := range p {
			mat.Col(in, j, x)
			d.matrix.mul(out, in)
			dst.SetCol(j, out)
		}
		return ctx.Err()
	})
	if f, ok := d.matrix.(*full); ok {
		a = linalg.Times(f.k)
	}
	settings := linalg.DefaultTopSettings()
	settings.Tolerance = 1e-9
	values, _, err := linalg.TopEigen(ctx, rand.New(rand.NewPCG(1, 2)), a, d.n, k, settings)
	for j, v := range values { // rounding about 0
		values[j] = max(v, 0)
		if j > 0 {
			values[j] = min(values[j], values[j-1])
		}
	}
	return values, err
}

// A Spectrum is the eigendecomposition of K = U diag(Values) U'.
type Spectrum struct {
	N       int        // number of points
	Values  []float64  // r <= N of them, descending and positive; the others are 0
	Vectors *mat.Dense // U, N x r
}

// Spectrum returns the eigenvalues of K and its eigenvectors, computed at the
// first call: about 5 n^3 operations, n r^2 for r columns. Eigenvalues below n
// 1e-16 times the largest, 1e-10 with columns, are rounding and left out.
func (d *Design) Spectrum(ctx context.Context) (*Spectrum, error) {
	d.once.Lock()
	defer d.once.Unlock()
	if d.spectrum != nil {
		return d.spectrum, nil
	}
	values, vectors, err := d.matrix.eigen(ctx)
	if err != nil {
		return nil, err
	}
	d.spectrum = &Spectrum{N: d.n, Values: values, Vectors: vectors}
	return d.spectrum, nil
}

// Coordinates returns theta_j = <u_j, f>/sqrt(n), so that ||f||_n^2 >= sum
// theta_j^2, with equality if f is in the range of K; its norm in the RKHS is then
// the root of sum theta_j^2/Values[j].
func (s *Spectrum) Coordinates(f []float64) []float64 {
	theta := linalg.MulTransVec(nil, s.Vectors, f)
	vec.Scale(theta, 1/math.Sqrt(float64(s.N)), theta)
	return theta
}

// Combine returns f = sqrt(n) U theta.
func (s *Spectrum) Combine(theta []float64) []float64 {
	f := linalg.MulVec(nil, s.Vectors, theta)
	vec.Scale(f, math.Sqrt(float64(s.N)), f)
	return f
}

// Norm returns the norm in the RKHS of the smoothest function with the values f
// at the sample, +Inf if f is not in the range of K.
func (s *Spectrum) Norm(f []float64) float64 {
	theta, sum, inside := s.Coordinates(f), 0.0, 0.0
	for j, t := range theta {
		sum += t * t / s.Values[j]
		inside += t * t
	}
	all := vec.Dot(f, f) / float64(s.N)
	if all-inside > 1e-9*all {
		return math.Inf(1)
	}
	return math.Sqrt(sum)
}

// A Model is a function of the RKHS, given by its coefficients at a design.
type Model struct {
	design *Design
	coef   []float64
}

// Coefficients returns c, n numbers that are the model's own.
func (m *Model) Coefficients() []float64 { return m.coef }

// Norm returns the function's norm in the RKHS.
func (m *Model) Norm() float64 {
	return math.Sqrt(max(vec.Dot(m.design.Mul(nil, m.coef), m.coef), 0) / float64(m.design.n))
}

// Predict returns the values at the rows of z. O(n m d) for m rows.
func (m *Model) Predict(ctx context.Context, z *mat.Dense) ([]float64, error) {
	if m == nil || m.design == nil {
		return nil, fmt.Errorf("boosting: the model has not been fitted")
	}
	c, rows, err := m.design.cross(ctx, z)
	if err != nil {
		return nil, err
	}
	f := make([]float64, rows)
	c.mul(f, m.coef)
	return f, nil
}

func (d *Design) cross(ctx context.Context, z *mat.Dense) (crossing, int, error) {
	if err := checkPoints(rkhs.Linear{}, z); err != nil {
		return nil, 0, err
	}
	rows, dim := z.Dims()
	if dim != d.dim {
		return nil, 0, fmt.Errorf("boosting: points have %d columns, must have %d", dim, d.dim)
	}
	c, err := d.matrix.cross(ctx, z)
	return c, rows, err
}
