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

// TopicLangevin samples the posterior of topics by stochastic gradient Riemannian Langevin dynamics (SGRLD, Patterson and Teh
// 2013) in the expanded mean theta, K x W, of which the rows divided by their sums are topics phi: with a batch of B of
// D documents
//
//	theta_kw <- |theta_kw + e_t/2 (beta_0 - theta_kw + D/B sum_d E[n_dkw - phi_kw n_dk]) + sqrt(theta_kw) N(0, e_t)|,
//
// n_dkw the words w of document d in topic k, their expectation by the later half of the sweeps of Gibbs sampling given phi.
// The law is the posterior's in the limit of small steps, large batches and many sweeps.
//
// It returns samples of theta from the later half of the steps, evenly spaced, as the parameters of so many particles of
// equal weight, of which only the rows' shares mean something. Watch gets the current theta as one particle. Nil
// settings are the defaults, whose step size, however, is for the other methods; all count but Particles. A step costs the
// batch's words times K and the sweeps, and K W. An iterate that is not finite is an error.
func TopicLangevin(ctx context.Context, c *Corpus, s *TopicSettings, samples int, rng *rand.Rand) (*Topics, error) {
	if rng == nil {
		return nil, fmt.Errorf("inference: rng is nil, must be a source of random numbers")
	}
	s = s.resolve(c)
	if err := s.check(c, 1); err != nil {
		return nil, err
	}
	burnIn := s.Steps / 2
	if samples < 1 || samples > s.Steps-burnIn {
		return nil, fmt.Errorf("inference: number of samples is %d, must be from 1 to half of the %d steps", samples, s.Steps)
	}
	theta := s.start(c.Vocabulary, rng)
	current, kept := KnownTopics(theta, s.Alpha), &Topics{Alpha: s.Alpha}
	noise := make([]float64, s.Topics*c.Vocabulary)
	shares := make([][]float64, s.Batch)
	err := s.run(ctx, c, current, rng, func(t int, batch []int, scale float64) error {
		e := s.Step(t)
		if err := checkPositive(fmt.Sprintf("step size at step %d", t), e); err != nil {
			return err
		}
		topics := rowShares(theta)
		phi, key := mat.DenseCopyOf(topics.T()), rng.Uint64()
		parallel.Blocks(len(batch), 1, func(b, _, _ int) {
			_, shares[b] = assign(c.Documents[batch[b]], phi, s.Alpha, s.Sweeps, rand.New(rand.NewPCG(key, uint64(b))))
		})
		counts := mat.NewDense(s.Topics, c.Vocabulary, nil)
		for b, share := range shares {
			for j, w := range c.Documents[batch[b]] {
				for k, v := range share[j*s.Topics : (j+1)*s.Topics] {
					counts.Set(k, w, counts.At(k, w)+v)
				}
			}
		}
		vec.FillNormal(noise, rng.Uint64(), 0)
		if err := langevinStep(theta, topics, counts, noise, e, s.Beta, scale); err != nil {
			return fmt.Errorf("inference: step %d of size %v: %w", t, e, err)
		}
		if after := t - burnIn; after > 0 && after*samples/(s.Steps-burnIn) > (after-1)*samples/(s.Steps-burnIn) {
			kept.Dirichlet = append(kept.Dirichlet, mat.DenseCopyOf(theta))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	kept.Weights = make([]float64, len(kept.Dirichlet))
	vec.Fill(kept.Weights, 1/float64(len(kept.Weights)))
	return kept, nil
}

// langevinStep is the step of theta, given its rows' shares and the expected counts.
func langevinStep(theta, topics, counts *mat.Dense, noise []float64, e, prior, scale float64) error {
	rows, words := theta.Dims()
	root := math.Sqrt(e)
	for k := range rows {
		row, phi, n, z := theta.RawRowView(k), topics.RawRowView(k), counts.RawRowView(k), noise[k*words:(k+1)*words]
		total := vec.Sum(n)
		for w, v := range row {
			drift := prior - v + scale*(n[w]-phi[w]*total)
			row[w] = math.Abs(v + 0.5*e*drift + root*math.Sqrt(v)*z[w])
			if math.IsNaN(row[w]) || math.IsInf(row[w], 0) {
				return fmt.Errorf("topic %d has weight %v at word %d: the step size is too large", k, row[w], w)
			}
		}
		if vec.Sum(row) == 0 {
			return fmt.Errorf("topic %d has no words left: the step size is too large", k)
		}
	}
	return nil
}
