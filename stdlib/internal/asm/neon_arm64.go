package asm

// The kernels for NEON do whole blocks only; the callers, in neon.go and gemm.go, do the rest. n is above 0. Strides are in bytes.

// gemmNEON sets 4 rows of 12 columns of C as [Gemm] does.
//
//go:noescape
func gemmNEON(k int, a *float64, ars, acs int, b *float64, bs int, c *float64, cs int, alpha float64, add int)

// axpyNEON adds alpha*src to dst, n elements, a multiple of 8.
//
//go:noescape
func axpyNEON(dst *float64, alpha float64, src *float64, n int)

// axpy4NEON adds alpha[0]*a[0] to alpha[3]*a[3] to dst in this order, four rows of a, as apart, n a multiple of 8.
//
//go:noescape
func axpy4NEON(dst, alpha, a *float64, as, n int)

// axpyPanelNEON adds alpha[i] times row i of the panel a to dst for k rows of 32 elements in their order.
//
//go:noescape
func axpyPanelNEON(dst, alpha, a *float64, k int)

// dotNEON sets acc to the 32 partial sums of a[i]*b[i], n a multiple of 32.
//
//go:noescape
func dotNEON(acc, a, b *float64, n int)

// symv4NEON sets the rows of acc, 4 x 8, to the partial sums of [Symv4], and adds to y; n is a multiple of 8.
//
//go:noescape
func symv4NEON(acc, y, a *float64, as int, x, xr *float64, n int)
