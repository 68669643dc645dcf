package rkhs

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestCentresAgreeWithEval checks products with Gram matrices, of one column and of three, against sums of Eval.
func TestCentresAgreeWithEval(t *testing.T) {
	const m = 150
	X, Y := uniformPoints(30, 3, 1), uniformPoints(m, 3, 2)
	for i := range m { // a discrete label for the labelled kernel
		Y.Set(i, 2, float64(i%3)/2)
	}
	for i := range 30 {
		X.Set(i, 2, float64(i%2)/2)
	}
	W := uniformPoints(m, 3, 3)
	for name, k := range allKernels(t) {
		for _, columns := range []int{1, 3} {
			w := mat.DenseCopyOf(W.Slice(0, m, 0, columns))
			wide := mat.NewDense(30, columns+1, nil)
			dst := wide.Slice(0, 30, 1, columns+1).(*mat.Dense) // a part of a matrix
			if err := NewCentres(k, Y).Mul(ctx, dst, X, w); err != nil {
				t.Fatal(name, err)
			}
			for i := range 30 {
				for c := range columns {
					want := 0.0
					for j := range m {
						want += w.At(j, c) * k.Eval(X.RawRowView(i), Y.RawRowView(j))
					}
					if got := dst.At(i, c); math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
						t.Fatalf("%s: column %d at x_%d is %v, want %v", name, c, i, got, want)
					}
				}
			}
		}
	}
	c := NewCentres(Gaussian{1}, Y)
	if c.Mul(ctx, mat.NewDense(30, 1, nil), X, mat.NewDense(m-1, 1, nil)) == nil || c.Mul(ctx, mat.NewDense(29, 1, nil), X, mat.NewDense(m, 1, nil)) == nil {
		t.Error("weights or a destination that do not fit are taken")
	}
}
