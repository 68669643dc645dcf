package herding

import (
	"context"
	"math"
)

// background is the context of calls that are too short to be cancelled.
var background = context.Background()

// away runs the variants that can take weight from points again. In each step,
// with s the best candidate and v the point of the rule with the largest
// gradient, AwaySteps moves towards s or away from v, whichever is steeper;
// Pairwise moves weight from v to s. Both search the step exactly and drop v when
// its weight is used up.
func (f *frankWolfe) away(ctx context.Context, n int) (*Rule, error) {
	kernel := f.pool.target.Kernel()
	var w []float64
	at := map[int]int{} // candidate to point
	var history [][]float64
	stopped := ""
	f.search.start()
	for k := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s, ok := f.next(nil, nil)
		if !ok {
			stopped = "no candidate is left"
			break
		}
		if k == 0 {
			f.accept(s)
			at[s.index] = 0
			w = []float64{1}
			f.a, f.b = s.q, s.z
			f.search.step(0, 1, s.x)
			f.finish(w, &history, math.Inf(1), 1)
			continue
		}
		gap := f.a - s.g - f.b + s.z
		v := f.worst(w)
		pos := at[v.index]
		awayGap := v.g - f.a - v.z + f.b
		if gap < 2e-16*s.q {
			stopped = "the MMD is as small as the pool allows"
			if f.mmd2() < roundoff*s.q {
				stopped = "the MMD is at the floor of rounding"
			}
			break
		}
		var step float64
		if f.settings.Step == Pairwise {
			if s.index == v.index {
				stopped = "the MMD is as small as the pool allows"
				break
			}
			kvs := kernel.Eval(s.x, v.x)
			slope, length2 := gap+awayGap, s.q-2*kvs+v.q
			limit := w[pos]
			step = math.Min(slope/length2, limit)
			to := f.enter(s, at, &w)
			w[to] += step
			w[pos] -= step
			if step == limit {
				w[pos] = 0
			}
			f.a += 2*step*(s.g-v.g) + step*step*length2
			f.b += step * (s.z - v.z)
			f.search.swap(step, s.x, v.x)
		} else if gap >= awayGap {
			step = lineSearch(gap, f.a-2*s.g+s.q)
			to := f.enter(s, at, &w)
			for i := range w {
				w[i] *= 1 - step
			}
			w[to] += step
			f.a = (1-step)*(1-step)*f.a + 2*step*(1-step)*s.g + step*step*s.q
			f.b = (1-step)*f.b + step*s.z
			f.search.step(1-step, step, s.x)
		} else {
			limit := w[pos] / (1 - w[pos])
			step = math.Min(awayGap/(f.a-2*v.g+v.q), limit)
			for i := range w {
				w[i] *= 1 + step
			}
			w[pos] -= step
			if step == limit {
				w[pos] = 0
			}
			f.a = (1+step)*(1+step)*f.a - 2*step*(1+step)*v.g + step*step*v.q
			f.b = (1+step)*f.b - step*v.z
			f.search.step(1+step, -step, v.x)
			step = -step
		}
		f.finish(w, &history, gap, step)
		if k+1 < n && f.reached() {
			stopped = "the MMD is within the tolerance"
			break
		}
	}
	last := append([]float64(nil), history[len(history)-1]...)
	return f.out.rule(last, stopped, func(n int) []float64 {
		return append([]float64(nil), history[n-1]...)
	}), nil
}

// enter returns the position of a vertex among the points, as a new point if
// need be.
func (f *frankWolfe) enter(s vertex, at map[int]int, w *[]float64) int {
	if i, seen := at[s.index]; seen {
		return i
	}
	f.accept(s)
	at[s.index] = len(*w)
	*w = append(*w, 0)
	return len(*w) - 1
}

// worst returns the point with nonzero weight whose gradient is largest.
func (f *frankWolfe) worst(w []float64) vertex {
	best, at := math.Inf(-1), 0
	for i, v := range w {
		c := f.out.index[i]
		if g := f.search.g[c] - f.pool.z[c]; v > 0 && g > best {
			best, at = g, c
		}
	}
	return f.candidate(at)
}

// finish records a step.
func (f *frankWolfe) finish(w []float64, history *[][]float64, gap, step float64) {
	clear(f.mean)
	active := 0
	for i, v := range w {
		if v == 0 {
			continue
		}
		active++
		for j, x := range f.out.at(i) {
			f.mean[j] += v * x
		}
	}
	*history = append(*history, append([]float64(nil), w...))
	f.out.record(f.mmd2(), gap, step, active, f.mean)
	f.report()
}
