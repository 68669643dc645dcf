package vec

import "gaucho/stdlib/internal/asm"

// Sum returns the sum of x. The order is fixed: blocks of 4096 elements, in
// each element i goes into partial sum i mod 32, halves of the partial sums are
// added until one is left, and blocks are added in order.
func Sum(x []float64) float64 { return asm.Sum(x) }

// Dot returns the sum of a[i]*b[i], in the order of Sum with fused
// multiplication.
func Dot(a, b []float64) float64 {
	checkLen("Dot", len(b), len(a))
	return asm.Dot(a, b)
}

// SquaredDistance returns the sum of (a[i]-b[i])^2, in the order of Dot.
func SquaredDistance(a, b []float64) float64 {
	checkLen("SquaredDistance", len(b), len(a))
	return asm.SquaredDistance(a, b)
}

// Axpy adds alpha*x[i] to dst[i], with one rounding.
func Axpy(dst []float64, alpha float64, x []float64) {
	check("Axpy", dst, x)
	if len(x) < grain {
		asm.Axpy(dst, alpha, x)
		return
	}
	parallel(len(x), func(lo, hi int) { asm.Axpy(dst[lo:hi], alpha, x[lo:hi]) })
}

// Scale sets dst[i] = alpha*src[i].
func Scale(dst []float64, alpha float64, src []float64) {
	check("Scale", dst, src)
	if len(src) < grain {
		asm.Scale(dst, alpha, src)
		return
	}
	parallel(len(src), func(lo, hi int) { asm.Scale(dst[lo:hi], alpha, src[lo:hi]) })
}

// Offset sets dst[i] = src[i] + alpha.
func Offset(dst []float64, alpha float64, src []float64) {
	check("Offset", dst, src)
	if len(src) < grain {
		asm.Offset(dst, alpha, src)
		return
	}
	parallel(len(src), func(lo, hi int) { asm.Offset(dst[lo:hi], alpha, src[lo:hi]) })
}

// Add sets dst[i] = a[i] + b[i].
func Add(dst, a, b []float64) { binary("Add", dst, a, b, asm.Add) }

// Sub sets dst[i] = a[i] - b[i].
func Sub(dst, a, b []float64) { binary("Sub", dst, a, b, asm.Sub) }

// Mul sets dst[i] = a[i] * b[i].
func Mul(dst, a, b []float64) { binary("Mul", dst, a, b, asm.Mul) }

// Div sets dst[i] = a[i] / b[i].
func Div(dst, a, b []float64) { binary("Div", dst, a, b, asm.Div) }

// Fill sets every element to value.
func Fill(dst []float64, value float64) {
	for i := range dst {
		dst[i] = value
	}
}

// Max returns the largest element, NaN if one is NaN, and -Inf if there is
// none.
func Max(x []float64) float64 { return asm.Max(x) }

// LogSumExp returns ln of the sum of e^x[i], without overflow: the largest
// element is taken out first. -Inf for no elements; NaN if one is NaN; +Inf if
// one is.
func LogSumExp(x []float64) float64 {
	m := Max(x)
	if m-m != 0 { // NaN or infinite
		return m
	}
	var buf [512]float64
	s := 0.0
	for len(x) > 0 {
		b := buf[:min(len(x), len(buf))]
		asm.Offset(b, -m, x[:len(b)])
		asm.Exp(b, b)
		s += asm.Sum(b)
		x = x[len(b):]
	}
	return m + asm.Log1(s)
}

// Softmax sets dst[i] = e^src[i] / sum of e^src[j]. All NaN if an element is
// NaN or +Inf, or all are -Inf.
func Softmax(dst, src []float64) {
	check("Softmax", dst, src)
	asm.Offset(dst, -Max(src), src)
	asm.Exp(dst, dst)
	asm.Scale(dst, 1/asm.Sum(dst), dst)
}

func binary(name string, dst, a, b []float64, f func(dst, a, b []float64)) {
	check(name, dst, a)
	check(name, dst, b)
	if len(dst) < grain {
		f(dst, a, b)
		return
	}
	parallel(len(dst), func(lo, hi int) { f(dst[lo:hi], a[lo:hi], b[lo:hi]) })
}
