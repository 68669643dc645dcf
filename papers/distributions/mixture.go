package distributions

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/papers"
	"gaucho/stdlib/inference"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
)

// Mixture returns the study of figure 4.1 of Dai 2018 (section 4.6.1): total variation and divergence from the posterior of
// the tied mixture with two modes, for 1,000 observations at (1, -2), against the observations visited. PMD is particle
// mirror descent, starting with 200 kernel steps; SVGD is Stein variational gradient descent, which the text does not have.
// Samples are turned into densities by kernels of bandwidth 0.1 times the median distance and by a normal fit, as in the
// text, and by kernels of 0.03 times that distance; the best of the three counts. A record holds the path of both measures
// at 250, 500, 1,000, ... visits up to the method's end, their final values, and the mass of the mode at theta_2 < 0, whose
// true value is in "truth". The text's claims are that PMD is best and finds both modes every time; that SMC stops at a
// large error after its one pass; and that a run of Gibbs sampling, SGLD or SVI finds one mode.
func Mixture(size papers.Size) *study.Study {
	particles, passes, components, sweeps, cells, replications, seconds := 1500, 20, 1500, 1500, 161, 50, 10.0
	switch size {
	case papers.Small:
		particles, passes, components, sweeps, cells, replications, seconds = 600, 6, 30, 100, 61, 2, 0.1
	case papers.Default:
		components, sweeps, cells, replications, seconds = 150, 500, 81, 10, 2
	}
	return &study.Study{
		Name: papers.Name("distributions-mixture", size), Version: "1", Seed: 41, Replications: replications, Seconds: seconds,
		About: "distance from a posterior with two modes against the observations visited (Dai 2018, figure 4.1)",
		Points: study.Grid(study.Values("method", "PMD", "SMC", "Gibbs", "SGLD", "SVI", "NPV", "SVGD"), study.Values("particles", particles),
			study.Values("passes", passes), study.Values("components", components), study.Values("sweeps", sweeps), study.Values("cells", cells)),
		Paired: []string{"method"}, Replicate: replicateMixture,
	}
}

// A judge compares densities with the posterior, at visits that double.
type judge struct {
	ctx                            context.Context
	truth                          *inference.GridDensity
	rng                            *rand.Rand
	next                           int
	visited, variation, divergence []float64
	mass                           float64 // of the mode at theta_2 < 0
}

func firstMode(theta []float64) bool { return theta[1] < 0 }

func (j *judge) due(visited int) bool { return visited >= j.next }

// see records a density if a record is due.
func (j *judge) see(visited int, q inference.Density) error {
	if !j.due(visited) {
		return nil
	}
	j.next = 2 * visited
	return j.record(visited, q)
}

func (j *judge) record(visited int, qs ...inference.Density) error {
	best := 2.0
	var kl float64
	for _, q := range qs {
		on, err := j.truth.Evaluate(j.ctx, q)
		if err != nil {
			return err
		}
		if v := j.truth.TotalVariation(on); v < best {
			best, kl, j.mass = v, j.truth.Divergence(on), on.Mass(firstMode)
		}
	}
	j.visited, j.variation, j.divergence = append(j.visited, float64(visited)), append(j.variation, best), append(j.divergence, kl)
	return nil
}

// sample records the best of three densities for a sample.
func (j *judge) sample(visited int, q rkhs.Measure) error {
	if !j.due(visited) {
		return nil
	}
	j.next = 2 * visited
	median, err := rkhs.MedianBandwidth(q.X, 500, j.rng)
	if err != nil {
		return err
	}
	var candidates []inference.Density
	for _, share := range []float64{0.1, 0.03} {
		kernels, err := inference.NewKDE(q, share*median)
		if err != nil {
			return err
		}
		candidates = append(candidates, kernels)
	}
	mean := q.Mean()
	cov := mat.NewSymDense(2, nil)
	for a := range 2 {
		for b := a; b < 2; b++ {
			cov.SetSym(a, b, q.Expect(func(x []float64) float64 { return (x[a] - mean[a]) * (x[b] - mean[b]) }))
		}
		cov.SetSym(a, a, cov.At(a, a)+1e-6)
	}
	normal, err := rkhs.NewNormal(mean, cov)
	if err != nil {
		return err
	}
	return j.record(visited, append(candidates, normal)...)
}

