package herding

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"gaucho/papers"
	"gaucho/stdlib/dataset"
	"gaucho/stdlib/herding"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
)

// Distributed returns the study of figure 1 of Khanna, Hodgkinson and Mahoney 2021 (section 6.1): herding with equal and
// with free weights on a mixture of 20 Gaussians, on one machine and with the candidates split over several. A record holds
// the MMD for every number of points.
func Distributed(size papers.Size) *study.Study {
	candidates, points, replications, seconds := 10000, 100, 20, 0.05
	switch size {
	case papers.Small:
		candidates, points, replications, seconds = 1000, 50, 3, 0.02
	case papers.Default:
		replications = 5
	}
	return &study.Study{
		Name:    papers.Name("herding-distributed", size),
		About:   "MMD of herding, WKH and SBQ, whole and split over 5 and 20 parts (KHM21, figure 1)",
		Version: "1",
		Points: study.Grid(study.Values("method", "MC", "Herding", "WKH", "SBQ", "WKH-5", "SBQ-5", "WKH-20", "SBQ-20"),
			study.Values("M", candidates), study.Values("N", points)),
		Replications: replications, Seed: 4, Seconds: seconds,
		Paired: []string{"method", "N"},
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			mix, err := dataset.RandomMixture(20, 2, rng)
			if err != nil {
				return nil, err
			}
			target, err := rkhs.Embed(rkhs.Gaussian{Bandwidth: 1}, mix)
			if err != nil {
				return nil, err
			}
			pool, err := herding.SamplePool(ctx, target, mix, p.Int("M"), rng)
			if err != nil {
				return nil, err
			}
			rule, err := greedyRule(ctx, p.Text("method"), pool, target, mix, p.Int("N"), rng)
			if err != nil {
				return nil, err
			}
			return study.Record{"mmd": rule.MMD, "lastMMD": rule.MMD[len(rule.MMD)-1]}, nil
		},
	}
}

// greedyRule runs a method that is named as WKH, WKH(5) for its form in equation (5), or SBQ; with -5 split over five parts,
// with -5-1 on the first of five parts alone.
func greedyRule(ctx context.Context, method string, pool *herding.Pool, target rkhs.Embedding, mix *rkhs.Mixture, n int, rng *rand.Rand) (*herding.Rule, error) {
	switch method {
	case "MC":
		return herding.MonteCarlo(ctx, target, mix, n, rng)
	case "Herding":
		return herding.FrankWolfe(ctx, pool, n, nil)
	}
	name, split, isSplit := strings.Cut(method, "-")
	settings := herding.DefaultGreedySettings()
	switch name {
	case "WKH":
		settings.Selection = herding.WKH
	case "WKH(5)":
		settings.Selection = herding.WKHHerding
	case "SBQ":
		settings.Selection = herding.SBQ
	default:
		return nil, fmt.Errorf("no method %q", method)
	}
	if !isSplit {
		return herding.Greedy(ctx, pool, n, settings)
	}
	split, single := strings.CutSuffix(split, "-1")
	parts, err := strconv.Atoi(split)
	if err != nil {
		return nil, fmt.Errorf("no method %q", method)
	}
	out, err := herding.Distributed(ctx, pool, n, parts, settings, nil, rng)
	if err != nil {
		return nil, err
	}
	if single {
		return out.Local[0], nil
	}
	return out.Rule, nil
}
