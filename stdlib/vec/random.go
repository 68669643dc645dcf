package vec

import (
	"math"

	"gaucho/stdlib/internal/asm"
)

// NormalQuantile sets dst[i] to the x at which the standard normal distribution
// function is src[i]: -Inf at 0, Inf at 1, NaN outside. Error at most 1.5 ulp.
func NormalQuantile(dst, src []float64) { unary("NormalQuantile", dst, src, asm.NormalQuantile) }

// NormalQuantile1 returns the standard normal quantile of p, the bits of
// NormalQuantile.
func NormalQuantile1(p float64) float64 { return asm.NormalQuantile1(p) }

// FillUniform fills dst with independent numbers, uniform on the multiples of
// 2^-53 in [0, 1): the stream (key, block), from its start. Streams with other
// keys or blocks are independent, and any number of blocks can be filled at once
// in any order: a parallel function draws one key from its rng and gives block b
// of its work the stream (key, b). About 1 ns a number.
//
// The generator is Philox4x32-10 with the counter (i, block) (Salmon, Moraes,
// Dror, Shaw 2011); package asm says which word goes where.
func FillUniform(dst []float64, key, block uint64) {
	parallelGroups(len(dst), func(lo, hi int) { asm.Uniform(dst[lo:hi], key, block, uint64(lo/asm.UniformGroup)) })
}

// FillNormal fills dst with independent standard normal numbers of the stream
// (key, block): Box and Muller's transformation of pairs of FillUniform. About
// 2.5 ns a number.
func FillNormal(dst []float64, key, block uint64) {
	parallelGroups(len(dst), func(lo, hi int) {
		for ; lo < hi; lo += normalBlock {
			normals(dst[lo:min(lo+normalBlock, hi)], key, block, uint64(lo/asm.UniformGroup))
		}
	})
}

// normalBlock numbers are made at a time, in cache.
const normalBlock = 512

// normals fills dst, at most normalBlock numbers from the start of a group.
func normals(dst []float64, key, block, group uint64) {
	const half = asm.UniformGroup / 2
	var u [normalBlock]float64
	var radius, angle, sin [normalBlock / 2]float64
	n := (len(dst) + asm.UniformGroup - 1) / asm.UniformGroup * half
	asm.Uniform(u[:2*n], key, block, group)
	for i := 0; i < n; i += half {
		copy(radius[i:i+half], u[2*i:])
		copy(angle[i:i+half], u[2*i+half:])
	}
	r, a, s := radius[:n], angle[:n], sin[:n]
	// r = sqrt(-2 ln(1 - u)), exact in 1 - u, which is never 0.
	asm.Scale(r, -1, r)
	asm.Offset(r, 1, r)
	asm.Log(r, r)
	asm.Scale(r, -2, r)
	asm.Sqrt(r, r)
	asm.Scale(a, 2*math.Pi, a)
	asm.SinCos(s, a, a)
	asm.Mul(a, a, r)
	asm.Mul(s, s, r)
	for i := 0; i < n; i += half {
		copy(u[2*i:], a[i:i+half])
		copy(u[2*i+half:], s[i:i+half])
	}
	copy(dst, u[:])
}

// parallelGroups is parallel with pieces that are multiples of normalBlock.
func parallelGroups(n int, f func(lo, hi int)) {
	if n < grain {
		f(0, n)
		return
	}
	blocks := (n + normalBlock - 1) / normalBlock
	parallelN(blocks, n, func(lo, hi int) { f(lo*normalBlock, min(hi*normalBlock, n)) })
}
