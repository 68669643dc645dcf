package filtering

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

// Result is what a filter found on T observations.
type Result struct {
	// Means holds the filtered mean of step t in row t-1, T x d.
	Means *mat.Dense
	// LinearMeans holds those of the linear part of a [ConditionallyLinear]
	// model; nil for others.
	LinearMeans *mat.Dense
	// LogLikelihood estimates log p(y_1, ..., y_T), Increments[t-1] its part
	// log p(y_t | y_1, ..., y_(t-1)).
	LogLikelihood float64
	Increments    []float64
	// EffectiveSize[t-1] is the effective sample size, Active[t-1] the number of
	// particles, at step t.
	EffectiveSize []float64
	Active        []int
	// MMD[t-1] is herding's error at step t, NaN for other filters.
	MMD []float64
	// Evaluations is the number of likelihoods evaluated.
	Evaluations int
	// History is nil unless the settings ask for it.
	History *History
}

// History holds the particles of all steps. Entry t-1 belongs to step t.
type History struct {
	// X[t-1] holds the particles (n_t x d), W[t-1] their filtering weights,
	// Rule[t-1] their weights before the observation, Ancestor[t-1][i] the
	// particle of the step before that particle i comes from.
	X        []*mat.Dense
	W, Rule  [][]float64
	Ancestor [][]int
}

// Filtered returns the weighted particles of the filtering distribution at step
// t, from 1.
func (h *History) Filtered(t int) rkhs.Measure { return rkhs.Measure{X: h.X[t-1], W: h.W[t-1]} }

// Predictive returns the weighted particles of the predictive distribution of
// x_t given the observations before t.
func (h *History) Predictive(t int) rkhs.Measure {
	return rkhs.Measure{X: h.X[t-1], W: h.Rule[t-1]}
}

// Trajectory returns the ancestors of particle i of step t: row s-1 is its state
// at step s, t x d.
func (h *History) Trajectory(t, i int) *mat.Dense {
	_, d := h.X[0].Dims()
	out := mat.NewDense(t, d, nil)
	for s := t; s >= 1; s-- {
		out.SetRow(s-1, h.X[s-1].RawRowView(i))
		i = h.Ancestor[s-1][i]
	}
	return out
}

// keep appends a copy of the filter's particles.
func (h *History) keep(f *Filter) {
	h.X = append(h.X, mat.DenseCopyOf(f.x))
	h.W = append(h.W, append([]float64(nil), f.w...))
	h.Rule = append(h.Rule, append([]float64(nil), f.quad...))
	h.Ancestor = append(h.Ancestor, append([]int(nil), f.ancestor...))
}

// Run filters the observations, the rows of Y (T x p), with the given model. A
// nil settings means [DefaultSettings]: the bootstrap filter with 100 particles.
//
// One step costs O(N d^2) for MonteCarlo and Sobol, O(N (d^2 + log N)) for
// SequentialQMC, O(N M d) for Herding with steps other than FullyCorrective,
// O(N^2 M d) with that, and N likelihoods for all.
//
// A [DegenerateError] says that an observation was impossible for all particles.
// The results up to then come with any error.
func Run(ctx context.Context, model System, Y *mat.Dense, settings *Settings, rng *rand.Rand) (*Result, error) {
	if Y == nil || Y.IsEmpty() {
		return nil, fmt.Errorf("filtering: there are no observations")
	}
	f, err := NewFilter(model, settings, rng)
	if err != nil {
		return nil, err
	}
	steps, _ := Y.Dims()
	_, d := f.x.Dims()
	out := &Result{Means: mat.NewDense(steps, d, nil)}
	if f.settings.History {
		out.History = new(History)
	}
	for t, err := range f.Steps(ctx, Y) {
		if err != nil {
			out.cut(d)
			return out, err
		}
		f.meanTo(out.Means.RawRowView(t - 1))
		if l := f.LinearMean(); l != nil {
			if out.LinearMeans == nil {
				out.LinearMeans = mat.NewDense(steps, len(l), nil)
			}
			out.LinearMeans.SetRow(t-1, l)
		}
		out.Increments = append(out.Increments, f.Increment())
		out.EffectiveSize = append(out.EffectiveSize, f.EffectiveSize())
		out.Active = append(out.Active, len(f.w))
		out.MMD = append(out.MMD, f.mmd)
		out.LogLikelihood, out.Evaluations = f.logEvidence, f.evaluations
		if out.History != nil {
			out.History.keep(f)
		}
		if f.settings.Progress != nil {
			f.settings.Progress(t, steps)
		}
	}
	return out, nil
}

// cut leaves in means of dimension d the steps that there were.
func (r *Result) cut(d int) {
	steps := len(r.Increments)
	if steps == 0 {
		r.Means, r.LinearMeans = &mat.Dense{}, nil
		return
	}
	r.Means = r.Means.Slice(0, steps, 0, d).(*mat.Dense)
	if r.LinearMeans != nil {
		_, c := r.LinearMeans.Dims()
		r.LinearMeans = r.LinearMeans.Slice(0, steps, 0, c).(*mat.Dense)
	}
}
