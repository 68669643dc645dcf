package sbeed

import (
	"fmt"
	"math/rand/v2"

	"gaucho/stdlib/rl"
)

// A control is an environment of the comparisons with what all learners take from it alike.
type control struct {
	system       func() (rl.System, error)
	rewardScale  float64
	features     int    // of the policy's means, at the median bandwidth
	episodeSteps int    // after which an episode is cut
	episodes     int    // of an iteration of SBEED with replay
	updates      int    // after them: about one for two to four steps of early episodes
	rollouts     [2]int // of an iteration of the policy gradients, which the search chooses from
	batch        int    // episodes of an iteration of those that learn from their last episodes alone
}

// controls stand in for MuJoCo's environments.
var controls = map[string]control{
	"pendulum":        {plain(rl.NewPendulum()), 0.1, 100, 200, 1, 100, [2]int{2, 5}, 10},
	"pendulum-noisy":  {noisy(rl.NewPendulum(), 1), 0.1, 100, 200, 1, 100, [2]int{2, 5}, 10},
	"double-pendulum": {plain(rl.NewCartDoublePendulum()), 0.03, 100, 200, 20, 100, [2]int{20, 50}, 20},
	"swimmer":         {noisy(rl.NewSwimmer(), 0.1), 1, 100, 1000, 1, 250, [2]int{1, 2}, 4},
	"hopper":          {plain(rl.NewHopper()), 0.1, 100, 1000, 20, 100, [2]int{20, 50}, 20},
	"cheetah":         {plain(rl.NewCheetah()), 0.1, 500, 200, 2, 100, [2]int{2, 5}, 10},
}

func plain(s rl.System) func() (rl.System, error) {
	return func() (rl.System, error) { return s, nil }
}

// noisy returns the system with normal noise on its torques, of the given standard deviation.
func noisy(s rl.System, std float64) func() (rl.System, error) {
	return func() (rl.System, error) { return rl.WithActionNoise(s, std) }
}

// limited returns the system with episodes as long as they are here, for learning and for evaluation.
func (c control) limited() (rl.System, error) {
	s, err := c.system()
	if err != nil {
		return nil, err
	}
	return rl.WithLimit(s, c.episodeSteps)
}

// A task is a run of a learner: where, for how many steps, and with how many updates.
type task struct {
	control
	steps   int // of the environment; step sizes are half of what they were after half of them
	updates float64
}

// discount is the dissertation's, for all learners.
const discount = 0.995

// candidates is the number of settings among which the search chooses for each learner.
const candidates = 7

// The candidates of a learner are numbered from 1, as the rows of these tables. What the dissertation's section 6.7.1 says of
// a setting is in them; the others are of its order. The last three of each were added, for all learners alike, when the best of
// the first four for the pendulum lay at the edge, and before any final run.
var (
	// With replay: rates of steps with the KL prox, lambda and k.
	embeddingCandidates = [candidates]struct {
		lambda, rate float64
		horizon      int
	}{{0.1, 0.01, 10}, {0.1, 0.03, 20}, {0.01, 0.03, 10}, {0.01, 0.01, 20}, {0.1, 0.1, 10}, {0.1, 0.1, 20}, {0.01, 0.1, 10}}
	// On policy updates are fewer, and steps larger.
	onPolicyCandidates = [candidates]struct{ lambda, rate float64 }{{0.1, 0.1}, {0.1, 0.03}, {0.01, 0.1}, {0.01, 0.03}, {0.1, 0.3}, {0.01, 0.3}, {0.001, 0.1}}
	// TRPO and Dual-AC: the divergence of a step, and which of the two numbers of episodes or of the two k.
	gradientCandidates = [candidates]struct {
		divergence float64
		second     int
	}{{0.01, 0}, {0.01, 1}, {0.03, 0}, {0.03, 1}, {0.1, 0}, {0.1, 1}, {0.003, 1}}
	// DDPG: the first is the dissertation's.
	ddpgCandidates = [candidates]struct{ actor, target float64 }{{1e-4, 1e-3}, {1e-3, 1e-3}, {1e-4, 5e-3}, {1e-3, 5e-3}, {1e-4, 1e-2}, {1e-3, 1e-2}, {3e-3, 5e-3}}
)

