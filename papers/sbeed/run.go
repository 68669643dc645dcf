package sbeed

import (
	"context"
	"math/rand/v2"

	"gaucho/stdlib/rl"
	"gaucho/stdlib/study"
)

// curvePoints is the number of places of a learning curve.
const curvePoints = 15

// run trains a learner and records two curves on a grid of 15 numbers of steps: returns, of the episodes that it learns from,
// with the noise by which it explores, and evaluated, of episodes apart with mean actions. final and finalReturn are the means
// in the last fifth.
func (t task) run(ctx context.Context, episodes int, rng *rand.Rand, learner func(rl.System) (rl.Learner, error)) (study.Record, error) {
	system, err := t.limited()
	if err != nil {
		return nil, err
	}
	starts := rng.Uint64() // of evaluations: all methods of a replication draw the same
	l, err := learner(system)
	if err != nil {
		return nil, err
	}
	every := max(1, t.steps/curvePoints)
	curve, err := rl.Train(ctx, l, t.steps, &rl.TrainSettings{Every: every, Episodes: episodes, System: system, Seed: starts})
	if err != nil {
		return nil, err
	}
	grid := make([]int, curvePoints)
	for i := range grid {
		grid[i] = (i + 1) * t.steps / curvePoints
	}
	last := []int{t.steps}
	return study.Record{
		"returns": curve.At(grid, every), "evaluated": curve.Evaluations().At(grid, every),
		"finalReturn": curve.At(last, t.steps/5)[0], "final": curve.Evaluations().At(last, t.steps/5)[0],
	}, nil
}
