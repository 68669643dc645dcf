package studies

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/inference"
	"gaucho/stdlib/study"
)

func init() { register("distributions-topics", distributionsTopics) }

// distributionsTopics is after figure 4.2(3) of Dai 2018 (section 4.6.4): the perplexity of held-out documents under latent
// Dirichlet allocation against the documents visited, on a corpus drawn from the model in place of an encyclopedia. PMD is
// particle mirror descent with one particle; Gibbs is collapsed Gibbs sampling over all documents with as many sweeps as
// there are passes times 8. A record also holds the perplexity of the true topics, the floor.
func distributionsTopics(size Size) *study.Study {
	documents, topics, vocabulary, passes, replications, seconds := 5000, 20, 1000, 15, 5, 30.0
	switch size {
	case Small:
		documents, topics, vocabulary, passes, replications, seconds = 800, 5, 200, 5, 1, 0.1
	case Default:
		passes, replications, seconds = 5, 2, 8
	}
	return &study.Study{
		Name: sized("distributions-topics", size), Version: "1", Seed: 44, Replications: replications, Seconds: seconds,
		About: "perplexity of topic models against the documents visited (after Dai 2018, figure 4.2, 3)",
		Points: study.Grid(study.Values("method", "PMD", "Gibbs"), study.Values("documents", documents), study.Values("topics", topics),
			study.Values("vocabulary", vocabulary), study.Values("passes", passes)),
		Paired: []string{"method"}, Replicate: replicateDistributionsTopics,
	}
}

func replicateDistributionsTopics(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	const alpha, held = 0.1, 300
	n := p.Int("documents")
	all, truth, err := inference.SimulateCorpus(n+held, 80, p.Int("topics"), p.Int("vocabulary"), alpha, 0.02, rng)
	if err != nil {
		return nil, err
	}
	train := &inference.Corpus{Documents: all.Documents[:n], Vocabulary: all.Vocabulary}
	test := &inference.Corpus{Documents: all.Documents[n:], Vocabulary: all.Vocabulary}
	key := rng.Uint64()
	judge := func(phi *mat.Dense) (float64, error) {
		return inference.Perplexity(ctx, phi, test, alpha, rand.New(rand.NewPCG(key, 0)))
	}
	floor, err := judge(truth)
	if err != nil {
		return nil, err
	}
	s := inference.DefaultTopicSettings()
	s.Topics, s.Alpha = p.Int("topics"), alpha
	var visited, path []float64
	var last *inference.Topics
	switch method := p.Text("method"); method {
	case "PMD":
		s.Steps = p.Int("passes") * n / s.Batch
		next := s.Batch
		s.Watch = func(at int, q *inference.Topics) error {
			if at < next {
				return nil
			}
			next = 2 * at
			v, err := judge(q.Mean())
			visited, path = append(visited, float64(at)), append(path, v)
			return err
		}
		last, err = inference.TopicMirrorDescent(ctx, train, s, rng)
	case "Gibbs":
		s.Sweeps *= p.Int("passes")
		last, err = inference.CollapsedGibbs(ctx, train, s, rng)
	default:
		err = fmt.Errorf("no method %q", method)
	}
	if err != nil {
		return nil, err
	}
	final, err := judge(last.Mean())
	if err != nil {
		return nil, err
	}
	visited, path = append(visited, float64(p.Int("passes")*n)), append(path, final)
	return study.Record{"visited": visited, "perplexity": path, "final": final, "floor": floor, "excess": final/floor - 1}, nil
}
