package linalg

import (
	"context"
	"fmt"
	"runtime"

	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/parallel"

	"gonum.org/v1/gonum/mat"
)

// Points holds points as the methods of Radial read them, coordinate by
// coordinate in panels: make it once where many rows are asked for against the
// same points. It does not change with the matrix that it was made from. NaN and
// Inf are not looked for.
type Points struct {
	n, d   int
	panels []float64
}

// NewPoints copies the n points in the rows of y.
func NewPoints(y *mat.Dense) *Points {
	n, d := y.Dims()
	p := &Points{n: n, d: d, panels: aligned((n + panel - 1) / panel * panel * d)}
	r := y.RawMatrix()
	for j := 0; j < n; j += panel {
		transpose(p.panels[j*d:], panel, r.Data[j*r.Stride:], r.Stride, min(panel, n-j), d)
	}
	return p
}

const panel = asm.PanelWidth

// Dims returns the number of points and their dimension.
func (p *Points) Dims() (n, d int) { return p.n, p.d }

// columnBlock is the number of columns of dimension d that stay in the second
// cache while rows go by. It divides sums, so it is the same everywhere.
func columnBlock(d int) int { return min(4096, max(64, 32768/max(d, 1)&^63)) }

// rowBlock is the most rows that one goroutine takes at a time.
const rowBlock = 64

// streamBytes is the size of a result from which stores go past the caches.
const streamBytes = 8 << 20

// eachBlock calls f for blocks of m rows on several goroutines, until ctx is
// done. Each has scratch of its own, s.room of which f may use.
func eachBlock(ctx context.Context, m int, work float64, f func(lo, hi int, s *scratch)) error {
	// Some blocks for each goroutine; rows do not depend on the block they are in.
	size := rowBlock
	for size > 4 && m < 4*size*runtime.GOMAXPROCS(0) {
		size /= 2
	}
	blocks := (m + size - 1) / size
	workers := 1
	if work >= float64(serialArea) {
		workers = workersFor(serialArea, blocks)
	}
	next := make(chan int, blocks)
	for b := range blocks {
		next <- b
	}
	close(next)
	parallel.Team(workers, func(int, int) {
		s := scratches.Get().(*scratch)
		defer scratches.Put(s)
		for b := range next {
			if ctx.Err() != nil {
				return
			}
			f(b*size, min((b+1)*size, m), s)
		}
	})
	return ctx.Err()
}

// A sweep goes through distances of some rows of x to blocks of points, four
// rows at a time. use gets row i and its distances to the points from onwards;
// done, if any, is called after each block.
type sweep struct {
	x       *mat.Dense
	y       *Points
	squared bool
	use     func(i, from int, dist []float64)
	done    func(from, to int)
}

func (v sweep) rows(lo, hi int, s *scratch) { v.rowsIn(lo, hi, s.room(v.need())) }

// width is the number of points in a block, a whole number of panels.
func (v sweep) width() int { return min(columnBlock(v.y.d), (v.y.n+panel-1)/panel*panel) }

// need is the number of elements of scratch: distances and coordinates of four
// rows.
func (v sweep) need() int { return 4*v.width() + 4*v.y.d }

func (v sweep) rowsIn(lo, hi int, room []float64) {
	y := v.y
	step := columnBlock(y.d)
	width := v.width()
	dist, four := room[:4*width], room[4*width:v.need()]
	for from := 0; from < y.n; from += step {
		n := min(step, y.n-from)
		whole := (n + panel - 1) / panel
		block := y.panels[from*y.d:]
		for i := lo; i < hi; i += 4 {
			h := min(4, hi-i)
			for r := range h {
				copy(four[r*y.d:(r+1)*y.d], v.x.RawRowView(i+r))
			}
			if h == 4 {
				asm.Distances(4, dist, width, four, y.d, block, y.d, whole, v.squared)
			} else {
				for r := range h {
					asm.Distances(1, dist[r*width:], 0, four[r*y.d:], 0, block, y.d, whole, v.squared)
				}
			}
			for r := range h {
				v.use(i+r, from, dist[r*width:r*width+n])
			}
		}
		if v.done != nil {
			v.done(from, from+n)
		}
	}
}

// SquaredDistances sets dst[i][j] to the squared Euclidean distance of row i of
// x from point j of y and returns it; nil is allocated. The differences are
// exact to rounding: no inner products are subtracted.
func SquaredDistances(ctx context.Context, dst, x *mat.Dense, y *Points) (*mat.Dense, error) {
	if x == nil || y == nil {
		return nil, fmt.Errorf("linalg: SquaredDistances: x or y is nil")
	}
	m, d := x.Dims()
	if d != y.d {
		return nil, fmt.Errorf("linalg: x has points of dimension %d and y of %d, must be equal", d, y.d)
	}
	dst = shape("SquaredDistances", dst, m, y.n)
	g := dst.RawMatrix()
	apart("SquaredDistances", g.Data, x.RawMatrix().Data)
	v := sweep{x: x, y: y, squared: true, use: func(i, from int, dist []float64) {
		copy(g.Data[i*g.Stride+from:], dist)
	}}
	err := eachBlock(ctx, m, float64(m)*float64(y.n), v.rows)
	return dst, err
}
