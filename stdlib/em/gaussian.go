package em

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
)

// A Kind says what the covariances of Gaussian outputs have in common.
type Kind string

const (
	// Spherical: a variance for each state, the same in all directions.
	Spherical Kind = "spherical"
	// Diagonal: a variance for each state and coordinate.
	Diagonal Kind = "diagonal"
	// Full: a covariance matrix for each state.
	Full Kind = "full"
	// Tied: one covariance matrix for all states.
	Tied Kind = "tied"
)

// Gaussian outputs are normal in each state.
type Gaussian struct {
	Means *mat.Dense // s x d
	Kind  Kind
	// Variances, s x d, of the kinds Spherical (whose rows hold d equal numbers)
	// and Diagonal.
	Variances *mat.Dense
	// Covariances of the kinds Full (one for each state) and Tied (one).
	Covariances []*mat.SymDense
	// Floor holds the least variance of each coordinate, d positive numbers: Fit
	// returns the best covariances S for which S - diag(Floor) has no negative
	// eigenvalue, the constrained M-step. Spherical ones are at least the floors'
	// mean. Nil is no floor: then a state that shrinks to a point is an error.
	Floor []float64
	// Known keeps the covariances as they are in Fit.
	Known bool
	// Prior, if not nil, makes Fit a maximum of the posterior.
	Prior *GaussianPrior
}

// A GaussianPrior acts like observations of each state that were made before: the
// log of its density is, but for a constant and for one coordinate of variance v,
//
//	-(1/2) ((k + VarianceWeight) log v + (MeanWeight (mean - Mean)^2 + VarianceWeight Variance)/v),
//
// k = 1 if MeanWeight is positive, else 0; with matrices, log det and trace take
// their places, and tied covariances have one variance part.
type GaussianPrior struct {
	Mean                     []float64 // d numbers; nil is 0
	MeanWeight               float64   // at least 0
	Variance, VarianceWeight float64   // at least 0
}

var _ Output = (*Gaussian)(nil)

// States returns the number of states.
func (g *Gaussian) States() int { s, _ := g.Means.Dims(); return s }

// Dim returns the dimension of an observation.
func (g *Gaussian) Dim() int { _, d := g.Means.Dims(); return d }

// Parameters returns the number of free parameters.
func (g *Gaussian) Parameters() int {
	s, d := g.Means.Dims()
	if g.Known {
		return s * d
	}
	switch g.Kind {
	case Spherical:
		return s*d + s
	case Diagonal:
		return 2 * s * d
	case Tied:
		return s*d + d*(d+1)/2
	}
	return s*d + s*d*(d+1)/2
}

// Check says what is wrong: shapes that differ, variances that are not positive,
// covariances that are not positive definite.
func (g *Gaussian) Check() error {
	if g.Means == nil || g.Means.IsEmpty() {
		return fmt.Errorf("em: means are empty, must be a row for each state")
	}
	s, d := g.Means.Dims()
	for j := range s {
		for _, v := range g.Means.RawRowView(j) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("em: mean of state %d has %v, must be finite", j, v)
			}
		}
	}
	if err := g.checkFloorShape(d); err != nil {
		return err
	}
	if err := g.Prior.check(d); err != nil {
		return err
	}
	switch g.Kind {
	case Spherical, Diagonal:
		return g.checkVariances(s, d)
	case Full, Tied:
		_, err := g.factors()
		return err
	}
	return fmt.Errorf("em: kind of covariance is %q, must be spherical, diagonal, full or tied", g.Kind)
}

func (g *Gaussian) checkVariances(s, d int) error {
	if g.Variances == nil || g.Variances.IsEmpty() {
		return fmt.Errorf("em: variances are empty, must be %d x %d", s, d)
	}
	if r, c := g.Variances.Dims(); r != s || c != d {
		return fmt.Errorf("em: variances are %d x %d, must be %d x %d", r, c, s, d)
	}
	for j := range s {
		row := g.Variances.RawRowView(j)
		for _, v := range row {
			if !(v > 0) || math.IsInf(v, 1) {
				return fmt.Errorf("em: variance of state %d is %v, must be positive", j, v)
			}
			if g.Kind == Spherical && v != row[0] {
				return fmt.Errorf("em: variances of state %d are %v and %v, must be equal (spherical)", j, row[0], v)
			}
		}
	}
	return nil
}

// factors returns the Cholesky factors L of the covariances.
func (g *Gaussian) factors() ([]*mat.TriDense, error) {
	s, d := g.Means.Dims()
	want := s
	if g.Kind == Tied {
		want = 1
	}
	if len(g.Covariances) != want {
		return nil, fmt.Errorf("em: %d covariances, must be %d (%s)", len(g.Covariances), want, g.Kind)
	}
	out := make([]*mat.TriDense, want)
	for j, c := range g.Covariances {
		if c == nil || c.SymmetricDim() != d {
			return nil, fmt.Errorf("em: covariance of state %d must be %d x %d", j, d, d)
		}
		f, err := linalg.NewCholesky(c)
		if err != nil {
			return nil, fmt.Errorf("em: covariance of state %d must be positive definite: %w", j, err)
		}
		u, l := f.U(), mat.NewTriDense(d, mat.Lower, nil)
		for a := range d {
			for b := 0; b <= a; b++ {
				l.SetTri(a, b, u.At(b, a))
			}
		}
		out[j] = l
	}
	return out, nil
}

func (p *GaussianPrior) check(d int) error {
	if p == nil {
		return nil
	}
	if p.Mean != nil && len(p.Mean) != d {
		return fmt.Errorf("em: mean of the prior has %d numbers, must have %d", len(p.Mean), d)
	}
	for _, v := range p.Mean {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("em: mean of the prior has %v, must be finite", v)
		}
	}
	for _, v := range []float64{p.MeanWeight, p.Variance, p.VarianceWeight} {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("em: prior has %v, must be at least 0", v)
		}
	}
	return nil
}

// Draw sets dst to a normal vector. With covariance matrices it factorizes one;
// Model.Sample does so once.
func (g *Gaussian) Draw(dst []float64, state int, rng *rand.Rand) { g.drawer()(dst, state, rng) }

// drawer returns Draw with the work done that all draws have in common.
func (g *Gaussian) drawer() func(dst []float64, state int, rng *rand.Rand) {
	if g.Kind == Spherical || g.Kind == Diagonal {
		return func(dst []float64, state int, rng *rand.Rand) {
			mean := g.Means.RawRowView(state)
			for a, v := range g.Variances.RawRowView(state) {
				dst[a] = mean[a] + math.Sqrt(v)*rng.NormFloat64()
			}
		}
	}
	factors, err := g.factors()
	if err != nil {
		panic(err) // Check has seen the covariances
	}
	z := make([]float64, g.Dim())
	return func(dst []float64, state int, rng *rand.Rand) {
		mean, l := g.Means.RawRowView(state), factors[min(state, len(factors)-1)]
		for a := range z {
			z[a] = rng.NormFloat64()
		}
		for a := range dst {
			dst[a] = mean[a]
			for b := 0; b <= a; b++ {
				dst[a] += l.At(a, b) * z[b]
			}
		}
	}
}
