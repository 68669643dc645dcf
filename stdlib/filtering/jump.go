package filtering

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// JumpMarkov is a jump Markov linear model: a Markov chain of modes r_t that
// switches between linear Gaussian dynamics,
//
//	P(r_(t+1) = l | r_t = k) = Transition[k,l],
//	x_(t+1) = A_r x_t + v,  v ~ N(0, Q_r),  y_t = C_r x_t + e,  e ~ N(0, R_r),  r = r_t
//
// (Lacoste-Julien et al. 2015, section 4.2, with Q = F F', R = G G'). In a particle
// filter a particle is a row (x, r) with the mode, counted from 0, as its last
// number. [ExactJump] filters exactly, at a cost that grows like modes^T.
type JumpMarkov struct {
	Transition   *mat.Dense
	InitialModes []float64
	Modes        []LinearMode
	InitialMean  []float64
	InitialCov   *mat.SymDense
}

// LinearMode holds the matrices of one mode.
type LinearMode struct {
	A, C *mat.Dense
	Q, R *mat.SymDense
}

// linear returns the model in which mode k lasts for ever.
func (m *JumpMarkov) linear(k int) *LinearGaussian {
	c := m.Modes[k]
	return &LinearGaussian{A: c.A, C: c.C, Q: c.Q, R: c.R, InitialMean: m.InitialMean, InitialCov: m.InitialCov}
}

// Validate returns an error if shapes do not agree or a row of probabilities does
// not sum to one.
func (m *JumpMarkov) Validate() error {
	if m == nil || len(m.Modes) == 0 || m.Transition == nil {
		return fmt.Errorf("filtering: jump model has no modes")
	}
	k := len(m.Modes)
	if r, c := m.Transition.Dims(); r != k || c != k {
		return fmt.Errorf("filtering: transition matrix is %d x %d for %d modes", r, c, k)
	}
	if len(m.InitialModes) != k {
		return fmt.Errorf("filtering: %d initial probabilities for %d modes", len(m.InitialModes), k)
	}
	rows := map[string][]float64{"initial probabilities": m.InitialModes}
	for i := range k {
		rows[fmt.Sprintf("row %d of the transition matrix", i)] = m.Transition.RawRowView(i)
	}
	for name, row := range rows {
		var s float64
		for _, v := range row {
			if !(v >= 0) {
				return fmt.Errorf("filtering: %s has %v, must not be negative", name, v)
			}
			s += v
		}
		if math.Abs(s-1) > 1e-8 {
			return fmt.Errorf("filtering: %s sums to %v, must sum to 1", name, s)
		}
	}
	for i := range m.Modes {
		if err := m.linear(i).Validate(); err != nil {
			return fmt.Errorf("%w (mode %d)", err, i)
		}
		if a, b := m.Modes[i].R.SymmetricDim(), m.Modes[0].R.SymmetricDim(); a != b {
			return fmt.Errorf("filtering: observations have dimension %d in mode %d and %d in mode 0", a, i, b)
		}
	}
	return nil
}

func (m *JumpMarkov) run() (system, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	r := &jumpRun{model: m}
	for _, mode := range m.Modes {
		root, err := covarianceRoot(mode.Q, len(m.InitialMean))
		if err != nil {
			return nil, fmt.Errorf("filtering: %w", err)
		}
		obs, err := newGaussianObservation(mode.C, mode.R)
		if err != nil {
			return nil, err
		}
		r.roots, r.covs, r.obs = append(r.roots, root), append(r.covs, mode.Q), append(r.obs, obs)
	}
	return r, nil
}

// jumpRun is a run of a JumpMarkov model.
type jumpRun struct {
	model *JumpMarkov
	roots []*mat.Dense
	covs  []*mat.SymDense
	obs   []*gaussianObservation
}

func (r *jumpRun) width() int               { return len(r.model.InitialMean) + 1 }
func (r *jumpRun) accept(*mat.Dense, []int) {}

