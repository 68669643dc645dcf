package asm

import "math"

// The functions of one number: the definition of every bit of the vector
// kernels of gen/elem.go, line for line.

func horner(x float64, c []float64) float64 {
	p := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		p = math.FMA(p, x, c[i])
	}
	return p
}

// clamp limits x to [lo, hi] and keeps NaN.
func clamp(x, lo, hi float64) float64 {
	if x > hi {
		x = hi
	}
	if x < lo {
		x = lo
	}
	return x
}

// round returns x*k to the nearest integer, and the same plus magic.
func round(x, k float64) (n, t float64) {
	t = math.FMA(x, k, magic)
	return t - magic, t
}

// pow2 is 2^n for an integer n in [-1022, 1023].
func pow2(n float64) float64 {
	return math.Float64frombits((math.Float64bits(n+magic) + 1023) << 52)
}

// scale is y*2^n, for n in [-1076, 1024]: the first product is exact.
func scale(y, n float64) float64 {
	h, _ := round(n, 0.5)
	return float64(y*pow2(h)) * pow2(n-h)
}

// reduceExp writes x = n ln 2 + r + lo, |r| <= ln 2 / 2. The product with the
// first part of ln 2 cancels exactly, so r + lo has about 100 bits.
func reduceExp(x float64) (r, lo, n float64) {
	n, _ = round(x, log2E)
	r1 := math.FMA(-n, ln2Hi, x)
	r = math.FMA(-n, ln2Lo, r1)
	return r, math.FMA(-n, ln2Lo, r1-r), n
}

// sumFast is a + b = s + e for |a| >= |b| or a = 0.
func sumFast(a, b float64) (s, e float64) {
	s = a + b
	return s, b - (s - a)
}

// Exp1 is e^x.
func Exp1(x float64) float64 {
	x = clamp(x, -746, 710)
	n, _ := round(x, log2E)
	r := math.FMA(-n, ln2Hi, x)
	r = math.FMA(-n, ln2Lo, r)
	s, e := sumFast(1, r)
	q := horner(r, expQ)
	return scale(s+math.FMA(float64(r*r), q, e), n)
}

// Expm11 is e^x - 1: 2^n ((1 - 2^-n) + (e^r - 1)).
func Expm11(x float64) float64 {
	y := clamp(x, -44, 710)
	r, lo, n := reduceExp(y)
	p := pow2(-min(n, 1000))
	s, e := sumFast(1-p, r)
	q := math.FMA(float64(r*r), horner(r, expQ), lo)
	return withSign(scale(s+(e+q), n), x)
}

// withSign sets y's sign if x's is set.
func withSign(y, x float64) float64 {
	return math.Float64frombits(math.Float64bits(y) | math.Float64bits(x)&signMask)
}

// Tanh1 is tanh x = -E/(2 + E), E = e^(-2|x|) - 1 in two parts.
func Tanh1(x float64) float64 {
	y := clamp(math.Abs(x), 0, 22) * -2
	r, lo, n := reduceExp(y)
	p := pow2(n)
	q := math.FMA(float64(r*r), horner(r, expQ), lo)
	a := p - 1
	s, e := sumFast(a, float64(p*r))
	low := math.FMA(p, q, e+(p-(a+1)))
	em := s + low
	emLow := low - (em - s)
	d := em + 2
	dLow := (em - (d - 2)) + emLow
	inv := 1 / d
	q0 := em * inv
	rem := math.FMA(-q0, d, em) + emLow
	rem = math.FMA(-q0, dLow, rem)
	return withSign(math.Abs(math.FMA(rem, inv, q0)), x)
}

// Logistic1 is 1/(1 + e^-x): with t = e^-|x| in two parts, 1/(1+t) or t/(1+t).
func Logistic1(x float64) float64 {
	y := -clamp(math.Abs(x), 0, 746)
	r, lo, n := reduceExp(y)
	s, e := sumFast(1, r)
	low := math.FMA(float64(r*r), horner(r, expQ), lo) + e
	hi := s + low
	hiLow := low - (hi - s)
	p := pow2(max(n, -200))
	t := float64(hi * p)
	d := t + 1
	dLow := math.FMA(p, hiLow, t-(d-1))
	top, topLow, k := 1.0, 0.0, 0.0
	if x < 0 {
		top, topLow, k = hi, hiLow, n
	}
	inv := 1 / d
	q0 := top * inv
	rem := math.FMA(-q0, d, top) + topLow
	rem = math.FMA(-q0, dLow, rem)
	return scale(math.FMA(rem, inv, q0), k)
}

// splitLog writes x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), for a
// positive normal x.
func splitLog(x float64) (f, k float64) {
	i := math.Float64bits(x) + (oneBits - sqrtHalfBits)
	k = math.Float64frombits(i>>52|magicInt) - (two52 + 1023)
	return math.Float64frombits(i&fractionMask+sqrtHalfBits) - 1, k
}

// seriesLog is k ln 2 + ln(1 + f) + c.
func seriesLog(f, k, c float64) float64 {
	s := f / (f + 2)
	z := float64(s * s)
	half := float64(float64(f*f) * 0.5)
	p := math.FMA(z, horner(z, logG), half)
	a := math.FMA(s, p, math.FMA(k, ln2Low, c))
	return math.FMA(k, ln2High, f-(half-a))
}

// Log1 is ln x; -Inf at 0, NaN below.
func Log1(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case !(x > 0):
		return math.NaN()
	case math.IsInf(x, 1):
		return x
	}
	y, shift := x, 0.0
	if x < minNormal {
		y, shift = x*0x1p54, 54
	}
	f, k := splitLog(y)
	return seriesLog(f, k-shift, 0)
}

// Log1p1 is ln(1 + x): ln u, u = 1 + x rounded, and low/u, where low is what the rounding left out, exact below 2^53.
func Log1p1(x float64) float64 {
	u := x + 1
	switch {
	case u == 0:
		return math.Inf(-1)
	case !(u > 0):
		return math.NaN()
	case math.IsInf(u, 1):
		return u
	}
	f, k := splitLog(u)
	low := x - (u - 1)
	return withSign(seriesLog(f, k, float64(low*inverseEstimate(u))), x)
}

// inverseEstimate is 1/x for a normal x > 0 below 2^200, within 1.6%, and within (x-1)^2 near 1. By the difference of the
// bits it is 1 at 1, and within |x-1| near it; Newton's step squares the error. So low/x is within 2% of a unit of the last
// place of ln x.
func inverseEstimate(x float64) float64 {
	x = min(x, 0x1p200)
	r := math.Float64frombits(2*oneBits - math.Float64bits(x))
	return float64(r * math.FMA(-x, r, 2))
}

// Erf1 is the error function: a polynomial in x^2 below 1, above it
// 1 - e^(-x^2) G(t)/(1 + 2x), t = (x - 2.25)/(x + 2.25).
func Erf1(x float64) float64 {
	if x != x {
		return x
	}
	a := clamp(math.Abs(x), 0, 6)
	z := float64(a * a)
	if a < 1 {
		return withSign(math.FMA(a, horner(z, erfP), a), x)
	}
	n, _ := round(z, -log2E)
	r := math.FMA(-n, ln2Hi, -z)
	r = math.FMA(-n, ln2Lo, r)
	s, e := sumFast(1, r)
	ez := float64((s + math.FMA(float64(r*r), horner(r, expQ), e)) * pow2(n))
	t := (a - 2.25) / (a + 2.25)
	g := float64(ez*horner(t, erfcG)) / math.FMA(a, 2, 1)
	return withSign(1-g, x)
}
