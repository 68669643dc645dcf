//go:build !arm64

package asm

func gemmNEON(k int, a *float64, ars, acs int, b *float64, bs int, c *float64, cs int, alpha float64, add int) {
	panic(noVector)
}

func axpyNEON(dst *float64, alpha float64, src *float64, n int) { panic(noVector) }

func axpy4NEON(dst, alpha, a *float64, as, n int) { panic(noVector) }

func axpyPanelNEON(dst, alpha, a *float64, k int) { panic(noVector) }

func dotNEON(acc, a, b *float64, n int) { panic(noVector) }

func symv4NEON(acc, y, a *float64, as int, x, xr *float64, n int) { panic(noVector) }
