package em

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"
)

// rowBlock is the number of rows that one goroutine takes; sums are added block by
// block, in order. Products take chunkRows of them at a time, which stay in cache.
const (
	rowBlock  = 4096
	chunkRows = 256
)

// LogDensity sets dst to log densities. O(n s d), or O(n s d^2) with covariance
// matrices.
func (g *Gaussian) LogDensity(dst []float64, x *mat.Dense) error {
	if g.Kind == Spherical || g.Kind == Diagonal {
		if w, ok := g.quadratic(); ok {
			g.logQuadratic(dst, x, w)
		} else {
			g.logDiagonal(dst, x)
		}
		return nil
	}
	w, constant, err := g.whitening()
	if err != nil {
		return err
	}
	centre := g.centre()
	n, d := x.Dims()
	s := g.States()
	parallel.Blocks(n, rowBlock, func(_, lo, hi int) {
		shifted, white := make([]float64, chunkRows*(d+1)), make([]float64, chunkRows*s*d)
		for ; lo < hi; lo += chunkRows {
			m := min(chunkRows, hi-lo)
			for i := range m {
				row := shifted[i*(d+1) : (i+1)*(d+1)]
				for a, v := range x.RawRowView(lo + i) {
					row[a] = v - centre[a]
				}
				row[d] = 1
			}
			linalg.Gemm(false, false, m, s*d, d+1, 1, shifted, d+1, w, s*d, 0, white, s*d)
			z := white
			for i := lo; i < lo+m; i++ {
				for j, c := range constant {
					dst[i*s+j] = c - squareSum(z[:d])/2
					z = z[d:]
				}
			}
		}
	})
	return nil
}

// squareSum returns the sum of squares: rows are too short for vec.
func squareSum(z []float64) float64 {
	var p, q float64
	for ; len(z) >= 2; z = z[2:] {
		p += z[0] * z[0]
		q += z[1] * z[1]
	}
	if len(z) == 1 {
		p += z[0] * z[0]
	}
	return p + q
}

// centre is a point about which the data lie: products of what is left of them lose
// fewer digits.
func (g *Gaussian) centre() []float64 {
	s, d := g.Means.Dims()
	c := make([]float64, d)
	addRows(c, g.Means)
	vec.Scale(c, 1/float64(s), c)
	return c
}

// whitening returns the (d+1) x sd matrix that takes (x - centre, 1) to L_j^-1 (x -
// mean_j) for all j, L_j the Cholesky factors, and the log densities at the means.
func (g *Gaussian) whitening() (w, constant []float64, err error) {
	factors, err := g.factors()
	if err != nil {
		return nil, nil, err
	}
	s, d := g.Means.Dims()
	w, constant = make([]float64, (d+1)*s*d), make([]float64, s)
	centre, column := g.centre(), make([]float64, d)
	for j := range s {
		l := factors[min(j, len(factors)-1)]
		constant[j] = -float64(d) / 2 * vec.Log1(2*math.Pi)
		for a := range d {
			constant[j] -= vec.Log1(l.At(a, a))
		}
		for b := 0; b <= d; b++ { // column b of L^-1, or of L^-1 (centre - mean)
			for a := range d {
				v := 0.0
				if b == a {
					v = 1
				} else if b == d {
					v = centre[a] - g.Means.At(j, a)
				}
				for c := range a {
					v -= l.At(a, c) * column[c]
				}
				column[a] = v / l.At(a, a)
				w[b*s*d+j*d+a] = column[a]
			}
		}
	}
	return w, constant, nil
}

// quadratic returns the (1+2d) x s matrix that takes (1, y, y^2), y = x - centre, to
// the log densities of diagonal covariances: their coefficients as polynomials. ok
// is false where a mean is more than 100 standard deviations from the centre, as
// digits would be lost.
func (g *Gaussian) quadratic() (w []float64, ok bool) {
	s, d := g.Means.Dims()
	w = make([]float64, (1+2*d)*s)
	centre := g.centre()
	for j := range s {
		w[j] = -float64(d) / 2 * vec.Log1(2*math.Pi)
		mean := g.Means.RawRowView(j)
		for a, v := range g.Variances.RawRowView(j) {
			shift := mean[a] - centre[a]
			if shift*shift > 1e4*v {
				return nil, false
			}
			w[j] -= vec.Log1(v)/2 + shift*shift/(2*v)
			w[(1+a)*s+j] = shift / v
			w[(1+d+a)*s+j] = -1 / (2 * v)
		}
	}
	return w, true
}

func (g *Gaussian) logQuadratic(dst []float64, x *mat.Dense, w []float64) {
	n, d := x.Dims()
	s, width, centre := g.States(), 1+2*d, g.centre()
	parallel.Blocks(n, rowBlock, func(_, lo, hi int) {
		terms := make([]float64, chunkRows*width)
		for ; lo < hi; lo += chunkRows {
			m := min(chunkRows, hi-lo)
			for i := range m {
				quadraticTerms(terms[i*width:(i+1)*width], x.RawRowView(lo+i), centre)
			}
			linalg.Gemm(false, false, m, s, width, 1, terms, width, w, s, 0, dst[lo*s:], s)
		}
	})
}

// quadraticTerms sets row to 1, y = x - centre and the squares of y.
func quadraticTerms(row, x, centre []float64) {
	d := len(centre)
	row[0] = 1
	y, squares := row[1:1+d], row[1+d:1+2*d]
	for a, v := range x[:d] {
		v -= centre[a]
		y[a], squares[a] = v, v*v
	}
}

func (g *Gaussian) logDiagonal(dst []float64, x *mat.Dense) {
	n, d := x.Dims()
	s := g.States()
	inverse := make([]float64, d)
	for j := range s {
		mean, constant := g.Means.RawRowView(j), float64(d)*vec.Log1(2*math.Pi)/2
		for a, v := range g.Variances.RawRowView(j) {
			constant += vec.Log1(v) / 2
			inverse[a] = 1 / v
		}
		parallel.Blocks(n, rowBlock, func(_, lo, hi int) {
			for i := lo; i < hi; i++ {
				q := 0.0
				for a, v := range x.RawRowView(i) {
					v -= mean[a]
					q += v * v * inverse[a]
				}
				dst[i*s+j] = -constant - q/2
			}
		})
	}
}
