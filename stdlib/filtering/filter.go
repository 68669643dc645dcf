package filtering

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// Filter is a particle filter at some step of its data. Each call of [Filter.Step]
// takes one observation; between calls everything can be looked at. [Run] does
// all steps at once.
type Filter struct {
	system   system
	settings Settings
	rng      *rand.Rand
	points   points

	t         int
	pred      *predictive
	x, spare  *mat.Dense
	w         []float64 // filtering weights, sum 1
	quad      []float64 // weights of the particles as a rule for the predictive
	component []int
	ancestor  []int
	loglik    []float64
	mapped    []int     // work space of ancestor
	even      int       // the length at which quad is constant, 0 if it is not
	parts     []float64 // of what blocks find
	products  []float64 // likewise, of mean
	factor    float64   // of the pass under way
	squares   float64   // sum_i W_i^2
	mean      float64   // sum_i W_i x_i of states that are single numbers

	logNormalizer float64
	logEvidence   float64
	evaluations   int
	mmd           float64
}

// points is a way to choose particles. It fills the filter's x, quad and
// component for the predictive pred, and mmd if it knows it.
type points interface {
	choose(ctx context.Context, f *Filter) error
}

// NewFilter prepares a filter for a model. A nil settings means
// [DefaultSettings]. The filter keeps rng.
func NewFilter(model System, settings *Settings, rng *rand.Rand) (*Filter, error) {
	settings = settings.WithDefaults()
	if model == nil {
		return nil, fmt.Errorf("filtering: model is nil")
	}
	if rng == nil {
		return nil, fmt.Errorf("filtering: random source is nil")
	}
	s, err := model.run()
	if err != nil {
		return nil, err
	}
	f := &Filter{system: s, settings: *settings, rng: rng, mmd: math.NaN()}
	if f.pred, err = s.initial(); err != nil {
		return nil, err
	}
	_, d := f.pred.means.Dims()
	if err := settings.validate(d); err != nil {
		return nil, err
	}
	if _, ok := s.(mover); ok && settings.Points != MonteCarlo {
		return nil, fmt.Errorf("filtering: points are %v, must be %v for a sampled model", settings.Points, MonteCarlo)
	}
	switch settings.Points {
	case MonteCarlo:
		f.points = new(monteCarlo)
	case Sobol:
		f.points, err = newSobolPoints(d, settings, rng)
	case SequentialQMC:
		f.points, err = newSequentialQMC(d, settings)
	case Herding:
		f.points = &herded{labels: len(f.pred.label) > 0}
	}
	if err != nil {
		return nil, err
	}
	f.allocate(settings.Particles)
	return f, nil
}

func (f *Filter) allocate(n int) {
	f.x, f.spare = mat.NewDense(n, f.system.width(), nil), mat.NewDense(n, f.system.width(), nil)
	f.w, f.quad, f.loglik = make([]float64, n), make([]float64, n), make([]float64, n)
	f.component = make([]int, n)
	f.ancestor = f.component
}

// shrink makes the particle arrays n long; room for the settings' number remains.
func (f *Filter) shrink(n int) {
	r, _ := f.x.Dims()
	if r != n {
		d := f.system.width()
		f.x = mat.NewDense(n, d, f.x.RawMatrix().Data[:n*d])
		f.spare = mat.NewDense(n, d, f.spare.RawMatrix().Data[:n*d])
	}
	f.w, f.quad, f.loglik = f.w[:n], f.quad[:n], f.loglik[:n]
	f.component = f.component[:n]
}

// DegenerateError says that an observation has zero likelihood under every
// particle.
type DegenerateError struct {
	Step int // the step t, from 1
}

// Error says at which step.
func (e *DegenerateError) Error() string {
	return fmt.Sprintf("filtering: at step %d the observation has zero likelihood under every particle", e.Step)
}

