package linalg

import (
	"math"
	"runtime"

	"gaucho/internal/halt"
	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/parallel"
)

// The product is blocked as in Goto and van de Geijn 2008: B is copied in
// panels of nr columns by kc rows, A in panels of mr rows by kc columns where it
// is used often, and the micro-kernel of package asm does mr x nr blocks of C.
//
// kc divides the sums over k and so is part of every result's bits: it is the
// same on every machine. mc and nc only say what stays in which cache.
const (
	kc = 256
	mc = 128
	nc = 2040
	// smallK is the depth up to which rows of C are walked, not columns.
	smallK = 64
)

// Sizes at which methods change, variables for the tests that try all methods
// at all sizes; they do not show in results.
var (
	// serialWork is the number of multiplications below which one goroutine
	// does all.
	serialWork = 1e6
	// serialArea is the number of elements of a matrix below which one
	// goroutine goes through it.
	serialArea = 1 << 16
	// smallWork is the number of multiplications up to which nothing is copied.
	smallWork = 512.0
	// mirrorFrom is the size from which A A' is computed by halves.
	mirrorFrom = 128
	// bandFrom is the size from which the way to a tridiagonal matrix is by a
	// band, if there are no eigenvectors to compute.
	bandFrom = 1000
)

// A view is a strided matrix; rs or cs is 1.
type view struct {
	p      []float64
	rs, cs int
}

func (v view) at(i, j int) []float64 { return v.p[i*v.rs+j*v.cs:] }

func (v view) from(i, j int) view { return view{v.p[min(i*v.rs+j*v.cs, len(v.p)):], v.rs, v.cs} }

func (v view) t() view { return view{v.p, v.cs, v.rs} }

// A part says which elements of C a product writes.
type part int

const (
	full part = iota
	upper
	lower
)

// gemm sets C = alpha*A*B + beta*C for A m x k and B k x n; of a square C only
// the part.
func gemm(m, n, k int, alpha float64, a, b view, beta float64, c []float64, ldc int, which part) {
	if m == 0 || n == 0 {
		return
	}
	if alpha == 0 || k == 0 {
		scalePart(m, n, beta, c, ldc, which)
		return
	}
	if which == full && beta == 0 && m == n && m >= mirrorFrom && sameTransposed(a, b) {
		gemm(m, n, k, alpha, a, b, 0, c, ldc, upper)
		mirror(n, c, ldc)
		return
	}
	if which == full && isNarrow(m, n, a) {
		gemmNarrow(m, n, k, alpha, a, b, beta, c, ldc)
		return
	}
	workers := runtime.GOMAXPROCS(0)
	work := float64(m) * float64(n) * float64(k)
	if which != full {
		work /= 2
	}
	if work < serialWork {
		workers = 1
	}
	if work <= smallWork && n <= smallWidth && k <= kc && which == full {
		gemmSmall(m, n, k, alpha, a, b, beta, c, ldc)
		return
	}
	if workers <= 1 {
		gemmStrip(m, 0, n, k, alpha, a, b, beta, c, ldc, which)
		return
	}
	mr, nr := asm.Tile()
	if which == full && m > n {
		// Strips of rows, a multiple of mr.
		strips := (m + mr - 1) / mr
		parallel.Team(min(workers, strips), func(w, of int) {
			lo, hi := w*strips/of*mr, min((w+1)*strips/of*mr, m)
			if lo < hi {
				gemmStrip(hi-lo, 0, n, k, alpha, a.from(lo, 0), b, beta, c[lo*ldc:], ldc, full)
			}
		})
		return
	}
	strips := (n + nr - 1) / nr
	workers = min(workers, strips)
	parallel.Team(workers, func(w, of int) {
		lo, hi := stripBound(w, of, strips, which)*nr, min(stripBound(w+1, of, strips, which)*nr, n)
		if lo < hi {
			gemmStrip(m, lo, hi, k, alpha, a, b, beta, c, ldc, which)
		}
	})
}

// smallWidth is the most columns of a product without copies.
const smallWidth = 32

// gemmSmall does the same chains row by row.
func gemmSmall(m, n, k int, alpha float64, a, b view, beta float64, c []float64, ldc int) {
	var buf [smallWidth]float64
	for i := range m {
		acc := buf[:n]
		clear(acc)
		for l := range k {
			x, p := a.p[i*a.rs+l*a.cs], l*b.rs
			for j := range acc {
				acc[j] = math.FMA(b.p[p], x, acc[j])
				p += b.cs
			}
		}
		row := c[i*ldc : i*ldc+n]
		for j, v := range acc {
			switch beta {
			case 0:
				row[j] = alpha * v
			case 1:
				row[j] = math.FMA(alpha, v, row[j])
			default:
				row[j] = math.FMA(alpha, v, float64(beta*row[j]))
			}
		}
	}
}

