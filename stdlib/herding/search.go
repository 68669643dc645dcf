package herding

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/parallel"
)

// searchBlock is the number of candidates that one goroutine takes at a time.
const searchBlock = 512

// search keeps G(x) = sum_i w_i k(x_i, x) at all candidates, and finds the
// candidate with the largest score z - factor G: the vertex of a Frank-Wolfe
// step. The update of G, the scores and the largest of each block are one pass
// over the pool; the winner's place in its block is looked up afterwards.
// Equal scores go to the lowest index.
type search struct {
	pool   *Pool
	g      []float64
	skip   []bool // candidates that are not eligible; nil: none
	factor float64

	absolute bool // score |z - factor G| instead: the largest residual of either sign

	largest []float64 // of each block
	broken  bool
}

func newSearch(pool *Pool) *search {
	return &search{pool: pool, g: make([]float64, pool.Len()), factor: 1,
		largest: make([]float64, parallel.Count(pool.Len(), searchBlock))}
}

// best returns the candidate with the largest score as the last pass left it, -1
// if none is eligible, or if a score is NaN, which broken remembers.
func (s *search) best() int {
	at, score := -1, math.Inf(-1)
	for b, v := range s.largest {
		if math.IsNaN(v) {
			s.broken = true
			return -1
		}
		if v > score {
			at, score = b, v
		}
	}
	if at < 0 {
		return -1
	}
	var room [searchBlock]float64
	lo := at * searchBlock
	v := room[:min(searchBlock, len(s.g)-lo)]
	s.score(v, lo)
	return lo + slices.Index(v, score)
}

// score sets v to the scores of the candidates from lo on.
func (s *search) score(v []float64, lo int) {
	copy(v, s.pool.z[lo:])
	asm.Axpy(v, -s.factor, s.g[lo:lo+len(v)])
	if s.absolute {
		for i, x := range v {
			v[i] = math.Abs(x)
		}
	}
	if s.skip != nil {
		for i, skip := range s.skip[lo : lo+len(v)] {
			if skip {
				v[i] = math.Inf(-1)
			}
		}
	}
}

// scan finds the largest score of block b, [lo, hi).
func (s *search) scan(b, lo, hi int) {
	var room [searchBlock]float64
	v := room[:hi-lo]
	s.score(v, lo)
	s.largest[b] = asm.Max(v)
}

// start scans the pool for the empty rule.
func (s *search) start() {
	parallel.Blocks(len(s.g), searchBlock, s.scan)
}

// step sets G <- keep G + w k(., x) and scans. O(M d).
func (s *search) step(keep, w float64, x []float64) {
	plain := s.skip == nil && !s.absolute
	parallel.Blocks(len(s.g), searchBlock, func(b, lo, hi int) {
		s.largest[b] = s.pool.points.Advance(s.g[lo:hi], lo, x, keep, w, s.pool.z[lo:hi], s.factor)
		if !plain {
			s.scan(b, lo, hi)
		}
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
