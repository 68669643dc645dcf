package herding

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gaucho/papers"
	"gaucho/stdlib/dataset"
	"gaucho/stdlib/herding"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
	"gaucho/stdlib/vec"
)

// Summaries returns the study of figure 2 of Khanna, Hodgkinson and Mahoney 2021 (section 6.2): a logistic regression fitted
// to a few points that represent all of them. Generated data take the place of the paper's. A point is represented by its
// Fisher feature under a Gaussian kernel, because the rank of the linear Fisher kernel is only the dimension. WKH takes the
// largest residual, as in the proofs; WKH(5) is the paper's equation (5); -5 splits the data over five parts, -5-1 uses only
// one of them. A record holds the test loss in excess of that of the fit to all points, for a refit without weights and for
// one with weights.
func Summaries(size papers.Size) *study.Study {
	data, sizes, replications, seconds, n := []any{"chem", "cov", "web"}, []any{50, 100, 200, 400}, 10, 2.0, 8000
	switch size {
	case papers.Small:
		data, sizes, replications, seconds, n = []any{"cov"}, []any{40}, 1, 0.1, 800
	case papers.Default:
		sizes, replications, seconds, n = []any{50, 100, 200}, 3, 1.0, 4000
	}
	return &study.Study{
		Name:    papers.Name("herding-summaries", size),
		About:   "test loss of logistic regressions on subsets chosen by WKH, SBQ, herding, coreset and at random (KHM21, figure 2)",
		Version: "2",
		Points: study.Grid(study.Values("data", data...), study.Values("method", "Random", "Coreset", "Herding", "WKH", "WKH(5)", "SBQ", "WKH(5)-5", "SBQ-5", "WKH(5)-5-1", "SBQ-5-1"),
			study.Values("m", sizes...), study.Values("n", n)),
		Replications: replications, Seed: 5, Seconds: seconds,
		Paired:    []string{"method", "m"},
		Replicate: replicateSummary,
	}
}

// A summaryProblem is what all methods of a replication share: the data, the fit to all of them, and the candidates.
type summaryProblem struct {
	train, test *dataset.Classification
	full        float64 // test loss of the fit to all training data
	pool        *herding.Pool
	target      rkhs.Embedding
}

type summaryKey struct {
	data string
	n    int
	seed uint64
}

var summaryProblems = papers.NewMemo[summaryKey, *summaryProblem](12)

func replicateSummary(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	key := summaryKey{p.Text("data"), p.Int("n"), rng.Uint64()}
	problem, err := summaryProblems.Get(key, func() (*summaryProblem, error) { return newSummaryProblem(ctx, key) })
	if err != nil {
		return nil, err
	}
	rows, weights, err := problem.choose(ctx, p.Text("method"), p.Int("m"), rng)
	if err != nil {
		return nil, err
	}
	part := problem.train.Rows(rows)
	rec := study.Record{"full": problem.full, "size": len(rows)}
	for field, w := range map[string][]float64{"unweighted": nil, "simplex": weights} {
		refit, err := herding.FitLogistic(ctx, part.X, part.Y, w, nil)
		if err != nil {
			return nil, err
		}
		loss, err := herding.LogisticLoss(refit, problem.test.X, problem.test.Y)
		if err != nil {
			return nil, err
		}
		rec[field] = loss - problem.full
	}
	return rec, nil
}

// newSummaryProblem draws data, splits off a tenth for testing and a tenth of the rest for validation, and makes the
// Fisher features of the training data candidates for the mean embedding of those of the validation data.
func newSummaryProblem(ctx context.Context, key summaryKey) (*summaryProblem, error) {
	rng := rand.New(rand.NewPCG(key.seed, 2))
	data, err := summaryData(key.data, key.n, rng)
	if err != nil {
		return nil, err
	}
	out := &summaryProblem{}
	var rest, validation *dataset.Classification
	if out.test, rest, err = data.Split(0.1, rng); err != nil {
		return nil, err
	}
	if validation, out.train, err = rest.Split(0.1, rng); err != nil {
		return nil, err
	}
	theta, err := herding.FitLogistic(ctx, out.train.X, out.train.Y, nil, nil)
	if err != nil {
		return nil, err
	}
	if out.full, err = herding.LogisticLoss(theta, out.test.X, out.test.Y); err != nil {
		return nil, err
	}
	candidates, err := herding.FisherFeatures(theta, out.train.X, out.train.Y)
	if err != nil {
		return nil, err
	}
	wanted, err := herding.FisherFeatures(theta, validation.X, validation.Y)
	if err != nil {
		return nil, err
	}
	median, err := rkhs.MedianBandwidth(candidates, 1000, rng)
	if err != nil {
		return nil, err
	}
	if out.target, err = rkhs.Embed(rkhs.Gaussian{Bandwidth: median / math.Sqrt2}, rkhs.Uniform(wanted)); err != nil {
		return nil, err
	}
	out.pool, err = herding.NewPool(ctx, out.target, candidates)
	return out, err
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

// choose chooses m rows of the training data, and case weights for a weighted refit (nil where the method has none), which
// sum to their number: the ridge of the refit then weighs as much as without weights.
func (problem *summaryProblem) choose(ctx context.Context, method string, m int, rng *rand.Rand) (rows []int, weights []float64, err error) {
	switch method {
	case "Random":
		return rng.Perm(problem.train.Len())[:m], nil, nil
	case "Coreset":
		rows, weights, err = herding.LogisticCoreset(ctx, problem.train.X, problem.train.Y, m, nil, rng)
		if err == nil {
			vec.Scale(weights, float64(len(rows))/vec.Sum(weights), weights)
		}
		return rows, weights, err
	}
	rule, err := greedyRule(ctx, method, problem.pool, problem.target, nil, m, rng)
	if err != nil {
		return nil, nil, err
	}
	return simplexRows(ctx, problem.target, rule)
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
