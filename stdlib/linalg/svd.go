package linalg

import (
	"cmp"
	"math"
	"slices"

	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/memory"

	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"
)

// svdFrom is the smaller side from which matrices are decomposed here, a
// variable for the tests.
var svdFrom = 16

// Dgesvd computes the singular values s, descending, and as the jobs say left
// singular vectors in the columns of u and right ones in the rows of vt. a is
// destroyed. ok is false if the values do not settle.
func (l LAPACK) Dgesvd(jobU, jobVT lapack.SVDJob, m, n int, a []float64, lda int, s, u []float64, ldu int, vt []float64, ldvt int, work []float64, lwork int) (ok bool) {
	k := min(m, n)
	left, okU := vectorsOf(jobU, m, k)
	right, okVT := vectorsOf(jobVT, n, k)
	if k < max(svdFrom, 2) || !okU || !okVT || lwork < max(3*k+max(m, n), 5*k) || len(work) < lwork || !fits(a, lda, m, n) ||
		len(s) < k || left > 0 && !fits(u, ldu, m, left) || right > 0 && !fits(vt, ldvt, right, n) {
		return l.Implementation.Dgesvd(jobU, jobVT, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork)
	}
	big := 0.0
	for i := range m {
		big = max(big, largest(a[i*lda:i*lda+n]))
	}
	if big == 0 || math.IsNaN(big) || math.IsInf(big, 0) {
		return l.Implementation.Dgesvd(jobU, jobVT, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork)
	}
	w := memory.Fresh(m * n)
	d := decomposition{m: max(m, n), n: k, a: w}
	if m >= n {
		for i := range m {
			copy(w[i*n:(i+1)*n], a[i*lda:i*lda+n])
		}
		d.left, d.right = left, right > 0
	} else {
		transpose(w, m, a, lda, m, n)
		d.left, d.right = right, left > 0
	}
	// Scaled to size 1 by a power of two, so that squares neither overflow nor
	// vanish.
	_, exponent := math.Frexp(big)
	for _, f := range halves(-exponent) {
		asm.Scale(w, f, w)
	}
	if !d.compute() {
		return false
	}
	for _, f := range halves(exponent) {
		asm.Scale(d.values, f, d.values)
	}
	copy(s, d.values)
	if m >= n {
		copyRows(u, ldu, d.u, left, m)
		copyRows(vt, ldvt, d.vt, n, right)
	} else {
		if left > 0 {
			transpose(u, ldu, d.vt, k, k, k)
		}
		if right > 0 {
			transpose(vt, ldvt, d.u, right, n, right)
		}
	}
	work[0] = float64(max(3*k+max(m, n), 5*k))
	return true
}

// vectorsOf returns how many singular vectors a job asks for, of rows many that
// there are at most and k that belong to a singular value.
func vectorsOf(job lapack.SVDJob, rows, k int) (count int, ok bool) {
	switch job {
	case lapack.SVDAll:
		return rows, true
	case lapack.SVDStore:
		return k, true
	}
	return 0, job == lapack.SVDNone
}

func copyRows(dst []float64, ld int, src []float64, width, rows int) {
	for i := 0; i < rows && width > 0; i++ {
		copy(dst[i*ld:i*ld+width], src[i*width:(i+1)*width])
	}
}

// A decomposition is that of a, m x n with m >= n, which it destroys.
type decomposition struct {
	m, n   int
	a      []float64
	left   int  // how many left singular vectors are wanted: 0, n or m
	right  bool // whether the right ones are
	values []float64
	u      []float64 // m x left
	vt     []float64 // n x n
}

// compute reduces a to bidiagonal form, a triangle first if a has many more rows
// than columns, finds the values, and transforms the vectors back.
func (d *decomposition) compute() bool {
	m, n := d.m, d.n
	if 5*m < 8*n || m == n {
		ut, ok := d.square(m, d.a, d.left)
		if ok && d.left > 0 {
			d.u = memory.Fresh(m * d.left)
			transpose(d.u, d.left, ut, m, d.left, m)
		}
		return ok
	}
	qr := &QR{m, n, d.a, make([]float64, n)}
	geqrf(m, n, d.a, n, qr.tau)
	r := memory.Fresh(n * n)
	for i := range n {
		copy(r[i*n+i:(i+1)*n], d.a[i*n+i:(i+1)*n])
	}
	ut, ok := d.square(n, r, min(d.left, n))
	if ok && d.left > 0 {
		d.u = memory.Fresh(m * d.left)
		transpose(d.u, d.left, ut, n, n, n)
		for i := n; i < d.left; i++ {
			d.u[i*d.left+i] = 1
		}
		qr.applyQ(false, d.left, d.u, d.left)
	}
	return ok
}

// square decomposes a, m x n with m not much above n: it sets values and vt, and
// returns left singular vectors as rows.
func (d *decomposition) square(m int, a []float64, left int) (ut []float64, ok bool) {
	n := d.n
	var impl gonum.Implementation
	b := &bidiagonal{d: make([]float64, n), e: make([]float64, n-1)}
	tauQ, tauP := make([]float64, n), make([]float64, n)
	withWork(func(work []float64, lwork int) { impl.Dgebrd(m, n, a, n, b.d, b.e, tauQ, tauP, work, lwork) })
	if left > 0 {
		q := memory.Fresh(m * left)
		for i := range m {
			copy(q[i*left:i*left+n], a[i*n:(i+1)*n])
		}
		withWork(func(work []float64, lwork int) { impl.Dorgbr(lapack.GenerateQ, m, left, n, q, left, tauQ, work, lwork) })
		ut = memory.Fresh(left * m)
		transpose(ut, m, q, left, m, left)
		b.left = rotated{rows: ut, width: m}
	}
	if d.right {
		d.vt = memory.Fresh(n * n)
		copy(d.vt, a[:n*n])
		withWork(func(work []float64, lwork int) { impl.Dorgbr(lapack.GeneratePT, n, n, n, d.vt, n, tauP, work, lwork) })
		b.right = rotated{rows: d.vt, width: n}
	}
	if !b.solve() {
		return nil, false
	}
	for i, x := range b.d {
		if x < 0 || x == 0 && math.Signbit(x) {
			b.d[i] = -x
			if d.right {
				asm.Scale(d.vt[i*n:(i+1)*n], -1, d.vt[i*n:(i+1)*n])
			}
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(b.d[j], b.d[i]) })
	d.values = make([]float64, n)
	for i, j := range order {
		d.values[i] = b.d[j]
	}
	d.vt = ordered(d.vt, order, n)
	return ordered(ut, order, m), true
}

// ordered puts the first rows in an order.
func ordered(rows []float64, order []int, width int) []float64 {
	if rows == nil {
		return nil
	}
	out := memory.Fresh(len(rows))
	copy(out[len(order)*width:], rows[len(order)*width:])
	for i, j := range order {
		copy(out[i*width:(i+1)*width], rows[j*width:(j+1)*width])
	}
	return out
}

// withWork calls a function of LAPACK with as much scratch as it asks for.
func withWork(f func(work []float64, lwork int)) {
	size := make([]float64, 1)
	f(size, -1)
	work := make([]float64, int(size[0]))
	f(work, len(work))
}
