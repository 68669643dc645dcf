package inference

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/vec"
)

// TopicVariational is stochastic variational inference for latent Dirichlet allocation (Hoffman, Blei, Wang and Paisley 2013): topics,
// documents' proportions and words' topics are independent; for a batch of B of D documents the two latter are fitted
// to convergence, and the topics' Dirichlet parameters take a step
//
//	beta_kw <- (1-rho) beta_kw + rho (beta_0 + D/B sum of the batch's words w, by their probability of topic k).
//
// With all documents in a batch and steps of size 1 it is coordinate ascent of the evidence's bound. Nil settings are the
// defaults; all count but Particles and Sweeps. A step costs K for each word that differs from the document's others, times up
// to 100 iterations, and K W.
func TopicVariational(ctx context.Context, c *Corpus, s *TopicSettings, rng *rand.Rand) (*Topics, error) {
	if rng == nil {
		return nil, fmt.Errorf("inference: rng is nil, must be a source of random numbers")
	}
	s = s.resolve(c)
	if err := s.check(c, 0); err != nil {
		return nil, err
	}
	beta := s.start(c.Vocabulary, rng)
	p := KnownTopics(beta, s.Alpha)
	fits := make([]*documentFit, s.Batch)
	err := s.run(ctx, c, p, rng, func(t int, batch []int, scale float64) error {
		rho, err := s.Step.mirror(t)
		if err != nil {
			return err
		}
		phi := geometricMean(beta)
		parallel.Blocks(len(batch), 1, func(b, _, _ int) { fits[b] = fitDocument(c.Documents[batch[b]], phi, s.Alpha) })
		counts := mat.NewDense(s.Topics, c.Vocabulary, nil)
		for _, f := range fits {
			f.addTo(counts, phi)
		}
		topicStep(beta, counts, rho, s.Beta, scale, false)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// geometricMean returns exp E log phi for Dirichlet rows, transposed: W x K.
func geometricMean(beta *mat.Dense) *mat.Dense {
	topics, words := beta.Dims()
	out := mat.NewDense(words, topics, nil)
	parallel.Blocks(topics, 1, func(k, _, _ int) {
		row := beta.RawRowView(k)
		total := digamma(vec.Sum(row))
		log := make([]float64, words)
		for w, b := range row {
			log[w] = digamma(b) - total
		}
		vec.Exp(log, log)
		for w, v := range log {
			out.Set(w, k, v)
		}
	})
	return out
}

// A documentFit is a variational posterior of a document: words, each once, how often they are there, the Dirichlet
// parameters of the proportions and exp E log of them.
type documentFit struct {
	words  []int
	counts []float64
	gamma  []float64
	theta  []float64
}

// fitDocument alternates between the words' topics, p(k) ~ theta_k phi[w][k], and the proportions, until these change by less
// than 1e-6 of a word, on average, or 100 times.
func fitDocument(words []int, phi *mat.Dense, alpha float64) *documentFit {
	_, topics := phi.Dims()
	f := &documentFit{gamma: make([]float64, topics), theta: make([]float64, topics)}
	at := map[int]int{}
	for _, w := range words {
		i, seen := at[w]
		if !seen {
			i = len(f.words)
			at[w] = i
			f.words, f.counts = append(f.words, w), append(f.counts, 0)
		}
		f.counts[i]++
	}
	vec.Fill(f.gamma, alpha+float64(len(words))/float64(topics))
	next := make([]float64, topics)
	for range 100 {
		f.expect()
		clear(next)
		for i, w := range f.words {
			row := phi.RawRowView(w)
			vec.Axpy(next, f.counts[i]/max(vec.Dot(f.theta, row), leastDensity), row)
		}
		vec.Mul(next, next, f.theta)
		vec.Offset(next, alpha, next)
		change := 0.0
		for k, v := range next {
			change += math.Abs(v - f.gamma[k])
		}
		copy(f.gamma, next)
		if change < 1e-6*float64(topics) {
			break
		}
	}
	f.expect()
	return f
}

// expect sets theta to exp E log of the proportions.
func (f *documentFit) expect() {
	total := digamma(vec.Sum(f.gamma))
	for k, g := range f.gamma {
		f.theta[k] = digamma(g) - total
	}
	vec.Exp(f.theta, f.theta)
}

// addTo adds the expected counts of the document's words in topics.
func (f *documentFit) addTo(counts, phi *mat.Dense) {
	for i, w := range f.words {
		row := phi.RawRowView(w)
		scale := f.counts[i] / max(vec.Dot(f.theta, row), leastDensity)
		for k, v := range row {
			counts.Set(k, w, counts.At(k, w)+scale*f.theta[k]*v)
		}
	}
}

// VariationalPerplexity is [Topics.Perplexity] with the proportions of a document estimated by their variational
// posterior, as suits topics from [TopicVariational].
func (p *Topics) VariationalPerplexity(ctx context.Context, held *Corpus) (float64, error) {
	var means, geometric []*mat.Dense
	for _, b := range p.Dirichlet {
		means, geometric = append(means, mat.DenseCopyOf(rowShares(b).T())), append(geometric, geometricMean(b))
	}
	return p.perplexity(ctx, held, means, func(words []int, _, particle int) []float64 {
		theta := fitDocument(words, geometric[particle], p.Alpha).gamma
		vec.Scale(theta, 1/vec.Sum(theta), theta)
		return theta
	})
}
