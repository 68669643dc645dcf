package boosting

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gaucho/internal/studies"
	"gaucho/stdlib/boosting"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
	"gaucho/stdlib/vec"
)

// Overfit is figure 3.1 of Yang 2018: the squared error against the number of iterations, n = 100, step 0.75,
// first-order Sobolev kernel. LogitBoost has the sum of five logistic losses, AdaBoost the mean of five draws and half the
// logit for its target; the figure shows both, and L2Boost is added. A record holds the error at the iterations of
// recordTimes, the least over all, and where that is.
func Overfit(size studies.Size) *study.Study {
	iterations, runs := 5000, 40
	if size == studies.Small {
		iterations, runs = 1000, 10
	}
	return &study.Study{
		Name:         studies.Name("boosting-overfit", size),
		About:        "error of kernel boosting against the number of iterations: overfitting without stopping (Yang 2018, figure 3.1)",
		Version:      "1",
		Points:       study.Grid(study.Values("loss", "logistic", "exponential", "squared"), study.Values("n", 100), study.Values("T", iterations)),
		Replications: runs,
		Seed:         1,
		Seconds:      0.05,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			b, err := newKinkProblem(p.Text("loss"), p.Int("n"), rng)
			if err != nil {
				return nil, err
			}
			last, _, err := b.errors(ctx, p.Int("T"))
			if err != nil {
				return nil, err
			}
			var at []float64
			for _, t := range recordTimes(p.Int("T")) {
				at = append(at, last[t])
			}
			best, least, err := boosting.Oracle(last)
			if err != nil {
				return nil, err
			}
			return study.Record{"error": at, "least": least, "bestAt": best, "lastError": last[len(last)-1]}, nil
		},
	}
}

// recordTimes are the iterations at which errors are kept: all up to 10, then about 20 in each power of ten.
func recordTimes(last int) []int {
	var times []int
	for t := 1; t < last; t = max(t+1, int(math.Round(float64(t)*1.12))) {
		times = append(times, t)
	}
	return append(times, last)
}

// Rules is figures 3.2 and 3.3 of Yang 2018: the error at the iteration where a rule stops, against n: T = (7n)^k
// for k = 1/3, 2/3 (right for this kernel) and 1, and the best iteration of each path. The calibrated rule 1/(step
// delta_n^2) from the eigenvalues is added. Captions and text differ on whether averages or last iterates are shown: a
// record holds both.
func Rules(size studies.Size) *study.Study {
	ns, runs := []any{100, 200, 400, 800, 1600}, 40
	switch size {
	case studies.Small:
		ns, runs = []any{100, 200, 400}, 12
	case studies.Default:
		ns = []any{100, 200, 400, 800}
	}
	return &study.Study{
		Name:         studies.Name("boosting-rules", size),
		About:        "error of kernel boosting where stopping rules end it, against n (Yang 2018, figures 3.2 and 3.3)",
		Version:      "1",
		Points:       study.Grid(study.Values("loss", "squared", "logistic", "exponential"), study.Values("n", ns...)),
		Replications: runs,
		Seed:         1,
		Seconds:      0.1,
		Replicate:    replicateRules,
	}
}

func replicateRules(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	n := p.Int("n")
	b, err := newKinkProblem(p.Text("loss"), n, rng)
	if err != nil {
		return nil, err
	}
	rules := map[string]int{"1/3": boosting.PowerStop(n, 7, 1.0/3), "2/3": boosting.PowerStop(n, 7, 2.0/3), "1": boosting.PowerStop(n, 7, 1)}
	if p.Text("loss") == "squared" {
		r, err := b.design.CriticalRadius(ctx, math.Sqrt(kinkVariance))
		if err != nil {
			return nil, err
		}
		rules["calibrated"] = boosting.CalibratedStop(r.Squared(), kinkStep)
	}
	last, averaged, err := b.errors(ctx, rules["1"])
	if err != nil {
		return nil, err
	}
	best, least, err := boosting.Oracle(last)
	if err != nil {
		return nil, err
	}
	rec := study.Record{"gold": least, "goldAt": best}
	for name, t := range rules {
		rec["last "+name], rec["averaged "+name] = last[t], averaged[t]
	}
	return rec, nil
}

const (
	kinkStep     = 0.75
	kinkVariance = 0.5
)

// kinkProblem is the generator of section 3.4.
type kinkProblem struct {
	design    *boosting.Design
	loss      boosting.Loss
	target, y []float64
}

func newKinkProblem(loss string, n int, rng *rand.Rand) (*kinkProblem, error) {
	x := boosting.Grid(n)
	design, err := boosting.NewDesign(context.Background(), rkhs.Min{Offset: 1}, x)
	if err != nil {
		return nil, err
	}
	b := &kinkProblem{design: design, target: boosting.Kink(x)}
	switch loss {
	case "squared":
		b.loss, b.y = boosting.Squared{}, boosting.Squared{}.Draw(b.target, kinkVariance, rng)
	case "logistic":
		l := boosting.Logistic{Trials: 5}
		b.loss, b.y = l, l.Draw(b.target, rng)
	case "exponential":
		for i := range b.target {
			b.target[i] /= 2 // the minimiser for labels of which f is the logit
		}
		l := boosting.Exponential{Trials: 5, Mean: true}
		b.loss, b.y = l, l.Draw(b.target, rng)
	default:
		return nil, fmt.Errorf("no loss %q", loss)
	}
	return b, nil
}

// errors boosts and returns the squared errors of iterations 0 to T, of the iterates and of their averages.
func (b *kinkProblem) errors(ctx context.Context, T int) (last, averaged []float64, err error) {
	s := boosting.DefaultSettings()
	s.Loss, s.Step = b.loss, kinkStep
	booster, err := boosting.NewBooster(ctx, b.design, b.y, s)
	if err != nil {
		return nil, nil, err
	}
	n := float64(len(b.target))
	for t := 0; t <= T; t++ {
		last = append(last, vec.SquaredDistance(booster.Fitted(), b.target)/n)
		averaged = append(averaged, vec.SquaredDistance(booster.Averaged(), b.target)/n)
		if t%256 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err := booster.Step(); err != nil {
			return nil, nil, err
		}
	}
	return last, averaged, nil
}
