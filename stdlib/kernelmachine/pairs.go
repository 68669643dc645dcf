package kernelmachine

import (
	"fmt"
	"iter"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/dataset"
)

// PairBatches yields batches of size points for [DensityRatio], half of them the next
// rows of P with the target 1, half the next rows of Q with the target -1, until one of
// the two has too few left. It yields an error unless P and Q have the same number of columns and size is positive and even.
func PairBatches(P, Q *mat.Dense, size int) iter.Seq2[dataset.Batch, error] {
	return func(yield func(dataset.Batch, error) bool) {
		if P == nil || Q == nil {
			yield(dataset.Batch{}, fmt.Errorf("kernelmachine: there are no points"))
			return
		}
		p, d := P.Dims()
		q, e := Q.Dims()
		if e != d {
			yield(dataset.Batch{}, fmt.Errorf("kernelmachine: points have dimensions %d and %d, must have the same", d, e))
			return
		}
		if size < 2 || size%2 != 0 {
			yield(dataset.Batch{}, fmt.Errorf("kernelmachine: size is %d, must be positive and even", size))
			return
		}
		half := size / 2
		for lo := 0; lo+half <= min(p, q); lo += half {
			b := dataset.Batch{X: mat.NewDense(2*half, d, nil), Y: make([]float64, 2*half)}
			for i := range half {
				b.X.SetRow(i, P.RawRowView(lo+i))
				b.X.SetRow(half+i, Q.RawRowView(lo+i))
				b.Y[i], b.Y[half+i] = 1, -1
			}
			if !yield(b, nil) {
				return
			}
		}
	}
}
