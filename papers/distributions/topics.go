package distributions

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gaucho/papers"
	"gaucho/stdlib/inference"
	"gaucho/stdlib/study"
	"gaucho/stdlib/vec"
)

// Topics returns a study like figure 4.2(3) of Dai 2018 (section 4.6.4): the perplexity of held-out documents under latent
// Dirichlet allocation against the documents visited, on a corpus drawn from the model in place of an encyclopedia. PMD is
// particle mirror descent with one particle, PMD 4 with four; SVI is stochastic variational inference; SGRLD is Riemannian
// Langevin dynamics, whose final value is the mean over five samples; SMC is one pass of sequential assignment; Gibbs is
// collapsed Gibbs sampling over all documents, with eight times as many sweeps as the others have passes. step is what the
// text chooses from a grid: the exponent of (20+t)^-step for PMD and SVI, and a of a (1+t/100)^-0.6 for SGRLD; it is 0 for
// the other methods. A record also holds the perplexity of the true topics, the floor, and how many of them were found, with
// a cosine of at least 0.9. Proportions of held-out documents are estimated by Gibbs sampling, and by SVI itself for SVI.
func Topics(size papers.Size) *study.Study {
	documents, topics, vocabulary, passes, replications, seconds := 5000, 20, 1000, 15, 5, 30.0
	switch size {
	case papers.Small:
		documents, topics, vocabulary, passes, replications, seconds = 800, 5, 200, 5, 1, 0.2
	case papers.Default:
		passes, replications, seconds = 5, 2, 8
	}
	rest := []study.Axis{study.Values("documents", documents), study.Values("topics", topics),
		study.Values("vocabulary", vocabulary), study.Values("passes", passes)}
	var points []study.Point
	for _, c := range []struct {
		method string
		steps  []any
	}{
		{"PMD", []any{0.5, 0.7, 0.9}}, {"PMD 4", []any{0.7}}, {"SVI", []any{0.5, 0.7, 0.9}}, {"SGRLD", []any{0.02, 0.05, 0.1}},
		{"SMC", []any{0.0}}, {"Gibbs", []any{0.0}},
	} {
		points = append(points, study.Grid(append([]study.Axis{study.Values("method", c.method), study.Values("step", c.steps...)}, rest...)...)...)
	}
	return &study.Study{
		Name: papers.Name("distributions-topics", size), Version: "2", Seed: 44, Replications: replications, Seconds: seconds,
		About:  "perplexity of topic models against the documents visited (after Dai 2018, figure 4.2, 3)",
		Points: points, Paired: []string{"method", "step"}, Replicate: replicateTopics,
	}
}

// A topicJudge measures topics on held-out documents, at visits that double.
type topicJudge struct {
	held        *inference.Corpus
	key         uint64
	variational bool
	next        int
	visited     []float64
	perplexity  []float64
}

func (j *topicJudge) judge(ctx context.Context, p *inference.Topics) (float64, error) {
	if j.variational {
		return p.VariationalPerplexity(ctx, j.held)
	}
	return p.Perplexity(ctx, j.held, rand.New(rand.NewPCG(j.key, 0)))
}

// see records topics after so many visits if it is time to.
func (j *topicJudge) see(ctx context.Context, visited int, p *inference.Topics) error {
	if visited < j.next {
		return nil
	}
	j.next = 2 * visited
	v, err := j.judge(ctx, p)
	j.visited, j.perplexity = append(j.visited, float64(visited)), append(j.perplexity, v)
	return err
}

func replicateTopics(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	const alpha, held = 0.1, 300
	n := p.Int("documents")
	all, truth, err := inference.SimulateCorpus(n+held, 80, p.Int("topics"), p.Int("vocabulary"), alpha, 0.02, rng)
	if err != nil {
		return nil, err
	}
	train := &inference.Corpus{Documents: all.Documents[:n], Vocabulary: all.Vocabulary}
	j := &topicJudge{held: &inference.Corpus{Documents: all.Documents[n:], Vocabulary: all.Vocabulary}, key: rng.Uint64()}
	floor, err := j.judge(ctx, inference.KnownTopics(truth, alpha))
	if err != nil {
		return nil, err
	}
	s := inference.DefaultTopicSettings()
	s.Topics, s.Alpha, s.Steps = p.Int("topics"), alpha, p.Int("passes")*n/s.Batch
	visits := s.Steps * s.Batch
	j.next = s.Batch
	s.Watch = func(visited int, p *inference.Topics) error {
		if visited == visits { // judged below
			return nil
		}
		return j.see(ctx, visited, p)
	}
	step := p.Float("step")
	decay := inference.Power(vec.Pow1(20, -step), 20, step)
	var last *inference.Topics
	switch method := p.Text("method"); method {
	case "PMD", "PMD 4":
		s.Step = decay
		if method == "PMD 4" {
			s.Particles = 4
		}
		last, err = inference.TopicMirrorDescent(ctx, train, s, rng)
	case "SVI":
		s.Step, j.variational = decay, true
		last, err = inference.TopicVariational(ctx, train, s, rng)
	case "SGRLD":
		s.Step = inference.Power(step, 100, 0.6)
		last, err = inference.TopicLangevin(ctx, train, s, 5, rng)
	case "SMC":
		visits = n
		last, err = inference.TopicMonteCarlo(ctx, train, s, rng)
	case "Gibbs":
		s.Sweeps *= p.Int("passes")
		visits = s.Sweeps * n
		last, err = inference.CollapsedGibbs(ctx, train, s, rng)
	default:
		err = fmt.Errorf("no method %q", method)
	}
	if err != nil {
		return nil, err
	}
	j.next = 0
	if err := j.see(ctx, visits, last); err != nil {
		return nil, err
	}
	final := j.perplexity[len(j.perplexity)-1]
	return study.Record{"visited": j.visited, "perplexity": j.perplexity, "final": final, "floor": floor, "excess": final/floor - 1,
		"found": float64(inference.TopicsFound(last.Mean(), truth, 0.9))}, nil
}
