package em

import (
	"context"
	"math"
	"math/rand/v2"

	"gaucho/papers"
	"gaucho/stdlib/study"
	"gaucho/stdlib/vec"
)

// Rates returns the study of corollary 2 of Yang 2018, by which the error of Baum-Welch is of order sqrt(d/n): it measures
// how the error falls with n and grows with d.
func Rates(size papers.Size) *study.Study {
	var points []study.Point
	ns, ds, trials := []int{500, 1000, 2000, 4000, 8000, 16000}, []int{5, 10, 20, 40, 80}, 200
	if size == papers.Small {
		ns, ds, trials = []int{500, 2000}, []int{5, 20}, 4
	}
	for _, n := range ns {
		points = append(points, study.NewPoint("along", "n", "n", n, "d", 10))
	}
	for _, d := range ds {
		points = append(points, study.NewPoint("along", "d", "n", 4*ns[1], "d", d))
	}
	return &study.Study{
		Name: papers.Name("em-rates", size), About: "error of Baum-Welch against n and d (Yang 2018, corollary 2)", Version: "1",
		Points: points, Replications: trials, Seed: 1, Seconds: 0.05,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			star, x, err := symmetricSample(p.Int("n"), p.Int("d"), 1.5, rng)
			if err != nil {
				return nil, err
			}
			fit, err := fitLong(ctx, nearStarts(star, 1, rng)[0], x, 100)
			if err != nil {
				return nil, err
			}
			m := fit.Model()
			return study.Record{"mean": math.Sqrt(vec.SquaredDistance(m.Mean, star.Mean)), "zeta": math.Abs(m.Zeta - star.Zeta)}, nil
		},
	}
}
