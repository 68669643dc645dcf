package rl

import (
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A windows is a batch of pieces of episodes, each of k steps or of fewer up to an
// end.
type windows struct {
	n, k     int
	inputs   *mat.Dense // n k x d: what was seen before each step
	actions  *mat.Dense // n k x dim
	rewards  []float64  // n k
	length   []int      // steps of each
	terminal []bool     // that the end of the episode is terminal and within reach
	episode  []*Episode
	start    []int
}

// starts returns how many windows of k steps begin in an episode: those that fit, and
// near a terminal state those that it cuts short.
func starts(e *Episode, k int) int {
	if e.Terminated {
		return e.Len()
	}
	return max(e.Len()-k+1, 1)
}

// draw fills the batch with n windows of k steps, drawn uniformly.
func (w *windows) draw(episodes []*Episode, n, k int, rng *rand.Rand) {
	ends, total := make([]int, len(episodes)), 0
	for i, e := range episodes {
		total += starts(e, k)
		ends[i] = total
	}
	_, d := episodes[0].Inputs.Dims()
	_, m := episodes[0].Actions.Dims()
	w.n, w.k = n, k
	w.inputs, w.actions = resize(w.inputs, n*k, d), resize(w.actions, n*k, m)
	if len(w.rewards) < n*k || len(w.length) < n {
		w.rewards, w.length, w.terminal = make([]float64, n*k), make([]int, n), make([]bool, n)
		w.episode, w.start = make([]*Episode, n), make([]int, n)
	}
	for i := range n {
		at := rng.IntN(total)
		j, found := slices.BinarySearch(ends, at)
		if found {
			j++
		}
		e := episodes[j]
		start := at - (ends[j] - starts(e, k))
		w.episode[i], w.start[i] = e, start
		w.length[i] = min(k, e.Len()-start)
		w.terminal[i] = e.Terminated && start+w.length[i] == e.Len()
		for t := range k {
			row := i*k + t
			x, a := w.inputs.RawRowView(row), w.actions.RawRowView(row)
			if t >= w.length[i] {
				clear(x)
				clear(a)
				w.rewards[row] = 0
				continue
			}
			copy(x, e.Inputs.RawRowView(start+t))
			copy(a, e.Actions.RawRowView(start+t))
			w.rewards[row] = e.Rewards[start+t]
		}
	}
}
