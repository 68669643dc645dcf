package bandit_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gaucho/stdlib/bandit"
)

// Is one of three new page designs better than the old one, by three points of
// the rate of clicks or more?
func Example() {
	arms := bandit.Bernoulli{Means: []float64{0.10, 0.11, 0.25, 0.08}} // arm 0 is the control
	settings := bandit.DefaultSettings()
	settings.Epsilon = 0.03
	res, err := bandit.BestArm(context.Background(), arms, 0.05, settings, rand.New(rand.NewPCG(1, 0)))
	if err != nil {
		panic(err)
	}
	fmt.Println("design", res.Best, "stopped:", res.Stopped, "p < 0.05:", res.P < 0.05)

	settings.Sampler = bandit.Uniform // A/B/n testing
	ab, err := bandit.BestArm(context.Background(), arms, 0.05, settings, rand.New(rand.NewPCG(1, 0)))
	if err != nil {
		panic(err)
	}
	fmt.Println("design", ab.Best, "with more pulls:", ab.Total > res.Total)
	// Output:
	// design 2 stopped: true p < 0.05: true
	// design 2 with more pulls: true
}

// A race can be watched round by round.
func ExampleRace() {
	arms := bandit.Gaussian{Means: []float64{0, 3}, Sigma: 1}
	race, err := bandit.NewRace(arms, 0.01, nil, rand.New(rand.NewPCG(2, 0)))
	if err != nil {
		panic(err)
	}
	lowest := 1.0
	for race.Step() {
		if p := race.P(); p > lowest {
			panic("a p-value has risen")
		} else {
			lowest = p
		}
	}
	low, high := race.Bounds()
	fmt.Println(race.Result().Best, low[1] > high[0])
	// Output: 1 true
}
