package rkhs

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/linalg"
)

// innerEmbedding is the embedding under a kernel sum_j c_j (s x.y + o)^j, a
// polynomial of the inner product: it needs moments of s x.Y + o only.
type innerEmbedding struct {
	kernel        Kernel
	scale, offset float64
	coefficients  []float64
	p             innerMoments
	norm2         *lazy
}

// innerMoments are those of inner products with a random point Y.
type innerMoments interface {
	Distribution
	// innerTo sets dst[j] to E (s x.Y + o)^j.
	innerTo(dst, x []float64, s, o float64)
	// innerNormTo sets dst[j] to E (s X.Y + o)^j for independent X and Y.
	innerNormTo(ctx context.Context, dst []float64, s, o float64) error
}

// embedInner returns the embedding under a kernel of inner products, false for
// other kernels.
func embedInner(k Kernel, p innerMoments) (Embedding, bool) {
	switch k := k.(type) {
	case Polynomial:
		c := make([]float64, k.Degree+1)
		c[k.Degree] = 1
		return innerEmbedding{k, k.Scale, k.Offset, c, p, new(lazy)}, true
	case DotProduct:
		return innerEmbedding{k, 1, 0, k.Coefficients, p, new(lazy)}, true
	}
	return nil, false
}

func (e innerEmbedding) Kernel() Kernel { return e.kernel }
func (e innerEmbedding) Dim() int       { return e.p.Dim() }

func (e innerEmbedding) EvalTo(ctx context.Context, dst []float64, X *mat.Dense) error {
	if err := checkEval(dst, X, e.Dim()); err != nil {
		return err
	}
	parallel.Blocks(len(dst), 64, func(_, lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		moments := make([]float64, len(e.coefficients))
		for i := lo; i < hi; i++ {
			e.p.innerTo(moments, X.RawRowView(i), e.scale, e.offset)
			dst[i] = dot(e.coefficients, moments)
		}
	})
	return ctx.Err()
}

func (e innerEmbedding) Norm2(ctx context.Context) (float64, error) {
	return e.norm2.get(func() (float64, error) {
		moments := make([]float64, len(e.coefficients))
		err := e.p.innerNormTo(ctx, moments, e.scale, e.offset)
		return dot(e.coefficients, moments), err
	})
}

// innerTo adds up normal moments: s x.Y + o is normal under each component. O(K d^2).
func (m *Mixture) innerTo(dst, x []float64, s, o float64) {
	clear(dst)
	for j, w := range m.weights {
		mean, cov := m.Component(j)
		a, v := s*dot(x, mean)+o, 0.0
		for i, xi := range x {
			for l, xl := range x {
				v += xi * xl * cov.At(i, l)
			}
		}
		before, now := 0.0, 1.0
		for n := range dst {
			dst[n] += w * now
			before, now = now, a*now+float64(n)*s*s*v*before
		}
	}
}

// innerNormTo takes the cumulants of the inner product of each pair of components.
// With P = S T for their covariances S and T and means m and q,
//
//	log E exp(t X.Y) = t m.q + t^2 m'Tm/2 - log det(I - t^2 P)/2 + v'(I - t^2 P)^-1 S v/2,  v = t q + t^2 T m,
//
// of which the series in t is that of the powers of P. O(K^2 n d^3) for degree n.
func (m *Mixture) innerNormTo(ctx context.Context, dst []float64, s, o float64) error {
	clear(dst)
	moments := make([]float64, len(dst))
	for j, w := range m.weights {
		if err := ctx.Err(); err != nil {
			return err
		}
		for k, u := range m.weights[:j+1] {
			weight := w * u
			if k < j {
				weight *= 2
			}
			cumulants := m.innerCumulants(j, k, len(dst))
			power := 1.0
			for n := range cumulants {
				cumulants[n] *= power
				power *= s * float64(n+1) // s^n n! of the series' coefficients
			}
			if len(cumulants) > 1 {
				cumulants[1] += o
			}
			momentsOf(moments, cumulants)
			for n, v := range moments {
				dst[n] += weight * v
			}
		}
	}
	return nil
}

// innerCumulants returns the first n coefficients of log E exp(t X.Y) for X from
// component j and Y from k.
func (m *Mixture) innerCumulants(j, k, n int) []float64 {
	a, s := m.Component(j)
	b, t := m.Component(k)
	out := make([]float64, n+4)
	out[1] = dot(a, b)
	ta := linalg.SymMulVec(nil, t, a)
	out[2] = dot(a, ta) / 2
	S := mat.DenseCopyOf(s)
	P := linalg.Mul(nil, S, mat.DenseCopyOf(t))
	power := P                                                     // P^(i+1)
	sb, sta := linalg.MulVec(nil, S, b), linalg.MulVec(nil, S, ta) // P^i S q, P^i S T m
	for i := 0; 2*i+2 < n; i++ {
		out[2*i+2] += mat.Trace(power)/float64(2*(i+1)) + dot(b, sb)/2
		out[2*i+3] += dot(b, sta)
		out[2*i+4] += dot(ta, sta) / 2
		power, sb, sta = linalg.Mul(nil, power, P), linalg.MulVec(nil, P, sb), linalg.MulVec(nil, P, sta)
	}
	return out[:n]
}

// momentsOf sets dst[n] to moment n of a distribution with the given cumulants.
func momentsOf(dst, cumulants []float64) {
	for n := range dst {
		if n == 0 {
			dst[0] = 1
			continue
		}
		var v float64
		choose := 1.0 // of n-1 over j-1
		for j := 1; j <= n; j++ {
			v += choose * cumulants[j] * dst[n-j]
			choose *= float64(n-j) / float64(j)
		}
		dst[n] = v
	}
}

// innerTo adds one coordinate after the other. O(d n^2) for degree n.
func (b *Box) innerTo(dst, x []float64, s, o float64) {
	b.addUp(dst, o, func(j int, l int) float64 { return power(s*x[j], l) * b.moment(j, l) })
}

func (b *Box) innerNormTo(_ context.Context, dst []float64, s, o float64) error {
	b.addUp(dst, o, func(j int, l int) float64 {
		v := b.moment(j, l)
		return power(s, l) * v * v
	})
	return nil
}

// addUp sets dst to the moments of o plus a sum of independent numbers, one for each
// coordinate, of which moment returns the moments.
func (b *Box) addUp(dst []float64, o float64, moment func(j, l int) float64) {
	for n := range dst {
		dst[n] = power(o, n)
	}
	part := make([]float64, len(dst))
	for j := range b.lower {
		for l := range part {
			part[l] = moment(j, l)
		}
		for n := len(dst) - 1; n >= 0; n-- { // the moments below n are still the old ones
			var v float64
			choose := 1.0 // of n over l
			for l := range n + 1 {
				v += choose * dst[n-l] * part[l]
				choose *= float64(n-l) / float64(l+1)
			}
			dst[n] = v
		}
	}
}

// moment returns E Y_j^l.
func (b *Box) moment(j, l int) float64 {
	var v float64
	for i := range l + 1 {
		v += power(b.lower[j], i) * power(b.upper[j], l-i)
	}
	return v / float64(l+1)
}

var (
	_ innerMoments = (*Mixture)(nil)
	_ innerMoments = (*Box)(nil)
)
