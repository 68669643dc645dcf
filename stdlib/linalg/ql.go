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
	return settle(n, off, small, func(l, m int) { qlSweep(d, off, l, m, z, ld, lo, hi) })
}

// largest returns the largest absolute value.
func largest(x []float64) float64 {
	size := 0.0
	for _, v := range x {
		size = max(size, math.Abs(v))
	}
	return size
}

// settle does steps on the blocks l to m between elements of e, off the diagonal of n
// elements, that are at most small, until all are.
func settle(n int, e []float64, small float64, sweep func(l, m int)) error {
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
			sweep(l, m)
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
// section 8.15). e is destroyed. Elements must be of size 1 or so.
func qlValues(d, e []float64) error {
	small := epsilon * max(largest(d), largest(e))
	for i, x := range e {
		e[i] = x * x
	}
	if err := settle(len(d), e, small*small, func(l, m int) { squareSweep(d[l:m+1], e[l:m]) }); err != nil {
		return err
	}
	slices.Sort(d)
	return nil
}

// squareSweep is one QL step with Wilkinson's shift. e holds squares. p, the square
// of gamma over the cosine's, is had from the last p by one division, which the next
// element waits for.
func squareSweep(d, e []float64) {
	m := len(d) - 1
	root := math.Sqrt(e[0])
	g := (d[1] - d[0]) / (2 * root)
	shift := d[0] - root/(g+math.Copysign(math.Hypot(g, 1), g))
	cosine, sine := 1.0, 0.0 // squared
	gamma := d[m] - shift
	p := gamma * gamma
	for i := m - 1; i >= 0; i-- {
		square := e[i]
		r := p + square
		if i < m-1 {
			e[i+1] = sine * r
		}
		inverse := 1 / r
		old := gamma
		t := float64(p*(d[i]-shift)) - float64(square*old)
		gamma = t * inverse
		d[i+1] = old + (d[i] - gamma)
		last := p
		if p > 0x1p-500 {
			p = t * t / (r * p)
		} else {
			p = cosine * square
		}
		cosine, sine = last*inverse, square*inverse
	}
	e[0] = sine * p
	d[0] = shift + gamma
}
