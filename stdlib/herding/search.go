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
	value    []float64

	blockBest  []float64
	blockIndex []int
	broken     bool
}

func newSearch(pool *Pool) *search {
	b := parallel.Count(pool.Len(), searchBlock)
	return &search{pool: pool, g: make([]float64, pool.Len()), value: make([]float64, pool.Len()), factor: 1,
		blockBest: make([]float64, b), blockIndex: make([]int, b)}
}

// best returns the candidate with the lowest score as the last pass left it,
// -1 if none is eligible, or if a score is NaN, which broken remembers.
func (s *search) best() (index int, score float64) {
	index, score = -1, math.Inf(1)
	for b, v := range s.blockBest {
		if math.IsNaN(v) {
			s.broken = true
			return -1, v
		}
		if s.blockIndex[b] >= 0 && v < score {
			index, score = s.blockIndex[b], v
		}
	}
	return index, score
}

// scan finds the best candidate of block b, [lo, hi).
func (s *search) scan(b, lo, hi int) {
	// The largest z - factor G, and then its place: both passes are simple enough
	// for vector units, where one loop with a branch is not.
	v := s.value[lo:hi]
	if s.factor == 1 {
		asm.Sub(v, s.pool.z[lo:hi], s.g[lo:hi])
	} else {
		copy(v, s.pool.z[lo:hi])
		asm.Axpy(v, -s.factor, s.g[lo:hi])
	}
	if s.absolute {
		for i, x := range v {
			v[i] = math.Abs(x)
		}
	}
	if s.skip != nil {
		for i, skip := range s.skip[lo:hi] {
			if skip {
				v[i] = math.Inf(-1)
			}
		}
	}
	best := asm.Max(v)
	s.blockBest[b], s.blockIndex[b] = math.Inf(1), -1
	if math.IsInf(best, -1) {
		return
	}
	s.blockBest[b] = -best
	for i, x := range v {
		if x == best {
			s.blockIndex[b] = lo + i
			return
		}
	}
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
