package linalg

import (
	"context"
	"math"
	"runtime"
	"sync/atomic"

	"gaucho/internal/halt"
	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/parallel"
)

// bandWidth is the number of diagonals on either side of the band. It is a multiple
// of the rows and of the columns of each micro-kernel's block.
const bandWidth = 24

// bandTridiagonal overwrites the n x n matrix a, of which the upper triangle is
// read, and returns diagonal and off-diagonal of a tridiagonal matrix with the same
// eigenvalues. On the way through a band matrix, a is read once for bandWidth rows,
// not for each, so that products take most of the time, not memory. What the
// eigenvectors would need is not kept (Bischof, Lang and Sun 2000).
func bandTridiagonal(ctx context.Context, n int, a []float64) (d, e []float64, err error) {
	if err := toBand(ctx, n, a); err != nil {
		return nil, nil, err
	}
	b := newBand(n, a)
	if err := b.toTridiagonal(ctx); err != nil {
		return nil, nil, err
	}
	d, e = make([]float64, n), make([]float64, n-1)
	for i := range n {
		d[i] = *b.at(i, i)
		if i < n-1 {
			e[i] = *b.at(i, i+1)
		}
	}
	return d, e, nil
}

// toBand makes the elements of the upper triangle beyond the band zero in effect:
// what stands there afterwards has no meaning. Rows j to j+nb-1 right of the band
// are reduced by reflectors, the rows V, with the product Q = I - V'FV. Below them
// Q'AQ = A - W'V - V'W with W = Y - 1/2 (F'VY') V and Y = F'VA. But for its first
// rows, A is changed so when the next panel multiplies it, and read once for both.
func toBand(ctx context.Context, n int, a []float64) error {
	const nb = bandWidth
	now, before := newRankTwo(n), newRankTwo(n)
	vt, sums := make([]float64, n*nb), make([]float64, symmShares*n*nb)
	var tau [nb]float64
	f, g, m := make([]float64, nb*nb), make([]float64, nb*nb), make([]float64, nb*nb)
	j := 0
	for ; n-j > nb+1; j += nb {
		if err := ctx.Err(); err != nil {
			return err
		}
		j1 := j + nb
		c := n - j1
		k := min(nb, c-1)
		before.first(nb, a[j*n+j:], n)
		now.k, now.c = k, c
		v, w := now.vwv[:k*c], now.vwv[k*c:2*k*c]
		reflectRows(nb, k, c, a[j*n+j1:], n, v, tau[:])
		blockFactor(k, c, v, tau[:k], f, g)
		transpose(vt, k, v, c, k, c)
		before.after(nb)
		avt := symm(c, k, a[j1*n+j1:], n, vt, before, sums)
		gemm(k, c, k, 1, view{f, 1, k}, view{avt, 1, k}, 0, w, c, full)
		gemm(k, k, c, 1, view{v, c, 1}, view{w, 1, c}, 0, g, k, full)
		gemm(k, k, k, 1, view{f, 1, k}, view{g, k, 1}, 0, m, k, full)
		gemm(k, c, k, -0.5, view{m, k, 1}, view{v, c, 1}, 1, w, c, full)
		copy(now.vwv[2*k*c:3*k*c], v)
		now, before = before, now
	}
	before.first(n-j, a[j*n+j:], n)
	return nil
}

// A rankTwo is the change of a symmetric matrix of c rows by -V'W - W'V.
type rankTwo struct {
	k, c   int
	vwv    []float64 // V, W and V again, k x c each
	from   int       // columns from here on are in packed
	packed []float64 // W and V as products take them
}

// newRankTwo has room for matrices of less than n rows; it changes nothing.
func newRankTwo(n int) *rankTwo {
	const nb = bandWidth
	return &rankTwo{vwv: make([]float64, 3*nb*n), packed: make([]float64, 2*nb*(n+nb))}
}

// first changes the first rows of a, also left of the diagonal, which has no meaning.
func (u *rankTwo) first(rows int, a []float64, lda int) {
	k, c := u.k, u.c
	gemm(min(rows, c), c, 2*k, -1, view{u.vwv, 1, c}, view{u.vwv[k*c:], c, 1}, 1, a, lda, full)
}

// after prepares for rows without the first.
func (u *rankTwo) after(rows int) {
	if u.k == 0 {
		return
	}
	_, nr := asm.Tile()
	u.from = rows
	right := view{u.vwv[u.k*u.c:], u.c, 1}.from(0, rows)
	panels := (u.c - rows + nr - 1) / nr
	parallel.Team(workersFor(2*u.k*u.c, panels), func(w, of int) {
		lo, hi := w*panels/of*nr, min((w+1)*panels/of*nr, u.c-rows)
		packB(u.packed[lo*2*u.k:], right.from(0, lo), 2*u.k, hi-lo, nr)
	})
}

