package rkhs

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// A FeatureSource makes the random features of a kernel block by block, without
// end, from numbers instead of a stored generator: block b of a key is the same
// whenever it is made, in whatever order, on any number of cores. What a method
// drew once it need not keep (Dai et al. 2014, Scalable kernel methods via doubly
// stochastic gradients).
type FeatureSource interface {
	// Block returns block b of the features of points in R^d, width of them,
	// width at least [MinWidth]. The product of the features of two points is an
	// unbiased estimate of the kernel for every width and block.
	Block(d, width int, key, b uint64) (FeatureBlock, error)
}

// A FeatureBlock is a block of a [FeatureSource].
type FeatureBlock interface {
	// MapTo sets dst (n x width) to the features of the n points in the rows of
	// X. It fails for points outside the kernel's domain.
	MapTo(dst, X *mat.Dense) error
}

// A CosineSource has the features sqrt(2/width) cos(w.psi(x) + p): the kernel is a
// function of the difference psi(x) - psi(y). They are what package linalg
// multiplies with without storing them.
type CosineSource interface {
	FeatureSource
	// Frequencies sets the frequencies w of a block, d x width and row by row, and
	// its phases.
	Frequencies(w, phase []float64, d, width int, key, b uint64)
	// Inputs returns psi of the rows of X, X itself where psi is the identity. It
	// fails for points outside the kernel's domain.
	Inputs(X *mat.Dense) (*mat.Dense, error)
}

// NewFeatureSource returns the source of the random features of k. It is there for
//
//   - [Gaussian], [Laplace], [Cauchy] and [Matern] (frequencies normal, Cauchy,
//     Laplace and multivariate t), and [SkewedChiSquare] and [SkewedIntersection]
//     (hyperbolic secant and Cauchy, of log(x+c));
//   - [Hellinger], [ChiSquare], [Intersection] and [JensenShannon], a random
//     coordinate for each feature;
//   - [ExponentialSemigroup] and [ReciprocalSemigroup], exp(-w.x) with w Levy or
//     exponential;
//   - [ArcCosine], [Linear], [DotProduct] (products of random signs), [Polynomial]
//     (tensor sketch, Pham and Pagh 2013) and [Constant];
//   - [Sum], [Product] and [Scaled] of kernels that have features. A sum stacks
//     features of its members, so width must be at least their number.
func NewFeatureSource(k Kernel) (FeatureSource, error) {
	if err := Validate(k); err != nil {
		return nil, err
	}
	switch k := k.(type) {
	case Gaussian, Laplace, Cauchy, Matern:
		return stationary{k}, nil
	case SkewedChiSquare:
		return skewed{stationary{k}, k.Offset}, nil
	case SkewedIntersection:
		return skewed{stationary{k}, k.Offset}, nil
	case Hellinger, ChiSquare, Intersection, JensenShannon:
		return additive{k}, nil
	case ExponentialSemigroup, ReciprocalSemigroup:
		return semigroup{k}, nil
	case ArcCosine:
		return arcCosine(k), nil
	case Linear:
		return dotProduct{[]float64{0, 1}}, nil
	case Constant:
		return dotProduct{[]float64{k.Value}}, nil
	case DotProduct:
		return dotProduct{k.Coefficients}, nil
	case Polynomial:
		return tensorSketch{k}, nil
	case Scaled:
		s, err := NewFeatureSource(k.Kernel)
		return scaledSource{k.Factor, s}, err
	case Sum:
		parts, err := sources(k)
		return sumSource(parts), err
	case Product:
		parts, err := sources(k)
		return productSource(parts), err
	}
	return nil, fmt.Errorf("rkhs: there are no random features of the kernel %T", k)
}

