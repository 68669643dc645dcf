package linalg

import (
	"runtime"

	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/parallel"
)

// A triangle is a triangular matrix in a view: lower or upper as it is to be
// used (a transposed view of an upper one is lower).
type triangle struct {
	view
	lower bool
	unit  bool // the diagonal is 1 and not read
}

func (t triangle) from(i int) triangle { return triangle{t.view.from(i, i), t.lower, t.unit} }

// triBase is the size up to which triangles are worked row by row.
const triBase = 32

// trsmLeft solves T X = B in place, B n x m with contiguous rows.
func trsmLeft(n, m int, t triangle, b []float64, ldb int) {
	workers := columnWorkers(n, m)
	if workers == 1 {
		trsmLeftSerial(n, m, t, b, ldb)
		return
	}
	splitColumns(workers, m, func(lo, hi int) { trsmLeftSerial(n, hi-lo, t, b[lo:], ldb) })
}

// trmmLeft sets B = T B.
func trmmLeft(n, m int, t triangle, b []float64, ldb int) {
	workers := columnWorkers(n, m)
	if workers == 1 {
		trmmLeftSerial(n, m, t, b, ldb)
		return
	}
	splitColumns(workers, m, func(lo, hi int) { trmmLeftSerial(n, hi-lo, t, b[lo:], ldb) })
}

// columnWorkers returns the number of goroutines for m columns and a triangle
// of size n.
func columnWorkers(n, m int) int {
	if float64(n)*float64(n)*float64(m)/2 < serialWork {
		return 1
	}
	return max(1, min(runtime.GOMAXPROCS(0), (m+23)/24))
}

// splitColumns divides m columns over goroutines.
func splitColumns(workers, m int, f func(lo, hi int)) {
	parallel.Team(workers, func(w, of int) {
		units := (m + 23) / 24
		lo, hi := min(24*(w*units/of), m), min(24*((w+1)*units/of), m)
		if lo < hi {
			f(lo, hi)
		}
	})
}

func trsmLeftSerial(n, m int, t triangle, b []float64, ldb int) {
	if m == 0 {
		return
	}
	if n <= triBase {
		trsmBase(n, m, t, b, ldb)
		return
	}
	h := half(n)
	top, bottom := b, b[h*ldb:]
	if t.lower {
		trsmLeftSerial(h, m, t, top, ldb)
		gemmSerial(n-h, m, h, -1, t.view.from(h, 0), view{top, ldb, 1}, bottom, ldb)
		trsmLeftSerial(n-h, m, t.from(h), bottom, ldb)
		return
	}
	trsmLeftSerial(n-h, m, t.from(h), bottom, ldb)
	gemmSerial(h, m, n-h, -1, t.view.from(0, h), view{bottom, ldb, 1}, top, ldb)
	trsmLeftSerial(h, m, t, top, ldb)
}

func trmmLeftSerial(n, m int, t triangle, b []float64, ldb int) {
	if m == 0 {
		return
	}
	if n <= triBase {
		trmmBase(n, m, t, b, ldb)
		return
	}
	h := half(n)
	top, bottom := b, b[h*ldb:]
	if t.lower {
		trmmLeftSerial(n-h, m, t.from(h), bottom, ldb)
		gemmSerial(n-h, m, h, 1, t.view.from(h, 0), view{top, ldb, 1}, bottom, ldb)
		trmmLeftSerial(h, m, t, top, ldb)
		return
	}
	trmmLeftSerial(h, m, t, top, ldb)
	gemmSerial(h, m, n-h, 1, t.view.from(0, h), view{bottom, ldb, 1}, top, ldb)
	trmmLeftSerial(n-h, m, t.from(h), bottom, ldb)
}

// half splits n at a multiple of triBase.
func half(n int) int { return (n/2 + triBase - 1) / triBase * triBase }

// gemmSerial adds alpha*A*B to C on this goroutine.
func gemmSerial(m, n, k int, alpha float64, a, b view, c []float64, ldc int) {
	if m > 0 && n > 0 && k > 0 {
		gemmStrip(m, 0, n, k, alpha, a, b, 1, c, ldc, full)
	}
}

// coefficients copies row i of T, columns lo to hi, times sign.
func (t triangle) coefficients(dst []float64, i, lo, hi int, sign float64) []float64 {
	dst = dst[:hi-lo]
	for j := range dst {
		dst[j] = sign * t.p[i*t.rs+(lo+j)*t.cs]
	}
	return dst
}

