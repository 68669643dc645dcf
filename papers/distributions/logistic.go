package distributions

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/papers"
	"gaucho/papers/standin"
	"gaucho/stdlib/dataset"
	"gaucho/stdlib/inference"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
)

// Logistic returns the study of figure 4.2(1) of Dai 2018 (section 4.6.2): the test accuracy of Bayesian logistic regression
// against the observations visited, for the digits 8 and 6, jittered and projected onto 50 directions, in place of 1.6
// million images, with batches of 100 and 1,000 particles. Particle mirror descent (PMD) takes kernel steps only, because in
// 50 dimensions nothing but their small kernels moves particles. Laplace is a sample of the normal approximation at the
// mode. The text's claims are that PMD reaches the accuracy of the best method and that SVI is the fastest at first.
//
// A record also compares the final posterior with 1,000 draws of Hamiltonian Monte Carlo ([hamiltonian]): "width" is the
// ratio of its standard deviations to theirs, as the geometric mean over the posterior's principal directions, and "off" is
// the distance of its means from theirs in their standard deviations, as the root mean square over the same directions. PMD
// runs with three bandwidths. A kernel step adds its square h^2 to a variance V and removes gamma V (V/s^2 - 1), where s^2
// is the posterior's variance, so V is too wide unless h^2 is below gamma s^2; "still" is the width at which the two
// balance, for the last step's gamma.
func Logistic(size papers.Size) *study.Study {
	n, d, particles, passes, replications, seconds := 100000, 50, 1000, 5, 10, 60.0
	switch size {
	case papers.Small:
		n, d, particles, passes, replications, seconds = 2000, 10, 200, 5, 1, 0.1
	case papers.Default:
		n, passes, replications, seconds = 5000, 5, 5, 8
	}
	rest := []study.Axis{study.Values("n", n), study.Values("d", d), study.Values("particles", particles), study.Values("passes", passes)}
	points := study.Grid(append([]study.Axis{study.Values("method", "PMD"), study.Values("bandwidth", 0.1, 0.05, 0.025)}, rest...)...)
	points = append(points, study.Grid(append([]study.Axis{study.Values("method", "SGLD", "SVI", "SMC", "Laplace"), study.Values("bandwidth", 0.0)}, rest...)...)...)
	return &study.Study{
		Name: papers.Name("distributions-logistic", size), Version: "2", Seed: 42, Replications: replications, Seconds: seconds,
		About:  "test accuracy and width of Bayesian logistic regression against the observations visited (Dai 2018, figure 4.2, 1)",
		Points: points, Paired: []string{"method", "bandwidth"}, Replicate: replicateLogistic,
	}
}

// An examiner measures the accuracy of samples of weights, at visits that double.
type examiner struct {
	model             *inference.LogisticRegression
	test              *dataset.Regression
	next              int
	visited, accuracy []float64
	last              rkhs.Measure // the estimate at the end
}

func (e *examiner) see(visited int, q rkhs.Measure) error {
	if visited < e.next {
		return nil
	}
	e.next = 2 * visited
	p, err := e.model.Predict(q, e.test.X)
	if err != nil {
		return err
	}
	right := 0.0
	for i, v := range p {
		if (v > 0.5) == (e.test.Y[i] > 0) {
			right += 1 / float64(len(p))
		}
	}
	e.visited, e.accuracy = append(e.visited, float64(visited)), append(e.accuracy, right)
	return nil
}

func replicateLogistic(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	train, test, err := standin.EightsAndSixes(ctx, p.Int("n"), rng)
	if err != nil {
		return nil, err
	}
	if d := p.Int("d"); d < 50 {
		if err := standin.Project(ctx, d, train, test); err != nil {
			return nil, err
		}
	}
	seed := rng.Uint64()
	e := &examiner{model: &inference.LogisticRegression{X: train.X, Y: train.Y, Scale: 1}, test: test, next: 400}
	if err := e.follow(ctx, p, rng); err != nil {
		return nil, err
	}
	truth, err := posteriors.Get(seed, func() (*mat.Dense, error) { return hamiltonian(ctx, e.model, 1000, rand.New(rand.NewPCG(seed, 1))) })
	if err != nil {
		return nil, err
	}
	width, off, least, err := beside(ctx, e.last, truth)
	if err != nil {
		return nil, err
	}
	gamma := inference.Root(1, 100)(p.Int("passes") * p.Int("n") / 100)
	h := inference.KernelBandwidth(p.Float("bandwidth"), p.Int("particles"), p.Int("d"))
	return study.Record{"visited": e.visited, "accuracy": e.accuracy, "final": e.accuracy[len(e.accuracy)-1], "width": width, "off": off,
		"still": stillWidth(h * h / (gamma * least * least))}, nil
}

// stillWidth solves gamma (V/s^2 - 1) V = h^2 for the width sqrt(V)/s, given h^2 over gamma s^2.
func stillWidth(ratio float64) float64 { return math.Sqrt((1 + math.Sqrt(1+4*ratio)) / 2) }

// follow runs the point's method; the last estimate is recorded too.
func (e *examiner) follow(ctx context.Context, p study.Point, rng *rand.Rand) error {
	const batch = 100
	particles, visits := p.Int("particles"), p.Int("passes")*e.model.Len()
	steps := visits / batch
	final := func(q rkhs.Measure) error {
		e.next, e.last = 0, q
		return e.see(visits, q)
	}
	draws := func(q *rkhs.Mixture) rkhs.Measure { return rkhs.Measure{X: q.Sample(rng, 500)} }
	switch method := p.Text("method"); method {
	case "PMD":
		s := &inference.Settings{Particles: particles, First: particles, Batch: batch, KernelSteps: steps, KernelStep: inference.Root(1, 100),
			Steps: inference.None, Bandwidth: p.Float("bandwidth"), MinSize: 0.1}
		s.Watch = func(visited int, q *inference.KDE) error { return e.see(visited, q.Measure) }
		q, err := inference.MirrorDescent(ctx, e.model, s, rng)
		if err != nil {
			return err
		}
		return final(q.Measure)
	case "SGLD":
		s := &inference.LangevinSettings{Batch: batch, Step: inference.Power(0.01, 10, 0.55), BurnIn: steps / 5, Samples: steps - steps/5, Thin: 1, Chains: 1}
		s.Watch = func(visited int, theta *mat.Dense) error { return e.see(visited, rkhs.Measure{X: theta}) }
		q, err := inference.Langevin(ctx, e.model, s, rng)
		if err != nil {
			return err
		}
		return final(q)
	case "SVI":
		s := &inference.VariationalSettings{Batch: batch, Steps: steps, Step: inference.Power(1, 10, 0.7)}
		s.Watch = func(visited int, q *rkhs.Mixture) error {
			if visited < e.next {
				return nil
			}
			return e.see(visited, draws(q))
		}
		q, err := e.model.Variational(ctx, s, rng)
		if err != nil {
			return err
		}
		return final(draws(q))
	case "SMC":
		s := &inference.MonteCarloSettings{Particles: particles, Batch: batch, Move: 0.1}
		s.Watch = e.see
		q, err := inference.MonteCarlo(ctx, e.model, s, rng)
		if err != nil {
			return err
		}
		visits = e.model.Len()
		return final(q)
	case "Laplace":
		q, err := e.model.Laplace(ctx)
		if err != nil {
			return err
		}
		return final(draws(q))
	default:
		return fmt.Errorf("no method %q", method)
	}
}
