package em

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
)

// The floor of Gaussian outputs is a constraint, S >= diag(Floor) for every
// covariance S in the order of matrices, and Fit returns the maximum under it, so
// that the objective does not fall. In the units in which the floor is the identity,
// the M-step maximises -n (log det S + tr S^-1 C) over S >= I, and the maximum has
// the eigenvectors of C and its eigenvalues, those below 1 raised to 1: with these
// eigenvalues given, the trace is least for equal eigenvectors (von Neumann), and
// log v + c/v rises in v >= max(c, 1).

// raise returns the maximum under the floor for the covariance c that has no floor.
// It changes c.
func (g *Gaussian) raise(c *mat.SymDense) error {
	if g.Floor == nil {
		return nil
	}
	values, vectors, err := g.whitened(c)
	if err != nil {
		return err
	}
	for k, v := range values {
		if v >= 1 {
			continue
		}
		u := mat.Col(nil, k, vectors)
		for a := range u {
			u[a] *= math.Sqrt(g.Floor[a])
		}
		c.SymRankOne(c, 1-v, mat.NewVecDense(len(u), u))
	}
	return nil
}

// whitened returns eigenvalues and vectors of c in the units of the floor.
func (g *Gaussian) whitened(c *mat.SymDense) (values []float64, vectors *mat.Dense, err error) {
	d := c.SymmetricDim()
	scaled := mat.NewSymDense(d, nil)
	for a := range d {
		for b := a; b < d; b++ {
			scaled.SetSym(a, b, c.At(a, b)/math.Sqrt(g.Floor[a]*g.Floor[b]))
		}
	}
	return linalg.SymEigen(context.Background(), scaled)
}

// floorOf returns the floor of a variance: with spherical covariances all have the
// mean of the floors.
func (g *Gaussian) floorOf(coordinate int) float64 {
	switch {
	case g.Floor == nil:
		return 0
	case g.Kind == Spherical:
		return mat.Sum(mat.NewVecDense(len(g.Floor), g.Floor)) / float64(len(g.Floor))
	}
	return g.Floor[coordinate]
}

// checkFloorShape says what is wrong with the floor itself.
func (g *Gaussian) checkFloorShape(d int) error {
	if g.Floor != nil && len(g.Floor) != d {
		return fmt.Errorf("em: floor has %d variances, must have one for each of %d coordinates, or be nil", len(g.Floor), d)
	}
	for a, v := range g.Floor {
		if !(v > 0) || math.IsInf(v, 1) {
			return fmt.Errorf("em: floor of the variance of coordinate %d is %v, must be positive; a nil floor is none", a, v)
		}
	}
	return nil
}

// A floored output can be below its floor, from where the first M-step may lose.
type floored interface{ checkFloor() error }

var _, _, _ floored = (*Gaussian)(nil), (*GaussianMixture)(nil), (*Poisson)(nil)

// checkStart says where an output to start from is below its floor, beyond rounding.
func checkStart(o Output) error {
	if f, ok := o.(floored); ok {
		return f.checkFloor()
	}
	return nil
}

const floorSlack = 1e-9 // of the largest variance, in units of the floor

func (g *Gaussian) checkFloor() error {
	if g.Floor == nil || g.Known {
		return nil
	}
	if g.Kind == Spherical || g.Kind == Diagonal {
		s, d := g.Variances.Dims()
		for j := range s {
			for a := range d {
				if v, floor := g.Variances.At(j, a), g.floorOf(a); v < floor*(1-floorSlack) {
					return fmt.Errorf("em: variance of state %d in coordinate %d starts at %v, must be at least the floor %v", j, a, v, floor)
				}
			}
		}
		return nil
	}
	for j, c := range g.Covariances {
		values, _, err := g.whitened(c)
		if err != nil {
			return err
		}
		if values[0] < 1-floorSlack*max(1, values[len(values)-1]) {
			return fmt.Errorf("em: covariance of state %d starts with a variance of %v floors in one direction, must be at least 1 in all", j, values[0])
		}
	}
	return nil
}

func (g *GaussianMixture) checkFloor() error { return g.Parts.checkFloor() }

func (p *Poisson) checkFloor() error {
	s, d := p.Rate.Dims()
	for j := range s {
		for a := range d {
			if v := p.Rate.At(j, a); v < p.Floor {
				return fmt.Errorf("em: rate of state %d in coordinate %d starts at %v, must be at least the floor %v", j, a, v, p.Floor)
			}
		}
	}
	return nil
}

// A Fall is the error of an iteration that loses more than rounding explains. Exact
// M-steps do not; those of an Output written elsewhere may, and covariances that
// are nearly singular, which a floor prevents.
type Fall struct {
	Iteration     int
	Before, After float64 // the objective
}

func (f *Fall) Error() string {
	return fmt.Sprintf("em: objective falls from %v to %v in iteration %d: covariances are nearly singular (a Floor helps), or Fit of the output is no M-step",
		f.Before, f.After, f.Iteration)
}

// gain says whether the last iteration gained less than tolerance, of an objective of
// n numbers observed. What rounding may lose is no fall: 1e-9 of the terms summed.
func gain(objective []float64, n int, tolerance float64) (small bool, err error) {
	t := len(objective) - 1
	if t == 0 {
		return false, nil
	}
	before, after := objective[t-1], objective[t]
	if !(after-before >= -1e-9*(float64(n)+math.Abs(before))) {
		return false, &Fall{t, before, after}
	}
	return tolerance > 0 && after-before < tolerance, nil
}
