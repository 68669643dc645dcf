package em

import (
	"context"
	"math/rand/v2"

	"gaucho/papers"
	"gaucho/stdlib/study"
)

// Signal returns the study of figure 2.4 of Yang 2018: the optimisation error at several signal-to-noise ratios. A record
// holds the curve, how straight it is on a log scale, the factor by which the error falls in an iteration, the number of
// iterations to 1e-8, and the final error.
func Signal(size papers.Size) *study.Study {
	etas, draws := []any{0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0}, 40
	if size == papers.Small {
		etas, draws = []any{0.75, 1.0, 1.5, 2.0, 3.0}, 8
	}
	return &study.Study{
		Name:         papers.Name("em-signal", size),
		About:        "rate of Baum-Welch against the signal-to-noise ratio (Yang 2018, figure 2.4)",
		Version:      "2",
		Points:       study.Grid(study.Values("eta", etas...), study.Values("n", 1000), study.Values("d", 10)),
		Replications: draws,
		Seed:         1,
		Seconds:      0.05,
		AnyNumber:    true,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			star, x, err := symmetricSample(p.Int("n"), p.Int("d"), p.Float("eta"), rng)
			if err != nil {
				return nil, err
			}
			fit, err := fitLong(ctx, nearStarts(star, 1, rng)[0], x, 3000)
			if err != nil {
				return nil, err
			}
			c, err := fit.Convergence(nil, star.Mean)
			if err != nil {
				return nil, err
			}
			reached := 0
			for reached < len(c.Optimisation) && c.Optimisation[reached] >= 1e-8 {
				reached++
			}
			return study.Record{"optimisation": padded(c.Optimisation, 61), "straight": straightness(c.Optimisation, 1e-12), "rate": c.Rate, "to 1e-8": reached, "error": c.Floor}, nil
		},
	}
}
