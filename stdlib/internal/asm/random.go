package asm

import (
	"math"
	"math/bits"
)

func ratio(x float64, n, d []float64) float64 { return horner(x, n) / horner(x, d) }

// NormalQuantile1 is x with Phi(x) = p: in the middle q sqrt(2 pi) and a
// remainder, q = p - 1/2; in the tails a line in r = sqrt(-ln m), m the smaller
// of p and 1-p, and a remainder. -Inf at 0, Inf at 1, NaN outside.
func NormalQuantile1(p float64) float64 {
	q := p - 0.5
	if !(math.Abs(q) <= 0.425) {
		return quantileTail(p, q)
	}
	low := p - (q + 0.5)
	t := float64(q * q)
	g := float64(t * ratio(math.FMA(-q, q, 0.180625), quantileCN, quantileCD))
	slope := math.FMA(g, math.FMA(t, 10, 3), rootTwoPi)
	rest := math.FMA(low, slope, float64(q*(g+rootTwoPiLow)))
	return math.FMA(q, rootTwoPi, rest)
}

func quantileTail(p, q float64) float64 {
	m := p
	if 1-p < p {
		m = 1 - p
	}
	switch {
	case m == 0:
		return withSign(math.Inf(1), q)
	case !(m > 0):
		return math.NaN()
	}
	shift := 0.0
	if m < minNormal {
		m, shift = m*0x1p54, 54
	}
	f, k := splitLog(m)
	k -= shift
	s := f / (f + 2)
	z := float64(s * s)
	half := float64(float64(f*f) * 0.5)
	a := math.FMA(s, math.FMA(z, horner(z, logG), half), float64(k*ln2Low))
	b := f - (half - a)
	hi, lo := sumFast(float64(k*ln2High), b)
	r := math.Sqrt(-hi)
	low := (math.FMA(-r, r, -hi) - lo) / (r + r)
	if r >= 5 {
		h := ratio(r-5, quantileFN, quantileFD)
		return withSign(math.FMA(r, 1.4375, math.FMA(low, 1.5, h)-0.75), q)
	}
	g := ratio(r-1.6, quantileMN, quantileMD)
	return withSign(math.FMA(r, 1.5, math.FMA(low, 1.5, g)-1), q)
}

// NormalQuantile sets dst[i] to the normal quantile of src[i]; dst may be src.
func NormalQuantile(dst, src []float64) {
	for len(src) > 0 {
		n := min(len(src), chunk)
		switch level {
		case AVX512:
			normalQuantileAVX512(&dst[0], &src[0], n)
		case AVX2:
			normalQuantileAVX2(&dst[0], &src[0], n)
		default:
			for i, p := range src[:n] {
				dst[i] = NormalQuantile1(p)
			}
		}
		dst, src = dst[n:], src[n:]
	}
}

// UniformGroup is the number of numbers that Uniform makes at a time.
const UniformGroup = 16

// Uniform fills dst with numbers in [0, 1), from group first onwards, of the
// stream (key, block): Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011) of the
// counter (i, block), i of 64 bits. Group g holds the first numbers of the
// counters 8g to 8g+7, then their second numbers; a number is the upper 53 bits
// of two words, the second word the upper.
func Uniform(dst []float64, key, block, first uint64) {
	var keys [80]uint64
	roundKeys(&keys, key)
	for len(dst) >= UniformGroup {
		groups := min(len(dst)/UniformGroup, chunk/UniformGroup)
		uniform(dst[:groups*UniformGroup], &keys, block, first)
		dst, first = dst[groups*UniformGroup:], first+uint64(groups)
	}
	if len(dst) > 0 {
		var tail [UniformGroup]float64
		uniform(tail[:], &keys, block, first)
		copy(dst, tail[:])
	}
}

func uniform(dst []float64, keys *[80]uint64, block, first uint64) {
	switch level {
	case AVX512:
		philoxAVX512(&dst[0], &keys[0], 8*first, block, len(dst)/UniformGroup)
		return
	case AVX2:
		philoxAVX2(&dst[0], &keys[0], 8*first, block, len(dst)/UniformGroup)
		return
	}
	for i := range dst {
		if i%UniformGroup < 8 {
			c := philox(keys, 8*first+uint64(i/UniformGroup*8+i%8), block)
			dst[i] = unit(c[0], c[1])
			dst[i+8] = unit(c[2], c[3])
		}
	}
}

