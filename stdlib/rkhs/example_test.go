package rkhs_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

// How far 100 random draws are from the mixture that they come from.
func Example() {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(1, 0))
	p, err := rkhs.NewIsotropicMixture([]float64{0.3, 0.7},
		mat.NewDense(2, 2, []float64{-1, 0, 2, 1}), []float64{1, 0.5})
	if err != nil {
		panic(err)
	}
	e, err := rkhs.Embed(rkhs.Gaussian{Bandwidth: 1}, p)
	if err != nil {
		panic(err)
	}
	d, err := rkhs.MMD(ctx, e, rkhs.Uniform(p.Sample(rng, 100)))
	if err != nil {
		panic(err)
	}
	norm2, err := e.Norm2(ctx)
	if err != nil {
		panic(err)
	}
	fmt.Printf("MMD^2 %.4f, in the mean over samples %.4f\n", d*d, (1-norm2)/100)
	// Output: MMD^2 0.0058, in the mean over samples 0.0070
}

// A full covariance for each component.
func ExampleNewMixture() {
	p, err := rkhs.NewMixture([]float64{0.4, 0.6}, mat.NewDense(2, 2, []float64{0, 1, 2, -1}),
		[]*mat.SymDense{
			mat.NewSymDense(2, []float64{1, 0.3, 0.3, 0.5}),
			mat.NewSymDense(2, []float64{0.8, -0.2, -0.2, 1.5}),
		})
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Mean())
	// Output: [1.2 -0.19999999999999996]
}

// Kernels combine.
func ExampleSum() {
	k := rkhs.Sum{rkhs.Gaussian{Bandwidth: 2}, rkhs.Scaled{Factor: 0.1, Kernel: rkhs.Linear{}}}
	fmt.Printf("%.2f\n", k.Eval([]float64{1, 2}, []float64{1, 2}))
	// Output: 1.50
}

// Any function can be a kernel.
func ExampleFunc() {
	brownianBridge := rkhs.Func(func(x, y []float64) float64 {
		return min(x[0], y[0]) - x[0]*y[0]
	})
	G, err := rkhs.Gram(context.Background(), brownianBridge, mat.NewDense(3, 1, []float64{0.25, 0.5, 0.75}), nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(mat.Formatted(G))
	// Output:
	// ⎡0.1875   0.125  0.0625⎤
	// ⎢ 0.125    0.25   0.125⎥
	// ⎣0.0625   0.125  0.1875⎦
}

// Two samples, one with a wider spread.
func ExampleMMD2Unbiased() {
	rng := rand.New(rand.NewPCG(6, 0))
	draw := func(n int, sd float64) *mat.Dense {
		X := mat.NewDense(n, 1, nil)
		for i := range n {
			X.Set(i, 0, sd*rng.NormFloat64())
		}
		return X
	}
	ctx := context.Background()
	k := rkhs.Gaussian{Bandwidth: 1}
	same, _ := rkhs.MMD2Unbiased(ctx, k, draw(500, 1), draw(500, 1))
	wider, _ := rkhs.MMD2Unbiased(ctx, k, draw(500, 1), draw(500, 2))
	fmt.Printf("%.3f %.3f\n", same, wider)
	// Output: 0.001 0.098
}

func ExampleTwoSampleTest() {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(100, 1, nil), mat.NewDense(80, 1, nil)
	for i := range 100 {
		x.Set(i, 0, rng.NormFloat64())
	}
	for i := range 80 { // the same mean, three times the standard deviation
		y.Set(i, 0, 3*rng.NormFloat64())
	}
	r, err := rkhs.TwoSampleTest(context.Background(), rkhs.Gaussian{Bandwidth: 1}, x, y, 999, rng)
	if err != nil {
		panic(err)
	}
	fmt.Printf("p = %.3f\n", r.P)
	// Output: p = 0.001
}
