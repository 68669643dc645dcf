package em

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"
)

// rowBlock is the number of rows that one goroutine takes; sums are added block
// by block, in order.
const rowBlock = 4096

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
	// Floor is the smallest variance that Fit gives, added to the diagonal of
	// covariances that lie below it. With 0 a state that shrinks to a point is an error.
	Floor float64
	// Known keeps the covariances as they are in Fit.
	Known bool
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
	if !(g.Floor >= 0) {
		return fmt.Errorf("em: floor of the variances is %v, must be at least 0", g.Floor)
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

// LogDensity sets dst to log densities. O(n s d), or O(n s d^2) with covariance
// matrices.
func (g *Gaussian) LogDensity(dst []float64, x *mat.Dense) error {
	n, d := x.Dims()
	s := g.States()
	if g.Kind == Spherical || g.Kind == Diagonal {
		g.logDiagonal(dst, x)
		return nil
	}
	factors, err := g.factors()
	if err != nil {
		return err
	}
	for j := range s {
		l := factors[min(j, len(factors)-1)].RawTriangular()
		mean, constant := g.Means.RawRowView(j), float64(d)*vec.Log1(2*math.Pi)/2
		inverse := make([]float64, d)
		for a := range d {
			constant += vec.Log1(l.Data[a*l.Stride+a])
			inverse[a] = 1 / l.Data[a*l.Stride+a]
		}
		parallel.Blocks(n, rowBlock, func(_, lo, hi int) {
			z := make([]float64, d)
			for i := lo; i < hi; i++ {
				row, q := x.RawRowView(i), 0.0
				for a := range d { // L z = x - mean
					v := row[a] - mean[a]
					for b, lab := range l.Data[a*l.Stride : a*l.Stride+a] {
						v -= lab * z[b]
					}
					v *= inverse[a]
					z[a] = v
					q += v * v
				}
				dst[i*s+j] = -constant - q/2
			}
		})
	}
	return nil
}

func (g *Gaussian) logDiagonal(dst []float64, x *mat.Dense) {
	n, d := x.Dims()
	s := g.States()
	inverse := make([]float64, d)
	for j := range s {
		mean, constant := g.Means.RawRowView(j), float64(d)*vec.Log1(2*math.Pi)/2
		for a, v := range g.Variances.RawRowView(j) {
			constant += vec.Log1(v) / 2
			inverse[a] = 1 / v
		}
		parallel.Blocks(n, rowBlock, func(_, lo, hi int) {
			for i := lo; i < hi; i++ {
				q := 0.0
				for a, v := range x.RawRowView(i) {
					v -= mean[a]
					q += v * v * inverse[a]
				}
				dst[i*s+j] = -constant - q/2
			}
		})
	}
}

// Fit returns weighted means and covariances about them.
func (g *Gaussian) Fit(x, weight []*mat.Dense, lost []bool) (Output, error) {
	s, d := g.Means.Dims()
	out := *g
	total := make([]float64, s)
	out.Means = mat.NewDense(s, d, nil)
	for q := range x {
		out.Means.Add(out.Means, linalg.MulTransA(nil, weight[q], x[q]))
		addRows(total, weight[q])
	}
	for j := range s {
		if lost[j] {
			copy(out.Means.RawRowView(j), g.Means.RawRowView(j))
		} else {
			vec.Scale(out.Means.RawRowView(j), 1/total[j], out.Means.RawRowView(j))
		}
	}
	if g.Known {
		return &out, nil
	}
	if g.Kind == Spherical || g.Kind == Diagonal {
		out.fitVariances(g, x, weight, total, lost)
	} else {
		out.fitCovariances(g, x, weight, total, lost)
	}
	return &out, out.Check()
}

// fitVariances sums squares about the new means, which loses no digits.
func (g *Gaussian) fitVariances(old *Gaussian, x, weight []*mat.Dense, total []float64, lost []bool) {
	s, d := g.Means.Dims()
	g.Variances = mat.NewDense(s, d, nil)
	for q := range x {
		n, _ := x[q].Dims()
		part := make([]float64, parallel.Count(n, rowBlock)*s*d)
		parallel.Blocks(n, rowBlock, func(b, lo, hi int) {
			squares(part[b*s*d:(b+1)*s*d], g.Means, x[q], weight[q], lo, hi)
		})
		addRows(g.Variances.RawMatrix().Data, mat.NewDense(len(part)/(s*d), s*d, part))
	}
	for j := range s {
		v := g.Variances.RawRowView(j)
		if lost[j] {
			copy(v, old.Variances.RawRowView(j))
			continue
		}
		vec.Scale(v, 1/total[j], v)
		if g.Kind == Spherical {
			vec.Fill(v, vec.Sum(v)/float64(d))
		}
		for a := range v {
			v[a] = max(v[a], g.Floor)
		}
	}
}

// squares adds the weighted squares of rows lo to hi about the means to sum.
func squares(sum []float64, means, x, weight *mat.Dense, lo, hi int) {
	d := means.RawMatrix().Cols
	for i := lo; i < hi; i++ {
		row := x.RawRowView(i)
		for j, w := range weight.RawRowView(i) {
			if w == 0 {
				continue
			}
			mean, v := means.RawRowView(j)[:d], sum[j*d:j*d+d]
			for a, xa := range row[:d] {
				xa -= mean[a]
				v[a] += w * xa * xa
			}
		}
	}
}

// fitCovariances sums outer products about the new means: rows of x - mean,
// scaled by the square roots of their weights, times themselves.
func (g *Gaussian) fitCovariances(old *Gaussian, x, weight []*mat.Dense, total []float64, lost []bool) {
	s, d := g.Means.Dims()
	sums := make([]*mat.SymDense, s)
	for j := range s {
		sums[j] = mat.NewSymDense(d, nil)
		if lost[j] {
			continue
		}
		mean := g.Means.RawRowView(j)
		for q := range x {
			n, _ := x[q].Dims()
			y := mat.NewDense(n, d, nil)
			for i := range n {
				r, row := math.Sqrt(weight[q].At(i, j)), y.RawRowView(i)
				for a, v := range x[q].RawRowView(i) {
					row[a] = r * (v - mean[a])
				}
			}
			sums[j].AddSym(sums[j], linalg.SymRankKTrans(nil, 1, y, 0))
		}
	}
	g.Covariances = make([]*mat.SymDense, len(old.Covariances))
	if g.Kind == Tied {
		all, n := mat.NewSymDense(d, nil), 0.0
		for j := range s {
			if !lost[j] {
				all.AddSym(all, sums[j])
				n += total[j]
			}
		}
		all.ScaleSym(1/n, all)
		g.Covariances[0] = floored(all, g.Floor)
		return
	}
	for j := range s {
		if lost[j] {
			g.Covariances[j] = old.Covariances[j]
			continue
		}
		sums[j].ScaleSym(1/total[j], sums[j])
		g.Covariances[j] = floored(sums[j], g.Floor)
	}
}

// floored adds floor to the diagonal if a variance on it is below.
func floored(c *mat.SymDense, floor float64) *mat.SymDense {
	d, low := c.SymmetricDim(), false
	for a := range d {
		low = low || c.At(a, a) < floor
	}
	for a := 0; low && a < d; a++ {
		c.SetSym(a, a, c.At(a, a)+floor)
	}
	return c
}

// Draw sets dst to a normal vector.
func (g *Gaussian) Draw(dst []float64, state int, rng *rand.Rand) {
	mean := g.Means.RawRowView(state)
	if g.Kind == Spherical || g.Kind == Diagonal {
		for a, v := range g.Variances.RawRowView(state) {
			dst[a] = mean[a] + math.Sqrt(v)*rng.NormFloat64()
		}
		return
	}
	factors, err := g.factors()
	if err != nil {
		panic(err) // Check has seen the covariances
	}
	l := factors[min(state, len(factors)-1)]
	z := make([]float64, len(dst))
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
