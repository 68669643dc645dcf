package rkhs

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/vec"
)

// Box is the uniform distribution on the box prod_j [Lower[j], Upper[j]].
type Box struct {
	lower, upper []float64
}

var _ Distribution = (*Box)(nil)

// NewBox returns the uniform distribution on a box; each lower bound must be
// below its upper bound.
func NewBox(lower, upper []float64) (*Box, error) {
	if len(lower) != len(upper) || len(lower) == 0 {
		return nil, fmt.Errorf("rkhs: box has %d lower and %d upper bounds, must have equally many, at least one", len(lower), len(upper))
	}
	for j, a := range lower {
		if !(a < upper[j]) || math.IsInf(a, 0) || math.IsInf(upper[j], 0) {
			return nil, fmt.Errorf("rkhs: side %d of the box is [%v, %v], must be finite and not empty", j, a, upper[j])
		}
	}
	return &Box{append([]float64(nil), lower...), append([]float64(nil), upper...)}, nil
}

// UnitCube returns the uniform distribution on [0,1]^d.
func UnitCube(d int) (*Box, error) {
	lower, upper := make([]float64, d), make([]float64, d)
	for j := range upper {
		upper[j] = 1
	}
	return NewBox(lower, upper)
}

// Dim returns the dimension.
func (b *Box) Dim() int { return len(b.lower) }

// Mean returns the centre of the box.
func (b *Box) Mean() []float64 {
	mean := make([]float64, b.Dim())
	for j := range mean {
		mean[j] = 0.5 * (b.lower[j] + b.upper[j])
	}
	return mean
}

// Sample draws n points, as the rows of an n x d matrix.
func (b *Box) Sample(rng *rand.Rand, n int) *mat.Dense {
	X := mat.NewDense(n, b.Dim(), nil)
	for i := range n {
		x := X.RawRowView(i)
		for j, a := range b.lower {
			x[j] = a + (b.upper[j]-a)*rng.Float64()
		}
	}
	return X
}

// side is the embedding of the uniform distribution on one side [a, b]:
// the function, and its squared norm.
type side interface {
	at(x, a, b float64) float64
	norm2(a, b float64) float64
}

// embedBox returns the embedding under a kernel that is a product over the
// coordinates, so that the embedding is one too.
func embedBox(k Kernel, p *Box) (Embedding, error) {
	switch k := k.(type) {
	case Gaussian:
		return boxEmbedding{k, p, gaussianSide{k.Bandwidth}}, nil
	case Cauchy:
		return boxEmbedding{k, p, cauchySide{k.Bandwidth}}, nil
	case Spline:
		return boxEmbedding{k, p, splineSide{k}}, nil
	case Min:
		return boxEmbedding{k, p, minSide{k.Offset}}, nil
	case Linear:
		return embedMeasure(k, Measure{X: mat.NewDense(1, p.Dim(), p.Mean()), W: []float64{1}})
	}
	if f, ok := decayOf(k, p.Dim()); ok {
		return boxEmbedding{k, p, decaySide{f}}, nil
	}
	if e, ok := embedInner(k, p); ok {
		return e, nil
	}
	if t, ok := k.(Trigonometric); ok && p.Dim() == 1 {
		return embedTrigonometric(t, intervalCharacteristic(p.lower[0], p.upper[0])), nil
	}
	return nil, fmt.Errorf("rkhs: no closed form for the mean embedding of a box under the kernel %T; use EmbedSample", k)
}

type boxEmbedding struct {
	kernel Kernel
	p      *Box
	side   side
}

func (e boxEmbedding) Kernel() Kernel { return e.kernel }
func (e boxEmbedding) Dim() int       { return e.p.Dim() }

func (e boxEmbedding) EvalTo(ctx context.Context, dst []float64, X *mat.Dense) error {
	if err := checkEval(dst, X, e.Dim()); err != nil {
		return err
	}
	parallel.Blocks(len(dst), blockLen, func(_, lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		for i := lo; i < hi; i++ {
			v := 1.0
			for j, x := range X.RawRowView(i) {
				v *= e.side.at(x, e.p.lower[j], e.p.upper[j])
			}
			dst[i] = v
		}
	})
	return ctx.Err()
}

