package filtering

import (
	"context"

	"gonum.org/v1/gonum/mat"

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
	first    []float64  // picks the component
	rest     *mat.Dense // picks the state
	u        []float64
	order    []int
	sums     []float64
	guide    []int32
}

func newSequentialQMC(d int, s *Settings) (*sequentialQMC, error) {
	q, err := herding.NewSobol(d+1, 0)
	if err != nil {
		return nil, err
	}
	return &sequentialQMC{sequence: q, first: make([]float64, s.Particles), rest: mat.NewDense(s.Particles, d, nil),
		u: make([]float64, d+1)}, nil
}

func (p *sequentialQMC) choose(_ context.Context, f *Filter) error {
	const edge = 1.0 / (1 << 33)
	n := len(f.component)
	_, d := p.rest.Dims()
	p.sequence.Seek(0)
	p.sequence.Scramble(f.rng)
	for i := range n {
		p.sequence.Next(p.u)
		p.first[i] = p.u[0]
		copy(p.rest.RawRowView(i), p.u[1:])
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
		z := p.rest.RawMatrix().Data[lo*d : hi*d]
		for i, u := range z { // away from 0 and 1, as rkhs.NormalQuantile
			z[i] = min(max(u, edge), 1-edge)
		}
		vec.NormalQuantile(z, z)
		for i := lo; i < hi; i++ {
			f.component[i] = p.order[p.locate(p.first[i])]
			f.pred.place(f.x.RawRowView(i), f.component[i], p.rest.RawRowView(i))
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