// rows changes rows i to i+h of a, which begins where after said, from column j,
// which is where it ended before or i, at least to column end. It returns where it
// ended.
func (u *rankTwo) rows(i, h, j, end int, a []float64, lda int) int {
	if u.k == 0 || j >= end {
		return j
	}
	mr, nr := asm.Tile()
	n, lo := u.c-u.from, j/nr*nr
	hi := min((end+nr-1)/nr*nr, n)
	own := scratches.Get().(*scratch)
	defer scratches.Put(own)
	t := task{
		s: &scratch{a: own.a, tile: own.tile, b: u.packed[lo*2*u.k:]}, k: 2 * u.k, alpha: -1, add: true, byRows: true,
		n: hi - lo, c: a, ldc: lda, col: lo, which: upper, mr: mr, nr: nr,
	}
	t.rows(view{u.vwv[u.from+i:], 1, u.c}, i, h, true)
	return hi
}

// reflectRows reduces the first k of the rows of a, each of c elements, to lower
// triangular form by reflectors from the right, and applies them to all rows. What
// stands above the diagonal then has no meaning. The reflectors are in v, k x c.
func reflectRows(rows, k, c int, a []float64, lda int, v, tau []float64) {
	clear(v[:k*c])
	for i := range k {
		row := a[i*lda+i : i*lda+c]
		x := v[i*c+i : (i+1)*c]
		copy(x, row)
		row[0], tau[i] = reflector(x)
		others := rows - i - 1
		parallel.Team(workersFor(others*c, others), func(w, of int) {
			for r := i + 1 + w; r < rows; r += of {
				y := a[r*lda+i : r*lda+c]
				asm.Axpy(y, -tau[i]*asm.Dot(y, x), x)
			}
		})
	}
}

// symm takes a symmetric matrix in blocks of symmBlock rows, which stay in the cache
// for both their products. Blocks are dealt to symmShares sums, fixed, so that the
// number of goroutines does not show.
const symmBlock, symmShares = 64, 4

// symm changes A, symmetric, of which the upper triangle is read, and returns A B,
// n x k. It is the beginning of sums, which has room for symmShares of its size.
func symm(n, k int, a []float64, lda int, b []float64, change *rankTwo, sums []float64) []float64 {
	blocks := (n + symmBlock - 1) / symmBlock
	parallel.Team(symmShares, func(w, of int) {
		sum := sums[w*n*k : (w+1)*n*k]
		clear(sum)
		for i := w; i < blocks; i += of {
			symmRows(n, k, i*symmBlock, a, lda, b, change, sum)
		}
	})
	out := sums[:n*k]
	for w := 1; w < symmShares; w++ {
		asm.Add(out, out, sums[w*n*k:(w+1)*n*k])
	}
	return out
}

// symmColumns is how many columns of such a block are taken at a time, a multiple of
// kc, so that they are in the cache for all that is done with them.
const symmColumns = 4 * kc

// symmRows changes the rows from i on, and adds what they give, and what the columns
// give that they stand for.
func symmRows(n, k, i int, a []float64, lda int, b []float64, change *rankTwo, sum []float64) {
	h := min(symmBlock, n-i)
	done := change.rows(i, h, i, i+h, a, lda)
	var corner [symmBlock * symmBlock]float64
	for r := range h {
		copy(corner[r*h+r:(r+1)*h], a[(i+r)*lda+i+r:])
	}
	mirror(h, corner[:], h)
	rows := view{b[i*k:], k, 1}
	gemmStrip(h, 0, k, h, 1, view{corner[:], h, 1}, rows, 1, sum[i*k:], k, full)
	for j := i + h; j < n; j += symmColumns {
		w := min(symmColumns, n-j)
		done = change.rows(i, h, done, j+w, a, lda)
		right := view{a[i*lda+j:], lda, 1}
		gemmStrip(h, 0, k, w, 1, right, view{b[j*k:], k, 1}, 1, sum[i*k:], k, full)
		gemmStrip(w, 0, k, h, 1, right.t(), rows, 1, sum[j*k:], k, full)
	}
}

// A band is a symmetric matrix with bandWidth diagonals on either side, in rows
// with room for as many more on the right. Left of the diagonal it is kept up to
// date only where bandSweep.bothSides needs it.
type band struct {
	n int
	p []float64
}

// bandStride is the distance in memory between an element and the one below it.
const bandStride = 3*bandWidth - 1

// newBand copies the band's upper half from a.
func newBand(n int, a []float64) *band {
	b := &band{n, make([]float64, n*(bandStride+1))}
	for i := range n {
		for j := i; j < min(n, i+bandWidth+1); j++ {
			x := a[i*n+j]
			*b.at(i, j), *b.at(j, i) = x, x
		}
	}
	return b
}

// at is the element in row i and column j, for i-bandWidth <= j < i+2*bandWidth.
func (b *band) at(i, j int) *float64 { return &b.from(i, j)[0] }

// from is the memory from that element on.
func (b *band) from(i, j int) []float64 { return b.p[i*bandStride+bandWidth+j:] }

