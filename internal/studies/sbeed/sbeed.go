package sbeed

import (
	"context"
	"math/rand/v2"

	"gaucho/internal/studies"
	"gaucho/stdlib/rl"
	"gaucho/stdlib/study"
)

// An arena is the set of environments of a figure at a size, with the steps of a run in each.
type arena struct {
	environments []string // in the order in which they are run
	steps        map[string]int
	updates      float64 // the share of SBEED's
	episodes     int     // of an evaluation
	seeds        int
}

// offPolicyArena is that of figure 6.2.
func offPolicyArena(size studies.Size) arena {
	all := []string{"pendulum", "double-pendulum", "swimmer", "hopper", "cheetah"}
	switch size {
	case studies.Small:
		return arena{[]string{"pendulum"}, map[string]int{"pendulum": 800}, 0.02, 1, 1}
	case studies.Default:
		return arena{all, map[string]int{"pendulum": 10_000, "double-pendulum": 10_000, "swimmer": 20_000, "hopper": 10_000, "cheetah": 10_000}, 1, 5, 5}
	}
	return arena{all, map[string]int{"pendulum": 30_000, "double-pendulum": 60_000, "swimmer": 100_000, "hopper": 100_000, "cheetah": 100_000}, 1, 10, 5}
}

// onPolicyArena is that of figure D.1, where a step of the environment teaches less.
func onPolicyArena(size studies.Size) arena {
	a := offPolicyArena(size)
	for name := range a.steps {
		switch size {
		case studies.Small:
			a.steps[name] = 2000
		case studies.Default:
			a.steps[name] = 40_000
		default:
			a.steps[name] = 200_000
		}
	}
	return a
}

// Comparison is figure 6.2 of Dai 2018: SBEED with replay, its version without a dual, and TRPO, dual actor-critic
// and DDPG.
func Comparison(size studies.Size) *study.Study {
	return figure("sbeed-comparison", "learning curves of SBEED with replay, PCL, TRPO, Dual-AC and DDPG (Dai 2018, figure 6.2)", size, offPolicySearch, "PCL")
}

// OnPolicy is figure D.1 of Dai 2018: methods that learn from their own last episodes alone.
func OnPolicy(size studies.Size) *study.Study {
	return figure("sbeed-onpolicy", "learning curves of on-policy SBEED, TRPO and Dual-AC (Dai 2018, figure D.1)", size, onPolicySearch)
}

// figure is a figure: every learner of a search with the settings that it chose. extra are learners that take SBEED's; their
// points come last, as no claim waits for them.
func figure(name, about string, size studies.Size, of search, extra ...string) *study.Study {
	a := of.arena(size)
	var points []study.Point
	for _, e := range of.chosenIn(size, a.environments) {
		for _, m := range of.methods {
			points = append(points, a.point(e, m, of.settings(size, e, m)))
		}
	}
	for _, m := range extra {
		for _, e := range of.chosenIn(size, a.environments) {
			points = append(points, a.point(e, m, of.settings(size, e, "SBEED")))
		}
	}
	return &study.Study{
		Name: studies.Name(name, size), About: about, Version: "4",
		Points: points, Replications: a.seeds, Seed: 6, Stream: "sbeed", Paired: []string{"method", "settings"}, Seconds: 10,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			return replicateControl(ctx, p, of.onPolicy, rng)
		},
	}
}

// point is that of a learner with the settings of that number.
func (a arena) point(environment, method string, settings int) study.Point {
	return study.NewPoint("environment", environment, "method", method, "settings", settings, "steps", a.steps[environment], "updates", a.updates, "episodes", a.episodes)
}

// replicateControl trains the learner of a point.
func replicateControl(ctx context.Context, p study.Point, onPolicy bool, rng *rand.Rand) (study.Record, error) {
	t := task{controls[p.Text("environment")], p.Int("steps"), p.Float("updates")}
	return t.run(ctx, p.Int("episodes"), rng, func(system rl.System) (rl.Learner, error) {
		return t.learner(system, p.Text("method"), p.Int("settings"), onPolicy, rng)
	})
}

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

// Ablation is figure 6.1 of Dai 2018: lambda, eta and k of SBEED, one at a time about the settings that the search chose,
// where transitions are random: torques of swimmer and pendulum have noise.
func Ablation(size studies.Size) *study.Study {
	a := offPolicyArena(size)
	environments := []string{"pendulum-noisy", "swimmer"}
	lambdas, etas, ks := []any{0.001, 0.01, 0.1, 1.0}, []any{0.0, 0.004, 0.04, 0.1, 0.4, 1.0}, []any{1, 10, 20, 100}
	switch size {
	case studies.Small:
		environments = environments[:1]
		lambdas, etas, ks = []any{0.1}, []any{0.0}, []any{1}
	case studies.Default:
		environments = environments[:1]
		lambdas, etas, ks = []any{0.01, 0.1, 1.0}, []any{0.0, 0.04, 1.0}, []any{1, 10, 100}
	}
	a.steps["pendulum-noisy"] = a.steps["pendulum"]
	var points []study.Point
	for _, e := range environments {
		searched := e
		if e == "pendulum-noisy" {
			searched = "pendulum" // whose settings it takes
		}
		for _, axis := range []study.Axis{study.Values("lambda", lambdas...), study.Values("eta", etas...), study.Values("k", ks...)} {
			for _, v := range axis.Values {
				points = append(points, study.NewPoint("environment", e, "varied", axis.Name, "value", v, "settings", offPolicySearch.settings(size, searched, "SBEED"),
					"steps", a.steps[e], "updates", a.updates, "episodes", a.episodes))
			}
		}
	}
	return &study.Study{
		Name: studies.Name("sbeed-ablation", size), About: "SBEED with other lambda, eta and k (Dai 2018, figure 6.1)", Version: "4",
		Points: points, Replications: a.seeds, Seed: 6, Stream: "sbeed", Paired: []string{"varied", "value", "settings"}, Seconds: 20,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			t := task{controls[p.Text("environment")], p.Int("steps"), p.Float("updates")}
			return t.run(ctx, p.Int("episodes"), rng, func(system rl.System) (rl.Learner, error) {
				if p.Int("settings") == 0 {
					return t.learner(system, "SBEED", 0, false, rng) // says what is missing
				}
				s := t.sbeed(p.Int("settings") - 1)
				switch p.Text("varied") {
				case "lambda":
					s.Lambda = p.Float("value")
				case "eta":
					s.Eta = orNone(p.Float("value"))
				case "k":
					s.Horizon = p.Int("value")
				}
				return rl.NewSBEED(system, s, rng)
			})
		},
	}
}

// orNone returns a number as settings have it, whose zero means a default.
func orNone(x float64) float64 {
	if x == 0 {
		return rl.None
	}
	return x
}
