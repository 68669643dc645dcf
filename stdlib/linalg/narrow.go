package linalg

import "gaucho/stdlib/internal/asm"

// A micro-kernel's block has three times as many columns as rows, so a product with few columns leaves most of each block
// empty. C' = B'A' fills it, with the same chains. It pays where the columns of A lie in memory as such: then they are the
// rows of A', which need not be copied. The gradient of a layer with few outputs is such a product.

// isNarrow reports whether C' = B'A' is the better form of the product of a, with m rows, and n columns.
func isNarrow(m, n int, a view) bool {
	_, nr := asm.Tile()
	return a.rs == 1 && a.cs != 1 && n <= nr/2 && m >= nr
}

// gemmNarrow sets C = alpha*A*B + beta*C by way of C'.
func gemmNarrow(m, n, k int, alpha float64, a, b view, beta float64, c []float64, ldc int) {
	if n == 1 && ldc == 1 { // C' is C
		gemm(n, m, k, alpha, b.t(), a.t(), beta, c, m, full)
		return
	}
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	buf := s.room(n * m)
	if beta != 0 {
		transpose(buf, m, c, ldc, m, n)
	}
	gemm(n, m, k, alpha, b.t(), a.t(), beta, buf, m, full)
	transpose(c, ldc, buf, m, n, m)
}
