package inference

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// MonteCarloSettings are those of [MonteCarlo]. Fields that are zero have the values of
// [DefaultMonteCarloSettings].
type MonteCarloSettings struct {
	Particles int
	Batch     int
	Move      float64 // h of Liu and West's kernel, in (0, 1)

	// Watch, if not nil, is called after every batch with the observations visited so far and the weighted particles, which
	// it must not change or keep. An error ends the run.
	Watch func(visited int, q rkhs.Measure) error
}

// DefaultMonteCarloSettings returns 1,500 particles, batches of 10 and Move 0.1.
func DefaultMonteCarloSettings() *MonteCarloSettings {
	return &MonteCarloSettings{Particles: 1500, Batch: 10, Move: 0.1}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *MonteCarloSettings) WithDefaults() *MonteCarloSettings {
	return settings.Fill(s, DefaultMonteCarloSettings())
}

// MonteCarlo is one pass of sequential Monte Carlo over the data in random order (Balakrishnan and Madigan 2006): particles
// from the prior are weighted by the likelihood of one batch after the other. When their effective number falls below half
// they are resampled and moved by Liu and West's kernel (2001), theta' = a theta + (1-a) mean + h C z with C C' the
// covariance of the particles, a^2 + h^2 = 1 and z normal, which keeps mean and covariance, but not the shape: modes grow
// together. The result's weights sum to one. Nil settings are the defaults. Likelihoods of m particles and N
// observations.
func MonteCarlo(ctx context.Context, m Model, s *MonteCarloSettings, rng *rand.Rand) (rkhs.Measure, error) {
	if rng == nil {
		return rkhs.Measure{}, fmt.Errorf("inference: rng is nil, must be a source of random numbers")
	}
	if err := validate(m, false); err != nil {
		return rkhs.Measure{}, err
	}
	defaults := DefaultMonteCarloSettings()
	s = fill(s, defaults, &defaults.Batch, m.Len())
	if err := checkBatch(s.Batch, m.Len()); err != nil {
		return rkhs.Measure{}, err
	}
	if !(s.Move > 0 && s.Move < 1) {
		return rkhs.Measure{}, fmt.Errorf("inference: Move is %v, must be between 0 and 1", s.Move)
	}
	if err := checkAtLeast("Particles", s.Particles, m.Dim()+1); err != nil {
		return rkhs.Measure{}, err
	}
	theta := mat.NewDense(s.Particles, m.Dim(), nil)
	m.SamplePrior(theta, rng)
	q := rkhs.Uniform(theta)
	log, part := make([]float64, s.Particles), make([]float64, s.Particles)
	order := rng.Perm(m.Len())
	for from := 0; from < len(order); from += s.Batch {
		to := min(from+s.Batch, len(order))
		if ctx.Err() != nil {
			return rkhs.Measure{}, ctx.Err()
		}
		m.LogLikelihood(part, q.X, order[from:to])
		if err := checkValues("log likelihood", part); err != nil {
			return rkhs.Measure{}, err
		}
		vec.Add(log, log, part)
		var err error
		if q.W, err = weigh(log, 1); err != nil {
			return rkhs.Measure{}, err
		}
		if EffectiveSize(q.W) < 0.5*float64(s.Particles) {
			q = liuWest(q, s.Move, rng)
			vec.Fill(log, 0)
		}
		if s.Watch != nil {
			if err := s.Watch(to, q); err != nil {
				return rkhs.Measure{}, err
			}
		}
	}
	return q, nil
}

// liuWest resamples and moves.
func liuWest(q rkhs.Measure, h float64, rng *rand.Rand) rkhs.Measure {
	m, d := q.Len(), q.Dim()
	mean := q.Mean()
	root := covarianceRoot(q, mean)
	X := mat.NewDense(m, d, nil)
	a := math.Sqrt(1 - h*h)
	z := make([]float64, d)
	for i, from := range systematic(q.W, m, m, rng) {
		old, row := q.X.RawRowView(from), X.RawRowView(i)
		for k := range z {
			z[k] = h * rng.NormFloat64()
		}
		for k := range row {
			row[k] = a*old[k] + (1-a)*mean[k] + vec.Dot(root.RawRowView(k)[:k+1], z[:k+1])
		}
	}
	return rkhs.Uniform(X)
}

// covarianceRoot returns the lower Cholesky factor of the covariance of q, with zeros where it is singular.
func covarianceRoot(q rkhs.Measure, mean []float64) *mat.Dense {
	d := q.Dim()
	c := mat.NewDense(d, d, nil)
	for i, w := range q.W {
		row := q.X.RawRowView(i)
		for j := range d {
			for k := range j + 1 {
				c.Set(j, k, c.At(j, k)+w*(row[j]-mean[j])*(row[k]-mean[k]))
			}
		}
	}
	for j := range d {
		for k := range j + 1 {
			v := c.At(j, k) - vec.Dot(c.RawRowView(j)[:k], c.RawRowView(k)[:k])
			switch {
			case j == k:
				c.Set(j, j, math.Sqrt(max(v, 0)))
			case c.At(k, k) > 0:
				c.Set(j, k, v/c.At(k, k))
			default:
				c.Set(j, k, 0)
			}
		}
	}
	return c
}
