package herding

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"gaucho/stdlib/internal/settings"
)

// Step is the way in which Frank-Wolfe quadrature chooses its weights.
type Step int

const (
	// Fixed is the step 1/(k+1): all weights equal. This is kernel herding.
	Fixed Step = iota
	// Open is the standard open-loop step 2/(k+2): the i-th of N points has a
	// weight proportional to i.
	Open
	// LineSearch takes the step that minimises the MMD.
	LineSearch
	// FullyCorrective minimises the MMD over the weights of all points chosen
	// so far, in every step.
	FullyCorrective
	// AwaySteps is line search that may also move away from a point it has,
	// and drop it.
	AwaySteps
	// Pairwise moves weight from the worst point it has to the best candidate.
	Pairwise
)

var stepNames = []string{"fixed", "open", "line search", "fully corrective", "away steps", "pairwise"}

// String returns the step's name.
func (s Step) String() string {
	if s < 0 || int(s) >= len(stepNames) {
		return fmt.Sprintf("Step(%d)", int(s))
	}
	return stepNames[s]
}

// Settings are the settings of [FrankWolfe]. Fields that are zero have the values of
// [DefaultSettings].
type Settings struct {
	// Step chooses the weights. Default Fixed.
	Step Step
	// Repulsion, with Step Fixed, multiplies the repulsion of earlier points by
	// k/(k+1), as kernel herding was first written (Chen et al. 2010; Khanna et
	// al. 2021, equation 5). The difference to Frank-Wolfe is O(1/k). Default
	// false.
	Repulsion bool
	// Distinct, with Step Fixed or Open, never chooses a candidate twice, so that
	// the rule is a subset of the pool. Default false.
	Distinct bool
	// Tolerance ends the construction when the MMD is at most this. Default 0.
	Tolerance float64
	// Refine is the largest number of quasi-Newton iterations that move each
	// point from the best candidate to a better place off the pool. Kernel and
	// target must be differentiable. Not for AwaySteps and Pairwise. Default 0.
	Refine int
	// KeepRows makes FullyCorrective keep the kernel values of its points at
	// all candidates, N x M numbers, instead of computing them again in every
	// step: worth its memory when one kernel evaluation costs more than
	// reading a number, as for a kernel written in a notebook cell. Default
	// false.
	KeepRows bool
	// Progress, if not nil, is called with how many steps are done, and of how many. The Report method of a
	// display.Progress is such a function.
	Progress func(done, total int)
}

// DefaultSettings returns the settings of kernel herding: fixed steps, no
// refinement.
func DefaultSettings() *Settings { return &Settings{} }

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *Settings) WithDefaults() *Settings { return settings.Fill(s, DefaultSettings()) }

// roundoff is the squared distance, in units of the kernel, below which an
// objective is rounding noise and the construction stops: 100 eps on MMD^2/2.
const roundoff = 4.4e-14

