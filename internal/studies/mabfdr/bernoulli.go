package mabfdr

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gaucho/internal/studies"
	"gaucho/stdlib/bandit"
	"gaucho/stdlib/fdr"
	"gaucho/stdlib/study"
)

// BernoulliPower is figure 4.8(a) of Yang 2018: figure 4.7(a) for Bernoulli arms, 50 hypotheses with 20 alternatives. The
// caption has a top mean of 0.7 and the others in [0, 0.4]; the text has 0.4 and [0, 0.1]: parameter top.
func BernoulliPower(size studies.Size) *study.Study {
	runs, tops := 100, []any{0.7, 0.4}
	budgets := []any{5000, 6000, 7500, 10000, 15000, 20000, 25000}
	switch size {
	case studies.Small:
		runs, tops, budgets = 1, []any{0.7}, []any{7500, 25000}
	case studies.Default:
		runs, tops = 5, []any{0.7}
	}
	return bernoulli(studies.Name("mabfdr-bernoulli-power", size),
		"best-arm discovery rate of MAB-FDR and AB-FDR against truncation, Bernoulli arms (Yang 2018, figure 4.8a)",
		runs, tops, study.Values("arms", 50), study.Values("M", budgets...))
}

// BernoulliSamples is figure 4.8(b): pulls against the number of arms at M = 5000.
func BernoulliSamples(size studies.Size) *study.Study {
	runs, arms := 100, []any{5, 10, 15, 20, 25, 30, 35}
	switch size {
	case studies.Small:
		runs, arms = 1, []any{10, 20}
	case studies.Default:
		runs = 10
	}
	return bernoulli(studies.Name("mabfdr-bernoulli-samples", size),
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

// Captions is figure 4.9 of Yang 2018 on generated contests in place of the cartoon captions, which are not shipped: 30
// hypotheses with 12 alternatives. Part (b) is pulls against the number of arms at M = 130,000; the caption of (a) has
// two readings: discovery rate against arms at that M, and against M for 10 arms. A replication draws contests of its own,
// as single draws differ much. Method AB-stop rejects only where the sampler stopped by its own test, which is what the
// text says of AB; it makes no difference to MAB.
func Captions(size studies.Size) *study.Study {
	draws, arms, budgets := 100, []any{10, 20, 40, 80}, []any{13000, 30000, 60000}
	switch size {
	case studies.Small:
		draws, arms, budgets = 1, []any{10, 40}, nil
	case studies.Default:
		draws = 6
	}
	axes := func(arms, budgets []any) []study.Point {
		return study.Grid(study.Values("method", "MAB", "AB", "AB-stop"), study.Values("arms", arms...), study.Values("M", budgets...))
	}
	points := axes(arms, []any{130000})
	if len(budgets) > 0 {
		points = append(points, axes([]any{10}, budgets)...)
	}
	return &study.Study{
		Name: studies.Name("mabfdr-captions", size), Version: "1",
		About:        "MAB-FDR and AB-FDR on generated caption contests (Yang 2018, figure 4.9, other data)",
		Points:       points,
		Replications: draws, Seed: 1, Paired: []string{"method", "M", "arms"}, Seconds: 0.5,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			contests := rand.New(rand.NewPCG(rng.Uint64(), 49))
			means, err := fdr.CaptionMeans(30, p.Int("arms"), 0.4, contests)
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