// Step takes the next observation. After an error the filter must not be used.
func (f *Filter) Step(ctx context.Context, y []float64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for j, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("filtering: observation %d at step %d is %v, must be finite", j, f.t+1, v)
		}
	}
	if f.t > 0 {
		if err := f.system.predict(f.pred, f.t, f.x, f.w); err != nil {
			return err
		}
		if err := f.checkMeans(); err != nil {
			return err
		}
	}
	f.t++
	f.mmd = math.NaN()
	if err := f.points.choose(ctx, f); err != nil {
		return err
	}
	f.ancestor = f.component
	if len(f.pred.ancestor) > 0 {
		f.mapped = f.mapped[:0]
		for _, c := range f.component {
			f.mapped = append(f.mapped, f.pred.ancestor[c])
		}
		f.ancestor = f.mapped
	}
	f.system.accept(f.x, f.component)
	if err := f.system.logLik(f.loglik, f.t, f.x, y); err != nil {
		return err
	}
	f.evaluations += len(f.loglik)
	return f.weigh()
}

// checkMeans stops where the model's mean function returned no number.
func (f *Filter) checkMeans() error {
	raw := f.pred.means.RawMatrix()
	s := f.total(len(raw.Data), func(f *Filter, lo, hi int) float64 { return vec.Sum(f.pred.means.RawMatrix().Data[lo:hi]) })
	if !math.IsNaN(s) && !math.IsInf(s, 0) {
		return nil
	}
	for i := range raw.Rows {
		for _, v := range f.pred.means.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("filtering: predicted mean of particle %d at step %d is %v, must be finite", i, f.t, v)
			}
		}
	}
	return nil
}

// weigh turns likelihoods into weights: W_i proportional to w_i p(y_t | x_i), and
// log sum_i w_i p(y_t | x_i) into the evidence, in logarithms.
func (f *Filter) weigh() error {
	top := math.Inf(-1)
	for _, m := range f.perBlock(len(f.loglik), func(f *Filter, lo, hi int) float64 { return vec.Max(f.loglik[lo:hi]) }) {
		top = max(top, m)
	}
	switch {
	case math.IsNaN(top) || math.IsInf(top, 1):
		for i, v := range f.loglik {
			if math.IsNaN(v) || math.IsInf(v, 1) {
				return fmt.Errorf("filtering: log-likelihood of particle %d at step %d is %v, must be finite or -Inf", i, f.t, v)
			}
		}
	case math.IsInf(top, -1):
		return &DegenerateError{Step: f.t}
	}
	f.factor = top
	s := f.total(len(f.w), (*Filter).likelihoods)
	if !(s > 0) {
		return &DegenerateError{Step: f.t}
	}
	f.normalise(1 / s)
	f.logNormalizer = top + vec.Log1(s)
	f.logEvidence += f.logNormalizer
	return nil
}

// likelihoods sets weights to the likelihoods over e^factor, times quad, and
// returns their sum.
func (f *Filter) likelihoods(lo, hi int) float64 {
	w := f.w[lo:hi]
	inCache(lo, hi, func(lo, hi int) {
		w := f.w[lo:hi]
		vec.Offset(w, -f.factor, f.loglik[lo:hi])
		vec.Exp(w, w)
		if f.even == len(f.w) {
			vec.Scale(w, f.quad[lo], w)
		} else {
			vec.Mul(w, w, f.quad[lo:hi])
		}
	})
	return vec.Sum(w)
}

// normalise multiplies the weights by a number, and finds what is asked of them
// next while they are in the caches.
func (f *Filter) normalise(by float64) {
	f.factor = by
	f.products = grow(f.products, parallel.Count(len(f.w), sumBlock))
	f.squares = f.total(len(f.w), func(f *Filter, lo, hi int) float64 {
		w := f.w[lo:hi]
		vec.Scale(w, f.factor, w)
		if _, d := f.x.Dims(); d == 1 {
			f.products[lo/sumBlock] = vec.Dot(w, column(f.x)[lo:hi])
		}
		return vec.Dot(w, w)
	})
	f.mean = 0
	for _, v := range f.products {
		f.mean += v
	}
}

// sumBlock is the length of the blocks that vec.Sum and vec.Dot add in order.
const sumBlock = 4096

// perBlock returns what of finds in each block of sumBlock of [0, n), valid until
// the next call. A function that is not a closure costs a small filter nothing.
func (f *Filter) perBlock(n int, of func(f *Filter, lo, hi int) float64) []float64 {
	f.parts = grow(f.parts, parallel.Count(n, sumBlock))
	if n <= sumBlock {
		f.parts[0] = of(f, 0, n)
	} else {
		parallel.Blocks(n, sumBlock, func(b, lo, hi int) { f.parts[b] = of(f, lo, hi) })
	}
	return f.parts
}

