package filtering

import (
	"context"
	"math"

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
	order    []int       // of the components
	sums     []float64   // running sums of their weights, and infinite ones
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
	n := len(f.component)
	// One goroutine sorts while others make the points.
	parallel.Team(1+parallel.Count(n, noiseBlock), func(k, _ int) {
		if k == 0 {
			p.sort(f.pred)
		} else {
			p.points((k-1)*noiseBlock, min(k*noiseBlock, n))
		}
	})
	f.x, f.spare = f.spare, f.x
	parallel.Blocks(n, noiseBlock, func(_, lo, hi int) { p.draw(f, lo, hi) })
	f.evenly()
	return nil
}

// sort puts the components in order and prepares to locate numbers among their
// running sums.
func (p *sequentialQMC) sort(pred *predictive) {
	p.order = herding.HilbertOrder(p.order, pred.means)
	k := len(p.order)
	p.sums = grow(p.sums, k+beyond)
	var s float64
	w, sums := pred.w, p.sums[:k]
	for r, j := range p.order[:len(sums)] {
		s += w[j]
		sums[r] = s
	}
	vec.Scale(sums, 1/s, sums)
	vec.Fill(p.sums[k:], math.Inf(1))
	p.prepareGuide(sums)
}

// points makes the points from lo to hi, and normal numbers of all coordinates but
// the first.
func (p *sequentialQMC) points(lo, hi int) {
	const edge = 1.0 / (1 << 33)
	part := make([][]float64, len(p.u))
	for j, u := range p.u {
		part[j] = u[lo:hi]
	}
	p.sequence.Range(part, lo)
	for _, z := range part[1:] {
		for i, u := range z { // away from 0 and 1, as rkhs.NormalQuantile
			z[i] = min(max(u, edge), 1-edge)
		}
		vec.NormalQuantile(z, z)
	}
}

// draw makes the particles from lo to hi.
func (p *sequentialQMC) draw(f *Filter, lo, hi int) {
	component := f.component[lo:hi]
	for i, u := range p.u[0][lo:hi] {
		component[i] = p.order[p.locate(u)]
	}
	if f.pred.flat() {
		f.pred.placeFlat(column(f.x)[lo:hi], component, p.u[1][lo:hi])
		return
	}
	z := make([]float64, len(p.u)-1)
	for i, c := range component {
		for l := range z {
			z[l] = p.u[l+1][lo+i]
		}
		f.pred.place(f.x.RawRowView(lo+i), c, z)
	}
}

// prepareGuide notes for each of as many equal intervals as there are components
// the first one whose running sum exceeds the interval's left end, up to rounding,
// in the manner of [strata].
func (p *sequentialQMC) prepareGuide(sums []float64) {
	k := len(sums)
	if cap(p.guide) < k {
		p.guide = make([]int32, k)
	}
	p.guide = p.guide[:k]
	guide := p.guide
	clear(guide)
	whole, at := float64(k), uint(0)
	for j, s := range sums {
		if at >= uint(len(guide)) {
			break
		}
		guide[at] = int32(j)
		x := whole * s
		floor, up := int(x), 0
		if float64(floor) < x {
			up = 1
		}
		at = uint(floor + up)
	}
	top := int32(0)
	for b, j := range guide {
		top = max(top, j)
		guide[b] = top
	}
}

// beyond is how many infinite sums come after the components'.
const beyond = 4

// locate returns the first component whose running sum exceeds u, the last if none
// does. A branch for each sum would go either way.
func (p *sequentialQMC) locate(u float64) int {
	k := len(p.guide)
	j := int(p.guide[min(int(u*float64(k)), k-1)])
	for j > 0 && p.sums[j-1] > u {
		j--
	}
	for {
		next := (*[beyond]float64)(p.sums[j:])
		a, b, c, d := 0, 0, 0, 0
		if next[0] <= u {
			a = 1
		}
		if next[1] <= u {
			b = 1
		}
		if next[2] <= u {
			c = 1
		}
		if next[3] <= u {
			d = 1
		}
		j += a + b + c + d
		if d == 0 {
			return min(j, k-1)
		}
	}
}
