package rkhs

import "math"

func expTo(dst []float64) {
	for i, v := range dst {
		dst[i] = math.Exp(v)
	}
}

func exp(x float64) float64    { return math.Exp(x) }
func log(x float64) float64    { return math.Log(x) }
func log1p(x float64) float64  { return math.Log1p(x) }
func pow(x, y float64) float64 { return math.Pow(x, y) }

func log1pTo(dst []float64) {
	for i, v := range dst {
		dst[i] = math.Log1p(v)
	}
}
