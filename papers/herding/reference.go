package herding

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/papers"
	"gaucho/stdlib/filtering"
)

// A referenceKey says which reference is meant: the seed comes from the data's stream, so it stands for the data too.
type referenceKey struct {
	model     string
	particles int
	seed      uint64
}

var references = papers.NewMemo[referenceKey, *mat.Dense](256)

// referenceMeans are the filtered means of a bootstrap filter with very many particles, over so many runs. The seed is
// drawn from the data's stream, so all methods are compared with the same reference.
func referenceMeans(ctx context.Context, name string, model func() filtering.System, Y *mat.Dense, particles, runs int, rng *rand.Rand) (*mat.Dense, error) {
	seed := rng.Uint64()
	return references.Get(referenceKey{name, particles, seed}, func() (*mat.Dense, error) {
		s := filtering.DefaultSettings()
		s.Particles = particles
		own := rand.New(rand.NewPCG(seed, 1))
		var sum *mat.Dense
		for range runs {
			res, err := filtering.Run(ctx, model(), Y, s, own)
			if err != nil {
				return nil, err
			}
			if sum == nil {
				sum = res.Means
			} else {
				sum.Add(sum, res.Means)
			}
		}
		sum.Scale(1/float64(runs), sum)
		return sum, nil
	})
}
