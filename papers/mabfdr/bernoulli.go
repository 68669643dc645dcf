package mabfdr

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gaucho/papers"
	"gaucho/stdlib/bandit"
	"gaucho/stdlib/fdr"
	"gaucho/stdlib/study"
)

// BernoulliPower returns the study of figure 4.8(a) of Yang 2018: figure 4.7(a) for Bernoulli arms, with 50 hypotheses, 20
// of them alternatives. According to the caption the top mean is 0.7 and the others are in [0, 0.4]; according to the text,
// 0.4 and [0, 0.1]. The parameter top is that mean.
func BernoulliPower(size papers.Size) *study.Study {
	runs, tops := 100, []any{0.7, 0.4}
	budgets := []any{5000, 6000, 7500, 10000, 15000, 20000, 25000}
	switch size {
	case papers.Small:
		runs, tops, budgets = 1, []any{0.7}, []any{7500, 25000}
	case papers.Default:
		runs, tops = 5, []any{0.7}
	}
	return bernoulli(papers.Name("mabfdr-bernoulli-power", size),
		"best-arm discovery rate of MAB-FDR and AB-FDR against truncation, Bernoulli arms (Yang 2018, figure 4.8a)",
		runs, tops, study.Values("arms", 50), study.Values("M", budgets...))
}

// BernoulliSamples returns the study of figure 4.8(b) of Yang 2018: pulls against the number of arms at M = 5000.
func BernoulliSamples(size papers.Size) *study.Study {
	runs, arms := 100, []any{5, 10, 15, 20, 25, 30, 35}
	switch size {
	case papers.Small:
		runs, arms = 1, []any{10, 20}
	case papers.Default:
		runs = 10
	}
	return bernoulli(papers.Name("mabfdr-bernoulli-samples", size),
		"pulls of MAB-FDR and AB-FDR against the number of arms, Bernoulli arms (Yang 2018, figure 4.8b)",
		runs, []any{0.7}, study.Values("arms", arms...), study.Values("M", 5000))
}

func bernoulli(name, about string, runs int, tops []any, arms, budgets study.Axis) *study.Study {
	return &study.Study{
		Name: name, About: about, Version: "1",
		Points:       study.Grid(study.Values("method", "MAB", "AB"), study.Values("top", tops...), arms, budgets),
		Replications: runs, Seed: 1, Stream: "mabfdr-bernoulli", Paired: []string{"method", "M"}, Seconds: 0.03,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			fixed := rand.New(rand.NewPCG(48, uint64(p.Int("arms"))))
			means, err := fdr.ContestMeans(50, p.Int("arms"), p.Float("top"), 0.3, 0.4, true, fixed)
			if err != nil {
				return nil, err
			}
			return contestRun(ctx, p.Text("method"), p.Int("M"), means, rng)
		},
	}
}

// contestRun runs MAB-FDR with LORD 3 on Bernoulli experiments.
func contestRun(ctx context.Context, method string, budget int, means [][]float64, rng *rand.Rand) (study.Record, error) {
	settings := fdr.DefaultProcessSettings()
	settings.Bandit = bandit.DefaultSettings()
	settings.Bandit.Budget = budget
	switch method {
	case "MAB":
	case "AB", "AB-stop":
		settings.Bandit.Sampler = bandit.Uniform
		settings.RequireStop = method == "AB-stop"
	default:
		return nil, fmt.Errorf("no method %q", method)
	}
	process, err := fdr.NewProcess(fdr.LORD3, 0.1, settings)
	if err != nil {
		return nil, err
	}
	for _, m := range means {
		if _, err := process.Run(ctx, bandit.Bernoulli{Means: m}, rng); err != nil {
			return nil, err
		}
	}
	n, err := process.Count(means, 0)
	if err != nil {
		return nil, err
	}
	return study.Record{"BDR": n.BDR(), "FDP": n.FDP(), "pulls": n.Samples}, nil
}
