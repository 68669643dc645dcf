package linalg

import (
	"fmt"
	"math"

	"gaucho/stdlib/internal/asm"
)

// A NotPositiveDefinite error says at which pivot a Cholesky factorization
// found no positive number.
type NotPositiveDefinite struct {
	Pivot int     // row and column, from 0
	Value float64 // of the pivot
}

func (e NotPositiveDefinite) Error() string {
	return fmt.Sprintf("linalg: matrix is not positive definite: pivot %d is %v, must be positive", e.Pivot, e.Value)
}

// potrf factorizes the triangle of A in place: A = U'U (upper) or L L' (lower).
// It recurses on halves, so that all but the smallest blocks are products. It
// returns nil or NotPositiveDefinite; the leading part is then factorized.
func potrf(n int, a []float64, lda int, which part) error {
	if which == upper {
		return potrfUpper(n, a, lda, 0)
	}
	return potrfLower(n, a, lda, 0)
}

func potrfUpper(n int, a []float64, lda, offset int) error {
	if n <= triBase {
		return potrfBase(n, a, lda, offset)
	}
	h := half(n)
	if err := potrfUpper(h, a, lda, offset); err != nil {
		return err
	}
	b, c := a[h:], a[h*lda+h:]
	trsmLeft(h, n-h, triangle{view{a, 1, lda}, true, false}, b, lda)
	gemm(n-h, n-h, h, -1, view{b, 1, lda}, view{b, lda, 1}, 1, c, lda, upper)
	return potrfUpper(n-h, c, lda, offset+h)
}

func potrfLower(n int, a []float64, lda, offset int) error {
	if n <= triBase {
		var buf [triBase * triBase]float64
		transpose(buf[:], n, a, lda, n, n)
		err := potrfBase(n, buf[:], n, offset)
		for i := range n {
			for j := range i + 1 {
				a[i*lda+j] = buf[j*n+i]
			}
		}
		return err
	}
	h := half(n)
	if err := potrfLower(h, a, lda, offset); err != nil {
		return err
	}
	b, c := a[h*lda:], a[h*lda+h:]
	trsmRight(n-h, h, triangle{view{a, 1, lda}, false, false}, b, lda)
	gemm(n-h, n-h, h, -1, view{b, lda, 1}, view{b, 1, lda}, 1, c, lda, lower)
	return potrfLower(n-h, c, lda, offset+h)
}

// potrfBase is U'U row by row: each is a chain of the rows above.
func potrfBase(n int, a []float64, lda, offset int) error {
	var buf [triBase]float64
	for j := range n {
		row := a[j*lda+j : j*lda+n]
		for i := range j {
			buf[i] = -a[i*lda+j]
		}
		if j > 0 {
			asm.AxpyRows(row, buf[:j], a[j:], lda)
		}
		d := row[0]
		if !(d > 0) || math.IsInf(d, 1) {
			return NotPositiveDefinite{offset + j, d}
		}
		d = math.Sqrt(d)
		row[0] = d
		for k := 1; k < len(row); k++ {
			row[k] /= d
		}
	}
	return nil
}
