package em_test

import (
	"context"
	"fmt"
	"math"

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
	fmt.Println(fit)
	// Output:
	// hidden Markov model of 2 states, 7 parameters; converged after 6 iterations, log-likelihood -0.413886, AIC 14.8278, BIC 15.3839
	//   state  start    to 0    to 1  mean 0    sd 0
	//       0      1    0.75    0.25       0  0.1414
	//       1      0  0.3333  0.6667   5.033    0.17
}

// A row of NaN is an observation that is missing.
func ExampleMissing() {
	model := em.Model{
		Start:      []float64{0.5, 0.5},
		Transition: mat.NewDense(2, 2, []float64{0.9, 0.1, 0.1, 0.9}),
		Output: &em.Missing{Output: &em.Gaussian{
			Means: mat.NewDense(2, 1, []float64{0, 5}), Kind: em.Diagonal, Variances: mat.NewDense(2, 1, []float64{1, 1}),
		}},
	}
	x := mat.NewDense(5, 1, []float64{0.2, -0.1, math.NaN(), 0.3, 5.2})
	path, err := model.Predict(x)
	if err != nil {
		panic(err)
	}
	fmt.Println(path)
	// Output: [0 0 0 0 1]
}

func ExampleModel_Sorted() {
	model := em.Model{
		Start:      []float64{1, 0},
		Transition: mat.NewDense(2, 2, []float64{0.9, 0.1, 0.2, 0.8}),
		Output:     &em.Poisson{Rate: mat.NewDense(2, 1, []float64{7, 2})},
	}
	sorted, err := model.Sorted()
	if err != nil {
		panic(err)
	}
	fmt.Println(sorted)
	// Output:
	// hidden Markov model of 2 states, 5 parameters
	//   state  start  to 0  to 1  rate 0
	//       0      0   0.8   0.2       2
	//       1      1   0.1   0.9       7
}
