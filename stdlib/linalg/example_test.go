package linalg_test

import (
	"context"
	"errors"
	"fmt"

	"gaucho/stdlib/linalg"

	"gonum.org/v1/gonum/mat"
)

func ExampleMul() {
	a := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	b := mat.NewDense(2, 2, []float64{0, 1, 1, 0})
	fmt.Println(mat.Formatted(linalg.Mul(nil, a, b)))
	// Output:
	// ⎡2  1⎤
	// ⎣4  3⎦
}

func ExampleNewCholesky() {
	a := mat.NewSymDense(2, []float64{4, 2, 2, 5})
	c, err := linalg.NewCholesky(a)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.SolveVecTo(nil, []float64{8, 12}))

	_, err = linalg.NewCholesky(mat.NewSymDense(2, []float64{1, 2, 2, 1}))
	var npd linalg.NotPositiveDefinite
	fmt.Println(errors.As(err, &npd), npd.Pivot)
	// Output:
	// [1 2]
	// true 1
}

func ExampleRadial() {
	x := mat.NewDense(3, 1, []float64{0, 1, 2})
	k := linalg.Radial{Profile: linalg.Gaussian, Scale: 1}
	y := linalg.NewPoints(x)
	g, err := k.Gram(context.Background(), nil, x, y)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", mat.Formatted(g))
	means, _ := k.RowMeans(context.Background(), nil, x, y)
	fmt.Printf("%.3f\n", means)
	// Output:
	// ⎡1.000  0.607  0.135⎤
	// ⎢0.607  1.000  0.607⎥
	// ⎣0.135  0.607  1.000⎦
	// [0.581 0.738 0.581]
}

func ExampleSymEigen() {
	a := mat.NewSymDense(2, []float64{2, 1, 1, 2})
	values, _, err := linalg.SymEigen(context.Background(), a)
	fmt.Printf("%.1f %v\n", values, err)
	// Output: [1.0 3.0] <nil>
}
