package em

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gaucho/papers"
	"gaucho/stdlib/em"
	"gaucho/stdlib/study"
	"gaucho/stdlib/vec"
)

// Convergence returns the study of figure 2.3 of Yang 2018: optimisation and statistical error of Baum-Welch against
// iterations from five starts, with d = 10, n = 1000 and |mean|/sigma = 1.5. The figure shows one path; here each
// replication draws its own. A record holds both curves of the first start, the error at its end, the iteration at which
// that error is reached, how straight the first curve is on a log scale, and how far apart the five runs are after 7 (log n,
// where the theory stops), 10, 15, 25 and 200 iterations, because the text says that they end at different points.
func Convergence(size papers.Size) *study.Study {
	paths := 100
	if size == papers.Small {
		paths = 10
	}
	return &study.Study{
		Name:         papers.Name("em-convergence", size),
		About:        "optimisation and statistical error of Baum-Welch against iterations (Yang 2018, figure 2.3)",
		Version:      "2",
		Points:       study.Grid(study.Values("eta", 1.5), study.Values("n", 1000), study.Values("d", 10)),
		Replications: paths,
		Seed:         1,
		Seconds:      0.05,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			star, x, err := symmetricSample(p.Int("n"), p.Int("d"), p.Float("eta"), rng)
			if err != nil {
				return nil, err
			}
			var fits []*em.SymmetricFit
			for _, start := range nearStarts(star, 5, rng) {
				fit, err := fitLong(ctx, start, x, 200)
				if err != nil {
					return nil, err
				}
				fits = append(fits, fit)
			}
			c, err := fits[0].Convergence(nil, star.Mean)
			if err != nil {
				return nil, err
			}
			optimisation, statistical := padded(c.Optimisation, 41), padded(c.Statistical, 41)
			rec := study.Record{"optimisation": optimisation, "statistical": statistical, "error": c.Floor,
				"reached": c.Reached, "straight": straightness(c.Optimisation, 1e-12), "late": lateFactor(c.Optimisation, 1e-12)}
			for _, t := range []int{7, 10, 15, 25, 200} {
				rec[fmt.Sprintf("apart %d", t)] = apart(fits, t)
			}
			return rec, nil
		},
	}
}

// apart is the largest distance of a run from the first after t iterations, or where it ended before.
func apart(fits []*em.SymmetricFit, t int) float64 {
	at := func(f *em.SymmetricFit) []float64 { return f.Path[min(t, len(f.Path)-1)].Mean }
	most := 0.0
	for _, f := range fits[1:] {
		most = max(most, math.Sqrt(vec.SquaredDistance(at(f), at(fits[0]))))
	}
	return most
}

// logs are the logarithms of a falling path down to floor.
func logs(path []float64, floor float64) []float64 {
	var out []float64
	for _, v := range path {
		if !(v > floor) {
			break
		}
		out = append(out, vec.Log1(v))
	}
	return out
}

// straightness is the share of the variance of a path's logarithm, down to floor, that a straight line explains: 1 for a
// linear rate, .93 for one that doubles the digits four times in a row, .6 for a single step. Fewer than three places are
// a straight line.
func straightness(path []float64, floor float64) float64 {
	y := logs(path, floor)
	n := float64(len(y))
	if n < 3 {
		return 1
	}
	var mean, sxx, sxy, syy float64
	for _, v := range y {
		mean += v / n
	}
	for i, v := range y {
		x := float64(i) - (n-1)/2
		sxx, sxy, syy = sxx+x*x, sxy+x*(v-mean), syy+(v-mean)*(v-mean)
	}
	return sxy * sxy / (sxx * syy)
}

// lateFactor compares rates: the mean fall of the logarithm in the last half of the path down to floor, over that in the
// first half. It is 1 for a linear rate, more for a faster one.
func lateFactor(path []float64, floor float64) float64 {
	y := logs(path, floor)
	if len(y) < 5 {
		return 1
	}
	last, half := len(y)-1, len(y)/2
	return (y[half] - y[last]) / float64(last-half) / ((y[0] - y[half]) / float64(half))
}
