package mabfdr

import (
	"context"
	"math/rand/v2"

	"gaucho/papers"
	"gaucho/stdlib/fdr"
	"gaucho/stdlib/study"
)

// Captions returns the study of figure 4.9 of Yang 2018, on generated contests because the cartoon captions are not
// included: 30 hypotheses, 12 of them alternatives. Part (b) is pulls against the number of arms at M = 130,000. The caption
// of (a) can be read in two ways: discovery rate against the number of arms at that M, and against M for 10 arms. Each
// replication draws its own contests, because single draws differ a lot. Method AB-stop rejects only where the sampler
// stopped by its own test, which is how the text describes AB; for MAB that makes no difference.
func Captions(size papers.Size) *study.Study {
	draws, arms, budgets := 100, []any{10, 20, 40, 80}, []any{13000, 30000, 60000}
	switch size {
	case papers.Small:
		draws, arms, budgets = 1, []any{10, 40}, nil
	case papers.Default:
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
		Name: papers.Name("mabfdr-captions", size), Version: "1",
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
