package asm

import "math"

// Add sets dst[i] = a[i] + b[i]; dst may be a or b.
func Add(dst, a, b []float64) {
	for len(dst) > 0 {
		n := min(len(dst), chunk)
		switch level {
		case AVX512:
			addAVX512(&dst[0], &a[0], &b[0], n)
		case AVX2:
			addAVX2(&dst[0], &a[0], &b[0], n)
		default:
			for i, x := range a[:n] {
				dst[i] = x + b[i]
			}
		}
		dst, a, b = dst[n:], a[n:], b[n:]
	}
}

// Sub sets dst[i] = a[i] - b[i]; dst may be a or b.
func Sub(dst, a, b []float64) {
	for len(dst) > 0 {
		n := min(len(dst), chunk)
		switch level {
		case AVX512:
			subtractAVX512(&dst[0], &a[0], &b[0], n)
		case AVX2:
			subtractAVX2(&dst[0], &a[0], &b[0], n)
		default:
			for i, x := range a[:n] {
				dst[i] = x - b[i]
			}
		}
		dst, a, b = dst[n:], a[n:], b[n:]
	}
}

// Mul sets dst[i] = a[i] * b[i]; dst may be a or b.
func Mul(dst, a, b []float64) {
	for len(dst) > 0 {
		n := min(len(dst), chunk)
		switch level {
		case AVX512:
			multiplyAVX512(&dst[0], &a[0], &b[0], n)
		case AVX2:
			multiplyAVX2(&dst[0], &a[0], &b[0], n)
		default:
			for i, x := range a[:n] {
				dst[i] = x * b[i]
			}
		}
		dst, a, b = dst[n:], a[n:], b[n:]
	}
}

// Div sets dst[i] = a[i] / b[i]; dst may be a or b.
func Div(dst, a, b []float64) {
	for len(dst) > 0 {
		n := min(len(dst), chunk)
		switch level {
		case AVX512:
			divideAVX512(&dst[0], &a[0], &b[0], n)
		case AVX2:
			divideAVX2(&dst[0], &a[0], &b[0], n)
		default:
			for i, x := range a[:n] {
				dst[i] = x / b[i]
			}
		}
		dst, a, b = dst[n:], a[n:], b[n:]
	}
}

// Axpy sets dst[i] = dst[i] + alpha*src[i], rounded once; dst may be src.
func Axpy(dst []float64, alpha float64, src []float64) {
	for len(dst) > 0 {
		n := min(len(dst), chunk)
		switch level {
		case AVX512:
			axpyAVX512(&dst[0], alpha, &src[0], n)
		case AVX2:
			axpyAVX2(&dst[0], alpha, &src[0], n)
		default:
			for i := axpyWhole(dst[:n], alpha, src); i < n; i++ {
				dst[i] = math.FMA(alpha, src[i], dst[i])
			}
		}
		dst, src = dst[n:], src[n:]
	}
}

// Scale sets dst[i] = alpha * src[i]; dst may be src.
func Scale(dst []float64, alpha float64, src []float64) {
	for len(dst) > 0 {
		n := min(len(dst), chunk)
		switch level {
		case AVX512:
			scaleByAVX512(&dst[0], alpha, &src[0], n)
		case AVX2:
			scaleByAVX2(&dst[0], alpha, &src[0], n)
		default:
			for i, x := range src[:n] {
				dst[i] = alpha * x
			}
		}
		dst, src = dst[n:], src[n:]
	}
}

// Offset sets dst[i] = src[i] + alpha; dst may be src.
func Offset(dst []float64, alpha float64, src []float64) {
	for len(dst) > 0 {
		n := min(len(dst), chunk)
		switch level {
		case AVX512:
			offsetAVX512(&dst[0], alpha, &src[0], n)
		case AVX2:
			offsetAVX2(&dst[0], alpha, &src[0], n)
		default:
			for i, x := range src[:n] {
				dst[i] = x + alpha
			}
		}
		dst, src = dst[n:], src[n:]
	}
}