// FrankWolfe builds a quadrature rule of n points for the pool's target by
// Frank-Wolfe steps on the squared MMD: each step adds the candidate that
// minimises <g - mu_p, k(., x)> for the present rule g (Lacoste-Julien et al.
// 2015, Algorithm 1). Weights lie on the probability simplex. The first step has
// size one in every variant. A nil settings means [DefaultSettings].
//
// The MMD falls like O(1/sqrt(n)) in general, and like 1/n (Fixed) or
// exponentially (the others) where the space has finite dimension. In the
// spaces of Gaussian kernels much faster rates than the first are usual, and
// proved by nobody.
//
// Steps cost O(M d) each, except FullyCorrective: O(k M d) for step k, and the
// solution of a quadratic program from a warm start, O(k^2) usually. Refine adds
// O(k d) an iteration to step k. Memory O(M + n d), and O(n^2) for
// FullyCorrective, AwaySteps and Pairwise, which keep the weights of every step.
//
// The rule may have fewer than n points; Stopped then says why. FullyCorrective
// stops when the search returns a point it already has or that lies in the
// affine span of the others up to rounding, or when the MMD is at the floor of
// rounding; AwaySteps and Pairwise count steps, which need not each add a point.
func FrankWolfe(ctx context.Context, pool *Pool, n int, settings *Settings) (*Rule, error) {
	settings = settings.WithDefaults()
	if pool == nil {
		return nil, fmt.Errorf("herding: pool is nil")
	}
	if n < 1 {
		return nil, fmt.Errorf("herding: number of points is %d, must be at least 1", n)
	}
	if math.IsNaN(settings.Tolerance) || settings.Tolerance < 0 {
		return nil, fmt.Errorf("herding: tolerance is %v, must not be negative", settings.Tolerance)
	}
	if settings.Refine < 0 {
		return nil, fmt.Errorf("herding: number of refinements is %d, must not be negative", settings.Refine)
	}
	if settings.Repulsion && settings.Step != Fixed {
		return nil, fmt.Errorf("herding: repulsion is set for %v steps, must be for fixed steps only", settings.Step)
	}
	if settings.Distinct && settings.Step != Fixed && settings.Step != Open {
		return nil, fmt.Errorf("herding: distinct points are asked for with %v steps, must be fixed or open ones", settings.Step)
	}
	w := &frankWolfe{settings: settings, pool: pool, search: newSearch(pool), steps: n}
	if settings.Distinct {
		w.search.skip = make([]bool, pool.Len())
	}
	_, d := pool.X.Dims()
	w.out = newBuilder(d, n, pool.Component != nil)
	w.mean = make([]float64, d)
	if settings.Refine > 0 {
		var err error
		if w.refine, err = newRefiner(pool); err != nil {
			return nil, err
		}
	}
	if (settings.Step == AwaySteps || settings.Step == Pairwise) && settings.Refine > 0 {
		return nil, fmt.Errorf("herding: refinements are set for %v, must be 0", settings.Step)
	}
	var r *Rule
	var err error
	switch settings.Step {
	case Fixed, Open, LineSearch:
		r, err = w.simple(ctx, n)
	case FullyCorrective:
		r, err = w.corrective(ctx, n)
	case AwaySteps, Pairwise:
		r, err = w.away(ctx, n)
	default:
		return nil, fmt.Errorf("herding: step is %v, must be one of the six of this package", settings.Step)
	}
	if w.search.broken {
		return nil, errBroken
	}
	return r, err
}

// errBroken ends a construction in which a kernel value was no number.
var errBroken = errors.New("herding: kernel between a point and a candidate is NaN, must be finite")

// frankWolfe is one construction.
type frankWolfe struct {
	steps    int // that are asked for
	settings *Settings
	pool     *Pool
	search   *search
	refine   *refiner
	out      *builder

	a, b float64   // |g|^2 and <g, mu_p>
	mean []float64 // sum_i w_i x_i
	z    []float64 // mean embedding at the rule's points
}

// mmd2 returns the squared MMD of the present rule.
func (f *frankWolfe) mmd2() float64 { return f.pool.norm2 - 2*f.b + f.a }

// vertex is a point that may be added: its place, and G, z and k(x, x) there.
type vertex struct {
	x       []float64
	index   int
	g, z, q float64
}

// candidate returns candidate i as a vertex.
func (f *frankWolfe) candidate(i int) vertex {
	return vertex{x: f.pool.X.RawRowView(i), index: i, g: f.search.g[i], z: f.pool.z[i], q: f.pool.diag[i]}
}

// next returns the vertex of the next step, refined if that is asked for; false
// if no candidate is left.
func (f *frankWolfe) next(atoms [][]float64, w []float64) (vertex, bool) {
	i := f.search.best()
	if i < 0 {
		return vertex{}, false
	}
	v := f.candidate(i)
	if f.refine != nil {
		v = f.refine.improve(v, atoms, w, f.search.factor, f.settings.Refine)
	}
	return v, true
}

// accept appends the vertex to the rule's points.
func (f *frankWolfe) accept(v vertex) {
	c := 0
	if f.pool.Component != nil {
		c = f.pool.Component[v.index]
	}
	f.out.point(v.x, v.index, c)
	f.z = append(f.z, v.z)
}

// report calls the progress function.
func (f *frankWolfe) report() {
	if f.settings.Progress != nil {
		f.settings.Progress(len(f.out.mmd), f.steps)
	}
}

// reached says whether the tolerance is met.
func (f *frankWolfe) reached() bool {
	t := f.settings.Tolerance
	return t > 0 && f.out.mmd[len(f.out.mmd)-1] <= t
}

