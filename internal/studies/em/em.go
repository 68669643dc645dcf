package em

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/internal/studies"
	"gaucho/stdlib/em"
	"gaucho/stdlib/study"
	"gaucho/stdlib/vec"
)

// symmetricSample draws the setting of Yang 2018, section 2.4: a mean in a random direction with |mean| = eta, sigma = 1,
// zeta = 0.2 (rho = 0.6), and a path of n steps.
func symmetricSample(n, d int, eta float64, rng *rand.Rand) (star em.Symmetric, x *mat.Dense, err error) {
	star = em.Symmetric{Mean: em.InBall(make([]float64, d), 1, rng), Zeta: 0.2, Sigma: 1}
	vec.Scale(star.Mean, eta/math.Sqrt(vec.Dot(star.Mean, star.Mean)), star.Mean)
	x, _, err = star.Sample(n, rng)
	return star, x, err
}

// nearStarts are starts uniform in the ball about the truth of a quarter of its size.
func nearStarts(star em.Symmetric, count int, rng *rand.Rand) []em.Symmetric {
	return em.StartsInBall(star.Mean, math.Sqrt(vec.Dot(star.Mean, star.Mean))/4, star.Sigma, count, rng)
}

// fitLong runs Baum-Welch until steps are of the size of rounding.
func fitLong(ctx context.Context, start em.Symmetric, x *mat.Dense, iterations int) (*em.SymmetricFit, error) {
	s := em.DefaultSymmetricSettings()
	s.Iterations, s.Tolerance = iterations, 1e-14
	return em.FitSymmetric(ctx, start, x, s)
}

// padded returns the first n numbers of a path, its last repeated if there are fewer.
func padded(path []float64, n int) []float64 {
	out := append([]float64(nil), path[:min(n, len(path))]...)
	for len(out) < n {
		out = append(out, path[len(path)-1])
	}
	return out
}

// Convergence is figure 2.3 of Yang 2018: optimisation and statistical error of Baum-Welch against iterations from five
// starts, d = 10, n = 1000, |mean|/sigma = 1.5. The figure shows one path; a replication is a path of its own. A record
// holds the two curves of the first start, the error where it ends, the iteration at which that is reached, how straight
// the first curve is on a log scale, and how far apart the five runs are after 7 iterations (log n, where the theory stops),
// 10, 15, 25 and 200: the text says that they end at different points.
func Convergence(size studies.Size) *study.Study {
	paths := 100
	if size == studies.Small {
		paths = 10
	}
	return &study.Study{
		Name:         studies.Name("em-convergence", size),
		About:        "optimisation and statistical error of Baum-Welch against iterations (Yang 2018, figure 2.3)",
		Version:      "2",
		Points:       study.Grid(study.Values("eta", 1.5), study.Values("n", 1000), study.Values("d", 10)),
		Replications: paths,
		Seed:         1,
		Seconds:      0.05,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			star, x, err := symmetricSample(p.Int("n"), p.Int("d"), p.Float("eta"), rng)
			if err != nil {
				return nil, err
			}
			var fits []*em.SymmetricFit
			for _, start := range nearStarts(star, 5, rng) {
				fit, err := fitLong(ctx, start, x, 200)
				if err != nil {
					return nil, err
				}
				fits = append(fits, fit)
			}
			c, err := fits[0].Convergence(nil, star.Mean)
			if err != nil {
				return nil, err
			}
			optimisation, statistical := padded(c.Optimisation, 41), padded(c.Statistical, 41)
			rec := study.Record{"optimisation": optimisation, "statistical": statistical, "error": c.Floor,
				"reached": c.Reached, "straight": straightness(c.Optimisation, 1e-12), "late": lateFactor(c.Optimisation, 1e-12)}
			for _, t := range []int{7, 10, 15, 25, 200} {
				rec[fmt.Sprintf("apart %d", t)] = apart(fits, t)
			}
			return rec, nil
		},
	}
}

