package mabfdr

import (
	"context"
	"math/rand/v2"

	"gaucho/internal/studies"
	"gaucho/stdlib/fdr"
	"gaucho/stdlib/study"
)

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
