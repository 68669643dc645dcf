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

// Every block of features has laneCount streams of random numbers to itself.
const laneCount = 64

// lane is the stream of a block.
func lane(b uint64, i int) uint64 { return b*laneCount + uint64(i) }

// stationary is the source of a kernel that depends on x-y (of psi(x)-psi(y) in a
// skewed one).
type stationary struct{ kernel Kernel }

// Frequencies draws from the kernel's spectral distribution.
func (s stationary) Frequencies(w, phase []float64, d, width int, key, b uint64) {
	vec.FillUniform(phase, key, lane(b, 1))
	vec.Scale(phase, 2*math.Pi, phase)
	switch k := s.kernel.(type) {
	case Gaussian:
		vec.FillNormal(w, key, lane(b, 0))
		vec.Scale(w, 1/k.Bandwidth, w)
	case Matern:
		vec.FillNormal(w, key, lane(b, 0))
		tails(w, width, int(2*k.Nu+0.5), key, b)
		vec.Scale(w, 1/k.Bandwidth, w)
	case Laplace:
		vec.FillUniform(w, key, lane(b, 0))
		cauchy(w, 1/k.Bandwidth)
	case SkewedIntersection:
		vec.FillUniform(w, key, lane(b, 0))
		cauchy(w, 0.5)
	case Cauchy:
		vec.FillUniform(w, key, lane(b, 0))
		for i, u := range w {
			w[i] = math.Copysign(vec.Log1(max(1-2*math.Abs(u-0.5), 0x1p-53)), u-0.5) / k.Bandwidth
		}
	case SkewedChiSquare:
		vec.FillUniform(w, key, lane(b, 0))
		secant(w)
	default:
		panic(fmt.Sprintf("rkhs: no spectrum of %T", k))
	}
}

// tails turns normal frequencies into those of a t distribution with the given
// degrees of freedom, a whole number.
func tails(w []float64, width, freedom int, key, b uint64) {
	z := make([]float64, width*freedom)
	vec.FillNormal(z, key, lane(b, 2))
	for j := range width {
		part := z[j*freedom : (j+1)*freedom]
		scale := math.Sqrt(float64(freedom) / vec.Dot(part, part))
		for at := j; at < len(w); at += width {
			w[at] *= scale
		}
	}
}

// cauchy turns uniform numbers into Cauchy ones of a scale.
func cauchy(w []float64, scale float64) {
	for i, u := range w {
		s, c := vec.SinCos1(math.Pi * (u - 0.5))
		w[i] = scale * s / c
	}
}

// secant turns uniform numbers into ones of density 1/cosh(pi w).
func secant(w []float64) {
	for i, u := range w {
		s, c := vec.SinCos1(0.5 * math.Pi * max(u, 0x1p-54))
		w[i] = vec.Log1(s/c) / math.Pi
	}
}

func (s stationary) Inputs(X *mat.Dense) (*mat.Dense, error) { return X, nil }

func (s stationary) Block(d, width int, key, b uint64) (FeatureBlock, error) {
	return newCosineBlock(s, d, width, key, b)
}

// skewed is the source of a skewed kernel, stationary in log(x+c).
type skewed struct {
	stationary
	offset float64
}

func (s skewed) Inputs(X *mat.Dense) (*mat.Dense, error) {
	n, d := X.Dims()
	out := mat.NewDense(n, d, nil)
	for i := range n {
		row := out.RawRowView(i)
		for j, v := range X.RawRowView(i) {
			if !(v > -s.offset) {
				return nil, fmt.Errorf("rkhs: points[%d,%d] is %v, must be above %v for this kernel", i, j, v, -s.offset)
			}
			row[j] = v + s.offset
		}
		vec.Log(row, row)
	}
	return out, nil
}

func (s skewed) Block(d, width int, key, b uint64) (FeatureBlock, error) {
	return newCosineBlock(s, d, width, key, b)
}

// A cosineBlock is a block of a CosineSource.
type cosineBlock struct {
	source   CosineSource
	features *linalg.Features
}

