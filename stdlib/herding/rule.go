package herding

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

// Rule is a quadrature rule: N points with weights that stand for a
// distribution p, so that sum_i W[i] f(X[i,:]) approximates E_p f; and the trace
// of how it was built. Entry n-1 of a trace is the state after n steps.
type Rule struct {
	// X holds the points, N x d, in the order in which they were chosen. A point
	// may occur more than once.
	X *mat.Dense
	// W holds the weights.
	W []float64
	// Index[i] is the candidate in the pool that point i is, or that it was
	// refined from; nil if there was no pool.
	Index []int
	// Component[i] is the mixture component of point i; nil if not known.
	Component []int

	// MMD[n-1] is the maximum mean discrepancy between the target and the rule
	// after n steps. Values below about 3e-8 are at the floor of rounding.
	MMD []float64
	// Gap[n-1] is the Frank-Wolfe duality gap found by the search in step n, of
	// the rule before it: MMD^2 is at most that, up to what the pool misses.
	// Nil for methods without one; the first entry is +Inf.
	Gap []float64
	// Step[n-1] is the step size taken in step n; nil for methods without one.
	Step []float64
	// Active[n-1] is the number of points with nonzero weight after step n.
	Active []int
	// Means holds in row n-1 the mean sum_i w_i x_i of the rule after n steps,
	// N x d.
	Means *mat.Dense
	// Stopped says why the rule has fewer points than were asked for; it is
	// empty if it has all.
	Stopped string

	history func(n int) []float64 // weights after n steps
}

// Len returns the number of points.
func (r *Rule) Len() int { return len(r.W) }

// Steps returns the number of steps taken, the length of the traces.
func (r *Rule) Steps() int { return len(r.MMD) }

// Measure returns points and weights as a weighted sample.
func (r *Rule) Measure() rkhs.Measure { return rkhs.Measure{X: r.X, W: r.W} }

// At returns the rule as it was after n steps, 1 <= n <= Steps(). The points
// are shared with the rule; weights are a copy. It panics if n is out of range.
func (r *Rule) At(n int) rkhs.Measure {
	if n < 1 || n > r.Steps() {
		panic(fmt.Sprintf("herding: step is %d, must be from 1 to %d", n, r.Steps()))
	}
	w := r.history(n)
	_, d := r.X.Dims()
	return rkhs.Measure{X: r.X.Slice(0, len(w), 0, d).(*mat.Dense), W: w}
}

// Mean returns sum_i w_i x_i.
func (r *Rule) Mean() []float64 { return r.Measure().Mean() }

// Expect returns the quadrature sum_i w_i f(x_i).
func (r *Rule) Expect(f func(x []float64) float64) float64 { return r.Measure().Expect(f) }

// TotalWeight returns the sum of the weights: 1, but for Bayesian quadrature and
// weighted kernel herding, whose weights are free.
func (r *Rule) TotalWeight() float64 { return r.Measure().TotalWeight() }

// MeanError returns for each step the Euclidean distance between the mean of
// the rule and the given one.
func (r *Rule) MeanError(mean []float64) []float64 {
	n, d := r.Means.Dims()
	if len(mean) != d {
		panic(fmt.Sprintf("herding: mean has length %d, must be %d", len(mean), d))
	}
	out := make([]float64, n)
	for i := range out {
		var s float64
		for j, v := range r.Means.RawRowView(i) {
			s += (v - mean[j]) * (v - mean[j])
		}
		out[i] = math.Sqrt(s)
	}
	return out
}

// Merged returns the rule's points with nonzero weight, each once, with the
// weights of equal candidates added up, and which point of the rule each is
// (its first occurrence). A particle filter evaluates the likelihood once for
// each of these.
func (r *Rule) Merged() (m rkhs.Measure, first []int) {
	at := map[int]int{}
	var w []float64
	for i, v := range r.W {
		if v == 0 {
			continue
		}
		if r.Index != nil {
			if j, seen := at[r.Index[i]]; seen && sameRow(r.X, first[j], i) {
				w[j] += v
				continue
			}
			at[r.Index[i]] = len(first)
		}
		first = append(first, i)
		w = append(w, v)
	}
	_, d := r.X.Dims()
	X := mat.NewDense(max(len(first), 1), d, nil)
	for j, i := range first {
		X.SetRow(j, r.X.RawRowView(i))
	}
	return rkhs.Measure{X: X, W: w}, first
}

func sameRow(X *mat.Dense, i, j int) bool {
	a, b := X.RawRowView(i), X.RawRowView(j)
	for l, v := range a {
		if v != b[l] {
			return false
		}
	}
	return true
}

// builder collects a rule step by step.
type builder struct {
	d         int
	x         []float64
	index     []int
	component []int
	hasComp   bool
	mmd       []float64
	gap, step []float64
	active    []int
	means     []float64
}

func newBuilder(d, n int, hasComponents bool) *builder {
	return &builder{d: d, x: make([]float64, 0, n*d), index: make([]int, 0, n), mmd: make([]float64, 0, n),
		active: make([]int, 0, n), means: make([]float64, 0, n*d), hasComp: hasComponents}
}

// point appends a point and returns where it is stored.
func (b *builder) point(x []float64, index, component int) {
	b.x = append(b.x, x...)
	b.index = append(b.index, index)
	if b.hasComp {
		b.component = append(b.component, component)
	}
}

func (b *builder) len() int { return len(b.index) }

// at returns point i.
func (b *builder) at(i int) []float64 { return b.x[i*b.d : (i+1)*b.d] }

// record appends to the traces.
func (b *builder) record(mmd2, gap, step float64, active int, mean []float64) {
	b.mmd = append(b.mmd, math.Sqrt(math.Max(mmd2, 0)))
	b.gap = append(b.gap, gap)
	b.step = append(b.step, step)
	b.active = append(b.active, active)
	b.means = append(b.means, mean...)
}

// rule ends the construction.
func (b *builder) rule(w []float64, stopped string, history func(n int) []float64) *Rule {
	return &Rule{
		X: mat.NewDense(b.len(), b.d, b.x), W: w, Index: b.index, Component: b.component,
		MMD: b.mmd, Gap: b.gap, Step: b.step, Active: b.active,
		Means: mat.NewDense(len(b.mmd), b.d, b.means), Stopped: stopped, history: history,
	}
}
