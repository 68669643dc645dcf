// Package lab is the module beside the notebook.
package lab

import (
	"example.org/shapes"
	"lab/internal/mean"
)

// MeanArea is the mean of areas.
func MeanArea(list ...shapes.Shape) float64 {
	var areas []float64
	for _, s := range list {
		areas = append(areas, s.Area())
	}
	return mean.Of(areas)
}