// total adds what of finds in each block: for sums the bits of vec.Sum, on all
// processors.
func (f *Filter) total(n int, of func(f *Filter, lo, hi int) float64) float64 {
	var s float64
	for _, v := range f.perBlock(n, of) {
		s += v
	}
	return s
}

// evenly gives the particles equal weights as a rule.
func (f *Filter) evenly() {
	if n := len(f.quad); f.even != n {
		vec.Fill(f.quad, 1/float64(n))
		f.even = n
	}
}

// Steps yields the filter after each row of Y, until an error, which comes last.
//
//	for t, err := range filter.Steps(ctx, Y) {
//		if err != nil { ... }
//		fmt.Println(t, filter.Mean())
//	}
func (f *Filter) Steps(ctx context.Context, Y *mat.Dense) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		n, _ := Y.Dims()
		for i := range n {
			if err := f.Step(ctx, Y.RawRowView(i)); err != nil {
				yield(f.t, err)
				return
			}
			if !yield(f.t, nil) {
				return
			}
		}
	}
}

// Time returns the number of observations taken.
func (f *Filter) Time() int { return f.t }

// Particles returns the weighted particles of the filtering distribution, valid
// until the next step.
func (f *Filter) Particles() rkhs.Measure { return rkhs.Measure{X: f.x, W: f.w} }

// Predictive returns the same particles with the weights that they have as a
// quadrature rule for the predictive distribution, before the observation.
func (f *Filter) Predictive() rkhs.Measure { return rkhs.Measure{X: f.x, W: f.quad} }

// Ancestors returns for each particle the one of the step before that it comes
// from; at the first step, the component of the initial mixture.
func (f *Filter) Ancestors() []int { return f.ancestor }

// Mean returns the filtered mean sum_i W_i x_i.
func (f *Filter) Mean() []float64 {
	_, d := f.x.Dims()
	mean := make([]float64, d)
	f.meanTo(mean)
	return mean
}

func (f *Filter) meanTo(dst []float64) {
	if len(dst) == 1 {
		dst[0] = f.mean
		return
	}
	clear(dst)
	for i, w := range f.w {
		for j, v := range f.x.RawRowView(i) {
			dst[j] += w * v
		}
	}
}

// Covariance returns the covariance of the filtering weights.
func (f *Filter) Covariance() *mat.SymDense {
	mean := f.Mean()
	d := len(mean)
	c := mat.NewSymDense(d, nil)
	for i, w := range f.w {
		x := f.x.RawRowView(i)
		for a := range d {
			for b := a; b < d; b++ {
				c.SetSym(a, b, c.At(a, b)+w*(x[a]-mean[a])*(x[b]-mean[b]))
			}
		}
	}
	return c
}

// EffectiveSize returns 1 / sum_i W_i^2.
func (f *Filter) EffectiveSize() float64 { return 1 / f.squares }

// LogLikelihood returns the estimate of log p(y_1, ..., y_t). For the bootstrap
// filter the estimate of the likelihood, not of its logarithm, is unbiased.
func (f *Filter) LogLikelihood() float64 { return f.logEvidence }

// Increment returns the estimate of log p(y_t | y_1, ..., y_(t-1)).
func (f *Filter) Increment() float64 { return f.logNormalizer }

// Evaluations returns how many likelihoods have been evaluated.
func (f *Filter) Evaluations() int { return f.evaluations }

// MMD returns the maximum mean discrepancy between the predictive mixture of the
// last step and the particles that stand for it, as herding knows it; NaN for
// the other filters.
func (f *Filter) MMD() float64 { return f.mmd }

// LinearMean returns what the model knows besides the particles' states: for a
// [ConditionallyLinear] model the filtered mean of its linear part. It is nil
// otherwise.
func (f *Filter) LinearMean() []float64 {
	if l, ok := f.system.(interface{ linearMean(w []float64) []float64 }); ok {
		return l.linearMean(f.w)
	}
	return nil
}
