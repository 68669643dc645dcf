package studies

import (
	"context"
	"math"
	"math/rand/v2"

	"gaucho/stdlib/dataset"
	"gaucho/stdlib/herding"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
)

func init() { register("herding-mixture", mixture) }

// mixture is figure 1 of Lacoste-Julien, Lindsten and Bach 2015 (section 4.1): points for random mixtures of K = 100
// Gaussians in the plane, chosen among M candidates with a Gaussian kernel of sigma^2 = 1. A record holds the traces of
// MMD and of the error of the mean along N.
func mixture(size Size) *study.Study {
	candidates, points, replications, seconds := 50000, 200, 30, 2.0
	switch size {
	case Small:
		candidates, points, replications, seconds = 2000, 100, 3, 0.05
	case Default:
		candidates, points, replications, seconds = 10000, 200, 10, 0.4
	}
	return &study.Study{
		Name:         sized("herding-mixture", size),
		About:        "MMD and mean error against the number of points for MC, QMC, FW and FCFW on mixtures (LLB15, figure 1)",
		Version:      "1",
		Points:       study.Grid(study.Values("method", "MC", "QMC", "FW", "FCFW"), study.Values("K", 100), study.Values("d", 2), study.Values("M", candidates), study.Values("N", points)),
		Replications: replications,
		Seed:         1,
		Paired:       []string{"method", "N"},
		Seconds:      seconds,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			mix, err := dataset.RandomMixture(p.Int("K"), p.Int("d"), rng)
			if err != nil {
				return nil, err
			}
			target, err := rkhs.Embed(rkhs.Gaussian{Bandwidth: 1}, mix)
			if err != nil {
				return nil, err
			}
			rule, err := mixtureRule(ctx, p, target, mix, rng)
			if err != nil {
				return nil, err
			}
			return study.Record{
				"mmd":       rule.MMD,
				"meanError": rule.MeanError(mix.Mean()),
				"mmdSlope":  herding.Slope(rule.MMD, 2),
				"meanSlope": herding.Slope(rule.MeanError(mix.Mean()), 1),
				"lastMMD":   rule.MMD[len(rule.MMD)-1],
				"digits":    -math.Log10(rule.MMD[len(rule.MMD)-1]),
			}, nil
		},
	}
}

func mixtureRule(ctx context.Context, p study.Point, target rkhs.Embedding, mix *rkhs.Mixture, rng *rand.Rand) (*herding.Rule, error) {
	n := p.Int("N")
	switch p.Text("method") {
	case "MC":
		return herding.MonteCarlo(ctx, target, mix, n, rng)
	case "QMC":
		return herding.QuasiMonteCarlo(ctx, target, mix, n, nil)
	}
	pool, err := herding.SamplePool(ctx, target, mix, p.Int("M"), rng)
	if err != nil {
		return nil, err
	}
	settings := herding.DefaultSettings()
	if p.Text("method") == "FCFW" {
		settings.Step = herding.FullyCorrective
	}
	return herding.FrankWolfe(ctx, pool, n, settings)
}
