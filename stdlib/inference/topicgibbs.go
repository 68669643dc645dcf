package inference

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/vec"
)

// A collapsed sampler draws topics of words from their law given the topics of all other words that it counts; topics'
// distributions and documents' proportions are integrated out.
type collapsed struct {
	byWord  *mat.Dense // W x K: beta_0 plus how often the word is in the topic
	total   []float64  // its column sums
	alpha   float64
	n       []float64 // of the current document: alpha plus its words in the topic
	weights []float64
}

func newCollapsed(vocabulary int, s *TopicSettings) *collapsed {
	c := &collapsed{byWord: mat.NewDense(vocabulary, s.Topics, nil), total: make([]float64, s.Topics), alpha: s.Alpha,
		n: make([]float64, s.Topics), weights: make([]float64, s.Topics)}
	vec.Fill(c.byWord.RawMatrix().Data, s.Beta)
	vec.Fill(c.total, s.Beta*float64(vocabulary))
	return c
}

// open begins a document, of which some words may be counted already.
func (c *collapsed) open(z []int) {
	vec.Fill(c.n, c.alpha)
	for _, k := range z {
		c.n[k]++
	}
}

// count adds by times word w in topic k.
func (c *collapsed) count(w, k int, by float64) {
	c.n[k] += by
	c.byWord.RawRowView(w)[k] += by
	c.total[k] += by
}

// draw returns a topic for word w, and the sum over topics of (n_k + alpha) p(w | k).
func (c *collapsed) draw(w int, rng *rand.Rand) (k int, sum float64) {
	for k, f := range c.byWord.RawRowView(w) {
		c.weights[k] = c.n[k] * f / c.total[k]
		sum += c.weights[k]
	}
	return choose(c.weights, sum, rng), sum
}

// sweep draws the topics of a document's words anew, one after the other.
func (c *collapsed) sweep(words, z []int, rng *rand.Rand) {
	for j, w := range words {
		c.count(w, z[j], -1)
		z[j], _ = c.draw(w, rng)
		c.count(w, z[j], 1)
	}
}

// CollapsedGibbs samples the topics of all words of the corpus by collapsed Gibbs sampling (Griffiths and Steyvers 2004), from
// topics drawn at random, and returns the posterior of the topics given the last sample. Of the settings Topics, Alpha, Beta
// and Sweeps, over the whole corpus, count; Watch is called after each sweep. A sweep costs the corpus's words times K.
func CollapsedGibbs(ctx context.Context, c *Corpus, s *TopicSettings, rng *rand.Rand) (*Topics, error) {
	if rng == nil {
		return nil, fmt.Errorf("inference: rng is nil, must be a source of random numbers")
	}
	s = s.resolve(c)
	if err := s.check(c, 1); err != nil {
		return nil, err
	}
	sampler, z := newCollapsed(c.Vocabulary, s), make([][]int, len(c.Documents))
	for i, words := range c.Documents {
		z[i] = make([]int, len(words))
		for j, w := range words {
			z[i][j] = rng.IntN(s.Topics)
			sampler.count(w, z[i][j], 1)
		}
	}
	p := KnownTopics(mat.NewDense(s.Topics, c.Vocabulary, nil), s.Alpha)
	for sweep := range s.Sweeps {
		for i, words := range c.Documents {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			sampler.open(z[i])
			sampler.sweep(words, z[i], rng)
		}
		p.Dirichlet[0].Copy(sampler.byWord.T())
		if s.Watch != nil {
			if err := s.Watch((sweep+1)*len(c.Documents), p); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

// TopicMonteCarlo is one pass of sequential Monte Carlo over the documents in random order (Canini, Shi and Griffiths 2009): each
// particle draws the topic of a word given those of all words before, and is weighted by the word's probability; when a
// document ends it is swept over Sweeps - 1 times by collapsed Gibbs sampling, which leaves the law as it is, and when the
// effective number of particles is below half they are resampled. With one particle it is sequential assignment. Of the
// settings Topics, Alpha, Beta, Particles and Sweeps count; Watch is called after each Batch documents. A document costs, for
// each particle, its words times K and the sweeps; memory is K W for each.
func TopicMonteCarlo(ctx context.Context, c *Corpus, s *TopicSettings, rng *rand.Rand) (*Topics, error) {
	if rng == nil {
		return nil, fmt.Errorf("inference: rng is nil, must be a source of random numbers")
	}
	s = s.resolve(c)
	if err := s.check(c, 1); err != nil {
		return nil, err
	}
	particles := make([]*collapsed, s.Particles)
	for i := range particles {
		particles[i] = newCollapsed(c.Vocabulary, s)
	}
	log, weights := make([]float64, s.Particles), make([]float64, s.Particles)
	vec.Fill(weights, 1/float64(s.Particles))
	var err error
	for visited, d := range rng.Perm(len(c.Documents)) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if EffectiveSize(weights) < 0.5*float64(s.Particles) {
			particles = resampleTopics(particles, weights, rng)
			vec.Fill(log, 0)
		}
		words, key := c.Documents[d], rng.Uint64()
		parallel.Blocks(s.Particles, 1, func(i, _, _ int) {
			log[i] += particles[i].read(words, s.Sweeps, rand.New(rand.NewPCG(key, uint64(i))))
		})
		if weights, err = weigh(log, 1); err != nil {
			return nil, err
		}
		if at := visited + 1; s.Watch != nil && at%s.Batch == 0 {
			if err := s.Watch(at, topicsOf(particles, weights)); err != nil {
				return nil, err
			}
		}
	}
	return topicsOf(particles, weights), nil
}

// read takes a document in: it returns the logarithm of its words' probability, an estimate without bias of which is its
// exponential.
func (c *collapsed) read(words []int, sweeps int, rng *rand.Rand) float64 {
	c.open(nil)
	z, log, product := make([]int, len(words)), 0.0, 1.0
	for j, w := range words {
		var sum float64
		z[j], sum = c.draw(w, rng)
		c.count(w, z[j], 1)
		if product *= sum / (float64(j) + c.alpha*float64(len(c.n))); product < 1e-200 {
			log, product = log+vec.Log1(product), 1
		}
	}
	for range sweeps - 1 {
		c.sweep(words, z, rng)
	}
	return log + vec.Log1(product)
}

// resampleTopics draws as many particles by systematic resampling; those drawn again are copies.
func resampleTopics(particles []*collapsed, weights []float64, rng *rand.Rand) []*collapsed {
	out := make([]*collapsed, len(particles))
	last := -1
	for i, a := range systematic(weights, len(particles), len(particles), rng) {
		out[i] = particles[a]
		if a == last {
			out[i] = particles[a].clone()
		}
		last = a
	}
	return out
}

func (c *collapsed) clone() *collapsed {
	n := len(c.n)
	return &collapsed{mat.DenseCopyOf(c.byWord), append([]float64(nil), c.total...), c.alpha, make([]float64, n), make([]float64, n)}
}

func topicsOf(particles []*collapsed, weights []float64) *Topics {
	p := &Topics{Weights: append([]float64(nil), weights...), Alpha: particles[0].alpha}
	for _, c := range particles {
		p.Dirichlet = append(p.Dirichlet, mat.DenseCopyOf(c.byWord.T()))
	}
	return p
}
