package sbeed

import (
	"context"
	"math/rand/v2"

	"gaucho/papers"
	"gaucho/stdlib/rl"
	"gaucho/stdlib/study"
)

// Comparison returns the study of figure 6.2 of Dai 2018: SBEED with replay, its version without a dual (PCL), TRPO, dual
// actor-critic and DDPG.
func Comparison(size papers.Size) *study.Study {
	return figure("sbeed-comparison", "learning curves of SBEED with replay, PCL, TRPO, Dual-AC and DDPG (Dai 2018, figure 6.2)", size, offPolicySearch, "PCL")
}

// OnPolicy returns the study of figure D.1 of Dai 2018: methods that learn only from their own last episodes.
func OnPolicy(size papers.Size) *study.Study {
	return figure("sbeed-onpolicy", "learning curves of on-policy SBEED, TRPO and Dual-AC (Dai 2018, figure D.1)", size, onPolicySearch)
}

// figure returns the study of a figure: every learner of a search with the settings chosen for it. extra are learners that
// take SBEED's settings; their points come last, because no claim depends on them.
func figure(name, about string, size papers.Size, of search, extra ...string) *study.Study {
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
		Name: papers.Name(name, size), About: about, Version: "4",
		Points: points, Replications: a.seeds, Seed: 6, Stream: "sbeed", Paired: []string{"method", "settings"}, Seconds: 10,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			return replicateControl(ctx, p, of.onPolicy, rng)
		},
	}
}

// replicateControl trains the learner of a point.
func replicateControl(ctx context.Context, p study.Point, onPolicy bool, rng *rand.Rand) (study.Record, error) {
	t := task{controls[p.Text("environment")], p.Int("steps"), p.Float("updates")}
	return t.run(ctx, p.Int("episodes"), rng, func(system rl.System) (rl.Learner, error) {
		return t.learner(system, p.Text("method"), p.Int("settings"), onPolicy, rng)
	})
}
