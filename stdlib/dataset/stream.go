package dataset

import "gonum.org/v1/gonum/mat"

// A Batch is some points of a larger set: the rows of X (n x d), and their targets,
// those of one point after the other.
type Batch struct {
	X *mat.Dense
	Y []float64
}
