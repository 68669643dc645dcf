package main

import (
	"fmt"

	"golang.org/x/exp/constraints"
)

func sum[T constraints.Integer | constraints.Float](xs []T) (s T) {
	for _, x := range xs {
		s += x
	}
	return s
}

func main() {
	fmt.Println(sum([]float64{1, 2.5}), sum([]int8{100, 27}))
}
