package linalg

import (
	"runtime"

	"gaucho/internal/halt"
	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/parallel"
)

// workersFor returns how many goroutines go through area elements in n units.
func workersFor(area, n int) int {
	if area < serialArea {
		return 1
	}
	return max(1, min(runtime.GOMAXPROCS(0), n))
}

// gemv sets y = alpha*A*x + beta*y for A m x n. Rows that are contiguous make
// dot products, columns that are make chains in the order of the columns.
func gemv(m, n int, alpha float64, a view, x []float64, beta float64, y []float64) {
	halt.Here()
	if a.cs == 1 {
		workers := workersFor(m*n, m)
		if workers == 1 {
			gemvRows(0, m, n, alpha, a, x, beta, y)
			return
		}
		parallel.Team(workers, func(w, of int) { gemvRows(w*m/of, (w+1)*m/of, n, alpha, a, x, beta, y) })
		return
	}
	workers := workersFor(m*n, m/8)
	if workers == 1 {
		gemvColumns(0, m, n, alpha, a, x, beta, y)
		return
	}
	parallel.Team(workers, func(w, of int) {
		lo, hi := m/8*w/of*8, m/8*(w+1)/of*8
		if w == of-1 {
			hi = m
		}
		gemvColumns(lo, hi, n, alpha, a, x, beta, y)
	})
}

// gemvRows takes as many rows at a time as the stack has room for.
func gemvRows(lo, hi, n int, alpha float64, a view, x []float64, beta float64, y []float64) {
	var buf [64]float64
	if n == 0 {
		alpha = 0 // also where it is not finite
	}
	for ; lo < hi; lo += len(buf) {
		out := y[lo:min(lo+len(buf), hi)]
		dots := buf[:len(out)]
		if n > 0 {
			asm.Dots(dots, a.p[lo*a.rs:], a.rs, x[:n])
		}
		for i, d := range dots {
			s := alpha * d
			if beta != 0 {
				s += float64(beta * out[i])
			}
			out[i] = s
		}
	}
}

// gemvColumns takes as many columns at a time as the stack has room for.
func gemvColumns(lo, hi, n int, alpha float64, a view, x []float64, beta float64, y []float64) {
	dst := y[lo:hi]
	scaleVec(dst, beta)
	if lo >= hi {
		return
	}
	var buf [64]float64
	for j := 0; j < n; j += len(buf) {
		ax := buf[:min(len(buf), n-j)]
		asm.Scale(ax, alpha, x[j:j+len(ax)])
		asm.AxpyRows(dst, ax, a.p[lo+j*a.cs:], a.cs)
	}
}

// scaleVec multiplies by beta, 0 without reading.
func scaleVec(y []float64, beta float64) {
	switch beta {
	case 0:
		clear(y)
	case 1:
	default:
		asm.Scale(y, beta, y)
	}
}

// ger adds alpha*x*y' to A, m x n with contiguous rows.
func ger(m, n int, alpha float64, x, y, a []float64, lda int) {
	halt.Here()
	workers := workersFor(m*n, m)
	if workers == 1 {
		gerRows(0, m, n, alpha, x, y, a, lda)
		return
	}
	parallel.Team(workers, func(w, of int) { gerRows(w*m/of, (w+1)*m/of, n, alpha, x, y, a, lda) })
}

func gerRows(lo, hi, n int, alpha float64, x, y, a []float64, lda int) {
	for i := lo; i < hi; i++ {
		asm.Axpy(a[i*lda:i*lda+n], alpha*x[i], y[:n])
	}
}

// symvStrips is the number of strips of rows, of equal area, whose parts of a
// symmetric product are added at the end, and symvFrom the size from which there
// are strips and not one: both fixed, so that the number of goroutines, of which
// there is one up to there, does not show.
const symvStrips, symvFrom = 8, 362

// symv sets y = alpha*A*x + beta*y for a symmetric A of which only one triangle
// is read, once.
func symv(n int, alpha float64, a []float64, lda int, which part, x []float64, beta float64, y []float64) {
	sum := make([]float64, n)
	symvScratch(n, a, lda, which, x, sum, make([]float64, symvStrips*n))
	scaleVec(y[:n], beta)
	asm.Axpy(y[:n], alpha, sum)
}

