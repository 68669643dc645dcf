package inference_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/inference"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

func ExampleMirrorDescent() {
	rng := rand.New(rand.NewPCG(1, 2))
	model := inference.NewTiedMixture(nil)
	model.Simulate(1000, 1, -2, rng) // theta = (1, -2); (-1, 2) is as likely
	s := inference.DefaultSettings()
	s.Steps = 600
	q, err := inference.MirrorDescent(context.Background(), model, s, rng)
	if err != nil {
		panic(err)
	}
	first := q.Expect(func(theta []float64) float64 {
		if theta[1] < 0 {
			return 1
		}
		return 0
	})
	fmt.Printf("%d particles, both modes: %v\n", q.Len(), first > 0.3 && first < 0.7)
	// Output: 1500 particles, both modes: true
}

func ExampleGrid_Posterior() {
	ctx := context.Background()
	model := inference.NewTiedMixture([]float64{-1, 0, 0.5, 2})
	grid, err := inference.NewGrid(2, 100, -5, 5)
	if err != nil {
		panic(err)
	}
	posterior, err := grid.Posterior(ctx, model)
	if err != nil {
		panic(err)
	}
	prior, err := grid.Prior(model)
	if err != nil {
		panic(err)
	}
	fmt.Printf("the data tell %.2f nats\n", posterior.Divergence(prior))
	// Output: the data tell 0.08 nats
}

// A model given by its functions: a rate with an exponential prior and exponential waiting times.
func ExampleFunctions() {
	times := []float64{0.2, 0.5, 0.1, 0.9, 0.3}
	model := &inference.Functions{
		Parameters: 1, Observations: len(times),
		Sample: func(dst *mat.Dense, rng *rand.Rand) {
			n, _ := dst.Dims()
			for i := range n {
				dst.Set(i, 0, rng.ExpFloat64())
			}
		},
		Prior: func(dst []float64, theta *mat.Dense) {
			for i := range dst {
				dst[i] = -theta.At(i, 0)
			}
		},
		Likelihood: func(dst []float64, theta *mat.Dense, batch []int) {
			for i := range dst {
				rate := theta.At(i, 0)
				dst[i] = 0
				for _, b := range batch {
					dst[i] += vec.Log1(rate) - rate*times[b]
				}
			}
		},
	}
	// Particles from the prior, weighted with all data: one step of size 1 is importance sampling.
	s := &inference.Settings{Particles: 100000, Batch: 5, KernelSteps: inference.None, Steps: 1, Step: inference.Constant(1), Bandwidth: 1}
	q, err := inference.MirrorDescent(context.Background(), model, s, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		panic(err)
	}
	fmt.Printf("mean rate %.1f (exactly 2)\n", q.Mean()[0])
	// Output: mean rate 2.0 (exactly 2)
}

func ExampleLogisticRegression_Predict() {
	model := &inference.LogisticRegression{X: mat.NewDense(4, 1, []float64{-2, -1, 1, 2}), Y: []float64{-1, -1, 1, 1}, Scale: 1}
	mode, err := model.Laplace(context.Background())
	if err != nil {
		panic(err)
	}
	q := rkhs.Measure{X: mode.Sample(rand.New(rand.NewPCG(1, 2)), 10000)}
	p, err := model.Predict(q, mat.NewDense(2, 1, []float64{0, 3}))
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.1f %.1f\n", p[0], p[1])
	// Output: 0.5 0.9
}

func ExampleEffectiveSize() {
	fmt.Printf("%.2f\n", inference.EffectiveSize([]float64{0.7, 0.1, 0.1, 0.1}))
	// Output: 1.92
}

func ExampleSparseGaussianProcess() {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(1, 2))
	X, y := mat.NewDense(500, 1, nil), make([]float64, 500)
	for i := range y {
		x := 6 * rng.Float64()
		X.Set(i, 0, x)
		y[i] = vec.Sin1(x) + 0.1*rng.NormFloat64()
	}
	s := inference.DefaultSparseGPSettings()
	s.Particles, s.Inducing = 4, 20
	p, err := inference.SparseGaussianProcess(ctx, rkhs.Gaussian{Bandwidth: 1}, X, y, s, rng)
	if err != nil {
		panic(err)
	}
	mean, _, err := p.At(ctx, mat.NewDense(1, 1, []float64{1.5}))
	if err != nil {
		panic(err)
	}
	fmt.Printf("sin(1.5) is about %.1f\n", mean[0])
	// Output: sin(1.5) is about 1.0
}

func ExampleTopicMirrorDescent() {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(1, 2))
	corpus, truth, err := inference.SimulateCorpus(400, 50, 3, 60, 0.1, 0.05, rng)
	if err != nil {
		panic(err)
	}
	s := inference.DefaultTopicSettings()
	s.Topics, s.Steps, s.Batch = 3, 60, 50
	p, err := inference.TopicMirrorDescent(ctx, corpus, s, rng)
	if err != nil {
		panic(err)
	}
	own, err := p.Perplexity(ctx, corpus, rng)
	if err != nil {
		panic(err)
	}
	best, err := inference.KnownTopics(truth, s.Alpha).Perplexity(ctx, corpus, rng)
	if err != nil {
		panic(err)
	}
	fmt.Printf("within 5 percent of the true topics: %v\n", own < 1.05*best)
	// Output: within 5 percent of the true topics: true
}

// Gibbs sampling draws from the posterior itself; how many independent draws a chain is worth says whether it was long enough.
func ExampleLogisticRegression_Gibbs() {
	model := &inference.LogisticRegression{X: mat.NewDense(4, 1, []float64{-2, -1, 1, 2}), Y: []float64{-1, -1, 1, 1}, Scale: 1}
	q, err := model.Gibbs(context.Background(), 100, 20000, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		panic(err)
	}
	fmt.Printf("weight %.1f, worth thousands of draws: %v\n", q.Mean()[0], inference.ChainSize(mat.Col(nil, 0, q.X)) > 5000)
	// Output: weight 1.1, worth thousands of draws: true
}

// The rivals have the same settings; perplexity judges all.
func ExampleTopicVariational() {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(1, 2))
	corpus, truth, err := inference.SimulateCorpus(400, 50, 3, 60, 0.1, 0.05, rng)
	if err != nil {
		panic(err)
	}
	s := inference.DefaultTopicSettings()
	s.Topics, s.Steps, s.Batch = 3, 60, 50
	p, err := inference.TopicVariational(ctx, corpus, s, rng)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d of 3 topics found\n", inference.TopicsFound(p.Mean(), truth, 0.9))
	// Output: 3 of 3 topics found
}
