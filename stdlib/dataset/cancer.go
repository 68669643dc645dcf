package dataset

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/internal/scale"
)

//go:embed data/breast_cancer.csv.gz
var breastCancer []byte

// BreastCancer returns the Wisconsin diagnostic breast cancer data: 569 points
// with 30 real features, the label 1 for benign and 0 for malignant (Wolberg et
// al. 1995). Features have very different scales; see [Classification.Standardize].
func BreastCancer() (*Classification, error) {
	r, err := gzip.NewReader(bytes.NewReader(breastCancer))
	if err != nil {
		return nil, fmt.Errorf("dataset: breast cancer: %w", err)
	}
	return ReadCSV(r, "breast cancer", -1)
}

// Standardize returns the data with each column shifted and scaled to mean 0 and
// standard deviation 1; columns that do not vary, such as the constant one, stay
// as they are.
func (c *Classification) Standardize() *Classification {
	n, d := c.X.Dims()
	out := &Classification{Name: c.Name, X: mat.DenseCopyOf(c.X), Y: append([]float64(nil), c.Y...)}
	for j := range d {
		x := mat.Col(nil, j, c.X)
		x = scale.Divided(x, scale.Of(x))
		var mean, square float64
		for _, v := range x {
			mean += v / float64(n)
		}
		for _, v := range x {
			v -= mean
			square += v * v / float64(n)
		}
		sd := math.Sqrt(square)
		if sd <= 1e-12*math.Abs(mean) || scale.Constant(x) {
			continue
		}
		for i, v := range x {
			out.X.Set(i, j, (v-mean)/sd)
		}
	}
	return out
}