// simple runs the variants whose step only mixes the rule with the new point:
// g <- (1-s) g + s k(., x).
func (f *frankWolfe) simple(ctx context.Context, n int) (*Rule, error) {
	var atoms [][]float64
	var w []float64 // kept for refinement only
	stopped := ""
	f.search.start()
	for k := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v, ok := f.next(atoms, w)
		if !ok {
			stopped = "no candidate is left"
			break
		}
		gap := f.a - v.g - f.b + v.z
		if k == 0 {
			gap = math.Inf(1)
		}
		s, done := f.stepSize(k, v, gap)
		if done {
			stopped = "the MMD is at the floor of rounding"
			break
		}
		f.accept(v)
		if f.settings.Distinct {
			f.search.skip[v.index] = true
		}
		f.a = (1-s)*(1-s)*f.a + 2*s*(1-s)*v.g + s*s*v.q
		f.b = (1-s)*f.b + s*v.z
		for j := range f.mean {
			f.mean[j] = (1-s)*f.mean[j] + s*v.x[j]
		}
		if f.refine != nil {
			for i := range w {
				w[i] *= 1 - s
			}
			w = append(w, s)
			atoms = append(atoms, f.out.at(k))
		}
		f.out.record(f.mmd2(), gap, s, k+1, f.mean)
		f.report()
		if k+1 < n && f.reached() {
			stopped = "the MMD is within the tolerance"
			break
		}
		if f.settings.Repulsion {
			f.search.factor = float64(k+1) / float64(k+2)
		}
		if k+1 < n {
			f.search.step(1-s, s, v.x)
			f.recompute(k + 1)
		}
	}
	steps := f.out.step
	history := func(n int) []float64 { return mixedWeights(steps[:n]) }
	if f.settings.Step == Fixed {
		history = equalWeights
	}
	return f.out.rule(history(f.out.len()), stopped, history), nil
}

// stepSize returns the size of step k and whether the construction has
// converged. Line search minimises |(1-s) g + s k(., x) - mu_p|. If the search
// finds no descent although the rule is not at the target, which a poor pool can
// cause, a step of fixed size moves on.
func (f *frankWolfe) stepSize(k int, v vertex, gap float64) (s float64, done bool) {
	switch {
	case k == 0:
		return 1, false
	case f.settings.Step == Fixed:
		return 1 / float64(k+1), false
	case f.settings.Step == Open:
		return 2 / float64(k+2), false
	}
	const eps = 2e-16
	if gap < eps*v.q {
		if f.mmd2() < 2*eps*v.q {
			return 0, true
		}
		return 1 / float64(k+1), false
	}
	return lineSearch(gap, f.a-2*v.g+v.q), false
}

// lineSearch returns gap/length2 cut to [0, 1]: the minimiser along a segment of
// squared length length2 with initial slope -gap.
func lineSearch(gap, length2 float64) float64 {
	if !(gap > 0) {
		return 0
	}
	if gap >= length2 {
		return 1
	}
	return gap / length2
}

// recompute replaces |g|^2 and <g, mu_p> by fresh sums over the k points so far, so that rounding does not pile up in
// long constructions: every 1,000 steps in O(k), with G at the points, which are candidates. (G on the pool needs no
// such care: each step shrinks what is wrong with it.) Refined points are none, so their pairs are summed, O(k^2 d), at
// 1,000, 2,000, 4,000, ... steps.
func (f *frankWolfe) recompute(k int) {
	if k%1000 != 0 || f.refine != nil && bits.OnesCount(uint(k/1000)) != 1 {
		return
	}
	w := mixedWeights(f.out.step)
	kernel := f.pool.target.Kernel()
	f.a, f.b = 0, 0
	for i := range k {
		f.b += w[i] * f.z[i]
		if f.refine == nil {
			f.a += w[i] * f.search.g[f.out.index[i]]
			continue
		}
		var s float64
		for j := range i {
			s += 2 * w[j] * kernel.Eval(f.out.at(i), f.out.at(j))
		}
		f.a += w[i] * (s + w[i]*kernel.Eval(f.out.at(i), f.out.at(i)))
	}
}

// mixedWeights returns the weights after steps of the given sizes.
func mixedWeights(steps []float64) []float64 {
	w := make([]float64, len(steps))
	left := 1.0
	for i := len(steps) - 1; i >= 0; i-- {
		w[i] = steps[i] * left
		left *= 1 - steps[i]
	}
	return w
}

func equalWeights(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1 / float64(n)
	}
	return w
}