// toTridiagonal reduces row by row. The reflector that does it for one row makes
// elements outside the band, of which the next reflector, bandWidth further down,
// removes the first row, and so on to the end of the matrix (Lang 1993). Such a
// sweep may follow the one before at a distance of two steps. Those of a group take
// turns, so that they find what they need in the cache; groups run at a time.
func (b *band) toTridiagonal(ctx context.Context) error {
	sweeps := max(b.n-2, 0)
	taken := make([]atomic.Int64, (sweeps+sweepGroup-1)/sweepGroup) // steps by a group's last sweep
	parallel.Team(len(taken), func(g, _ int) {
		defer taken[g].Store(math.MaxInt64) // also when the goroutine ends in it
		if ctx.Err() != nil {
			return
		}
		group := make([]bandSweep, min(sweepGroup, sweeps-g*sweepGroup))
		for k := range group {
			group[k].begin(b, g*sweepGroup+k)
		}
		last := &group[len(group)-1]
		for time := 0; last.len() > 0; time++ {
			for g > 0 && taken[g-1].Load() < int64(time+2) {
				halt.Here()
				runtime.Gosched()
			}
			for k := range group {
				if time >= 2*k && group[k].len() > 0 {
					group[k].step()
				}
			}
			taken[g].Store(int64(time - 2*(len(group)-1) + 1))
		}
	})
	return ctx.Err()
}

// sweepGroup is the number of sweeps that take turns.
const sweepGroup = 4

// A bandSweep reduces one row, and repairs the band.
type bandSweep struct {
	b   *band
	row int
	at  int // of the block on the diagonal whose rows the reflector takes together
	tau float64
	v   []float64 // the reflector, empty at the end

	buf, next, y [bandWidth]float64
	// An update of rank two: coefficients in two columns, and two rows.
	coef, rows [2 * bandWidth]float64
}

func (s *bandSweep) begin(b *band, row int) {
	s.b, s.row, s.at = b, row, row+1
	s.v = s.buf[:min(bandWidth, b.n-s.at)]
}

// len is how many rows the next step takes together, 0 at the end.
func (s *bandSweep) len() int { return len(s.v) }

func (s *bandSweep) step() {
	if s.at == s.row+1 {
		x := s.b.from(s.row, s.at)[:len(s.v)]
		copy(s.v, x)
		clear(x)
		x[0], s.tau = reflector(s.v)
	}
	s.bothSides()
	next := s.next[:min(bandWidth, s.b.n-s.at-len(s.v))]
	if len(next) > 0 {
		s.corner(next)
	}
	s.at += len(s.v)
	s.v = s.buf[:copy(s.buf[:], next)]
}

// bothSides sets the block S on the diagonal to HSH, H = I - tau v v':
// S - w v' - v w' with w = tau S v - tau^2/2 (v'Sv) v.
func (s *bandSweep) bothSides() {
	v, h := s.v, len(s.v)
	block := s.b.from(s.at, s.at)
	// The sweep before changed the last column above the diagonal.
	for r := range h - 1 {
		block[(h-1)*bandStride+r] = block[r*bandStride+h-1]
	}
	y := s.y[:h]
	clear(y)
	asm.AxpyRows(y, v, block, bandStride)
	asm.Scale(y, s.tau, y)
	asm.Axpy(y, -0.5*s.tau*asm.Dot(y, v), v)
	copy(s.coef[:], y)
	copy(s.coef[bandWidth:], v)
	copy(s.rows[:], v)
	copy(s.rows[bandWidth:], y)
	s.update(h, h, block)
}

// corner does the block right of the one on the diagonal, C: it becomes HC, and
// then HCG with the reflector G that reduces its first row, which is next.
func (s *bandSweep) corner(next []float64) {
	v, h, w := s.v, len(s.v), len(next)
	block := s.b.from(s.at, s.at+h)
	u := s.rows[:w] // v'C
	clear(u)
	asm.AxpyRows(u, v, block, bandStride)
	first := block[:w]
	copy(next, first)
	asm.Axpy(next, -s.tau, u)
	beta, tau := reflector(next)
	un := asm.Dot(u, next)
	copy(s.rows[bandWidth:], next)
	p := s.y[:h] // C next
	asm.Dots(p, block, bandStride, next)
	for r := range h {
		s.coef[r] = s.tau * v[r]
		s.coef[bandWidth+r] = tau * (p[r] - float64(s.coef[r]*un))
	}
	s.update(h, w, block)
	clear(first)
	first[0] = beta
	s.tau = tau
}

// update subtracts the product of rank two from the h x w block.
func (s *bandSweep) update(h, w int, block []float64) {
	mr, nr := asm.Tile()
	for i := 0; i < h; i += mr {
		for j := 0; j < w; j += nr {
			asm.Gemm(2, s.coef[i:], 1, bandWidth, s.rows[j:], bandWidth,
				block[i*bandStride+j:], bandStride, -1, true, min(mr, h-i), min(nr, w-j))
		}
	}
}