// sameTransposed reports whether b is a transposed, in the same memory. Then
// A*B is symmetric, to the last bit: its chains are of equal products.
func sameTransposed(a, b view) bool {
	return a.rs == b.cs && a.cs == b.rs && len(a.p) > 0 && len(b.p) > 0 && &a.p[0] == &b.p[0]
}

// mirror copies the upper triangle to the lower, in square tiles.
func mirror(n int, c []float64, ldc int) {
	const tile = 32
	strips := (n + tile - 1) / tile
	parallel.Team(workersFor(n*n/2, strips), func(w, of int) {
		for s := w; s < strips; s += of {
			i := s * tile
			h := min(tile, n-i)
			for r := i; r < i+h; r++ {
				for q := i; q < r; q++ {
					c[r*ldc+q] = c[q*ldc+r]
				}
			}
			for j := i + h; j < n; j += tile {
				v := min(tile, n-j)
				transpose(c[j*ldc+i:], ldc, c[i*ldc+j:], ldc, h, v)
			}
		}
	})
}

// stripBound divides strips of columns so that each worker has the same area.
func stripBound(w, of, strips int, which part) int {
	f := float64(w) / float64(of)
	switch which {
	case upper:
		f = math.Sqrt(f)
	case lower:
		f = 1 - math.Sqrt(1-f)
	}
	return int(math.Round(f * float64(strips)))
}

// gemmStrip does columns lo to hi of C.
func gemmStrip(m, lo, hi, k int, alpha float64, a, b view, beta float64, c []float64, ldc int, which part) {
	mr, nr := asm.Tile()
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	need := min(kc, k) * min(nc, (hi-lo+nr-1)/nr*nr)
	if len(s.b) < need {
		s.b = aligned(need)
	}
	if beta != 0 && beta != 1 {
		scaleStrip(m, lo, hi, beta, c, ldc, which)
	}
	for jc := lo; jc < hi; jc += nc / nr * nr {
		nb := min(nc/nr*nr, hi-jc)
		first, last := rowsOf(which, jc, jc+nb, m, mr)
		for pc := 0; pc < k; pc += kc {
			kb := min(kc, k-pc)
			t := task{
				s: s, k: kb, alpha: alpha, add: beta != 0 || pc > 0,
				b: b.from(pc, jc), n: nb, c: c, ldc: ldc, col: jc, which: which, mr: mr, nr: nr,
			}
			t.direct = b.cs == 1 && m <= 2*mr
			t.byRows = kb <= smallK || nb <= 4*nr
			t.once = last-first <= mc
			switch {
			case t.direct: // whole panels stay where they are
				whole := nb / nr * nr
				packB(s.b[whole*kb:], b.from(pc, jc+whole), kb, nb-whole, nr)
			case t.byRows:
				packB(s.b, b.from(pc, jc), kb, nb, nr)
			}
			for ic := first; ic < last; ic += mc {
				halt.Here()
				t.rows(a.from(ic, pc), ic, min(mc, last-ic), ic == first)
			}
		}
	}
}

// rowsOf returns the rows of C that the part has in columns lo to hi, from a
// multiple of mr.
func rowsOf(which part, lo, hi, m, mr int) (first, last int) {
	switch which {
	case upper:
		return 0, min(hi, m)
	case lower:
		return lo / mr * mr, m
	}
	return 0, m
}

// scaleStrip multiplies the part of columns lo to hi of C by beta, beta = 0
// without reading.
func scaleStrip(m, lo, hi int, beta float64, c []float64, ldc int, which part) {
	for i := range m {
		l, h := lo, hi
		switch which {
		case upper:
			l = max(l, i)
		case lower:
			h = min(h, i+1)
		}
		if l >= h {
			continue
		}
		row := c[i*ldc+l : i*ldc+h]
		if beta == 0 {
			clear(row)
		} else {
			asm.Scale(row, beta, row)
		}
	}
}

func scalePart(m, n int, beta float64, c []float64, ldc int, which part) {
	if beta != 1 {
		scaleStrip(m, 0, n, beta, c, ldc, which)
	}
}

// syr2k sets the part of C = alpha*(A*B' + B*A') + beta*C for n x k views.
func syr2k(n, k int, alpha float64, a, b view, beta float64, c []float64, ldc int, which part) {
	gemm(n, n, k, alpha, a, b.t(), beta, c, ldc, which)
	gemm(n, n, k, alpha, b, a.t(), 1, c, ldc, which)
}
