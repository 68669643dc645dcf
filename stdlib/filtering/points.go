package filtering

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gaucho/stdlib/herding"
	"gaucho/stdlib/rkhs"
)

// monteCarlo draws components by resampling. While the effective sample size of
// the components' weights stays above the threshold, each component gives one
// particle with its weight instead.
type monteCarlo struct{}

func (*monteCarlo) choose(_ context.Context, f *Filter) error {
	n := len(f.component)
	w := f.pred.w
	never := f.settings.Resampling == Never
	if never && f.t > 1 && len(w) != n {
		return fmt.Errorf("filtering: resampling is never, must be a scheme where the predictive has %d components for %d particles", len(w), n)
	}
	if f.t > 1 && len(w) == n && f.keeps(w) {
		for i := range f.component {
			f.component[i] = i
		}
		copy(f.quad, w)
		f.even = 0
		return f.move(nil)
	}
	f.evenly()
	switch scheme := f.settings.Resampling; {
	case scheme == Stratified, scheme == Systematic, never: // never: the first step draws from the initial law
		q := picks.Get().(*strata)
		defer picks.Put(q)
		q.draw(scheme, n, f.rng)
		return f.move(&ancestors{q, w})
	default:
		resample(f.component, scheme, w, f.rng)
		return f.move(nil)
	}
}

// keeps says whether particles keep their weights w in place of resampling.
func (f *Filter) keeps(w []float64) bool {
	s := &f.settings
	if s.Resampling == Never {
		return true
	}
	if !(s.Threshold < 1) {
		return false
	}
	size := f.EffectiveSize()
	if &w[0] != &f.w[0] { // the weights of the ancestors are others
		size = EffectiveSize(w)
	}
	return size >= s.Threshold*float64(len(w))
}

// move draws the particles from their components, which from picks if it is not nil.
func (f *Filter) move(from *ancestors) error {
	f.x, f.spare = f.spare, f.x
	if m, ok := f.system.(mover); ok {
		if from != nil {
			from.count(from.w)
			from.pick(f.component, 0)
		}
		return m.move(f.x, f.spare, f.component, f.t, f.rng)
	}
	f.pred.scatter(f.x, f.component, f.rng.Uint64(), from)
	return nil
}

// sobolPoints maps a stream of Sobol points that goes on from step to step: the
// last coordinate picks the component in storage order, the others the state.
type sobolPoints struct {
	sequence *herding.Sobol
	u        []float64
	sums     []float64
}

func newSobolPoints(d int, s *Settings, rng *rand.Rand) (*sobolPoints, error) {
	q, err := herding.NewSobol(d+1, s.Skip)
	if err != nil {
		return nil, err
	}
	if s.Shift {
		q.Shift(rng)
	}
	return &sobolPoints{sequence: q, u: make([]float64, d+1)}, nil
}

func (p *sobolPoints) choose(_ context.Context, f *Filter) error {
	n, d := len(f.component), len(p.u)-1
	p.sums = cumulate(p.sums[:0], f.pred.w)
	f.x, f.spare = f.spare, f.x
	for i := range n {
		p.sequence.Next(p.u)
		f.component[i] = locate(p.sums, p.u[d])
		for l, u := range p.u[:d] {
			p.u[l] = rkhs.NormalQuantile(u)
		}
		f.pred.place(f.x.RawRowView(i), f.component[i], p.u[:d])
	}
	f.evenly()
	return nil
}

// cumulate appends the running sums of the weights, over their total.
func cumulate(dst, w []float64) []float64 {
	var s float64
	for _, v := range w {
		s += v
		dst = append(dst, s)
	}
	for i := range dst {
		dst[i] /= s
	}
	return dst
}

// locate returns the first index whose running sum exceeds u, the last if none
// does.
func locate(sums []float64, u float64) int {
	lo, hi := 0, len(sums)-1
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if sums[mid] > u {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}