func newCosineBlock(s CosineSource, d, width int, key, b uint64) (FeatureBlock, error) {
	if err := checkBlock(s, d, width); err != nil {
		return nil, err
	}
	w, phase := make([]float64, d*width), make([]float64, width)
	s.Frequencies(w, phase, d, width, key, b)
	f, err := linalg.NewFeatures(mat.NewDense(d, width, w), phase, 0)
	return &cosineBlock{s, f}, err
}

func (c *cosineBlock) MapTo(dst, X *mat.Dense) error {
	d, width := c.features.Dims()
	if err := checkInput(dst, X, d, width, math.Inf(-1)); err != nil {
		return err
	}
	in, err := c.source.Inputs(X)
	if err != nil {
		return err
	}
	_, err = c.features.Map(context.Background(), dst, in)
	return err
}

// additive is the source of a kernel for histograms: a feature is
// sqrt(d x_j) sqrt(2) cos(w log x_j + p), of a random coordinate j.
type additive struct{ kernel Kernel }

// An additiveBlock has a coordinate, a frequency and a phase for each feature;
// frequencies are nil for the Hellinger kernel, whose features are sqrt(d x_j).
type additiveBlock struct {
	d        int
	index    []int
	w, phase []float64
}

func (s additive) Block(d, width int, key, b uint64) (FeatureBlock, error) {
	if err := checkBlock(s, d, width); err != nil {
		return nil, err
	}
	u := make([]float64, width)
	vec.FillUniform(u, key, lane(b, 2))
	out := &additiveBlock{d: d, index: make([]int, width)}
	for j, v := range u {
		out.index[j] = min(int(v*float64(d)), d-1)
	}
	if _, ok := s.kernel.(Hellinger); ok {
		return out, nil
	}
	out.w, out.phase = make([]float64, width), u
	vec.FillUniform(out.phase, key, lane(b, 1))
	vec.Scale(out.phase, 2*math.Pi, out.phase)
	vec.FillUniform(out.w, key, lane(b, 0))
	switch s.kernel.(type) {
	case ChiSquare:
		secant(out.w)
	case Intersection:
		cauchy(out.w, 0.5)
	case JensenShannon:
		secant(out.w)
		thin(out.w, key, b)
	}
	return out, nil
}

// thin turns numbers of density 1/cosh(pi w) into ones of a density in proportion
// to 1/cosh(pi w) / (1+4w^2): it accepts with probability 1/(1+4w^2), 69 in a
// hundred, and draws the others anew.
func thin(w []float64, key, b uint64) {
	n := len(w)
	fresh, accept := make([]float64, n), make([]float64, n)
	open := make([]int, n)
	for i := range open {
		open[i] = i
	}
	for round := 4; len(open) > 0 && round+1 < laneCount; round += 2 {
		vec.FillUniform(accept, key, lane(b, round))
		vec.FillUniform(fresh, key, lane(b, round+1))
		secant(fresh)
		left := open[:0]
		for _, i := range open {
			if accept[i]*(1+4*w[i]*w[i]) >= 1 {
				w[i] = fresh[i]
				left = append(left, i)
			}
		}
		open = left
	}
}

func (a *additiveBlock) MapTo(dst, X *mat.Dense) error {
	width := len(a.index)
	if err := checkInput(dst, X, a.d, width, 0); err != nil {
		return err
	}
	n, d := X.Dims()
	scale := math.Sqrt(float64(d) / float64(width))
	if a.w != nil {
		scale *= math.Sqrt2
	}
	parallel.Blocks(n, 16, func(_, lo, hi int) {
		logs, roots := make([]float64, d), make([]float64, d)
		for i := lo; i < hi; i++ {
			row := dst.RawRowView(i)
			for j, v := range X.RawRowView(i) {
				logs[j], roots[j] = 0, scale*math.Sqrt(v)
				if v > 0 {
					logs[j] = vec.Log1(v)
				}
			}
			if a.w == nil {
				for c, j := range a.index {
					row[c] = roots[j]
				}
				continue
			}
			for c, j := range a.index {
				row[c] = math.FMA(a.w[c], logs[j], a.phase[c])
			}
			vec.Cos(row, row)
			for c, j := range a.index {
				row[c] *= roots[j]
			}
		}
	})
	return nil
}
