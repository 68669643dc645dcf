package inference

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/vec"
)

// TopicMirrorDescent approximates the posterior of latent Dirichlet allocation by particle mirror descent (section 4.6.4 and
// appendix B.6.2 of Dai 2018). A particle stands for the topics Z of all words; given them the topics have Dirichlet
// distributions, of which a step with B of D documents changes the parameters to
//
//	beta_kw <- (1-gamma) beta_kw + gamma (beta_0 + D/B sum of the batch's words w in topic k),
//
// and the weights w to w^(1-gamma) times the step's normaliser: the integral over the topics Phi of
// q(Phi)^(1-gamma) p(Phi)^gamma p(words | Z, Phi)^(gamma D/B). A visited document's topics are sampled by sweeps of Gibbs sampling
// given the particle's mean topics, as in the text; what they are drawn from is not divided out of the weights, which so favour
// particles whose assignments fit. Sweeps = 0 keeps assignments drawn from the prior for good, as theorem 18 has it:
// exact in the limit of many particles, and of use for corpora of some ten words. With one particle, as in the text's
// experiment, weights say nothing and the step is a stochastic approximation to collapsed Gibbs sampling.
//
// Nil settings are the defaults; all of them count. A step costs, for each particle, the batch's words times K and the
// sweeps, and K W.
func TopicMirrorDescent(ctx context.Context, c *Corpus, s *TopicSettings, rng *rand.Rand) (*Topics, error) {
	if rng == nil {
		return nil, fmt.Errorf("inference: rng is nil, must be a source of random numbers")
	}
	s = s.resolve(c)
	if err := s.check(c, 0); err != nil {
		return nil, err
	}
	p := &Topics{Weights: make([]float64, s.Particles), Alpha: s.Alpha}
	vec.Fill(p.Weights, 1/float64(s.Particles))
	for range s.Particles {
		p.Dirichlet = append(p.Dirichlet, s.start(c.Vocabulary, rng))
	}
	log := make([]float64, s.Particles)
	fixed := rng.Uint64()
	err := s.run(ctx, c, p, rng, func(t int, batch []int, scale float64) error {
		gamma, err := s.Step.mirror(t)
		if err != nil {
			return err
		}
		key := rng.Uint64()
		parallel.Blocks(s.Particles, 1, func(i, _, _ int) {
			counts := mat.NewDense(s.Topics, c.Vocabulary, nil)
			for d, z := range s.assignments(c, batch, p.Dirichlet[i], key+uint64(i), fixed+uint64(i)) {
				addCounts(counts, c.Documents[batch[d]], z)
			}
			gain := topicStep(p.Dirichlet[i], counts, gamma, s.Beta, scale, s.Particles > 1)
			log[i] = (1-gamma)*log[i] + gain
		})
		p.Weights, err = weigh(log, 1)
		return err
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// assignments returns topics of the batch's words for a particle with Dirichlet parameters beta.
func (s *TopicSettings) assignments(c *Corpus, batch []int, beta *mat.Dense, key, fixed uint64) [][]int {
	out := make([][]int, len(batch))
	if s.Sweeps == 0 {
		for b, d := range batch {
			out[b] = urn(len(c.Documents[d]), s.Topics, s.Alpha, rand.New(rand.NewPCG(fixed, uint64(d))))
		}
		return out
	}
	phi := mat.DenseCopyOf(rowShares(beta).T())
	parallel.Blocks(len(batch), 1, func(b, _, _ int) {
		out[b], _ = assign(c.Documents[batch[b]], phi, s.Alpha, s.Sweeps, rand.New(rand.NewPCG(key, uint64(b))))
	})
	return out
}

// urn draws topics of n words from their prior, of which the proportions are integrated out.
func urn(n, topics int, alpha float64, rng *rand.Rand) []int {
	z, weight := make([]int, n), make([]float64, topics)
	vec.Fill(weight, alpha)
	for j := range z {
		z[j] = choose(weight, alpha*float64(topics)+float64(j), rng)
		weight[z[j]]++
	}
	return z
}

func addCounts(counts *mat.Dense, words, z []int) {
	for j, w := range words {
		counts.Set(z[j], w, counts.At(z[j], w)+1)
	}
}

// topicStep is the step of the Dirichlet parameters. It returns the logarithm of the normaliser, but for what is the same for
// all particles, where weighed asks for it.
func topicStep(beta, counts *mat.Dense, gamma, prior, scale float64, weighed bool) float64 {
	gain := 0.0
	if weighed {
		gain = -(1 - gamma) * logNormalizer(beta)
	}
	b := beta.RawMatrix().Data
	vec.Scale(b, 1-gamma, b)
	vec.Axpy(b, gamma*scale, counts.RawMatrix().Data)
	vec.Offset(b, gamma*prior, b)
	if weighed {
		gain += logNormalizer(beta)
	}
	return gain
}

// logNormalizer is the sum over rows of the logarithm of the integral of the products of phi_w^(b_w - 1) over the simplex.
func logNormalizer(b *mat.Dense) float64 {
	sum := 0.0
	k, _ := b.Dims()
	for i := range k {
		row := b.RawRowView(i)
		for _, v := range row {
			sum += logGamma(v)
		}
		sum -= logGamma(vec.Sum(row))
	}
	return sum
}
