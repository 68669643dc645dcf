package inference

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

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
	if rng == nil {
		return nil, nil, fmt.Errorf("inference: rng is nil, must be a source of random numbers")
	}
	for _, c := range []struct {
		name string
		v    int
	}{{"number of topics", topics}, {"vocabulary", vocabulary}} {
		if err := checkAtLeast(c.name, c.v, 1); err != nil {
			return nil, nil, err
		}
	}
	if err := checkPositive("beta", beta); err != nil {
		return nil, nil, err
	}
	phi := mat.NewDense(topics, vocabulary, nil)
	for k := range topics {
		dirichlet(phi.RawRowView(k), beta, rng)
	}
	c, err := SimulateDocuments(phi, documents, length, alpha, rng)
	return c, phi, err
}

// SimulateDocuments draws documents of given topics, K x W with rows that sum to one: for each document proportions from a
// symmetric Dirichlet distribution with parameter alpha, and length words, each of a topic so drawn.
func SimulateDocuments(phi *mat.Dense, documents, length int, alpha float64, rng *rand.Rand) (*Corpus, error) {
	if rng == nil {
		return nil, fmt.Errorf("inference: rng is nil, must be a source of random numbers")
	}
	if err := checkAtLeast("number of documents", documents, 1); err != nil {
		return nil, err
	}
	if err := checkAtLeast("length", length, 1); err != nil {
		return nil, err
	}
	if err := checkPositive("alpha", alpha); err != nil {
		return nil, err
	}
	topics, vocabulary := phi.Dims()
	for k := range topics {
		if s := vec.Sum(phi.RawRowView(k)); !(math.Abs(s-1) < 1e-8) {
			return nil, fmt.Errorf("inference: topic %d sums to %v, must sum to 1", k, s)
		}
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
	return c, nil
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

// TopicsFound counts the rows of truth that some row of phi resembles with at least the given cosine; both have topics in rows, in
// any order, over the same vocabulary.
func TopicsFound(phi, truth *mat.Dense, cosine float64) int {
	found := 0
	topics, _ := truth.Dims()
	estimated, _ := phi.Dims()
	for k := range topics {
		a := truth.RawRowView(k)
		for i := range estimated {
			b := phi.RawRowView(i)
			if vec.Dot(a, b) >= cosine*math.Sqrt(vec.Dot(a, a)*vec.Dot(b, b)) {
				found++
				break
			}
		}
	}
	return found
}
