package asm

import "math"

// Symv4 uses four rows of a, as apart, once for both their parts in a symmetric
// product: dot[r] is the sum of a[r][j]*x[j] (8 partial sums, element j into
// sum j mod 8, halves added), and y[j] gets the chain of xr[r]*a[r][j]. x and y
// have equal lengths.
func Symv4(dot *[4]float64, y, a []float64, as int, x []float64, xr *[4]float64) {
	*dot = [4]float64{}
	if len(x) == 0 {
		return
	}
	switch level {
	case AVX512:
		symv4AVX512(&dot[0], &y[0], &a[0], 8*as, &x[0], &xr[0], len(x))
		return
	case AVX2:
		symv4AVX2(&dot[0], &y[0], &a[0], 8*as, &x[0], &xr[0], len(x))
		return
	}
	var acc [4][8]float64
	for j := symv4Whole(&acc, y, a, as, x, xr); j < len(x); j++ {
		v, xv := y[j], x[j]
		for r := range 4 {
			e := a[r*as+j]
			acc[r][j%8] = math.FMA(xv, e, acc[r][j%8])
			v = math.FMA(e, xr[r], v)
		}
		y[j] = v
	}
	for r := range 4 {
		s := &acc[r]
		for h := 4; h > 0; h /= 2 {
			for i := range h {
				s[i] += s[i+h]
			}
		}
		dot[r] = s[0]
	}
}

// Rotate sets x, y = c*x + s*y, c*y - s*x; equal lengths, apart.
func Rotate(x, y []float64, c, s float64) {
	for len(x) > 0 {
		n := min(len(x), chunk)
		switch level {
		case AVX512:
			rotateAVX512(&x[0], &y[0], c, s, n)
		case AVX2:
			rotateAVX2(&x[0], &y[0], c, s, n)
		default:
			for i, a := range x[:n] {
				b := y[i]
				x[i] = math.FMA(c, a, float64(s*b))
				y[i] = math.FMA(-s, a, float64(c*b))
			}
		}
		x, y = x[n:], y[n:]
	}
}