// chain records prefixes of a chain, of which each sample after the first burnIn visited cost more observations.
func (j *judge) chain(q rkhs.Measure, burnIn, cost int) error {
	for k := 2; k <= q.Len(); k++ {
		if visited := (burnIn + k) * cost; j.due(visited) || k == q.Len() {
			if k == q.Len() {
				j.next = visited
			}
			if err := j.sample(visited, thinned(q.X, k, 1500)); err != nil {
				return err
			}
		}
	}
	return nil
}

// thinned returns at most so many of the first k rows, equally far apart.
func thinned(X *mat.Dense, k, most int) rkhs.Measure {
	n := min(k, most)
	_, d := X.Dims()
	out := mat.NewDense(n, d, nil)
	for i := range n {
		out.SetRow(i, X.RawRowView((i+1)*k/n-1))
	}
	return rkhs.Uniform(out)
}

func replicateMixture(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	model := inference.NewTiedMixture(nil)
	model.Simulate(1000, 1, -2, rng)
	grid, err := inference.NewGrid(2, p.Int("cells"), -4, 4)
	if err != nil {
		return nil, err
	}
	truth, err := grid.Posterior(ctx, model)
	if err != nil {
		return nil, err
	}
	j := &judge{ctx: ctx, truth: truth, rng: rng, next: 250}
	if err := j.follow(model, p); err != nil {
		return nil, err
	}
	last := len(j.visited) - 1
	return study.Record{"visited": j.visited, "variation": j.variation, "divergence": j.divergence, "finalVariation": j.variation[last],
		"finalDivergence": j.divergence[last], "firstMode": j.mass, "truth": truth.Mass(firstMode)}, nil
}

// follow runs the point's method.
func (j *judge) follow(model *inference.TiedMixture, p study.Point) error {
	particles, visits := p.Int("particles"), p.Int("passes")*model.Len()
	final := func(q inference.Density, err error) error {
		if err != nil {
			return err
		}
		j.next = visits
		return j.see(visits, q)
	}
	switch method := p.Text("method"); method {
	case "PMD":
		s := inference.DefaultSettings()
		s.Particles, s.First = particles, particles*2/3
		s.Steps = visits/s.Batch - s.KernelSteps
		s.Watch = func(visited int, q *inference.KDE) error { return j.see(visited, q) }
		return final(inference.MirrorDescent(j.ctx, model, s, j.rng))
	case "SMC":
		s := inference.DefaultMonteCarloSettings()
		s.Particles = particles
		s.Watch = j.sample
		q, err := inference.MonteCarlo(j.ctx, model, s, j.rng)
		if err != nil {
			return err
		}
		j.next = model.Len()
		return j.sample(model.Len(), q)
	case "Gibbs":
		q, err := model.Gibbs(j.ctx, 50, p.Int("sweeps"), j.rng)
		if err != nil {
			return err
		}
		return j.chain(q, 50, model.Len())
	case "SGLD":
		s := inference.DefaultLangevinSettings()
		s.BurnIn = min(1000, visits/s.Batch/4)
		s.Samples = visits/s.Batch - s.BurnIn
		q, err := inference.Langevin(j.ctx, model, s, j.rng)
		if err != nil {
			return err
		}
		return j.chain(q, s.BurnIn, s.Batch)
	case "SVI":
		s := &inference.VariationalSettings{Batch: 10, Steps: visits / 10, Step: inference.Power(1, 10, 0.7)}
		s.Watch = func(visited int, q *rkhs.Mixture) error { return j.see(visited, q) }
		return final(model.Variational(j.ctx, s, j.rng))
	case "NPV":
		s := inference.DefaultNonparametricSettings()
		s.Components, s.Steps = p.Int("components"), visits/s.Batch
		s.Step = inference.Power(0.1, float64(s.Steps)/5, 0.8)
		s.Watch = func(visited int, q *rkhs.Mixture) error { return j.see(visited, q) }
		return final(inference.NonparametricVariational(j.ctx, model, s, j.rng))
	case "SVGD":
		s := inference.DefaultSteinSettings()
		s.Particles, s.Steps = particles/5, visits/s.Batch
		s.Step = inference.Power(0.1, float64(s.Steps)/5, 0.8)
		s.Watch = func(visited int, theta *mat.Dense) error {
			if visited == visits {
				j.next = visits
			}
			return j.sample(visited, rkhs.Measure{X: theta})
		}
		_, err := inference.SteinVariational(j.ctx, model, s, j.rng)
		return err
	default:
		return fmt.Errorf("no method %q", method)
	}
}
