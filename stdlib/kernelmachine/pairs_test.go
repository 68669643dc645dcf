package kernelmachine_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/kernelmachine"
)

// TestPairBatchesErrors: a stream that can hold no pair says why, where it held nothing, half pairs, or a panic.
func TestPairBatchesErrors(t *testing.T) {
	two, three := mat.NewDense(6, 2, nil), mat.NewDense(6, 3, nil)
	for _, c := range []struct {
		p, q *mat.Dense
		size int
		want string
	}{
		{two, two, 3, "size is 3, must be positive and even"}, {two, two, 0, "size is 0"}, {two, two, -2, "size is -2"},
		{two, three, 2, "points have dimensions 2 and 3"}, {nil, two, 2, "there are no points"},
	} {
		n := 0
		for _, err := range kernelmachine.PairBatches(c.p, c.q, c.size) {
			if n++; err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("size %d: %v, want %s", c.size, err, c.want)
			}
		}
		if n != 1 {
			t.Errorf("size %d: %d batches, want an error alone", c.size, n)
		}
	}
}

// TestDensityRatioFarOutputs: the gradient is -2 for the KL divergence whatever the output is, and the loss is finite.
func TestDensityRatioFarOutputs(t *testing.T) {
	for _, u := range []float64{-1e4, -800, -745, -5} {
		g := []float64{0}
		kernelmachine.DensityRatio{}.Gradient(g, []float64{u}, []float64{1})
		if v := (kernelmachine.DensityRatio{}).Value([]float64{u}, []float64{1}); math.Abs(g[0]+2) > 1e-12 || math.IsInf(v, 0) || math.IsNaN(v) {
			t.Errorf("output %v: gradient %v, want -2; value %v", u, g[0], v)
		}
	}
}
