package asm

import "math"

// Erfc1 is 1 - erf x; the rounding error of x^2 enters the exponential.
func Erfc1(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x != x:
		return x
	case x < 0.5:
		return 1 - Erf1(x)
	case a < 1:
		// 1 - x - x P: the subtraction from 0.5 is exact.
		return 0.5 + (0.5 - a - float64(a*horner(float64(a*a), erfP)))
	case x > 27.5:
		return 0
	}
	z := float64(a * a)
	low := math.FMA(a, a, -z)
	r, lo, n := reduceExp(-z)
	s, e := sumFast(1, r)
	w := math.FMA(float64(r*r), horner(r, expQ), e)
	y := s + math.FMA(lo-low, s+w, w)
	t := (a - 2.25) / (a + 2.25)
	return scale(float64(y*horner(t, erfcG))/math.FMA(a, 2, 1), n)
}

// halfExp is e^x/2 for x > 0, without overflow where e^x has one.
func halfExp(x float64) float64 {
	x = clamp(x, 0, 712)
	r, lo, n := reduceExp(x)
	s, e := sumFast(1, r)
	return scale(s+(math.FMA(float64(r*r), horner(r, expQ), e)+lo), n-1)
}

// Cosh1 is cosh x.
func Cosh1(x float64) float64 {
	a := math.Abs(x)
	if a > 40 {
		return halfExp(a)
	}
	t := Exp1(a)
	return 0.5*t + 0.5/t
}

// Sinh1 is sinh x.
func Sinh1(x float64) float64 {
	a := math.Abs(x)
	if a > 40 {
		return math.Copysign(halfExp(a), x)
	}
	t := Expm11(a)
	return math.Copysign(0.5*(t+t/(t+1)), x)
}

// Pow1 is x^y, with the special cases of math.Pow.
func Pow1(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case y == 1:
		return x
	case x != x || y != y:
		return math.NaN()
	case x == 0, math.IsInf(x, 0), math.IsInf(y, 0):
		return math.Pow(x, y) // exact cases, no arithmetic
	}
	negative := false
	if x < 0 {
		if y != math.Trunc(y) {
			return math.NaN()
		}
		negative = math.Mod(y, 2) != 0
		x = -x
	}
	hi, lo := log2Parts(x)
	// y*(hi + lo) in two parts, then 2^ of it.
	p := float64(y * hi)
	v := 0.0
	switch {
	case p > 1025:
		v = math.Inf(1)
	case p < -1080:
		v = 0
	default:
		q := math.FMA(y, lo, math.FMA(y, hi, -p))
		v = exp2Parts(p, q)
	}
	if negative {
		return -v
	}
	return v
}

// log2Parts is log2 x = hi + lo to about 2^-66 relative, for x > 0: the series
// of s = f/(2+f) with its first terms in double-double arithmetic.
func log2Parts(x float64) (hi, lo float64) {
	shift := 0.0
	if x < minNormal {
		x, shift = x*0x1p54, 54
	}
	f, k := splitLog(x)
	k -= shift
	// s = f/(2+f) = s1 + s2.
	d := f + 2
	dLow := f - (d - 2)
	s1 := f / d
	s2 := (math.FMA(-s1, d, f) - s1*dLow) / d
	z := float64(s1 * s1)
	zLow := math.FMA(s1, s1, -z) + 2*s1*s2
	// ln(1+f) = 2 s (1 + z/3 + z^2/5 + ...); the tail's weight is below 0.007.
	tail := horner(z, powP)
	// t = z/3 in two parts, plus z^2 tail.
	const thirdHi, thirdLo = 0x1.5555555555555p-2, 0x1.5555555555555p-56
	t1 := float64(z * thirdHi)
	t2 := math.FMA(z, thirdHi, -t1) + (z*thirdLo + zLow*thirdHi)
	u1 := float64(z * z)
	u2 := math.FMA(z, z, -u1) + 2*z*zLow
	w1 := float64(u1 * tail)
	w2 := math.FMA(u1, tail, -w1) + (u1*powPLow + u2*tail)
	t1, t2 = twoSum(t1, t2, w1, w2)
	// 2 s (1 + t) log2 e.
	t1, t2 = twoSum(1, 0, t1, t2)
	m1 := float64(s1 * t1)
	m2 := math.FMA(s1, t1, -m1) + (s1*t2 + s2*t1)
	const l1, l2 = 2 * log2E, 2 * log2ELow
	y1 := float64(m1 * l1)
	y2 := math.FMA(m1, l1, -y1) + (m1*l2 + m2*l1)
	return twoSum(k, 0, y1, y2)
}

// twoSum adds two pairs.
func twoSum(a1, a2, b1, b2 float64) (hi, lo float64) {
	s := a1 + b1
	t := s - a1
	e := (a1 - (s - t)) + (b1 - t) + (a2 + b2)
	hi = s + e
	return hi, e - (hi - s)
}

// exp2Parts is 2^(p+q), q small next to p.
func exp2Parts(p, q float64) float64 {
	n, _ := round(p, 1)
	g := p - n
	const ln2 = ln2Hi
	r := float64(g * ln2)
	low := math.FMA(g, ln2, -r) + math.FMA(g, ln2Lo, q*ln2)
	s, e := sumFast(1, r)
	w := math.FMA(float64(r*r), horner(r, expQ), e)
	return scale(s+math.FMA(low, s+w, w), n)
}

// log2 e beyond its first 53 bits.
const log2ELow = 0x1.777d0ffda0d24p-56

// powP: atanh(s)/s = 1 + z/3 + z^2 P(z), z = s^2 <= 0.0295; the error of the
// first coefficient apart.
const powPLow = -1.1102230246251565e-17

var powP = []float64{
	0.2,
	0.14285714285714285,
	0.11111111111111079,
	0.0909090909092323,
	0.07692307689192059,
	0.06666667060576704,
	0.05882322671130413,
	0.05264593674504863,
	0.04720967083948891,
	0.04985600645319424,
}
