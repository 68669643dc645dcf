package distributions

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/papers"
	"gaucho/stdlib/dataset"
	"gaucho/stdlib/inference"
	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
	"gaucho/stdlib/vec"
)

// Process returns the study of figures B.1 and 4.2(2) of Dai 2018 (appendix B.8.1, section 4.6.3): the root mean squared
// error of a sparse Gaussian process's mean, relative to the true function, against the observations visited. wave: one
// dimension, with a bandwidth of 0.1 times the median distance. factors: 90 features that depend on 8 factors, as do the
// targets, in place of the years of songs, with the median distance as the bandwidth. PMD has several sets of inducing
// inputs; SVI has one, which makes it stochastic variational inference with natural gradients; subset is the exact process
// on as many points as a set has. noise is the variance in the model: 0.01 is that of the wave's data, 0.001 is the text's.
// A record also holds the share of observations inside the 90 percent band.
func Process(size papers.Size) *study.Study {
	n, particles, inducing, passes, replications, seconds := 2048, 16, 128, 5, 50, 5.0
	switch size {
	case papers.Small:
		n, particles, inducing, passes, replications, seconds = 512, 4, 64, 5, 1, 0.1
	case papers.Default:
		particles, replications, seconds = 8, 10, 2
	}
	rest := []study.Axis{study.Values("method", "PMD", "SVI", "subset"), study.Values("n", n), study.Values("particles", particles),
		study.Values("inducing", inducing), study.Values("passes", passes)}
	points := study.Grid(append([]study.Axis{study.Values("data", "wave"), study.Values("noise", 0.01, 0.001)}, rest...)...)
	points = append(points, study.Grid(append([]study.Axis{study.Values("data", "factors"), study.Values("noise", 0.01)}, rest...)...)...)
	return &study.Study{
		Name: papers.Name("distributions-process", size), Version: "1", Seed: 43, Replications: replications, Seconds: seconds,
		About:  "error of sparse Gaussian processes against the observations visited (Dai 2018, figures B.1 and 4.2, 2)",
		Points: points, Paired: []string{"method", "noise"}, Replicate: replicateProcess,
	}
}

// dampedWave are the data of appendix B.8.1.
func dampedWave(n int, rng *rand.Rand) *dataset.Regression {
	out := &dataset.Regression{Name: "damped wave", X: mat.NewDense(n, 1, nil), Y: make([]float64, n), Truth: make([]float64, n)}
	for i := range n {
		x := rng.Float64() - 0.5
		out.X.Set(i, 0, x)
		out.Truth[i] = 3*x*x + (vec.Sin1(3.53*math.Pi*x)+vec.Cos1(7.7*math.Pi*x))*vec.Exp1(-1.6*math.Pi*math.Abs(x))
		out.Y[i] = out.Truth[i] + 0.1*rng.NormFloat64()
	}
	return out
}

// eightFactors are points W s + 0.3 noise in 90 dimensions with s of 8, and targets logistic(0.5 s_1 + sin(2 s_2) + s_3 s_4) + 0.1
// noise. W is drawn with them.
func eightFactors(n int, rng *rand.Rand) *dataset.Regression {
	out := &dataset.Regression{Name: "eight factors", X: mat.NewDense(n, 90, nil), Y: make([]float64, n), Truth: make([]float64, n)}
	w := mat.NewDense(90, 8, nil)
	for i := range 90 {
		for j := range 8 {
			w.Set(i, j, rng.NormFloat64()/math.Sqrt(8))
		}
	}
	s := make([]float64, 8)
	for i := range n {
		for j := range s {
			s[j] = rng.NormFloat64()
		}
		row := out.X.RawRowView(i)
		for j := range row {
			row[j] = vec.Dot(w.RawRowView(j), s) + 0.3*rng.NormFloat64()
		}
		out.Truth[i] = vec.Logistic1(0.5*s[0] + vec.Sin1(2*s[1]) + s[2]*s[3])
		out.Y[i] = out.Truth[i] + 0.1*rng.NormFloat64()
	}
	return out
}

func replicateProcess(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	n, inducing := p.Int("n"), p.Int("inducing")
	make, factor := dampedWave, 0.1
	if p.Text("data") == "factors" {
		make, factor = eightFactors, 1
	}
	train, test, err := make(n+500, rng).Split(n, rng)
	if err != nil {
		return nil, err
	}
	median, err := rkhs.MedianBandwidth(train.X, 1000, rng)
	if err != nil {
		return nil, err
	}
	shift := vec.Sum(train.Y) / float64(n)
	vec.Offset(train.Y, -shift, train.Y)
	kernel, noise := rkhs.Gaussian{Bandwidth: factor * median}, p.Float("noise")
	var visited, errs []float64
	var inside float64
	judge := func(at int, mean, variance []float64) {
		vec.Offset(mean, shift, mean)
		inside = 0
		for i, m := range mean {
			if math.Abs(test.Y[i]-m) < 1.645*math.Sqrt(variance[i]+noise) {
				inside += 1 / float64(len(mean))
			}
		}
		visited = append(visited, float64(at))
		errs = append(errs, math.Sqrt(vec.SquaredDistance(mean, test.Truth)/float64(len(mean))))
	}
	switch method := p.Text("method"); method {
	case "subset":
		part, _, err := train.Split(inducing, rng)
		if err != nil {
			return nil, err
		}
		exact, err := kernelmachine.NewGaussianProcess(ctx, kernel, part.X, part.Y, noise)
		if err != nil {
			return nil, err
		}
		mean, variance, err := exact.At(ctx, test.X)
		if err != nil {
			return nil, err
		}
		judge(inducing, mean, variance)
	case "PMD", "SVI":
		s := inference.DefaultSparseGPSettings()
		s.Inducing, s.Noise, s.Particles, s.Steps = inducing, noise, 1, p.Int("passes")*n/s.Batch
		if method == "PMD" {
			s.Particles = p.Int("particles")
		}
		next := s.Batch
		s.Watch = func(at int, q *inference.SparseProcess) error {
			if at < next && at < s.Steps*s.Batch {
				return nil
			}
			next = 2 * at
			mean, variance, err := q.At(ctx, test.X)
			if err != nil {
				return err
			}
			judge(at, mean, variance)
			return nil
		}
		if _, err := inference.SparseGaussianProcess(ctx, kernel, train.X, train.Y, s, rng); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("no method %q", method)
	}
	return study.Record{"visited": visited, "error": errs, "first": errs[0], "final": errs[len(errs)-1], "inside": inside}, nil
}
