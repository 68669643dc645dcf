package vec

import (
	"fmt"

	"gaucho/stdlib/internal/asm"
)

// Exp sets dst[i] = e^src[i]. Error at most 1 ulp; about 1 ns an element.
func Exp(dst, src []float64) { unary("Exp", dst, src, asm.Exp) }

// Expm1 sets dst[i] = e^src[i] - 1, accurate near 0. Error at most 1.5 ulp.
func Expm1(dst, src []float64) { unary("Expm1", dst, src, asm.Expm1) }

// Log sets dst[i] = ln src[i]: -Inf at 0, NaN below. Error at most 1 ulp.
func Log(dst, src []float64) { unary("Log", dst, src, asm.Log) }

// Log1p sets dst[i] = ln(1 + src[i]), accurate near 0. Error at most 1.5 ulp.
func Log1p(dst, src []float64) { unary("Log1p", dst, src, asm.Log1p) }

// Sin sets dst[i] = sin src[i]. Error at most 1 ulp up to 1e6; beyond, slower
// (exact reduction one by one) and at most 1.5.
func Sin(dst, src []float64) { unary("Sin", dst, src, asm.Sin) }

// Cos sets dst[i] = cos src[i]; see Sin.
func Cos(dst, src []float64) { unary("Cos", dst, src, asm.Cos) }

// SinCos sets sin[i], cos[i] to the sine and cosine of src[i], in the time of
// one of them. sin and cos must not overlap; either may be src.
func SinCos(sin, cos, src []float64) {
	checkLen("SinCos", len(cos), len(sin))
	check("SinCos", sin, src)
	check("SinCos", cos, src)
	checkApart("SinCos", sin, cos)
	if len(src) < grain {
		asm.SinCos(sin, cos, src)
		return
	}
	parallel(len(src), func(lo, hi int) { asm.SinCos(sin[lo:hi], cos[lo:hi], src[lo:hi]) })
}

// Tanh sets dst[i] = tanh src[i]. Error at most 1.5 ulp.
func Tanh(dst, src []float64) { unary("Tanh", dst, src, asm.Tanh) }

// Logistic sets dst[i] = 1/(1 + e^-src[i]). Error at most 1.5 ulp.
func Logistic(dst, src []float64) { unary("Logistic", dst, src, asm.Logistic) }

// Erf sets dst[i] = erf src[i]. Error at most 1.5 ulp.
func Erf(dst, src []float64) { unary("Erf", dst, src, asm.Erf) }

// Sqrt sets dst[i] to the square root of src[i], correctly rounded.
func Sqrt(dst, src []float64) { unary("Sqrt", dst, src, asm.Sqrt) }

func unary(name string, dst, src []float64, f func(dst, src []float64)) {
	check(name, dst, src)
	if len(src) < grain {
		f(dst, src)
		return
	}
	parallel(len(src), func(lo, hi int) { f(dst[lo:hi], src[lo:hi]) })
}

// Exp1 returns e^x. Error at most 1 ulp, the bits of Exp.
func Exp1(x float64) float64 { return asm.Exp1(x) }

// Expm11 returns e^x - 1, the bits of Expm1.
func Expm11(x float64) float64 { return asm.Expm11(x) }

// Log1 returns ln x, the bits of Log.
func Log1(x float64) float64 { return asm.Log1(x) }

// Log1p1 returns ln(1 + x), the bits of Log1p.
func Log1p1(x float64) float64 { return asm.Log1p1(x) }

// Sin1 returns sin x, the bits of Sin.
func Sin1(x float64) float64 { return asm.Sin1(x) }

// Cos1 returns cos x, the bits of Cos.
func Cos1(x float64) float64 { return asm.Cos1(x) }

// SinCos1 returns sin x and cos x, the bits of SinCos.
func SinCos1(x float64) (sin, cos float64) { return asm.SinCos1(x) }

// Tanh1 returns tanh x, the bits of Tanh.
func Tanh1(x float64) float64 { return asm.Tanh1(x) }

// Logistic1 returns 1/(1 + e^-x), the bits of Logistic.
func Logistic1(x float64) float64 { return asm.Logistic1(x) }

// Erf1 returns erf x, the bits of Erf.
func Erf1(x float64) float64 { return asm.Erf1(x) }

// Erfc1 returns 1 - erf x without cancellation. Error at most 3 ulp.
func Erfc1(x float64) float64 { return asm.Erfc1(x) }

// Pow1 returns x^y with math.Pow's special cases. Error at most 1 ulp.
func Pow1(x, y float64) float64 { return asm.Pow1(x, y) }

// Cosh1 returns (e^x + e^-x)/2. Error at most 2 ulp.
func Cosh1(x float64) float64 { return asm.Cosh1(x) }

// Sinh1 returns (e^x - e^-x)/2. Error at most 2.5 ulp.
func Sinh1(x float64) float64 { return asm.Sinh1(x) }

// checkLen panics if got differs from want.
func checkLen(name string, got, want int) {
	if got != want {
		panic(fmt.Sprintf("vec: %s: lengths %d and %d, must be equal", name, want, got))
	}
}

// check panics if lengths differ or the slices overlap without being the same.
func check(name string, dst, src []float64) {
	checkLen(name, len(src), len(dst))
	if len(dst) > 0 && &dst[0] != &src[0] && overlap(dst, src) {
		panic("vec: " + name + ": dst overlaps src, must be src or apart from it")
	}
}

// checkApart panics if a and b share memory.
func checkApart(name string, a, b []float64) {
	if len(a) > 0 && len(b) > 0 && overlap(a, b) {
		panic("vec: " + name + ": destinations overlap, must be apart")
	}
}
