package filtering_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/filtering"
	"gaucho/stdlib/herding"
	"gaucho/stdlib/rkhs"
)

// Four filters against the exact one, on a linear model.
func Example() {
	ctx := context.Background()
	linear, err := filtering.LinearBenchmark(3)
	if err != nil {
		panic(err)
	}
	_, Y, err := linear.Simulate(50, rand.New(rand.NewPCG(1, 0)))
	if err != nil {
		panic(err)
	}
	exact, err := filtering.Kalman(ctx, linear, Y)
	if err != nil {
		panic(err)
	}
	model, err := linear.Model()
	if err != nil {
		panic(err)
	}
	for _, points := range []filtering.Points{filtering.MonteCarlo, filtering.Sobol, filtering.SequentialQMC, filtering.Herding} {
		settings := filtering.DefaultSettings()
		settings.Points = points
		settings.Candidates = 2000
		r, err := filtering.Run(ctx, model, Y, settings, rand.New(rand.NewPCG(2, 0)))
		if err != nil {
			panic(err)
		}
		var s float64
		for t := range 50 {
			for j := range 3 {
				s += math.Pow(r.Means.At(t, j)-exact.Means.At(t, j), 2) / 50
			}
		}
		fmt.Printf("%-14v error of the mean %.2f\n", points, math.Sqrt(s))
	}
	// Output:
	// Monte Carlo    error of the mean 0.40
	// Sobol          error of the mean 0.33
	// sequential QMC error of the mean 0.30
	// herding        error of the mean 0.27
}

// A model of one's own: a random walk seen through noise with heavy tails.
func ExampleModel() {
	step := mat.NewSymDense(1, []float64{0.1})
	start, err := rkhs.NewNormal([]float64{0}, mat.NewSymDense(1, []float64{1}))
	if err != nil {
		panic(err)
	}
	model := &filtering.Model{
		Initial: start,
		Mean:    func(dst *mat.Dense, t int, X *mat.Dense) { dst.Copy(X) },
		Noise:   func(t int) *mat.SymDense { return step },
		LogLik: func(dst []float64, t int, X *mat.Dense, y []float64) {
			for i := range dst { // Cauchy
				e := y[0] - X.At(i, 0)
				dst[i] = -math.Log(math.Pi * (1 + e*e))
			}
		},
	}
	Y := mat.NewDense(5, 1, []float64{0.2, 0.4, 9, 0.7, 0.5})
	r, err := filtering.Run(context.Background(), model, Y, nil, rand.New(rand.NewPCG(1, 0)))
	if err != nil {
		panic(err)
	}
	fmt.Printf("the outlier moves the mean from %.1f to %.1f\n", r.Means.At(1, 0), r.Means.At(2, 0))
	// Output: the outlier moves the mean from 0.2 to 0.3
}

// A filter can be stepped, looked into, and stopped.
func ExampleFilter_Steps() {
	model := filtering.NonlinearBenchmark()
	Y := mat.NewDense(3, 1, []float64{0.1, 3, 8})
	settings := filtering.DefaultSettings()
	settings.Points = filtering.Herding
	settings.Step = herding.FullyCorrective
	settings.Bandwidth = math.Sqrt(0.1)
	f, err := filtering.NewFilter(model, settings, rand.New(rand.NewPCG(1, 0)))
	if err != nil {
		panic(err)
	}
	for t, err := range f.Steps(context.Background(), Y) {
		if err != nil {
			panic(err)
		}
		fmt.Println(t, f.Particles().Len() <= 100, f.MMD() < 0.1)
	}
	// Output:
	// 1 true true
	// 2 true true
	// 3 true true
}

// The exact filter of a model that switches between two linear ones.
func ExampleExactJump() {
	model := filtering.JumpBenchmark()
	_, modes, Y, err := model.Simulate(8, rand.New(rand.NewPCG(5, 0)))
	if err != nil {
		panic(err)
	}
	r, err := filtering.ExactJump(context.Background(), model, Y, 0)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d branches at the end; P(mode 1) there is %.2f, the mode was %d\n", r.Branches[7], r.Modes.At(7, 1), modes[7])
	// Output: 256 branches at the end; P(mode 1) there is 0.47, the mode was 0
}

// Learning a parameter together with the states.
func ExamplePMMH() {
	truth := &filtering.LinearGaussian{
		A: mat.NewDense(1, 1, []float64{0.8}), C: mat.NewDense(1, 1, []float64{1}),
		Q: mat.NewSymDense(1, []float64{1}), R: mat.NewSymDense(1, []float64{0.2}),
		InitialMean: []float64{0}, InitialCov: mat.NewSymDense(1, []float64{1}),
	}
	rng := rand.New(rand.NewPCG(1, 0))
	_, Y, err := truth.Simulate(100, rng)
	if err != nil {
		panic(err)
	}
	model := func(theta []float64) (filtering.System, error) {
		m := *truth
		m.A = mat.NewDense(1, 1, []float64{theta[0]})
		return m.Model()
	}
	flat := func(theta []float64) float64 {
		if math.Abs(theta[0]) >= 1 {
			return math.Inf(-1)
		}
		return 0
	}
	settings := filtering.DefaultPMMHSettings(0.1)
	settings.Iterations = 300
	chain, err := filtering.PMMH(context.Background(), model, flat, Y, []float64{0}, settings, rng)
	if err != nil {
		panic(err)
	}
	var mean float64
	for i := 100; i < 300; i++ {
		mean += chain.Parameters.At(i, 0) / 200
	}
	fmt.Printf("posterior mean %.1f, drawn with 0.8\n", mean)
	// Output: posterior mean 0.8, drawn with 0.8
}

// A level that moves, seen in noise, with a gap: its variances by maximum likelihood,
// and the level in the gap and after the end.
func ExampleFitLinear() {
	one := mat.NewDense(1, 1, []float64{1})
	level := &filtering.LinearGaussian{A: one, C: one, Q: mat.NewSymDense(1, []float64{1}), R: mat.NewSymDense(1, []float64{1}),
		InitialMean: []float64{0}, InitialCov: mat.NewSymDense(1, []float64{100}), Missing: true}
	nan := math.NaN()
	Y := mat.NewDense(12, 1, []float64{1.2, 0.7, 1.6, 1.9, nan, nan, 3.1, 3.6, 3.2, 4.4, nan, nan})
	fit, err := filtering.FitLinear(context.Background(), level, Y, &filtering.FitSettings{KeepA: true, KeepC: true})
	if err != nil {
		panic(err)
	}
	r, err := filtering.Kalman(context.Background(), fit.Model, Y)
	if err != nil {
		panic(err)
	}
	means, _, err := filtering.KalmanSmoother(fit.Model, r)
	if err != nil {
		panic(err)
	}
	fmt.Printf("in the gap %.2f, forecast %.2f\n", means.At(4, 0), r.PredictedMeans.At(11, 0))
	// Output: in the gap 2.30, forecast 4.28
}
