package linalg

import (
	"fmt"
	"math"

	"gaucho/stdlib/internal/asm"
)

const epsilon = 0x1p-53

// qlSteps is the number of steps allowed for one eigenvalue; it takes two or
// three.
const qlSteps = 60

// qlImplicit finds the eigenvalues of the symmetric tridiagonal matrix with
// diagonal d and off-diagonal e, in d, unsorted, by the implicit QL method
// (Martin and Wilkinson 1968). Rows of z, n of length ld, of which columns lo to
// hi count, are rotated along: rows of the identity become eigenvectors. nil z
// leaves that out. e is destroyed. Elements must be of size 1 or so.
func qlImplicit(d, e, z []float64, ld, lo, hi int) error {
	n := len(d)
	if n == 0 {
		return nil
	}
	off := make([]float64, n)
	copy(off, e)
	// Off-diagonal elements below the rounding error of the matrix are zero.
	norm := 0.0
	for i, x := range off {
		norm = max(norm, math.Abs(d[i]), math.Abs(x))
	}
	small := epsilon * norm
	for l := range n {
		for step := 0; ; step++ {
			m := l
			for ; m < n-1; m++ {
				if math.Abs(off[m]) <= small {
					break
				}
			}
			if m == l {
				break
			}
			if step == qlSteps {
				return fmt.Errorf("linalg: eigenvalue %d of a tridiagonal matrix did not settle in %d steps", l, qlSteps)
			}
			qlSweep(d, off, l, m, z, ld, lo, hi)
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
		if z != nil {
			// (z_i+1, z_i) = (c z_i+1 + s z_i, c z_i - s z_i+1).
			asm.Rotate(z[(i+1)*ld+lo:(i+1)*ld+hi], z[i*ld+lo:i*ld+hi], c, s)
		}
	}
	d[l] -= p
	e[l] = g
	e[m] = 0
}
