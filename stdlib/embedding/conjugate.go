package embedding

import (
	"fmt"
	"math"

	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/vec"
)

// A DualLoss is a loss with the derivative of its conjugate l*_y(u), the largest of u v -
// l_y(v) over v. The losses of one output of package kernelmachine need not have these
// methods: Squared, Huber, Hinge, SquaredHinge, SmoothHinge, Logistic, EpsilonInsensitive
// and Quantile are known.
type DualLoss interface {
	kernelmachine.DualLoss
	// Domain returns the interval of u in which l*_y is finite.
	Domain(y float64) (lo, hi float64)
	// Slope returns the derivative of l*_y at u in the domain, a subgradient at kinks.
	Slope(u, y float64) float64
}

// logisticEdge keeps the dual variable of the logistic loss inside its domain.
const logisticEdge = 1e-6

// conjugate is a loss as the solver needs it.
type conjugate struct {
	kernelmachine.DualLoss
	domain func(y float64) (lo, hi float64)
	slope  func(u, y float64) float64
}

func everywhere(float64) (lo, hi float64) { return math.Inf(-1), math.Inf(1) }

func shifted(u, y float64) float64 { return y + u }

// unit is the domain -u y in [0, 1], up to an edge, for y = 1 and -1.
func unit(edge float64) func(y float64) (lo, hi float64) {
	return func(y float64) (lo, hi float64) {
		if y > 0 {
			return edge - 1, -edge
		}
		return edge, 1 - edge
	}
}

// newConjugate knows the losses of package kernelmachine (Dai 2018, section 5.3).
func newConjugate(loss kernelmachine.DualLoss) (*conjugate, error) {
	c := &conjugate{DualLoss: loss}
	switch l := loss.(type) {
	case DualLoss:
		c.domain, c.slope = l.Domain, l.Slope
	case kernelmachine.Squared:
		c.domain, c.slope = everywhere, shifted
	case kernelmachine.Huber:
		c.domain, c.slope = within(-l.Threshold, l.Threshold), shifted
	case kernelmachine.EpsilonInsensitive:
		c.domain = within(-1, 1)
		c.slope = func(u, y float64) float64 {
			switch {
			case u > 0:
				return y + l.Epsilon
			case u < 0:
				return y - l.Epsilon
			}
			return y
		}
	case kernelmachine.Quantile:
		c.domain, c.slope = within(-l.Tau, 1-l.Tau), func(_, y float64) float64 { return y }
	case kernelmachine.Hinge:
		c.domain, c.slope = unit(0), func(_, y float64) float64 { return y }
	case kernelmachine.SmoothHinge:
		c.domain, c.slope = unit(0), func(u, y float64) float64 { return y + l.Width*u }
	case kernelmachine.SquaredHinge:
		c.slope = shifted
		c.domain = func(y float64) (lo, hi float64) {
			if y > 0 {
				return math.Inf(-1), 0
			}
			return 0, math.Inf(1)
		}
	case kernelmachine.Logistic:
		c.domain = unit(logisticEdge)
		c.slope = func(u, y float64) float64 {
			s := -u * y
			return y * vec.Log1((1-s)/s)
		}
	case nil:
		return nil, fmt.Errorf("embedding: the loss is nil")
	default:
		return nil, fmt.Errorf("embedding: the loss %T has no known conjugate, must be one of package kernelmachine with one output or a DualLoss", loss)
	}
	return c, nil
}

func within(lo, hi float64) func(float64) (float64, float64) {
	return func(float64) (float64, float64) { return lo, hi }
}

// rise returns the derivative of r u - l*_y(u) in u where u is in the domain. Outside it
// u is cut to the domain first, and the distance to it is subtracted, which brings u back:
// the saddle point is the same. It returns the cut u too.
func (c *conjugate) rise(r, u, y float64) (slope, cut float64) {
	lo, hi := c.domain(y)
	cut = min(max(u, lo), hi)
	return r - c.slope(cut, y) - (u - cut), cut
}

// check returns an error if the targets do not fit the loss.
func (c *conjugate) check(y []float64, n int) error {
	zero := []float64{0}
	if y == nil {
		if err := c.Check(zero); err != nil {
			return fmt.Errorf("embedding: a batch without targets, which are 0 then: %w", err)
		}
		return nil
	}
	for i := range n {
		if err := c.Check(y[i : i+1]); err != nil {
			return fmt.Errorf("embedding: sample %d: %w", i, err)
		}
	}
	return nil
}
