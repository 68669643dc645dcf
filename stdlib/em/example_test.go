package em_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/em"
)

// The umbrella world: it rains (state 0) or not, and we see whether people carry
// umbrellas (symbol 0).
func Example() {
	model := em.Model{
		Start:      []float64{0.5, 0.5},
		Transition: mat.NewDense(2, 2, []float64{0.7, 0.3, 0.3, 0.7}),
		Output:     &em.Categorical{Prob: mat.NewDense(2, 2, []float64{0.9, 0.1, 0.2, 0.8})},
	}
	days := em.Symbols([]int{0, 0, 1, 0, 0})
	post, err := model.Smooth(days)
	if err != nil {
		panic(err)
	}
	path, _, err := model.Viterbi(days)
	if err != nil {
		panic(err)
	}
	fmt.Printf("rain on day 1: %.3f, most probable weather %v, log-likelihood %.4f\n", post.State.At(0, 0), path, post.LogLikelihood)
	// Output: rain on day 1: 0.867, most probable weather [0 0 1 0 0], log-likelihood -3.3725
}

func ExampleBaumWelch() {
	x := mat.NewDense(8, 1, []float64{0.1, -0.2, 0, 5.1, 4.8, 5.2, 0.2, -0.1})
	start := em.Model{
		Start:      []float64{0.5, 0.5},
		Transition: mat.NewDense(2, 2, []float64{0.6, 0.4, 0.4, 0.6}),
		Output: &em.Gaussian{
			Means: mat.NewDense(2, 1, []float64{1, 3}), Kind: em.Spherical,
			Variances: mat.NewDense(2, 1, []float64{4, 4}), Floor: []float64{0.01},
		},
	}
	fit, err := em.BaumWelch(context.Background(), start, x, nil)
	if err != nil {
		panic(err)
	}
	means := fit.Model.Output.(*em.Gaussian).Means
	fmt.Printf("means %.2f and %.2f, converged %v\n", means.At(0, 0), means.At(1, 0), fit.Converged)
	// Output: means 0.00 and 5.03, converged true
}
