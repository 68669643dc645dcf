package studies

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gaucho/stdlib/dataset"
	"gaucho/stdlib/herding"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
)

func init() { register("herding-summaries", summaries) }

// summaries is figure 2 of Khanna, Hodgkinson and Mahoney 2021 (section 6.2): a logistic regression fitted to a few points
// that stand for all of them. Data are generated stand-ins for those of the paper. A point is represented by its Fisher
// feature under a Gaussian kernel, because the linear Fisher kernel's rank is the dimension. A record holds the excess of
// the test loss over that of the fit to all points, for an unweighted refit and for one with weights on the simplex.
func summaries(size Size) *study.Study {
	data, sizes, replications, seconds, n := []any{"chem", "cov", "web"}, []any{50, 100, 200, 400}, 10, 8.0, 8000
	switch size {
	case Small:
		data, sizes, replications, seconds, n = []any{"cov"}, []any{40}, 1, 0.1, 800
	case Default:
		sizes, replications, seconds, n = []any{50, 100, 200}, 3, 3.0, 4000
	}
	return &study.Study{
		Name:    sized("herding-summaries", size),
		About:   "test loss of logistic regressions on subsets chosen by WKH, SBQ, herding, coreset and at random (KHM21, figure 2)",
		Version: "1",
		Points: study.Grid(study.Values("data", data...), study.Values("method", "Random", "Coreset", "Herding", "WKH", "SBQ", "WKH-5", "SBQ-5"),
			study.Values("m", sizes...), study.Values("n", n)),
		Replications: replications, Seed: 5, Seconds: seconds,
		Paired:    []string{"method", "m"},
		Replicate: replicateSummary,
	}
}

func replicateSummary(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	data, err := summaryData(p.Text("data"), p.Int("n"), rng)
	if err != nil {
		return nil, err
	}
	test, rest, err := data.Split(0.1, rng)
	if err != nil {
		return nil, err
	}
	validation, train, err := rest.Split(0.1, rng)
	if err != nil {
		return nil, err
	}
	theta, err := herding.FitLogistic(ctx, train.X, train.Y, nil, nil)
	if err != nil {
		return nil, err
	}
	full, err := herding.LogisticLoss(theta, test.X, test.Y)
	if err != nil {
		return nil, err
	}
	rows, weights, err := chooseSummary(ctx, p, theta, train, validation, rng)
	if err != nil {
		return nil, err
	}
	part := train.Rows(rows)
	rec := study.Record{"full": full, "size": len(rows)}
	for field, w := range map[string][]float64{"unweighted": nil, "simplex": weights} {
		refit, err := herding.FitLogistic(ctx, part.X, part.Y, w, nil)
		if err != nil {
			return nil, err
		}
		loss, err := herding.LogisticLoss(refit, test.X, test.Y)
		if err != nil {
			return nil, err
		}
		rec[field] = loss - full
	}
	return rec, nil
}

func summaryData(name string, n int, rng *rand.Rand) (*dataset.Classification, error) {
	switch name {
	case "chem":
		return dataset.ChemLike(n, rng)
	case "cov":
		return dataset.CovLike(n, rng)
	case "web":
		return dataset.WebLike(n, rng)
	}
	return nil, fmt.Errorf("no data %q", name)
}

// chooseSummary chooses rows of the training data, and case weights for a weighted refit (nil where the method has none).
func chooseSummary(ctx context.Context, p study.Point, theta []float64, train, validation *dataset.Classification, rng *rand.Rand) (rows []int, weights []float64, err error) {
	m, method := p.Int("m"), p.Text("method")
	switch method {
	case "Random":
		return rng.Perm(train.Len())[:m], nil, nil
	case "Coreset":
		return herding.LogisticCoreset(ctx, train.X, train.Y, m, nil, rng)
	}
	candidates, err := herding.FisherFeatures(theta, train.X, train.Y)
	if err != nil {
		return nil, nil, err
	}
	wanted, err := herding.FisherFeatures(theta, validation.X, validation.Y)
	if err != nil {
		return nil, nil, err
	}
	median, err := rkhs.MedianBandwidth(candidates, 1000, rng)
	if err != nil {
		return nil, nil, err
	}
	target, err := rkhs.Embed(rkhs.Gaussian{Bandwidth: median / math.Sqrt2}, rkhs.Uniform(wanted))
	if err != nil {
		return nil, nil, err
	}
	pool, err := herding.NewPool(ctx, target, candidates)
	if err != nil {
		return nil, nil, err
	}
	rule, err := greedyRule(ctx, method, pool, target, nil, m, rng)
	if err != nil {
		return nil, nil, err
	}
	return simplexRows(ctx, target, rule)
}

// simplexRows are the distinct candidates of a rule with the best weights on the simplex for them, times their number.
func simplexRows(ctx context.Context, target rkhs.Embedding, rule *herding.Rule) (rows []int, weights []float64, err error) {
	best, err := herding.Reweight(ctx, target, rule.X, herding.Simplex)
	if err != nil {
		return nil, nil, err
	}
	at := map[int]int{}
	for i, r := range rule.Index {
		if _, ok := at[r]; !ok {
			at[r] = len(rows)
			rows = append(rows, r)
			weights = append(weights, 0)
		}
		weights[at[r]] += best.W[i] * float64(rule.Len())
	}
	return rows, weights, nil
}
