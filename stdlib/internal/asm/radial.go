package asm

import (
	"math"
	"unsafe"
)

// PanelWidth is the number of points in a panel: number k*PanelWidth + j of a
// panel is coordinate k of its point j.
const PanelWidth = 32

// Distances sets row i of dst, ds apart, to the distances of row i of x, xs
// apart, to the points of whole panels of dimension d: for 1 or 4 rows. A
// squared distance is one chain of (x[k]-y[k])^2 in the order of k; else it is
// the sum of |x[k]-y[k]|.
func Distances(rows int, dst []float64, ds int, x []float64, xs int, y []float64, d, panels int, squared bool) {
	if panels == 0 {
		return
	}
	if d == 0 {
		for i := range rows {
			clear(dst[i*ds : i*ds+panels*PanelWidth])
		}
		return
	}
	// Short calls: the assembly cannot be preempted.
	for step := max(1, 2*chunk/d/rows); panels > 0; {
		n := min(step, panels)
		switch level {
		case AVX512:
			switch {
			case squared && rows == 4:
				squared4AVX512(&dst[0], 8*ds, &x[0], 8*xs, &y[0], d, n)
			case squared:
				squared1AVX512(&dst[0], 8*ds, &x[0], 8*xs, &y[0], d, n)
			case rows == 4:
				manhattan4AVX512(&dst[0], 8*ds, &x[0], 8*xs, &y[0], d, n)
			default:
				manhattan1AVX512(&dst[0], 8*ds, &x[0], 8*xs, &y[0], d, n)
			}
		case AVX2:
			switch {
			case squared && rows == 4:
				squared4AVX2(&dst[0], 8*ds, &x[0], 8*xs, &y[0], d, n)
			case squared:
				squared1AVX2(&dst[0], 8*ds, &x[0], 8*xs, &y[0], d, n)
			case rows == 4:
				manhattan4AVX2(&dst[0], 8*ds, &x[0], 8*xs, &y[0], d, n)
			default:
				manhattan1AVX2(&dst[0], 8*ds, &x[0], 8*xs, &y[0], d, n)
			}
		default:
			for i := range rows {
				distancesPortable(dst[i*ds:], x[i*xs:i*xs+d], y, n, squared)
			}
		}
		panels -= n
		if panels > 0 {
			dst, y = dst[n*PanelWidth:], y[n*PanelWidth*d:]
		}
	}
}

func distancesPortable(dst, x, y []float64, panels int, squared bool) {
	for range panels {
		out := dst[:PanelWidth]
		clear(out)
		for k, a := range x {
			for j, b := range y[k*PanelWidth : (k+1)*PanelWidth] {
				if t := a - b; squared {
					out[j] = math.FMA(t, t, out[j])
				} else {
					out[j] += math.Abs(t)
				}
			}
		}
		dst, y = dst[PanelWidth:], y[len(x)*PanelWidth:]
	}
}

// past reports whether stores past the caches can write dst.
func past(dst []float64) bool {
	return uintptr(unsafe.Pointer(&dst[0]))&63 == 0
}

func matern32One(a float64) float64 {
	if a < -800 {
		a = -800 // no infinity times 0
	}
	return (1 - a) * Exp1(a)
}

func matern52One(a float64) float64 {
	if a < -800 {
		a = -800
	}
	p := math.FMA(a, float64(a*(1./3))-1, 1)
	return p * Exp1(a)
}

// A Profile sets dst = f(c, s) for the distances s in src; dst may be src. With
// stream, results go past the caches where their alignment allows, dst apart
// from src.
type Profile func(dst []float64, c float64, src []float64, stream bool)

// Gaussian sets dst = e^(c*s); see Profile.
func Gaussian(dst []float64, c float64, src []float64, stream bool) {
	for len(src) > 0 {
		n := min(len(src), chunk)
		if stream && level >= AVX2 && n >= 8 && past(dst) {
			n &^= 7
			if level == AVX512 {
				gaussianPastAVX512(&dst[0], c, &src[0], n)
			} else {
				gaussianPastAVX2(&dst[0], c, &src[0], n)
			}
			dst, src = dst[n:], src[n:]
			continue
		}
		switch level {
		case AVX512:
			gaussianAVX512(&dst[0], c, &src[0], n)
		case AVX2:
			gaussianAVX2(&dst[0], c, &src[0], n)
		default:
			for i, s := range src[:n] {
				dst[i] = Exp1(s * c)
			}
		}
		dst, src = dst[n:], src[n:]
	}
}

