package mabfdr

import (
	"context"
	"math"
	"math/rand/v2"

	"gaucho/papers"
	"gaucho/stdlib/bandit"
	"gaucho/stdlib/fdr"
	"gaucho/stdlib/study"
)

// Power returns the study of figure 4.7(a) of Yang 2018: the best-arm discovery rate of MAB-FDR and of uniform sampling
// (AB-FDR) against the truncation time M, for Gaussian arms of unit variance, 60% of the hypotheses null, alpha = 0.1 and
// epsilon = 0. The text leaves W(0) and other settings open. Preset "paper" is procedure 2 with LORD 3, gamma with c = 0.07,
// algorithm 1 as printed, and the radius that is valid for unit variance. Preset "program" follows the program published
// with the chapter: delta/(K+1) for each bound, two initial pulls, gamma normalised over 9,999 terms, and LORD++, which is
// the rule it names. Only that preset stops after 160 to 200 pulls, as the text reports.
func Power(size papers.Size) *study.Study {
	experiments, arms, runs := 500, 50, 100
	budgets := []any{100, 140, 160, 180, 200, 250, 300, 400, 500, 600, 700, 800}
	switch size {
	case papers.Small:
		experiments, runs, budgets = 60, 2, []any{160, 250, 400, 800}
	case papers.Default:
		runs = 10
	}
	return gaussian(papers.Name("mabfdr-power", size), "best-arm discovery rate of MAB-FDR and AB-FDR against truncation (Yang 2018, figure 4.7a)",
		experiments, runs, study.Values("arms", arms), study.Values("M", budgets...))
}

// Samples returns the study of figure 4.7(b) of Yang 2018: the number of pulls against the number of arms, including the
// control, at M = 300.
func Samples(size papers.Size) *study.Study {
	experiments, runs := 500, 100
	arms := []any{10, 20, 30, 40, 50, 60, 80, 100}
	switch size {
	case papers.Small:
		experiments, runs, arms = 60, 2, []any{10, 20, 40}
	case papers.Default:
		runs = 10
	}
	return gaussian(papers.Name("mabfdr-samples", size), "pulls of MAB-FDR and AB-FDR against the number of arms (Yang 2018, figure 4.7b)",
		experiments, runs, study.Values("arms", arms...), study.Values("M", 300))
}

func gaussian(name, about string, experiments, runs int, arms, budgets study.Axis) *study.Study {
	return &study.Study{
		Name:         name,
		About:        about,
		Version:      "1",
		Points:       study.Grid(study.Values("preset", "paper", "program"), study.Values("method", "MAB", "AB"), arms, budgets, study.Values("experiments", experiments)),
		Replications: runs,
		Seed:         1,
		Stream:       "mabfdr",
		Paired:       []string{"preset", "method", "M"},
		Seconds:      0.02,
		Replicate:    replicateGaussian,
	}
}

// replicateGaussian is one run: the means are the same in all runs, the rewards are drawn anew.
func replicateGaussian(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	const alpha = 0.1
	means, err := fdr.ContestMeans(p.Int("experiments"), p.Int("arms"), 8, 3, 0.4, false, rand.New(rand.NewPCG(47, uint64(p.Int("arms")))))
	if err != nil {
		return nil, err
	}
	settings := fdr.DefaultProcessSettings()
	settings.Bandit = bandit.DefaultSettings()
	settings.Bandit.Budget = p.Int("M")
	if p.Text("method") == "AB" {
		settings.Bandit.Sampler = bandit.Uniform
	}
	method := fdr.LORD3
	if p.Text("preset") == "program" {
		method = fdr.LORDPlusPlus
		settings.Bandit.Split, settings.Bandit.Initial = bandit.Symmetric, 2
		settings.Rule = fdr.DefaultSettings(method, alpha)
		settings.Rule.Gamma = publishedGamma()
	}
	process, err := fdr.NewProcess(method, alpha, settings)
	if err != nil {
		return nil, err
	}
	stops := 0.0
	for _, m := range means {
		e, err := process.Run(ctx, bandit.Gaussian{Means: m, Sigma: 1}, rng)
		if err != nil {
			return nil, err
		}
		if e.Stopped {
			stops++
		}
	}
	n, err := process.Count(means, 0)
	if err != nil {
		return nil, err
	}
	return study.Record{
		"BDR":     n.BDR(),
		"FDP":     n.FDP(),
		"pulls":   n.Samples,
		"stopped": stops / float64(n.Tested),
	}, nil
}

// publishedGamma is the sequence of the published program, normalised over its first 9,999 terms.
func publishedGamma() fdr.Gamma {
	values := make([]float64, 9999)
	sum := 0.0
	for j := range values {
		values[j] = fdr.LogGamma(1).At(j + 1)
		sum += values[j]
	}
	for j := range values {
		values[j] /= math.Nextafter(sum, math.Inf(1))
	}
	return fdr.GammaValues(values)
}
