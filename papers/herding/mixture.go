package herding

import (
	"context"
	"math"
	"math/rand/v2"

	"gaucho/papers"
	"gaucho/stdlib/dataset"
	"gaucho/stdlib/herding"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
)

// Mixture returns the study of figure 1 of Lacoste-Julien, Lindsten and Bach 2015 (section 4.1): points for random mixtures
// of K = 100 Gaussians in the plane, chosen among M candidates with a Gaussian kernel of sigma^2 = 1. A record holds the MMD
// and the error of the mean for every number of points up to N.
func Mixture(size papers.Size) *study.Study {
	s := mixtureStudy("herding-mixture", size, []mixtureSetting{{100, 2, 1}})
	s.About = "MMD and mean error against the number of points for MC, QMC, FW, line search and FCFW on mixtures (LLB15, figure 1)"
	return s
}

// MixtureDims returns the study of figure 4 of the same paper: fewer components, and a higher dimension with the same and
// with a wider kernel.
func MixtureDims(size papers.Size) *study.Study {
	s := mixtureStudy("herding-mixture-dims", size, []mixtureSetting{{20, 2, 1}, {100, 5, 1}, {100, 5, 100}})
	s.About = "the same with fewer components, in dimension 5, and with a wider kernel (LLB15, figure 4)"
	return s
}

// A mixtureSetting is a number of components, a dimension, and the kernel's sigma^2.
type mixtureSetting struct {
	components, dim int
	variance        float64
}

func mixtureStudy(name string, size papers.Size, settings []mixtureSetting) *study.Study {
	candidates, points, replications, seconds := 50000, 200, 30, 2.0
	switch size {
	case papers.Small:
		candidates, points, replications, seconds = 2000, 100, 3, 0.05
	case papers.Default:
		candidates, points, replications, seconds = 10000, 200, 10, 0.4
	}
	var grid []study.Point
	for _, set := range settings {
		grid = append(grid, study.Grid(study.Values("method", "MC", "QMC", "FW", "FW-LS", "FCFW"), study.Values("K", set.components),
			study.Values("d", set.dim), study.Values("variance", set.variance), study.Values("M", candidates), study.Values("N", points))...)
	}
	return &study.Study{
		Name: papers.Name(name, size), Version: "2", Points: grid, Replications: replications, Seed: 1,
		Paired: []string{"method", "N", "variance"}, Seconds: seconds,
		Replicate: replicateMixture,
	}
}

func replicateMixture(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	mix, err := dataset.RandomMixture(p.Int("K"), p.Int("d"), rng)
	if err != nil {
		return nil, err
	}
	target, err := rkhs.Embed(rkhs.Gaussian{Bandwidth: math.Sqrt(p.Float("variance"))}, mix)
	if err != nil {
		return nil, err
	}
	rule, err := mixtureRule(ctx, p, target, mix, rng)
	if err != nil {
		return nil, err
	}
	meanError := rule.MeanError(mix.Mean())
	last := rule.MMD[len(rule.MMD)-1]
	return study.Record{
		"mmd": rule.MMD, "meanError": meanError, "lastMMD": last,
		"mmdSlope": herding.Slope(rule.MMD, 2), "meanSlope": herding.Slope(meanError, 1),
	}, nil
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
	switch p.Text("method") {
	case "FW-LS":
		settings.Step = herding.LineSearch
	case "FCFW":
		settings.Step = herding.FullyCorrective
	}
	return herding.FrankWolfe(ctx, pool, n, settings)
}
