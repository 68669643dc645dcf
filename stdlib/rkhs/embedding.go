package rkhs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"
)

// An Embedding is the mean element mu_p = E_p k(., X) of a distribution p in
// the space of a kernel k: the function mu_p(x) = E_p k(x, X) and the square of
// its norm. It is all that herding, quadrature and the MMD need to know of p.
type Embedding interface {
	// Kernel returns k.
	Kernel() Kernel
	// Dim returns the dimension of the points.
	Dim() int
	// EvalTo writes mu_p(x_i) for each row x_i of X to dst.
	EvalTo(ctx context.Context, dst []float64, X *mat.Dense) error
	// Norm2 returns |mu_p|^2 = E k(X, X') for independent X, X' from p.
	Norm2(ctx context.Context) (float64, error)
}

// A DifferentiableEmbedding has the gradient of mu_p: dst[j] = dmu_p(x)/dx_j.
type DifferentiableEmbedding interface {
	Embedding
	Gradient(dst, x []float64)
}

// Embed returns the mean embedding of p in closed form, for
//
//   - a [Mixture] under a [Gaussian], [Linear] or [Constant] kernel,
//   - a [Box] under a [Gaussian], [Laplace], [Min], [Linear] or [Constant] kernel,
//   - a [LabelledMixture] under a [Labelled] Gaussian,
//   - a [Measure] under any kernel (an exact sum over its atoms),
//   - all of these under sums and positive multiples of such kernels.
//
// For other pairs it returns an error; [EmbedSample] then approximates.
func Embed(k Kernel, p Distribution) (Embedding, error) {
	if err := Validate(k); err != nil {
		return nil, err
	}
	if m, ok := p.(Measure); ok {
		return embedMeasure(k, m)
	}
	switch k := k.(type) {
	case Constant:
		return constantEmbedding{k, p.Dim()}, nil
	case Scaled:
		e, err := Embed(k.Kernel, p)
		if err != nil {
			return nil, err
		}
		return combinedEmbedding{k, []Embedding{e}, k.Factor}, nil
	case Sum:
		es := make([]Embedding, len(k))
		for i, part := range k {
			e, err := Embed(part, p)
			if err != nil {
				return nil, err
			}
			es[i] = e
		}
		return combinedEmbedding{k, es, 1}, nil
	}
	switch p := p.(type) {
	case *Mixture:
		switch k := k.(type) {
		case Gaussian:
			return embedMixture(k, p), nil
		case Linear:
			return embedMeasure(k, Measure{X: mat.NewDense(1, p.Dim(), p.Mean()), W: []float64{1}})
		}
	case *LabelledMixture:
		if l, ok := k.(Labelled); ok {
			if g, ok := l.Kernel.(Gaussian); ok {
				return embedLabelled(l, g, p), nil
			}
		}
	case *Box:
		return embedBox(k, p)
	}
	return nil, fmt.Errorf("rkhs: no closed form for the mean embedding of a %T under the kernel %T; use EmbedSample", p, k)
}

// EmbedSample approximates the mean embedding of p by that of n independent
// draws from it, with weights 1/n: the error in the norm of the space is at
// most about sqrt(E k(X,X) / n). Evaluations cost O(n) each, Norm2 O(n^2).
func EmbedSample(k Kernel, p Distribution, n int, rng *rand.Rand) (Embedding, error) {
	if n < 1 {
		return nil, fmt.Errorf("rkhs: sample size is %d, must be at least 1", n)
	}
	if err := Validate(k); err != nil {
		return nil, err
	}
	return embedMeasure(k, Uniform(p.Sample(rng, n)))
}

// checkEval checks the arguments of EvalTo.
func checkEval(dst []float64, X *mat.Dense, dim int) error {
	if X == nil || X.IsEmpty() {
		return fmt.Errorf("rkhs: points are empty")
	}
	n, d := X.Dims()
	if d != dim {
		return fmt.Errorf("rkhs: points have dimension %d, must be %d", d, dim)
	}
	if len(dst) != n {
		return fmt.Errorf("rkhs: destination has length %d, must be %d", len(dst), n)
	}
	return nil
}

// measureEmbedding is the embedding of a weighted sample.
type measureEmbedding struct {
	kernel Kernel
	m      Measure

	norm2 lazy
}

