package rkhs

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"
)

// A projected block has features that are functions of X W: finish gets a row of
// the product.
type projected struct {
	w      *mat.Dense // d x width
	least  float64    // of the coordinates
	finish func(row []float64)
}

func (p *projected) MapTo(dst, X *mat.Dense) error {
	d, width := p.w.Dims()
	if err := checkInput(dst, X, d, width, p.least); err != nil {
		return err
	}
	linalg.Mul(dst, X, p.w)
	n, _ := X.Dims()
	parallel.Blocks(n, 16, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			p.finish(dst.RawRowView(i))
		}
	})
	return nil
}

// semigroup is the source of a kernel of x+y: exp(-w.x) with w Levy of scale
// beta^2/2, or exponential of rate lambda.
type semigroup struct{ kernel Kernel }

func (s semigroup) Block(d, width int, key, b uint64) (FeatureBlock, error) {
	if err := checkBlock(s, d, width); err != nil {
		return nil, err
	}
	w := make([]float64, d*width)
	switch k := s.kernel.(type) {
	case ExponentialSemigroup:
		vec.FillNormal(w, key, lane(b, 0))
		for i, z := range w { // the tail is cut where exp(-w x) is 0 or 1 for any x
			w[i] = 0.5 * k.Beta * k.Beta / max(z*z, 1e-300)
		}
	case ReciprocalSemigroup:
		vec.FillUniform(w, key, lane(b, 0))
		for i, u := range w {
			w[i] = -vec.Log1p1(-u) / k.Lambda
		}
	}
	scale := 1 / math.Sqrt(float64(width))
	return &projected{mat.NewDense(d, width, w), 0, func(row []float64) {
		for j, v := range row {
			row[j] = max(-v, -700)
		}
		vec.Exp(row, row)
		vec.Scale(row, scale, row)
	}}, nil
}

// arcCosine is the source of the kernel of that name: sqrt(2) max(0, w.x)^n with w
// normal.
type arcCosine ArcCosine

func (s arcCosine) Block(d, width int, key, b uint64) (FeatureBlock, error) {
	if err := checkBlock(s, d, width); err != nil {
		return nil, err
	}
	w := make([]float64, d*width)
	vec.FillNormal(w, key, lane(b, 0))
	scale := math.Sqrt(2 / float64(width))
	return &projected{mat.NewDense(d, width, w), math.Inf(-1), func(row []float64) {
		for j, v := range row {
			if v <= 0 {
				row[j] = 0
				continue
			}
			row[j] = scale * power(v, s.Order)
		}
	}}, nil
}

// dotProduct is the source of sum_n a_n (x.y)^n: a feature has a random degree N,
// P(N = n) in proportion to 2^-n where a_n > 0, and is sqrt(a_N/P(N)) times the
// product of N inner products with random signs.
type dotProduct struct{ coefficients []float64 }

// A signBlock has for each feature a factor and its sign vectors.
type signBlock struct {
	d      int
	factor []float64
	signs  [][]float64 // of feature j: N vectors of length d, one after the other
}

func (s dotProduct) Block(d, width int, key, b uint64) (FeatureBlock, error) {
	if err := checkBlock(s, d, width); err != nil {
		return nil, err
	}
	total := 0.0
	for n, a := range s.coefficients {
		if a > 0 {
			total += math.Ldexp(1, -n)
		}
	}
	u := make([]float64, width)
	vec.FillUniform(u, key, lane(b, 0))
	out := &signBlock{d, make([]float64, width), make([][]float64, width)}
	count := 0
	degrees := make([]int, width)
	for j, v := range u {
		left := v * total
		for n, a := range s.coefficients {
			if a <= 0 {
				continue
			}
			p := math.Ldexp(1, -n)
			degrees[j], out.factor[j] = n, math.Sqrt(a*total/p/float64(width))
			if left -= p; left < 0 {
				break
			}
		}
		count += degrees[j] * d
	}
	signs := make([]float64, count)
	vec.FillUniform(signs, key, lane(b, 1))
	for i, v := range signs {
		signs[i] = math.Copysign(1, v-0.5)
	}
	for j, n := range degrees {
		out.signs[j], signs = signs[:n*d], signs[n*d:]
	}
	return out, nil
}

func (s *signBlock) MapTo(dst, X *mat.Dense) error {
	if err := checkInput(dst, X, s.d, len(s.factor), math.Inf(-1)); err != nil {
		return err
	}
	n, d := X.Dims()
	parallel.Blocks(n, 16, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			row, x := dst.RawRowView(i), X.RawRowView(i)
			for j, v := range s.factor {
				for signs := s.signs[j]; len(signs) > 0; signs = signs[d:] {
					v *= vec.Dot(x, signs[:d])
				}
				row[j] = v
			}
		}
	})
	return nil
}

// tensorSketch is the source of the polynomial kernel: the convolution of as many
// count sketches of (sqrt(s) x, sqrt(c)) as the degree (Pham and Pagh 2013).
type tensorSketch struct{ kernel Polynomial }

// A sketchBlock has for each of the factors and each of d+1 coordinates a place
// and a sign.
type sketchBlock struct {
	kernel   Polynomial
	d, width int
	place    []int
	sign     []float64
}

func (s tensorSketch) Block(d, width int, key, b uint64) (FeatureBlock, error) {
	if err := checkBlock(s, d, width); err != nil {
		return nil, err
	}
	n := s.kernel.Degree * (d + 1)
	u := make([]float64, n)
	out := &sketchBlock{s.kernel, d, width, make([]int, n), make([]float64, n)}
	vec.FillUniform(u, key, lane(b, 0))
	for i, v := range u {
		out.place[i] = min(int(v*float64(width)), width-1)
	}
	vec.FillUniform(u, key, lane(b, 1))
	for i, v := range u {
		out.sign[i] = math.Copysign(1, v-0.5)
	}
	return out, nil
}

func (s *sketchBlock) MapTo(dst, X *mat.Dense) error {
	if err := checkInput(dst, X, s.d, s.width, math.Inf(-1)); err != nil {
		return err
	}
	n, _ := X.Dims()
	root, constant := math.Sqrt(s.kernel.Scale), math.Sqrt(s.kernel.Offset)
	parallel.Blocks(n, 16, func(_, lo, hi int) {
		transform := fourier.NewFFT(s.width)
		sketch := make([]float64, s.width)
		product, factor := make([]complex128, s.width/2+1), make([]complex128, s.width/2+1)
		for i := lo; i < hi; i++ {
			x := X.RawRowView(i)
			for q := range s.kernel.Degree {
				at := q * (s.d + 1)
				clear(sketch)
				for j, v := range x {
					sketch[s.place[at+j]] += s.sign[at+j] * root * v
				}
				sketch[s.place[at+s.d]] += s.sign[at+s.d] * constant
				if q == 0 {
					transform.Coefficients(product, sketch)
					continue
				}
				transform.Coefficients(factor, sketch)
				for c, v := range factor {
					product[c] *= v
				}
			}
			row := dst.RawRowView(i)
			transform.Sequence(row, product)
			vec.Scale(row, 1/float64(s.width), row)
		}
	})
	return nil
}
