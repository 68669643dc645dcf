package asm

import "math"

// Tile returns the rows and columns of the micro-kernel's block of C.
func Tile() (mr, nr int) {
	switch level {
	case AVX512:
		return 8, 24
	case AVX2, NEON:
		return 4, 12
	}
	return 4, 4
}

// Gemm sets m rows and n columns of c (row stride cs) to alpha*A*B, or adds
// that if add. m and n are at most Tile's; A has all its mr rows (strides ars
// between rows, acs between columns) and B all nr columns (row stride bs). Each
// element is one chain of k fused operations, then alpha*acc or one more.
func Gemm(k int, a []float64, ars, acs int, b []float64, bs int, c []float64, cs int, alpha float64, add bool, m, n int) {
	flag := 0
	if add {
		flag = 1
	}
	switch level {
	case AVX512:
		gemmAVX512(k, &a[0], 8*ars, 8*acs, &b[0], 8*bs, &c[0], 8*cs, alpha, flag, m, n)
	case AVX2:
		gemmAVX2(k, &a[0], 8*ars, 8*acs, &b[0], 8*bs, &c[0], 8*cs, alpha, flag, m, n)
	case NEON:
		if m < 4 || n < 12 {
			gemmEdge(k, a, ars, acs, b, bs, c, cs, alpha, add, m, n)
			return
		}
		gemmNEON(k, &a[0], 8*ars, 8*acs, &b[0], 8*bs, &c[0], 8*cs, alpha, flag)
	default:
		gemmPortable(k, a, ars, acs, b, bs, c, cs, alpha, add, m, n)
	}
}

func gemmPortable(k int, a []float64, ars, acs int, b []float64, bs int, c []float64, cs int, alpha float64, add bool, m, n int) {
	for i := range m {
		var c0, c1, c2, c3 float64
		for l := range k {
			x, y := a[i*ars+l*acs], b[l*bs:l*bs+4]
			c0 = math.FMA(y[0], x, c0)
			c1 = math.FMA(y[1], x, c1)
			c2 = math.FMA(y[2], x, c2)
			c3 = math.FMA(y[3], x, c3)
		}
		acc := [4]float64{c0, c1, c2, c3}
		put(c[i*cs:i*cs+n], acc[:], alpha, add)
	}
}

// put sets a row to alpha*acc, or adds that.
func put(row, acc []float64, alpha float64, add bool) {
	for j := range row {
		if add {
			row[j] = math.FMA(alpha, acc[j], row[j])
		} else {
			row[j] = alpha * acc[j]
		}
	}
}

// PackRows copies rows of n elements, ss apart in src, one after the other;
// n is a multiple of 4.
func PackRows(dst, src []float64, ss, rows, n int) {
	if rows <= 0 || n <= 0 {
		return
	}
	if level >= AVX2 {
		packRowsAVX2(&dst[0], &src[0], 8*ss, rows, n/4)
		return
	}
	for i := range rows {
		copy(dst[i*n:(i+1)*n], src[i*ss:i*ss+n])
	}
}

// PackTransposed sets dst[k*ds+i] = src[i*ss+k] for rows i of src, a multiple
// of 4, and n columns k.
func PackTransposed(dst []float64, ds int, src []float64, ss, rows, n int) {
	k4 := 0
	if level >= AVX2 && n >= 4 {
		k4 = n &^ 3
		for i := 0; i < rows; i += 4 {
			packTransposedAVX2(&dst[i], 8*ds, &src[i*ss], 8*ss, n/4)
		}
	}
	for i := range rows {
		row := src[i*ss : i*ss+n]
		for k := k4; k < n; k++ {
			dst[k*ds+i] = row[k]
		}
	}
}

// AxpyRows adds alpha[i] times row i of a (row stride as) to dst, rows in
// order, each element one chain of fused operations.
func AxpyRows(dst, alpha, a []float64, as int) {
	if len(dst) == 0 {
		return
	}
	for len(alpha) >= 4 {
		for lo := 0; lo < len(dst); lo += chunk {
			n := min(chunk, len(dst)-lo)
			switch level {
			case AVX512:
				axpy4AVX512(&dst[lo], &alpha[0], &a[lo], 8*as, n)
			case AVX2:
				axpy4AVX2(&dst[lo], &alpha[0], &a[lo], 8*as, n)
			default:
				a0, a1, a2, a3 := a[lo:], a[as+lo:], a[2*as+lo:], a[3*as+lo:]
				for j := axpy4Whole(dst[lo:lo+n], alpha, a0, as); j < n; j++ {
					y := math.FMA(a0[j], alpha[0], dst[lo+j])
					y = math.FMA(a1[j], alpha[1], y)
					y = math.FMA(a2[j], alpha[2], y)
					dst[lo+j] = math.FMA(a3[j], alpha[3], y)
				}
			}
		}
		alpha = alpha[4:]
		if len(alpha) > 0 {
			a = a[4*as:]
		}
	}
	for i, x := range alpha {
		Axpy(dst, x, a[i*as:i*as+len(dst)])
	}
}

// AxpyPanel adds alpha[i] times row i of the panel a to dst, rows in order: what
// AxpyRows does, to the bit, for rows of PanelWidth elements that lie one after the
// other and are read in the order of memory.
func AxpyPanel(dst, alpha, a []float64) {
	dst = dst[:PanelWidth]
	for len(alpha) > 0 {
		k := min(len(alpha), chunk/PanelWidth)
		switch level {
		case AVX512:
			axpyPanelAVX512(&dst[0], &alpha[0], &a[0], k)
		case AVX2:
			axpyPanelAVX2(&dst[0], &alpha[0], &a[0], k)
		case NEON:
			axpyPanelNEON(&dst[0], &alpha[0], &a[0], k)
		default:
			AxpyRows(dst, alpha[:k], a, PanelWidth)
		}
		alpha, a = alpha[k:], a[k*PanelWidth:]
	}
}