// apart is the largest distance of a run from the first after t iterations, or where it ended before.
func apart(fits []*em.SymmetricFit, t int) float64 {
	at := func(f *em.SymmetricFit) []float64 { return f.Path[min(t, len(f.Path)-1)].Mean }
	most := 0.0
	for _, f := range fits[1:] {
		most = max(most, math.Sqrt(vec.SquaredDistance(at(f), at(fits[0]))))
	}
	return most
}

// logs are the logarithms of a falling path down to floor.
func logs(path []float64, floor float64) []float64 {
	var out []float64
	for _, v := range path {
		if !(v > floor) {
			break
		}
		out = append(out, vec.Log1(v))
	}
	return out
}

// straightness is the share of the variance of a path's logarithm, down to floor, that a straight line explains: 1 for a
// linear rate, .93 for one that doubles the digits four times in a row, .6 for a single step. Fewer than three places are
// a straight line.
func straightness(path []float64, floor float64) float64 {
	y := logs(path, floor)
	n := float64(len(y))
	if n < 3 {
		return 1
	}
	var mean, sxx, sxy, syy float64
	for _, v := range y {
		mean += v / n
	}
	for i, v := range y {
		x := float64(i) - (n-1)/2
		sxx, sxy, syy = sxx+x*x, sxy+x*(v-mean), syy+(v-mean)*(v-mean)
	}
	return sxy * sxy / (sxx * syy)
}

// lateFactor compares rates: the mean fall of the logarithm in the last half of the path down to floor, over that in the
// first half. It is 1 for a linear rate, more for a faster one.
func lateFactor(path []float64, floor float64) float64 {
	y := logs(path, floor)
	if len(y) < 5 {
		return 1
	}
	last, half := len(y)-1, len(y)/2
	return (y[half] - y[last]) / float64(last-half) / ((y[0] - y[half]) / float64(half))
}

// Signal is figure 2.4: the optimisation error at several signal-to-noise ratios. A record holds the curve, how straight
// it is on a log scale, the factor by which the error falls in an iteration, the iterations to 1e-8, and the error where it
// ends.
func Signal(size studies.Size) *study.Study {
	etas, draws := []any{0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0}, 40
	if size == studies.Small {
		etas, draws = []any{0.75, 1.0, 1.5, 2.0, 3.0}, 8
	}
	return &study.Study{
		Name:         studies.Name("em-signal", size),
		About:        "rate of Baum-Welch against the signal-to-noise ratio (Yang 2018, figure 2.4)",
		Version:      "2",
		Points:       study.Grid(study.Values("eta", etas...), study.Values("n", 1000), study.Values("d", 10)),
		Replications: draws,
		Seed:         1,
		Seconds:      0.05,
		AnyNumber:    true,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			star, x, err := symmetricSample(p.Int("n"), p.Int("d"), p.Float("eta"), rng)
			if err != nil {
				return nil, err
			}
			fit, err := fitLong(ctx, nearStarts(star, 1, rng)[0], x, 3000)
			if err != nil {
				return nil, err
			}
			c, err := fit.Convergence(nil, star.Mean)
			if err != nil {
				return nil, err
			}
			reached := 0
			for reached < len(c.Optimisation) && c.Optimisation[reached] >= 1e-8 {
				reached++
			}
			return study.Record{"optimisation": padded(c.Optimisation, 61), "straight": straightness(c.Optimisation, 1e-12), "rate": c.Rate, "to 1e-8": reached, "error": c.Floor}, nil
		},
	}
}

