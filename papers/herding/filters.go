package herding

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/papers"
	"gaucho/stdlib/filtering"
	"gaucho/stdlib/herding"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
)

// filterModels describes the models of Filters.
var filterModels = map[string]string{
	"lgss3": "linear model, d = 3 (LLB15, figures 2 and 7)", "lgss15": "linear model, d = 15 (LLB15, figures 2 and 8)",
	"jmls": "jump Markov model (LLB15, figures 2 and 5)", "nonlinear": "nonlinear benchmark (LLB15, figures 2 and 6)",
}

// Filters returns the study of one of the models of figures 2 and 5 to 8 of Lacoste-Julien, Lindsten and Bach 2015 (section
// 4.2): lgss3, lgss15, jmls or nonlinear. It compares four particle filters and three widths of the kernel. A record holds
// the root mean squared distance of the filtered means from the reference (the Kalman filter, the exact mixture of Kalman
// filters, or a bootstrap filter with 100,000 particles), and for the linear models the mean MMD to the exact filtering and
// predictive distributions.
func Filters(model string) func(papers.Size) *study.Study {
	return func(size papers.Size) *study.Study { return filters(model, size) }
}

// filters returns the study of a model at a size.
func filters(model string, size papers.Size) *study.Study {
	variances, ns, replications, seconds := []any{0.01, 0.1, 1.0}, []any{20, 50, 100, 150, 200}, 30, 1.0
	steps, candidates, reference := 100, 5000, 100000
	switch size {
	case papers.Small:
		variances, ns, replications, seconds = []any{1.0}, []any{20}, 2, 0.05
		steps, candidates, reference = 20, 500, 2000
	case papers.Default:
		variances, ns, replications, seconds = []any{0.1, 1.0}, []any{20, 50, 100}, 5, 0.5
		candidates, reference = 2000, 20000
	}
	return &study.Study{
		Name:    papers.Name("herding-filters-"+model, size),
		Stream:  papers.Name("herding-filters", size),
		About:   "error of PF, QMC and sequential kernel herding on the " + filterModels[model],
		Version: "1",
		Points: study.Grid(study.Values("model", model), study.Values("variance", variances...), study.Values("method", "PF", "QMC", "FW", "FCFW"),
			study.Values("N", ns...), study.Values("T", steps), study.Values("M", candidates), study.Values("reference", reference)),
		Replications: replications, Seed: 2, Seconds: seconds,
		Paired:    []string{"method", "N", "M", "variance", "reference"},
		Replicate: replicateFilter,
	}
}

// A filterProblem is a model with data, and what is exactly or almost exactly known of its states.
type filterProblem struct {
	system    filtering.System
	Y         *mat.Dense
	reference *mat.Dense
	exact     *filtering.KalmanResult // of a linear model
}

func replicateFilter(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	problem, err := newFilterProblem(ctx, p, rng)
	if err != nil {
		return nil, err
	}
	settings := filterSettings(p)
	settings.History = problem.exact != nil
	res, err := filtering.Run(ctx, problem.system, problem.Y, settings, rng)
	if err != nil {
		return nil, err
	}
	_, d := problem.reference.Dims()
	active := 0.0
	for _, a := range res.Active {
		active += float64(a) / float64(len(res.Active))
	}
	rec := study.Record{"rmse": filtering.PositionError(res.Means, problem.reference, d), "active": active}
	if problem.exact != nil {
		filtered, predictive, err := meanMMD(ctx, math.Sqrt(p.Float("variance")), problem.exact, res.History)
		if err != nil {
			return nil, err
		}
		rec["mmdFiltered"], rec["mmdPredictive"] = filtered, predictive
	}
	return rec, nil
}

