package regression

import (
	"math"

	"gaucho/internal/scale"
	"gaucho/stdlib/vec"
)

// A decomposition is X P = Q R by Householder reflections. Columns that the ones before them explain are moved to the end, as
// R's dqrdc2 does: a column whose rest has less than tol of its length is collinear.
type decomposition struct {
	v     [][]float64 // the reflections, in the rows from k on for reflection k
	r     [][]float64 // r[j] is column j of R, of min(j, rank-1)+1 values
	pivot []int       // numbers of the columns, the collinear ones last
	rank  int
}

// decompose takes the columns of X, which it keeps and changes. The cost is O(n p^2).
func decompose(x [][]float64, tol float64) *decomposition {
	p := len(x)
	d := &decomposition{v: x, r: make([][]float64, p), pivot: make([]int, p)}
	length := make([]float64, p)
	for j, c := range x {
		d.pivot[j] = j
		length[j] = norm(c)
	}
	last := p
	for k := 0; k < last; {
		n := len(x[k])
		if k >= n || norm(x[k][k:]) <= tol*length[k] {
			d.rotate(k, length)
			last--
			continue
		}
		c := x[k]
		d.r[k] = append(d.r[k], c[:k]...)
		alpha := -math.Copysign(norm(c[k:]), c[k])
		d.r[k] = append(d.r[k], alpha)
		c[k] -= alpha
		vec.Scale(c[k:], 1/norm(c[k:]), c[k:])
		for j := k + 1; j < p; j++ {
			d.reflect(k, x[j])
		}
		k++
	}
	d.rank = last
	return d
}

// rotate moves column k to the end.
func (d *decomposition) rotate(k int, length []float64) {
	c, j, l := d.v[k], d.pivot[k], length[k]
	copy(d.v[k:], d.v[k+1:])
	copy(d.pivot[k:], d.pivot[k+1:])
	copy(length[k:], length[k+1:])
	end := len(d.v) - 1
	d.v[end], d.pivot[end], length[end] = c, j, l
}

// reflect applies reflection k.
func (d *decomposition) reflect(k int, y []float64) {
	v := d.v[k][k:]
	vec.Axpy(y[k:], -2*vec.Dot(v, y[k:]), v)
}

// effects turns y into its transpose(Q) y.
func (d *decomposition) effects(y []float64) {
	for k := range d.rank {
		d.reflect(k, y)
	}
}

// solve returns the coefficients for effects, NaN for collinear columns.
func (d *decomposition) solve(effects []float64) []float64 {
	b := make([]float64, len(d.pivot))
	vec.Fill(b, math.NaN())
	for k := d.rank - 1; k >= 0; k-- {
		s := effects[k]
		for j := k + 1; j < d.rank; j++ {
			s -= d.r[j][k] * b[d.pivot[j]]
		}
		b[d.pivot[k]] = s / d.r[k][k]
	}
	return b
}

// spread returns transpose(R)^-1 x for a row of the design: its length is that of the row of Q, and times sigma the standard
// error of the prediction.
func (d *decomposition) spread(x []float64) []float64 {
	z := make([]float64, d.rank)
	for k := range z {
		s := x[d.pivot[k]]
		for i := range k {
			s -= d.r[k][i] * z[i]
		}
		z[k] = s / d.r[k][k]
	}
	return z
}

// errors returns the roots of the diagonal of (transpose(X) X)^-1, NaN for collinear columns.
func (d *decomposition) errors() []float64 {
	out := make([]float64, len(d.pivot))
	vec.Fill(out, math.NaN())
	unit := make([]float64, len(d.pivot))
	for k := range d.rank {
		unit[d.pivot[k]] = 1
		out[d.pivot[k]] = norm(d.spread(unit)) // row k of R^-1
		unit[d.pivot[k]] = 0
	}
	return out
}

func norm(x []float64) float64 { return scale.Length(x, vec.Dot(x, x)) }