func sources(kernels []Kernel) ([]FeatureSource, error) {
	out := make([]FeatureSource, len(kernels))
	for i, k := range kernels {
		var err error
		if out[i], err = NewFeatureSource(k); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// MinWidth is the least number of features in a block of s: 1 but for sums.
func MinWidth(s FeatureSource) int {
	switch s := s.(type) {
	case scaledSource:
		return MinWidth(s.source)
	case sumSource:
		n := 0
		for _, part := range s {
			n += MinWidth(part)
		}
		return n
	case productSource:
		n := 1
		for _, part := range s {
			n = max(n, MinWidth(part))
		}
		return n
	}
	return 1
}

// checkBlock checks the size of a block.
func checkBlock(s FeatureSource, d, width int) error {
	if d < 1 {
		return fmt.Errorf("rkhs: dimension is %d, must be at least 1", d)
	}
	if least := MinWidth(s); width < least {
		return fmt.Errorf("rkhs: width is %d, must be at least %d", width, least)
	}
	return nil
}

// checkInput checks the shapes of MapTo, and that coordinates are at least least.
func checkInput(dst, X *mat.Dense, d, width int, least float64) error {
	n, dim := X.Dims()
	if dim != d {
		return fmt.Errorf("rkhs: points have dimension %d, must be %d", dim, d)
	}
	if r, c := dst.Dims(); r != n || c != width {
		return fmt.Errorf("rkhs: destination is %d x %d, must be %d x %d", r, c, n, width)
	}
	return atLeast(X, least)
}

func atLeast(X *mat.Dense, least float64) error {
	n, _ := X.Dims()
	for i := range n {
		for j, v := range X.RawRowView(i) {
			if !(v >= least) {
				return fmt.Errorf("rkhs: points[%d,%d] is %v, must be at least %v for this kernel", i, j, v, least)
			}
		}
	}
	return nil
}

// A scaledSource has the features of factor times a kernel.
type scaledSource struct {
	factor float64
	source FeatureSource
}

// A sumSource stacks features of the members.
type sumSource []FeatureSource

// A productSource multiplies independent features of the members.
type productSource []FeatureSource

// parts is what the blocks of sums, products and multiples are made of.
type parts struct {
	blocks []FeatureBlock
	widths []int
	d      int
	join   func(dst *mat.Dense, part int, phi *mat.Dense)
}

func (s scaledSource) Block(d, width int, key, b uint64) (FeatureBlock, error) {
	block, err := s.source.Block(d, width, key, b)
	if err != nil {
		return nil, err
	}
	return parts{[]FeatureBlock{block}, []int{width}, d, func(dst *mat.Dense, _ int, phi *mat.Dense) {
		dst.Scale(math.Sqrt(s.factor), phi)
	}}, nil
}

func (s sumSource) Block(d, width int, key, b uint64) (FeatureBlock, error) {
	if err := checkBlock(s, d, width); err != nil {
		return nil, err
	}
	p := parts{d: d, join: func(*mat.Dense, int, *mat.Dense) {}}
	spare, rest := width-MinWidth(s), len(s)
	for i, part := range s {
		w := MinWidth(part) + spare/rest
		spare, rest = spare-spare/rest, rest-1
		block, err := part.Block(d, w, memberKey(key, i), b)
		if err != nil {
			return nil, err
		}
		p.blocks, p.widths = append(p.blocks, block), append(p.widths, w)
	}
	at := 0
	starts := make([]int, len(s))
	for i, w := range p.widths {
		starts[i], at = at, at+w
	}
	p.join = func(dst *mat.Dense, i int, phi *mat.Dense) {
		n, _ := dst.Dims()
		for r := range n {
			copy(dst.RawRowView(r)[starts[i]:], phi.RawRowView(r))
		}
	}
	return p, nil
}

func (s productSource) Block(d, width int, key, b uint64) (FeatureBlock, error) {
	p := parts{d: d}
	for i, part := range s {
		block, err := part.Block(d, width, memberKey(key, i), b)
		if err != nil {
			return nil, err
		}
		p.blocks, p.widths = append(p.blocks, block), append(p.widths, width)
	}
	p.join = func(dst *mat.Dense, i int, phi *mat.Dense) {
		if i == 0 {
			// Features carry 1/sqrt(width) once for each member, and should once.
			dst.Scale(power(math.Sqrt(float64(width)), len(s)-1), phi)
			return
		}
		dst.MulElem(dst, phi)
	}
	return p, nil
}

func (p parts) MapTo(dst, X *mat.Dense) error {
	n, _ := X.Dims()
	for i, block := range p.blocks {
		phi := mat.NewDense(n, p.widths[i], nil)
		if err := block.MapTo(phi, X); err != nil {
			return err
		}
		p.join(dst, i, phi)
	}
	return nil
}

// memberKey gives member i of a sum or product a key of its own.
func memberKey(key uint64, i int) uint64 { return key + (uint64(i)+1)*0x9e3779b97f4a7c15 }
