package kernelmachine

import (
	"fmt"
	"math"

	"gaucho/stdlib/vec"
)

// A Loss is a function l(u, y), convex in the outputs u of a machine at a point,
// of what they should be. Losses are used from several goroutines at once.
type Loss interface {
	// Dims returns how many outputs the machine has, and how many numbers the
	// target of a point is.
	Dims() (outputs, targets int)
	// Value returns l(u, y).
	Value(u, y []float64) float64
	// Gradient sets dst to the gradient of l in u, a subgradient at kinks.
	Gradient(dst, u, y []float64)
	// Check returns an error if y is no target.
	Check(y []float64) error
}

// A Classifier is a [Loss] whose machine separates classes.
type Classifier interface {
	Loss
	// Label returns the target that fits the outputs u best.
	Label(u []float64) float64
}

// A DualLoss is a [Loss] of one output for stochastic dual coordinate ascent
// ([SDCA]). A dual variable a stands for -dl/du.
type DualLoss interface {
	Loss
	// Ascend returns the best dual variable of a point, or a better one, if the
	// output at it is u, the dual variable is a and the output grows by q for
	// each unit that is added to a.
	Ascend(a, u, q, y float64) float64
	// Conjugate returns l*(-a), the largest of -a u - l(u) over u.
	Conjugate(a, y float64) float64
	// Smooth returns the largest second derivative of l, infinite at a kink.
	Smooth() float64
}

// scalar gives losses of one output and one target their shape.
type scalar struct{}

// Dims returns 1 and 1.
func (scalar) Dims() (outputs, targets int) { return 1, 1 }

// Check returns an error if the target is not finite.
func (scalar) Check(y []float64) error { return checkFinite("target", y[0]) }

// signs is scalar for targets -1 and 1.
type signs struct{}

// Dims returns 1 and 1.
func (signs) Dims() (outputs, targets int) { return 1, 1 }

// Check returns an error if the target is neither -1 nor 1.
func (signs) Check(y []float64) error {
	if y[0] != 1 && y[0] != -1 {
		return fmt.Errorf("label is %v, must be -1 or 1", y[0])
	}
	return nil
}

// Label returns the sign of the output, 1 at 0.
func (signs) Label(u []float64) float64 {
	if u[0] < 0 {
		return -1
	}
	return 1
}

func checkFinite(name string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%s is %v, must be finite", name, v)
	}
	return nil
}

func clip(v, lo, hi float64) float64 { return max(lo, min(hi, v)) }

// Squared is the loss |u-y|^2/2 of ridge regression and of the mean of a Gaussian
// process, with one output for each of the Targets; 0 means 1.
type Squared struct {
	Targets int
}

// Dims returns the number of targets twice.
func (l Squared) Dims() (outputs, targets int) { return max(l.Targets, 1), max(l.Targets, 1) }

// Value returns |u-y|^2/2.
func (l Squared) Value(u, y []float64) float64 { return vec.SquaredDistance(u, y) / 2 }

// Gradient returns u-y.
func (l Squared) Gradient(dst, u, y []float64) {
	for c, v := range u {
		dst[c] = v - y[c]
	}
}

// Check returns an error if a target is not finite.
func (l Squared) Check(y []float64) error {
	for _, v := range y {
		if err := checkFinite("target", v); err != nil {
			return err
		}
	}
	return nil
}

// Ascend solves for the dual variable.
func (l Squared) Ascend(a, u, q, y float64) float64 { return a + (y-u-a)/(1+q) }

// Conjugate returns a^2/2 - a y.
func (l Squared) Conjugate(a, y float64) float64 { return a * (a/2 - y) }

// Smooth returns 1.
func (l Squared) Smooth() float64 { return 1 }

// Huber is the robust loss: (u-y)^2/2 up to a distance of Threshold, a line beyond.
type Huber struct {
	scalar
	Threshold float64
}

// Value returns the loss.
func (l Huber) Value(u, y []float64) float64 {
	r := math.Abs(u[0] - y[0])
	if r <= l.Threshold {
		return r * r / 2
	}
	return l.Threshold * (r - l.Threshold/2)
}

