package sbeed

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/papers"
	"gaucho/stdlib/rl"
	"gaucho/stdlib/study"
)

// Tabular returns the study that compares SBEED on random finite processes (20 states, 4 actions, 3 successors) with exact
// solutions, for each eta: those of value iteration for the whole problem, and those of least squares for the convex
// problem, where the policy is given. "population" takes exact expectations, "samples" one next state each (Dai 2018,
// algorithm 12). A record holds the largest error of V.
func Tabular(size papers.Size) *study.Study {
	updates, exact, processes := 300000, 20000, 5
	switch size {
	case papers.Small:
		updates, exact, processes = 2000, 4000, 1
	case papers.Default:
		processes = 3
	}
	return &study.Study{
		Name: papers.Name("sbeed-tabular", size), About: "error of V against eta, on finite processes with known solutions (Dai 2018, section 6.3)", Version: "1",
		Points: study.Grid(study.Values("problem", "whole", "convex"), study.Values("expectations", "population", "samples"),
			study.Values("eta", 0.0, 0.25, 0.5, 0.75, 1.0), study.Values("updates", updates), study.Values("exact updates", exact)),
		Replications: processes, Seed: 7, Paired: []string{"problem", "expectations", "eta"}, Seconds: 1,
		Replicate: replicateTabular,
	}
}

func replicateTabular(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	m, err := rl.RandomMDP(20, 4, 3, rng)
	if err != nil {
		return nil, err
	}
	s := rl.DefaultTabularSettings()
	s.Eta, s.Updates = orNone(p.Float("eta")), p.Int("updates")
	if p.Text("expectations") == "population" {
		s.Population, s.Updates, s.Rate = true, p.Int("exact updates"), 0.01
	}
	var truth []float64
	if p.Text("problem") == "convex" {
		s.Policy = mat.NewDense(20, 4, nil)
		s.Policy.Apply(func(_, a int, _ float64) float64 { return float64(4-a) / 10 }, s.Policy)
		truth, err = rl.ConsistentValue(m, s.Policy, s.Discount, s.Lambda)
	} else {
		var solution *rl.Solution
		if solution, err = rl.ValueIteration(ctx, m, s.Discount, s.Lambda, 1e-12); err == nil {
			truth = solution.V
		}
	}
	if err != nil {
		return nil, err
	}
	v, _, err := rl.TabularSBEED(ctx, m, s, rng)
	if err != nil {
		return nil, err
	}
	worst := 0.0
	for i := range v {
		worst = max(worst, math.Abs(v[i]-truth[i]))
	}
	return study.Record{"error": worst}, nil
}
