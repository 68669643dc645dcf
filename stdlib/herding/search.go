package herding

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/parallel"
)

// searchBlock is the number of candidates that one goroutine takes at a time.
const searchBlock = 512

// search keeps G(x) = sum_i w_i k(x_i, x) at all candidates, and finds the
// candidate that minimises factor G - z: the vertex of a Frank-Wolfe step. The
// update of G, the scores and the minimum of each block are one pass over the
// pool. Equal scores go to the lowest index.
type search struct {
	pool   *Pool
	g      []float64
	skip   []bool // candidates that are not eligible; nil: none
	factor float64

	absolute bool // score -|z - G| instead: the largest residual of either sign

	blockBest  []float64
	blockIndex []int
}

func newSearch(pool *Pool) *search {
	b := parallel.Count(pool.Len(), searchBlock)
	return &search{pool: pool, g: make([]float64, pool.Len()), factor: 1,
		blockBest: make([]float64, b), blockIndex: make([]int, b)}
}

// best returns the candidate with the lowest score as the last pass left it,
// -1 if none is eligible.
func (s *search) best() (index int, score float64) {
	index, score = -1, math.Inf(1)
	for b, v := range s.blockBest {
		if s.blockIndex[b] >= 0 && v < score {
			index, score = s.blockIndex[b], v
		}
	}
	return index, score
}

// scan finds the best candidate of block b, [lo, hi).
func (s *search) scan(b, lo, hi int) {
	best, at := math.Inf(1), -1
	z := s.pool.z[lo:hi]
	for i, g := range s.g[lo:hi] {
		v := s.factor*g - z[i]
		if s.absolute && v > 0 {
			v = -v
		}
		if v < best && (s.skip == nil || !s.skip[lo+i]) {
			best, at = v, lo+i
		}
	}
	s.blockBest[b], s.blockIndex[b] = best, at
}

// start scans the pool for the empty rule.
func (s *search) start() {
	parallel.Blocks(len(s.g), searchBlock, s.scan)
}

// step sets G <- keep G + w k(., x) and scans. O(M d).
func (s *search) step(keep, w float64, x []float64) {
	parallel.Blocks(len(s.g), searchBlock, func(b, lo, hi int) {
		g := s.g[lo:hi]
		if keep != 1 {
			asm.Scale(g, keep, g)
		}
		s.pool.points.Accumulate(g, lo, x, w)
		s.scan(b, lo, hi)
	})
}

// swap sets G <- G + w (k(., x) - k(., y)) and scans. O(M d).
func (s *search) swap(w float64, x, y []float64) {
	parallel.Blocks(len(s.g), searchBlock, func(b, lo, hi int) {
		s.pool.points.Accumulate(s.g[lo:hi], lo, x, w)
		s.pool.points.Accumulate(s.g[lo:hi], lo, y, -w)
		s.scan(b, lo, hi)
	})
}

// rebuild sets G to the sum over the given atoms, the rows of Y, and scans. Kernel
// values are computed again, block by block, in the cache: O(n M d), and no n x M
// matrix.
func (s *search) rebuild(Y *mat.Dense, w []float64) {
	parallel.Blocks(len(s.g), searchBlock, func(b, lo, hi int) {
		g := s.g[lo:hi]
		clear(g)
		s.pool.points.AccumulateAll(g, lo, Y, w)
		s.scan(b, lo, hi)
	})
}

// rebuildFrom is rebuild with kernel rows that were kept: rows[i][j] is
// k(x_i, candidate j).
func (s *search) rebuildFrom(rows [][]float64, active []int, w []float64) {
	parallel.Blocks(len(s.g), searchBlock, func(b, lo, hi int) {
		g := s.g[lo:hi]
		clear(g)
		for _, i := range active {
			asm.Axpy(g, w[i], rows[i][lo:hi])
		}
		s.scan(b, lo, hi)
	})
}

// row returns the kernel values of x against all candidates.
func (s *search) row(x []float64) []float64 {
	out := make([]float64, len(s.g))
	parallel.Blocks(len(s.g), searchBlock, func(_, lo, hi int) {
		s.pool.points.Column(out[lo:hi], lo, x)
	})
	return out
}
