package nn

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"
)

// A Pass is the memory in which a network meets a batch: what Forward leaves there
// Backward, Tangent and HessianVec use. Matrices that methods return belong to the
// pass and hold until its next call of the same method.
//
// Matrices of the wrong shape panic, before anything is written.
type Pass struct {
	net   *Network
	n     int         // rows of the batch at hand
	input rows        // of Forward
	value [][]float64 // by layer: n x out outputs
	sum   [][]float64 // by layer: z where the derivative needs it, nil elsewhere
	delta [2][]float64
	out   mat.Dense

	// Of Tangent and HessianVec, made when they are first called.
	direction []float64
	rvalue    [][]float64 // R a
	rsum      [][]float64 // R z
	rdelta    [2][]float64
	rout      mat.Dense
}

// rows is a matrix by rows, stride elements apart.
type rows struct {
	data   []float64
	stride int
}

// NewPass returns memory for batches of up to n rows; a longer batch makes it grow.
func (m *Network) NewPass(n int) *Pass {
	p := &Pass{net: m, value: make([][]float64, len(m.layers)), sum: make([][]float64, len(m.layers))}
	p.reserve(n)
	return p
}

// reserve makes room for n rows.
func (p *Pass) reserve(n int) {
	if last := len(p.value) - 1; n*p.net.layers[last].out <= len(p.value[last]) {
		return
	}
	widest := 0
	for i, l := range p.net.layers {
		p.value[i] = make([]float64, n*l.out)
		if l.activation == cosine {
			p.sum[i] = make([]float64, n*l.out)
		}
		widest = max(widest, l.out)
	}
	for i := range p.delta {
		p.delta[i] = make([]float64, n*widest)
	}
	p.rvalue = nil
}

// wrap lets m show n x c elements of data.
func wrap(m *mat.Dense, n, c int, data []float64) *mat.Dense {
	m.SetRawMatrix(blas64.General{Rows: n, Cols: c, Stride: c, Data: data[:n*c]})
	return m
}

// view returns the rows of a matrix that must be n x c.
func view(what string, m *mat.Dense, n, c int) rows {
	if r, k := m.Dims(); r != n || k != c {
		panic(fmt.Sprintf("nn: %s is %d x %d, must be %d x %d", what, r, k, n, c))
	}
	raw := m.RawMatrix()
	return rows{raw.Data, raw.Stride}
}

// before returns the input of layer i.
func (p *Pass) before(i int) rows {
	if i == 0 {
		return p.input
	}
	return rows{p.value[i-1], p.net.layers[i-1].out}
}

// Forward returns the outputs, n x out, for the inputs in the rows of x, n x in.
// It keeps x, not a copy, until the next call.
func (p *Pass) Forward(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	in, out := p.net.Dims()
	p.input = view("x", x, n, in)
	p.reserve(n)
	p.n = n
	for i := range p.net.layers {
		p.layer(i)
	}
	return wrap(&p.out, n, out, p.value[len(p.value)-1])
}

// layer computes the outputs of layer i.
func (p *Pass) layer(i int) {
	l, x := &p.net.layers[i], p.before(i)
	a := p.value[i][:p.n*l.out]
	z := a
	if p.sum[i] != nil {
		z = p.sum[i][:p.n*l.out]
	}
	w, b := l.weights(p.net.params)
	for r := range p.n {
		copy(z[r*l.out:(r+1)*l.out], b)
	}
	addProduct(z, x, w, p.n, l.in, l.out)
	switch l.activation {
	case Tanh:
		vec.Tanh(a, z)
	case ReLU:
		for j, v := range z {
			a[j] = max(v, 0)
		}
	case cosine:
		vec.Cos(a, z)
		vec.Scale(a, math.Sqrt(2/float64(l.out)), a)
	}
}

// slope multiplies d by the derivative of the activation of layer i.
func (p *Pass) slope(i int, d []float64) {
	a := p.value[i][:len(d)]
	switch l := &p.net.layers[i]; l.activation {
	case Tanh:
		for j, v := range a {
			d[j] *= 1 - v*v
		}
	case ReLU:
		for j, v := range a {
			if v == 0 {
				d[j] = 0
			}
		}
	case cosine:
		scale := -math.Sqrt(2 / float64(l.out))
		for j, z := range p.sum[i][:len(d)] {
			d[j] *= scale * vec.Sin1(z)
		}
	}
}

// Backward sets grad to the gradient of the loss by the parameters, and dx, n x
// in, to its gradient by the inputs, given dout, n x out, its gradient by the
// outputs that Forward returned last. grad or dx may be nil.
func (p *Pass) Backward(grad []float64, dout, dx *mat.Dense) {
	in, out := p.net.Dims()
	d := view("dout", dout, p.n, out)
	if grad != nil && len(grad) != len(p.net.params) {
		panic(fmt.Sprintf("nn: the gradient has %d elements, must have %d", len(grad), len(p.net.params)))
	}
	var dinput rows
	if dx != nil {
		dinput = view("dx", dx, p.n, in)
	}
	for i := len(p.net.layers) - 1; i >= 0; i-- {
		l, x := &p.net.layers[i], p.before(i)
		if dw, db := l.split(grad0(grad, p.net)); dw != nil && grad != nil {
			outer(dw, x, d, p.n, l.in, l.out, 0)
			columnSums(db, d, p.n)
		}
		w, _ := l.weights(p.net.params)
		if i == 0 {
			if dx != nil {
				linalg.Gemm(false, true, p.n, l.in, l.out, 1, d.data, d.stride, w, l.out, 0, dinput.data, dinput.stride)
			}
			return
		}
		if dx == nil && !p.learns(i) {
			return
		}
		next := p.delta[i%2][:p.n*l.in]
		linalg.Gemm(false, true, p.n, l.in, l.out, 1, d.data, d.stride, w, l.out, 0, next, l.in)
		p.slope(i-1, next)
		d = rows{next, l.in}
	}
}

// grad0 is a vector to split where there is no gradient.
func grad0(grad []float64, m *Network) []float64 {
	if grad == nil {
		return m.params
	}
	return grad
}

// learns reports whether a layer below i has parameters.
func (p *Pass) learns(i int) bool {
	for _, l := range p.net.layers[:i] {
		if l.fixed == nil {
			return true
		}
	}
	return false
}

// columnSums sets dst to the sums of the columns of n rows.
func columnSums(dst []float64, x rows, n int) {
	if len(dst) == 1 && x.stride == 1 {
		dst[0] = vec.Sum(x.data[:n])
		return
	}
	clear(dst)
	for r := range n {
		vec.Axpy(dst, 1, x.data[r*x.stride:r*x.stride+len(dst)])
	}
}
