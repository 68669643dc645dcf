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

// Control returns the study of figure 4.10 of Yang 2018: paths of the false discovery proportion, and mFDR against the share
// of alternatives, for Gaussian experiments of 30 arms truncated at 200 pulls. Nulls skip the bandit and have uniform
// p-values, because with real bandits no null is ever rejected. The last points have other truncation times and show how
// little Bonferroni rejects there. A record holds every tenth value of the path over the hypotheses, its maximum after the
// first 50 to 400, and V and R, whose means give mFDR = E V/(E R + 1).
func Control(size papers.Size) *study.Study {
	experiments, runs := 500, 80
	shares := []any{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}
	switch size {
	case papers.Small:
		experiments, runs, shares = 150, 12, []any{0.1, 0.4, 0.8}
	case papers.Default:
		runs = 20
	}
	axes := func(rules, shares, budgets []any) []study.Point {
		return study.Grid(study.Values("rule", rules...), study.Values("share", shares...), study.Values("arms", 30),
			study.Values("M", budgets...), study.Values("experiments", experiments))
	}
	rules := []any{string(fdr.LORD3), string(fdr.LORD15), string(fdr.LORDPlusPlus), string(fdr.Uncorrected), string(fdr.Bonferroni)}
	return &study.Study{
		Name:    papers.Name("mabfdr-control", size),
		About:   "false discoveries of MAB-FDR, independent testing and Bonferroni with uniform nulls (Yang 2018, figure 4.10)",
		Version: "3",
		Points: append(axes(rules, shares, []any{200}),
			axes([]any{string(fdr.LORD3), string(fdr.Bonferroni)}, []any{0.4, 0.6}, []any{80, 100, 120, 150})...),
		Replications: runs,
		Seed:         1,
		Paired:       []string{"rule", "M"},
		Seconds:      0.01,
		Replicate:    replicateControl,
	}
}

func replicateControl(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	fixed := rand.New(rand.NewPCG(410, uint64(1000*p.Float("share"))))
	means, err := fdr.ContestMeans(p.Int("experiments"), p.Int("arms"), 8, 3, p.Float("share"), false, fixed)
	if err != nil {
		return nil, err
	}
	settings := fdr.DefaultProcessSettings()
	settings.Bandit = bandit.DefaultSettings()
	settings.Bandit.Budget = p.Int("M")
	process, err := fdr.NewProcess(fdr.Method(p.Text("rule")), 0.1, settings)
	if err != nil {
		return nil, err
	}
	null := make([]bool, len(means))
	for j, m := range means {
		if null[j] = bandit.IsNull(m, 0); null[j] {
			_, err = process.Enter(rng.Float64())
		} else {
			_, err = process.Run(ctx, bandit.Gaussian{Means: m, Sigma: 1}, rng)
		}
		if err != nil {
			return nil, err
		}
	}
	path, err := fdr.Proportions(process.Stream().Decisions(), null)
	if err != nil {
		return nil, err
	}
	var every []float64
	for j := 9; j < len(path); j += 10 {
		every = append(every, path[j])
	}
	n, err := process.Count(means, 0)
	if err != nil {
		return nil, err
	}
	rec := study.Record{"path": every, "FDP": n.FDP(), "V": n.False, "R": n.Rejected, "BDR": n.BDR()}
	for _, after := range []int{50, 100, 200, 300, 400} {
		highest := 0.0
		for _, v := range path[min(after, len(path)):] {
			highest = max(highest, v)
		}
		rec[fmt.Sprintf("highest after %d", after)] = highest
	}
	return rec, nil
}
