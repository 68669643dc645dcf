package dynamics

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/papers"
	"gaucho/stdlib/embedding"
	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
	"gaucho/stdlib/vec"
)

// Toy returns the study of figure 5.1 of Dai 2018: f* is drawn from a Gaussian process on [-2.5, 2.5] (with length scale
// 0.5; the text gives none), y is E f*(z) given x plus a little noise, and z ~ N(x, 0.3^2). Embedding-SGD finds f* while u,
// the residual without noise, goes to 0. A record holds the mean squared error of f and the root mean square of u on a grid
// after 0, 50, ... steps.
func Toy(size papers.Size) *study.Study {
	steps, replications := 2000, 10
	switch size {
	case papers.Small:
		steps, replications = 150, 1
	case papers.Default:
		replications = 5
	}
	return &study.Study{
		Name: papers.Name("dynamics-toy", size), Version: "1", Seed: 51, Replications: replications, Seconds: 1,
		About:  "error of f and size of u along Embedding-SGD (Dai 2018, figure 5.1)",
		Points: study.Grid(study.Values("form", "features", "doubly stochastic"), study.Values("batch", 20, 50), study.Values("steps", steps)),
		Paired: []string{"form", "batch"}, Replicate: replicateToy,
	}
}

// toyTimes are the steps that figure 5.1 shows.
var toyTimes = []int{0, 50, 150, 400, 1000, 2000}

func replicateToy(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	const spread, bandwidth = 0.3, 0.3
	star := drawWave(rng, 400, 0.5)
	var f, u embedding.Function
	if p.Text("form") == "features" {
		pair, err := linearPair(rng, bandwidth, 200, 1, 2)
		if err != nil {
			return nil, err
		}
		f, u = pair[0], pair[1]
	} else {
		for i, to := range []*embedding.Function{&f, &u} {
			e, err := embedding.NewDoublyStochastic(rkhs.Gaussian{Bandwidth: bandwidth}, 32, rand.New(rand.NewPCG(rng.Uint64(), uint64(i))))
			if err != nil {
				return nil, err
			}
			*to = e
		}
	}
	settings := embedding.DefaultSettings()
	settings.Eta, settings.Shift = 5, 10
	solver, err := embedding.NewSolver(kernelmachine.Squared{}, f, u, settings)
	if err != nil {
		return nil, err
	}
	const n = 101
	grid, y, want := mat.NewDense(n, 1, nil), make([]float64, n), make([]float64, n)
	for i := range n {
		x := 5*float64(i)/(n-1) - 2.5
		grid.Set(i, 0, x)
		y[i], want[i] = star.at(x, spread), star.at(x, 0)
	}
	conditions, err := embedding.Join(grid, bandwidth, y)
	if err != nil {
		return nil, err
	}
	var at, errs, sizes []float64
	for _, until := range toyTimes {
		if until > p.Int("steps") {
			break
		}
		err := solver.Run(ctx, until-solver.Steps(), func(int) (*embedding.Batch, error) {
			b := p.Int("batch")
			x, z, y := mat.NewDense(b, 1, nil), mat.NewDense(b, 1, nil), make([]float64, b)
			for i := range b {
				v := 5*rng.Float64() - 2.5
				x.Set(i, 0, v)
				z.Set(i, 0, v+spread*rng.NormFloat64())
				y[i] = star.at(v, spread) + 0.02*rng.NormFloat64()
			}
			dual, err := embedding.Join(x, bandwidth, y)
			if err != nil {
				return nil, err
			}
			return embedding.Invariance(z, dual, y)
		})
		if err != nil {
			return nil, err
		}
		got, err := f.Values(ctx, grid)
		if err != nil {
			return nil, err
		}
		residual, err := u.Values(ctx, conditions)
		if err != nil {
			return nil, err
		}
		at, errs = append(at, float64(until)), append(errs, squares(got, want))
		sizes = append(sizes, math.Sqrt(squares(residual, make([]float64, n))))
	}
	last := len(errs) - 1
	return study.Record{"steps": at, "error": errs, "u": sizes, "errorRatio": errs[last] / errs[0], "uRatio": sizes[last] / sizes[1]}, nil
}

// squares is the mean squared difference.
func squares(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += (v - b[i]) * (v - b[i])
	}
	return sum / float64(len(a))
}

// linearPair returns functions of random features of a Gaussian kernel on R^d and R^e.
func linearPair(rng *rand.Rand, bandwidth float64, count, d, e int) (pair [2]embedding.Function, err error) {
	for i, dim := range []int{d, e} {
		phi, err := rkhs.NewRandomFeatures(rkhs.Gaussian{Bandwidth: bandwidth}, dim, count, rng)
		if err != nil {
			return pair, err
		}
		pair[i] = embedding.NewLinear(phi)
	}
	return pair, nil
}

// A wave is a draw from a Gaussian process with a Gaussian covariance, by its random features.
type wave struct{ frequency, phase, weight []float64 }

func drawWave(rng *rand.Rand, count int, length float64) wave {
	w := wave{make([]float64, count), make([]float64, count), make([]float64, count)}
	for j := range count {
		w.frequency[j], w.phase[j] = rng.NormFloat64()/length, 2*math.Pi*rng.Float64()
		w.weight[j] = math.Sqrt(2/float64(count)) * rng.NormFloat64()
	}
	return w
}

// at returns the mean of the wave over N(x, sd^2).
func (w wave) at(x, sd float64) float64 {
	sum := 0.0
	for j, f := range w.frequency {
		sum += w.weight[j] * vec.Cos1(f*x+w.phase[j]) * vec.Exp1(-f*f*sd*sd/2)
	}
	return sum
}
