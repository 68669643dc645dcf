package embedding_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/embedding"
	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/rkhs"
)

// The value of a walk on five states that drifts to the right, from single transitions: the
// reward is the state.
func ExampleBellman() {
	rng := rand.New(rand.NewPCG(1, 2))
	v, err := embedding.NewTable(5)
	if err != nil {
		log.Fatal(err)
	}
	u, _ := embedding.NewTable(5)
	settings := embedding.DefaultSettings()
	settings.AverageFrom = 5000
	solver, err := embedding.NewSolver(kernelmachine.Squared{}, v, u, settings)
	if err != nil {
		log.Fatal(err)
	}
	err = solver.Run(context.Background(), 10000, func(int) (*embedding.Batch, error) {
		s, next, reward := mat.NewDense(20, 1, nil), mat.NewDense(20, 1, nil), make([]float64, 20)
		for i := range reward {
			at := rng.IntN(5)
			to := max(at-1, 0)
			if rng.Float64() < 0.7 {
				to = min(at+1, 4)
			}
			s.Set(i, 0, float64(at))
			next.Set(i, 0, float64(to))
			reward[i] = float64(at)
		}
		return embedding.Bellman(&embedding.Transitions{States: s, Next: next}, reward, 0.5)
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f\n", v.MeanWeights()) // the exact ones: 1.15, 2.80, 4.65, 6.37, 7.62
	// Output:
	// [1 3 5 6 8]
}

// A function known only through noisy inputs: y is the mean of f over the noise.
func ExampleNewSolver() {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(1, 2))
	f0 := func(x float64) float64 { return math.Sin(2 * x) }
	phi, err := rkhs.NewRandomFeatures(rkhs.Gaussian{Bandwidth: 0.5}, 1, 100, rng)
	if err != nil {
		log.Fatal(err)
	}
	f, u := embedding.NewLinear(phi), embedding.NewLinear(phi)
	settings := embedding.DefaultSettings()
	settings.AverageFrom = 1500
	solver, err := embedding.NewSolver(kernelmachine.Squared{}, f, u, settings)
	if err != nil {
		log.Fatal(err)
	}
	err = solver.Run(ctx, 3000, func(int) (*embedding.Batch, error) {
		x, z, y := mat.NewDense(50, 1, nil), mat.NewDense(50, 1, nil), make([]float64, 50)
		for i := range y {
			x.Set(i, 0, 4*rng.Float64()-2)
			z.Set(i, 0, x.At(i, 0)+0.3*rng.NormFloat64()) // one draw for each x
			y[i] = math.Exp(-0.18) * f0(x.At(i, 0))       // E f0(z) given x
		}
		return embedding.Invariance(z, x, y)
	})
	if err != nil {
		log.Fatal(err)
	}
	at := mat.NewDense(2, 1, []float64{-0.5, 0.5})
	got, err := f.Mean(ctx, at)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f\n", got)
	fmt.Printf("%.1f\n", []float64{f0(-0.5), f0(0.5)})
	// Output:
	// [-0.8 0.8]
	// [-0.8 0.8]
}
