package asm

import "math"

// Reductions have 32 partial sums in each block of 4096 elements; element i
// goes into sum i mod 32, then halves are added until one is left. An element
// that is not there counts as zero.
const (
	partials = 32
	sumBlock = 4096
)

// Sum returns the sum of x.
func Sum(x []float64) float64 {
	total := 0.0
	for len(x) > 0 {
		n := min(len(x), sumBlock)
		switch level {
		case AVX512:
			total += sumAVX512(&x[0], n)
		case AVX2:
			total += sumAVX2(&x[0], n)
		default:
			var acc [partials]float64
			for i, v := range x[:n] {
				acc[i%partials] += v
			}
			total += fold(&acc)
		}
		x = x[n:]
	}
	return total
}

// fold adds halves until one is left.
func fold(acc *[partials]float64) float64 {
	for h := partials / 2; h > 0; h /= 2 {
		for i := range h {
			acc[i] += acc[i+h]
		}
	}
	return acc[0]
}

// Dot returns the sum of a[i]*b[i].
func Dot(a, b []float64) float64 {
	if len(a) <= 4 {
		return dotSmall(a, b)
	}
	total := 0.0
	for len(a) > 0 {
		n := min(len(a), sumBlock)
		switch level {
		case AVX512:
			total += dotAVX512(&a[0], &b[0], n)
		case AVX2:
			total += dotAVX2(&a[0], &b[0], n)
		default:
			var acc [partials]float64
			for i := dotWhole(&acc, a[:n], b); i < n; i++ {
				acc[i%partials] = math.FMA(a[i], b[i], acc[i%partials])
			}
			total += fold(&acc)
		}
		a, b = a[n:], b[n:]
	}
	return total
}

// Dots sets dst[r] to the Dot of x and row r of a; rows are as apart.
func Dots(dst, a []float64, as int, x []float64) {
	n := len(x)
	for len(dst) > 0 {
		rows := 1
		if 4 < n && n <= sumBlock {
			rows = min(len(dst), chunk/n)
		}
		_ = a[:(rows-1)*as+n]
		switch {
		case rows > 1 && level == AVX512:
			dotsAVX512(&dst[0], &a[0], 8*as, &x[0], rows, n)
		case rows > 1 && level == AVX2:
			dotsAVX2(&dst[0], &a[0], 8*as, &x[0], rows, n)
		default:
			for r := range rows {
				dst[r] = Dot(a[r*as:r*as+n], x)
			}
		}
		dst, a = dst[rows:], a[min(rows*as, len(a)):]
	}
}

// dotSmall is the same for at most four products, each in a partial sum of its
// own.
func dotSmall(a, b []float64) float64 {
	var p [4]float64
	for i, v := range a {
		p[i] = float64(v*b[i]) + 0 // a product of -0 becomes 0
	}
	return (p[0] + p[2]) + (p[1] + p[3])
}

// SquaredDistance returns the sum of (a[i]-b[i])^2.
func SquaredDistance(a, b []float64) float64 {
	total := 0.0
	for len(a) > 0 {
		n := min(len(a), sumBlock)
		switch level {
		case AVX512:
			total += distanceAVX512(&a[0], &b[0], n)
		case AVX2:
			total += distanceAVX2(&a[0], &b[0], n)
		default:
			var acc [partials]float64
			for i, v := range a[:n] {
				d := v - b[i]
				acc[i%partials] = math.FMA(d, d, acc[i%partials])
			}
			total += fold(&acc)
		}
		a, b = a[n:], b[n:]
	}
	return total
}

// Max returns the largest element, NaN if one is NaN, -Inf if there is none.
func Max(x []float64) float64 {
	m := math.Inf(-1)
	for len(x) > 0 {
		n := min(len(x), sumBlock)
		switch level {
		case AVX512:
			m = max(m, maxAVX512(&x[0], n))
		case AVX2:
			m = max(m, maxAVX2(&x[0], n))
		default:
			for _, v := range x[:n] {
				m = max(m, v)
			}
		}
		x = x[n:]
	}
	return m
}