func (e boxEmbedding) Norm2(context.Context) (float64, error) {
	v := 1.0
	for j, a := range e.p.lower {
		v *= e.side.norm2(a, e.p.upper[j])
	}
	return v, nil
}

type gaussianSide struct{ bandwidth float64 }

func (s gaussianSide) at(x, a, b float64) float64 {
	if b-a < s.bandwidth {
		return smoothMean(func(y float64) float64 {
			t := (x - y) / s.bandwidth
			return vec.Exp1(-t * t / 2)
		}, a, b)
	}
	c := 1 / (s.bandwidth * math.Sqrt2)
	return s.bandwidth * math.Sqrt(math.Pi/2) * (vec.Erf1((b-x)*c) - vec.Erf1((a-x)*c)) / (b - a)
}

func (s gaussianSide) norm2(a, b float64) float64 {
	t := (b - a) / s.bandwidth
	if t < 1 {
		return 2 * smoothMean(func(u float64) float64 { return (1 - u) * vec.Exp1(-t*t*u*u/2) }, 0, 1)
	}
	return 2 * (t*math.Sqrt(math.Pi/2)*vec.Erf1(t/math.Sqrt2) + vec.Expm11(-t*t/2)) / (t * t)
}

type cauchySide struct{ bandwidth float64 }

func (s cauchySide) at(x, a, b float64) float64 {
	// The difference of the two angles, which does not cancel.
	u, v := (a-x)/s.bandwidth, (b-x)/s.bandwidth
	return math.Atan2(v-u, 1+u*v) / (v - u)
}

func (s cauchySide) norm2(a, b float64) float64 {
	t := (b - a) / s.bandwidth
	return (2*t*math.Atan(t) - vec.Log1p1(t*t)) / (t * t)
}

type splineSide struct{ kernel Spline }

// at is exact: on either side of x the kernel is a polynomial.
func (s splineSide) at(x, a, b float64) float64 {
	at := func(y float64) float64 { return s.kernel.line(min(x, y), max(x, y)) }
	if x <= a || x >= b {
		return smoothMean(at, a, b)
	}
	return ((x-a)*smoothMean(at, a, x) + (b-x)*smoothMean(at, x, b)) / (b - a)
}

func (s splineSide) norm2(a, b float64) float64 {
	return smoothMean(func(x float64) float64 { return s.at(x, a, b) }, a, b)
}

type minSide struct{ offset float64 }

func (s minSide) at(x, a, b float64) float64 {
	switch {
	case x <= a:
		return s.offset + x
	case x >= b:
		return s.offset + 0.5*(a+b)
	}
	return s.offset + (0.5*(x*x-a*a)+x*(b-x))/(b-a)
}

func (s minSide) norm2(a, b float64) float64 { return s.offset + a + (b-a)/3 }

// UniformDim returns the number of uniform coordinates that [Box.FromUniforms]
// takes for a point: the dimension.
func (b *Box) UniformDim() int { return b.Dim() }

// FromUniforms maps points of the unit cube, the rows of U, into the box. There
// are no components.
func (b *Box) FromUniforms(U *mat.Dense) (X *mat.Dense, component []int, err error) {
	n, d := U.Dims()
	if d != b.Dim() {
		return nil, nil, fmt.Errorf("rkhs: uniforms have %d columns, must be %d for a box in dimension %d", d, b.Dim(), b.Dim())
	}
	if err := finite("uniforms", U); err != nil {
		return nil, nil, err
	}
	X = mat.NewDense(n, d, nil)
	for i := range n {
		x := X.RawRowView(i)
		for j, u := range U.RawRowView(i) {
			x[j] = b.lower[j] + (b.upper[j]-b.lower[j])*u
		}
	}
	return X, nil, nil
}
