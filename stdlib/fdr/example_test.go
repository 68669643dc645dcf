package fdr_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"

	"gaucho/stdlib/bandit"
	"gaucho/stdlib/fdr"
)

// The 15 p-values of the documentation of the R package onlineFDR, one after
// another, by three rules and with the settings of that package.
func Example() {
	p := []float64{2.90e-08, 0.06743, 0.01514, 0.08174, 0.00171, 3.60e-05, 0.79149, 0.27201,
		0.28295, 7.59e-08, 0.69274, 0.30443, 0.00136, 0.72342, 0.54757}
	for _, m := range []fdr.Method{fdr.AlphaSpending, fdr.LORDPlusPlus, fdr.SAFFRON} {
		decisions, err := fdr.Run(m, 0.05, fdr.OnlineFDRSettings(m, 0.05), p)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%-15s", m)
		for j, d := range decisions {
			if d.Reject {
				fmt.Printf(" %d (%.2g)", j+1, d.Level)
			}
		}
		fmt.Println()
	}
	// Output:
	// alpha-spending  1 (0.0027) 6 (0.0003) 10 (0.00019)
	// LORD++          1 (0.00027) 6 (0.00034) 10 (0.00062)
	// SAFFRON         1 (0.0055) 5 (0.011) 6 (0.022) 10 (0.011) 13 (0.0093)
}

// A stream is saved in the evening and resumed in the morning.
func ExampleStream_Save() {
	stream, err := fdr.NewStream(fdr.LORDPlusPlus, 0.1, nil)
	if err != nil {
		panic(err)
	}
	for _, p := range []float64{0.3, 1e-7, 0.02} {
		if _, err := stream.Test(p); err != nil {
			panic(err)
		}
	}
	var file bytes.Buffer
	if err := stream.Save(&file); err != nil {
		panic(err)
	}
	morning, err := fdr.Resume(&file)
	if err != nil {
		panic(err)
	}
	fmt.Println(morning.Len(), "tested,", morning.Rejected(), "discovered, same wealth:", morning.Wealth() == stream.Wealth())
	// Output: 3 tested, 1 discovered, same wealth: true
}

func ExampleBenjaminiHochberg() {
	reject, err := fdr.BenjaminiHochberg([]float64{0.001, 0.2, 0.012, 0.9, 0.02}, 0.05)
	fmt.Println(reject, err)
	// Output: [true false true false true] <nil>
}

// Alpha-investing that stakes a tenth of the wealth on every hypothesis.
func ExampleNewGAI() {
	const alpha, wealth = 0.05, 0.025
	rule, err := fdr.NewGAI(alpha, wealth, func(s fdr.State) fdr.Bet {
		stake := s.Wealth / 10
		return fdr.Bet{Level: stake, Cost: stake, Payout: alpha - wealth}
	})
	if err != nil {
		panic(err)
	}
	for _, p := range []float64{0.3, 0.001, 0.4} {
		level := rule.Level()
		if err := rule.Observe(p, p <= level); err != nil {
			panic(err)
		}
		fmt.Printf("level %.5f, wealth then %.5f\n", level, rule.Wealth())
	}
	// Output:
	// level 0.00250, wealth then 0.02250
	// level 0.00225, wealth then 0.04525
	// level 0.00453, wealth then 0.04073
}

// MAB-FDR: three experiments, each with a control and two new versions, at a
// false discovery rate of ten per cent.
func ExampleProcess() {
	rng := rand.New(rand.NewPCG(1, 0))
	process, err := fdr.NewProcess(fdr.LORD15, 0.1, nil)
	if err != nil {
		panic(err)
	}
	for _, means := range [][]float64{{0, 2, 1}, {1, 0, 0}, {0, 1, 3}} {
		e, err := process.Run(context.Background(), bandit.Gaussian{Means: means, Sigma: 1}, rng)
		if err != nil {
			panic(err)
		}
		fmt.Printf("level %.4f: best arm %d, rejected %v\n", e.Level, e.Best, e.Reject)
	}
	// Output:
	// level 0.0049: best arm 1, rejected true
	// level 0.0049: best arm 0, rejected false
	// level 0.0011: best arm 2, rejected true
}

func ExampleStorey() {
	p := []float64{0.0001, 0.004, 0.02, 0.03, 0.08, 0.11, 0.3, 0.4, 0.7, 0.95}
	share, err := fdr.NullShare(p, 0.5)
	if err != nil {
		panic(err)
	}
	reject, err := fdr.Storey(p, 0.1, 0.5)
	if err != nil {
		panic(err)
	}
	fmt.Printf("share of nulls %.1f, rejected %v\n", share, reject)
	// Output: share of nulls 0.6, rejected [true true true true true false false false false false]
}

func ExampleBenjaminiYekutieli() {
	reject, err := fdr.BenjaminiYekutieli([]float64{0.001, 0.2, 0.012, 0.9, 0.02}, 0.1)
	if err != nil {
		panic(err)
	}
	fmt.Println(reject)
	// Output: [true false true false true]
}
