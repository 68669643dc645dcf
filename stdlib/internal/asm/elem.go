package asm

import "math"

// chunk is the most elements given to one call of assembly, which cannot be
// preempted.
const chunk = 8192

// Exp sets dst[i] to e^x of src[i]; dst may be src.
func Exp(dst, src []float64) {
	for len(src) > 0 {
		n := min(len(src), chunk)
		switch level {
		case AVX512:
			expAVX512(&dst[0], &src[0], n)
		case AVX2:
			expAVX2(&dst[0], &src[0], n)
		default:
			for i, x := range src[:n] {
				dst[i] = Exp1(x)
			}
		}
		dst, src = dst[n:], src[n:]
	}
}

// OddsProducts sets dst[i] to the product of 1 + e^(c0[i] + c1[i]*v) over the numbers v of x, at least one; dst may be c0 or
// c1.
func OddsProducts(dst, c0, c1, x []float64) {
	for len(dst) > 0 {
		n := min(len(dst), max(chunk/len(x), 1))
		switch level {
		case AVX512:
			oddsProductsAVX512(&dst[0], &c0[0], &c1[0], n, &x[0], len(x))
		case AVX2:
			oddsProductsAVX2(&dst[0], &c0[0], &c1[0], n, &x[0], len(x))
		default:
			for i, a := range c0[:n] {
				p := 1.0
				for _, v := range x {
					p *= Exp1(math.FMA(v, c1[i], a)) + 1
				}
				dst[i] = p
			}
		}
		dst, c0, c1 = dst[n:], c0[n:], c1[n:]
	}
}

// Expm1 sets dst[i] to e^x - 1 of src[i]; dst may be src.
func Expm1(dst, src []float64) {
	for len(src) > 0 {
		n := min(len(src), chunk)
		switch level {
		case AVX512:
			expm1AVX512(&dst[0], &src[0], n)
		case AVX2:
			expm1AVX2(&dst[0], &src[0], n)
		default:
			for i, x := range src[:n] {
				dst[i] = Expm11(x)
			}
		}
		dst, src = dst[n:], src[n:]
	}
}

// Log sets dst[i] to ln x of src[i]; dst may be src.
func Log(dst, src []float64) {
	for len(src) > 0 {
		n := min(len(src), chunk)
		switch level {
		case AVX512:
			logAVX512(&dst[0], &src[0], n)
		case AVX2:
			logAVX2(&dst[0], &src[0], n)
		default:
			for i, x := range src[:n] {
				dst[i] = Log1(x)
			}
		}
		dst, src = dst[n:], src[n:]
	}
}

// Log1p sets dst[i] to ln(1 + x) of src[i]; dst may be src.
func Log1p(dst, src []float64) {
	for len(src) > 0 {
		n := min(len(src), chunk)
		switch level {
		case AVX512:
			log1pAVX512(&dst[0], &src[0], n)
		case AVX2:
			log1pAVX2(&dst[0], &src[0], n)
		default:
			for i, x := range src[:n] {
				dst[i] = Log1p1(x)
			}
		}
		dst, src = dst[n:], src[n:]
	}
}

// Tanh sets dst[i] to tanh x of src[i]; dst may be src.
func Tanh(dst, src []float64) {
	for len(src) > 0 {
		n := min(len(src), chunk)
		switch level {
		case AVX512:
			tanhAVX512(&dst[0], &src[0], n)
		case AVX2:
			tanhAVX2(&dst[0], &src[0], n)
		default:
			for i, x := range src[:n] {
				dst[i] = Tanh1(x)
			}
		}
		dst, src = dst[n:], src[n:]
	}
}

// Logistic sets dst[i] to 1/(1 + e^-x) of src[i]; dst may be src.
func Logistic(dst, src []float64) {
	for len(src) > 0 {
		n := min(len(src), chunk)
		switch level {
		case AVX512:
			logisticAVX512(&dst[0], &src[0], n)
		case AVX2:
			logisticAVX2(&dst[0], &src[0], n)
		default:
			for i, x := range src[:n] {
				dst[i] = Logistic1(x)
			}
		}
		dst, src = dst[n:], src[n:]
	}
}

// Erf sets dst[i] to erf x of src[i]; dst may be src.
func Erf(dst, src []float64) {
	for len(src) > 0 {
		n := min(len(src), chunk)
		switch level {
		case AVX512:
			erfAVX512(&dst[0], &src[0], n)
		case AVX2:
			erfAVX2(&dst[0], &src[0], n)
		default:
			for i, x := range src[:n] {
				dst[i] = Erf1(x)
			}
		}
		dst, src = dst[n:], src[n:]
	}
}

// Sqrt sets dst[i] to the square root of x of src[i]; dst may be src.
func Sqrt(dst, src []float64) {
	for len(src) > 0 {
		n := min(len(src), chunk)
		switch level {
		case AVX512:
			sqrtAVX512(&dst[0], &src[0], n)
		case AVX2:
			sqrtAVX2(&dst[0], &src[0], n)
		default:
			for i, x := range src[:n] {
				dst[i] = math.Sqrt(x)
			}
		}
		dst, src = dst[n:], src[n:]
	}
}

// Sin sets dst[i] to sin x of src[i]; dst may be src.
func Sin(dst, src []float64) {
	for len(src) > 0 {
		n, done := min(len(src), chunk), 0
		switch level {
		case AVX512:
			done = sinAVX512(&dst[0], &src[0], n)
		case AVX2:
			done = sinAVX2(&dst[0], &src[0], n)
		}
		// The kernel stopped at a large argument, if it did: one vector here.
		n = min(n, stopped(done))
		for i, x := range src[done:n] {
			dst[done+i] = Sin1(x)
		}
		dst, src = dst[n:], src[n:]
	}
}

// Cos sets dst[i] to cos x of src[i]; dst may be src.
func Cos(dst, src []float64) {
	for len(src) > 0 {
		n, done := min(len(src), chunk), 0
		switch level {
		case AVX512:
			done = cosAVX512(&dst[0], &src[0], n)
		case AVX2:
			done = cosAVX2(&dst[0], &src[0], n)
		}
		// The kernel stopped at a large argument, if it did: one vector here.
		n = min(n, stopped(done))
		for i, x := range src[done:n] {
			dst[done+i] = Cos1(x)
		}
		dst, src = dst[n:], src[n:]
	}
}

// SinCos sets sin[i], cos[i] to sine and cosine of src[i]; either may be src,
// but sin may not be cos.
func SinCos(sin, cos, src []float64) {
	for len(src) > 0 {
		n, done := min(len(src), chunk), 0
		switch level {
		case AVX512:
			done = sincosAVX512(&sin[0], &cos[0], &src[0], n)
		case AVX2:
			done = sincosAVX2(&sin[0], &cos[0], &src[0], n)
		}
		n = min(n, stopped(done))
		for i, x := range src[done:n] {
			sin[done+i], cos[done+i] = SinCos1(x)
		}
		sin, cos, src = sin[n:], cos[n:], src[n:]
	}
}

// stopped is where scalar code may hand back to a kernel that stopped at
// element done.
func stopped(done int) int {
	if level < AVX2 {
		return chunk
	}
	return done + 8
}
