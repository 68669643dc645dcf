package dynamics

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/papers"
	"gaucho/stdlib/embedding"
	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/study"
	"gaucho/stdlib/vec"
)

// Measurements returns the study of figure 5.2(a) of Dai 2018 (section 5.6.1): inputs are measured with an error of 0.05,
// and the function of the true input is wanted, with ten draws of the error for each of 10,000 points, batches of 50 and ten
// passes. The text tries bandwidths from 0.05 to 0.2, and 0.1, 1 and 10 for eta and 1, 10 and 100 for n0 in steps eta/(n0 +
// sqrt t). The sizes below the paper's use the best settings of each method. A record holds the mean squared error on inputs
// without noise.
func Measurements(size papers.Size) *study.Study {
	n, passes, replications := 10000, 10, 10
	tuned := []study.Point{
		study.NewPoint("method", "dual", "bandwidth", 0.05, "eta", 10.0, "n0", 1.0, "features", 400),
		study.NewPoint("method", "dual", "bandwidth", 0.05, "eta", 10.0, "n0", 1.0, "features", 50),
		study.NewPoint("method", "sample average", "bandwidth", 0.05, "eta", 10.0, "n0", 1.0, "features", 400),
		study.NewPoint("method", "virtual samples", "bandwidth", 0.05, "eta", 10.0, "n0", 100.0, "features", 400),
	}
	points := tuned
	switch size {
	case papers.Small:
		n, passes, replications = 2000, 2, 1
	case papers.Default:
		replications = 5
	case papers.Paper:
		points = study.Grid(study.Values("method", "dual", "sample average", "virtual samples"), study.Values("bandwidth", 0.05, 0.1, 0.15, 0.2),
			study.Values("eta", 0.1, 1.0, 10.0, 20.0), study.Values("n0", 1.0, 10.0, 100.0), study.Values("features", 400))
	}
	for i, p := range points {
		points[i] = study.NewPoint("method", p.Text("method"), "bandwidth", p.Float("bandwidth"), "eta", p.Float("eta"), "n0", p.Float("n0"),
			"features", p.Int("features"), "n", n, "passes", passes)
	}
	return &study.Study{
		Name: papers.Name("dynamics-measurements", size), Version: "1", Seed: 52, Replications: replications, Seconds: 2,
		About:  "learning from noisy measurements: dual embedding, sample average, virtual samples (Dai 2018, figure 5.2, a)",
		Points: points, Paired: []string{"method", "bandwidth", "eta", "n0", "features"}, Replicate: replicateMeasurements,
	}
}

// measured is the function of the true input in figure 5.2(a).
func measured(x float64) float64 {
	return (vec.Sin1(3.53*math.Pi*x)+vec.Cos1(7.7*math.Pi*x))*vec.Exp1(-1.6*math.Pi*math.Abs(x)) + 3*x*x
}

func replicateMeasurements(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	const copies, batch, noise = 10, 50, 0.05
	n, bandwidth := p.Int("n"), p.Float("bandwidth")
	x, y, z := mat.NewDense(n, 1, nil), make([]float64, n), mat.NewDense(n*copies, 1, nil)
	for i := range n {
		clean := rng.Float64() - 0.5
		x.Set(i, 0, clean+noise*rng.NormFloat64())
		y[i] = measured(clean) + 0.01*rng.NormFloat64()
		for j := range copies {
			z.Set(i*copies+j, 0, x.At(i, 0)+noise*rng.NormFloat64())
		}
	}
	dual, err := embedding.Join(x, bandwidth, y)
	if err != nil {
		return nil, err
	}
	steps := n / batch * p.Int("passes")
	settings := embedding.DefaultSettings()
	settings.Eta, settings.Shift, settings.DualFactor, settings.AverageFrom = p.Float("eta"), p.Float("n0"), 0.3, steps/2
	pair, err := linearPair(rng, bandwidth, p.Int("features"), 1, 2)
	if err != nil {
		return nil, err
	}
	f := pair[0]
	step, err := conditionalStep(p.Text("method"), settings, f, pair[1])
	if err != nil {
		return nil, err
	}
	const m = 401
	grid, want := mat.NewDense(m, 1, nil), make([]float64, m)
	for i := range m {
		grid.Set(i, 0, float64(i)/(m-1)-0.5)
		want[i] = measured(grid.At(i, 0))
	}
	var order []int
	var visits, errs []float64
	for t := range steps {
		at := t % (n / batch)
		if at == 0 {
			order = rng.Perm(n)
		}
		b, err := gather(order[at*batch:(at+1)*batch], z, dual, y, copies)
		if err == nil {
			err = step(ctx, b)
		}
		if err != nil {
			return nil, err
		}
		if t+1 == steps || (t+1)&t == 0 && t > 30 {
			got, err := f.Mean(ctx, grid)
			if err != nil {
				return nil, err
			}
			visits, errs = append(visits, float64((t+1)*batch)), append(errs, squares(got, want))
		}
	}
	return study.Record{"visits": visits, "errors": errs, "error": errs[len(errs)-1]}, nil
}

// conditionalStep returns the step of a method of figure 5.2 that moves f, and the dual embedding u.
func conditionalStep(method string, settings *embedding.Settings, f, u embedding.Function) (func(context.Context, *embedding.Batch) error, error) {
	if method == "dual" {
		s, err := embedding.NewSolver(kernelmachine.Squared{}, f, u, settings)
		if err != nil {
			return nil, err
		}
		return s.Step, nil
	}
	s, err := embedding.NewDescent(kernelmachine.Squared{}, f, settings)
	if err != nil {
		return nil, err
	}
	if method == "sample average" {
		return s.Step, nil
	}
	return func(ctx context.Context, b *embedding.Batch) error {
		split, err := b.Split()
		if err != nil {
			return err
		}
		return s.Step(ctx, split)
	}, nil
}

// gather returns the batch of some points with their copies.
func gather(index []int, z, dual *mat.Dense, y []float64, copies int) (*embedding.Batch, error) {
	_, d := z.Dims()
	_, e := dual.Dims()
	zs, conditions, ys := mat.NewDense(len(index)*copies, d, nil), mat.NewDense(len(index), e, nil), make([]float64, len(index))
	for i, r := range index {
		zs.Slice(i*copies, (i+1)*copies, 0, d).(*mat.Dense).Copy(z.Slice(r*copies, (r+1)*copies, 0, d))
		conditions.SetRow(i, dual.RawRowView(r))
		ys[i] = y[r]
	}
	return embedding.Invariance(zs, conditions, ys)
}
