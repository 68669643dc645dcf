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
	r := &reducible{frankWolfe: f, at: map[int]int{}}
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
			r.first(s)
			continue
		}
		if stopped = r.step(s); stopped != "" {
			break
		}
		f.report()
		if k+1 < n && f.reached() {
			stopped = "the MMD is within the tolerance"
			break
		}
	}
	last := append([]float64(nil), r.history[len(r.history)-1]...)
	return f.out.rule(last, stopped, func(n int) []float64 {
		return append([]float64(nil), r.history[n-1]...)
	}), nil
}

// reducible is a rule whose points can lose their weight.
type reducible struct {
	*frankWolfe
	w       []float64
	at      map[int]int // candidate to point
	history [][]float64
}

// first makes s the only point.
func (r *reducible) first(s vertex) {
	r.w[r.enter(s)] = 1
	r.a, r.b = s.q, s.z
	r.search.step(0, 1, s.x)
	r.finish(math.Inf(1), 1)
	r.report()
}

// step does one step with s the best candidate, or says why there is none.
func (r *reducible) step(s vertex) (stopped string) {
	gap := r.a - s.g - r.b + s.z
	v := r.worst()
	awayGap := v.g - r.a - v.z + r.b
	if gap < 2e-16*s.q || (r.settings.Step == Pairwise && s.index == v.index) {
		if r.mmd2() < roundoff*s.q {
			return "the MMD is at the floor of rounding"
		}
		return "the MMD is as small as the pool allows"
	}
	var step float64
	switch {
	case r.settings.Step == Pairwise:
		step = r.move(v, s, gap+awayGap)
	case gap >= awayGap:
		step = r.towards(s, gap)
	default:
		step = -r.from(v, awayGap)
	}
	r.finish(gap, step)
	return ""
}

// move takes weight from v and gives it to s.
func (r *reducible) move(v, s vertex, slope float64) float64 {
	i := r.at[v.index]
	length2 := s.q - 2*r.pool.target.Kernel().Eval(s.x, v.x) + v.q
	step := math.Min(slope/length2, r.w[i])
	r.w[r.enter(s)] += step
	r.w[i] -= step // exactly 0 if the step is the weight
	r.a += 2*step*(s.g-v.g) + step*step*length2
	r.b += step * (s.z - v.z)
	r.search.swap(step, s.x, v.x)
	return step
}

// towards mixes the rule with s.
func (r *reducible) towards(s vertex, gap float64) float64 {
	step := lineSearch(gap, r.a-2*s.g+s.q)
	i := r.enter(s)
	for j := range r.w {
		r.w[j] *= 1 - step
	}
	r.w[i] += step
	r.a = (1-step)*(1-step)*r.a + 2*step*(1-step)*s.g + step*step*s.q
	r.b = (1-step)*r.b + step*s.z
	r.search.step(1-step, step, s.x)
	return step
}

// from moves the rule away from v, at most until v has no weight.
func (r *reducible) from(v vertex, slope float64) float64 {
	i := r.at[v.index]
	limit := r.w[i] / (1 - r.w[i])
	step := math.Min(slope/(r.a-2*v.g+v.q), limit)
	for j := range r.w {
		r.w[j] *= 1 + step
	}
	r.w[i] -= step
	if step == limit {
		r.w[i] = 0
	}
	r.a = (1+step)*(1+step)*r.a - 2*step*(1+step)*v.g + step*step*v.q
	r.b = (1+step)*r.b - step*v.z
	r.search.step(1+step, -step, v.x)
	return step
}

// enter returns the position of a vertex among the points, as a new point if
// need be.
func (r *reducible) enter(s vertex) int {
	if i, seen := r.at[s.index]; seen {
		return i
	}
	r.accept(s)
	r.at[s.index] = len(r.w)
	r.w = append(r.w, 0)
	return len(r.w) - 1
}

// worst returns the point with nonzero weight whose gradient is largest.
func (r *reducible) worst() vertex {
	best, at := math.Inf(-1), 0
	for i, v := range r.w {
		c := r.out.index[i]
		if g := r.search.g[c] - r.pool.z[c]; v > 0 && g > best {
			best, at = g, c
		}
	}
	return r.candidate(at)
}

// finish records a step.
func (r *reducible) finish(gap, step float64) {
	clear(r.mean)
	active := 0
	for i, v := range r.w {
		if v == 0 {
			continue
		}
		active++
		for j, x := range r.out.at(i) {
			r.mean[j] += v * x
		}
	}
	r.history = append(r.history, append([]float64(nil), r.w...))
	r.out.record(r.mmd2(), gap, step, active, r.mean)
}
