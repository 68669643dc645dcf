package kernelmachine

import (
	"fmt"
	"math"

	"gaucho/stdlib/vec"
)

// The losses of this file are those of classification. Labels are -1 and 1, for
// [MultiLogistic] 0, 1, ..., Classes-1.

// Hinge is the loss max(0, 1-uy) of the support vector machine.
type Hinge struct{ signs }

// Value returns the loss.
func (Hinge) Value(u, y []float64) float64 { return max(0, 1-u[0]*y[0]) }

// Gradient returns -y where uy < 1, 0 elsewhere.
func (Hinge) Gradient(dst, u, y []float64) {
	dst[0] = 0
	if u[0]*y[0] < 1 {
		dst[0] = -y[0]
	}
}

// Ascend solves for the dual variable.
func (Hinge) Ascend(a, u, q, y float64) float64 { return y * clip(a*y+(1-u*y)/q, 0, 1) }

// Conjugate returns -a y, infinite for a y outside [0, 1].
func (Hinge) Conjugate(a, y float64) float64 {
	if a*y < 0 || a*y > 1 {
		return math.Inf(1)
	}
	return -a * y
}

// Smooth returns infinity.
func (Hinge) Smooth() float64 { return math.Inf(1) }

// SquaredHinge is the loss max(0, 1-uy)^2/2 of the L2 support vector machine.
type SquaredHinge struct{ signs }

// Value returns the loss.
func (SquaredHinge) Value(u, y []float64) float64 {
	m := max(0, 1-u[0]*y[0])
	return m * m / 2
}

// Gradient returns u-y where uy < 1, 0 elsewhere.
func (SquaredHinge) Gradient(dst, u, y []float64) {
	dst[0] = 0
	if u[0]*y[0] < 1 {
		dst[0] = u[0] - y[0]
	}
}

// Ascend solves for the dual variable.
func (SquaredHinge) Ascend(a, u, q, y float64) float64 {
	return y * max(0, (1-u*y+q*a*y)/(1+q))
}

// Conjugate returns a^2/2 - a y, infinite for a y < 0.
func (SquaredHinge) Conjugate(a, y float64) float64 {
	if a*y < 0 {
		return math.Inf(1)
	}
	return a * (a/2 - y)
}

// Smooth returns 1.
func (SquaredHinge) Smooth() float64 { return 1 }

// SmoothHinge is the hinge loss with its kink rounded off over an interval of the
// given Width: (1-uy)^2/(2 Width) for uy between 1-Width and 1, 1-uy-Width/2 below.
type SmoothHinge struct {
	signs
	Width float64
}

// Value returns the loss.
func (l SmoothHinge) Value(u, y []float64) float64 {
	m := 1 - u[0]*y[0]
	switch {
	case m <= 0:
		return 0
	case m >= l.Width:
		return m - l.Width/2
	}
	return m * m / (2 * l.Width)
}

// Gradient returns -y, in proportion within the interval, 0 for uy >= 1.
func (l SmoothHinge) Gradient(dst, u, y []float64) {
	dst[0] = -y[0] * clip((1-u[0]*y[0])/l.Width, 0, 1)
}

// Ascend solves for the dual variable.
func (l SmoothHinge) Ascend(a, u, q, y float64) float64 {
	return y * clip((1-u*y+q*a*y)/(l.Width+q), 0, 1)
}

// Conjugate returns Width a^2/2 - a y, infinite for a y outside [0, 1].
func (l SmoothHinge) Conjugate(a, y float64) float64 {
	if a*y < 0 || a*y > 1 {
		return math.Inf(1)
	}
	return a * (l.Width*a/2 - y)
}

// Smooth returns 1/Width.
func (l SmoothHinge) Smooth() float64 { return 1 / l.Width }

func (l SmoothHinge) validate() error { return checkPositive("width", l.Width) }

// Logistic is the loss log(1 + exp(-uy)).
type Logistic struct{ signs }

// Value returns the loss.
func (Logistic) Value(u, y []float64) float64 { return softplus(-u[0] * y[0]) }

// softplus is log(1 + exp(t)).
func softplus(t float64) float64 { return max(t, 0) + vec.Log1p1(vec.Exp1(-math.Abs(t))) }

// Gradient returns -y / (1 + exp(uy)).
func (Logistic) Gradient(dst, u, y []float64) { dst[0] = -y[0] * vec.Logistic1(-u[0]*y[0]) }

// Ascend maximises over the dual variable by Newton's method, kept inside (0, 1).
func (Logistic) Ascend(a, u, q, y float64) float64 {
	// With p = a y the derivative is 0 = log((1-p)/p) - uy - q (p - p0).
	p0, m := a*y, u*y
	lo, hi := 0.0, 1.0
	p := clip(p0, 1e-12, 1-1e-12)
	for range 60 {
		g := vec.Log1((1-p)/p) - m - q*(p-p0)
		if g > 0 {
			lo = p
		} else {
			hi = p
		}
		next := p + g/(1/(p*(1-p))+q)
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if math.Abs(next-p) <= 1e-15 {
			break
		}
		p = next
	}
	return y * p
}

// Conjugate returns p log p + (1-p) log(1-p) for p = a y in [0, 1], infinite
// outside.
func (Logistic) Conjugate(a, y float64) float64 {
	p := a * y
	if p < 0 || p > 1 {
		return math.Inf(1)
	}
	return plogp(p) + plogp(1-p)
}

func plogp(p float64) float64 {
	if p == 0 {
		return 0
	}
	return p * vec.Log1(p)
}

// Smooth returns 1/4.
func (Logistic) Smooth() float64 { return 0.25 }

// MultiLogistic is the loss -u_y + log sum_c exp(u_c) of multi-class logistic
// regression, with an output for each class and the class as the target.
type MultiLogistic struct {
	Classes int
}

// Dims returns the number of classes, and 1.
func (l MultiLogistic) Dims() (outputs, targets int) { return l.Classes, 1 }

// Value returns the loss.
func (l MultiLogistic) Value(u, y []float64) float64 { return vec.LogSumExp(u) - u[int(y[0])] }

// Gradient returns the probabilities of the classes, that of y less 1.
func (l MultiLogistic) Gradient(dst, u, y []float64) {
	vec.Softmax(dst, u)
	dst[int(y[0])]--
}

// Check returns an error if the target is no class.
func (l MultiLogistic) Check(y []float64) error {
	if c := y[0]; !(c >= 0 && c < float64(l.Classes)) || c != math.Trunc(c) {
		return fmt.Errorf("class is %v, must be a whole number from 0 to %d", c, l.Classes-1)
	}
	return nil
}

// Label returns the class of the largest output, the first of equals.
func (l MultiLogistic) Label(u []float64) float64 {
	best := 0
	for c, v := range u {
		if v > u[best] {
			best = c
		}
	}
	return float64(best)
}

func (l MultiLogistic) validate() error {
	if l.Classes < 2 {
		return fmt.Errorf("kernelmachine: number of classes is %d, must be at least 2", l.Classes)
	}
	return nil
}
