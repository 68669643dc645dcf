package main

import (
	"fmt"

	"github.com/montanaflynn/stats"
)

func main() {
	d := stats.Float64Data{1, 2.5, 3, 7, 1e3}
	m, _ := stats.Median(d)
	p, err := stats.Percentile(d, 30)
	v, _ := d.StandardDeviation()
	fmt.Println(m, p, err, v)
}
