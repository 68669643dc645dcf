package main

import (
	"fmt"

	"github.com/aclements/go-moremath/stats"
)

func main() {
	s := stats.Sample{Xs: []float64{1, 2, 3, 4, 10}}
	fmt.Println(s.Mean(), s.StdDev(), s.Quantile(.3))
	r, err := stats.TwoSampleWelchTTest(s, stats.Sample{Xs: []float64{4, 5, 6, 7}}, stats.LocationDiffers)
	fmt.Println(r.P, err)
}