// filterSettings are the settings of the method at a point.
func filterSettings(p study.Point) *filtering.Settings {
	s := filtering.DefaultSettings()
	s.Particles = p.Int("N")
	s.Candidates = p.Int("M")
	s.Bandwidth = math.Sqrt(p.Float("variance"))
	switch p.Text("method") {
	case "QMC":
		s.Points = filtering.Sobol
	case "FW":
		s.Points = filtering.Herding
	case "FCFW":
		s.Points, s.Step = filtering.Herding, herding.FullyCorrective
	}
	return s
}

// newFilterProblem draws the data of a replication and computes the reference.
func newFilterProblem(ctx context.Context, p study.Point, rng *rand.Rand) (*filterProblem, error) {
	switch name := p.Text("model"); name {
	case "lgss3":
		return linearProblem(ctx, 3, p.Int("T"), rng)
	case "lgss15":
		return linearProblem(ctx, 15, p.Int("T"), rng)
	case "jmls":
		m := filtering.JumpBenchmark()
		_, _, Y, err := m.Simulate(min(p.Int("T"), 10), rng)
		if err != nil {
			return nil, err
		}
		exact, err := filtering.ExactJump(ctx, m, Y, 0)
		if err != nil {
			return nil, err
		}
		return &filterProblem{system: m, Y: Y, reference: exact.Means}, nil
	case "nonlinear":
		return nonlinearProblem(ctx, p, rng)
	default:
		return nil, fmt.Errorf("no model %q", name)
	}
}

func linearProblem(ctx context.Context, d, steps int, rng *rand.Rand) (*filterProblem, error) {
	m, err := filtering.LinearBenchmark(d)
	if err != nil {
		return nil, err
	}
	_, Y, err := m.Simulate(steps, rng)
	if err != nil {
		return nil, err
	}
	exact, err := filtering.Kalman(ctx, m, Y)
	if err != nil {
		return nil, err
	}
	model, err := m.Model()
	if err != nil {
		return nil, err
	}
	return &filterProblem{system: model, Y: Y, reference: exact.Means, exact: exact}, nil
}

// nonlinearProblem has a bootstrap filter with very many particles as its reference.
func nonlinearProblem(ctx context.Context, p study.Point, rng *rand.Rand) (*filterProblem, error) {
	m := filtering.NonlinearBenchmark()
	_, Y, err := m.Simulate(p.Int("T"), 1, func(dst []float64, _ int, x []float64, rng *rand.Rand) {
		dst[0] = x[0]*x[0]/20 + rng.NormFloat64()
	}, rng)
	if err != nil {
		return nil, err
	}
	reference, err := referenceMeans(ctx, "nonlinear", func() filtering.System { return m }, Y, p.Int("reference"), 1, rng)
	if err != nil {
		return nil, err
	}
	return &filterProblem{system: m, Y: Y, reference: reference}, nil
}

// meanMMD is the mean over time of the MMD between particles and the exact Gaussians, filtered and predicted.
func meanMMD(ctx context.Context, bandwidth float64, exact *filtering.KalmanResult, h *filtering.History) (filtered, predictive float64, err error) {
	steps, _ := exact.Means.Dims()
	distance := func(mean []float64, cov *mat.SymDense, q rkhs.Measure) (float64, error) {
		p, err := rkhs.NewNormal(mean, cov)
		if err != nil {
			return 0, err
		}
		e, err := rkhs.Embed(rkhs.Gaussian{Bandwidth: bandwidth}, p)
		if err != nil {
			return 0, err
		}
		return rkhs.MMD(ctx, e, q)
	}
	for t := 1; t <= steps; t++ {
		f, err := distance(exact.Means.RawRowView(t-1), exact.Covs[t-1], h.Filtered(t))
		if err != nil {
			return 0, 0, err
		}
		g, err := distance(exact.PredictedMeans.RawRowView(t-1), exact.PredictedCovs[t-1], h.Predictive(t))
		if err != nil {
			return 0, 0, err
		}
		filtered += f / float64(steps)
		predictive += g / float64(steps)
	}
	return filtered, predictive, nil
}
