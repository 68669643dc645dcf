package filtering

import (
	"context"

	"gaucho/stdlib/herding"
	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/vec"
)

// sequentialQMC maps N points of a Sobol sequence that is scrambled anew in each
// step. The first coordinate picks the component, by the cumulative weights in
// the order of the components' means on a Hilbert curve (which in one dimension
// is their order); the others pick the state.
type sequentialQMC struct {
	sequence *herding.Sobol
	u        [][]float64 // coordinates of the points, one after the other
	order    []int
	sums     []float64
	guide    []int32
}

func newSequentialQMC(d int, s *Settings) (*sequentialQMC, error) {
	q, err := herding.NewSobol(d+1, 0)
	if err != nil {
		return nil, err
	}
	u := make([][]float64, d+1)
	for j := range u {
		u[j] = make([]float64, s.Particles)
	}
	return &sequentialQMC{sequence: q, u: u}, nil
}

func (p *sequentialQMC) choose(_ context.Context, f *Filter) error {
	p.sequence.Scramble(f.rng)
	p.order = herding.HilbertOrder(p.order, f.pred.means)
	p.sums = p.sums[:0]
	var s float64
	for _, j := range p.order {
		s += f.pred.w[j]
		p.sums = append(p.sums, s)
	}
	vec.Scale(p.sums, 1/s, p.sums)
	p.prepareGuide()
	f.x, f.spare = f.spare, f.x
	parallel.Blocks(len(f.component), noiseBlock, func(_, lo, hi int) { p.draw(f, lo, hi) })
	f.evenly()
	return nil
}

// draw makes the particles from lo to hi.
func (p *sequentialQMC) draw(f *Filter, lo, hi int) {
	const edge = 1.0 / (1 << 33)
	part := make([][]float64, len(p.u))
	for j, u := range p.u {
		part[j] = u[lo:hi]
	}
	p.sequence.Range(part, lo)
	for _, z := range part[1:] {
		for i, u := range z { // away from 0 and 1, as rkhs.NormalQuantile
			if u < edge {
				z[i] = edge
			} else if u > 1-edge {
				z[i] = 1 - edge
			}
		}
		vec.NormalQuantile(z, z)
	}
	component := f.component[lo:hi]
	for i, u := range part[0] {
		component[i] = p.order[p.locate(u)]
	}
	if f.pred.flat() {
		f.pred.placeFlat(column(f.x)[lo:hi], component, part[1])
		return
	}
	z := make([]float64, len(part)-1)
	for i, c := range component {
		for l := range z {
			z[l] = part[l+1][i]
		}
		f.pred.place(f.x.RawRowView(lo+i), c, z)
	}
}

// prepareGuide notes for each of as many equal intervals as there are
// components the first one whose running sum exceeds the interval's left end.
func (p *sequentialQMC) prepareGuide() {
	k := len(p.sums)
	if cap(p.guide) < k {
		p.guide = make([]int32, k)
	}
	p.guide = p.guide[:k]
	j := 0
	for b := range k {
		for j < k-1 && p.sums[j] <= float64(b)/float64(k) {
			j++
		}
		p.guide[b] = int32(j)
	}
}

// locate returns the first component whose running sum exceeds u.
func (p *sequentialQMC) locate(u float64) int {
	k := len(p.sums)
	j := int(p.guide[min(int(u*float64(k)), k-1)])
	for j < k-1 && p.sums[j] <= u {
		j++
	}
	return j
}
