package rkhs

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
)

// Labelled is the product of a kernel on the first d coordinates and equality
// of the last one, a discrete label:
// k((x, r), (x', r')) = 1[r = r'] k(x, x'). States of jump models are such
// points (Lacoste-Julien et al. 2015, section 4.2).
type Labelled struct {
	Kernel Kernel
}

// Eval returns 1[r = r'] k(x, x').
func (l Labelled) Eval(x, y []float64) float64 {
	d := len(x) - 1
	if x[d] != y[d] {
		return 0
	}
	return l.Kernel.Eval(x[:d], y[:d])
}

func (l Labelled) column(dst []float64, p *Points, lo int, y []float64) {
	d := len(y) - 1
	if k, fast := l.Kernel.(columnKernel); fast {
		k.column(dst, p, lo, y[:d])
	} else {
		for i := range dst {
			dst[i] = l.Kernel.Eval(p.x.RawRowView(lo + i)[:d], y[:d])
		}
	}
	scratch := getScratch()
	defer putScratch(scratch)
	label := scratch[:len(dst)]
	p.coordinate(label, lo, d)
	for i, r := range label {
		if r != y[d] {
			dst[i] = 0
		}
	}
}

func (l Labelled) validate() error { return Validate(l.Kernel) }

// LabelledMixture is a Gaussian mixture in R^d whose component j carries the
// label Labels[j]; its points are rows (x, label) of length d+1.
type LabelledMixture struct {
	*Mixture
	labels []int
}

// NewLabelledMixture attaches a label to each component of m.
func NewLabelledMixture(m *Mixture, labels []int) (*LabelledMixture, error) {
	if m == nil {
		return nil, fmt.Errorf("rkhs: mixture is nil")
	}
	if len(labels) != m.Len() {
		return nil, fmt.Errorf("rkhs: %d labels for %d components", len(labels), m.Len())
	}
	return &LabelledMixture{Mixture: m, labels: append([]int(nil), labels...)}, nil
}

// Dim returns d+1.
func (m *LabelledMixture) Dim() int { return m.Mixture.Dim() + 1 }

// Label returns the label of component j.
func (m *LabelledMixture) Label(j int) int { return m.labels[j] }

// Mean returns the mean of (x, label).
func (m *LabelledMixture) Mean() []float64 {
	mean := append(m.Mixture.Mean(), 0)
	for j, w := range m.weights {
		mean[len(mean)-1] += w * float64(m.labels[j])
	}
	return mean
}

// Sample draws n points, as the rows of an n x (d+1) matrix.
func (m *LabelledMixture) Sample(rng *rand.Rand, n int) *mat.Dense {
	X, _ := m.SampleComponents(rng, n)
	return X
}

// SampleComponents draws n points and also returns the component that each one
// came from.
func (m *LabelledMixture) SampleComponents(rng *rand.Rand, n int) (X *mat.Dense, component []int) {
	x, component := m.Mixture.SampleComponents(rng, n)
	return m.attach(x, component), component
}

// FromUniforms is [Mixture.FromUniforms] with the component's label attached.
func (m *LabelledMixture) FromUniforms(U *mat.Dense) (X *mat.Dense, component []int, err error) {
	x, component, err := m.Mixture.FromUniforms(U)
	if err != nil {
		return nil, nil, err
	}
	return m.attach(x, component), component, nil
}

func (m *LabelledMixture) attach(x *mat.Dense, component []int) *mat.Dense {
	n, d := x.Dims()
	X := mat.NewDense(n, d+1, nil)
	for i := range n {
		row := X.RawRowView(i)
		copy(row, x.RawRowView(i))
		row[d] = float64(m.labels[component[i]])
	}
	return X
}

// labelledEmbedding sums, at (x, r), over the components with label r only.
type labelledEmbedding struct {
	kernel Labelled
	p      *LabelledMixture
	inner  *mixtureEmbedding

	values []float64 // the distinct labels
	use    [][]bool  // components of each

	norm2 lazy
}

func embedLabelled(k Labelled, g Gaussian, p *LabelledMixture) *labelledEmbedding {
	e := &labelledEmbedding{kernel: k, p: p, inner: embedMixture(g, p.Mixture)}
	at := map[int]int{}
	for j, label := range p.labels {
		i, seen := at[label]
		if !seen {
			i = len(e.values)
			at[label] = i
			e.values = append(e.values, float64(label))
			e.use = append(e.use, make([]bool, p.Len()))
		}
		e.use[i][j] = true
	}
	return e
}

func (e *labelledEmbedding) Kernel() Kernel { return e.kernel }
func (e *labelledEmbedding) Dim() int       { return e.p.Dim() }

func (e *labelledEmbedding) EvalTo(ctx context.Context, dst []float64, X *mat.Dense) error {
	if err := checkEval(dst, X, e.Dim()); err != nil {
		return err
	}
	d := e.inner.Dim()
	rows := make([][]int, len(e.values)) // of X, by label
	clear(dst)
	for i := range dst {
		for v, label := range e.values {
			if X.At(i, d) == label {
				rows[v] = append(rows[v], i)
			}
		}
	}
	for v, list := range rows {
		if len(list) == 0 {
			continue
		}
		part := mat.NewDense(len(list), d, nil)
		out := make([]float64, len(list))
		for i, r := range list {
			copy(part.RawRowView(i), X.RawRowView(r)[:d])
		}
		parallel.Blocks(len(list), blockLen, func(_, lo, hi int) {
			if ctx.Err() == nil {
				e.inner.block(out[lo:hi], part, lo, e.use[v])
			}
		})
		for i, r := range list {
			dst[r] = out[i]
		}
	}
	return ctx.Err()
}

func (e *labelledEmbedding) Norm2(ctx context.Context) (float64, error) {
	return e.norm2.get(func() (float64, error) {
		same := func(j, l int) bool { return e.p.labels[j] == e.p.labels[l] }
		return mixtureInner(ctx, e.inner.kernel, e.p.Mixture, e.p.Mixture, same)
	})
}
