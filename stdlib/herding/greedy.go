package herding

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/settings"
)

// Selection is the rule by which greedy quadrature with free weights chooses its
// next point. With r(x) = mu_p(x) - k_x' K^-1 z the part of the mean embedding
// that the points so far do not explain, and s(x) = k(x,x) - k_x' K^-1 k_x the
// part of k(x, .) that is new:
type Selection int

const (
	// SBQ is sequential Bayesian quadrature, argmax r^2/s: it lowers the MMD as
	// far as one more point can (equation 7). It is the default.
	SBQ Selection = iota
	// WKH is weighted kernel herding, argmax |r|: orthogonal matching pursuit on
	// the mean embedding, the form that the guarantees are for.
	WKH
	// WKHSigned is argmax r, the linear step of Frank-Wolfe.
	WKHSigned
	// WKHHerding is the form of herding, argmax z - n/(n+1) sum_i w_i k(x_i, .)
	// (Khanna et al. 2021, equation 5 with the factor 2 that is missing there).
	WKHHerding
	// PGreedy is argmax s, space filling: it ignores the target.
	PGreedy
)

var selectionNames = []string{"SBQ", "WKH", "WKH signed", "WKH herding", "P-greedy"}

// String returns the selection's name.
func (s Selection) String() string {
	if s < 0 || int(s) >= len(selectionNames) {
		return fmt.Sprintf("Selection(%d)", int(s))
	}
	return selectionNames[s]
}

// GreedySettings are the settings of [Greedy]. Fields that are zero have the values of
// [DefaultGreedySettings]; None is 0 for Threshold.
type GreedySettings struct {
	// Selection chooses the points. Default SBQ.
	Selection Selection
	// Threshold is the share of k(x, x) that must be new in a point (s(x)) for
	// it to be chosen. Default 1e-10; 1e-8 is better for Fisher kernels. None asks
	// for none.
	Threshold float64
	// Tolerance ends the construction when the MMD is at most this. Default 0.
	Tolerance float64
	// Refine is the largest number of quasi-Newton iterations that move each
	// point from the best candidate to a better place off the pool. Kernel and
	// target must be differentiable. Not for WKHHerding. Default 0.
	Refine int
	// Progress, if not nil, is called with how many points are done, and of how many. The Report method of a
	// display.Progress is such a function.
	Progress func(done, total int)
}

// DefaultGreedySettings returns the settings of sequential Bayesian quadrature
// with threshold 1e-10.
func DefaultGreedySettings() *GreedySettings {
	return &GreedySettings{Selection: SBQ, Threshold: 1e-10}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *GreedySettings) WithDefaults() *GreedySettings {
	return settings.Fill(s, DefaultGreedySettings())
}

// resolve returns the settings in effect, None as 0.
func (s *GreedySettings) resolve() *GreedySettings {
	out := s.WithDefaults()
	settings.Clear(&out.Threshold)
	return out
}

// Greedy builds a rule of n points with free weights w = K^-1 z, the best there
// are for the points: its squared MMD |mu_p|^2 - z'K^-1 z is the variance of the
// integral in Bayesian quadrature (Khanna, Hodgkinson & Mahoney 2021, Algorithm
// 1). A nil settings means [DefaultGreedySettings].
//
// Weights may be negative and need not sum to one; if |mu_p| is small (high
// dimension, small bandwidth) they shrink towards zero, which lowers the MMD and
// ruins expectations of ordinary functions. Look at [Rule.TotalWeight], and
// compare with methods on the simplex after [Reweight].
//
// If the target is a combination of r candidates, the squared MMD falls
// exponentially in n / r (theorem 2). The rule has fewer than n points if the
// pool's numerical rank is reached; Stopped then says so.
//
// Cost O(n^2 M) in all. SBQ and PGreedy keep n rows of M numbers, the Newton
// basis on the pool; the WKH forms need memory O(M + n^2) only.
func Greedy(ctx context.Context, pool *Pool, n int, settings *GreedySettings) (*Rule, error) {
	settings = settings.resolve()
	if pool == nil {
		return nil, fmt.Errorf("herding: pool is nil")
	}
	if n < 1 {
		return nil, fmt.Errorf("herding: number of points is %d, must be at least 1", n)
	}
	if s := settings.Selection; s < SBQ || s > PGreedy {
		return nil, fmt.Errorf("herding: selection is %v, must be one of the five of this package", s)
	}
	if !(settings.Threshold >= 0) {
		return nil, fmt.Errorf("herding: threshold is %v, must not be negative", settings.Threshold)
	}
	if !(settings.Tolerance >= 0) {
		return nil, fmt.Errorf("herding: tolerance is %v, must not be negative", settings.Tolerance)
	}
	if settings.Refine < 0 || (settings.Refine > 0 && settings.Selection == WKHHerding) {
		return nil, fmt.Errorf("herding: number of refinements is %d with %v, must not be negative, and 0 with %v", settings.Refine, settings.Selection, WKHHerding)
	}
	_, d := pool.X.Dims()
	g := &greedy{settings: settings, pool: pool, out: newBuilder(d, n, pool.Component != nil),
		mmd2: pool.norm2, mean: make([]float64, d)}
	g.skip = make([]bool, pool.Len())
	if settings.Refine > 0 {
		var err error
		if g.refine, err = newRefiner(pool); err != nil {
			return nil, err
		}
	}
	if settings.Selection == SBQ || settings.Selection == PGreedy {
		return g.run(ctx, n, newNewtonBasis(g, n))
	}
	return g.run(ctx, n, newResidual(g))
}

