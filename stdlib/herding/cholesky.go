package herding

import "math"

// cholesky is the lower factor L of a symmetric positive-definite matrix that
// grows and shrinks by one row at a time: L L' = K. Row i is kept as a slice of
// length i+1, and rows that were deleted are used again, so a factor that has
// reached its size allocates nothing.
type cholesky struct {
	rows [][]float64
	free [][]float64
}

// solveLower writes L^-1 b to dst (dst may be b). O(k^2).
func (f *cholesky) solveLower(dst, b []float64) {
	for i, l := range f.rows {
		s := b[i]
		for j, v := range l[:i] {
			s -= v * dst[j]
		}
		dst[i] = s / l[i]
	}
}

// solveUpper writes L^-T b to dst (dst may be b). O(k^2).
func (f *cholesky) solveUpper(dst, b []float64) {
	k := len(f.rows)
	copy(dst, b[:k])
	for i := k - 1; i >= 0; i-- {
		l := f.rows[i]
		dst[i] /= l[i]
		s := dst[i]
		for j, v := range l[:i] {
			dst[j] -= s * v
		}
	}
}

// pivot returns what would be under the root if the row (column, diagonal)
// were appended, and leaves L^-1 column in work: the squared distance of the new
// element from the span of the others. O(k^2).
func (f *cholesky) pivot(work, column []float64, diagonal float64) float64 {
	f.solveLower(work, column)
	for _, v := range work[:len(f.rows)] {
		diagonal -= v * v
	}
	return diagonal
}

// extend appends a row whose pivot has been computed: L^-1 column and the pivot,
// which must be positive.
func (f *cholesky) extend(solved []float64, pivot float64) {
	k := len(f.rows)
	var row []float64
	if n := len(f.free); n > 0 {
		row, f.free = f.free[n-1][:0], f.free[:n-1]
	}
	row = append(row, solved[:k]...)
	f.rows = append(f.rows, append(row, math.Sqrt(pivot)))
}

// delete removes row and column r of the factored matrix. What is left of L is
// lower triangular but for one element next to the diagonal in the rows below r;
// Givens rotations of neighbouring columns remove them. O((k-r)^2).
func (f *cholesky) delete(r int) {
	gone := f.rows[r]
	copy(f.rows[r:], f.rows[r+1:])
	f.rows = f.rows[:len(f.rows)-1]
	for i := r; i < len(f.rows); i++ {
		a, b := f.rows[i][i], f.rows[i][i+1]
		h := math.Hypot(a, b)
		c, s := a/h, b/h
		for _, l := range f.rows[i:] {
			l[i], l[i+1] = c*l[i]+s*l[i+1], c*l[i+1]-s*l[i]
		}
		f.rows[i] = f.rows[i][:i+1]
	}
	f.free = append(f.free, gone)
}