// symvScratch sets y = A*x with scratch of symvStrips*n elements.
func symvScratch(n int, a []float64, lda int, which part, x, y, scratch []float64) {
	halt.Here()
	strips := symvStrips
	if n < symvFrom {
		strips = 1
	}
	y = y[:n]
	parallel.Team(min(workersFor(n*n/2, strips), strips), func(w, of int) {
		// Strips are dealt in turn: their areas are equal. The last adds to all of y.
		for s := w; s < strips; s += of {
			lo, hi := symvBound(s, strips, n), symvBound(s+1, strips, n)
			sum := y
			if s < strips-1 {
				sum = scratch[s*n : (s+1)*n]
			}
			clear(symvRange(sum, hi, which))
			symvStrip(n, lo, hi, a, lda, which, x, sum)
		}
	})
	for s := range strips - 1 {
		hi := symvBound(s+1, strips, n)
		to := symvRange(y, hi, which)
		asm.Add(to, to, symvRange(scratch[s*n:(s+1)*n], hi, which))
	}
}

// symvRange is what of y the first hi rows add to, counted from the triangle's short end.
func symvRange(y []float64, hi int, which part) []float64 {
	if which == upper {
		return y[len(y)-hi:]
	}
	return y[:hi]
}

// symvBound is where strip s begins, counted from the corner of the triangle
// where rows are short.
func symvBound(s, strips, n int) int {
	return min(4*stripBound(s, strips, (n+3)/4, upper), n)
}

// symvStrip adds the products of the rows lo to hi of the triangle, counted
// from its short end, to y.
func symvStrip(n, lo, hi int, a []float64, lda int, which part, x, y []float64) {
	if which == upper {
		lo, hi = n-hi, n-lo
	}
	for i := lo; i < hi; i += 4 {
		h := min(4, hi-i)
		symvCorner(i, h, a, lda, which, x, y)
		from, to := 0, i
		if which == upper {
			from, to = i+h, n
		}
		if from >= to {
			continue
		}
		if h < 4 {
			for r := i; r < i+h; r++ {
				row := a[r*lda+from : r*lda+to]
				y[r] += asm.Dot(row, x[from:to])
				asm.Axpy(y[from:to], x[r], row)
			}
			continue
		}
		var dot, xr [4]float64
		copy(xr[:], x[i:i+4])
		asm.Symv4(&dot, y[from:to], a[i*lda+from:], lda, x[from:to], &xr)
		for r, d := range dot {
			y[i+r] += d
		}
	}
}

// symvCorner adds the products of the h x h block on the diagonal at i.
func symvCorner(i, h int, a []float64, lda int, which part, x, y []float64) {
	rs, cs := lda, 1 // of the upper triangle
	if which == lower {
		rs, cs = cs, rs
	}
	a, x, y = a[i*lda+i:], x[i:i+h], y[i:i+h]
	if h == 4 {
		a00, a01, a02, a03 := a[0], a[cs], a[2*cs], a[3*cs]
		a = a[rs+cs:]
		a11, a12, a13 := a[0], a[cs], a[2*cs]
		a = a[rs+cs:]
		a22, a23, a33 := a[0], a[cs], a[rs+cs]
		x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
		y[0] += (float64(a00*x0) + float64(a01*x1)) + (float64(a02*x2) + float64(a03*x3))
		y[1] += (float64(a01*x0) + float64(a11*x1)) + (float64(a12*x2) + float64(a13*x3))
		y[2] += (float64(a02*x0) + float64(a12*x1)) + (float64(a22*x2) + float64(a23*x3))
		y[3] += (float64(a03*x0) + float64(a13*x1)) + (float64(a23*x2) + float64(a33*x3))
		return
	}
	for r := range h {
		y[r] += float64(a[r*(rs+cs)] * x[r])
		for c := r + 1; c < h; c++ {
			v := a[r*rs+c*cs]
			y[r] += float64(v * x[c])
			y[c] += float64(v * x[r])
		}
	}
}
