package asm

import "math"

// What NEON's kernels leave, portable Go does: each function here returns the number of elements that are done, 0 on
// another level.

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

// gemmBlock is [Gemm] on NEON. At an edge of C the block is computed apart, times 1.
func gemmBlock(k int, a []float64, ars, acs int, b []float64, bs int, c []float64, cs int, alpha float64, add bool, m, n int) {
	const mr, nr = 4, 12
	if m == mr && n == nr {
		flag := 0
		if add {
			flag = 1
		}
		gemmNEON(k, &a[0], 8*ars, 8*acs, &b[0], 8*bs, &c[0], 8*cs, alpha, flag)
		return
	}
	var acc [mr * nr]float64
	gemmNEON(k, &a[0], 8*ars, 8*acs, &b[0], 8*bs, &acc[0], 8*nr, 1, 0)
	for i := range m {
		row := c[i*cs : i*cs+n]
		for j := range row {
			if add {
				row[j] = math.FMA(alpha, acc[i*nr+j], row[j])
			} else {
				row[j] = alpha * acc[i*nr+j]
			}
		}
	}
}
