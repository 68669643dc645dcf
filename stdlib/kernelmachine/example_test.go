package kernelmachine_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"

	"gaucho/stdlib/dataset"
	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/rkhs"
)

func Example() {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(1, 2))
	data, err := dataset.RadialWave(1<<13, rng)
	if err != nil {
		panic(err)
	}
	settings := kernelmachine.DefaultSettings()
	settings.Batch, settings.Block = 64, 64
	m, err := kernelmachine.New(kernelmachine.Squared{}, rkhs.Gaussian{Bandwidth: 0.5}, settings, rng)
	if err != nil {
		panic(err)
	}
	if err := m.Fit(ctx, data.X, data.Y); err != nil {
		panic(err)
	}
	score, err := m.Score(ctx, data.X, data.Y)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d steps, R^2 %.1f\n", m.Steps(), score)
	// Output: 128 steps, R^2 0.8
}

func ExampleMachine_Save() {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(1, 2))
	data, err := dataset.RadialWave(1000, rng)
	if err != nil {
		panic(err)
	}
	m, err := kernelmachine.New(kernelmachine.Huber{Threshold: 1}, rkhs.Gaussian{Bandwidth: 0.5}, nil, rng)
	if err != nil {
		panic(err)
	}
	if err := m.PartialFit(ctx, data.X, data.Y); err != nil {
		panic(err)
	}
	var file bytes.Buffer
	if err := m.Save(&file); err != nil {
		panic(err)
	}
	again, err := kernelmachine.Load(&file)
	if err != nil {
		panic(err)
	}
	fmt.Println(again.Steps(), again.Kernel(), again.PartialFit(ctx, data.X, data.Y))
	// Output: 4 {0.5} <nil>
}
