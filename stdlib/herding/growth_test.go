package herding

import (
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

// counted is a kernel that counts its evaluations.
type counted struct {
	rkhs.Kernel
	pairs *atomic.Int64
}

func (c counted) Eval(x, y []float64) float64 {
	c.pairs.Add(1)
	return c.Kernel.Eval(x, y)
}

// TestFrankWolfeWork: a step costs one kernel value for each candidate, in long constructions too, and their trace is
// the MMD computed afresh.
func TestFrankWolfeWork(t *testing.T) {
	const m, n = 30, 6000
	X := mat.NewDense(m, 1, nil)
	for i := range m {
		X.Set(i, 0, float64(i*i)/100)
	}
	k := counted{rkhs.Gaussian{Bandwidth: 1}, new(atomic.Int64)}
	w := make([]float64, m)
	for i := range w {
		w[i] = float64(1+i%3) / (2 * m)
	}
	w[0] += 1 - vecSum(w)
	target, err := rkhs.Embed(k, rkhs.Measure{X: X, W: w})
	if err != nil {
		t.Fatal(err)
	}
	pool, err := NewPool(ctx, target, X)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []Settings{{}, {Repulsion: true}, {Step: Open}, {Step: LineSearch}} {
		k.pairs.Store(0)
		r, err := FrankWolfe(ctx, pool, n, &s)
		if err != nil {
			t.Fatal(err)
		}
		if got, most := k.pairs.Load(), int64(r.Steps())*(m+2); got > most {
			t.Errorf("%v: %d kernel values in %d steps, want at most %d", s.Step, got, r.Steps(), most)
		}
		for _, at := range []int{1001, 3002, 5999} {
			if at > r.Steps() {
				continue
			}
			d2, err := rkhs.MMD2(ctx, target, collected(r.At(at), r.Index, X))
			if err != nil {
				t.Fatal(err)
			}
			near(t, s.Step.String()+" MMD^2", r.MMD[at-1]*r.MMD[at-1], d2, 1e-14)
		}
	}
}

// collected is a measure on the candidates, with the weights of equal points in one.
func collected(q rkhs.Measure, index []int, X *mat.Dense) rkhs.Measure {
	m, _ := X.Dims()
	w := make([]float64, m)
	for i, v := range q.W {
		w[index[i]] += v
	}
	return rkhs.Measure{X: X, W: w}
}

func vecSum(w []float64) (sum float64) {
	for _, v := range w {
		sum += v
	}
	return sum
}