func trsmBase(n, m int, t triangle, b []float64, ldb int) {
	var buf [triBase]float64
	for k := range n {
		i, lo, hi := k, 0, k
		if !t.lower {
			i = n - 1 - k
			lo, hi = i+1, n
		}
		row := b[i*ldb : i*ldb+m]
		if lo < hi {
			asm.AxpyRows(row, t.coefficients(buf[:], i, lo, hi, -1), b[lo*ldb:], ldb)
		}
		if !t.unit {
			d := t.p[i*(t.rs+t.cs)]
			for j := range row {
				row[j] /= d
			}
		}
	}
}

func trmmBase(n, m int, t triangle, b []float64, ldb int) {
	var buf [triBase]float64
	for k := range n {
		i, lo, hi := k, k+1, n
		if t.lower {
			i = n - 1 - k
			lo, hi = 0, i
		}
		row := b[i*ldb : i*ldb+m]
		if !t.unit {
			asm.Scale(row, t.p[i*(t.rs+t.cs)], row)
		}
		if lo < hi {
			asm.AxpyRows(row, t.coefficients(buf[:], i, lo, hi, 1), b[lo*ldb:], ldb)
		}
	}
}

// trsmRight solves X T = B in place, B m x n with contiguous rows.
func trsmRight(m, n int, t triangle, b []float64, ldb int) {
	workers := columnWorkers(n, m)
	if workers == 1 {
		trsmRightSerial(m, n, t, b, ldb)
		return
	}
	splitColumns(workers, m, func(lo, hi int) { trsmRightSerial(hi-lo, n, t, b[lo*ldb:], ldb) })
}

// trmmRight sets B = B T.
func trmmRight(m, n int, t triangle, b []float64, ldb int) {
	workers := columnWorkers(n, m)
	if workers == 1 {
		trmmRightSerial(m, n, t, b, ldb)
		return
	}
	splitColumns(workers, m, func(lo, hi int) { trmmRightSerial(hi-lo, n, t, b[lo*ldb:], ldb) })
}

func trsmRightSerial(m, n int, t triangle, b []float64, ldb int) {
	if n <= triBase {
		onTransposed(m, n, b, ldb, func(p []float64, k int) { trsmBase(n, k, t.transposed(), p, k) })
		return
	}
	h := half(n)
	left, right := b, b[h:]
	if t.lower {
		trsmRightSerial(m, n-h, t.from(h), right, ldb)
		gemmSerial(m, h, n-h, -1, view{right, ldb, 1}, t.view.from(h, 0), left, ldb)
		trsmRightSerial(m, h, t, left, ldb)
		return
	}
	trsmRightSerial(m, h, t, left, ldb)
	gemmSerial(m, n-h, h, -1, view{left, ldb, 1}, t.view.from(0, h), right, ldb)
	trsmRightSerial(m, n-h, t.from(h), right, ldb)
}

func trmmRightSerial(m, n int, t triangle, b []float64, ldb int) {
	if n <= triBase {
		onTransposed(m, n, b, ldb, func(p []float64, k int) { trmmBase(n, k, t.transposed(), p, k) })
		return
	}
	h := half(n)
	left, right := b, b[h:]
	if t.lower {
		trmmRightSerial(m, h, t, left, ldb)
		gemmSerial(m, h, n-h, 1, view{right, ldb, 1}, t.view.from(h, 0), left, ldb)
		trmmRightSerial(m, n-h, t.from(h), right, ldb)
		return
	}
	trmmRightSerial(m, n-h, t.from(h), right, ldb)
	gemmSerial(m, n-h, h, 1, view{left, ldb, 1}, t.view.from(0, h), right, ldb)
	trmmRightSerial(m, h, t, left, ldb)
}

func (t triangle) transposed() triangle { return triangle{t.view.t(), !t.lower, t.unit} }

// onTransposed calls f on blocks of rows of B, transposed: n x k.
func onTransposed(m, n int, b []float64, ldb int, f func(p []float64, k int)) {
	const rows = 64
	var buf [rows * triBase]float64
	for i := 0; i < m; i += rows {
		k := min(rows, m-i)
		p := buf[:n*k]
		transpose(p, k, b[i*ldb:], ldb, k, n)
		f(p, k)
		transpose(b[i*ldb:], ldb, p, k, n, k)
	}
}

// transpose sets dst[j][i] = src[i][j] for m rows i and n columns j.
func transpose(dst []float64, ds int, src []float64, ss, m, n int) {
	m4 := m &^ 3
	for i := 0; i < m4; i += 4 {
		asm.PackTransposed(dst[i:], ds, src[i*ss:], ss, 4, n)
	}
	for i := m4; i < m; i++ {
		for j := range n {
			dst[j*ds+i] = src[i*ss+j]
		}
	}
}
