package linalg

import "gaucho/stdlib/internal/asm"

// A task is a product of one block of A by the packed block of B.
type task struct {
	s      *scratch
	k      int
	alpha  float64
	add    bool
	direct bool // B is read in place where a panel is whole
	byRows bool // blocks of C are taken row by row
	once   bool // one block of A is all: a panel of B is used and forgotten
	b      view
	n      int
	c      []float64
	ldc    int
	col    int // first column of C
	which  part
	mr, nr int
}

// rows does rows ic to ic+m of C. Column by column, the first block of A copies
// each panel of B just before its use.
func (t *task) rows(a view, ic, m int, first bool) {
	mr, nr := t.mr, t.nr
	packed := t.n > 4*nr
	if packed {
		packA(t.s.a, a, m, t.k, mr)
	}
	left := func(i int) (p []float64, rs, cs int) {
		h := min(mr, m-i)
		switch {
		case packed:
			return t.s.a[i*t.k:], 1, mr
		case h == mr:
			return a.at(i, 0), a.rs, a.cs
		}
		packA(t.s.a, a.from(i, 0), h, t.k, mr)
		return t.s.a, 1, mr
	}
	if t.byRows {
		for i := 0; i < m; i += mr {
			p, rs, cs := left(i)
			for j := 0; j < t.n; j += nr {
				t.block(p, rs, cs, t.s.b[j*t.k:], ic+i, j, min(mr, m-i))
			}
		}
		return
	}
	for j := 0; j < t.n; j += nr {
		b := t.s.b
		if !t.once {
			b = b[j*t.k:]
		}
		switch {
		case t.direct:
			b = t.s.b[j*t.k:]
		case first:
			packB(b, t.b.from(0, j), t.k, min(nr, t.n-j), nr)
		}
		for i := 0; i < m; i += mr {
			p, rs, cs := left(i)
			t.block(p, rs, cs, b, ic+i, j, min(mr, m-i))
		}
	}
}

// block does the block of C at row i and column t.col+j with the packed panel b.
func (t *task) block(a []float64, ars, acs int, b []float64, i, j, h int) {
	w := min(t.nr, t.n-j)
	col := t.col + j
	bs := t.nr
	if t.direct && w == t.nr {
		b, bs = t.b.at(0, j), t.b.rs
	}
	c := t.c[i*t.ldc+col:]
	switch {
	case t.which == upper && i > col+w-1, t.which == lower && i+h-1 < col:
		return
	case t.which == upper && i+h-1 > col, t.which == lower && i < col+w-1:
		t.diagonal(a, ars, acs, b, bs, c, i, col, h, w)
		return
	}
	asm.Gemm(t.k, a, ars, acs, b, bs, c, t.ldc, t.alpha, t.add, h, w)
}

// diagonal does a block that the triangle's edge crosses, in a buffer.
func (t *task) diagonal(a []float64, ars, acs int, b []float64, bs int, c []float64, i, j, h, w int) {
	buf := t.s.tile
	for r := range h {
		lo, hi := t.inside(i+r, j, w)
		if lo < hi {
			copy(buf[r*w+lo:r*w+hi], c[r*t.ldc+lo:r*t.ldc+hi])
		}
	}
	asm.Gemm(t.k, a, ars, acs, b, bs, buf, w, t.alpha, t.add, h, w)
	for r := range h {
		lo, hi := t.inside(i+r, j, w)
		if lo < hi {
			copy(c[r*t.ldc+lo:r*t.ldc+hi], buf[r*w+lo:r*w+hi])
		}
	}
}

// inside returns the columns, from j, of row i that belong to the triangle.
func (t *task) inside(i, j, w int) (lo, hi int) {
	if t.which == upper {
		return min(max(i-j, 0), w), w
	}
	return 0, min(max(i-j+1, 0), w)
}
