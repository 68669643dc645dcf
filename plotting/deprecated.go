package plotting

import "gonum.org/v1/gonum/mat"

// Ground is Background.
//
// Deprecated: use [Figure.Background].
func (f *Figure) Ground(values mat.Matrix, xmin, xmax, ymin, ymax float64, m ColorMap) *Figure {
	return f.Background(values, xmin, xmax, ymin, ymax, m)
}

// Texts is Labels.
//
// Deprecated: use [Figure.Labels].
func (f *Figure) Texts(title, x, y string) *Figure { return f.Labels(title, x, y) }
