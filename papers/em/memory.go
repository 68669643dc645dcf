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

// Memory returns the study that compares Baum-Welch, from the same start, with EM for independent draws, which keeps zeta at
// 1/2.
func Memory(size papers.Size) *study.Study {
	etas, trials := []any{0.5, 0.75, 1.0, 1.5}, 200
	if size == papers.Small {
		etas, trials = []any{0.75, 1.5}, 10
	}
	return &study.Study{
		Name: papers.Name("em-memory", size), About: "error of Baum-Welch against that of EM that ignores the chain (Yang 2018, section 2.4)", Version: "2",
		Points:       study.Grid(study.Values("eta", etas...), study.Values("n", 1000), study.Values("d", 10)),
		Replications: trials, Seed: 1, Seconds: 0.1,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			star, x, err := symmetricSample(p.Int("n"), p.Int("d"), p.Float("eta"), rng)
			if err != nil {
				return nil, err
			}
			start, rec := nearStarts(star, 1, rng)[0], study.Record{}
			for name, fixed := range map[string]bool{"chain": false, "independent": true} {
				s := em.DefaultSymmetricSettings()
				s.Iterations, s.FixZeta = 1000, fixed
				fit, err := em.FitSymmetric(ctx, start, x, s)
				if err != nil {
					return nil, err
				}
				rec[name] = math.Sqrt(vec.SquaredDistance(fit.Model().Mean, star.Mean))
			}
			rec["gain"] = rec["independent"].(float64) - rec["chain"].(float64)
			return rec, nil
		},
	}
}
