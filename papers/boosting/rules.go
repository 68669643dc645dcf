package boosting

import (
	"context"
	"math"
	"math/rand/v2"

	"gaucho/papers"
	"gaucho/stdlib/boosting"
	"gaucho/stdlib/study"
)

// Rules returns the study of figures 3.2 and 3.3 of Yang 2018: the error at the iteration where a stopping rule ends
// boosting, against n. The rules are T = (7n)^k with k = 1/3, 2/3 (the right one for this kernel) and 1, and the best
// iteration of each path. The calibrated rule 1/(step delta_n^2), computed from the eigenvalues, is added. The captions and
// the text disagree on whether averages or last iterates are shown, so a record holds both.
func Rules(size papers.Size) *study.Study {
	ns, runs := []any{100, 200, 400, 800, 1600}, 40
	switch size {
	case papers.Small:
		ns, runs = []any{100, 200, 400}, 12
	case papers.Default:
		ns = []any{100, 200, 400, 800}
	}
	return &study.Study{
		Name:         papers.Name("boosting-rules", size),
		About:        "error of kernel boosting where stopping rules end it, against n (Yang 2018, figures 3.2 and 3.3)",
		Version:      "1",
		Points:       study.Grid(study.Values("loss", "squared", "logistic", "exponential"), study.Values("n", ns...)),
		Replications: runs,
		Seed:         1,
		Seconds:      0.1,
		Replicate:    replicateRules,
	}
}

func replicateRules(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	n := p.Int("n")
	b, err := newKinkProblem(p.Text("loss"), n, rng)
	if err != nil {
		return nil, err
	}
	rules := map[string]int{"1/3": boosting.PowerStop(n, 7, 1.0/3), "2/3": boosting.PowerStop(n, 7, 2.0/3), "1": boosting.PowerStop(n, 7, 1)}
	if p.Text("loss") == "squared" {
		r, err := b.design.CriticalRadius(ctx, math.Sqrt(kinkVariance))
		if err != nil {
			return nil, err
		}
		rules["calibrated"] = boosting.CalibratedStop(r.Squared(), kinkStep)
	}
	last, averaged, err := b.errors(ctx, rules["1"])
	if err != nil {
		return nil, err
	}
	best, least, err := boosting.Oracle(last)
	if err != nil {
		return nil, err
	}
	rec := study.Record{"gold": least, "goldAt": best}
	for name, t := range rules {
		rec["last "+name], rec["averaged "+name] = last[t], averaged[t]
	}
	return rec, nil
}
