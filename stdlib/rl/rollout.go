package rl

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
)

// An Episode is what happened from a start to an end.
type Episode struct {
	// Inputs holds what was seen, as the policy takes it: numbers in its units, choices
	// as indicators; one row more than there are steps.
	Inputs *mat.Dense
	// Actions holds the actions, a row a step, not clipped and as policies choose them:
	// from -1 to 1 in a box with bounds, whose middle is 0.
	Actions *mat.Dense
	Rewards []float64
	// Terminated reports whether the last row of Inputs is terminal; otherwise the episode
	// was cut off there.
	Terminated bool
}

// Len returns the number of steps.
func (e *Episode) Len() int { return len(e.Rewards) }

// Return returns the sum of rewards.
func (e *Episode) Return() float64 {
	sum := 0.0
	for _, r := range e.Rewards {
		sum += r
	}
	return sum
}

// Rollout plays n episodes under a policy on all cores, at most limit steps each; 0
// leaves the system's own limit. It draws one key from rng; episode i has a stream of
// its own, so the result does not depend on the number of cores.
func Rollout(ctx context.Context, system System, policy *Policy, n, limit int, rng *rand.Rand) ([]*Episode, error) {
	r, err := newRollout(system, policy, limit, rng)
	if err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, fmt.Errorf("rl: number of episodes is %d, must be at least 1", n)
	}
	err = r.play(ctx, n)
	return r.episodes, err
}

// rolloutSteps plays whole episodes, two at first, until they have the given number of
// steps in all; how many come next follows from the lengths so far. It is as [Rollout]
// otherwise.
func rolloutSteps(ctx context.Context, system System, policy *Policy, steps, limit int, rng *rand.Rand) ([]*Episode, error) {
	r, err := newRollout(system, policy, limit, rng)
	if err != nil {
		return nil, err
	}
	for n, have := 2, 0; have < steps; n = (steps - have) * len(r.episodes) / have {
		if err := r.play(ctx, max(n, 1)); err != nil {
			return r.episodes, err
		}
		have = countSteps(r.episodes)
	}
	return r.episodes, nil
}

func countSteps(episodes []*Episode) int {
	n := 0
	for _, e := range episodes {
		n += e.Len()
	}
	return n
}

// A rollout plays episodes, each with a stream of its own.
type rollout struct {
	system   System
	policy   *Policy
	limit    int
	key      uint64
	episodes []*Episode
}

func newRollout(system System, policy *Policy, limit int, rng *rand.Rand) (*rollout, error) {
	if err := checkPlayed(system, policy, rng); err != nil {
		return nil, err
	}
	if limit < 0 || limit == 0 && system.Limit() == 0 {
		return nil, fmt.Errorf("rl: limit is %d, must be positive where the system has none", limit)
	}
	if l := system.Limit(); l > 0 && (limit == 0 || l < limit) {
		limit = l
	}
	return &rollout{system, policy, limit, rng.Uint64(), nil}, nil
}

// play plays n more episodes on all cores.
func (r *rollout) play(ctx context.Context, n int) error {
	from := len(r.episodes)
	r.episodes = append(r.episodes, make([]*Episode, n)...)
	errs := make([]error, from+n)
	parallel.Blocks(n, 1, func(i, _, _ int) {
		rng := rand.New(rand.NewPCG(r.key, uint64(from+i)))
		r.episodes[from+i], errs[from+i] = play(ctx, r.system, r.policy.actor(), r.limit, rng)
	})
	if err := firstError(errs); err != nil {
		r.episodes = nil
		return err
	}
	return ctx.Err()
}

// checkPlayed says what is wrong with a policy for a system.
func checkPlayed(system System, policy *Policy, rng *rand.Rand) error {
	if err := checkGiven(system, rng); err != nil {
		return err
	}
	if policy == nil {
		return fmt.Errorf("rl: policy is nil")
	}
	observation, action := system.Spaces()
	if observation.width() != policy.input.width() || action.width() != policy.action.width() || action.N != policy.action.N {
		return fmt.Errorf("rl: the policy takes %d inputs to %d outputs, must be %d and %d for %s",
			policy.input.width(), policy.action.width(), observation.width(), action.width(), system.Name())
	}
	return nil
}

// firstError returns the error of the first episode that has one.
func firstError(errs []error) error {
	for i, err := range errs {
		if err != nil {
			return fmt.Errorf("%w, episode %d", err, i)
		}
	}
	return nil
}

// checkStep says what is wrong with what a system has returned for a step.
func checkStep(input *encoder, seen []float64, reward float64, step int) error {
	if reward-reward != 0 {
		return fmt.Errorf("rl: the reward of step %d is %v, must be finite", step, reward)
	}
	if err := input.check(seen); err != nil {
		return fmt.Errorf("%w (after step %d)", err, step)
	}
	return nil
}

// play plays one episode. A reward or observation that is no number is an error.
func play(ctx context.Context, system System, a *actor, limit int, rng *rand.Rand) (*Episode, error) {
	observation, _ := system.Spaces()
	state, seen, raw := make([]float64, system.Dim()), make([]float64, observation.Dim()), make([]float64, a.action.Dim())
	width := a.Policy.input.width()
	var inputs, actions []float64
	e := &Episode{}
	look := func() {
		n := len(inputs)
		inputs = append(inputs, make([]float64, width)...)
		a.Policy.input.encode(inputs[n:], seen)
	}
	system.Init(state, rng)
	system.Observe(seen, state)
	if err := a.Policy.input.check(seen); err != nil {
		return nil, fmt.Errorf("%w (start of the episode)", err)
	}
	look()
	for step := 0; step < limit && !e.Terminated; step++ {
		if step%64 == 0 && ctx.Err() != nil {
			break
		}
		a.sample(raw, seen, rng)
		reward, terminated := system.Step(state, a.scaled(raw), rng)
		actions = append(actions, raw...)
		e.Rewards = append(e.Rewards, reward)
		e.Terminated = terminated
		system.Observe(seen, state)
		if err := checkStep(&a.Policy.input, seen, reward, step); err != nil {
			return nil, err
		}
		look()
	}
	e.Inputs = mat.NewDense(len(inputs)/width, width, inputs)
	if len(actions) > 0 {
		e.Actions = mat.NewDense(len(e.Rewards), len(raw), actions)
	}
	return e, nil
}
