package filtering

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// JumpResult is what [ExactJump] finds on T observations.
type JumpResult struct {
	// Means holds the filtered mean of x_t, Modes the filtered probabilities of
	// the modes, in row t-1: T x d and T x K.
	Means, Modes *mat.Dense
	// LogLikelihood is log p(y_1, ..., y_T); Increments are its parts.
	LogLikelihood float64
	Increments    []float64
	// Branches[t-1] is the number of Kalman filters at step t.
	Branches []int
}

// branch is the Kalman filter of one sequence of modes.
type branch struct {
	belief belief
	mode   int
	logw   float64
}

// ExactJump filters exactly, with one Kalman filter for each sequence of modes:
// K^T of them, a mixture of Kalman filters. If limit is positive only that many
// branches with the largest weights are kept after each step, and the result is
// approximate from the first cut on; limit 0 keeps all, up to 2^20. Cost
// O(K^T d^3).
func ExactJump(ctx context.Context, m *JumpMarkov, Y *mat.Dense, limit int) (*JumpResult, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if err := checkObservations(Y, m.Modes[0].R.SymmetricDim()); err != nil {
		return nil, err
	}
	if limit < 0 {
		return nil, fmt.Errorf("filtering: limit is %d, must not be negative", limit)
	}
	steps, _ := Y.Dims()
	k, d := len(m.Modes), len(m.InitialMean)
	if n := vec.Pow1(float64(k), float64(steps)); limit == 0 && n > 1<<20 {
		return nil, fmt.Errorf("filtering: %d modes and %d steps make %.3g branches, must be at most %d without a limit", k, steps, n, 1<<20)
	}
	out := &JumpResult{Means: mat.NewDense(steps, d, nil), Modes: mat.NewDense(steps, k, nil)}
	var branches []branch
	for t := 1; t <= steps; t++ {
		var next []branch
		if t == 1 {
			for l, p := range m.InitialModes {
				next = append(next, branch{belief{m.InitialMean, m.InitialCov}, l, vec.Log1(p)})
			}
		}
		for _, b := range branches {
			predicted := b.belief.predict(m.Modes[b.mode].A, m.Modes[b.mode].Q)
			for l := range k {
				next = append(next, branch{predicted, l, b.logw + vec.Log1(m.Transition.At(b.mode, l))})
			}
		}
		for i := range next {
			if i%256 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			b := &next[i]
			if math.IsInf(b.logw, -1) {
				continue
			}
			mode := m.Modes[b.mode]
			updated, l, err := b.belief.update(mode.C, mode.R, Y.RawRowView(t-1), product(mode.C, b.belief.mean))
			if err != nil {
				return nil, fmt.Errorf("filtering: step %d: %w", t, err)
			}
			b.belief, b.logw = updated, b.logw+l
		}
		branches = out.record(t, next, limit)
	}
	return out, nil
}

// record normalises the weights of the branches, adds up means and mode
// probabilities, and cuts to the limit.
func (r *JumpResult) record(t int, branches []branch, limit int) []branch {
	logw := make([]float64, len(branches))
	for i, b := range branches {
		logw[i] = b.logw
	}
	total := vec.LogSumExp(logw)
	r.Increments = append(r.Increments, total)
	r.LogLikelihood += total
	r.Branches = append(r.Branches, len(branches))
	mean, modes := r.Means.RawRowView(t-1), r.Modes.RawRowView(t-1)
	for i := range branches {
		b := &branches[i]
		b.logw -= total
		w := vec.Exp1(b.logw)
		modes[b.mode] += w
		vec.Axpy(mean, w, b.belief.mean)
	}
	if limit > 0 && len(branches) > limit {
		slices.SortStableFunc(branches, func(a, b branch) int {
			switch {
			case a.logw > b.logw:
				return -1
			case a.logw < b.logw:
				return 1
			}
			return 0
		})
		branches = branches[:limit]
		kept := vec.LogSumExp(func() []float64 {
			out := make([]float64, limit)
			for i, b := range branches {
				out[i] = b.logw
			}
			return out
		}())
		for i := range branches {
			branches[i].logw -= kept
		}
	}
	return branches
}