func embedMeasure(k Kernel, m Measure) (Embedding, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return &measureEmbedding{kernel: k, m: m}, nil
}

func (e *measureEmbedding) Kernel() Kernel { return e.kernel }
func (e *measureEmbedding) Dim() int       { return e.m.Dim() }

func (e *measureEmbedding) EvalTo(ctx context.Context, dst []float64, X *mat.Dense) error {
	if err := checkEval(dst, X, e.Dim()); err != nil {
		return err
	}
	if err := WeightedSum(ctx, dst, e.kernel, X, e.m); err != nil {
		return err
	}
	if X == e.m.X { // the atoms themselves, as in herding a sample: the norm comes for free
		_, err := e.norm2.get(func() (float64, error) { return e.inner(dst), nil })
		return err
	}
	return nil
}

// inner returns the weighted sum of values at the atoms.
func (e *measureEmbedding) inner(z []float64) float64 {
	var s float64
	for i, v := range z {
		s += e.m.weight(i) * v
	}
	return s
}

func (e *measureEmbedding) Norm2(ctx context.Context) (float64, error) {
	return e.norm2.get(func() (float64, error) {
		z := make([]float64, e.m.Len())
		if err := WeightedSum(ctx, z, e.kernel, e.m.X, e.m); err != nil {
			return 0, err
		}
		return e.inner(z), nil
	})
}

// Gradient writes sum_i w_i dk(x, x_i)/dx to dst. It panics if the kernel is
// not differentiable.
func (e *measureEmbedding) Gradient(dst, x []float64) {
	k := e.kernel.(DifferentiableKernel)
	g := make([]float64, len(dst))
	clear(dst)
	for i := range e.m.Len() {
		k.Gradient(g, x, e.m.X.RawRowView(i))
		floats.AddScaled(dst, e.m.weight(i), g)
	}
}

// WeightedSum writes sum_j w_j k(x_i, y_j) for each row x_i of X (n x d) to dst,
// where y_j and w_j are the atoms and weights of m. No n x m matrix is kept.
// Cost O(n m d) over all cores.
func WeightedSum(ctx context.Context, dst []float64, k Kernel, X *mat.Dense, m Measure) error {
	n, d := X.Dims()
	if d != m.Dim() {
		return fmt.Errorf("rkhs: points have dimension %d, must be %d", d, m.Dim())
	}
	if len(dst) != n {
		return fmt.Errorf("rkhs: destination has length %d, must be %d", len(dst), n)
	}
	w := m.W
	if w == nil {
		w = Uniform(m.X).W
	}
	if r, ok := radialOf(k); ok {
		_, err := r.MulVec(ctx, dst, X, linalg.NewPoints(m.X), w)
		return err
	}
	points := NewPoints(k, X)
	parallel.Blocks(n, blockLen, func(_, lo, hi int) {
		clear(dst[lo:hi])
		for j := 0; j < len(w) && ctx.Err() == nil; j += 256 {
			end := min(j+256, len(w))
			points.AccumulateAll(dst[lo:hi], lo, m.X.Slice(j, end, 0, d).(*mat.Dense), w[j:end])
		}
	})
	return ctx.Err()
}

// radialOf returns the kernel as package linalg knows it.
func radialOf(k Kernel) (linalg.Radial, bool) {
	switch k := k.(type) {
	case Gaussian:
		return linalg.Radial{Profile: linalg.Gaussian, Scale: k.Bandwidth}, true
	case Laplace:
		return linalg.Radial{Profile: linalg.Laplace, Scale: k.Bandwidth}, true
	case RationalQuadratic:
		return linalg.Radial{Profile: linalg.RationalQuadratic, Scale: k.Bandwidth, Shape: k.Alpha}, true
	case Matern:
		switch k.Nu {
		case 0.5:
			return linalg.Radial{Profile: linalg.Exponential, Scale: k.Bandwidth}, true
		case 1.5:
			return linalg.Radial{Profile: linalg.Matern32, Scale: k.Bandwidth}, true
		case 2.5:
			return linalg.Radial{Profile: linalg.Matern52, Scale: k.Bandwidth}, true
		}
	}
	return linalg.Radial{}, false
}

// constantEmbedding is the embedding of any distribution under a constant kernel.
type constantEmbedding struct {
	kernel Constant
	dim    int
}

