package herding_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/dataset"
	"gaucho/stdlib/herding"
	"gaucho/stdlib/rkhs"
)

// The mixture experiment of Lacoste-Julien et al. 2015, section 4.1, in small:
// how far 100 points chosen in five ways are from a mixture of 20 Gaussians.
func Example() {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(1, 0))
	p, err := dataset.RandomMixture(20, 2, rng)
	if err != nil {
		panic(err)
	}
	target, err := rkhs.Embed(rkhs.Gaussian{Bandwidth: 1}, p)
	if err != nil {
		panic(err)
	}
	pool, err := herding.SamplePool(ctx, target, p, 5000, rng)
	if err != nil {
		panic(err)
	}

	show := func(name string, r *herding.Rule, err error) {
		if err != nil {
			panic(err)
		}
		meanErrors := r.MeanError(p.Mean())
		fmt.Printf("%-17s MMD %.3f, error of the mean %.2f, slope %.1f\n",
			name, r.MMD[99], meanErrors[99], herding.Slope(r.MMD, 2))
	}
	mc, err := herding.MonteCarlo(ctx, target, p, 100, rng)
	show("Monte Carlo", mc, err)
	qmc, err := herding.QuasiMonteCarlo(ctx, target, p, 100, nil)
	show("Sobol", qmc, err)
	for _, step := range []herding.Step{herding.Fixed, herding.LineSearch, herding.FullyCorrective} {
		r, err := herding.FrankWolfe(ctx, pool, 100, &herding.Settings{Step: step})
		show(step.String(), r, err)
	}
	// Output:
	// Monte Carlo       MMD 0.095, error of the mean 0.57, slope -0.6
	// Sobol             MMD 0.068, error of the mean 0.20, slope -0.6
	// fixed             MMD 0.025, error of the mean 0.09, slope -0.9
	// line search       MMD 0.025, error of the mean 0.02, slope -0.8
	// fully corrective  MMD 0.009, error of the mean 0.01, slope -1.2
}

// A rule knows what it was after each step.
func ExampleRule_At() {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(2, 0))
	p, _ := dataset.RandomMixture(5, 2, rng)
	target, _ := rkhs.Embed(rkhs.Gaussian{Bandwidth: 1}, p)
	pool, _ := herding.SamplePool(ctx, target, p, 1000, rng)
	r, _ := herding.FrankWolfe(ctx, pool, 50, &herding.Settings{Step: herding.FullyCorrective})

	m := r.At(10)
	d, _ := rkhs.MMD(ctx, target, m)
	fmt.Printf("%d points, total weight %.3f\n", m.Len(), m.TotalWeight())
	fmt.Printf("MMD in the trace and computed afresh agree: %v\n", d-r.MMD[9] < 1e-9)
	// Output:
	// 10 points, total weight 1.000
	// MMD in the trace and computed afresh agree: true
}

// A low-discrepancy sequence other than the default.
func ExampleQuasiMonteCarlo() {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(3, 0))
	p, _ := dataset.RandomMixture(20, 2, rng)
	target, _ := rkhs.Embed(rkhs.Gaussian{Bandwidth: 1}, p)

	sobol, _ := herding.NewSobol(p.UniformDim(), 0)
	sobol.Scramble(rng)
	a, _ := herding.QuasiMonteCarlo(ctx, target, p, 128, sobol)
	halton, _ := herding.NewHalton(p.UniformDim(), 1)
	b, _ := herding.QuasiMonteCarlo(ctx, target, p, 128, halton)
	c, _ := herding.MonteCarlo(ctx, target, p, 128, rng)
	fmt.Println("scrambled Sobol better than Monte Carlo:", a.MMD[127] < c.MMD[127])
	fmt.Println("Halton better than Monte Carlo:", b.MMD[127] < c.MMD[127])
	// Output:
	// scrambled Sobol better than Monte Carlo: true
	// Halton better than Monte Carlo: true
}

// Bayesian quadrature chooses fewer points for the same error, with weights that
// need not sum to one.
func ExampleGreedy() {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(4, 0))
	p, _ := dataset.RandomMixture(20, 2, rng)
	target, _ := rkhs.Embed(rkhs.Gaussian{Bandwidth: 1}, p)
	pool, _ := herding.SamplePool(ctx, target, p, 2000, rng)

	sbq, err := herding.Greedy(ctx, pool, 50, nil)
	if err != nil {
		panic(err)
	}
	fw, err := herding.FrankWolfe(ctx, pool, 50, nil)
	if err != nil {
		panic(err)
	}
	simplex, err := herding.Reweight(ctx, target, sbq.X, herding.Simplex)
	if err != nil {
		panic(err)
	}
	d, _ := rkhs.MMD(ctx, target, simplex)
	fmt.Printf("SBQ %.3f, with weights on the simplex %.3f, herding %.3f\n", sbq.MMD[49], d, fw.MMD[49])
	fmt.Printf("total weight %.2f\n", sbq.TotalWeight())
	// Output:
	// SBQ 0.018, with weights on the simplex 0.021, herding 0.039
	// total weight 0.96
}

// Five workers choose from a fifth of the candidates each.
func ExampleDistributed() {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(5, 0))
	p, _ := dataset.RandomMixture(20, 2, rng)
	target, _ := rkhs.Embed(rkhs.Gaussian{Bandwidth: 1}, p)
	pool, _ := herding.SamplePool(ctx, target, p, 5000, rng)

	parts, err := herding.Distributed(ctx, pool, 50, 5, nil, nil, rng)
	if err != nil {
		panic(err)
	}
	whole, err := herding.Greedy(ctx, pool, 50, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println("within a tenth of the whole:", parts.Rule.MMD[49] < 1.1*whole.MMD[49])
	// Output: within a tenth of the whole: true
}

// The weights of the fully corrective step for given points.
func ExampleSimplexQP() {
	K := mat.NewSymDense(3, []float64{1, 0.5, 0.2, 0.5, 1, 0.7, 0.2, 0.7, 1})
	w, err := herding.SimplexQP(K, []float64{0.3, 0.9, 0.8})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.4f\n", w)
	// Output: [0.0000 0.6667 0.3333]
}
