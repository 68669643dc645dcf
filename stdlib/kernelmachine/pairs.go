package kernelmachine

import (
	"iter"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/dataset"
)

// PairBatches yields batches of size points for [DensityRatio], half of them the next
// rows of P with the target 1, half the next rows of Q with the target -1, until one of
// the two has too few left. P and Q have the same number of columns, size is even.
func PairBatches(P, Q *mat.Dense, size int) iter.Seq2[dataset.Batch, error] {
	return func(yield func(dataset.Batch, error) bool) {
		_, d := P.Dims()
		half := size / 2
		p, _ := P.Dims()
		q, _ := Q.Dims()
		for lo := 0; half > 0 && lo+half <= min(p, q); lo += half {
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