// greedy is one construction. The factor L of the Gram matrix of its points and
// y = L^-1 z serve all prefixes: the weights of the first n points solve
// L_n' w = y_n, and the squared MMD falls by y_n^2 with each.
type greedy struct {
	settings *GreedySettings
	pool     *Pool
	out      *builder
	factor   cholesky
	y        []float64
	mmd2     float64
	mean     []float64
	white    [][]float64 // rows of L^-1 X
	skip     []bool      // chosen, or explained by the chosen
	refine   *refiner
}

// scorer keeps what a selection needs to know of every candidate.
type scorer interface {
	// best returns the candidate with the highest score, -1 if none is left.
	best() int
	// row returns L^-1 k(points, candidate) and the pivot s(candidate).
	row(i int) ([]float64, float64)
	// broken says whether a kernel value was NaN.
	broken() bool
	// add takes a chosen point, once factor and y have it: where it is,
	// L^-1 k(earlier points, point), and the pivot.
	add(x, solved []float64, pivot float64)
}

func (g *greedy) run(ctx context.Context, n int, s scorer) (*Rule, error) {
	stopped := ""
	for g.out.len() < n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		i := s.best()
		if i < 0 {
			stopped = "the numerical rank of the pool is reached"
			break
		}
		v := vertex{x: g.pool.X.RawRowView(i), index: i, z: g.pool.z[i], q: g.pool.diag[i]}
		solved, pivot := s.row(i)
		if !(pivot > g.settings.Threshold*v.q) {
			g.skip[i] = true
			continue
		}
		if w, ok := g.refined(v, solved, pivot); ok {
			v = w
			solved, pivot = g.project(v)
		} else {
			g.skip[i] = true
		}
		g.take(v, solved, pivot)
		k := g.out.len()
		if p := g.settings.Progress; p != nil {
			p(k, n)
		}
		if t := g.settings.Tolerance; t > 0 && g.out.mmd[k-1] <= t {
			stopped = "the MMD is within the tolerance"
			break
		}
		if k < n {
			s.add(v.x, solved, pivot)
		}
	}
	if s.broken() || math.IsNaN(g.mmd2) {
		return nil, errBroken
	}
	if g.out.len() == 0 {
		return nil, fmt.Errorf("herding: k(x, x) is 0 at every candidate")
	}
	r := g.out.rule(g.weights(len(g.y)), stopped, g.weights)
	r.Gap, r.Step = nil, nil
	return r, nil
}

// take appends a point to factor, y and rule.
func (g *greedy) take(v vertex, solved []float64, pivot float64) {
	beta := v.z
	for j, l := range solved {
		beta -= l * g.y[j]
	}
	beta /= math.Sqrt(pivot)
	g.factor.extend(solved, pivot)
	g.y = append(g.y, beta)
	g.mmd2 -= beta * beta
	c := 0
	if g.pool.Component != nil {
		c = g.pool.Component[v.index]
	}
	g.out.point(v.x, v.index, c)
	// The mean X'w = X'L^-T y grows by y_n times the new row of L^-1 X.
	row := append([]float64(nil), v.x...)
	for j, l := range solved {
		asm.Axpy(row, -l, g.white[j])
	}
	asm.Scale(row, 1/math.Sqrt(pivot), row)
	g.white = append(g.white, row)
	asm.Axpy(g.mean, beta, row)
	g.out.record(g.mmd2, 0, 0, len(g.y), g.mean)
}

// project returns L^-1 k(points, v) and the pivot s(v).
func (g *greedy) project(v vertex) ([]float64, float64) {
	n := len(g.y)
	solved := make([]float64, n)
	for j := range n {
		solved[j] = g.pool.target.Kernel().Eval(g.out.at(j), v.x)
	}
	return solved, g.factor.pivot(solved, solved, v.q)
}

// weights solves L_n' w = y_n.
func (g *greedy) weights(n int) []float64 {
	w := make([]float64, n)
	prefix := cholesky{rows: g.factor.rows[:n]}
	prefix.solveUpper(w, g.y)
	return w
}

// residual keeps sum_i w_i k(x_i, .) on the pool for the present weights, from
// which r follows; kernel values are computed again in every step.
type residual struct {
	g      *greedy
	search *search
}

func (e *residual) broken() bool { return e.search.broken }

func newResidual(g *greedy) *residual {
	e := &residual{g: g, search: newSearch(g.pool)}
	e.search.skip = g.skip
	e.search.absolute = g.settings.Selection == WKH
	e.search.start()
	return e
}

func (e *residual) best() int {
	return e.search.best()
}

func (e *residual) row(i int) ([]float64, float64) {
	solved, pivot := e.g.project(vertex{x: e.g.pool.X.RawRowView(i), q: e.g.pool.diag[i]})
	if !(pivot > e.g.settings.Threshold*e.g.pool.diag[i]) {
		// It will be skipped; the next best comes from the same scores.
		e.g.skip[i] = true
		e.search.start()
	}
	return solved, pivot
}

func (e *residual) add(_, _ []float64, _ float64) {
	n := len(e.g.y)
	if e.g.settings.Selection == WKHHerding {
		e.search.factor = float64(n) / float64(n+1)
	}
	d := e.g.out.d
	e.search.rebuild(mat.NewDense(n, d, e.g.out.x[:n*d]), e.g.weights(n))
}
