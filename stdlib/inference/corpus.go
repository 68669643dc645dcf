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