// roundKeys sets the round keys, each four times for the vector kernels.
func roundKeys(keys *[80]uint64, key uint64) {
	k0, k1 := uint32(key), uint32(key>>32)
	for round := range 10 {
		for i := range 4 {
			keys[8*round+i], keys[8*round+4+i] = uint64(k0), uint64(k1)
		}
		k0, k1 = k0+0x9e3779b9, k1+0xbb67ae85
	}
}

// philox is Philox4x32-10 of the counter (index, block), low words first.
func philox(keys *[80]uint64, index, block uint64) [4]uint32 {
	c := [4]uint32{uint32(index), uint32(index >> 32), uint32(block), uint32(block >> 32)}
	for round := range 10 {
		p0, p1 := uint64(c[0])*0xd2511f53, uint64(c[2])*0xcd9e8d57
		c = [4]uint32{
			uint32(p1>>32) ^ c[1] ^ uint32(keys[8*round]), uint32(p1),
			uint32(p0>>32) ^ c[3] ^ uint32(keys[8*round+4]), uint32(p0),
		}
	}
	return c
}

func unit(lo, hi uint32) float64 {
	return float64((uint64(hi)<<32|uint64(lo))>>11) * 0x1p-53
}

// Normal fills dst with standard normal numbers: Box and Muller's of the numbers
// i and i+8 of each group of Uniform.
func Normal(dst []float64, key, block, first uint64) {
	Uniform(dst, key, block, first)
	whole := len(dst) / UniformGroup * UniformGroup
	for lo := 0; lo < whole; lo += chunk {
		boxMuller(dst[lo:min(lo+chunk, whole)])
	}
	if rest := dst[whole:]; len(rest) > 0 {
		var tail [UniformGroup]float64
		Uniform(tail[:], key, block, first+uint64(whole/UniformGroup))
		boxMuller(tail[:])
		copy(rest, tail[:])
	}
}

func boxMuller(x []float64) {
	switch {
	case len(x) == 0:
		return
	case level == AVX512:
		boxMullerAVX512(&x[0], len(x)/UniformGroup)
		return
	case level == AVX2:
		boxMullerAVX2(&x[0], len(x)/UniformGroup)
		return
	}
	for g := 0; g < len(x); g += UniformGroup {
		for i := g; i < g+8; i++ {
			x[i], x[i+8] = normalPair(x[i], x[i+8])
		}
	}
}

// normalPair is r cos 2 pi v and r sin 2 pi v, r = sqrt(-2 ln(1-u)): the angle is
// reduced in quarter turns, which is exact.
func normalPair(u, v float64) (a, b float64) {
	f, k := splitLog(1 - u)
	r := math.Sqrt(seriesLog(f, k, 0) * -2)
	q := v * 4
	n, t := round(q, 1)
	q -= n
	x := float64(q * piOver2A)
	lo := math.FMA(q, piOver2B, math.FMA(q, piOver2A, 0-x))
	turns := math.Float64bits(t)
	return r * finishCos(x, lo, turns), r * finishSin(0, x, lo, turns)
}

// ScrambleGroup is the number of words that Scramble makes from one.
const ScrambleGroup = 8

// Scramble sets dst[8g+i] to the number in [0, 1) whose bits are those of
// Reverse32(ScrambleReversed(word[g]^offset[i], seed)).
func Scramble(dst []float64, word []uint32, offset *[ScrambleGroup]uint32, seed uint32) {
	if level < AVX2 {
		for i := range dst[:ScrambleGroup*len(word)] {
			x := ScrambleReversed(word[i/ScrambleGroup]^offset[i%ScrambleGroup], seed)
			dst[i] = float64(bits.Reverse32(x)) / (1 << 32)
		}
		return
	}
	for len(word) > 0 {
		n := min(len(word), chunk/ScrambleGroup)
		scrambleAVX2(&dst[:ScrambleGroup*n][0], &word[0], &offset[0], seed, n)
		dst, word = dst[ScrambleGroup*n:], word[n:]
	}
}

// ScrambleReversed permutes the bits of x so that each depends on the seed and on
// the lower bits only: the hash of S. Laine and T. Karras.
func ScrambleReversed(x, seed uint32) uint32 {
	x ^= x * 0x3d20adea
	x += seed
	x *= seed>>16 | 1
	x ^= x * 0x05526c56
	x ^= x * 0x53a22864
	return x
}
