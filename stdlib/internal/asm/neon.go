package asm

// What NEON's kernels leave, portable Go does: these return the number of elements that are done, 0 on another level.

// whole returns the greatest multiple of block up to n that NEON takes.
func whole(n, block int) int {
	if level != NEON {
		return 0
	}
	return n - n%block
}

func axpyWhole(dst []float64, alpha float64, src []float64) int {
	n := whole(len(dst), 8)
	if n > 0 {
		axpyNEON(&dst[0], alpha, &src[0], n)
	}
	return n
}

func axpy4Whole(dst, alpha, a []float64, as int) int {
	n := whole(len(dst), 8)
	if n > 0 {
		axpy4NEON(&dst[0], &alpha[0], &a[0], 8*as, n)
	}
	return n
}

func dotWhole(acc *[partials]float64, a, b []float64) int {
	n := whole(len(a), partials)
	if n > 0 {
		dotNEON(&acc[0], &a[0], &b[0], n)
	}
	return n
}

func symv4Whole(acc *[4][8]float64, y, a []float64, as int, x []float64, xr *[4]float64) int {
	n := whole(len(x), 8)
	if n > 0 {
		symv4NEON(&acc[0][0], &y[0], &a[0], 8*as, &x[0], &xr[0], n)
	}
	return n
}

// gemmEdge is [Gemm] on NEON at an edge of C: the whole block is computed apart, times 1.
func gemmEdge(k int, a []float64, ars, acs int, b []float64, bs int, c []float64, cs int, alpha float64, add bool, m, n int) {
	var acc [4][12]float64
	gemmNEON(k, &a[0], 8*ars, 8*acs, &b[0], 8*bs, &acc[0][0], 8*len(acc[0]), 1, 0)
	for i := range m {
		put(c[i*cs:i*cs+n], acc[i][:], alpha, add)
	}
}
