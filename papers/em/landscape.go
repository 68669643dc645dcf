package em

import (
	"context"
	"math"
	"math/rand/v2"

	"gaucho/papers"
	"gaucho/stdlib/em"
	"gaucho/stdlib/study"
	"gaucho/stdlib/vec"
)

// Landscape returns the study that counts the fixed points of Baum-Welch reached from five starts near the truth, which
// figure 2.1 of Yang 2018 sketches. With a weak signal some paths have more than one, with a strong signal none has.
// Iterations continue until steps are below 1e-12.
func Landscape(size papers.Size) *study.Study {
	etas, ns, paths := []any{0.2, 0.3, 0.5, 0.75}, []any{100, 300, 1000}, 20
	if size == papers.Small {
		etas, ns, paths = []any{0.75}, []any{300}, 3
	}
	return &study.Study{
		Name: papers.Name("em-landscape", size), About: "fixed points of Baum-Welch near the truth, by signal (after Yang 2018, figure 2.1)", Version: "1",
		Points:       study.Grid(study.Values("eta", etas...), study.Values("n", ns...), study.Values("d", 10)),
		Replications: paths, Seed: 1, Seconds: 1,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			n := p.Int("n")
			star, x, err := symmetricSample(n, p.Int("d"), p.Float("eta"), rng)
			if err != nil {
				return nil, err
			}
			var ends [][]float64
			for _, start := range nearStarts(star, 5, rng) {
				s := em.DefaultSymmetricSettings()
				s.Iterations, s.Tolerance = 6000000/n, 1e-12
				fit, err := em.FitSymmetric(ctx, start, x, s)
				if err != nil {
					return nil, err
				}
				end, known := fit.Model().Mean, false
				for _, e := range ends {
					known = known || math.Sqrt(vec.SquaredDistance(e, end)) <= 1e-4
				}
				if !known {
					ends = append(ends, end)
				}
			}
			return study.Record{"ends": len(ends), "several": len(ends) > 1}, nil
		},
	}
}
