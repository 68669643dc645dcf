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

// Corpus is documents as sequences of words, numbered from 0 to Vocabulary-1. The order within a document has no meaning.
type Corpus struct {
	Documents  [][]int
	Vocabulary int
}

// Validate returns an error unless there are documents and all words are in the vocabulary.
func (c *Corpus) Validate() error {
	if c == nil || len(c.Documents) == 0 {
		return fmt.Errorf("inference: corpus has no documents, must have 1")
	}
	for i, d := range c.Documents {
		for j, w := range d {
			if w < 0 || w >= c.Vocabulary {
				return fmt.Errorf("inference: word %d of document %d is %d, must be from 0 to %d", j, i, w, c.Vocabulary-1)
			}
		}
	}
	return nil
}

// SimulateCorpus draws documents from latent Dirichlet allocation: topics, the rows of the returned matrix, from a symmetric
// Dirichlet distribution with parameter beta over the vocabulary; for each document proportions from one with parameter
// alpha over the topics, and length words, each of a topic so drawn.
func SimulateCorpus(documents, length, topics, vocabulary int, alpha, beta float64, rng *rand.Rand) (*Corpus, *mat.Dense, error) {
	for _, c := range []struct {
		name string
		v    int
	}{{"number of documents", documents}, {"length", length}, {"number of topics", topics}, {"vocabulary", vocabulary}} {
		if err := checkAtLeast(c.name, c.v, 1); err != nil {
			return nil, nil, err
		}
	}
	if err := checkPositive("alpha", alpha); err != nil {
		return nil, nil, err
	}
	if err := checkPositive("beta", beta); err != nil {
		return nil, nil, err
	}
	phi := mat.NewDense(topics, vocabulary, nil)
	for k := range topics {
		dirichlet(phi.RawRowView(k), beta, rng)
	}
	c := &Corpus{Documents: make([][]int, documents), Vocabulary: vocabulary}
	theta := make([]float64, topics)
	for i := range c.Documents {
		dirichlet(theta, alpha, rng)
		c.Documents[i] = make([]int, length)
		for j := range c.Documents[i] {
			c.Documents[i][j] = choose(phi.RawRowView(choose(theta, 1, rng)), 1, rng)
		}
	}
	return c, phi, nil
}

// dirichlet fills dst with a draw from the symmetric Dirichlet distribution with parameter a.
func dirichlet(dst []float64, a float64, rng *rand.Rand) {
	for i := range dst {
		dst[i] = logGammaDraw(a, rng)
	}
	vec.Softmax(dst, dst)
}

// logGammaDraw returns the logarithm of a draw from the gamma distribution with the given shape and scale 1 (Marsaglia and Tsang
// 2000); a shape below 1 by one of shape + 1 times U^(1/shape).
func logGammaDraw(shape float64, rng *rand.Rand) float64 {
	boost := 0.0
	if shape < 1 {
		boost = vec.Log1(1-rng.Float64()) / shape
		shape++
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := rng.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v *= v * v
		if vec.Log1(1-rng.Float64()) < 0.5*x*x+d-d*v+d*vec.Log1(v) {
			return vec.Log1(d*v) + boost
		}
	}
}

// choose returns an index with probability w[i]/total.
func choose(w []float64, total float64, rng *rand.Rand) int {
	u := total * rng.Float64()
	for i, v := range w {
		if u -= v; u < 0 {
			return i
		}
	}
	return len(w) - 1
}

// TopicSettings are those of [TopicMirrorDescent].
type TopicSettings struct {
	Topics int      // K
	Alpha  float64  // of the Dirichlet prior of documents' proportions
	Beta   float64  // and of topics
	Batch  int      // documents of a step
	Steps  int      // T
	Step   Schedule // gamma_t of the objective, in (0, 1]: the text's divided by the number of documents
	Sweeps int      // of Gibbs sampling over a visited document

	// Watch, if not nil, is called after every step with the documents visited so far and the posterior, which goes on
	// changing. An error ends the run.
	Watch func(visited int, p *Topics) error
}

