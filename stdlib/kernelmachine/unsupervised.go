package kernelmachine

import (
	"fmt"
	"math"

	"gaucho/stdlib/vec"
)

// Embedding is the loss -yu: its machine is 1/nu times the kernel mean embedding
// of the points, weighted by their targets y. With a regularisation of 1 and
// targets 1 it is the embedding itself.
type Embedding struct{ scalar }

// Value returns -yu.
func (Embedding) Value(u, y []float64) float64 { return -y[0] * u[0] }

// Gradient returns -y.
func (Embedding) Gradient(dst, u, y []float64) { dst[0] = -y[0] }

// Novelty is the one-class loss max(0, r-u): with the regularisation nu the
// objective is E max(0, r - f(x)) + nu/2 |f|^2 - nu r over the function f and the
// number r, [Machine.Offset] (Schoelkopf et al. 2001). A share of about nu of the
// points ends with f(x) < r; those are novel. Outputs of the loss are f-r, so
// that they are negative for novel points; targets are not looked at.
type Novelty struct{ signs }

// Value returns max(0, -u) for u = f-r.
func (Novelty) Value(u, _ []float64) float64 { return max(0, -u[0]) }

// Gradient returns -1 where u < 0, 0 elsewhere.
func (Novelty) Gradient(dst, u, _ []float64) {
	dst[0] = 0
	if u[0] < 0 {
		dst[0] = -1
	}
}

// Check accepts every target.
func (Novelty) Check([]float64) error { return nil }

// A Divergence is an f-divergence for [DensityRatio]: a convex function r with
// r(1) = 0, through its conjugate.
type Divergence interface {
	// Conjugate returns r*(v), the largest of v t - r(t) over t > 0, for v < 0,
	// and its derivative.
	Conjugate(v float64) (value, slope float64)
}

// KL is the Kullback-Leibler divergence, r(t) = -log t and r*(v) = -1 - log(-v).
type KL struct{}

// Conjugate returns -1 - log(-v) and -1/v.
func (KL) Conjugate(v float64) (value, slope float64) { return -1 - vec.Log1(-v), -1 / v }

// NoveltyRatio is r(t) = max(0, Rho - log t) for t = q/p: where q is much denser
// than p nothing is gained by knowing by how much, and the outputs tell where it
// is not (Smola, Song and Teo 2009).
type NoveltyRatio struct {
	Rho float64
}

// Conjugate returns -1 - Rho - log(-v) and -1/v for v <= -exp(-Rho), and
// v exp(Rho) and exp(Rho) above.
func (d NoveltyRatio) Conjugate(v float64) (value, slope float64) {
	e := vec.Exp1(d.Rho)
	if v <= -1/e {
		return -1 - d.Rho - vec.Log1(-v), -1 / v
	}
	return v * e, e
}

// Pearson is the divergence r(t) = (t-1)^2/2.
type Pearson struct{}

// Conjugate returns v + v^2/2 and 1+v for v >= -1, -1/2 and 0 below.
func (Pearson) Conjugate(v float64) (value, slope float64) {
	if v < -1 {
		return -0.5, 0
	}
	return v + v*v/2, 1 + v
}

// DensityRatio is the loss by which a machine finds the logarithm of the ratio of
// two densities from points of both (Nguyen, Wainwright and Jordan 2010): with
// r of the Divergence (nil means [KL]),
//
//	E_q exp f(x) + E_p r*(-exp f(x)),
//
// least where exp f = -r'(q/p), for KL the ratio p/q. Points of p have the target
// 1, points of q the target -1; batches hold as many of one as of the other
// ([PairBatches]). Outputs above 30 and below -600 are cut there before the exponential.
type DensityRatio struct {
	Divergence Divergence
}

// Dims returns 1 and 1.
func (DensityRatio) Dims() (outputs, targets int) { return 1, 1 }

// Check returns an error if the target is neither -1 nor 1.
func (DensityRatio) Check(y []float64) error { return signs{}.Check(y) }

// ratioClip and ratioFloor are the largest and the least output that go into an exponential.
const ratioClip, ratioFloor = 30, -600

// Value returns 2 exp u for y = -1, 2 r*(-exp u) for y = 1: each is half of the
// points.
func (l DensityRatio) Value(u, y []float64) float64 {
	e := vec.Exp1(max(ratioFloor, min(u[0], ratioClip)))
	if y[0] < 0 {
		return 2 * e
	}
	value, _ := l.divergence().Conjugate(-e)
	return 2 * value
}

// Gradient returns 2 exp u for y = -1, -2 r*'(-exp u) exp u for y = 1.
func (l DensityRatio) Gradient(dst, u, y []float64) {
	e := vec.Exp1(max(ratioFloor, min(u[0], ratioClip)))
	if y[0] < 0 {
		dst[0] = 2 * e
		return
	}
	_, slope := l.divergence().Conjugate(-e)
	dst[0] = -2 * slope * e
}

func (l DensityRatio) divergence() Divergence {
	if l.Divergence == nil {
		return KL{}
	}
	return l.Divergence
}

// validateLoss reports what is wrong with a loss's parameters, if anything.
func validateLoss(l Loss) error {
	if l == nil {
		return fmt.Errorf("kernelmachine: loss is nil")
	}
	if v, ok := l.(interface{ validate() error }); ok {
		return v.validate()
	}
	if s, ok := l.(Squared); ok && s.Targets < 0 {
		return fmt.Errorf("kernelmachine: number of targets is %d, must not be negative", s.Targets)
	}
	return nil
}

// smoothness is the largest second derivative of a loss, for step sizes: 1 where
// it is not known or infinite.
func smoothness(l Loss) float64 {
	if d, ok := l.(DualLoss); ok && !math.IsInf(d.Smooth(), 1) {
		return d.Smooth()
	}
	return 1
}
