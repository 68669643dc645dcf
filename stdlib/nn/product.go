package nn

import (
	"runtime"
	"slices"

	"gonum.org/v1/gonum/blas"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"
)

// addProduct adds x w to z, n x out, for a w of in x out. Blocks of a product would be
// mostly empty where outputs are few; each is then a dot product of rows.
func (p *Pass) addProduct(z []float64, x rows, w []float64, in, out int) {
	if !fewOutputs(in, out) {
		linalg.Gemm(false, false, p.n, out, in, 1, x.data, x.stride, w, out, 1, z, out)
		return
	}
	columns := p.transposed(w, in, out)
	if p.n*in*out < serialWork {
		addDots(z, x, columns, 0, p.n, in, out)
		return
	}
	parallel.Team(runtime.GOMAXPROCS(0), func(k, of int) { addDots(z, x, columns, k*p.n/of, (k+1)*p.n/of, in, out) })
}

// serialWork is the number of multiplications below which one goroutine does all.
const serialWork = 400_000

// addDots adds the products of the rows lo to hi of x and the columns to those of z.
func addDots(z []float64, x rows, columns []float64, lo, hi, in, out int) {
	for r := lo; r < hi; r++ {
		row := x.data[r*x.stride : r*x.stride+in]
		for j := range out {
			z[r*out+j] += vec.Dot(row, columns[j*in:(j+1)*in])
		}
	}
}

// transposed returns the columns of w as rows, until the next call.
func (p *Pass) transposed(w []float64, in, out int) []float64 {
	if out == 1 {
		return w
	}
	p.columns = slices.Grow(p.columns[:0], in*out)[:in*out]
	for i := range in {
		for j := range out {
			p.columns[j*in+i] = w[i*out+j]
		}
	}
	return p.columns
}

// outer sets dw, in x out, to x'd + beta dw, for n rows of x and of d.
func outer(dw []float64, x, d rows, n, in, out int, beta float64) {
	if out > 1 {
		linalg.Gemm(true, false, in, out, n, 1, x.data, x.stride, d.data, d.stride, beta, dw, out)
		return
	}
	const piece = 64 // rows, for which Dgemv needs no memory
	for lo := 0; lo < n; lo += piece {
		linalg.BLAS{}.Dgemv(blas.Trans, min(piece, n-lo), in, 1, x.data[lo*x.stride:], x.stride, d.data[lo*d.stride:], d.stride, beta, dw, 1)
		beta = 1
	}
}

// fewOutputs reports whether dot products, which take about in/16 + 36 cycles each,
// are faster than a row of the narrowest blocks, 8 wide, at 9 in/16. It shows in the
// bits, so that it knows the shape alone.
func fewOutputs(in, out int) bool { return out*(in+576) < 9*in }
