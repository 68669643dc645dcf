// Command herding is the Go side of the benchmark of packages herding and
// filtering; bench.py runs it beside its peers. It writes the data of all cases
// into a directory, for both sides to read, then runs the cases that it is told.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/mat"

	"gaucho/bench/side"
	"gaucho/stdlib/dataset"
	"gaucho/stdlib/filtering"
	"gaucho/stdlib/herding"
	"gaucho/stdlib/rkhs"
)

var ctx = context.Background()

// compared is how many chosen points both sides must agree on.
const compared = 100

// problems holds the data of all cases.
type problems struct {
	mixture *rkhs.Mixture // K = 100 isotropic Gaussians in the plane
	pool    *mat.Dense    // 50,000 draws from it
	plane   *mat.Dense    // 8,192 points of the unit square
	ar      *filtering.Model
	arY     *mat.Dense // 1,000 observations of an autoregression with noise
	nlX     *mat.Dense // 100 states of the nonlinear benchmark
	nlY     *mat.Dense // and the observations
	runs    uint64
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("herding: ")
	dir := flag.String("data", "", "directory that the data are written to")
	papers := flag.Bool("times", false, "print what the papers' statements about time come to here, and end")
	flag.Parse()
	if *papers {
		if err := times(); err != nil {
			log.Fatal(err)
		}
		return
	}
	p, err := newProblems()
	if err != nil {
		log.Fatal(err)
	}
	if err := p.write(*dir); err != nil {
		log.Fatal(err)
	}
	side.Serve(p.run)
}

// newProblems draws the data, the same in every run.
func newProblems() (*problems, error) {
	rng := rand.New(rand.NewPCG(1, 41))
	p := new(problems)
	var err error
	if p.mixture, err = dataset.RandomMixture(100, 2, rng); err != nil {
		return nil, err
	}
	p.pool = p.mixture.Sample(rng, 50000)
	p.plane = mat.NewDense(8192, 2, nil)
	for i := range p.plane.RawMatrix().Data {
		p.plane.RawMatrix().Data[i] = rng.Float64()
	}
	one := mat.NewSymDense(1, []float64{1})
	linear := &filtering.LinearGaussian{A: mat.NewDense(1, 1, []float64{.9}), C: mat.NewDense(1, 1, []float64{1}),
		Q: one, R: mat.NewSymDense(1, []float64{.04}), InitialMean: []float64{0}, InitialCov: one}
	if _, p.arY, err = linear.Simulate(1000, rng); err != nil {
		return nil, err
	}
	if p.ar, err = linear.Model(); err != nil {
		return nil, err
	}
	p.nlX, p.nlY, err = filtering.NonlinearBenchmark().Simulate(100, 1, func(dst []float64, _ int, x []float64, rng *rand.Rand) {
		dst[0] = .05*x[0]*x[0] + rng.NormFloat64()
	}, rng)
	return p, err
}

// write puts each array into a file of its own, as little-endian numbers.
func (p *problems) write(dir string) error {
	k := p.mixture.Len()
	var weights, means, variances []float64
	for j := range k {
		mean, cov := p.mixture.Component(j)
		weights = append(weights, p.mixture.Weight(j))
		means = append(means, mean...)
		variances = append(variances, cov.At(0, 0))
	}
	for name, data := range map[string][]float64{
		"weights": weights, "means": means, "variances": variances,
		"pool": p.pool.RawMatrix().Data, "plane": p.plane.RawMatrix().Data,
		"ar": p.arY.RawMatrix().Data, "states": p.nlX.RawMatrix().Data, "nonlinear": p.nlY.RawMatrix().Data,
	} {
		if err := side.Write(dir, name, data); err != nil {
			return err
		}
	}
	return nil
}

