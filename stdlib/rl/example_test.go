package rl_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gaucho/plotting"
	"gaucho/stdlib/rl"
)

// An episode of the cart-pole by hand: push to where the pole leans.
func ExampleEnv() {
	env := rl.NewEnv(rl.NewCartPole(), rand.New(rand.NewPCG(1, 2)))
	seen, total := env.Reset(), 0.0
	for {
		action := 0.0
		if seen[2]+seen[3] > 0 {
			action = 1
		}
		next, reward, terminated, truncated := env.Step(action)
		total += reward
		if terminated || truncated {
			break
		}
		seen = next
	}
	fmt.Println(total >= 100)
	// Output: true
}

// The shortest way along the cliff, exactly.
func ExampleValueIteration() {
	cliff := rl.NewCliff()
	s, err := rl.ValueIteration(context.Background(), cliff, 0.9, 0, 1e-9)
	if err != nil {
		panic(err)
	}
	fmt.Printf("up from the start: %.0f, worth %.3f\n", s.Policy.At(36, 0), s.V[36])
	// Output: up from the start: 1, worth -7.458
}

// SBEED on the pendulum, here for a few seconds only.
func ExampleSBEED() {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(1, 2))
	settings := rl.DefaultSBEEDSettings()
	settings.Updates = 20
	learner, err := rl.NewSBEED(rl.NewPendulum(), settings, rng)
	if err != nil {
		panic(err)
	}
	curve, err := rl.Train(ctx, learner, 600, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(len(curve), "episodes,", curve[len(curve)-1].Steps, "steps")
	// Output: 3 episodes, 600 steps
}

// A learner that is evaluated by its mean actions on the way, and stopped once it is
// good enough; its curves and an episode are a line each.
func ExampleTrain() {
	ctx := context.Background()
	learner, err := rl.NewA2C(rl.NewCartPole(), nil, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		panic(err)
	}
	curve, err := rl.Train(ctx, learner, 100_000, &rl.TrainSettings{
		Every: 5000,
		Stop:  func(p rl.Progress) bool { return p.Evaluated >= 100 },
	})
	if err != nil {
		panic(err)
	}
	figure := plotting.New("CartPole", "steps", "return").Curves(curve)
	film, err := rl.Animate(ctx, rl.NewCartPole(), learner.Actor(), 1)
	if err != nil {
		panic(err)
	}
	fmt.Println(figure != nil, len(film.Frames) > 50, curve[len(curve)-1].Steps < 100_000)
	// Output: true true true
}