func (r *jumpRun) initial() (*predictive, error) {
	base, err := rkhs.NewNormal(r.model.InitialMean, r.model.InitialCov)
	if err != nil {
		return nil, err
	}
	one := fromMixture(base)
	k := len(r.model.Modes)
	p := new(predictive)
	p.resize(k, len(r.model.InitialMean))
	p.covs, p.roots = one.covs, one.roots
	for l := range k {
		p.w[l] = r.model.InitialModes[l]
		p.means.SetRow(l, r.model.InitialMean)
		p.label = append(p.label, l)
	}
	return p, nil
}

// predict makes one component for each particle and each next mode.
func (r *jumpRun) predict(p *predictive, _ int, X *mat.Dense, w []float64) error {
	n, _ := X.Dims()
	d, k := len(r.model.InitialMean), len(r.model.Modes)
	p.resize(n*k, d)
	p.covs, p.roots = r.covs, r.roots
	p.class, p.label, p.ancestor = p.class[:0], p.label[:0], p.ancestor[:0]
	for i := range n {
		x := X.RawRowView(i)
		mode := int(x[d])
		mean := p.means.RawRowView(i * k)
		for j := range d {
			mean[j] = vec.Dot(r.model.Modes[mode].A.RawRowView(j), x[:d])
		}
		for l := range k {
			c := i*k + l
			p.w[c] = w[i] * r.model.Transition.At(mode, l)
			copy(p.means.RawRowView(c), mean)
			p.class = append(p.class, mode)
			p.label = append(p.label, l)
			p.ancestor = append(p.ancestor, i)
		}
	}
	return nil
}

func (r *jumpRun) logLik(dst []float64, _ int, X *mat.Dense, y []float64) error {
	if p := r.model.Modes[0].R.SymmetricDim(); len(y) != p {
		return fmt.Errorf("filtering: observation has dimension %d, must be %d", len(y), p)
	}
	d := len(r.model.InitialMean)
	white := make([][]float64, len(r.obs))
	for k, o := range r.obs {
		white[k] = o.whiten(y)
	}
	inParallel(len(dst), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			x := X.RawRowView(i)
			k := int(x[d])
			dst[i] = r.obs[k].at(white[k], x)
		}
	})
	return nil
}

// Simulate draws T steps: states (T x d), modes, and observations (T x p).
func (m *JumpMarkov) Simulate(steps int, rng *rand.Rand) (X *mat.Dense, modes []int, Y *mat.Dense, err error) {
	if rng == nil {
		return nil, nil, nil, fmt.Errorf("filtering: rng is nil, must be a source of random numbers")
	}
	if err := m.Validate(); err != nil {
		return nil, nil, nil, err
	}
	if steps < 1 {
		return nil, nil, nil, fmt.Errorf("filtering: number of steps is %d, must be at least 1", steps)
	}
	d, p := len(m.InitialMean), m.Modes[0].R.SymmetricDim()
	X, Y = mat.NewDense(steps, d, nil), mat.NewDense(steps, p, nil)
	x := drawNormal(m.InitialMean, m.InitialCov, rng)
	mode := locate(cumulate(nil, m.InitialModes), rng.Float64())
	for t := range steps {
		X.SetRow(t, x)
		modes = append(modes, mode)
		c := m.Modes[mode]
		Y.SetRow(t, drawNormal(product(c.C, x), c.R, rng))
		x = drawNormal(product(c.A, x), c.Q, rng)
		mode = locate(cumulate(nil, m.Transition.RawRowView(mode)), rng.Float64())
	}
	return X, modes, Y, nil
}

// drawNormal returns a draw from N(mean, cov), whose covariance has been checked.
func drawNormal(mean []float64, cov *mat.SymDense, rng *rand.Rand) []float64 {
	root, err := covarianceRoot(cov, len(mean))
	if err != nil {
		panic(err)
	}
	z := make([]float64, len(mean))
	for i := range z {
		z[i] = rng.NormFloat64()
	}
	x := product(root, z)
	vec.Add(x, x, mean)
	return x
}