// Rates measures how the error of Baum-Welch falls with n and grows with d (corollary 2): sqrt(d/n).
func Rates(size studies.Size) *study.Study {
	var points []study.Point
	ns, ds, trials := []int{500, 1000, 2000, 4000, 8000, 16000}, []int{5, 10, 20, 40, 80}, 200
	if size == studies.Small {
		ns, ds, trials = []int{500, 2000}, []int{5, 20}, 4
	}
	for _, n := range ns {
		points = append(points, study.NewPoint("along", "n", "n", n, "d", 10))
	}
	for _, d := range ds {
		points = append(points, study.NewPoint("along", "d", "n", 4*ns[1], "d", d))
	}
	return &study.Study{
		Name: studies.Name("em-rates", size), About: "error of Baum-Welch against n and d (Yang 2018, corollary 2)", Version: "1",
		Points: points, Replications: trials, Seed: 1, Seconds: 0.05,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			star, x, err := symmetricSample(p.Int("n"), p.Int("d"), 1.5, rng)
			if err != nil {
				return nil, err
			}
			fit, err := fitLong(ctx, nearStarts(star, 1, rng)[0], x, 100)
			if err != nil {
				return nil, err
			}
			m := fit.Model()
			return study.Record{"mean": math.Sqrt(vec.SquaredDistance(m.Mean, star.Mean)), "zeta": math.Abs(m.Zeta - star.Zeta)}, nil
		},
	}
}

// Memory compares Baum-Welch with EM for independent draws (zeta kept at 1/2), and with the mean that the true signs
// give, from the same starts.
func Memory(size studies.Size) *study.Study {
	etas, trials := []any{0.5, 0.75, 1.0, 1.5}, 200
	if size == studies.Small {
		etas, trials = []any{0.75, 1.5}, 10
	}
	return &study.Study{
		Name: studies.Name("em-memory", size), About: "error of Baum-Welch against that of EM that ignores the chain (Yang 2018, section 2.4)", Version: "2",
		Points:       study.Grid(study.Values("eta", etas...), study.Values("n", 1000), study.Values("d", 10)),
		Replications: trials, Seed: 1, Seconds: 0.1,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			star, x, err := symmetricSample(p.Int("n"), p.Int("d"), p.Float("eta"), rng)
			if err != nil {
				return nil, err
			}
			start, rec := nearStarts(star, 1, rng)[0], study.Record{}
			for name, fixed := range map[string]bool{"chain": false, "independent": true} {
				s := em.DefaultSymmetricSettings()
				s.Iterations, s.FixZeta = 1000, fixed
				fit, err := em.FitSymmetric(ctx, start, x, s)
				if err != nil {
					return nil, err
				}
				rec[name] = math.Sqrt(vec.SquaredDistance(fit.Model().Mean, star.Mean))
			}
			rec["gain"] = rec["independent"].(float64) - rec["chain"].(float64)
			return rec, nil
		},
	}
}

// Landscape counts fixed points of Baum-Welch that five starts near the truth reach: what figure 2.1 sketches. At a
// weak signal some paths have more than one, at a strong one none. Iterations go on until steps are below 1e-12.
func Landscape(size studies.Size) *study.Study {
	etas, ns, paths := []any{0.2, 0.3, 0.5, 0.75}, []any{100, 300, 1000}, 20
	if size == studies.Small {
		etas, ns, paths = []any{0.75}, []any{300}, 3
	}
	return &study.Study{
		Name: studies.Name("em-landscape", size), About: "fixed points of Baum-Welch near the truth, by signal (after Yang 2018, figure 2.1)", Version: "1",
		Points:       study.Grid(study.Values("eta", etas...), study.Values("n", ns...), study.Values("d", 10)),
		Replications: paths, Seed: 1, Seconds: 1,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			n := p.Int("n")
			star, x, err := symmetricSample(n, p.Int("d"), p.Float("eta"), rng)
			if err != nil {
				return nil, err
			}
			var ends [][]float64
			for _, start := range nearStarts(star, 5, rng) {
				s := em.DefaultSymmetricSettings()
				s.Iterations, s.Tolerance = 6000000/n, 1e-12
				fit, err := em.FitSymmetric(ctx, start, x, s)
				if err != nil {
					return nil, err
				}
				end, known := fit.Model().Mean, false
				for _, e := range ends {
					known = known || math.Sqrt(vec.SquaredDistance(e, end)) <= 1e-4
				}
				if !known {
					ends = append(ends, end)
				}
			}
			return study.Record{"ends": len(ends), "several": len(ends) > 1}, nil
		},
	}
}
