package inference

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/settings"
)

// A Model is a prior and a likelihood over parameters theta in R^d for N observations. Parameters are the rows of a matrix,
// m x d, so that one call serves all particles; a batch holds indices of observations.
type Model interface {
	// Validate returns an error unless the model is complete.
	Validate() error
	// Dim returns d.
	Dim() int
	// Len returns N.
	Len() int
	// SamplePrior sets the rows of dst to independent draws from the prior.
	SamplePrior(dst *mat.Dense, rng *rand.Rand)
	// LogPrior sets dst[i] to the log density of the prior at row i.
	LogPrior(dst []float64, theta *mat.Dense)
	// LogLikelihood sets dst[i] to the sum over the batch of log p(x_b | theta_i). -Inf is allowed.
	LogLikelihood(dst []float64, theta *mat.Dense, batch []int)
}

// A Differentiable model has gradients in theta; methods that need them say so.
type Differentiable interface {
	Model
	// LogPriorGradient sets row i of dst to the gradient of the log prior at row i.
	LogPriorGradient(dst, theta *mat.Dense)
	// LogLikelihoodGradient sets row i of dst to the gradient of the batch's log likelihood at row i.
	LogLikelihoodGradient(dst, theta *mat.Dense, batch []int)
}

var (
	_ Differentiable = (*Functions)(nil)
	_ Differentiable = (*TiedMixture)(nil)
	_ Differentiable = (*LogisticRegression)(nil)
)

// Functions is a model given by its functions, which see all particles in one call and are called by one goroutine at a
// time. They have the contracts of the methods of [Model] and [Differentiable]; the gradients may be nil where no method
// that needs them is used.
type Functions struct {
	Parameters   int // d
	Observations int // N

	Sample             func(dst *mat.Dense, rng *rand.Rand)
	Prior              func(dst []float64, theta *mat.Dense)
	Likelihood         func(dst []float64, theta *mat.Dense, batch []int)
	PriorGradient      func(dst, theta *mat.Dense)
	LikelihoodGradient func(dst, theta *mat.Dense, batch []int)
}

// Validate returns an error if there are no parameters, no observations, or one of the first three functions is missing.
func (f *Functions) Validate() error {
	switch {
	case f.Parameters < 1:
		return fmt.Errorf("inference: Parameters is %d, must be positive", f.Parameters)
	case f.Observations < 1:
		return fmt.Errorf("inference: Observations is %d, must be positive", f.Observations)
	case f.Sample == nil || f.Prior == nil || f.Likelihood == nil:
		return fmt.Errorf("inference: a function is nil, Sample, Prior and Likelihood must be given")
	}
	return nil
}

// Dim returns Parameters.
func (f *Functions) Dim() int { return f.Parameters }

// Len returns Observations.
func (f *Functions) Len() int { return f.Observations }

// SamplePrior calls Sample.
func (f *Functions) SamplePrior(dst *mat.Dense, rng *rand.Rand) { f.Sample(dst, rng) }

// LogPrior calls Prior.
func (f *Functions) LogPrior(dst []float64, theta *mat.Dense) { f.Prior(dst, theta) }

// LogLikelihood calls Likelihood.
func (f *Functions) LogLikelihood(dst []float64, theta *mat.Dense, batch []int) {
	f.Likelihood(dst, theta, batch)
}

// LogPriorGradient calls PriorGradient.
func (f *Functions) LogPriorGradient(dst, theta *mat.Dense) { f.PriorGradient(dst, theta) }

// LogLikelihoodGradient calls LikelihoodGradient.
func (f *Functions) LogLikelihoodGradient(dst, theta *mat.Dense, batch []int) {
	f.LikelihoodGradient(dst, theta, batch)
}

// observations returns how many observations a model has, 0 if it is nil.
func observations(m Model) int {
	if m == nil {
		return 0
	}
	return m.Len()
}

// fill returns a copy of s with the defaults in fields that are zero. The default batch, a field of them, holds all of the n observations if
// they are fewer.
func fill[S any](s, defaults *S, batch *int, n int) *S {
	*batch = min(*batch, max(1, n))
	return settings.Fill(s, defaults)
}

// validate checks a model whose gradients are needed or not.
func validate(m Model, gradients bool) error {
	if m == nil {
		return fmt.Errorf("inference: model is nil")
	}
	if err := m.Validate(); err != nil {
		return err
	}
	if f, ok := m.(*Functions); ok && gradients && (f.PriorGradient == nil || f.LikelihoodGradient == nil) {
		return fmt.Errorf("inference: a gradient is nil, this method needs PriorGradient and LikelihoodGradient")
	}
	return nil
}

// normalPrior fills dst with draws from N(0, diag(scale^2)).
func normalPrior(dst *mat.Dense, rng *rand.Rand, scale func(k int) float64) {
	m, d := dst.Dims()
	for i := range m {
		for k := range d {
			dst.Set(i, k, scale(k)*rng.NormFloat64())
		}
	}
}

// A batcher cuts random permutations of the observations into batches: every observation is visited once a pass. A batch that
// the end of a pass would cut short goes on in the next permutation.
type batcher struct {
	order []int
	at    int
	batch []int
	rng   *rand.Rand
}

func newBatcher(n, size int, rng *rand.Rand) *batcher {
	b := &batcher{order: make([]int, n), at: n, batch: make([]int, size), rng: rng}
	for i := range b.order {
		b.order[i] = i
	}
	return b
}

// next returns the next batch, which is valid until the next call.
func (b *batcher) next() []int {
	for i := range b.batch {
		if b.at == len(b.order) {
			b.rng.Shuffle(len(b.order), func(i, j int) { b.order[i], b.order[j] = b.order[j], b.order[i] })
			b.at = 0
		}
		b.batch[i] = b.order[b.at]
		b.at++
	}
	return b.batch
}

// scale is N/B.
func (b *batcher) scale() float64 { return float64(len(b.order)) / float64(len(b.batch)) }

// checkValues returns an error if a log density is NaN or +Inf, and raises what is below to a floor at which sums and
// products with step sizes stay finite.
func checkValues(name string, v []float64) error {
	for i, x := range v {
		switch {
		case x >= -1e200 && x <= math.MaxFloat64:
		case x < -1e200:
			v[i] = -1e200
		default:
			return fmt.Errorf("inference: %s of particle %d is %v, must be finite or -Inf", name, i, x)
		}
	}
	return nil
}

func checkAtLeast(name string, v, least int) error {
	if v < least {
		return fmt.Errorf("inference: %s is %d, must be at least %d", name, v, least)
	}
	return nil
}

func checkPositive(name string, v float64) error {
	if !(v > 0) || math.IsInf(v, 1) {
		return fmt.Errorf("inference: %s is %v, must be positive", name, v)
	}
	return nil
}

// checkBatch returns an error unless 1 <= size <= n.
func checkBatch(size, n int) error {
	if size < 1 || size > n {
		return fmt.Errorf("inference: Batch is %d, must be between 1 and the %d observations", size, n)
	}
	return nil
}