// sbeed returns the settings of SBEED with replay.
func (t task) sbeed(candidate int) *rl.SBEEDSettings {
	s, c := rl.DefaultSBEEDSettings(), embeddingCandidates[candidate]
	s.Discount, s.RewardScale, s.Policy.Features, s.Decay = discount, t.rewardScale, t.features, t.steps/2
	s.Geometry, s.Eta, s.Batch = rl.Divergence, 0.04, 64
	s.Episodes, s.Updates = t.episodes, max(1, int(t.updates*float64(t.control.updates)))
	s.Lambda, s.PolicyRate, s.Horizon = c.lambda, c.rate, c.horizon
	return s
}

// onPolicy returns the settings of SBEED that learns from its last episodes alone.
func (t task) onPolicy(candidate int) *rl.SBEEDSettings {
	s, c := t.sbeed(0), onPolicyCandidates[candidate]
	s.Episodes, s.Replay, s.Updates = t.batch, t.batch, max(1, int(t.updates*50))
	s.Lambda, s.PolicyRate = c.lambda, c.rate
	return s
}

// gradient returns the settings of the policy gradients: the same class of policies. Where they have learnt from batches of
// one size the second choice is k of Dual-AC and lambda of TRPO's advantages, and otherwise the number of episodes.
func (t task) gradient(candidate int, sameBatch bool) *rl.PolicyGradientSettings {
	s, c := rl.DefaultPolicyGradientSettings(), gradientCandidates[candidate]
	s.Discount, s.RewardScale, s.Policy.Features, s.Decay = discount, t.rewardScale, t.features, t.steps/2
	s.MaxDivergence = c.divergence
	if sameBatch {
		s.Episodes, s.Horizon, s.GAE = t.batch, [2]int{10, 20}[c.second], [2]float64{0.95, 0.98}[c.second]
	} else {
		s.Episodes = t.rollouts[c.second]
	}
	return s
}

// ddpg returns the settings of DDPG, with a step of learning at each of the environment.
func (t task) ddpg(candidate int) *rl.DDPGSettings {
	s, c := rl.DefaultDDPGSettings(), ddpgCandidates[candidate]
	s.Discount, s.RewardScale, s.Decay = discount, t.rewardScale, t.steps/2
	s.ActorRate, s.Target = c.actor, c.target
	return s
}

// learner returns a method by its name in the figures, with the settings of that number. onPolicy is figure D.1, where all
// learn from as many episodes and forget them.
func (t task) learner(system rl.System, method string, settings int, onPolicy bool, rng *rand.Rand) (rl.Learner, error) {
	if settings < 1 || settings > candidates {
		return nil, fmt.Errorf("papers: settings %d of %s, must be from 1 to %d; the search for settings comes first", settings, method, candidates)
	}
	at := settings - 1
	switch method {
	case "SBEED":
		return rl.NewSBEED(system, t.sbeed(at), rng)
	case "SBEED on-policy":
		return rl.NewSBEED(system, t.onPolicy(at), rng)
	case "PCL":
		return rl.NewPCL(system, t.sbeed(at), rng)
	case "TRPO":
		return rl.NewTRPO(system, t.gradient(at, onPolicy), rng)
	case "Dual-AC":
		return rl.NewDualAC(system, t.gradient(at, onPolicy), rng)
	case "DDPG":
		return rl.NewDDPG(system, t.ddpg(at), rng)
	}
	return nil, fmt.Errorf("papers: method is %q, must be SBEED, SBEED on-policy, PCL, TRPO, Dual-AC or DDPG", method)
}