// Gradient returns u-y, cut at the threshold.
func (l Huber) Gradient(dst, u, y []float64) { dst[0] = clip(u[0]-y[0], -l.Threshold, l.Threshold) }

// Ascend solves for the dual variable.
func (l Huber) Ascend(a, u, q, y float64) float64 {
	return clip(Squared{}.Ascend(a, u, q, y), -l.Threshold, l.Threshold)
}

// Conjugate returns a^2/2 - a y, infinite beyond the threshold.
func (l Huber) Conjugate(a, y float64) float64 {
	if math.Abs(a) > l.Threshold {
		return math.Inf(1)
	}
	return a * (a/2 - y)
}

// Smooth returns 1.
func (l Huber) Smooth() float64 { return 1 }

func (l Huber) validate() error { return checkPositive("threshold", l.Threshold) }

// EpsilonInsensitive is the loss max(0, |u-y|-Epsilon) of support vector
// regression; 0 makes it least absolute deviations.
type EpsilonInsensitive struct {
	scalar
	Epsilon float64
}

// Value returns the loss.
func (l EpsilonInsensitive) Value(u, y []float64) float64 {
	return max(0, math.Abs(u[0]-y[0])-l.Epsilon)
}

// Gradient returns the sign of u-y outside the tube, 0 inside.
func (l EpsilonInsensitive) Gradient(dst, u, y []float64) {
	dst[0] = 0
	if r := u[0] - y[0]; math.Abs(r) > l.Epsilon {
		dst[0] = math.Copysign(1, r)
	}
}

// Ascend solves for the dual variable.
func (l EpsilonInsensitive) Ascend(a, u, q, y float64) float64 {
	v := a + (y-u)/q
	return clip(math.Copysign(max(0, math.Abs(v)-l.Epsilon/q), v), -1, 1)
}

// Conjugate returns Epsilon |a| - a y, infinite for |a| > 1.
func (l EpsilonInsensitive) Conjugate(a, y float64) float64 {
	if math.Abs(a) > 1 {
		return math.Inf(1)
	}
	return l.Epsilon*math.Abs(a) - a*y
}

// Smooth returns infinity.
func (l EpsilonInsensitive) Smooth() float64 { return math.Inf(1) }

func (l EpsilonInsensitive) validate() error {
	if !(l.Epsilon >= 0) || math.IsInf(l.Epsilon, 1) {
		return fmt.Errorf("kernelmachine: epsilon is %v, must be finite and not negative", l.Epsilon)
	}
	return nil
}

// Quantile is the pinball loss max(Tau (y-u), (1-Tau)(u-y)), least at the Tau
// quantile of the target.
type Quantile struct {
	scalar
	Tau float64
}

// Value returns the loss.
func (l Quantile) Value(u, y []float64) float64 {
	r := y[0] - u[0]
	return max(l.Tau*r, (l.Tau-1)*r)
}

// Gradient returns 1-Tau where u >= y, -Tau elsewhere.
func (l Quantile) Gradient(dst, u, y []float64) {
	dst[0] = -l.Tau
	if u[0] >= y[0] {
		dst[0] = 1 - l.Tau
	}
}

// Ascend solves for the dual variable.
func (l Quantile) Ascend(a, u, q, y float64) float64 { return clip(a+(y-u)/q, l.Tau-1, l.Tau) }

// Conjugate returns -a y, infinite outside [Tau-1, Tau].
func (l Quantile) Conjugate(a, y float64) float64 {
	if a < l.Tau-1 || a > l.Tau {
		return math.Inf(1)
	}
	return -a * y
}

// Smooth returns infinity.
func (l Quantile) Smooth() float64 { return math.Inf(1) }

func (l Quantile) validate() error {
	if !(l.Tau > 0 && l.Tau < 1) {
		return fmt.Errorf("kernelmachine: tau is %v, must be between 0 and 1", l.Tau)
	}
	return nil
}

func checkPositive(name string, v float64) error {
	if v > 0 && !math.IsInf(v, 1) {
		return nil
	}
	return fmt.Errorf("kernelmachine: %s is %v, must be positive and finite", name, v)
}