// Exponential sets dst = e^(c*sqrt s); see Profile.
func Exponential(dst []float64, c float64, src []float64, stream bool) {
	for len(src) > 0 {
		n := min(len(src), chunk)
		if stream && level >= AVX2 && n >= 8 && past(dst) {
			n &^= 7
			if level == AVX512 {
				exponentialPastAVX512(&dst[0], c, &src[0], n)
			} else {
				exponentialPastAVX2(&dst[0], c, &src[0], n)
			}
			dst, src = dst[n:], src[n:]
			continue
		}
		switch level {
		case AVX512:
			exponentialAVX512(&dst[0], c, &src[0], n)
		case AVX2:
			exponentialAVX2(&dst[0], c, &src[0], n)
		default:
			for i, s := range src[:n] {
				dst[i] = Exp1(math.Sqrt(s) * c)
			}
		}
		dst, src = dst[n:], src[n:]
	}
}

// Matern32 sets dst = (1 - a) e^a, a = c*sqrt s; see Profile.
func Matern32(dst []float64, c float64, src []float64, stream bool) {
	for len(src) > 0 {
		n := min(len(src), chunk)
		if stream && level >= AVX2 && n >= 8 && past(dst) {
			n &^= 7
			if level == AVX512 {
				matern32PastAVX512(&dst[0], c, &src[0], n)
			} else {
				matern32PastAVX2(&dst[0], c, &src[0], n)
			}
			dst, src = dst[n:], src[n:]
			continue
		}
		switch level {
		case AVX512:
			matern32AVX512(&dst[0], c, &src[0], n)
		case AVX2:
			matern32AVX2(&dst[0], c, &src[0], n)
		default:
			for i, s := range src[:n] {
				dst[i] = matern32One(math.Sqrt(s) * c)
			}
		}
		dst, src = dst[n:], src[n:]
	}
}

// Matern52 sets dst = (1 - a + a^2/3) e^a, a = c*sqrt s; see Profile.
func Matern52(dst []float64, c float64, src []float64, stream bool) {
	for len(src) > 0 {
		n := min(len(src), chunk)
		if stream && level >= AVX2 && n >= 8 && past(dst) {
			n &^= 7
			if level == AVX512 {
				matern52PastAVX512(&dst[0], c, &src[0], n)
			} else {
				matern52PastAVX2(&dst[0], c, &src[0], n)
			}
			dst, src = dst[n:], src[n:]
			continue
		}
		switch level {
		case AVX512:
			matern52AVX512(&dst[0], c, &src[0], n)
		case AVX2:
			matern52AVX2(&dst[0], c, &src[0], n)
		default:
			for i, s := range src[:n] {
				dst[i] = matern52One(math.Sqrt(s) * c)
			}
		}
		dst, src = dst[n:], src[n:]
	}
}

// InverseRoot sets dst = 1/sqrt(1 + c*s); see Profile.
func InverseRoot(dst []float64, c float64, src []float64, stream bool) {
	for len(src) > 0 {
		n := min(len(src), chunk)
		if stream && level >= AVX2 && n >= 8 && past(dst) {
			n &^= 7
			if level == AVX512 {
				inverseRootPastAVX512(&dst[0], c, &src[0], n)
			} else {
				inverseRootPastAVX2(&dst[0], c, &src[0], n)
			}
			dst, src = dst[n:], src[n:]
			continue
		}
		switch level {
		case AVX512:
			inverseRootAVX512(&dst[0], c, &src[0], n)
		case AVX2:
			inverseRootAVX2(&dst[0], c, &src[0], n)
		default:
			for i, s := range src[:n] {
				dst[i] = 1 / math.Sqrt(math.FMA(s, c, 1))
			}
		}
		dst, src = dst[n:], src[n:]
	}
}

// Inverse sets dst = 1/(1 + c*s); see Profile.
func Inverse(dst []float64, c float64, src []float64, stream bool) {
	for len(src) > 0 {
		n := min(len(src), chunk)
		if stream && level >= AVX2 && n >= 8 && past(dst) {
			n &^= 7
			if level == AVX512 {
				inversePastAVX512(&dst[0], c, &src[0], n)
			} else {
				inversePastAVX2(&dst[0], c, &src[0], n)
			}
			dst, src = dst[n:], src[n:]
			continue
		}
		switch level {
		case AVX512:
			inverseAVX512(&dst[0], c, &src[0], n)
		case AVX2:
			inverseAVX2(&dst[0], c, &src[0], n)
		default:
			for i, s := range src[:n] {
				dst[i] = 1 / math.FMA(s, c, 1)
			}
		}
		dst, src = dst[n:], src[n:]
	}
}
