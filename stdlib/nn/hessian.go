package nn

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"gaucho/internal/scale"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"
)

// Tangent returns the derivative of the outputs, n x out, in the direction v of
// the parameters: J v, for the Jacobian J at the batch of the last Forward. It
// costs as much as two of these. With Backward it gives the Gauss-Newton product
// J' M J v, which is the Fisher matrix's where M is that of the outputs.
func (p *Pass) Tangent(v []float64) *mat.Dense {
	if len(v) != len(p.net.params) {
		panic(fmt.Sprintf("nn: the direction has %d elements, must have %d", len(v), len(p.net.params)))
	}
	p.reserveR()
	p.direction = append(p.direction[:0], v...)
	for i := range p.net.layers {
		l, x := &p.net.layers[i], p.before(i)
		if l.fixed != nil && !p.learns(i) {
			continue // its derivative is the 0 that the memory began with
		}
		rz := p.rsum[i][:p.n*l.out]
		clear(rz)
		if vw, vb := l.split(v); vw != nil {
			for r := range p.n {
				copy(rz[r*l.out:(r+1)*l.out], vb)
			}
			addProduct(rz, x, vw, p.n, l.in, l.out)
		}
		if i > 0 && p.learns(i) {
			w, _ := l.weights(p.net.params)
			addProduct(rz, rows{p.rvalue[i-1], l.in}, w, p.n, l.in, l.out)
		}
		ra := p.rvalue[i][:p.n*l.out]
		copy(ra, rz)
		p.slope(i, ra)
	}
	_, out := p.net.Dims()
	return wrap(&p.rout, p.n, out, p.rvalue[len(p.rvalue)-1])
}

// reserveR makes the memory of Tangent and HessianVec.
func (p *Pass) reserveR() {
	if p.rvalue != nil {
		return
	}
	p.rvalue, p.rsum = make([][]float64, len(p.value)), make([][]float64, len(p.value))
	for i := range p.value {
		p.rvalue[i], p.rsum[i] = make([]float64, len(p.value[i])), make([]float64, len(p.value[i]))
	}
	for i := range p.rdelta {
		p.rdelta[i] = make([]float64, len(p.delta[i]))
	}
}

// HessianVec sets dst to H v, for the Hessian H of the loss by the parameters and
// the direction v of the last call of Tangent, by Pearlmutter's R-operator. dout
// is the gradient of the loss by the outputs and rdout its derivative in the
// direction, which is the Hessian of the loss by the outputs times what Tangent
// returned; both n x out. It costs as much as two of Backward.
func (p *Pass) HessianVec(dst []float64, dout, rdout *mat.Dense) {
	_, out := p.net.Dims()
	d, rd := view("dout", dout, p.n, out), view("rdout", rdout, p.n, out)
	if len(dst) != len(p.net.params) {
		panic(fmt.Sprintf("nn: the product has %d elements, must have %d", len(dst), len(p.net.params)))
	}
	if len(p.direction) != len(dst) {
		panic("nn: HessianVec without Tangent before it")
	}
	for i := len(p.net.layers) - 1; i >= 0; i-- {
		l, x := &p.net.layers[i], p.before(i)
		if dw, db := l.split(dst); dw != nil {
			outer(dw, x, rd, p.n, l.in, l.out, 0)
			if i > 0 {
				outer(dw, rows{p.rvalue[i-1], l.in}, d, p.n, l.in, l.out, 1)
			}
			columnSums(db, rd, p.n)
		}
		if i == 0 || !p.learns(i) {
			return
		}
		w, _ := l.weights(p.net.params)
		next, rnext := p.delta[i%2][:p.n*l.in], p.rdelta[i%2][:p.n*l.in]
		linalg.Gemm(false, true, p.n, l.in, l.out, 1, d.data, d.stride, w, l.out, 0, next, l.in)
		linalg.Gemm(false, true, p.n, l.in, l.out, 1, rd.data, rd.stride, w, l.out, 0, rnext, l.in)
		if vw, _ := l.split(p.direction); vw != nil {
			linalg.Gemm(false, true, p.n, l.in, l.out, 1, d.data, d.stride, vw, l.out, 1, rnext, l.in)
		}
		p.slope(i-1, rnext)
		p.bend(i-1, rnext, next)
		p.slope(i-1, next)
		d, rd = rows{next, l.in}, rows{rnext, l.in}
	}
}

// bend adds d times the second derivative of the activation of layer i times R z.
func (p *Pass) bend(i int, rd, d []float64) {
	a, rz := p.value[i][:len(d)], p.rsum[i][:len(d)]
	switch p.net.layers[i].activation {
	case Tanh:
		for j, v := range a {
			rd[j] -= 2 * v * (1 - v*v) * rz[j] * d[j]
		}
	case cosine:
		for j, v := range a {
			rd[j] -= v * rz[j] * d[j]
		}
	}
}

// SquaredLoss returns the mean over rows of |out - y|^2 and sets dout to its
// gradient; all n x k. dout may be out or y.
func SquaredLoss(dout, out, y *mat.Dense) float64 {
	n, k := out.Dims()
	o, t, d := view("out", out, n, k), view("y", y, n, k), view("dout", dout, n, k)
	sum, scale := 0.0, 2/float64(n)
	for r := range n {
		row := d.data[r*d.stride : r*d.stride+k]
		vec.Sub(row, o.data[r*o.stride:r*o.stride+k], t.data[r*t.stride:r*t.stride+k])
		for j, e := range row {
			sum += e * e
			row[j] = scale * e
		}
	}
	return sum / float64(n)
}

// ClipNorm scales a gradient that is longer than limit down to that length, and
// returns its length before.
func ClipNorm(grad []float64, limit float64) float64 {
	norm := scale.Length(grad, vec.Dot(grad, grad))
	if s := scale.Of(grad); norm > limit && s != 1 {
		shrunk := limit / scale.Norm(scale.Divided(grad, s))
		for i, v := range grad {
			grad[i] = v / s * shrunk
		}
	} else if norm > limit {
		vec.Scale(grad, limit/norm, grad)
	}
	return norm
}
