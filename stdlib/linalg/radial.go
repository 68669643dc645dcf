package linalg

import (
	"context"
	"fmt"
	"math"

	"gaucho/stdlib/internal/asm"

	"gonum.org/v1/gonum/mat"
)

// A Profile says how a radial kernel falls with the distance.
type Profile int

// The profiles, for points x and y with r the Euclidean distance, l the Scale
// and b the Shape.
const (
	Gaussian            Profile = iota // exp(-r^2/(2 l^2))
	Exponential                        // exp(-r/l), Matern 1/2
	Matern32                           // (1 + a) exp(-a), a = sqrt(3) r/l
	Matern52                           // (1 + a + a^2/3) exp(-a), a = sqrt(5) r/l
	RationalQuadratic                  // (1 + r^2/(2 b l^2))^-b
	InverseMultiquadric                // (1 + r^2/l^2)^-b
	Laplace                            // exp(-sum_k |x_k - y_k|/l)
)

var profileNames = []string{"Gaussian", "Exponential", "Matern32", "Matern52", "RationalQuadratic", "InverseMultiquadric", "Laplace"}

func (p Profile) String() string {
	if p < 0 || int(p) >= len(profileNames) {
		return fmt.Sprintf("Profile(%d)", int(p))
	}
	return profileNames[p]
}

// A Radial is a kernel k(x, y) that depends on the distance of x and y, 1 at
// distance 0. Its methods compute Gram matrices, and their products and means
// without storing them, at about the cost of one exponential an element.
//
// Distances are sums of (x_k - y_k)^2, not differences of inner products: the
// diagonal is exactly 1 and a Gram matrix exactly symmetric.
type Radial struct {
	Profile Profile
	Scale   float64 // l, positive
	Shape   float64 // b, positive, for RationalQuadratic and InverseMultiquadric
}

// Check returns an error for an unknown profile, a scale or shape that is not
// positive and finite, or a scale outside 1e-150 to 1e150.
func (r Radial) Check() error {
	if r.Profile < Gaussian || r.Profile > Laplace {
		return fmt.Errorf("linalg: Profile is %d, must be Gaussian to Laplace", int(r.Profile))
	}
	if !(r.Scale > 0) || math.IsInf(r.Scale, 1) {
		return fmt.Errorf("linalg: Scale is %v, must be positive", r.Scale)
	}
	if r.Scale < 1e-150 || r.Scale > 1e150 { // its square must be a number
		return fmt.Errorf("linalg: Scale is %v, must be from 1e-150 to 1e150", r.Scale)
	}
	if (r.Profile == RationalQuadratic || r.Profile == InverseMultiquadric) && (!(r.Shape > 0) || math.IsInf(r.Shape, 1)) {
		return fmt.Errorf("linalg: Shape is %v, must be positive", r.Shape)
	}
	return nil
}

// function returns the profile as a function of what distance yields, with its
// constant.
func (r Radial) function() (f asm.Profile, c float64) {
	switch r.Profile {
	case Gaussian:
		return asm.Gaussian, -0.5 / r.Scale / r.Scale
	case Exponential:
		return asm.Exponential, -1 / r.Scale
	case Laplace:
		return asm.Gaussian, -1 / r.Scale
	case Matern32:
		return asm.Matern32, -math.Sqrt(3) / r.Scale
	case Matern52:
		return asm.Matern52, -math.Sqrt(5) / r.Scale
	case RationalQuadratic:
		return power(r.Shape), 0.5 / r.Shape / r.Scale / r.Scale
	}
	return power(r.Shape), 1 / r.Scale / r.Scale
}

// power returns (1 + c s)^-b as a profile.
func power(b float64) asm.Profile {
	switch b {
	case 0.5:
		return asm.InverseRoot
	case 1:
		return asm.Inverse
	}
	return func(dst []float64, c float64, src []float64, _ bool) {
		asm.Scale(dst, c, src)
		asm.Log1p(dst, dst)
		asm.Scale(dst, -b, dst)
		asm.Exp(dst, dst)
	}
}

// At returns k(x, y), the bits of the corresponding element of Gram.
func (r Radial) At(x, y []float64) float64 {
	length("At", "y", y, len(x))
	s := 0.0
	for k, a := range x {
		if t := a - y[k]; r.Profile == Laplace {
			s += math.Abs(t)
		} else {
			s = math.FMA(t, t, s)
		}
	}
	f, c := r.function()
	v := [1]float64{s}
	f(v[:], c, v[:], false)
	return v[0]
}

// Row sets dst[j] = k(x, y_j) for the n points of y and returns it; nil is
// allocated.
func (r Radial) Row(dst, x []float64, y *Points) []float64 {
	length("Row", "x", x, y.d)
	dst = vector("Row", dst, y.n)
	f, c := r.function()
	step := columnBlock(y.d)
	buf := make([]float64, min(step, (y.n+panel-1)/panel*panel))
	for from := 0; from < y.n; from += step {
		to := min(from+step, y.n)
		asm.Distances(1, buf, 0, x, 0, y.panels[from*y.d:], y.d, (to-from+panel-1)/panel, r.Profile != Laplace)
		f(dst[from:to], c, buf[:to-from], false)
	}
	return dst
}

// pair checks the arguments that all methods share.
func (r Radial) pair(x *mat.Dense, y *Points) error {
	if err := r.Check(); err != nil {
		return err
	}
	if _, d := x.Dims(); d != y.d {
		return fmt.Errorf("linalg: x has points of dimension %d and y of %d, must be equal", d, y.d)
	}
	return nil
}

