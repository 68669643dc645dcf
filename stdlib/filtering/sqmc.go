package filtering

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/herding"
	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// sequentialQMC maps N points of a Sobol sequence that is scrambled anew in each
// step. The first coordinate picks the component, by the cumulative weights in
// the order of the components' means on a Hilbert curve (which in one dimension
// is their order); the others pick the state.
type sequentialQMC struct {
	sequence *herding.Sobol
	u        *mat.Dense
	order    []int
	sums     []float64
	guide    []int32
}

func newSequentialQMC(d int, s *Settings) (*sequentialQMC, error) {
	q, err := herding.NewSobol(d+1, 0)
	if err != nil {
		return nil, err
	}
	return &sequentialQMC{sequence: q, u: mat.NewDense(s.Particles, d+1, nil)}, nil
}

func (p *sequentialQMC) choose(_ context.Context, f *Filter) error {
	n := len(f.component)
	_, c := p.u.Dims()
	p.sequence.Seek(0)
	p.sequence.Scramble(f.rng)
	for i := range n {
		p.sequence.Next(p.u.RawRowView(i))
	}
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
	parallel.Blocks(n, noiseBlock, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			u := p.u.RawRowView(i)
			f.component[i] = p.order[p.locate(u[0])]
			for l := 1; l < c; l++ {
				u[l] = rkhs.NormalQuantile(u[l])
			}
			f.pred.place(f.x.RawRowView(i), f.component[i], u[1:])
		}
	})
	vec.Fill(f.quad, 1/float64(n))
	return nil
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