// DefaultTopicSettings returns 20 topics, alpha 0.1, beta 0.01, 250 steps with batches of 100, gamma_t = (1 + t/20)^-0.7 20^-0.7,
// and 8 sweeps.
func DefaultTopicSettings() *TopicSettings {
	return &TopicSettings{Topics: 20, Alpha: 0.1, Beta: 0.01, Batch: 100, Steps: 250, Step: Power(vec.Pow1(20, -0.7), 20, 0.7), Sweeps: 8}
}

func (s *TopicSettings) check(c *Corpus) error {
	if err := c.Validate(); err != nil {
		return err
	}
	for _, v := range []struct {
		name  string
		value int
	}{{"Topics", s.Topics}, {"Steps", s.Steps}, {"Sweeps", s.Sweeps}} {
		if err := checkAtLeast(v.name, v.value, 1); err != nil {
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

// Topics is a posterior of topics: independent Dirichlet distributions with the parameters in the rows of Dirichlet, K x W.
type Topics struct {
	Dirichlet *mat.Dense
	Alpha     float64
}

// Mean returns the posterior means of the topics, K x W; rows sum to one.
func (p *Topics) Mean() *mat.Dense {
	k, w := p.Dirichlet.Dims()
	out := mat.NewDense(k, w, nil)
	for i := range k {
		row := p.Dirichlet.RawRowView(i)
		vec.Scale(out.RawRowView(i), 1/vec.Sum(row), row)
	}
	return out
}

// TopicMirrorDescent approximates the posterior of latent Dirichlet allocation by particle mirror descent with one particle
// (section 4.6.4 and appendix B.6.2 of Dai 2018), which needs no weights: for a batch of B of D documents, words get topics by
// sweeps of Gibbs sampling given the topics' means, and the Dirichlet parameters take a step
//
//	beta_kw <- (1-gamma) beta_kw + gamma (beta_0 + D/B sum of the batch's words w in topic k).
//
// They start near uniform; a rough start locks merged topics in. Nil settings are the defaults. A step costs the batch's words
// times K and the sweeps, and K W.
func TopicMirrorDescent(ctx context.Context, c *Corpus, s *TopicSettings, rng *rand.Rand) (*Topics, error) {
	if s == nil {
		s = DefaultTopicSettings()
	}
	if err := s.check(c); err != nil {
		return nil, err
	}
	p := &Topics{mat.NewDense(s.Topics, c.Vocabulary, nil), s.Alpha}
	for k := range s.Topics {
		for w := range c.Vocabulary {
			p.Dirichlet.Set(k, w, 1+vec.Exp1(logGammaDraw(100, rng))/100)
		}
	}
	batches := newBatcher(len(c.Documents), s.Batch, rng)
	counts := mat.NewDense(s.Topics, c.Vocabulary, nil)
	assigned := make([][]int, s.Batch)
	for t := 1; t <= s.Steps; t++ {
		gamma, err := s.Step.mirror(t)
		if err != nil {
			return nil, err
		}
		phi := mat.DenseCopyOf(p.Mean().T())
		batch, key := batches.next(), rng.Uint64()
		parallel.Blocks(s.Batch, 1, func(b, _, _ int) {
			assigned[b], _ = assign(c.Documents[batch[b]], phi, s.Alpha, s.Sweeps, rand.New(rand.NewPCG(key, uint64(b))))
		})
		counts.Zero()
		for b, z := range assigned {
			for j, w := range c.Documents[batch[b]] {
				counts.Set(z[j], w, counts.At(z[j], w)+1)
			}
		}
		topicStep(p.Dirichlet, counts, gamma, s.Beta, batches.scale())
		if s.Watch != nil {
			if err := s.Watch(t*s.Batch, p); err != nil {
				return nil, err
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return p, nil
}

// topicStep is the step of the Dirichlet parameters.
func topicStep(beta, counts *mat.Dense, gamma, prior, scale float64) {
	b := beta.RawMatrix().Data
	vec.Scale(b, 1-gamma, b)
	vec.Axpy(b, gamma*scale, counts.RawMatrix().Data)
	vec.Offset(b, gamma*prior, b)
}

// assign samples topics of a document's words by sweeps of Gibbs sampling over p(z_j = k) ~ (n_k + alpha) phi[w_j][k], phi W x K,
// n_k the document's other words in topic k. It returns the last assignment and the mean of the counts n_k over the later half
// of the sweeps.
func assign(words []int, phi *mat.Dense, alpha float64, sweeps int, rng *rand.Rand) (z []int, mean []float64) {
	_, topics := phi.Dims()
	z, mean = make([]int, len(words)), make([]float64, topics)
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
		}
		if sweep >= sweeps/2 {
			for k := range mean {
				mean[k] += (n[k] - alpha) / float64(sweeps-sweeps/2)
			}
		}
	}
	return z, mean
}

// Perplexity returns exp of minus the mean log probability of held-out words under topics phi, K x W with rows that sum to
// one: of every document the words at even places estimate its proportions, by 50 sweeps of Gibbs sampling, and those at odd
// places are judged (appendix B.8.2 of Dai 2018; there the mean is of documents' perplexities). Smaller is better; the
// vocabulary's size is that of no knowledge.
func Perplexity(ctx context.Context, phi *mat.Dense, held *Corpus, alpha float64, rng *rand.Rand) (float64, error) {
	if err := held.Validate(); err != nil {
		return 0, err
	}
	topics, vocabulary := phi.Dims()
	if vocabulary != held.Vocabulary {
		return 0, fmt.Errorf("inference: topics have %d words and the corpus %d, must be equal", vocabulary, held.Vocabulary)
	}
	if err := checkPositive("alpha", alpha); err != nil {
		return 0, err
	}
	byWord := mat.DenseCopyOf(phi.T())
	key := rng.Uint64()
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
		_, theta := assign(seen, byWord, alpha, 50, rand.New(rand.NewPCG(key, uint64(b))))
		vec.Offset(theta, alpha, theta)
		vec.Scale(theta, 1/(float64(len(seen))+float64(topics)*alpha), theta)
		for _, w := range judged {
			logs[b] += vec.Log1(max(vec.Dot(theta, byWord.RawRowView(w)), leastDensity))
		}
		counts[b] = float64(len(judged))
	})
	if vec.Sum(counts) == 0 {
		return 0, fmt.Errorf("inference: held-out documents have no words to judge, must have two in a document")
	}
	return vec.Exp1(-vec.Sum(logs) / vec.Sum(counts)), ctx.Err()
}

// CollapsedGibbs samples the topics of all words of the corpus by collapsed Gibbs sampling (Griffiths and Steyvers 2004), from
// topics drawn at random, and returns the posterior of the topics given the last sample. Of the settings Topics, Alpha, Beta
// and Sweeps, over the whole corpus, count. A sweep costs the corpus's words times K.
func CollapsedGibbs(ctx context.Context, c *Corpus, s *TopicSettings, rng *rand.Rand) (*Topics, error) {
	if s == nil {
		s = DefaultTopicSettings()
	}
	if err := s.check(c); err != nil {
		return nil, err
	}
	p := &Topics{mat.NewDense(s.Topics, c.Vocabulary, nil), s.Alpha}
	byWord := mat.NewDense(c.Vocabulary, s.Topics, nil)
	vec.Fill(byWord.RawMatrix().Data, s.Beta)
	total := make([]float64, s.Topics)
	vec.Fill(total, s.Beta*float64(c.Vocabulary))
	z, n := make([][]int, len(c.Documents)), make([]float64, s.Topics)
	weights := make([]float64, s.Topics)
	for sweep := 0; sweep <= s.Sweeps; sweep++ {
		for i, words := range c.Documents {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if sweep == 0 {
				z[i] = make([]int, len(words))
			}
			vec.Fill(n, s.Alpha)
			for _, k := range z[i] {
				n[k]++
			}
			for j, w := range words {
				row := byWord.RawRowView(w)
				if sweep == 0 {
					z[i][j] = rng.IntN(s.Topics)
				} else {
					old := z[i][j]
					n[old]--
					row[old]--
					total[old]--
					sum := 0.0
					for k, f := range row {
						weights[k] = n[k] * f / total[k]
						sum += weights[k]
					}
					z[i][j] = choose(weights, sum, rng)
				}
				k := z[i][j]
				n[k]++
				row[k]++
				total[k]++
			}
		}
	}
	p.Dirichlet.Copy(byWord.T())
	return p, nil
}
