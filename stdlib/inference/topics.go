package inference

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/vec"
)

// TopicSettings are those of the methods for latent Dirichlet allocation; each says which of them it looks at.
// Fields that are zero have the values of [DefaultTopicSettings]; None is 0 for Sweeps.
type TopicSettings struct {
	Topics    int      // K
	Alpha     float64  // of the Dirichlet prior of documents' proportions
	Beta      float64  // and of topics, beta_0
	Particles int      // of mirror descent and of sequential Monte Carlo
	Batch     int      // documents of a step
	Steps     int      // T
	Step      Schedule // for t = 1, 2, ...: gamma_t of the objective, the text's divided by the number of documents; rho_t; e_t
	Sweeps    int      // of Gibbs sampling over a visited document; None where it is not needed

	// Watch, if not nil, is called after every step with the documents visited so far and the posterior, which goes on
	// changing. An error ends the run.
	Watch func(visited int, p *Topics) error
}

// DefaultTopicSettings returns 20 topics, alpha 0.1, beta 0.01, one particle, 250 steps with batches of 100, gamma_t =
// (1 + t/20)^-0.7 20^-0.7, and 8 sweeps.
func DefaultTopicSettings() *TopicSettings {
	return &TopicSettings{Topics: 20, Alpha: 0.1, Beta: 0.01, Particles: 1, Batch: 100, Steps: 250,
		Step: Power(vec.Pow1(20, -0.7), 20, 0.7), Sweeps: 8}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *TopicSettings) WithDefaults() *TopicSettings {
	return settings.Fill(s, DefaultTopicSettings())
}

// resolve returns the settings in effect for a corpus, None as 0.
func (s *TopicSettings) resolve(c *Corpus) *TopicSettings {
	defaults, n := DefaultTopicSettings(), 0
	if c != nil {
		n = len(c.Documents)
	}
	out := fill(s, defaults, &defaults.Batch, n)
	settings.Clear(&out.Sweeps)
	return out
}

// check also checks the corpus; leastSweeps is the method's.
func (s *TopicSettings) check(c *Corpus, leastSweeps int) error {
	if err := c.Validate(); err != nil {
		return err
	}
	for _, v := range []struct {
		name         string
		value, least int
	}{{"Topics", s.Topics, 1}, {"Steps", s.Steps, 1}, {"Particles", s.Particles, 1}, {"Sweeps", s.Sweeps, leastSweeps}} {
		if err := checkAtLeast(v.name, v.value, v.least); err != nil {
			return err
		}
	}
	if err := checkPositive("Alpha", s.Alpha); err != nil {
		return err
	}
	if err := checkPositive("Beta", s.Beta); err != nil {
		return err
	}
	if s.Step == nil {
		return fmt.Errorf("inference: Step is nil, must be given")
	}
	return checkBatch(s.Batch, len(c.Documents))
}

// start returns Dirichlet parameters near uniform, K x W: a rough start locks merged topics in.
func (s *TopicSettings) start(vocabulary int, rng *rand.Rand) *mat.Dense {
	b := mat.NewDense(s.Topics, vocabulary, nil)
	for k := range s.Topics {
		for w := range vocabulary {
			b.Set(k, w, 1+vec.Exp1(logGammaDraw(100, rng))/100)
		}
	}
	return b
}