func (e constantEmbedding) Kernel() Kernel { return e.kernel }
func (e constantEmbedding) Dim() int       { return e.dim }

func (e constantEmbedding) EvalTo(_ context.Context, dst []float64, X *mat.Dense) error {
	if err := checkEval(dst, X, e.dim); err != nil {
		return err
	}
	for i := range dst {
		dst[i] = e.kernel.Value
	}
	return nil
}

func (e constantEmbedding) Norm2(context.Context) (float64, error) { return e.kernel.Value, nil }
func (e constantEmbedding) Gradient(dst, _ []float64)              { clear(dst) }

// combinedEmbedding is factor times the sum of embeddings of one distribution
// under the parts of a sum of kernels.
type combinedEmbedding struct {
	kernel Kernel
	parts  []Embedding
	factor float64
}

func (e combinedEmbedding) Kernel() Kernel { return e.kernel }
func (e combinedEmbedding) Dim() int       { return e.parts[0].Dim() }

func (e combinedEmbedding) EvalTo(ctx context.Context, dst []float64, X *mat.Dense) error {
	if err := checkEval(dst, X, e.Dim()); err != nil {
		return err
	}
	clear(dst)
	buf := make([]float64, len(dst))
	for _, part := range e.parts {
		if err := part.EvalTo(ctx, buf, X); err != nil {
			return err
		}
		floats.AddScaled(dst, e.factor, buf)
	}
	return nil
}

func (e combinedEmbedding) Norm2(ctx context.Context) (float64, error) {
	var s float64
	for _, part := range e.parts {
		v, err := part.Norm2(ctx)
		if err != nil {
			return 0, err
		}
		s += v
	}
	return e.factor * s, nil
}

// whitener holds L^-1 for S = L L', so that |L^-1 v|^2 = v' S^-1 v, and log det L.
type whitener struct {
	inv    *mat.TriDense // lower
	logDet float64       // log det L
}

// newWhitener factors S = a + b + s I; b may be nil. S is positive definite
// because a and b are semi-definite and s is positive.
func newWhitener(a, b *mat.SymDense, s float64) whitener {
	d := a.SymmetricDim()
	sum := mat.NewSymDense(d, nil)
	sum.CopySym(a)
	if b != nil {
		sum.AddSym(sum, b)
	}
	for i := range d {
		sum.SetSym(i, i, sum.At(i, i)+s)
	}
	var chol mat.Cholesky
	if !chol.Factorize(sum) {
		// Only rounding in a nearly singular a can do this: s is below the
		// unit in the last place of a. Raise the diagonal to that size.
		bump := 1e-14 * mat.Trace(sum) / float64(d)
		for !chol.Factorize(sum) {
			for i := range d {
				sum.SetSym(i, i, sum.At(i, i)+bump)
			}
			bump *= 10
		}
	}
	var l, inv mat.TriDense
	chol.LTo(&l)
	w := whitener{}
	for i := range d {
		w.logDet += vec.Log1(l.At(i, i))
	}
	if err := inv.InverseTri(&l); err != nil {
		if _, bad := err.(mat.Condition); !bad {
			panic(err)
		}
	}
	w.inv = &inv
	return w
}

// apply writes L^-1 v to dst (dst may be v).
func (w whitener) apply(dst, v []float64) {
	for i := len(v) - 1; i >= 0; i-- {
		var s float64
		for j := 0; j <= i; j++ {
			s += w.inv.At(i, j) * v[j]
		}
		dst[i] = s
	}
}

// flat returns the rows of L^-1 up to the diagonal, one after the other.
func (w whitener) flat() []float64 {
	d, _ := w.inv.Dims()
	var out []float64
	for i := range d {
		for j := 0; j <= i; j++ {
			out = append(out, w.inv.At(i, j))
		}
	}
	return out
}

func halfSquaredNorm(v []float64) float64 {
	var s float64
	for _, x := range v {
		s += x * x
	}
	return 0.5 * s
}

// lazy is a number that is computed when it is first asked for, and again if
// that failed.
type lazy struct {
	mu    sync.Mutex
	done  bool
	value float64
}

func (l *lazy) get(compute func() (float64, error)) (float64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done {
		return l.value, nil
	}
	v, err := compute()
	if err != nil {
		return 0, err
	}
	l.value, l.done = v, true
	return v, nil
}
