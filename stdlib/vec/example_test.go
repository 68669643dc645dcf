package vec_test

import (
	"fmt"

	"gaucho/stdlib/vec"
)

func ExampleExp() {
	x := []float64{0, 1, -1000}
	vec.Exp(x, x)
	fmt.Println(x)
	// Output: [1 2.718281828459045 0]
}

func ExampleLogSumExp() {
	fmt.Printf("%.4f\n", vec.LogSumExp([]float64{1000, 1000}))
	// Output: 1000.6931
}

func ExampleFillNormal() {
	a, b := make([]float64, 4), make([]float64, 2)
	vec.FillNormal(a, 1, 0) // block 0 of the stream with key 1
	vec.FillNormal(b, 1, 0)
	fmt.Println(a[0] == b[0], a[1] == b[1])
	// Output: true true
}

func ExampleArgSort() {
	fmt.Println(vec.ArgSort(nil, []float64{0.3, 0.1, 0.2}))
	// Output: [1 2 0]
}