// run does a case once.
func (p *problems) run(name string) (*side.Answer, error) {
	start := time.Now()
	var a *side.Answer
	var err error
	switch name {
	case "fw":
		a, err = p.frankWolfe()
	case "subset":
		a, err = p.subset()
	case "sbq":
		a, err = p.sbq()
	case "skh-fw":
		a, err = p.kernelHerding(herding.Fixed)
	case "skh-fcfw":
		a, err = p.kernelHerding(herding.FullyCorrective)
	case "bootstrap-1e3":
		a, err = p.filter(filtering.MonteCarlo, 1000)
	case "bootstrap-1e5":
		a, err = p.filter(filtering.MonteCarlo, 100000)
	case "sqmc":
		a, err = p.filter(filtering.SequentialQMC, 8192)
	default:
		return nil, fmt.Errorf("no such case")
	}
	if err != nil {
		return nil, err
	}
	a.Seconds = time.Since(start).Seconds()
	return a, nil
}

// mixturePool returns the first m candidates with the mixture's embedding.
func (p *problems) mixturePool(m int) (*herding.Pool, error) {
	e, err := rkhs.Embed(rkhs.Gaussian{Bandwidth: 1}, p.mixture)
	if err != nil {
		return nil, err
	}
	return herding.NewPool(ctx, e, p.pool.Slice(0, m, 0, 2).(*mat.Dense))
}

// frankWolfe is herding with fixed steps, 1,000 points out of 50,000.
func (p *problems) frankWolfe() (*side.Answer, error) {
	pool, err := p.mixturePool(50000)
	if err != nil {
		return nil, err
	}
	return found(herding.FrankWolfe(ctx, pool, 1000, nil))
}

// subset is herding as goodpoints has it: 256 of 8,192 points for the embedding
// of all.
func (p *problems) subset() (*side.Answer, error) {
	e, err := rkhs.Embed(rkhs.Gaussian{Bandwidth: .5}, rkhs.Uniform(p.plane))
	if err != nil {
		return nil, err
	}
	pool, err := herding.NewPool(ctx, e, p.plane)
	if err != nil {
		return nil, err
	}
	return found(herding.FrankWolfe(ctx, pool, 256, &herding.Settings{Repulsion: true}))
}

// sbq is sequential Bayesian quadrature with 500 of 10,000 points.
func (p *problems) sbq() (*side.Answer, error) {
	pool, err := p.mixturePool(10000)
	if err != nil {
		return nil, err
	}
	return found(herding.Greedy(ctx, pool, 500, nil))
}

func found(r *herding.Rule, err error) (*side.Answer, error) {
	if err != nil {
		return nil, err
	}
	a := new(side.Answer)
	for _, i := range r.Index[:compared] {
		a.Values = append(a.Values, float64(i))
	}
	return a, nil
}

// kernelHerding is sequential kernel herding on the nonlinear benchmark: 100
// steps, 100 particles out of 5,000 candidates. The value is the RMSE.
func (p *problems) kernelHerding(step herding.Step) (*side.Answer, error) {
	s := filtering.DefaultSettings()
	s.Points, s.Particles, s.Candidates = filtering.Herding, 100, 5000
	s.Step, s.Bandwidth = step, math.Sqrt(.1)
	r, err := filtering.Run(ctx, filtering.NonlinearBenchmark(), p.nlY, s, p.next())
	if err != nil {
		return nil, err
	}
	var sum float64
	for i, x := range p.nlX.RawMatrix().Data {
		sum += (r.Means.At(i, 0) - x) * (r.Means.At(i, 0) - x)
	}
	return &side.Answer{Values: []float64{math.Sqrt(sum / float64(len(p.nlX.RawMatrix().Data)))}}, nil
}

// filter runs a particle filter on the autoregression. The value is the
// log-likelihood.
func (p *problems) filter(points filtering.Points, n int) (*side.Answer, error) {
	s := filtering.DefaultSettings()
	s.Points, s.Particles = points, n
	s.Resampling, s.Threshold = filtering.Systematic, .5
	r, err := filtering.Run(ctx, p.ar, p.arY, s, p.next())
	if err != nil {
		return nil, err
	}
	return &side.Answer{Values: []float64{r.LogLikelihood}}, nil
}

// next returns the random source of a run.
func (p *problems) next() *rand.Rand {
	p.runs++
	return rand.New(rand.NewPCG(p.runs, 1))
}
