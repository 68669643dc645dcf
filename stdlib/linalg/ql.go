package linalg

import (
	"fmt"
	"math"
	"slices"

	"gaucho/stdlib/internal/asm"
)

const epsilon = 0x1p-53

// qlSteps is the number of steps allowed for one eigenvalue; it takes two or
// three.
const qlSteps = 60

// qlImplicit finds the eigenvalues of the symmetric tridiagonal matrix with
// diagonal d and off-diagonal e, in d, unsorted, by the implicit QL method
// (Martin and Wilkinson 1968). Rows of z, n of length ld, of which columns lo to
// hi count, are rotated along: rows of the identity become eigenvectors. Elements
// must be of size 1 or so.
func qlImplicit(d, e, z []float64, ld, lo, hi int) error {
	n := len(d)
	if n == 0 {
		return nil
	}
	off := make([]float64, n)
	copy(off, e)
	// Off-diagonal elements below the rounding error of the matrix are zero.
	small := epsilon * max(largest(d), largest(off))
	return settle(n, off, small, func(l, m, _ int) { qlSweep(d, off, l, m, z, ld, lo, hi) })
}

// largest returns the largest absolute value, NaN if there is one. Bits without the
// sign are in the order of what they stand for, and are compared faster.
func largest(x []float64) float64 {
	var most uint64
	for _, v := range x {
		most = max(most, math.Float64bits(v)&^(1<<63))
	}
	return math.Float64frombits(most)
}

// settle does steps on the blocks l to m between elements of e, off the diagonal of n
// elements, that are at most small, until all are.
func settle(n int, e []float64, small float64, sweep func(l, m, step int)) error {
	for l := range n {
		for step := 0; ; step++ {
			m := l
			for m < n-1 && !(math.Abs(e[m]) <= small) {
				m++
			}
			if m == l {
				break
			}
			if step == qlSteps {
				return fmt.Errorf("linalg: eigenvalue %d of a tridiagonal matrix did not settle in %d steps", l, qlSteps)
			}
			sweep(l, m, step)
		}
	}
	return nil
}

// qlSweep is one QL step with Wilkinson's shift on the block l to m.
func qlSweep(d, e []float64, l, m int, z []float64, ld, lo, hi int) {
	g := (d[l+1] - d[l]) / (2 * e[l])
	r := math.Sqrt(float64(g*g) + 1)
	if math.IsInf(r, 1) {
		r = math.Abs(g)
	}
	g = d[m] - d[l] + e[l]/(g+math.Copysign(r, g))
	s, c, p := 1.0, 1.0, 0.0
	for i := m - 1; i >= l; i-- {
		f, b := float64(s*e[i]), float64(c*e[i])
		r = math.Sqrt(float64(f*f) + float64(g*g))
		e[i+1] = r
		if r == 0 {
			d[i+1] -= p
			e[m] = 0
			return
		}
		inv := 1 / r
		s, c = f*inv, g*inv
		g = d[i+1] - p
		r = float64((d[i]-g)*s) + float64(float64(2*c)*b)
		p = s * r
		d[i+1] = g + p
		g = float64(c*r) - b
		// (z_i+1, z_i) = (c z_i+1 + s z_i, c z_i - s z_i+1).
		asm.Rotate(z[(i+1)*ld+lo:(i+1)*ld+hi], z[i*ld+lo:i*ld+hi], c, s)
	}
	d[l] -= p
	e[l] = g
	e[m] = 0
}

// qlValues overwrites d with the eigenvalues alone, ascending, by the variant of
// Pal, Walker and Kahan, which takes no square root for an element (Parlett 1998,
// section 8.15). Elements must be of size 1 or so.
func qlValues(d, e []float64) error {
	small := epsilon * max(largest(d), largest(e))
	squares := make([]float64, len(d)) // and 0
	for i, x := range e {
		squares[i] = x * x
	}
	if err := settle(len(d), squares, small*small, func(l, m, step int) {
		squareSweeps(d[l:m+1], squares[l:m+1], small*small, step)
	}); err != nil {
		return err
	}
	slices.Sort(d)
	return nil
}

// squareSweeps are two QL steps, the second two elements after the first, so that
// neither waits for the other's divisions. The shifts are the eigenvalues of the
// first two rows, Wilkinson's first; at times that alone, as both hardly change a
// matrix whose diagonal is 0. Where the first step has settled the first row,
// the second ends before it. e holds squares, and room for the last row's.
func squareSweeps(d, e []float64, small float64, step int) {
	m := len(d) - 1
	root := math.Sqrt(e[0])
	g := (d[1] - d[0]) / (2 * root)
	g += math.Copysign(math.Hypot(g, 1), g)
	shift, shift2 := d[0]-root/g, d[0]+root*g
	if step%4 == 3 {
		shift2 = shift
	}
	turn, turn2, end := newTurn(d[m]-shift), squareTurn{}, 0
	for i := m - 1; i >= end-2; i-- {
		if i >= 0 {
			square, last := e[i], turn
			if turn = last.next(d[i]-shift, square); turn.p < leastGamma*leastGamma {
				turn = last.least(square)
			}
			d[i+1], e[i+1] = last.gamma+(d[i]-turn.gamma), last.sine*(last.p+square)
		}
		if i == -1 {
			d[0], e[0] = shift+turn.gamma, turn.sine*turn.p
			if e[0] <= small {
				end = 1
			}
		}
		j := i + 2
		if j == m-1 {
			turn2 = newTurn(d[m] - shift2)
		}
		if j < m {
			square, last := e[j], turn2
			if turn2 = last.next(d[j]-shift2, square); turn2.p < leastGamma*leastGamma {
				turn2 = last.least(square)
			}
			d[j+1], e[j+1] = last.gamma+(d[j]-turn2.gamma), last.sine*(last.p+square)
		}
	}
	if end < m {
		d[end], e[end] = shift2+turn2.gamma, turn2.sine*turn2.p
	}
}

// A squareTurn is a rotation of the QL method without roots: the square of its sine,
// gamma, and p, the square of gamma over the cosine's.
type squareTurn struct{ sine, gamma, p float64 }

// leastGamma is far below the rounding of elements of size 1. Where the square of gamma
// over that of the cosine is less than its square, as after exact cancellation, the next
// rotation would not follow from it, and after a few of such p would be 0.
const leastGamma = 0x1p-100

func newTurn(x float64) squareTurn {
	if math.Abs(x) < leastGamma {
		x = leastGamma
	}
	return squareTurn{0, x, x * x}
}

// next is the rotation after a, for an element of the diagonal, less the shift, and
// the square beside it, with one division, for which the next one waits.
func (a squareTurn) next(x, square float64) squareTurn {
	r := a.p + square
	inverse := 1 / (r * a.p)
	t := float64(a.p*x) - float64(square*a.gamma)
	return squareTurn{square * a.p * inverse, t * a.p * inverse, float64(t*t) * inverse}
}

// least is the rotation after a where that of next has too small a gamma.
func (a squareTurn) least(square float64) squareTurn {
	r := a.p + square
	return squareTurn{square / r, leastGamma, leastGamma * leastGamma * r / a.p}
}
