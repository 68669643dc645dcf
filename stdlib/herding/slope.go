package herding

import (
	"fmt"

	"gaucho/stdlib/vec"
)

// Slope returns the rate at which a trace falls: the least-squares slope of
// log(trace[n-1]) on log(n) over n = from, ..., len(trace). A trace that behaves
// like c n^-r has slope -r; Monte Carlo has -1/2. Lacoste-Julien et al. 2015 fit
// the MMD from 2 on and the error of the mean from 1 on. Entries that are not
// positive are left out. It panics unless 1 <= from < len(trace).
func Slope(trace []float64, from int) float64 {
	if from < 1 || from >= len(trace) {
		panic(fmt.Sprintf("herding: slope is fitted from %d, must be from 1 to %d", from, len(trace)-1))
	}
	var n, sx, sy, sxx, sxy float64
	for k := from; k <= len(trace); k++ {
		if !(trace[k-1] > 0) {
			continue
		}
		x, y := vec.Log1(float64(k)), vec.Log1(trace[k-1])
		n++
		sx += x
		sy += y
		sxx += x * x
		sxy += x * y
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}