// Gram sets dst[i][j] = k(x_i, y_j) for the points in the rows of x, m x d, and
// of y, and returns it, m x n. nil is allocated; a dst given again and again
// saves more time than the arithmetic takes. Cost m*n*(2d + one exponential).
func (r Radial) Gram(ctx context.Context, dst, x *mat.Dense, y *Points) (*mat.Dense, error) {
	if err := r.pair(x, y); err != nil {
		return nil, err
	}
	m, _ := x.Dims()
	dst = shape("Gram", dst, m, y.n)
	g := dst.RawMatrix()
	apart("Gram", g.Data, x.RawMatrix().Data)
	stream := 8*len(g.Data) >= streamBytes
	f, c := r.function()
	v := sweep{x: x, y: y, squared: r.Profile != Laplace, use: func(i, from int, dist []float64) {
		f(g.Data[i*g.Stride+from:i*g.Stride+from+len(dist)], c, dist, stream)
	}}
	err := eachBlock(ctx, m, float64(m)*float64(y.n), v.rows)
	return dst, err
}

// MulVec sets dst[i] = sum_j k(x_i, y_j) w[j] and returns it; nil is allocated.
// The Gram matrix is never stored.
func (r Radial) MulVec(ctx context.Context, dst []float64, x *mat.Dense, y *Points, w []float64) ([]float64, error) {
	if err := r.pair(x, y); err != nil {
		return nil, err
	}
	if len(w) != y.n {
		return nil, fmt.Errorf("linalg: %d weights for %d points", len(w), y.n)
	}
	return r.rowSums(ctx, dst, x, y, func(k []float64, from int) float64 { return asm.Dot(k, w[from:from+len(k)]) })
}

// RowSums sets dst[i] = sum_j k(x_i, y_j) and returns it; nil is allocated. The
// Gram matrix is never stored.
func (r Radial) RowSums(ctx context.Context, dst []float64, x *mat.Dense, y *Points) ([]float64, error) {
	if err := r.pair(x, y); err != nil {
		return nil, err
	}
	return r.rowSums(ctx, dst, x, y, func(k []float64, _ int) float64 { return asm.Sum(k) })
}

// RowMeans sets dst[i] to the mean over j of k(x_i, y_j), the mean embedding of
// y at x_i, and returns it; nil is allocated. y must have a point.
func (r Radial) RowMeans(ctx context.Context, dst []float64, x *mat.Dense, y *Points) ([]float64, error) {
	if y.n == 0 {
		return nil, fmt.Errorf("linalg: y has 0 points, must have 1")
	}
	dst, err := r.RowSums(ctx, dst, x, y)
	if err == nil {
		for i := range dst {
			dst[i] /= float64(y.n)
		}
	}
	return dst, err
}

// Sum returns the sum over i and j of v[i] k(x_i, y_j) w[j]; nil weights are 1.
func (r Radial) Sum(ctx context.Context, v []float64, x *mat.Dense, y *Points, w []float64) (float64, error) {
	m, _ := x.Dims()
	if v != nil && len(v) != m {
		return 0, fmt.Errorf("linalg: %d weights for %d points", len(v), m)
	}
	var rows []float64
	var err error
	if w == nil {
		rows, err = r.RowSums(ctx, nil, x, y)
	} else {
		rows, err = r.MulVec(ctx, nil, x, y, w)
	}
	switch {
	case err != nil:
		return 0, err
	case v == nil:
		return asm.Sum(rows), nil
	}
	return asm.Dot(rows, v), nil
}

func (r Radial) rowSums(ctx context.Context, dst []float64, x *mat.Dense, y *Points, sum func(k []float64, from int) float64) ([]float64, error) {
	m, _ := x.Dims()
	dst = vector("rowSums", dst, m)
	clear(dst)
	f, c := r.function()
	v := sweep{x: x, y: y, squared: r.Profile != Laplace, use: func(i, from int, dist []float64) {
		f(dist, c, dist, false)
		dst[i] += sum(dist, from)
	}}
	err := eachBlock(ctx, m, float64(m)*float64(y.n), v.rows)
	return dst, err
}

// Mul sets dst = K w for K[i][j] = k(x_i, y_j), m x n, and w n x p, and returns
// it, m x p; nil is allocated. K is never stored. Cost m*n*(2d + 2p + one
// exponential).
func (r Radial) Mul(ctx context.Context, dst, x *mat.Dense, y *Points, w *mat.Dense) (*mat.Dense, error) {
	if err := r.pair(x, y); err != nil {
		return nil, err
	}
	rows, p := w.Dims()
	if rows != y.n {
		return nil, fmt.Errorf("linalg: %d rows of weights for %d points", rows, y.n)
	}
	m, _ := x.Dims()
	dst = shape("Mul", dst, m, p)
	o, b := dst.RawMatrix(), w.RawMatrix()
	apart("Mul", o.Data, b.Data)
	f, c := r.function()
	err := eachBlock(ctx, m, float64(m)*float64(y.n), func(lo, hi int, s *scratch) {
		v := sweep{x: x, y: y, squared: r.Profile != Laplace}
		width, need := v.width(), v.need()
		room := s.room(need + (hi-lo)*width)
		tile := room[need:]
		v.use = func(i, from int, dist []float64) {
			f(tile[(i-lo)*width:(i-lo)*width+len(dist)], c, dist, false)
		}
		v.done = func(from, to int) {
			beta := 1.0
			if from == 0 {
				beta = 0
			}
			gemmStrip(hi-lo, 0, p, to-from, 1, view{tile, width, 1}, view{b.Data[from*b.Stride:], b.Stride, 1},
				beta, o.Data[lo*o.Stride:], o.Stride, full)
		}
		v.rowsIn(lo, hi, room[:need])
	})
	return dst, err
}
