package studies

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gaucho/stdlib/rl"
	"gaucho/stdlib/study"
)

func init() {
	register("sbeed-comparison", sbeedComparison)
	register("sbeed-onpolicy", sbeedOnPolicy)
	register("sbeed-ablation", sbeedAblation)
}

// A control is an environment of the comparisons with what SBEED and its rivals take from it alike.
type control struct {
	system       func() rl.System
	rewardScale  float64
	bandwidth    float64 // of the features of policies, in units of scaled observations
	episodes     int     // of an iteration of SBEED
	rollouts     int     // of an iteration of the policy gradients
	batch        int     // of an iteration of any method that learns from its last episodes alone
	episodeSteps int
	steps        int // of the environment in a run
	updates      int
	lambda       float64
	eta          float64 // small where nothing is random and a dual that lags behind only disturbs
	policyRate   float64
	horizon      int
}

// controls stand in for MuJoCo's environments. Episodes are cut after episodeSteps, so that a run takes minutes.
var controls = map[string]control{
	"pendulum": {func() rl.System { return rl.NewPendulum() }, 0.1, 1, 1, 2, 10, 200, 30000, 200, 0.1, 0.01, 0.004, 10},
	"pendulum-noisy": {func() rl.System {
		s, err := rl.WithActionNoise(rl.NewPendulum(), 1)
		if err != nil {
			panic(err) // not with this noise
		}
		return s
	}, 0.1, 1, 1, 2, 10, 200, 15000, 200, 0.1, 0.1, 0.004, 10},
	"double-pendulum": {func() rl.System { return rl.NewCartDoublePendulum() }, 0.03, 3, 10, 20, 20, 200, 15000, 100, 0.1, 0.1, 0.01, 10},
	"swimmer": {func() rl.System {
		s, err := rl.WithActionNoise(rl.NewSwimmer(), 0.1)
		if err != nil {
			panic(err) // not with this noise
		}
		return s
	}, 1, 3, 1, 4, 4, 1000, 30000, 200, 0.1, 0.1, 0.003, 20},
	"hopper":  {func() rl.System { return rl.NewHopper() }, 0.1, 3, 10, 20, 20, 1000, 15000, 100, 0.1, 0.1, 0.003, 10},
	"cheetah": {func() rl.System { return rl.NewCheetah() }, 0.1, 3, 2, 4, 10, 200, 15000, 200, 0.01, 0.1, 0.003, 20},
}

// orNone returns a number as settings have it, whose zero means a default.
func orNone(x float64) float64 {
	if x == 0 {
		return rl.None
	}
	return x
}

// sbeed returns the settings of SBEED for an environment.
func (c control) sbeed() *rl.SBEEDSettings {
	s := rl.DefaultSBEEDSettings()
	s.RewardScale, s.Policy.Bandwidth = c.rewardScale, c.bandwidth
	s.Episodes, s.EpisodeSteps, s.Updates = c.episodes, c.episodeSteps, c.updates
	s.Lambda, s.Eta, s.PolicyRate, s.Horizon = c.lambda, c.eta, c.policyRate, c.horizon
	return s
}

// gradient returns the settings of the policy gradients for an environment: the same class of policies.
func (c control) gradient() *rl.PolicyGradientSettings {
	s := rl.DefaultPolicyGradientSettings()
	s.RewardScale, s.Policy.Bandwidth = c.rewardScale, c.bandwidth
	s.Episodes, s.EpisodeSteps = c.rollouts, c.episodeSteps
	return s
}

// ddpg returns the settings of DDPG for an environment: the dissertation's, with faster actors and targets, which do
// better within so few steps.
func (c control) ddpg() *rl.DDPGSettings {
	s := rl.DefaultDDPGSettings()
	s.RewardScale, s.EpisodeSteps = c.rewardScale, c.episodeSteps
	s.ActorRate, s.Target = 1e-3, 5e-3
	return s
}

// sbeedComparison is figure 6.2 of Dai 2018: SBEED with replay, its version without a dual, and TRPO, dual actor-critic
// and DDPG. A record holds the learning curve on a grid of 15 numbers of steps, the mean of the last fifth and the mean
// of all.
func sbeedComparison(size Size) *study.Study {
	return sbeedStudy("sbeed-comparison", "learning curves of SBEED with replay, PCL, TRPO, Dual-AC and DDPG (Dai 2018, figure 6.2)", size,
		study.Values("method", "SBEED", "PCL", "TRPO", "Dual-AC", "DDPG"), func(environment string) control { return controls[environment] })
}

// onPolicy returns the control where all methods learn from the same number of episodes and forget them, which takes
// them more of these.
func (c control) onPolicy() control {
	c.steps, c.updates, c.episodes, c.rollouts = 100_000, 50, c.batch, c.batch
	return c
}

// sbeedOnPolicy is figure D.1 of Dai 2018: methods that learn from their own last episodes alone.
func sbeedOnPolicy(size Size) *study.Study {
	return sbeedStudy("sbeed-onpolicy", "learning curves of on-policy SBEED, TRPO and Dual-AC (Dai 2018, figure D.1)", size,
		study.Values("method", "SBEED on-policy", "TRPO", "Dual-AC"), func(environment string) control { return controls[environment].onPolicy() })
}

