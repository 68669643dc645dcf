package sbeed

import (
	"context"
	"math/rand/v2"

	"gaucho/papers"
	"gaucho/stdlib/rl"
	"gaucho/stdlib/study"
)

// Ablation returns the study of figure 6.1 of Dai 2018: lambda, eta and k of SBEED, varied one at a time around the settings
// that the search chose, where transitions are random: the torques of pendulum and swimmer have noise.
func Ablation(size papers.Size) *study.Study {
	a := offPolicyArena(size)
	environments := []string{"pendulum-noisy", "swimmer"}
	lambdas, etas, ks := []any{0.001, 0.01, 0.1, 1.0}, []any{0.0, 0.004, 0.04, 0.1, 0.4, 1.0}, []any{1, 10, 20, 100}
	switch size {
	case papers.Small:
		environments = environments[:1]
		lambdas, etas, ks = []any{0.1}, []any{0.0}, []any{1}
	case papers.Default:
		environments = environments[:1]
		lambdas, etas, ks = []any{0.01, 0.1, 1.0}, []any{0.0, 0.04, 1.0}, []any{1, 10, 100}
	case papers.Paper:
		a.seeds = 10 // by the spread of the first five
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
		Name: papers.Name("sbeed-ablation", size), About: "SBEED with other lambda, eta and k (Dai 2018, figure 6.1)", Version: "4",
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

// orNone returns x as settings hold it, where 0 would mean the default.
func orNone(x float64) float64 {
	if x == 0 {
		return rl.None
	}
	return x
}
