package boosting

import (
	"context"
	"math"
	"math/rand/v2"

	"gaucho/papers"
	"gaucho/stdlib/boosting"
	"gaucho/stdlib/study"
)

// Overfit returns the study of figure 3.1 of Yang 2018: the squared error of kernel boosting against the number of
// iterations, with n = 100, step 0.75 and the first-order Sobolev kernel. The figure shows LogitBoost, whose loss is the sum
// over five draws, and AdaBoost, whose loss is the mean over five draws and whose target is half the logit; L2Boost is
// added. A record holds the error at the iterations of recordTimes, the smallest error of the path, and the iteration where
// it is reached.
func Overfit(size papers.Size) *study.Study {
	iterations, runs := 5000, 40
	if size == papers.Small {
		iterations, runs = 1000, 10
	}
	return &study.Study{
		Name:         papers.Name("boosting-overfit", size),
		About:        "error of kernel boosting against the number of iterations: overfitting without stopping (Yang 2018, figure 3.1)",
		Version:      "1",
		Points:       study.Grid(study.Values("loss", "logistic", "exponential", "squared"), study.Values("n", 100), study.Values("T", iterations)),
		Replications: runs,
		Seed:         1,
		Seconds:      0.05,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			b, err := newKinkProblem(p.Text("loss"), p.Int("n"), rng)
			if err != nil {
				return nil, err
			}
			last, _, err := b.errors(ctx, p.Int("T"))
			if err != nil {
				return nil, err
			}
			var at []float64
			for _, t := range recordTimes(p.Int("T")) {
				at = append(at, last[t])
			}
			best, least, err := boosting.Oracle(last)
			if err != nil {
				return nil, err
			}
			return study.Record{"error": at, "least": least, "bestAt": best, "lastError": last[len(last)-1]}, nil
		},
	}
}

// recordTimes are the iterations at which errors are kept: all up to 10, then about 20 in each power of ten.
func recordTimes(last int) []int {
	var times []int
	for t := 1; t < last; t = max(t+1, int(math.Round(float64(t)*1.12))) {
		times = append(times, t)
	}
	return append(times, last)
}
