package rl

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gaucho/stdlib/internal/parallel"
)

// Evaluate returns the mean return of n episodes under the mean or likeliest actions of
// an actor, a policy or what [Learner.Actor] returns, on all cores; see [Rollout] for
// rng. An observation or reward that is not finite, and an action that is none, are
// errors.
func Evaluate(ctx context.Context, system System, actor Actor, n int, rng *rand.Rand) (float64, error) {
	if actor == nil {
		return 0, fmt.Errorf("rl: actor is nil")
	}
	act := func(observation []float64, _ *rand.Rand) []float64 { return actor.Mode(observation) }
	if p, ok := actor.(*Policy); ok {
		if err := checkPlayed(system, p, rng); err != nil {
			return 0, err
		}
	}
	return meanReturn(ctx, system, act, n, rng)
}

// Baselines returns the mean returns of n episodes under two policies that have learnt
// nothing: idle takes the zero action of a box, or the point nearest to it, and of
// choices the best single one; random draws actions by [Space.Sample]. A learner below
// them has learnt less than nothing.
func Baselines(ctx context.Context, system System, n int, rng *rand.Rand) (idle, random float64, err error) {
	if err := checkGiven(system, rng); err != nil {
		return 0, 0, err
	}
	_, action := system.Spaces()
	for i := range max(action.N, 1) {
		a := []float64{float64(i)}
		if action.N == 0 {
			a = make([]float64, action.Dim())
			for j := range a {
				a[j] = min(max(0, action.Low[j]), action.High[j])
			}
		}
		r, err := meanReturn(ctx, system, func([]float64, *rand.Rand) []float64 { return a }, n, rng)
		if err != nil {
			return 0, 0, err
		}
		if i == 0 || r > idle {
			idle = r
		}
	}
	random, err = meanReturn(ctx, system, func(_ []float64, rng *rand.Rand) []float64 {
		a := make([]float64, action.Dim())
		action.Sample(a, rng)
		return a
	}, n, rng)
	return idle, random, err
}

// meanReturn plays n episodes, each with a stream of its own.
func meanReturn(ctx context.Context, system System, act func([]float64, *rand.Rand) []float64, n int, rng *rand.Rand) (float64, error) {
	if err := checkGiven(system, rng); err != nil {
		return 0, err
	}
	if n < 1 {
		return 0, fmt.Errorf("rl: number of episodes is %d, must be at least 1", n)
	}
	if system.Limit() == 0 {
		return 0, fmt.Errorf("rl: episodes of %s have no limit, must have one; WithLimit sets it", system.Name())
	}
	observation, action := system.Spaces()
	input := newEncoder(observation)
	key := rng.Uint64()
	returns, errs := make([]float64, n), make([]error, n)
	parallel.Blocks(n, 1, func(i, _, _ int) {
		own := rand.New(rand.NewPCG(key, uint64(i)))
		env := NewEnv(system, own)
		for over := false; !over && ctx.Err() == nil; {
			seen := env.Observation()
			if errs[i] = input.check(seen); errs[i] != nil {
				return
			}
			a := act(seen, own)
			if errs[i] = action.checkAction(a); errs[i] != nil {
				return
			}
			reward, terminated, truncated := env.advance(a)
			if returns[i] += reward; reward-reward != 0 {
				errs[i] = fmt.Errorf("rl: the reward of step %d is %v, must be finite", env.Elapsed()-1, reward)
				return
			}
			over = terminated || truncated
		}
	})
	if err := firstError(errs); err != nil {
		return 0, err
	}
	sum := 0.0
	for _, r := range returns {
		sum += r
	}
	return sum / float64(n), ctx.Err()
}