// run calls step with the step's number, a batch of documents and D/B, and Watch with p after each.
func (s *TopicSettings) run(ctx context.Context, c *Corpus, p *Topics, rng *rand.Rand, step func(t int, batch []int, scale float64) error) error {
	batches := newBatcher(len(c.Documents), s.Batch, rng)
	for t := 1; t <= s.Steps; t++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := step(t, batches.next(), batches.scale()); err != nil {
			return err
		}
		if s.Watch != nil {
			if err := s.Watch(t*s.Batch, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// Topics is a posterior of topics: a mixture, over particles, of independent Dirichlet distributions. Topic k of one
// particle need not be topic k of another.
type Topics struct {
	Dirichlet []*mat.Dense // the parameters for each particle, K x W, topics in rows
	Weights   []float64    // of particles; they sum to one
	Alpha     float64      // of documents' proportions
}

// KnownTopics returns the posterior of one who knows the topics phi, K x W with rows that sum to one: the standard for
// perplexities where a corpus was simulated.
func KnownTopics(phi *mat.Dense, alpha float64) *Topics {
	return &Topics{[]*mat.Dense{phi}, []float64{1}, alpha}
}

// Mean returns the mean topics of the particle with the largest weight, K x W; rows sum to one.
func (p *Topics) Mean() *mat.Dense {
	best := 0
	for i, w := range p.Weights {
		if w > p.Weights[best] {
			best = i
		}
	}
	return rowShares(p.Dirichlet[best])
}

// rowShares returns b with its rows divided by their sums.
func rowShares(b *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(b)
	k, _ := b.Dims()
	for i := range k {
		row := out.RawRowView(i)
		vec.Scale(row, 1/vec.Sum(row), row)
	}
	return out
}

// Perplexity returns exp of minus the mean log probability of held-out words: of every document the words at even places
// estimate its proportions for each particle, by 50 sweeps of Gibbs sampling given the particle's mean topics, and those at
// odd places are judged (appendix B.8.2 of Dai 2018; there the mean is of documents' perplexities). Smaller is better; the
// vocabulary's size is that of no knowledge. Cost 50 K for each word and particle.
func (p *Topics) Perplexity(ctx context.Context, held *Corpus, rng *rand.Rand) (float64, error) {
	if rng == nil {
		return 0, fmt.Errorf("inference: rng is nil, must be a source of random numbers")
	}
	var phis []*mat.Dense
	for _, b := range p.Dirichlet {
		phis = append(phis, mat.DenseCopyOf(rowShares(b).T()))
	}
	key := rng.Uint64()
	return p.perplexity(ctx, held, phis, func(words []int, doc, particle int) []float64 {
		_, share := assign(words, phis[particle], p.Alpha, 50, rand.New(rand.NewPCG(key, uint64(doc+particle*len(held.Documents)))))
		topics, _ := p.Dirichlet[particle].Dims()
		theta := make([]float64, topics)
		vec.Fill(theta, p.Alpha)
		for ; len(share) > 0; share = share[topics:] {
			vec.Add(theta, theta, share[:topics])
		}
		vec.Scale(theta, 1/(float64(len(words))+float64(topics)*p.Alpha), theta)
		return theta
	})
}

// perplexity judges words at odd places given proportions that estimate makes of those at even places; phis are the mean
// topics, W x K.
func (p *Topics) perplexity(ctx context.Context, held *Corpus, phis []*mat.Dense, estimate func(words []int, doc, particle int) []float64) (float64, error) {
	if err := held.Validate(); err != nil {
		return 0, err
	}
	if err := checkPositive("Alpha", p.Alpha); err != nil {
		return 0, err
	}
	if _, w := p.Dirichlet[0].Dims(); w != held.Vocabulary {
		return 0, fmt.Errorf("inference: topics have %d words and the corpus %d, must be equal", w, held.Vocabulary)
	}
	logs, counts := make([]float64, len(held.Documents)), make([]float64, len(held.Documents))
	parallel.Blocks(len(held.Documents), 1, func(b, _, _ int) {
		if ctx.Err() != nil {
			return
		}
		var seen, judged []int
		for j, w := range held.Documents[b] {
			if j%2 == 0 {
				seen = append(seen, w)
			} else {
				judged = append(judged, w)
			}
		}
		probability := make([]float64, len(judged))
		for i, phi := range phis {
			theta := estimate(seen, b, i)
			for j, w := range judged {
				probability[j] += p.Weights[i] * vec.Dot(theta, phi.RawRowView(w))
			}
		}
		for _, v := range probability {
			logs[b] += vec.Log1(max(v, leastDensity))
		}
		counts[b] = float64(len(judged))
	})
	if vec.Sum(counts) == 0 && ctx.Err() == nil {
		return 0, fmt.Errorf("inference: held-out documents have no words to judge, must have two in a document")
	}
	return vec.Exp1(-vec.Sum(logs) / vec.Sum(counts)), ctx.Err()
}

// assign samples topics of a document's words by sweeps of Gibbs sampling over p(z_j = k) ~ (n_k + alpha) phi[w_j][k], phi W x K,
// n_k the document's other words in topic k. It returns the last assignment and, len(words) x K, the share of the later half
// of the sweeps in which word j was in topic k.
func assign(words []int, phi *mat.Dense, alpha float64, sweeps int, rng *rand.Rand) (z []int, share []float64) {
	_, topics := phi.Dims()
	z, share = make([]int, len(words)), make([]float64, len(words)*topics)
	n, p := make([]float64, topics), make([]float64, topics)
	vec.Fill(n, alpha)
	for sweep := range sweeps {
		for j, w := range words {
			if sweep > 0 {
				n[z[j]]--
			}
			total := 0.0
			for k, f := range phi.RawRowView(w) {
				p[k] = n[k] * f
				total += p[k]
			}
			z[j] = choose(p, total, rng)
			n[z[j]]++
			if sweep >= sweeps/2 {
				share[j*topics+z[j]] += 1 / float64(sweeps-sweeps/2)
			}
		}
	}
	return z, share
}
