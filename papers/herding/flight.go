package herding

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/papers"
	"gaucho/stdlib/filtering"
	"gaucho/stdlib/study"
)

// Flight returns the second study in place of figure 3 of Lacoste-Julien, Lindsten and Bach 2015 (section 4.3): a flight
// over flat ground with camera, gyroscope and barometer from a known start, without any absolute reference, so that errors
// grow. The kernel is whitened by the predictive covariance. A record holds the position error relative to the mean of ten
// bootstrap filters with very many particles, as in the paper, and relative to the truth, the latter also at some steps of
// the flight.
func Flight(size papers.Size) *study.Study {
	ns, replications, seconds, steps, candidates, reference := []any{50, 150, 200}, 48, 4.0, 150, 2000, 100000
	switch size {
	case papers.Small:
		ns, replications, seconds, steps, candidates, reference = []any{20}, 2, 0.1, 20, 200, 100
	case papers.Default:
		replications, seconds, reference = 8, 4.0, 1000
	}
	return whereabouts("herding-flight", "position error of PF, QMC and sequential kernel herding for a flight without absolute reference (second stand-in for LLB15, figure 3)",
		size, &study.Study{Replications: replications, Seed: 6, Seconds: seconds, Replicate: replicateFlight},
		study.Values("variance", 1.0), study.Values("N", ns...), study.Values("T", steps), study.Values("M", candidates), study.Values("reference", reference))
}

// whereabouts fills in what the two studies of positions have in common.
func whereabouts(name, about string, size papers.Size, s *study.Study, axes ...study.Axis) *study.Study {
	s.Name, s.About, s.Version = papers.Name(name, size), about, "2"
	s.Points = study.Grid(append([]study.Axis{study.Values("method", "PF", "QMC", "FW", "FCFW")}, axes...)...)
	s.Paired = []string{"method", "N", "M", "variance", "reference"}
	return s
}

func replicateFlight(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	flown := filtering.NewFlight(p.Int("T"), rng)
	reference, err := referenceMeans(ctx, "flight", func() filtering.System { return filtering.FlightModel() }, flown.Y, p.Int("reference"), 10, rng)
	if err != nil {
		return nil, err
	}
	s := filterSettings(p)
	s.Whiten = true
	res, err := filtering.Run(ctx, filtering.FlightModel(), flown.Y, s, rng)
	if err != nil {
		return nil, err
	}
	last := p.Int("T") - 1
	return study.Record{
		"error":       filtering.PositionError(res.Means, reference, 3),
		"truthError":  filtering.PositionError(res.Means, flown.Truth, 3),
		"startError":  positionApart(res.Means, flown.Truth, 0),
		"middleError": positionApart(res.Means, flown.Truth, last/4),
		"endError":    positionApart(res.Means, flown.Truth, last),
	}, nil
}

// positionApart is the distance of the positions, the first three numbers, in row t.
func positionApart(a, b *mat.Dense, t int) float64 {
	var s float64
	for j := range 3 {
		d := a.At(t, j) - b.At(t, j)
		s += d * d
	}
	return math.Sqrt(s)
}
