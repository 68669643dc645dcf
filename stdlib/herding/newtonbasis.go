package herding

import (
	"math"
	"slices"

	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/memory"
	"gaucho/stdlib/internal/parallel"
)

// newtonBasis keeps r and s on the pool, and the Newton basis v_1, ..., v_n that
// updates them: the rows of the pivoted Cholesky factor of the pool's Gram
// matrix. The basis is stored panel by panel of candidates, in the order in which
// one pass over memory makes the new row, updates r and s and finds the next
// candidate. That pass takes as long as memory does.
type newtonBasis struct {
	g          *greedy
	r, s       []float64
	basis      [][]float64 // per panel, rows of asm.PanelWidth
	next       []float64   // v_n+1, on whole panels
	column     []float64   // v_1, ..., v_n at the new point
	negative   []float64
	blockBest  []float64
	blockIndex []int
	nan        bool
}

func (e *newtonBasis) broken() bool { return e.nan }

func newNewtonBasis(g *greedy, n int) *newtonBasis {
	m := g.pool.Len()
	blocks, panels := parallel.Count(m, searchBlock), parallel.Count(m, asm.PanelWidth)
	e := &newtonBasis{g: g, r: slices.Clone(g.pool.z), s: slices.Clone(g.pool.diag), basis: make([][]float64, panels),
		next: make([]float64, panels*asm.PanelWidth), blockBest: make([]float64, blocks), blockIndex: make([]int, blocks)}
	size := min(n, m) * asm.PanelWidth
	room := memory.Fresh(panels * size)
	for i := range e.basis {
		e.basis[i] = room[i*size : (i+1)*size]
	}
	parallel.Blocks(m, searchBlock, e.scan)
	return e
}

// scan scores block b.
func (e *newtonBasis) scan(b, lo, hi int) {
	best, at := math.Inf(-1), -1
	space := e.g.settings.Selection == PGreedy
	for i := lo; i < hi; i++ {
		s := e.s[i]
		if math.IsNaN(s) || math.IsNaN(e.r[i]) {
			e.blockBest[b], e.blockIndex[b] = math.NaN(), -1
			return
		}
		if e.g.skip[i] || !(s > e.g.settings.Threshold*e.g.pool.diag[i]) {
			continue
		}
		score := s
		if !space {
			score = e.r[i] * e.r[i] / s
		}
		if score > best {
			best, at = score, i
		}
	}
	e.blockBest[b], e.blockIndex[b] = best, at
}

func (e *newtonBasis) best() int {
	best, at := math.Inf(-1), -1
	for b, v := range e.blockBest {
		if math.IsNaN(v) {
			e.nan = true
			return -1
		}
		if e.blockIndex[b] >= 0 && v > best {
			best, at = v, e.blockIndex[b]
		}
	}
	return at
}

func (e *newtonBasis) row(i int) ([]float64, float64) {
	panel, at := e.basis[i/asm.PanelWidth], i%asm.PanelWidth
	e.column = e.column[:0]
	for n := range e.g.y {
		e.column = append(e.column, panel[n*asm.PanelWidth+at])
	}
	return e.column, e.s[i]
}

func (e *newtonBasis) add(x, solved []float64, pivot float64) {
	n := len(e.g.y) - 1
	beta, root := e.g.y[n], math.Sqrt(pivot)
	e.negative = e.negative[:0]
	for _, v := range solved {
		e.negative = append(e.negative, -v)
	}
	parallel.Blocks(e.g.pool.Len(), searchBlock, func(b, lo, hi int) {
		e.g.pool.points.Column(e.next[lo:hi], lo, x)
		for at := lo; at < hi; at += asm.PanelWidth {
			u, panel := e.next[at:at+asm.PanelWidth], e.basis[at/asm.PanelWidth]
			asm.AxpyPanel(u, e.negative, panel)
			for t := range u {
				u[t] /= root
			}
			copy(panel[n*asm.PanelWidth:], u)
		}
		r, s := e.r[lo:hi], e.s[lo:hi]
		for t, u := range e.next[lo:hi] {
			r[t] -= beta * u
			s[t] -= u * u
		}
		e.scan(b, lo, hi)
	})
}