func sbeedStudy(name, about string, size Size, methods study.Axis, settings func(environment string) control) *study.Study {
	environments, seeds, share, updates := []any{"pendulum", "double-pendulum", "swimmer", "hopper", "cheetah"}, 5, 1.0, 1.0
	switch size {
	case Small:
		environments, seeds, share, updates = []any{"pendulum"}, 1, 0.1, 0.02
	case Default:
		environments, seeds = []any{"pendulum", "double-pendulum", "swimmer"}, 3
	}
	return &study.Study{
		Name: sized(name, size), About: about, Version: "3",
		Points:       study.Grid(study.Values("environment", environments...), methods, study.Values("share", share), study.Values("updates", updates)),
		Replications: seeds, Seed: 6, Stream: "sbeed", Paired: []string{"method"}, Seconds: 12 * share,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			c := settings(p.Text("environment")).share(p)
			l, err := c.learner(p.Text("method"), rng)
			if err != nil {
				return nil, err
			}
			return c.run(ctx, l)
		},
	}
}

// share returns the control with the share of steps and of updates that a point of a study has.
func (c control) share(p study.Point) control {
	c.steps, c.updates = int(float64(c.steps)*p.Float("share")), int(math.Ceil(float64(c.updates)*p.Float("updates")))
	return c
}

// learner returns a method by its name in the figures.
func (c control) learner(method string, rng *rand.Rand) (rl.Learner, error) {
	system := c.system()
	switch method {
	case "SBEED":
		return rl.NewSBEED(system, c.sbeed(), rng)
	case "SBEED on-policy":
		s := c.sbeed()
		s.Replay = s.Episodes
		s.Prox, s.PolicyRate = rl.Divergence, 0.1 // as in the text; few updates see each episode, and steps of Adam are too short
		return rl.NewSBEED(system, s, rng)
	case "PCL":
		return rl.NewPCL(system, c.sbeed(), rng)
	case "TRPO":
		return rl.NewTRPO(system, c.gradient(), rng)
	case "Dual-AC":
		return rl.NewDualAC(system, c.gradient(), rng)
	case "DDPG":
		return rl.NewDDPG(system, c.ddpg(), rng)
	}
	return nil, fmt.Errorf("studies: method is %q, must be SBEED, SBEED on-policy, PCL, TRPO, Dual-AC or DDPG", method)
}

// run trains a learner and records its curve.
func (c control) run(ctx context.Context, l rl.Learner) (study.Record, error) {
	curve, err := rl.Train(ctx, l, c.steps, nil)
	if err != nil {
		return nil, err
	}
	const points = 15
	grid := make([]int, points)
	for i := range grid {
		grid[i] = (i + 1) * c.steps / points
	}
	returns := curve.At(grid, c.steps/points)
	area := 0.0
	for _, r := range returns {
		area += r / points
	}
	return study.Record{"returns": returns, "final": curve.At([]int{c.steps}, c.steps/5)[0], "area": area}, nil
}

// sbeedAblation is figure 6.1 of Dai 2018: lambda, eta and k of SBEED, one at a time about the settings of the
// comparison, where transitions are random: torques of swimmer and pendulum have noise.
func sbeedAblation(size Size) *study.Study {
	environments, seeds, share, updates := []any{"pendulum-noisy", "swimmer"}, 5, 1.0, 1.0
	lambdas, etas, ks := []any{0.01, 0.03, 0.1, 0.3}, []any{0.0, 0.01, 0.04, 0.1, 0.4, 1.0}, []any{1, 10, 20, 100}
	switch size {
	case Small:
		environments, seeds, share, updates = []any{"pendulum-noisy"}, 1, 0.04, 0.02
		lambdas, etas, ks = []any{0.1}, []any{0.0}, []any{1}
	case Default:
		environments, seeds = []any{"pendulum-noisy"}, 3
		lambdas, etas, ks = []any{0.03, 0.1, 0.3}, []any{0.0, 0.1, 1.0}, []any{1, 10, 20}
	}
	var points []study.Point
	for _, e := range environments {
		for _, axis := range []study.Axis{study.Values("lambda", lambdas...), study.Values("eta", etas...), study.Values("k", ks...)} {
			for _, v := range axis.Values {
				points = append(points, study.NewPoint("environment", e, "varied", axis.Name, "value", v, "share", share, "updates", updates))
			}
		}
	}
	return &study.Study{
		Name: sized("sbeed-ablation", size), About: "SBEED with other lambda, eta and k (Dai 2018, figure 6.1)", Version: "3",
		Points: points, Replications: seeds, Seed: 6, Stream: "sbeed", Paired: []string{"varied", "value"}, Seconds: 20 * share,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			c := controls[p.Text("environment")].share(p)
			s := c.sbeed()
			switch p.Text("varied") {
			case "lambda":
				s.Lambda = p.Float("value")
			case "eta":
				s.Eta = orNone(p.Float("value"))
			case "k":
				s.Horizon = p.Int("value")
			}
			l, err := rl.NewSBEED(c.system(), s, rng)
			if err != nil {
				return nil, err
			}
			return c.run(ctx, l)
		},
	}
}
