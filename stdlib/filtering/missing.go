package filtering

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// checkObservations says what is wrong with observations of the model.
func (m *LinearGaussian) checkObservations(Y *mat.Dense) error {
	p := m.R.SymmetricDim()
	if !m.Missing || Y == nil || Y.IsEmpty() || Y.RawMatrix().Cols != p {
		return checkObservations(Y, p)
	}
	known := mat.DenseCopyOf(Y)
	known.Apply(func(_, _ int, v float64) float64 {
		if math.IsNaN(v) {
			return 0
		}
		return v
	}, known)
	return finiteMatrix("observations", known)
}

// seenOf divides the coordinates of an observation into those that were observed and
// those that are NaN.
func seenOf(y []float64) (seen, missing []int) {
	for i, v := range y {
		if math.IsNaN(v) {
			missing = append(missing, i)
		} else {
			seen = append(seen, i)
		}
	}
	return seen, missing
}

// updateSeen is update by the coordinates of y that are not NaN.
func (b belief) updateSeen(m *LinearGaussian, y []float64) (belief, float64, error) {
	seen, missing := seenOf(y)
	switch {
	case len(missing) == 0:
		return b.update(m.C, m.R, y, product(m.C, b.mean))
	case len(seen) == 0:
		return b, 0, nil
	}
	C, own := rowsOf(m.C, seen), make([]float64, len(seen))
	for i, a := range seen {
		own[i] = y[a]
	}
	return b.update(C, symOf(m.R, seen), own, product(C, b.mean))
}

// rowsOf returns rows of a matrix.
func rowsOf(m *mat.Dense, rows []int) *mat.Dense {
	_, d := m.Dims()
	out := mat.NewDense(len(rows), d, nil)
	for i, a := range rows {
		out.SetRow(i, m.RawRowView(a))
	}
	return out
}

// symOf returns the block of a symmetric matrix with the given rows and columns.
func symOf(m *mat.SymDense, rows []int) *mat.SymDense {
	out := mat.NewSymDense(len(rows), nil)
	for i, a := range rows {
		for j := i; j < len(rows); j++ {
			out.SetSym(i, j, m.At(a, rows[j]))
		}
	}
	return out
}
