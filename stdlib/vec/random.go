package vec

import "gaucho/stdlib/internal/asm"

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
// of its work the stream (key, b). About 1.5 ns a number.
//
// The generator is Philox4x32-10 with the counter (i, block) (Salmon, Moraes,
// Dror, Shaw 2011); package asm says which word goes where.
func FillUniform(dst []float64, key, block uint64) {
	parallelGroups(len(dst), func(lo, hi int) { asm.Uniform(dst[lo:hi], key, block, uint64(lo/asm.UniformGroup)) })
}

// FillNormal fills dst with independent standard normal numbers of the stream
// (key, block): Box and Muller's transformation of pairs of FillUniform. About
// 3 ns a number.
func FillNormal(dst []float64, key, block uint64) {
	parallelGroups(len(dst), func(lo, hi int) { asm.Normal(dst[lo:hi], key, block, uint64(lo/asm.UniformGroup)) })
}

// groupBlock is a multiple of the numbers that the generator makes at a time.
const groupBlock = 32 * asm.UniformGroup

// parallelGroups is parallel with pieces that are multiples of groupBlock.
func parallelGroups(n int, f func(lo, hi int)) {
	if n < grain {
		f(0, n)
		return
	}
	blocks := (n + groupBlock - 1) / groupBlock
	parallelN(blocks, n, func(lo, hi int) { f(lo*groupBlock, min(hi*groupBlock, n)) })
}
