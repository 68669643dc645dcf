package nn

import (
	"gonum.org/v1/gonum/blas"

	"gaucho/stdlib/linalg"
)

// longRow is the number of inputs from which a dot product of each row is faster for
// one output than a product, whose blocks are at least 8 wide.
const longRow = 72

// addProduct adds x w to z, for n rows of x and of z and a w of in x out.
func addProduct(z []float64, x rows, w []float64, n, in, out int) {
	if out == 1 && in >= longRow {
		linalg.BLAS{}.Dgemv(blas.NoTrans, n, in, 1, x.data, x.stride, w, 1, 1, z, 1)
		return
	}
	linalg.Gemm(false, false, n, out, in, 1, x.data, x.stride, w, out, 1, z, out)
}

// outer sets dw, in x out, to x'd + beta dw, for n rows of x and of d.
func outer(dw []float64, x, d rows, n, in, out int, beta float64) {
	if out == 1 {
		linalg.BLAS{}.Dgemv(blas.Trans, n, in, 1, x.data, x.stride, d.data, d.stride, beta, dw, 1)
		return
	}
	linalg.Gemm(true, false, in, out, n, 1, x.data, x.stride, d.data, d.stride, beta, dw, out)
}
