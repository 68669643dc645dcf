package asm

import (
	"math"
	"math/bits"
)

// Sin1 is sin x; NaN at infinities.
func Sin1(x float64) float64 {
	r, lo, q := reduce(math.Abs(x))
	return finishSin(x, r, lo, q)
}

// Cos1 is cos x; NaN at infinities.
func Cos1(x float64) float64 {
	r, lo, q := reduce(math.Abs(x))
	return finishCos(r, lo, q)
}

// SinCos1 is sin x, cos x.
func SinCos1(x float64) (sin, cos float64) {
	r, lo, q := reduce(math.Abs(x))
	return finishSin(x, r, lo, q), finishCos(r, lo, q)
}

func finishSin(x, r, lo float64, q uint64) float64 {
	var y float64
	if q&1 == 0 {
		y = polySin(r, lo)
	} else {
		y = polyCos(r, lo)
	}
	return math.Float64frombits(math.Float64bits(y) ^ (q<<62^math.Float64bits(x))&signMask)
}

func finishCos(r, lo float64, q uint64) float64 {
	var y float64
	if q&1 == 0 {
		y = polyCos(r, lo)
	} else {
		y = polySin(r, lo)
	}
	return math.Float64frombits(math.Float64bits(y) ^ (q+1)<<62&signMask)
}

// polySin is the sine of r + lo, |r| <= pi/4.
func polySin(r, lo float64) float64 {
	z := float64(r * r)
	p := horner(z, sinS)
	v := float64(z * r)
	a := math.FMA(-v, p, float64(lo*0.5))
	b := math.FMA(-z, a, lo)
	return r + math.FMA(v, sinS1, b)
}

// polyCos is the cosine of r + lo, |r| <= pi/4.
func polyCos(r, lo float64) float64 {
	z := float64(r * r)
	p := horner(z, cosC)
	half := float64(z * 0.5)
	s := 1 - half
	e := (1 - s) - half
	b := math.FMA(-r, lo, e)
	return s + math.FMA(float64(z*z), p, b)
}

// reduce writes x >= 0 as q pi/2 + r + lo, q modulo 4.
func reduce(x float64) (r, lo float64, q uint64) {
	if !(x <= trigMax) {
		return reduceLarge(x)
	}
	n, t := round(x, twoOverPi)
	r1 := math.FMA(-n, piOver2A, x)
	r2 := math.FMA(-n, piOver2B, r1)
	lo = math.FMA(-n, piOver2B, r1-r2)
	lo = math.FMA(-n, piOver2C, lo)
	r = r2 + lo
	return r, lo - (r - r2), math.Float64bits(t)
}

// reduceLarge is Payne and Hanek's reduction: x times the 256 bits of 2/pi that
// matter for its exponent, in integers, so exact to 2^-125 of a quadrant.
func reduceLarge(x float64) (r, lo float64, q uint64) {
	b := math.Float64bits(x)
	if b >= infBits {
		return math.NaN(), 0, 0
	}
	// x = m 2^e, 2^52 <= m < 2^53.
	m := b&fractionMask | 1<<52
	e := int(b>>52) - 1075
	// Bits of 2/pi of weight 2^(2-e) and above make multiples of 4: skip them.
	skip := max(e-2, 0)
	w, s := skip/64, uint(skip%64)
	var t [4]uint64
	for i := range t {
		t[i] = twoOverPiBits[w+i]<<s | twoOverPiBits[w+i+1]>>(64-s)
	}
	// p = m*t; t has its point before t[0], so p has it after p[0].
	var p [5]uint64
	for i := 3; i >= 0; i-- {
		hi, low := bits.Mul64(m, t[i])
		var carry uint64
		p[i+1], carry = bits.Add64(low, p[i+1], 0)
		p[i] = hi + carry
	}
	// Times 2^(e-skip): x 2/pi modulo 4.
	if e >= 0 {
		k := uint(e - skip)
		for i := range 4 {
			p[i] = p[i]<<k | p[i+1]>>(64-k)
		}
	} else {
		k := uint(-e)
		for i := 4; i > 0; i-- {
			p[i] = p[i]>>k | p[i-1]<<(64-k)
		}
		p[0] >>= k
	}
	q = p[0]
	hi, mid, low := p[1], p[2], p[3]
	negative := hi>>63 != 0
	if negative { // more than half: the next quadrant, and a negative rest
		q++
		var borrow uint64
		low, borrow = bits.Sub64(0, low, 0)
		mid, borrow = bits.Sub64(0, mid, borrow)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	a, c := fraction(hi, mid, low)
	if negative {
		a, c = -a, -c
	}
	// (a + c) pi/2 in two parts.
	r = a * piOver2A
	lo = math.FMA(a, piOver2A, -r)
	lo = math.FMA(a, piOver2B, math.FMA(c, piOver2A, lo))
	sum := r + lo
	return sum, lo - (sum - r), q
}

// fraction returns the binary number 0.hi mid low as a + c, to 106 bits.
func fraction(hi, mid, low uint64) (a, c float64) {
	shift := 0
	if hi == 0 {
		hi, mid, low, shift = mid, low, 0, 64
	}
	z := bits.LeadingZeros64(hi)
	if z > 0 {
		hi = hi<<z | mid>>(64-z)
		mid = mid<<z | low>>(64-z)
	}
	shift += z
	// The top 53 bits of hi, then its last 11 and 42 of mid.
	a = math.Ldexp(float64(hi>>11), -53-shift)
	c = math.Ldexp(float64((hi&(1<<11-1))<<42|mid>>22), -106-shift)
	return a, c
}

// twoOverPiBits holds the first 1408 bits of 2/pi after the binary point.
var twoOverPiBits = [...]uint64{
	0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
	0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
	0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
	0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
	0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d,
	0xa9e391615ee61b08, 0x6599855f14a06840,
}
