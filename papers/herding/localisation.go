package herding

import (
	"context"
	"math"
	"math/rand/v2"

	"gaucho/papers"
	"gaucho/stdlib/filtering"
	"gaucho/stdlib/study"
)

// Localisation returns the first study in place of figure 3 of Lacoste-Julien, Lindsten and Bach 2015 (section 4.3), whose
// flight data are not public: a robot in a room with a map and an expensive scan. A record holds the position error relative
// to the mean of ten bootstrap filters with very many particles, as in the paper, over the whole path and at its end, and
// the error relative to the truth. The kernel's variance, 0.01, is close to the predictive variance of the position.
func Localisation(size papers.Size) *study.Study {
	ns, replications, seconds, steps, candidates, reference := []any{20, 50, 100, 150, 200}, 20, 1.0, 60, 2000, 100000
	switch size {
	case papers.Small:
		ns, replications, seconds, steps, candidates, reference = []any{20}, 2, 0.1, 10, 200, 100
	case papers.Default:
		ns, replications, seconds, reference = []any{20, 50}, 6, 1.0, 1000
	}
	return whereabouts("herding-localisation", "position error of PF, QMC and sequential kernel herding for a robot with an expensive scan (stand-in for LLB15, figure 3)",
		size, &study.Study{Replications: replications, Seed: 3, Seconds: seconds, Replicate: replicateLocalisation},
		study.Values("variance", 0.01), study.Values("N", ns...), study.Values("T", steps), study.Values("M", candidates), study.Values("reference", reference))
}

func replicateLocalisation(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	flight := filtering.NewPlanarRobot(p.Int("T"), rng)
	reference, err := referenceMeans(ctx, "robot", func() filtering.System { return filtering.RobotModel() }, flight.Y, p.Int("reference"), 10, rng)
	if err != nil {
		return nil, err
	}
	s := filterSettings(p)
	s.Scale = []float64{1, 1, 3}
	res, err := filtering.Run(ctx, filtering.RobotModel(), flight.Y, s, rng)
	if err != nil {
		return nil, err
	}
	last, _ := res.Means.Dims()
	end := math.Hypot(res.Means.At(last-1, 0)-reference.At(last-1, 0), res.Means.At(last-1, 1)-reference.At(last-1, 1))
	return study.Record{
		"error":      filtering.PositionError(res.Means, reference, 2),
		"truthError": filtering.PositionError(res.Means, flight.Truth, 2),
		"endError":   end,
	}, nil
}
