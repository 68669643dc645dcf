package em

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// GaussianMixture outputs are, in each state, mixtures of m normal laws: part k of
// state j has the weight Weights.At(j, k) and is state j*m + k of Parts.
type GaussianMixture struct {
	Weights *mat.Dense // s x m, rows sum to 1
	Parts   *Gaussian  // of s*m states
	// Pseudo is added to every expected count of the weights in Fit.
	Pseudo float64
}

var _ Output = (*GaussianMixture)(nil)

// leastPart is the expected number of observations at which a part is lost and
// keeps its mean and covariance.
const leastPart = 1e-6

// States returns the number of states.
func (g *GaussianMixture) States() int { s, _ := g.Weights.Dims(); return s }

// Dim returns the dimension of an observation.
func (g *GaussianMixture) Dim() int { return g.Parts.Dim() }

// Parameters returns the number of free parameters.
func (g *GaussianMixture) Parameters() int {
	s, m := g.Weights.Dims()
	return s*(m-1) + g.Parts.Parameters()
}

// Check says what is wrong: rows that are not laws, parts of another number, what
// is wrong with these.
func (g *GaussianMixture) Check() error {
	if g.Weights == nil || g.Weights.IsEmpty() || g.Parts == nil {
		return fmt.Errorf("em: mixture outputs must have weights and parts")
	}
	s, m := g.Weights.Dims()
	for j := range s {
		if err := checkLaw(fmt.Sprintf("row %d of the parts' weights", j), g.Weights.RawRowView(j)); err != nil {
			return err
		}
	}
	if !(g.Pseudo >= 0) {
		return fmt.Errorf("em: pseudo-count is %v, must be at least 0", g.Pseudo)
	}
	if g.Parts.Means == nil || g.Parts.States() != s*m {
		return fmt.Errorf("em: mixture outputs must have %d x %d parts", s, m)
	}
	return g.Parts.Check()
}

// LogDensity sets dst to log densities. O(n s m d), or O(n s m d^2) with matrices.
func (g *GaussianMixture) LogDensity(dst []float64, x *mat.Dense) error {
	parts, err := g.logParts(x)
	if err != nil {
		return err
	}
	_, m := g.Weights.Dims()
	for i := range dst[:len(parts)/m] {
		dst[i] = vec.LogSumExp(parts[i*m : i*m+m])
	}
	return nil
}

// logParts returns the log densities of all parts, weights included.
func (g *GaussianMixture) logParts(x *mat.Dense) ([]float64, error) {
	n, _ := x.Dims()
	s, m := g.Weights.Dims()
	out, logs := make([]float64, n*s*m), make([]float64, s*m)
	if err := g.Parts.LogDensity(out, x); err != nil {
		return nil, err
	}
	for j := range s {
		copy(logs[j*m:], g.Weights.RawRowView(j))
	}
	vec.Log(logs, logs)
	for i := range n {
		row := out[i*s*m : (i+1)*s*m]
		for k, v := range logs {
			row[k] += v
		}
	}
	return out, nil
}

// Fit divides each state's weights over its parts as the present parameters have
// it and returns the best parts and weights for them: a step of expectation
// maximisation.
func (g *GaussianMixture) Fit(x, weight []*mat.Dense, lost []bool) (Output, error) {
	s, m := g.Weights.Dims()
	shares, total := make([]*mat.Dense, len(x)), make([]float64, s*m)
	for q := range x {
		n, _ := x[q].Dims()
		parts, err := g.logParts(x[q])
		if err != nil {
			return nil, err
		}
		for i := range n {
			for j, w := range weight[q].RawRowView(i) {
				row := parts[(i*s+j)*m : (i*s+j+1)*m]
				if w == 0 {
					vec.Fill(row, 0)
					continue
				}
				vec.Softmax(row, row)
				vec.Scale(row, w, row)
			}
		}
		shares[q] = mat.NewDense(n, s*m, parts)
		addRows(total, shares[q])
	}
	out := &GaussianMixture{Weights: mat.DenseCopyOf(g.Weights), Pseudo: g.Pseudo}
	lostParts := make([]bool, s*m)
	for j := range s {
		for k := range m {
			lostParts[j*m+k] = lost[j] || total[j*m+k] <= leastPart
		}
		if !lost[j] {
			row := out.Weights.RawRowView(j)
			vec.Offset(row, g.Pseudo, total[j*m:j*m+m])
			normalise(row)
		}
	}
	parts, err := g.Parts.Fit(x, shares, lostParts)
	if err != nil {
		return nil, err
	}
	out.Parts = parts.(*Gaussian)
	return out, nil
}

func (g *GaussianMixture) logPrior() float64 {
	sum := g.Parts.logPrior()
	if g.Pseudo > 0 {
		logs := mat.DenseCopyOf(g.Weights).RawMatrix().Data
		vec.Log(logs, logs)
		sum += g.Pseudo * vec.Sum(logs)
	}
	return sum
}

// Draw sets dst to an observation.
func (g *GaussianMixture) Draw(dst []float64, state int, rng *rand.Rand) {
	g.drawer()(dst, state, rng)
}

func (g *GaussianMixture) drawer() func(dst []float64, state int, rng *rand.Rand) {
	_, m := g.Weights.Dims()
	parts := g.Parts.drawer()
	return func(dst []float64, state int, rng *rand.Rand) {
		parts(dst, state*m+draw(g.Weights.RawRowView(state), rng), rng)
	}
}

// StartGaussianMixture returns a model with mixture outputs to start Baum-Welch
// from: StartGaussian, and k-means++ within each of its clusters for the parts,
// which begin with equal weights. Errors are those of StartGaussian, parts below 1
// or clusters smaller than the number of parts.
func StartGaussianMixture(x []*mat.Dense, states, parts int, kind Kind, rng *rand.Rand) (*Model, error) {
	if parts < 1 {
		return nil, fmt.Errorf("em: parts is %d, must be at least 1", parts)
	}
	c, err := newClusters(x, states, kind, rng)
	if err != nil {
		return nil, err
	}
	m := c.model(x, kind)
	all := *c
	all.centres = nil
	for j := range states {
		var members [][]float64
		for i, l := range c.label {
			if l == j {
				members = append(members, c.rows[i])
			}
		}
		if len(members) < parts {
			return nil, fmt.Errorf("em: a cluster has %d observations, must have at least one for each of %d parts", len(members), parts)
		}
		_, inner := c.split(members, kind, parts, rng)
		all.centres = append(all.centres, inner...)
	}
	weights := mat.NewDense(states, parts, nil)
	vec.Fill(weights.RawMatrix().Data, 1/float64(parts))
	m.Output = &GaussianMixture{Weights: weights, Parts: all.gaussian(kind)}
	return m, nil
}
