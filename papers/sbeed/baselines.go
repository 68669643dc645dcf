package sbeed

import (
	"context"
	"math/rand/v2"

	"gaucho/papers"
	"gaucho/stdlib/rl"
	"gaucho/stdlib/study"
)

// Baselines returns the study of what policies that have learnt nothing achieve in the environments of the comparisons: the
// zero action (or the best single choice, where actions are choices) and uniformly random actions.
func Baselines(size papers.Size) *study.Study {
	episodes := 30
	if size == papers.Small {
		episodes = 2
	}
	return &study.Study{
		Name: papers.Name("sbeed-baselines", size), About: "returns of doing nothing and of random actions on the environments of Dai 2018, chapter 6", Version: "1",
		Points:       study.Grid(study.Values("environment", "pendulum", "pendulum-noisy", "double-pendulum", "swimmer", "hopper", "cheetah"), study.Values("episodes", episodes)),
		Replications: 5, Seed: 6, Seconds: 1,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			system, err := controls[p.Text("environment")].limited()
			if err != nil {
				return nil, err
			}
			idle, random, err := rl.Baselines(ctx, system, p.Int("episodes"), rng)
			return study.Record{"idle": idle, "random": random}, err
		},
	}
}
