// Package mean is for lab only.
package mean

// Of is the mean of xs.
func Of(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}
