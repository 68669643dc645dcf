package kernelmachine

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

// TestExpansionIsMachine compares an expansion moved along the gradient of the square loss with
// a machine of the same seed, and its weighted mean with a sum over iterates.
func TestExpansionIsMachine(t *testing.T) {
	data := radialWave(t, 64, 1)
	k := rkhs.Gaussian{Bandwidth: 1}
	for _, kernel := range []bool{false, true} {
		s := DefaultSettings()
		s.Batch, s.Block, s.Regularization, s.Step = 8, 16, 0.3, ConstantStep(0.5)
		half, err := New(Squared{}, k, s, newRand(5))
		e, err2 := NewExpansion(k, 16, newRand(5))
		if kernel {
			half, err = NewNORMA(Squared{}, k, s, newRand(5))
			e, err2 = NewKernelExpansion(k)
		}
		check(t, err)
		check(t, err2)
		var total float64
		mean := make([]float64, 64)
		for b := range 8 {
			x := data.X.Slice(8*b, 8*b+8, 0, 2).(*mat.Dense)
			u, err := e.Outputs(ctx, x)
			check(t, err)
			c := make([]float64, 8)
			for i := range c {
				c[i] = -0.5 * (u[i] - data.Y[8*b+i]) / 8
			}
			keep := 0.85
			if b == 5 {
				keep = 0 // also forgets all
			}
			check(t, e.Add(ctx, keep, x, c))
			weight := 1 / float64(b+1)
			e.Count(weight)
			all, err := e.Outputs(ctx, data.X)
			check(t, err)
			for i, v := range all {
				mean[i] += weight * v
			}
			total += weight
			if b == 4 {
				check(t, half.PartialFit(ctx, data.X.Slice(0, 40, 0, 2).(*mat.Dense), data.Y[:40]))
				want, err := half.Predict(ctx, data.X)
				check(t, err)
				if d := math.Sqrt(meanSquare(all, want)); d > 1e-13 {
					t.Errorf("kernel %v: the expansion is %v from the machine", kernel, d)
				}
			}
		}
		got, err := e.Mean(ctx, data.X)
		check(t, err)
		for i := range mean {
			mean[i] /= total
		}
		if d := math.Sqrt(meanSquare(got, mean)); d > 1e-13 {
			t.Errorf("kernel %v: the mean is %v from that of the iterates", kernel, d)
		}
	}
}
