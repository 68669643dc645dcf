package linalg

import (
	"context"
	"math"

	"gaucho/internal/scale"
	"gaucho/stdlib/internal/asm"
)

// tridiagPanel is the number of reflectors between updates of the rest of the
// matrix, which are products, and tridiagBlock how many are applied at a time.
const tridiagPanel, tridiagBlock = 16, 32

// A tridiagonal is A = Q T Q' for a symmetric A: T has the diagonal d and the
// off-diagonal e, and Q = H_0 H_1 ... with H_i = I - tau_i v_i v_i'. v_i stands
// in row i of a from column i+1.
type tridiagonal struct {
	n    int
	a    []float64
	d, e []float64
	tau  []float64
}

// tridiagonalize overwrites the n x n matrix a, of which the upper triangle is
// read. Half of the 4/3 n^3 operations are products of the matrix and a vector,
// which read half of it each (Dongarra, Sorensen, Hammarling 1989; LAPACK's
// dlatrd).
func tridiagonalize(ctx context.Context, n int, a []float64) (*tridiagonal, error) {
	t := &tridiagonal{n: n, a: a, d: make([]float64, n), e: make([]float64, max(n-1, 0)), tau: make([]float64, max(n-1, 0))}
	p := panelWork{
		vw:      make([]float64, 3*tridiagPanel*n),
		coef:    make([]float64, tridiagPanel),
		partial: make([]float64, symvStrips*n),
	}
	for j := 0; j < n-1; j += tridiagPanel {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		nb := min(tridiagPanel, n-1-j)
		t.panel(j, nb, &p)
		// A22 -= V'W + W'V, one product of depth 2 nb: [V; W]' [W; V].
		j1 := j + nb
		copy(p.vw[2*nb*n:3*nb*n], p.vw[:nb*n])
		gemm(n-j1, n-j1, 2*nb, -1, view{p.vw[j1:], 1, n}, view{p.vw[nb*n+j1:], n, 1}, 1, a[j1*n+j1:], n, upper)
	}
	if n > 0 {
		t.d[n-1] = a[n*n-1]
	}
	return t, nil
}

// panelWork holds V, W and V again, nb rows of n each, and scratch.
type panelWork struct{ vw, coef, partial []float64 }

// panel makes the reflectors j to j+nb-1, without touching the rows below.
func (t *tridiagonal) panel(j, nb int, p *panelWork) {
	n := t.n
	v, w := p.vw[:nb*n], p.vw[nb*n:2*nb*n]
	for k := range nb {
		i := j + k
		row := t.a[i*n+i : (i+1)*n]
		// The updates so far, for this row.
		asm.AxpyRows(row, negColumn(p.coef, w[i:], n, k), v[i:], n)
		asm.AxpyRows(row, negColumn(p.coef, v[i:], n, k), w[i:], n)
		t.d[i] = row[0]
		x := row[1:]
		t.e[i], t.tau[i] = reflector(x)
		copy(v[k*n+i+1:(k+1)*n], x)

		// w = tau (A v - V'(W v) - W'(V v)), less its part along v.
		y := w[k*n+i+1 : (k+1)*n]
		m := n - i - 1
		symvScratch(m, t.a[(i+1)*n+i+1:], n, upper, x, y, p.partial)
		c := p.coef[:k]
		negDots(c, w[i+1:], n, x)
		asm.AxpyRows(y, c, v[i+1:], n)
		negDots(c, v[i+1:], n, x)
		asm.AxpyRows(y, c, w[i+1:], n)
		asm.Scale(y, t.tau[i], y)
		asm.Axpy(y, -0.5*t.tau[i]*asm.Dot(y, x), x)
	}
}

// negDots sets dst to the dot products of rows, n apart, and x, with the other sign.
func negDots(dst, rows []float64, n int, x []float64) {
	asm.Dots(dst, rows, n, x)
	for l := range dst {
		dst[l] = -dst[l]
	}
}

// negColumn copies k elements, ld apart, with the other sign.
func negColumn(dst, x []float64, ld, k int) []float64 {
	dst = dst[:k]
	for l := range dst {
		dst[l] = -x[l*ld]
	}
	return dst
}

// reflector overwrites x with v, v[0] = 1, such that (I - tau v v') x = beta e_0.
func reflector(x []float64) (beta, tau float64) {
	alpha := x[0]
	rest := asm.Dot(x[1:], x[1:])
	if square := math.FMA(alpha, alpha, rest); square < 0x1p-800 || !(square < 0x1p1000) {
		// Squares vanish or overflow: LAPACK's dlarfg scales then too.
		if s := scale.Of(x); s != 1 {
			for i := range x {
				x[i] /= s
			}
			beta, tau = reflector(x)
			return beta * s, tau
		}
	}
	x[0] = 1
	if rest == 0 {
		return alpha, 0
	}
	beta = -math.Copysign(math.Sqrt(math.FMA(alpha, alpha, rest)), alpha)
	asm.Scale(x[1:], 1/(alpha-beta), x[1:])
	return beta, (beta - alpha) / beta
}

// applyQ multiplies the rows of z, m x n, by Q': rows that are eigenvectors of T
// become eigenvectors of A. Blocks of reflectors are products.
func (t *tridiagonal) applyQ(ctx context.Context, m int, z []float64) error {
	n := t.n
	y := make([]float64, tridiagBlock*n)
	f, g := make([]float64, tridiagBlock*tridiagBlock), make([]float64, tridiagBlock*tridiagBlock)
	w, u := make([]float64, m*tridiagBlock), make([]float64, m*tridiagBlock)
	for j := (n - 2) / tridiagBlock * tridiagBlock; j >= 0 && n > 1; j -= tridiagBlock {
		if err := ctx.Err(); err != nil {
			return err
		}
		nb := min(tridiagBlock, n-1-j)
		c := n - j - 1 // columns j+1 onwards
		clear(y[:nb*c])
		for k := range nb {
			copy(y[k*c+k:(k+1)*c], t.a[(j+k)*n+j+k+1:(j+k+1)*n])
		}
		blockFactor(nb, c, y, t.tau[j:j+nb], f, g)
		// Z -= (Z Y') F' Y.
		gemm(m, nb, c, 1, view{z[j+1:], n, 1}, view{y, 1, c}, 0, w, nb, full)
		gemm(m, nb, nb, 1, view{w, nb, 1}, view{f, 1, nb}, 0, u, nb, full)
		gemm(m, c, nb, -1, view{u, nb, 1}, view{y, c, 1}, 1, z[j+1:], n, full)
	}
	return nil
}

// blockFactor sets f, k x k upper triangular, such that H_0 ... H_(k-1) =
// I - Y' F Y for the reflectors in the rows of y, k x c (LAPACK's dlarft). g is
// scratch.
func blockFactor(k, c int, y, tau, f, g []float64) {
	gemm(k, k, c, 1, view{y, c, 1}, view{y, 1, c}, 0, g, k, full)
	clear(f[:k*k])
	for l := range k {
		f[l*k+l] = tau[l]
		// Column l above the diagonal: -tau F (Y v_l).
		for i := range l {
			s := 0.0
			for q := i; q < l; q++ {
				s = math.FMA(f[i*k+q], g[q*k+l], s)
			}
			f[i*k+l] = -tau[l] * s
		}
	}
}
